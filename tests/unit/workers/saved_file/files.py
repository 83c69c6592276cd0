"""Saved files that no database holds, how a test reads one, and the form of answers as the standard library writes it."""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from shared.answer import render
from shared.errors import Refused
from shared.wire.get_file import GetFileArguments
from tests.patched import patched
from workers.saved_file.answer import answer_saved_file
from workers.saved_file.file import SavedFile
from workers.saved_file.request import checked_read_request

Answer = dict[str, Any]
BUDGET = 256_000

# Where the budget is read on the way of this tool's answers.
_PLACES = (
    "shared.answer", "workers.reading.line_range", "workers.sections.fit_lists", "workers.sections.text_page", "workers.sections.answer",
    "workers.saved_file.content", "workers.saved_file.occurrences", "workers.saved_file.give_up",
)  # fmt: skip


def saved(text: str, name: str = "notes.txt", language: str = "text", **more: Any) -> SavedFile:
    """A version as it would be found; `more` are other metadata."""
    record = {
        "id": "6a9f0c2e1b7d4e5f6a7b8c9d", "file_name": name, "version": 3, "programming_language": language, "language": language,
        "lines_count": len(text.split("\n")), "file_size": len(text.encode("utf-8", "surrogatepass")), "description": "", "tags": [],
    }  # fmt: skip
    return SavedFile("dana", record | more, text)


def markdown(text: str, **more: Any) -> SavedFile:
    return saved(text, "Handoff.md", "markdown", **more)


def sent(file: SavedFile, **arguments: Any) -> bytes:
    """The answer as sent, refusals included."""
    try:
        return answer_saved_file(file, checked_read_request(GetFileArguments.model_validate(arguments)))
    except Refused as refused:
        return render(refused.answer())


def ask(file: SavedFile, **arguments: Any) -> Answer:
    text = sent(file, **arguments)
    answer: Answer = json.loads(text)
    assert text == as_sent(answer)
    return answer


def as_sent(answer: Mapping[str, Any]) -> bytes:
    """The contract's form, written by the standard library."""
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


@contextmanager
def budget(size: int) -> Iterator[None]:
    """Another `OUTPUT_BYTE_BUDGET`, wherever it is read."""
    with patched({f"{module}.OUTPUT_BYTE_BUDGET": size for module in _PLACES}):
        yield
