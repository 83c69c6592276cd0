"""Parts that fail while the service runs: each has its answer, and everything recovers by itself."""

import json
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx2
import pytest

from shared.database import repositories
from shared.database.engine import open_engine
from tests.end_to_end.services import Service, codekeeper, gateway
from tests.git_repositories import commit_files, loose_object, new_repository

FILE, TREE = "codekeeper_get_repo_file", "codekeeper_list_repo_tree"


@pytest.fixture
def fragile(service: Service, tmp_path: Path) -> Iterator[Path]:
    """A mirror that a test may break, registered as `fragile` for this test alone; its folder."""
    source = new_repository(tmp_path / "source")
    commit_files(source, {"a.txt": b"alpha\n", "b.txt": b"beta\n"})
    codekeeper(service.environment, "repo", "add", "fragile", str(source))
    mirror = Path(service.environment["CODEKEEPER_DATA_DIR"]) / "mirrors" / "fragile.git"
    yield mirror
    codekeeper(service.environment, "repo", "remove", "fragile")
    assert not mirror.exists()


@contextmanager
def a_sync_runs(service: Service) -> Iterator[None]:
    """As if another process were syncing `fragile` right now."""
    engine = open_engine(f"sqlite:///{Path(service.environment['CODEKEEPER_DATA_DIR']) / 'codekeeper.sqlite3'}")
    assert repositories.lock(engine, "fragile", "another")
    yield
    assert repositories.unlock(engine, "fragile", "another", {})
    engine.dispose()


@pytest.mark.rule("REF-24", "REF-28", "REF-29", "REF-30", "REF-34", "REF-38", "GRF-14", "GRF-15", "GRF-16")
@pytest.mark.rule("TREE-14", "TREE-15", "PLT-118", "PLT-119")
def test_a_broken_mirror_says_what_is_broken_and_a_running_sync_is_the_truer_answer(service: Service, fragile: Path) -> None:
    def read(**more: object) -> dict[str, object]:
        return service.call(FILE, **{"repo": "fragile", "path": "a.txt", **more}).json

    assert read()["content"] == "alpha\n"
    shutil.move(fragile, fragile.with_suffix(".away"))
    assert read()["error"] == "repo_not_mirrored"
    fragile.mkdir()  # half written: a folder that is no repository
    assert read()["error"] == service.call(TREE, repo="fragile").json["error"] == "read_failed"
    with a_sync_runs(service):
        assert read()["error"] == "sync_in_progress"
    fragile.rmdir()
    with a_sync_runs(service):
        waits = read()
        assert (waits["error"], waits["retry_after"]) == ("sync_in_progress", 30)
        assert waits["message"]
    shutil.move(fragile.with_suffix(".away"), fragile)
    with a_sync_runs(service):
        assert read()["content"] == "alpha\n"  # a read that succeeds is served
        assert read(ref="-bad")["error"] == "invalid_ref"
        assert read(ref="r" * 5_000)["error"] == "ref_too_long"
        assert read(path=".env")["error"] == "path_denied"
        for more in ({"ref": "nosuch"}, {"path": "nosuch.txt"}):
            assert read(**more)["error"] == "sync_in_progress"
            assert service.call(TREE, repo="fragile", ref="nosuch").json["error"] == "sync_in_progress"


@pytest.mark.rule("REF-37", "TREE-14")
def test_a_missing_and_a_corrupt_object_are_read_failed_and_harm_no_other_file(service: Service, fragile: Path, tmp_path: Path) -> None:
    (pack,) = (fragile / "objects" / "pack").glob("*.pack")
    moved = shutil.move(pack, tmp_path / "taken.pack")
    pack.with_suffix(".idx").unlink()
    for left in fragile.joinpath("objects", "pack").iterdir():
        left.unlink()
    with Path(moved).open("rb") as data:
        subprocess.run(["git", "-C", str(fragile), "unpack-objects", "-q"], stdin=data, check=True)
    listing = subprocess.run(["git", "-C", str(fragile), "ls-tree", "main"], capture_output=True, text=True, check=True).stdout
    blobs = {line.split("\t")[1]: line.split()[2] for line in listing.splitlines()}
    loose_object(fragile, blobs["a.txt"]).unlink()
    damaged = loose_object(fragile, blobs["b.txt"])
    damaged.chmod(0o644)
    damaged.write_bytes(damaged.read_bytes()[:-4] + b"oops")
    for path in ("a.txt", "b.txt"):
        answer = service.call(FILE, repo="fragile", path=path).json
        assert (answer["error"], answer["repo"]) == ("read_failed", "fragile")
        assert str(fragile.parent) not in str(answer)
    assert service.call(TREE, repo="fragile").json["paths"] == ["a.txt", "b.txt"]


def test_reads_go_on_while_another_process_holds_the_databases_write_lock(service: Service) -> None:
    path = Path(service.environment["CODEKEEPER_DATA_DIR"]) / "codekeeper.sqlite3"
    fresh = json.loads(codekeeper(service.environment, "token", "issue", "--user", "admin"))["token"]
    holder = sqlite3.connect(path, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    try:
        began = time.monotonic()
        with Service(service.form, service.url, {"admin": fresh}, service.portal, service.environment) as another:
            # A token's first use would be noted: nobody may wait for that.
            assert another.call(FILE, repo="shapes", path="abc.txt").json["content"] == "a\nb\nc\n"
            assert "repos" in another.call("codekeeper_list_repos").json
            assert another.call(TREE, repo="shapes", path="src", include_stats=True).json["entries"][0]["lines"] == 1
        assert time.monotonic() - began < 5  # the busy timeout; a bound on waiting and no measure of speed
        codekeeper(service.environment, "token", "issue", "--user", "late", code=3)
    finally:
        holder.execute("ROLLBACK")
        holder.close()
    codekeeper(service.environment, "token", "issue", "--user", "late")


def test_a_gateway_whose_redis_never_was_there_is_healthy_and_refuses(embedded: Service, tmp_path: Path) -> None:
    environment = {**embedded.environment, "CODEKEEPER_REDIS_URL": "redis://127.0.0.1:1/0"}
    with gateway(environment, tmp_path / "log") as url, Service("away", url, embedded.tokens, embedded.portal, environment) as away:
        answer = away.call("codekeeper_list_repos").json
        assert (answer["error"], answer["ok"]) == ("queue_unavailable", False)
        assert answer["retry_after"] > 0
        assert httpx2.get(url.replace("/mcp", "/healthz")).status_code == 200
