"""Mirrors that are lost or damaged under a running service: a read says so and no more, and the operator's `repo sync` heals each."""

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from shared.database import repositories
from shared.database.engine import open_engine
from tests.end_to_end.services import codekeeper
from tests.faults.clients import FILE, clients_of
from tests.faults.parts import Deployment
from tests.git_repositories import commit_files, git_line, loose_object, new_repository

pytestmark = pytest.mark.anyio

WHOLE, HURT = "whole.txt", "hurt.txt"


def _remove(mirror: Path) -> None:
    shutil.rmtree(mirror)


def _pack_of(mirror: Path) -> Path:
    (pack,) = (mirror / "objects" / "pack").glob("*.pack")
    pack.chmod(0o600)
    return pack


def _truncate_the_pack(mirror: Path) -> None:
    pack = _pack_of(mirror)
    os.truncate(pack, pack.stat().st_size // 2)


def _unpack(mirror: Path) -> Path:
    """Every object in a file of its own; that of `HURT`."""
    pack = _pack_of(mirror)
    taken = pack.rename(mirror / "taken.pack")
    for left in (mirror / "objects" / "pack").iterdir():
        left.unlink()
    with taken.open("rb") as data:
        subprocess.run(["git", "-C", str(mirror), "unpack-objects", "-q"], stdin=data, check=True)
    taken.unlink()
    found = loose_object(mirror, git_line(mirror, "rev-parse", f"main:{HURT}"))
    found.chmod(0o600)
    return found


def _lose_an_object(mirror: Path) -> None:
    _unpack(mirror).unlink()


def _corrupt_an_object(mirror: Path) -> None:
    found = _unpack(mirror)
    data = bytearray(found.read_bytes())
    data[len(data) // 2] ^= 0xFF
    found.write_bytes(data)


def _corrupt_the_pack(mirror: Path) -> None:
    """One byte of the object's data within the pack, as a disk rots; index and checksums stay what they were."""
    pack = _pack_of(mirror)
    listing = subprocess.run(["git", "verify-pack", "-v", str(pack)], capture_output=True, text=True, check=True).stdout
    oid = git_line(mirror, "rev-parse", f"main:{HURT}")
    in_pack, offset = next(line.split()[3:5] for line in listing.splitlines() if line.startswith(oid))
    data = bytearray(pack.read_bytes())
    data[int(offset) + int(in_pack) // 2] ^= 0xFF
    pack.write_bytes(data)


DAMAGES: dict[str, tuple[Callable[[Path], None], str, str | None]] = {
    # What is done, what a read of HURT answers, and what a read of WHOLE does.
    "removed": (_remove, "repo_not_mirrored", "repo_not_mirrored"),
    "truncated": (_truncate_the_pack, "ref_not_mirrored", "ref_not_mirrored"),  # to git the commit isn't there any more: REF-39
    "missing": (_lose_an_object, "read_failed", None),
    "corrupt": (_corrupt_an_object, "read_failed", None),
    "rotten": (_corrupt_the_pack, "read_failed", None),
}


@pytest.mark.rule("REF-24", "REF-37", "REF-39", "PLT-115")
async def test_a_damaged_mirror_is_said_to_be_and_healed_by_the_operators_sync(deployment: Deployment, tmp_path: Path) -> None:
    engine = open_engine(f"sqlite:///{deployment.data / 'codekeeper.sqlite3'}")
    for name in DAMAGES:
        source = new_repository(tmp_path / name)
        noise = os.urandom(20_000).hex() + "\n"  # too large, and too unlike, for a byte of it to be another object's
        commit_files(source, {WHOLE: f"whole of {name}\n".encode(), HURT: f"hurt of {name} {noise}".encode()})
        assert repositories.add(engine, name, str(source), None)
    engine.dispose()
    mirrors = deployment.data / "mirrors"

    def sync() -> None:
        records = [json.loads(line) for line in codekeeper(deployment.environment, "repo", "sync").splitlines()]
        assert {record["repo_name"]: record["sync_status"] for record in records} == dict.fromkeys(["numbered", *DAMAGES], "ok")

    async with clients_of(deployment) as clients:

        async def errors(path: str) -> dict[str, str | None]:
            found = {}
            for name in DAMAGES:
                ended = await clients.call(FILE, repo=name, path=path, ref="main")
                assert ended.error is not None or ended.answer["content"].startswith(f"{path.removesuffix('.txt')} of {name}")
                assert str(mirrors) not in str(ended.answer)
                found[name] = ended.error
            return found

        sync()
        assert set((await errors(HURT)).values()) == {None}
        for name, (damage, _, _) in DAMAGES.items():
            damage(mirrors / f"{name}.git")
        assert await errors(HURT) == {name: hurt for name, (_, hurt, _) in DAMAGES.items()}
        assert await errors(WHOLE) == {name: whole for name, (_, _, whole) in DAMAGES.items()}
        await clients.serves(*range(3))
        sync()
        assert await errors(HURT) == dict.fromkeys(DAMAGES)
        assert await errors(WHOLE) == dict.fromkeys(DAMAGES)
