"""A saved file brought to a given text, on both databases: what it was decides what is written."""

import pytest
from sqlalchemy import Engine

from shared.errors import ErrorCode, Refused
from shared.store_limits import MAX_FILE_NAME_CHARS
from tests.store.test_files import found, texts
from workers.store.files import SavedFile, existing
from workers.store.put_file import FileMetadata, Put, put_file
from workers.store.transaction import reading_own, writing_own

NAME = "notes/plan.md"
PLAN = FileMetadata("rst", "what we intend", ["a", "repo:x"], 1_700_000_000)


def put(engine: Engine, code: str, metadata: FileMetadata | None = None, name: str = NAME) -> Put:
    with writing_own(engine, "dana") as own:
        return put_file(own, name, code, metadata)


def now(engine: Engine) -> SavedFile:
    with reading_own(engine, "dana") as own:
        assert own is not None
        return existing(own, NAME)


@pytest.mark.rule("PLT-11", "PLT-145")
def test_only_what_differs_is_written_and_every_text_before_stays(engine: Engine) -> None:
    assert put(engine, "one") is Put.CREATED
    assert FileMetadata.of(now(engine).row) == FileMetadata("markdown", "", [], None)
    assert put(engine, "one") is Put.UNCHANGED
    assert put(engine, "one", PLAN) is Put.DESCRIBED
    assert (now(engine).row.version, FileMetadata.of(now(engine).row)) == (1, PLAN)
    assert put(engine, "one", PLAN) is Put.UNCHANGED
    assert put(engine, "two") is Put.NEW_VERSION  # and keeps the metadata
    assert put(engine, "two", PLAN) is Put.UNCHANGED
    other = FileMetadata("text", "", [], None)
    assert put(engine, "", other) is Put.NEW_VERSION
    assert FileMetadata.of(now(engine).row) == other
    assert texts(engine, NAME) == ["one", "two", ""]
    assert (found(engine, "one"), found(engine, "intend"), found(engine, "plan")) == (set(), set(), {NAME})


def test_what_is_refused_is_refused_as_in_a_save_and_changes_nothing(engine: Engine) -> None:
    put(engine, "one")
    for name, code, metadata, refusal in (
        (NAME, "\0", None, ErrorCode.INVALID_INPUT),
        (NAME, "two", FileMetadata("text", "", ["t"] * 51, None), ErrorCode.INVALID_TAGS),
        (NAME, "x" * 512_001, None, ErrorCode.CODE_TOO_LARGE),
        ("\udc80", "x", None, ErrorCode.INVALID_INPUT),
        (" ", "x", None, ErrorCode.MISSING_FILE_NAME),
        ("n" * (MAX_FILE_NAME_CHARS + 1), "x", None, ErrorCode.FILE_NAME_TOO_LONG),
    ):
        with pytest.raises(Refused) as refused:
            put(engine, code, metadata, name)
        assert refused.value.code is refusal
    assert texts(engine, NAME) == ["one"]
