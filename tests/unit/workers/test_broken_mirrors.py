"""A mirror that can't be used any more is cloned anew, and swapped in when that is whole."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.fake_git import FakeGit
from tests.git_repositories import commit_files, git_line, loose_object
from tests.service import Service, refs


def _damage_config(mirror: Path) -> None:
    (mirror / "config").write_text("[core\n", encoding="ascii")


def _lose_head(mirror: Path) -> None:
    (mirror / "HEAD").unlink()


def _lose_objects(mirror: Path) -> None:
    shutil.rmtree(mirror / "objects")


def _lose_packs(mirror: Path) -> None:
    shutil.rmtree(mirror / "objects" / "pack")


def _cut_the_pack(mirror: Path) -> None:
    (pack,) = (mirror / "objects" / "pack").glob("*.pack")
    pack.chmod(0o600)
    os.truncate(pack, 20)


def _zero_the_packs_end(mirror: Path) -> None:
    (pack,) = (mirror / "objects" / "pack").glob("*.pack")
    size = pack.stat().st_size
    pack.chmod(0o600)
    os.truncate(pack, size - 30)
    os.truncate(pack, size)


def _become_a_file(mirror: Path) -> None:
    shutil.rmtree(mirror)
    mirror.write_bytes(b"no folder")


def _lose_a_blob(mirror: Path) -> None:
    commit = git_line(mirror, "rev-parse", "HEAD")
    (pack,) = (mirror / "objects" / "pack").glob("*.pack")
    moved = pack.rename(mirror / "moved.pack")
    for left in (mirror / "objects" / "pack").iterdir():
        left.unlink()
    subprocess.run(["git", "-C", str(mirror), "unpack-objects", "-q"], stdin=moved.open("rb"), check=True)
    loose_object(mirror, git_line(mirror, "rev-parse", f"{commit}:a.txt")).unlink()


@pytest.mark.parametrize(
    "damage", [_damage_config, _lose_head, _lose_objects, _lose_packs, _cut_the_pack, _zero_the_packs_end, _become_a_file, _lose_a_blob]
)
@pytest.mark.parametrize("moved", [True, False], ids=["remote moved on", "remote as it was"])
@pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")
def test_a_broken_mirror_is_cloned_anew_by_command(service: Service, remote: Path, damage: object, *, moved: bool) -> None:
    service.add("repo", remote)
    service.sync(sync_id="first")
    damage(service.mirror())  # type: ignore[operator]
    if moved:
        commit_files(remote, {"a.txt": b"one\ntwo\n", "b.txt": b"new\n"})
    record = service.sync(sync_id="second")
    assert (record.sync_status, record.sync_error) == ("ok", None)
    assert refs(service.mirror()) == refs(remote)
    assert git_line(service.mirror(), "fsck", "--connectivity-only") == ""
    assert service.folders() == ["repo.git"]


@pytest.mark.parametrize(
    "damage", [_damage_config, _lose_head, _lose_objects, _lose_packs, _cut_the_pack, _zero_the_packs_end, _become_a_file]
)
def test_a_broken_mirror_is_cloned_anew_by_schedule_although_the_remote_did_not_move(
    service: Service, remote: Path, damage: object
) -> None:
    service.add("repo", remote)
    service.sync(sync_id="first")
    damage(service.mirror())  # type: ignore[operator]
    assert service.sync(sync_id="second", force=False).sync_status == "ok"
    assert refs(service.mirror()) == refs(remote)


def test_a_broken_mirror_stays_when_it_can_not_be_cloned_anew(service: Service, remote: Path, fake_git: FakeGit) -> None:
    service.add("repo", remote)
    service.sync(sync_id="first")
    (service.mirror() / "config").write_text("[core\n", encoding="ascii")
    fake_git.instead_of(("fetch",), "exit 128")
    assert service.sync().sync_status == "failed"
    assert service.folders() == ["repo.git"]
