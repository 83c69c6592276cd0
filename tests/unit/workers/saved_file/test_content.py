"""All of a text and ranges of its lines, against `text.split` and the standard library's JSON."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.workers.saved_file.files import BUDGET, Answer, as_sent, ask, budget, markdown, saved, sent

TEXTS = st.text(alphabet='a\n\n\r\ufeff\u2028\x01"ש字\U0001f600', max_size=40)
ABC = "a\nb\nc\n"


@pytest.mark.rule("GTF-16", "GTF-43", "GTF-44", "GTF-45", "GTF-46", "GTF-52", "GTF-103", "LIN-8", "LIN-38")
@given(TEXTS)
def test_without_a_mode_the_answer_is_the_metadata_with_the_whole_text(text: str) -> None:
    file = saved(text, description="תיאור", tags=["a"], created_at="2026-12-01T00:00:00+00:00")
    right = {"found": True, "file": {**file.record, "code": text}}
    assert sent(file) == as_sent(right)
    assert (
        sent(file, toc="false", section=None, query=None, lines=None) == sent(file, toc=0, file_name="notes.txt", version=2) == sent(file)
    )


@pytest.mark.rule("GTF-48", "GTF-49", "GTF-50", "GTF-51", "GTF-52", "LIN-2", "LIN-4", "LIN-5", "LIN-9", "LIN-10", "LIN-11", "LIN-12")
@given(TEXTS, st.data())
def test_a_range_is_its_lines_with_the_files_own_bytes(text: str, data: st.DataObject) -> None:
    lines = text.split("\n")
    start = data.draw(st.integers(1, len(lines)))
    end = data.draw(st.integers(start, len(lines) + 3))
    file = saved(text, lines_count=0)  # an old count, which the answer doesn't repeat
    shown = {"start": start, "end": min(end, len(lines)), "total_lines": len(lines), "truncated": end > len(lines)}
    metadata = {**file.record, "lines_count": len(lines), "code": "\n".join(lines[start - 1 : end])}
    assert sent(file, lines=[start, end]) == as_sent({"found": True, "status": "range", "file": metadata, "range": shown})
    assert ask(file, lines=[1, len(lines)])["file"]["code"] == text


@pytest.mark.rule("GTF-49", "GTF-53", "GTF-54", "LIN-3", "LIN-25", "LIN-26")
def test_the_ends_of_the_contracts_example() -> None:
    file = saved(ABC)
    assert ask(file, lines=[4, 4])["file"]["code"] == ""
    assert ask(file, lines=[3, 10**18])["range"] == {"start": 3, "end": 4, "total_lines": 4, "truncated": True}
    assert sent(file, lines=[5, 5]) == as_sent({"ok": False, "error": "range_out_of_bounds", "total_lines": 4})
    assert ask(saved("", lines_count=0), lines=[1, 1])["range"]["total_lines"] == 1


@pytest.mark.rule("GTF-56", "GTF-57", "GTF-173", "LIN-28", "LIN-29", "LIN-30", "LIN-32", "LIN-33", "LIN-34", "PLT-91", "PLT-96")
@given(st.text(alphabet="a\n\n\x01ש\U0001f600", max_size=60), st.integers(500, 900))
def test_a_range_that_does_not_fit_ends_on_the_last_line_that_does_and_is_continued_without_loss(text: str, most: int) -> None:
    file, lines = saved(text), text.split("\n")
    pieces: list[str] = []
    with budget(most):
        while (start := sum(piece.count("\n") + 1 for piece in pieces) + 1) <= len(lines):
            answer = ask(file, lines=[start, 10**6])
            assert answer.get("error") is None
            assert len(as_sent(answer)) <= most
            end = answer["range"]["end"]
            pieces.append(answer["file"]["code"])
            if end == len(lines):
                assert "truncation_reason" not in answer["range"]
                break
            assert (answer["range"]["truncated"], answer["range"]["truncation_reason"]) == (True, "byte_budget")
            longer: Answer = {**answer, "file": {**answer["file"], "code": "\n".join(lines[start - 1 : end + 1])}}
            assert len(as_sent(longer | {"range": answer["range"] | {"end": end + 1}})) > most
    assert "\n".join(pieces) == text


@pytest.mark.rule("GTF-58", "GTF-163", "GTF-166", "LIN-31")
def test_a_line_that_does_not_fit_points_to_the_search_in_the_file() -> None:
    file = saved("short\n" + "字" * 90_000 + "\nshort", description="d")
    assert ask(file, lines=[1, 3])["range"] == {
        "start": 1,
        "end": 1,
        "total_lines": 3,
        "truncated": True,
        "truncation_reason": "byte_budget",
    }
    refused = ask(file, lines=[2, 2])
    assert list(refused) == ["found", "status", "ok", "error", "bytes", "max", "file", "hint"]
    alone = {"start": 2, "end": 2, "total_lines": 3, "truncated": False}
    right = {"found": True, "status": "range", "file": {**file.record, "code": "字" * 90_000}, "range": alone}
    assert (refused["error"], refused["bytes"], refused["max"]) == ("answer_too_large", len(as_sent(right)), BUDGET)
    assert refused["file"] == file.record
    assert 'query="..."' in refused["hint"]


@pytest.mark.rule("GTF-47", "GTF-163", "GTF-166", "GTF-173", "LIN-32")
@pytest.mark.parametrize("character", ["a", "ש", "字", "\U0001f600", "\x01"])
def test_the_whole_text_is_never_cut(character: str) -> None:
    around = len(sent(saved(""))) - 1  # of the size's own digit
    each = len(as_sent({"": character})) - len(as_sent({"": ""}))
    fitting = (BUDGET - around - len(f"{BUDGET}")) // each
    assert ask(saved(character * fitting))["file"]["code"] == character * fitting
    file = saved(character * (fitting + 2))
    refused = ask(file)
    assert list(refused) == ["found", "ok", "error", "bytes", "max", "file", "hint"]
    assert (refused["ok"], refused["error"], refused["max"]) == (False, "answer_too_large", BUDGET)
    assert refused["bytes"] == len(as_sent({"found": True, "file": {**file.record, "code": file.text}})) > BUDGET
    assert "code" not in refused["file"]
    assert "lines=[1, 2000]" in refused["hint"]
    assert ("toc=true" in refused["hint"], "toc=true" in ask(markdown(file.text))["hint"]) == (False, True)


@pytest.mark.rule("GTF-27", "GTF-45", "GTF-60", "PLT-7")
@pytest.mark.parametrize("arguments", [{"lines": [1, 1]}, {"query": "a"}, {"toc": True}, {"section": "a"}, {"section": "zzz"}])
def test_every_mode_carries_the_same_metadata_and_only_a_read_of_content_has_content(arguments: dict[str, Any]) -> None:
    file = markdown("# a\n", description="d", tags=["t"], is_latest=False)
    shown = ask(file, **arguments)["file"]
    assert ({"code"} & set(shown)) == ({"code"} if "lines" in arguments else set())
    assert {name: value for name, value in shown.items() if name != "code"} == file.record
