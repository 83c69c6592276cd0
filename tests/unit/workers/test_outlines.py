"""Maps of files that are kept by blob id, and referrals where a page's gate can't be asked."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text as sql

from shared.database.engine import writing
from tests.git_repositories import commit_files, new_repository
from tests.service import Service, running_service
from tests.unit.workers.reading_calls import read_file
from workers.files import outlines
from workers.parsing.outline import NoOutline

SOURCE = b"class Box:\n    def open(self): pass\n"
SYMBOLS = [{"name": "Box", "start": 1, "end": 2}, {"name": "Box.open", "start": 2, "end": 2}]


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    monkeypatch.setenv("CODEKEEPER_DOCS_REPOS", "case")
    with running_service(tmp_path / "data", monkeypatch) as running:
        yield running


def serve(service: Service, files: dict[str | bytes, Any]) -> None:
    commit_files(new_repository(service.mirror("case")), files)
    service.add("case", "https://h/case", "main")


def test_a_file_is_scanned_once_for_its_blob_its_language_and_the_scanners(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    serve(service, {"box.py": SOURCE, "copy.pyi": SOURCE, "box.css": SOURCE, "other.py": SOURCE})
    scanned: list[str] = []
    scan = outlines.scan

    def noted(path: str, text: str) -> Any:
        scanned.append(path)
        return scan(path, text)

    monkeypatch.setattr(outlines, "scan", noted)
    first = read_file("box.py", outline=True)
    assert first["symbols"] == SYMBOLS
    assert read_file("box.py", outline=True) == first
    assert read_file("other.py", outline=True, symbol="OPEN")["symbols"] == SYMBOLS[1:]
    assert read_file("box.css", outline=True)["symbols"] == []
    assert read_file("copy.pyi", outline=True)["symbols"] == SYMBOLS
    assert scanned == ["box.py", "box.css", "copy.pyi"]
    monkeypatch.setattr(outlines, "_VERSION", "another")
    assert read_file("box.py", outline=True) == first
    assert scanned[3:] == ["box.py"]


def test_a_file_without_a_map_is_scanned_again_because_memory_may_be_there_the_next_time(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    serve(service, {"box.py": SOURCE})

    def without_memory(_path: str, _text: str) -> Any:
        raise NoOutline("parse_error", error_type="MemoryError")

    with monkeypatch.context() as patched:
        patched.setattr(outlines, "scan", without_memory)
        assert read_file("box.py", outline=True)["error_type"] == "MemoryError"
    assert read_file("box.py", outline=True)["symbols"] == SYMBOLS


@pytest.mark.rule("GRF-65")
def test_a_registry_that_cannot_be_read_costs_the_referral_and_not_the_answer(service: Service) -> None:
    serve(service, {"page.md": b"# Page\n"})
    with writing(service.engine) as connection:
        connection.execute(sql("UPDATE repositories SET docs_root = '', docs_suffix = '.md'"))
    assert read_file("page.md", outline=True, ref="main")["read_with_arguments"] == {"repo": "case", "path": "page.md", "ref": "main"}
    with writing(service.engine) as connection:
        connection.execute(sql("ALTER TABLE repositories RENAME TO lost"))
    answer = read_file("page.md", outline=True, ref="main")
    assert (answer["ok"], answer["reason"]) == (True, "unsupported_language")
    assert "read_with" not in answer
