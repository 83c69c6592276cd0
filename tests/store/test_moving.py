"""Folders into the store and out of it, on both databases: byte for byte, nothing outside the folder, and what can't be kept is named."""

import json
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine, update

from shared.database.store_tables import SAVED_FILES
from tests.store.folders import exported, imported, make, stored, tree
from tests.store.test_files import texts
from workers.moving.manifest import MANIFEST, UNFINISHED, BadFolder
from workers.moving.target import open_target
from workers.store import write_files
from workers.store.put_file import FileMetadata, put_file
from workers.store.transaction import writing_own

_numbers = count()
HOSTILE = (
    "../up", "/etc/passwd", "a//b", "a/./b", ".", "..", "a/", "/", "a", "A", "a/b", "A/b", "a/b/c",
    "\u00e9.md", "e\u0301.md", "stra\u00dfe", "STRASSE", "\u05d0" * 255, "n" * 255, "\u202egnp.exe", "\ufeff",
    ".git/hooks/post-checkout", "x/.GIT/config", ".codekeeper/files.jsonl", ".CodeKeeper/x.py", ".codekeeper",
    ".bashrc", "docs/.hidden/plan.md", "back\\slash", "what?.md", "line\nend", " x ", "-rf", "~", "CON",
)  # fmt: skip

STORABLE = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
NAMES = st.one_of(st.sampled_from(HOSTILE), STORABLE.filter(str.strip))
TEXTS = st.one_of(STORABLE, st.sampled_from(("", "\r\n", "\ufeffx\r", "no end", "\x0c\x85\u2028")))
METADATA = st.builds(
    FileMetadata,
    language=st.text("abc", min_size=1, max_size=5),
    description=STORABLE,
    tags=st.lists(STORABLE.filter(str.strip), max_size=3),
    favorited_at=st.none() | st.integers(0, 2**33),
)
SAVED = st.lists(st.tuples(NAMES, TEXTS, METADATA, st.integers(1_000, 1_003)), max_size=12, unique_by=lambda saved: saved[0])


@contextmanager
def new_folder() -> Iterator[Path]:
    """A folder that is alone in another, which must hold nothing else at the end."""
    with tempfile.TemporaryDirectory() as outer:
        yield Path(outer) / "folder"
        assert os.listdir(outer) in ([], ["folder"])  # noqa: PTH208


def round_trip(engine: Engine, saved: list[tuple[str, str, FileMetadata, int]]) -> None:
    before, after = (f"user{next(_numbers)}" for _ in range(2))
    for name, text, metadata, changed_at in saved:
        with writing_own(engine, before) as own:
            put_file(own, name, text, metadata)
            of_name = (SAVED_FILES.c.owner_key == own.owner_key) & (SAVED_FILES.c.name == name)
            own.connection.execute(update(SAVED_FILES).where(of_name).values(updated_at=changed_at))
    with new_folder() as folder:
        done = exported(engine, before, folder)
        assert (done.files, done.bytes) == (len(saved), sum(len(text.encode()) for _, text, _, _ in saved))
        lines = [json.loads(line) for line in (folder / MANIFEST).read_bytes().splitlines()]
        written = {line["file_name"]: (folder / line["path"]).read_bytes().decode() for line in lines}
        assert written == {name: text for name, text, _, _ in saved}
        assert set(tree(folder)) == {MANIFEST, *(line["path"] for line in lines)}
        assert set(imported(engine, after, folder).values()) <= {"created"}
        assert set(imported(engine, after, folder).values()) <= {"unchanged"}
        files = tree(folder)
    assert stored(engine, after) == stored(engine, before)
    with new_folder() as again:
        exported(engine, after, again)
        assert tree(again) == files


@pytest.mark.rule("PLT-149", "PLT-150")
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example(saved=[(name, f"{name}\r\n", FileMetadata("text", name, [], None), 1_000) for name in HOSTILE if name.strip()])
@given(saved=SAVED)
def test_what_is_exported_and_imported_elsewhere_is_the_same_there(engine: Engine, saved: list[tuple[str, str, FileMetadata, int]]) -> None:
    round_trip(engine, saved)


@pytest.mark.deep
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(saved=SAVED)
def test_the_same_three_hundred_times(engine: Engine, saved: list[tuple[str, str, FileMetadata, int]]) -> None:
    round_trip(engine, saved)


PARTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0/"), min_size=1, max_size=12)
PATHS = st.lists(PARTS, min_size=1, max_size=3).filter(lambda parts: not {".", ".."} & set(parts)).map("/".join)
FOLDERS = st.dictionaries(PATHS, TEXTS.map(str.encode) | st.binary(max_size=8), max_size=8)


def what_becomes(path: str, data: bytes) -> str:
    """Of a file of that path and content, by the contract's words."""
    if any(part.startswith(".") for part in path.split("/")):
        return "left_out"
    try:
        text = data.decode()
    except UnicodeDecodeError:
        return "not_utf8"
    if not path.strip():
        return "missing_file_name"
    return "invalid_input" if "\0" in text else "created"


@pytest.mark.rule("PLT-144", "PLT-146", "PLT-147")
@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(files=FOLDERS)
def test_a_folder_that_is_imported_comes_out_again_byte_for_byte(engine: Engine, files: dict[str, bytes]) -> None:
    user = f"user{next(_numbers)}"
    files = {path: data for path, data in files.items() if not any(other.startswith(f"{path}/") for other in files)}
    with new_folder() as folder:
        results = imported(engine, user, make(folder, files))
    assert results == {path: what_becomes(path, data) for path, data in files.items()}
    kept = {path: files[path] for path, result in results.items() if result == "created"}
    assert {name: text.encode() for name, text, *_ in stored(engine, user)} == kept
    with new_folder() as out:
        exported(engine, user, out)
        lines = [json.loads(line) for line in (out / MANIFEST).read_bytes().splitlines()]
        assert {line["file_name"]: (out / line["path"]).read_bytes() for line in lines} == kept


@pytest.mark.rule("PLT-144", "PLT-146", "PLT-147", "PLT-18")
def test_what_is_left_out_by_rule_and_what_is_skipped_with_its_reason(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODEKEEPER_MAX_CODE_SIZE", "1000")
    write_files.settings.cache_clear()
    folder = make(tmp_path / "folder", {
        "a.md": b"\xef\xbb\xbfa\r\n", "docs/deep/b.py": b"b", "empty": b"", "full": "\U0001f600".encode() * 1_000,
        "long": b"x" * 1_001, "longer": b"x" * 4_001, "latin": b"\xe9", "utf16": "x".encode("utf-16"), "nul": b"a\0b",
        ".env": b"SECRET=1", ".github/ci.yml": b"ci", ".git/config": b"url", "docs/.git": b"gitdir: ..", "docs/.Git/x": b"x",
        f"{'d' * 200}/{'f' * 100}": b"x", "e\u0301": b"nfd", "\u00e9": b"nfc",
    })  # fmt: skip
    (folder / "link").symlink_to("a.md")
    (folder / "folder-link").symlink_to(tmp_path)
    os.mkfifo(folder / "pipe")
    Path(os.fsdecode(os.fsencode(folder) + b"/\xff")).write_bytes(b"x")
    (folder / "no-files").mkdir()
    named = {
        "a.md": "created", "docs/deep/b.py": "created", "empty": "created", "full": "created", "e\u0301": "created", "\u00e9": "created",
        "long": "code_too_large", "longer": "code_too_large", "latin": "not_utf8", "utf16": "not_utf8", "nul": "invalid_input",
        f"{'d' * 200}/{'f' * 100}": "file_name_too_long", "link": "symlink", "folder-link": "symlink", "pipe": "not_a_file",
        "\udcff": "invalid_input", ".git": "left_out", "docs/.git": "left_out", "docs/.Git": "left_out",
    }  # fmt: skip
    try:
        assert imported(engine, "dana", folder) == named | {".env": "left_out", ".github/ci.yml": "left_out"}
        assert imported(engine, "eve", folder, hidden=True) == named | {".env": "created", ".github/ci.yml": "created"}
    finally:
        write_files.settings.cache_clear()
    assert {name: text for name, text, *_ in stored(engine, "dana")}["a.md"] == "\ufeffa\r\n"


@pytest.mark.rule("PLT-145", "PLT-11", "PLT-12")
def test_names_that_exist_get_a_new_version_when_the_text_differs_and_nothing_otherwise(engine: Engine, tmp_path: Path) -> None:
    folder = make(tmp_path / "folder", {"a.md": b"one", "b.md": b"same"})
    with writing_own(engine, "dana") as own:
        put_file(own, "a.md", "zero", FileMetadata("rst", "mine", ["t"], None))
        put_file(own, "b.md", "same")
    assert imported(engine, "dana", folder) == {"a.md": "new_version", "b.md": "unchanged"}
    assert imported(engine, "dana", folder) == {"a.md": "unchanged", "b.md": "unchanged"}
    assert (texts(engine, "a.md"), texts(engine, "b.md")) == (["zero", "one"], ["same"])
    assert ("a.md", "one", "rst", "mine", ["t"], None) in stored(engine, "dana")


@pytest.mark.rule("PLT-148")
def test_an_export_takes_the_newest_version_of_active_files_of_that_user_alone(engine: Engine, tmp_path: Path) -> None:
    with writing_own(engine, "eve") as own:
        put_file(own, "eves", "x")
    with writing_own(engine, "dana") as own:
        for text in ("one", "two"):
            put_file(own, "a/b", text)
        put_file(own, "from-repo", "x", FileMetadata("text", "", ["repo:r"], None))
        put_file(own, "deleted", "x")
        write_files.delete_file(own, "deleted")
    exported(engine, "dana", tmp_path / "new" / "dana")
    assert set(tree(tmp_path / "new" / "dana")) == {MANIFEST, "a/b", "from-repo"}
    assert (tmp_path / "new" / "dana" / "a" / "b").read_bytes() == b"two"
    assert exported(engine, "nobody", tmp_path / "nobody").files == 0
    assert tree(tmp_path / "nobody") == {MANIFEST: b""}


@pytest.mark.rule("PLT-148", "PLT-149")
def test_nothing_is_written_outside_the_folder_or_over_what_is_there_unasked(engine: Engine, tmp_path: Path) -> None:
    with writing_own(engine, "dana") as own:
        for name in ("docs/x", "file/x", "folder", "kept", "link"):
            put_file(own, name, f"{name} saved")
    outside = make(tmp_path / "outside", {})
    (tmp_path / "victim").write_bytes(b"victim")
    folder = make(tmp_path / "folder", {"file": b"mine", "folder/mine": b"mine", "kept": b"mine", "other": b"mine"})
    (folder / "docs").symlink_to(outside)
    (folder / "link").symlink_to(tmp_path / "victim")
    before = tree(folder)
    with pytest.raises(BadFolder, match="not empty"):
        exported(engine, "dana", folder)
    assert tree(folder) == before
    done = exported(engine, "dana", folder, overwrite=True)
    assert (done.files, done.renamed) == (5, 3)
    assert (list(outside.iterdir()), (tmp_path / "victim").read_bytes()) == ([], b"victim")
    after = tree(folder)
    assert {path: after[path] for path in ("file", "folder/mine", "kept", "other", "link")} == {
        "file": b"mine", "folder/mine": b"mine", "kept": b"kept saved", "other": b"mine", "link": b"link saved",
    }  # fmt: skip
    # What lies there under a name that the manifest gives to another file doesn't become a version of that.
    (folder / "docs").unlink()
    results = imported(engine, "dana", make(folder, {"docs/x": b"stray"}))
    assert {path: result for path, result in results.items() if result != "unchanged"} == {
        "docs/x": "duplicate_name", "file": "created", "folder/mine": "created", "other": "created",
    }  # fmt: skip
    (tmp_path / "linked").mkdir()
    (tmp_path / "linked" / ".codekeeper").symlink_to(outside)
    for bad in (tmp_path / "linked", tmp_path / "victim", tmp_path / "victim" / "below"):
        with pytest.raises(BadFolder):
            exported(engine, "dana", bad, overwrite=True)
    assert list(outside.iterdir()) == []


LINE = {"path": "a", "file_name": "a", "language": "text", "description": "", "tags": [], "favorited_at": None}
BAD_MANIFESTS = (
    "{", "[]", "{}", '"' + "x" * 200_000,
    *(json.dumps(LINE | change) for change in (
        {"path": "../a"}, {"path": "/a"}, {"path": ""}, {"path": "a\0"}, {"path": 1}, {"file_name": "n" * 256}, {"language": ""},
        {"tags": ["t"] * 51}, {"tags": None}, {"description": "d" * 2_001}, {"favorited_at": "2026-01-01"}, {"more": 1},
    )),
    f"{json.dumps(LINE)}\n{json.dumps(LINE | {'path': 'b'})}",
    f"{json.dumps(LINE)}\n{json.dumps(LINE | {'file_name': 'b'})}",
)  # fmt: skip


@pytest.mark.rule("PLT-150")
def test_a_manifest_that_no_export_writes_is_refused_before_anything_is_saved(engine: Engine, tmp_path: Path) -> None:
    folder = make(tmp_path / "folder", {"a": b"a"})
    for manifest in BAD_MANIFESTS:
        make(folder, {MANIFEST: manifest.encode()})
        with pytest.raises(BadFolder):
            imported(engine, "dana", folder)
    make(folder, {MANIFEST: json.dumps(LINE).encode(), UNFINISHED: b""})
    with pytest.raises(BadFolder, match="not ended"):
        imported(engine, "dana", folder)
    (folder / UNFINISHED).unlink()
    (folder / MANIFEST).unlink()
    (folder / MANIFEST).mkdir()
    with pytest.raises(BadFolder):
        imported(engine, "dana", folder)
    assert stored(engine, "dana") == []
    (folder / MANIFEST).rmdir()
    make(folder, {MANIFEST: "\n".join(json.dumps(LINE | {"path": path, "file_name": path}) for path in ("a", "gone")).encode()})
    assert imported(engine, "dana", folder) == {"a": "created", "gone": "not_found"}


def test_one_export_at_a_time_writes_into_a_folder(engine: Engine, tmp_path: Path) -> None:
    with open_target(tmp_path / "folder", overwrite=False), pytest.raises(BadFolder, match="another export"):
        exported(engine, "dana", tmp_path / "folder")
