"""Calls of `read_code_context` in the tests: a plan, held to what every plan promises."""

import json
from pathlib import Path
from typing import Any

from shared.answer import render
from workers.context import CodeContextPlan, CodeContextSpec, ContextOptions, Source, Status, WorkTree, read_code_context
from workers.tokens.encoding import encoding

CASES = Path(__file__).parents[3] / "cases"
PLENTY = 1_000_000


def tiktokens(text: str) -> int:
    return len(encoding().encode_ordinary(text))


def spec(*requests: dict[str, Any], **more: Any) -> CodeContextSpec:
    return CodeContextSpec.from_json({"maxTokens": PLENTY, "requests": list(requests), **more})


def plan(source: Source | Path, *requests: dict[str, Any], options: ContextOptions | None = None, **more: Any) -> CodeContextPlan:
    """What the call gives. Whatever that is, the promises of RCC-23 hold."""
    found = read_code_context(
        options or ContextOptions(), WorkTree(source) if isinstance(source, Path) else source, spec(*requests, **more)
    )
    if found.status is Status.COMPLETE:
        assert found.text is not None
        assert found.tokens == tiktokens(found.text) <= more.get("maxTokens", PLENTY)
        assert found.bytes == len(found.text.encode())
        assert found.required_tokens is None
        assert json.loads(found.text)["audit"] == json.loads(render(found.audit))
        assert render(json.loads(found.text)).decode() == found.text
    else:
        assert (found.text, found.tokens, found.bytes) == (None, 0, 0)
        assert (found.required_tokens is None) == (found.status is Status.UNAVAILABLE)
    return found


def delivered(found: CodeContextPlan) -> list[dict[str, Any]]:
    assert found.text is not None, found.audit
    files: list[dict[str, Any]] = json.loads(found.text)["files"]
    return files


def fragments(found: CodeContextPlan, place: int = 0) -> list[tuple[int, int, str]]:
    """Lines and text of each fragment of a file."""
    return [(one["startLine"], one["endLine"], one["text"]) for one in delivered(found)[place]["fragments"]]


def lines(text: str, start: int, end: int) -> str:
    """The oracle of a fragment's text."""
    return "\n".join(text.split("\n")[start - 1 : end])


def named(rows: list[dict[str, Any]]) -> dict[str, tuple[int, int]]:
    return {row["qualifiedName"]: (row["startLine"], row["endLine"]) for row in rows}


def reason(found: CodeContextPlan, place: int = 0) -> str:
    """Why that request can't be had."""
    assert found.status is Status.UNAVAILABLE
    assert found.audit["requests"][place]["status"] == "unavailable"
    return str(found.audit["requests"][place]["reason"])
