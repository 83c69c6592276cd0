"""The cache on the disk: what it returns, what it may hold, and that nothing about it can fail a read."""

import os
import resource
import stat
import subprocess
import sys
import threading
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.settings import settings
from workers import blob_cache
from workers.blob_cache import CACHE_BYTES, kept, maker_version

BLOB = "ab" * 20
FOLDER_BYTES = CACHE_BYTES // 256


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder of the cache, which isn't there yet."""
    monkeypatch.setenv("CODEKEEPER_DATA_DIR", str(tmp_path / "data"))
    settings.cache_clear()
    yield tmp_path / "data" / "cache"
    settings.cache_clear()


class Maker:
    """Counts how often it was asked."""

    def __init__(self, value: Any = None) -> None:
        self.value = {"headings": [["a", 1, 1]]} if value is None else value
        self.times = 0

    def __call__(self) -> Any:
        self.times += 1
        return self.value


def files(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file())


def kept_twice(blob: str = BLOB) -> int:
    """How often a value is made by two reads in a row; both are right."""
    make = Maker()
    assert kept(blob, "m-1", make) == kept(blob, "m-1", make) == make.value
    return make.times


def test_a_value_is_made_once_for_a_blob_and_a_maker(cache: Path) -> None:
    assert kept_twice() == 1
    assert kept(BLOB, "m-2", Maker("other maker")) == "other maker"
    assert kept("cd" * 20, "m-1", Maker("other blob")) == "other blob"
    assert [path.relative_to(cache).as_posix() for path in files(cache)] == [f"ab/{BLOB}.m-1", f"ab/{BLOB}.m-2", f"cd/{'cd' * 20}.m-1"]
    assert {stat.S_IMODE(path.stat().st_mode) for path in files(cache)} == {0o600}


@given(value=st.recursive(st.none() | st.booleans() | st.integers() | st.text() | st.just("\ud800"), st.lists, max_leaves=5))
@pytest.mark.usefixtures("cache")
def test_any_json_value_comes_back_as_it_was(value: Any) -> None:
    blob = os.urandom(20).hex()
    assert kept(blob, "m", lambda: value) == value
    assert kept(blob, "m", lambda: pytest.fail("made again")) == value


@pytest.mark.usefixtures("cache")
def test_what_the_maker_raises_is_raised_and_nothing_is_kept() -> None:
    def refuse() -> Any:
        raise KeyError("refused")

    with pytest.raises(KeyError):
        kept(BLOB, "m-1", refuse)
    assert kept_twice() == 1


def overwrite(data: bytes) -> Callable[[Path], object]:
    return lambda path: path.write_bytes(data)


GOOD = zlib.compress(b'{"headings":[["a",1,1]]}', 1)


@pytest.mark.parametrize(
    "damage",
    [
        overwrite(b""), overwrite(b"\0" * 99), overwrite(GOOD[:-1]), overwrite(GOOD[:-1] + b"?"), overwrite(GOOD[:5]), overwrite(b"{}"),
        overwrite(zlib.compress(b"{")), overwrite(zlib.compress(b"\xff\xfe\xff")),
    ],
)  # fmt: skip
def test_a_damaged_file_is_made_again_and_mended(cache: Path, damage: Callable[[Path], object]) -> None:
    kept(BLOB, "m-1", Maker())
    (path,) = files(cache)
    assert path.read_bytes() == GOOD
    damage(path)
    assert kept_twice() == 1
    assert path.read_bytes() == GOOD


def test_no_damaged_byte_goes_unseen(cache: Path) -> None:
    kept(BLOB, "m-1", Maker())
    (path,) = files(cache)
    for index in range(len(GOOD)):
        for bit in range(8):
            path.write_bytes(GOOD[:index] + bytes([GOOD[index] ^ 1 << bit]) + GOOD[index + 1 :])
            assert kept(BLOB, "m-1", Maker()) == Maker().value


def file_in_its_place(cache: Path) -> None:
    cache.parent.mkdir()
    cache.write_bytes(b"")


def folder_in_the_entrys_place(cache: Path) -> None:
    (cache / "ab" / f"{BLOB}.m-1" / "x").mkdir(parents=True)


def dangling_link(cache: Path) -> None:
    cache.parent.mkdir()
    cache.symlink_to("/nowhere/at/all")


@pytest.mark.parametrize("spoil", [file_in_its_place, folder_in_the_entrys_place, dangling_link])
def test_a_folder_that_cannot_be_used_costs_the_work_and_no_answer(cache: Path, spoil: Callable[[Path], None]) -> None:
    spoil(cache)
    assert kept_twice() == 2


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_an_unwritable_folder_costs_the_work_and_no_answer(cache: Path) -> None:
    cache.mkdir(parents=True, mode=0o500)
    assert kept_twice() == 2


def test_a_write_that_fails_halfway_leaves_nothing_behind(cache: Path) -> None:
    """As on a full disk: the operating system takes a part of the bytes and no more."""
    kept("ab" + "0" * 38, "m-1", Maker())
    before = files(cache)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    big = Maker([os.urandom(50_000).hex()])
    resource.setrlimit(resource.RLIMIT_FSIZE, (1_000, hard))
    try:
        assert kept(BLOB, "m-1", big) == big.value
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert files(cache) == before
    assert kept(BLOB, "m-1", big) == kept(BLOB, "m-1", big) == big.value
    assert big.times == 2


def test_an_interrupted_write_leaves_nothing_behind(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: Any) -> None:
        raise TimeoutError("the soft limit, or any other exception")

    monkeypatch.setattr(Path, "replace", interrupted)
    assert kept_twice() == 2
    assert files(cache) == []


def size(folder: Path) -> int:
    return sum(-(-path.stat().st_size // 4_096) * 4_096 for path in files(folder))


def test_the_oldest_go_when_a_folder_is_full(cache: Path) -> None:
    value = [os.urandom(60_000).hex()]
    blobs = [f"ab{number:038}" for number in range(20)]
    for age, blob in enumerate(blobs):
        kept(blob, "m-1", Maker(value))
        newest = cache / "ab" / f"{blob}.m-1"
        os.utime(newest, (age, age))
        assert size(cache / "ab") <= FOLDER_BYTES
        assert newest.exists()
    left = [path.name.split(".")[0] for path in files(cache)]
    assert left == blobs[-len(left) :]
    assert size(cache) > FOLDER_BYTES - 70_000


def test_small_files_are_counted_as_the_disk_holds_them(cache: Path) -> None:
    for number in range(FOLDER_BYTES // 4_096 + 9):
        kept(f"ab{number:038}", "m-1", Maker(1))
    assert len(files(cache)) == FOLDER_BYTES // 4_096


def test_what_is_larger_than_a_folder_may_be_is_not_kept(cache: Path) -> None:
    kept("ab" + "0" * 38, "m-1", Maker())
    huge = Maker([os.urandom(FOLDER_BYTES).hex()])
    before = files(cache)
    assert kept(BLOB, "m-1", huge) == huge.value
    assert files(cache) == before


def test_half_written_files_of_killed_processes_age_out(cache: Path) -> None:
    (cache / "ab").mkdir(parents=True)
    left = cache / "ab" / "tmp123"
    left.write_bytes(b"x" * FOLDER_BYTES)
    os.utime(left, (0, 0))
    assert kept_twice() == 1
    assert not left.exists()


def test_a_file_that_another_process_removes_meanwhile_is_no_fault(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept("ab" + "0" * 38, "m-1", Maker())
    gone = cache / "ab" / "gone"
    listed = Path.iterdir
    monkeypatch.setattr(Path, "iterdir", lambda folder: iter([gone, *listed(folder)]))
    assert kept_twice() == 1


def test_threads_and_processes_share_it(cache: Path, tmp_path: Path) -> None:
    """Readers and writers of the same entries, and writers enough to remove each other's: every value is right."""
    script = (
        "import os, sys\nfrom workers.blob_cache import kept\n"
        "for turn in range(60):\n"
        "    blob = f'ab{turn % 12:038}'\n"
        "    assert kept(blob, 'm', lambda: [blob, 'x' * 9])[0] == blob\n"
        "    assert kept(f'ab{os.getpid():030}{turn:08}', 'm', lambda: os.urandom(20_000).hex())\n"
    )
    environment = {**os.environ, "CODEKEEPER_DATA_DIR": str(tmp_path / "data")}
    processes = [
        subprocess.Popen([sys.executable, "-c", script], cwd=Path(__file__).parents[3], env=environment, stderr=subprocess.PIPE)
        for _ in range(2)
    ]
    wrong: list[Any] = []

    def read() -> None:
        for turn in range(200):
            blob = f"ab{turn % 12:038}"
            right = [blob, "x" * 9]
            if (found := kept(blob, "m", Maker(right))) != right:
                wrong.append(found)

    threads = [threading.Thread(target=read) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    errors = [process.communicate()[1].decode() for process in processes]
    assert ([process.returncode for process in processes], wrong) == ([0, 0], [])
    assert not any("Traceback" in error for error in errors), errors
    assert size(cache) <= FOLDER_BYTES + 2 * 32_768  # two writers at once may each count without the other


def test_a_fork_shares_it_too(cache: Path) -> None:
    kept(BLOB, "m-1", Maker())
    child = os.fork()
    if child == 0:
        found = False
        try:
            found = kept(BLOB, "m-1", lambda: None) == Maker().value and kept("cd" * 20, "m-1", Maker(5)) == 5
        finally:
            os._exit(0 if found else 1)
    assert os.waitpid(child, 0)[1] == 0
    assert kept("cd" * 20, "m-1", lambda: pytest.fail("made again")) == 5
    assert len(files(cache)) == 2


def test_the_folders_together_are_the_bound() -> None:
    assert blob_cache._FOLDERS * FOLDER_BYTES == CACHE_BYTES


def test_a_makers_version_follows_its_sources_and_libraries(tmp_path: Path) -> None:
    (tmp_path / "inner").mkdir()
    source = tmp_path / "inner" / "a.py"
    source.write_bytes(b"x = 1\n")
    (tmp_path / "notes.txt").write_bytes(b"1")
    first = maker_version(tmp_path)
    seen = {first, maker_version(tmp_path, "regex")}
    (tmp_path / "notes.txt").write_bytes(b"2")
    assert maker_version(tmp_path) == first
    source.write_bytes(b"x = 2\n")
    seen.add(maker_version(tmp_path))
    source.rename(tmp_path / "inner" / "b.py")
    seen.add(maker_version(tmp_path))
    assert len(seen) == 4
    assert all(len(version) == 16 for version in seen)
