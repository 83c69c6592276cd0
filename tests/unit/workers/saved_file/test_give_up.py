"""What an answer gives up to fit: each way of saying less is rendered and weighed here, and the answer is the one that the rules name."""

import json
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.unit.workers.saved_file.files import BUDGET, Answer, as_sent, ask, budget, markdown, saved, sent
from tests.unit.workers.sections.pages import ceilings
from tests.unit.workers.sections.pages import sent as document_sent
from workers.saved_file.file import SavedFile

TOOL = "codekeeper_update_file_description"
TAGS = st.lists(st.sampled_from(["a", "תגית", "x" * 60]), max_size=6)
DESCRIPTIONS = st.sampled_from(["", "d", "תיאור ארוך " * 30, "\x01" * 90, "w" * 700])
BUDGETS = st.integers(650, 2_600)


def size(value: object) -> int:
    return len(as_sent({"": value})) - len(as_sent({"": ""})) + 2


def with_tags(file: SavedFile, count: int) -> Answer:
    record = dict(file.record)
    tags = record["tags"]
    assert isinstance(tags, list)
    return {
        name: new
        for old, value in record.items()
        for name, new in ([("tags", tags[:count])] + [("tags_truncated", True)] * (count < len(tags)) if old == "tags" else [(old, value)])
    }


def undescribed(file: SavedFile) -> Answer:
    bare = with_tags(file, 0)
    return {
        ("description_bytes" if name == "description" else name): (len(str(value).encode()) if name == "description" else value)
        for name, value in bare.items()
    }


HINT = str(ask(saved("x", description="d" * 300_000))["hint"])
"""Our wording of the hint of GTF-170."""

Form = tuple[Answer, Answer]
"""`file`, and the keys that stand beside it."""


def forms(file: SavedFile) -> list[Form]:
    tags = file.record["tags"]
    assert isinstance(tags, list)
    found: list[Form] = [(with_tags(file, len(tags)), {})]
    for form in ((with_tags(file, 0), {}), (undescribed(file), {"hint": HINT})):
        if weight(form) < weight(found[-1]):
            found.append(form)
    return found


def weight(form: Form) -> int:
    return len(as_sent({"file": form[0], **form[1]}))


def chosen(file: SavedFile, outcomes: list[Answer | None]) -> Answer | None:
    """Of the answers with each form, None where there is none, the one that GTF-168 and GTF-169 name."""
    best: tuple[Answer, Form] | None = None
    for answer, form in zip(outcomes, forms(file), strict=True):
        if answer is None:
            continue
        rest = len(as_sent(answer)) - weight(form)
        if best is None or rest > len(as_sent(best[0])) - weight(best[1]):
            best = answer, form
        cut = best[0].get("toc_truncated") or "byte_budget" in (
            best[0].get("truncation_reason"),
            best[0].get("range", {}).get("truncation_reason"),
        )
        if not cut or weight(best[1]) <= len(as_sent(best[0])) - weight(best[1]):
            break
    return None if best is None else best[0]


def least_refusal(file: SavedFile, refusal: Answer, most: int) -> Answer:
    """A refusal with its `file`: all tags, then fewer from the end, then no description (GTF-164, GTF-165)."""
    tags = file.record["tags"]
    assert isinstance(tags, list)
    for count in range(len(tags), -1, -1):
        if len(as_sent(tried := refusal | {"file": with_tags(file, count)})) <= most:
            return tried
    form = forms(file)[-1]
    hint = " ".join(text for text in (refusal.get("hint"), form[1].get("hint")) if text)
    return refusal | {"file": form[0]} | ({"hint": hint} if hint else {})


@pytest.mark.rule("GTF-47", "GTF-163", "GTF-164", "GTF-165", "GTF-166", "GTF-168", "GTF-169", "GTF-170", "GTF-173")
@settings(max_examples=100)
@given(st.sampled_from(["", "ש" * 200, "x" * 900, "x" * 4_000]), TAGS, DESCRIPTIONS, BUDGETS)
def test_a_full_read_gives_up_as_little_metadata_as_it_can_and_never_text(text: str, tags: list[str], description: str, most: int) -> None:
    file = saved(text, tags=tags, description=description)
    with budget(most):
        answer = json.loads(sent(file))
    ways: list[Form] = [(with_tags(file, count), {}) for count in range(len(tags), -1, -1)] + forms(file)[-1:]
    tried = [{"found": True, "file": {**shown, "code": text}, **more} for shown, more in ways]
    fitting = [one for one in tried if len(as_sent(one)) <= most]
    if fitting:
        assert answer == fitting[0]
        return
    assert (answer["error"], answer["max"], answer["bytes"]) == ("answer_too_large", most, len(as_sent(tried[-1])))
    base = {"found": True, "ok": False, "error": "answer_too_large", "bytes": answer["bytes"], "max": most}
    hint = answer["hint"].removesuffix(" " + HINT)
    assert answer == least_refusal(file, base | {"file": {}, "hint": hint}, most)


@pytest.mark.rule("GTF-56", "GTF-58", "GTF-166", "GTF-168", "GTF-169", "GTF-170", "GTF-173")
@settings(max_examples=150)
@given(
    st.lists(st.sampled_from(["", "x" * 40, "ש" * 300, "z" * 900]), min_size=1, max_size=9), TAGS, DESCRIPTIONS, BUDGETS, st.integers(0, 1)
)
@example(["x" * 100] * 8, [], "d" * 700, 1_300, 0)
@example(["x" * 100] * 8, ["x" * 60] * 6, "d" * 700, 2_000, 0)
def test_a_range_gives_up_metadata_for_content(lines: list[str], tags: list[str], description: str, most: int, beyond: int) -> None:
    file = saved("\n".join(lines), tags=tags, description=description)
    with budget(most):
        answer = json.loads(sent(file, lines=[1, len(lines) + beyond]))

    def tried(form: Form, end: int) -> Answer:
        reason = {} if end == len(lines) else {"truncation_reason": "byte_budget"}
        shown = {"start": 1, "end": end, "total_lines": len(lines), "truncated": bool(reason) or beyond > 0, **reason}
        piece = "\n".join(lines[:end])
        return {"found": True, "status": "range", "file": {**form[0], "code": piece}, "range": shown, **form[1]}

    def of(form: Form) -> Answer | None:
        fitting = [end for end in range(1, len(lines) + 1) if len(as_sent(tried(form, end))) <= most]
        return tried(form, fitting[-1]) if fitting else None

    expected = chosen(file, [of(form) for form in forms(file)])
    if expected is not None:
        assert answer == expected
        return
    assert (answer["error"], answer["bytes"]) == ("answer_too_large", len(as_sent(tried(forms(file)[-1], 1))))
    assert answer["bytes"] > most == answer["max"]
    base = {name: answer[name] for name in ("found", "status", "ok", "error", "bytes", "max")}
    hint = answer["hint"].removesuffix(" " + HINT)
    assert answer == least_refusal(file, base | {"file": {}, "hint": hint}, most)


PAGES = st.lists(st.sampled_from(["# K1. a", "## K1. bb", "## K2", "text", "ש" * 90, "### " + "t" * 120]), max_size=9).map("\n".join)
CAPS = {"toc": 400, "suggestions": 50, "candidates": 50}


def is_cut(refusal: Answer) -> bool:
    """Whether the budget cut one of its lists, and not the cap on that list alone."""
    return any(refusal.get(f"{name}_truncated") and len(refusal[name]) < most for name, most in CAPS.items() if name in refusal)


@pytest.mark.rule(
    "GTF-102", "GTF-112", "GTF-134", "GTF-142", "GTF-145", "GTF-146", "GTF-147", "GTF-150", "GTF-151", "GTF-152", "GTF-154", "GTF-163",
    "GTF-164", "GTF-165", "GTF-166", "GTF-167", "GTF-168", "GTF-169", "GTF-170", "GTF-173", "PLT-95"
)  # fmt: skip
@settings(max_examples=200)
@given(PAGES, st.sampled_from([None, "K1", "K9", "K2", "zz", "y" * 4_097]), TAGS, DESCRIPTIONS, BUDGETS)
@example("# a\n" + "x" * 600, "a", [], "d" * 700, 1_300)
@example("# a\n" * 40, None, ["x" * 60] * 6, "d" * 700, 1_700)
def test_an_answer_by_heading_gives_up_metadata_for_what_was_asked(
    text: str, section: str | None, tags: list[str], description: str, most: int
) -> None:
    """The documents' own function says what each form of the metadata leaves room for; which of them is sent is worked out here."""
    file = markdown(text, tags=tags, description=description)
    head = {"found": True, "status": "toc" if section is None else "section"}
    asked = {"toc": True} if section is None else {"section": section}

    def of(form: Form) -> Answer:
        with ceilings(OUTPUT_BYTE_BUDGET=most):
            answer: Answer = json.loads(document_sent(text, {**head, "file": form[0], **form[1]}, section=section))
        return answer

    with budget(most):
        answer = json.loads(sent(file, **asked))
    outcomes = [of(form) for form in forms(file)]
    refusals = [one for one in outcomes if not one["ok"]]
    helps = next((one for one in outcomes if one.get("error") not in ("section_too_large", "answer_too_large")), None)
    if helps is None:
        base = refusals[-1]
        assert answer["bytes"] == base["bytes"] > base["max"] == most
        hint = answer["hint"].removesuffix(" " + HINT)
        assert ("lines=" in hint, hint != answer["hint"]) == (True, "description_bytes" in answer["file"])
        assert answer == least_refusal(file, base | {"hint": hint}, most)
    elif helps["ok"]:
        assert answer == chosen(file, [one if one["ok"] else None for one in outcomes])
    elif helps["error"] == "section_too_long":
        assert answer == least_refusal(file, {name: value for name, value in helps.items() if name != "hint"}, most)
    else:
        # Tags first, from the end, and all of them before any list; the description only where empty lists don't fit (GTF-167).
        listed = [one for one in outcomes if one.get("error") not in ("section_too_large", "answer_too_large")]
        used = listed[1] if is_cut(listed[0]) and listed[1:] and "hint" not in listed[1] else listed[0]
        expected = used if is_cut(used) or "hint" in used else least_refusal(file, used, most)
        assert answer == expected
        assert ("hint" in answer) == ("description_bytes" in answer["file"])


@pytest.mark.rule("GTF-168", "GTF-169", "GTF-170", "GTF-171", "GTF-86", "GTF-84")
@pytest.mark.parametrize(
    ("asked", "shown"),
    [({"toc": True}, "toc"), ({"section": "a"}, "content"), ({"query": "line"}, "results"), ({"lines": [1, 9]}, "range")],
)
def test_metadata_that_is_larger_than_any_answer_is_left_out_and_stays_stored(asked: Answer, shown: str) -> None:
    file = markdown("# a\n" + "line\n" * 20, tags=["t" * 50_000] * 6, description="ת" * 200_000)
    answer = ask(file, **asked)
    assert answer["found"]
    assert answer.get("ok", True)
    assert answer[shown]
    assert (answer["file"]["tags"], answer["file"]["tags_truncated"], answer["file"]["description_bytes"]) == ([], True, 400_000)
    assert "description" not in answer["file"]
    assert TOOL in answer["hint"]
    assert (len(file.metadata.tags), len(file.metadata.description)) == (6, 200_000)
    tagged = ask(markdown(file.text, tags=["t" * 50_000] * 6), **asked)
    assert (tagged["file"]["tags"], tagged["file"]["description"], "hint" in tagged) == ([], "", False)


@pytest.mark.rule("GTF-166", "GTF-172", "PLT-97")
@pytest.mark.parametrize(
    ("name", "text", "asked", "error"),
    [
        ("a.txt", "x", {"toc": True}, "not_markdown"),
        ("a.md", "x" * 512_001, {"toc": True}, "too_large_for_sections"),
        ("a.md", "a\rb", {"section": "a"}, "inconsistent_line_endings"),
        ("a.md", "# a", {"section": "s" * 5_000}, "section_too_long"),
        ("a.md", "字" * 90_000, {}, "answer_too_large"),
        ("a.md", "字" * 90_000, {"lines": [1, 1]}, "answer_too_large"),
    ],
)
def test_every_refusal_with_a_file_gives_up_its_metadata(name: str, text: str, asked: Answer, error: str) -> None:
    file = saved(text, name, tags=["תגית"] * 30_000, description="ת" * 200_000)
    answer = ask(file, **asked)
    assert (answer["error"], answer["file"]["tags"], answer["file"]["description_bytes"]) == (error, [], 400_000)
    assert TOOL in answer["hint"]
    fewer = ask(saved(text, name, tags=["תגית"] * 30_000), **asked)
    kept = len(fewer["file"]["tags"])
    assert 0 < kept < 30_000
    assert len(as_sent(fewer)) <= BUDGET < len(as_sent(fewer)) + size("תגית") + 1
    nameless: Any = ask(saved(text, "n" * 300_000 + name, tags=["t"]), **asked)
    assert (nameless["error"], len(nameless["file"]["file_name"])) == (error, 300_000 + len(name))
