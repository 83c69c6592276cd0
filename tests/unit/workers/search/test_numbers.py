"""The table of cases of the contract, row by row."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.search.line_start import LineStart
from workers.search.numbers import Reason, numbers, page_reason
from workers.search.passes import Count, End, Ended, Results
from workers.search.records import FoundLine


def results(
    shown: int,
    seen: int | None = None,
    how: End = End.COMPLETE,
    *,
    most: int = 50,
    complained: bool = False,
    filtered: bool = False,
    capped: bool = False,
) -> Results:
    lines = [FoundLine(b"a", line + 1, LineStart()) for line in range(shown)]
    seen = shown if seen is None else seen
    return Results(max_results=most, lines=lines, seen=seen, filtered=filtered, capped=capped, ended=Ended(how, complained))


def counted(lines: int, how: End = End.COMPLETE, *, complained: bool = False, filtered: bool = False) -> Count:
    return Count(lines=lines, files=1, filtered=filtered, ended=Ended(how, complained))


STOPPED = results(50, 61, End.STOPPED)


@pytest.mark.rule("SRC-21", "SRC-22", "SRC-23", "SRC-24", "SRC-27", "SRC-28", "SRC-29", "SRC-30", "SRC-32", "SRC-33", "SRC-36")
@pytest.mark.parametrize(
    ("found", "count", "fields", "reason"),
    [
        (results(3), None, {"total": 3}, None),
        (results(0), None, {"total": 0}, None),
        (results(2, 60), None, {"total": 60}, None),
        (STOPPED, counted(5_000), {"total": 5_000}, None),
        (STOPPED, counted(70, End.TIMED_OUT), {"total_at_least": 70}, "timeout"),
        (STOPPED, counted(10, End.TIMED_OUT), {"total_at_least": 61}, "timeout"),
        (STOPPED, counted(1_000_000, End.STOPPED), {"total_at_least": 1_000_000}, "count_limit"),
        (results(4, 4, End.TIMED_OUT), None, {"total_at_least": 4}, "timeout"),
        (results(0, 0, End.TIMED_OUT), None, {"total_at_least": 0}, "timeout"),
        (results(4, filtered=True), None, {"total_at_least": 4}, "policy_filtered"),
        (STOPPED, counted(900, filtered=True), {"total_at_least": 50}, "policy_filtered"),
        (results(1, 1, End.FAILED, complained=True), None, {"total_at_least": 1}, "search_failed"),
        (STOPPED, counted(900, End.FAILED), {"total_at_least": 50}, "search_failed"),
        (results(1, complained=True), None, {"total_at_least": 1}, "count_failed"),
        (results(0, complained=True), None, {"total_at_least": 0}, "count_failed"),
        (STOPPED, counted(900, complained=True), {"total_at_least": 900}, "count_failed"),
        (results(4, filtered=True, complained=True), None, {"total_at_least": 4}, "policy_filtered"),
    ],
)
def test_each_case_has_its_number_and_its_reason(found: Results, count: Count | None, fields: dict[str, int], reason: str | None) -> None:
    said = numbers(found, count)
    assert (said.fields(), said.reason) == (fields, reason)


passes_of_results = st.builds(
    results,
    st.integers(0, 100),
    how=st.sampled_from(End),
    most=st.just(100),
    complained=st.booleans(),
    filtered=st.booleans(),
)
passes_of_count = st.builds(counted, st.integers(0, 10**6), st.sampled_from(End), complained=st.booleans(), filtered=st.booleans())


@pytest.mark.rule("SRC-24", "SRC-25")
@given(passes_of_results, st.integers(0, 50), st.none() | passes_of_count)
def test_one_of_the_two_numbers_is_there_and_is_no_less_than_the_page(found: Results, beyond: int, count: Count | None) -> None:
    found.seen += beyond
    if count is not None and count.ended.how is End.COMPLETE:
        count.lines += found.seen  # it counts at least what the other pass saw of the same commit
    said = numbers(found, count)
    assert len(said.fields()) == 1
    assert next(iter(said.fields().values())) >= len(found.lines)
    assert ("total" in said.fields()) == (said.reason is None)


@pytest.mark.rule("SRC-26")
def test_a_page_says_what_cut_it() -> None:
    assert page_reason(results(3), 3) is None
    assert page_reason(results(50), 50) is None
    assert page_reason(results(50), 51) is Reason.MAX_RESULTS
    assert page_reason(results(20, capped=True), 30) is Reason.PER_FILE_LIMIT


@pytest.mark.rule("SRC-42", "SRC-43")
def test_the_first_pass_knows_the_total_when_it_ended_by_itself_and_no_file_reached_the_limit() -> None:
    assert results(3).is_total
    assert not results(3, capped=True).is_total
    assert not results(3, how=End.STOPPED).is_total
    assert not results(3, how=End.TIMED_OUT).is_total
