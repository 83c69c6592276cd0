"""Where a string occurs, against a file that is split into its lines and folded by the standard library."""

from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.unit.workers.saved_file.files import BUDGET, Answer, as_sent, ask, budget, saved, sent

TEXTS = st.text(alphabet="aAbß\n\n\r \tשİŉ\u0345\ufeffſ\x01\U0001f600", max_size=60)
QUERIES = st.text(alphabet="aAbßsi\r \tשİŉ\u0345ſ\ufeff", min_size=1, max_size=3).filter(str.strip)


def cut(line: str) -> str:
    """At most 500 bytes, character by character."""
    kept = ""
    for character in line:
        if len((kept + character).encode()) > 500:
            break
        kept += character
    return kept


def right(text: str, query: str, most: int, context: int) -> Answer:
    """The answer before the byte budget, worked out line by line."""
    lines = text.split("\n")
    hits = [number for number, line in enumerate(lines) if query.casefold() in line.casefold()]
    records = []
    for hit in hits[:most]:
        trimmed = lines[hit].strip()
        record: Answer = {"line": hit + 1, "snippet": cut(trimmed)} | ({"snippet_truncated": True} if cut(trimmed) != trimmed else {})
        if context:
            around = lines[max(hit - context, 0) : hit], lines[hit + 1 : hit + 1 + context]
            record |= {
                name: [cut(line.rstrip()) for line in group]
                for name, group in zip(("context_before", "context_after"), around, strict=True)
            }
        records.append(record)
    reason = {"truncation_reason": "max_results"} if len(hits) > most else {}
    return {"query": query, "count": len(records), "total": len(hits), "truncated": bool(reason), **reason, "results": records}


@pytest.mark.rule(
    "GTF-59", "GTF-60", "GTF-61", "GTF-62", "GTF-63", "GTF-64", "GTF-65", "GTF-66", "GTF-67", "GTF-68", "GTF-69", "GTF-70", "GTF-71",
    "GTF-73", "GTF-75", "GTF-79", "GTF-80", "GTF-82", "GTF-85"
)  # fmt: skip
@settings(max_examples=200)
@given(TEXTS, QUERIES, st.sampled_from([None, 1, 2, 100]), st.sampled_from([None, 0, 1, 10]))
@example("é" * 251 + "\n" + " " * 300 + "x" * 499 + "é\n" + "\u3000x" + " " * 9_000, "x", None, 1)
@example("a" + " " * 70_000 + "z\nש" * 3, "Z", 2, 2)
def test_the_records_are_the_lines_that_hold_the_string(text: str, query: str, most: int | None, context: int | None) -> None:
    file = saved(text)
    expected = {"found": True, "status": "query", "file": file.record, **right(text, query, most or 50, context or 0)}
    assert sent(file, query=query, max_results=most, context_lines=context) == as_sent(expected)


@pytest.mark.rule("GTF-67", "GTF-69", "GTF-73", "GTF-15", "GTF-76", "SCN-6")
@pytest.mark.parametrize(
    ("query", "lines"),
    [("    return", [3]), ("return", [1, 3]), (".*", []), ("null", [2]), ("TOTAL", [4]), ("auth", [5]), ("e\r", [5]), ("סך", [4])],
)
def test_the_string_is_literal_and_untrimmed_and_finds_parts_of_words(query: str, lines: list[int]) -> None:
    text = "\treturn\nNULL\n    return x\ntotal: סךהכל\nauthenticate\r\n"
    answer = ask(saved(text), query=query)
    assert ([record["line"] for record in answer["results"]], answer["total"]) == (lines, len(lines))


@pytest.mark.rule("GTF-71", "GTF-72", "LIN-43")
@given(TEXTS, QUERIES)
def test_every_line_that_is_found_can_be_read(text: str, query: str) -> None:
    file = saved(text)
    for record in ask(file, query=query)["results"]:
        line = record["line"]
        assert query.casefold() in ask(file, lines=[line, line])["file"]["code"].casefold()
        around = ask(file, lines=[line - 20, line + 20])
        assert around.get("error") == (None if line > 20 else "invalid_line_range")


@pytest.mark.rule("GTF-81", "GTF-83", "GTF-84", "GTF-85", "GTF-86", "GTF-66", "GTF-173", "PLT-91", "PLT-96")
@given(st.integers(480, 1_200), st.integers(0, 12), st.sampled_from(["x", "\x01x", "שx"]), st.sampled_from([3, 100]))
def test_the_byte_budget_leaves_the_longest_numbers_their_room(most: int, hits: int, line: str, cap: int) -> None:
    file = saved("\n".join([line] * hits + ["-"] * 2))
    whole = {"found": True, "status": "query", "file": file.record, **right(file.text, "X", cap, 0)}
    with budget(most):
        answer = ask(file, query="X", max_results=cap)
    if len(as_sent(whole)) <= most:
        assert answer == whole
        return
    worst = {**whole, "count": cap, "total": hits + 2, "truncated": True, "truncation_reason": "byte_budget"}

    def size(count: int) -> int:
        return len(as_sent(worst | {"results": whole["results"][:count]}))

    fitting = [count for count in range(1, whole["count"] + 1) if size(count) <= most]
    if fitting:
        shown = {"count": fitting[-1], "truncated": True, "truncation_reason": "byte_budget", "results": whole["results"][: fitting[-1]]}
        assert answer == whole | shown
    else:
        assert (answer["error"], answer["max"], answer["bytes"]) == ("answer_too_large", most, size(1) if hits else len(as_sent(whole)))
        assert answer["bytes"] > most


@pytest.mark.rule("GTF-80", "GTF-81", "GTF-84", "PLT-97")
def test_the_longest_answer_stays_within_the_budget() -> None:
    lines = [character * 400 for character in ("字", "\x01", "\U0001f600", '"')] * 200
    answer = ask(saved("\n".join(lines)), query="字", max_results=100, context_lines=10)
    assert len(as_sent(answer)) <= BUDGET
    assert (answer["total"], answer["truncated"], answer["truncation_reason"]) == (200, True, "byte_budget")
    longest: list[Any] = [len(record["snippet"].encode()) for record in answer["results"]]
    assert set(longest) == {498}
