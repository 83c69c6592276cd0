"""Changed ranges in pieces that a reader asks for."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from shared.limits import REVIEW_RANGE_LINES, REVIEW_RANGES_MAX
from workers.mirror.changes import parse_hunks
from workers.review.ranges import readable

GAPS_AND_LENGTHS = st.lists(st.tuples(st.integers(1, 50), st.integers(1, 5_000)), max_size=300)


def ranges_of(steps: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in order that don't overlap, from the gaps before them and their lengths."""
    found, end = [], 0
    for gap, length in steps:
        found.append((end + gap, end + gap + length - 1))
        end += gap + length
    return found


@given(GAPS_AND_LENGTHS.map(ranges_of))
def test_pieces_are_the_same_lines_none_too_long_and_not_too_many_apart(changed: list[tuple[int, int]]) -> None:
    pieces = readable(changed)
    assert all(first <= last < first + REVIEW_RANGE_LINES for first, last in pieces)
    assert all(before[1] < after[0] for before, after in pairwise(pieces))
    lines = {line for first, last in pieces for line in range(first, last + 1)}
    wanted = {line for first, last in changed for line in range(first, last + 1)}
    if len(changed) <= REVIEW_RANGES_MAX:
        assert lines == wanted
    else:
        assert lines == set(range(changed[0][0], changed[-1][1] + 1))


def test_a_long_range_is_cut_where_the_reading_tools_propose() -> None:
    assert readable([(5, 4_010)]) == [(5, 2_004), (2_005, 4_004), (4_005, 4_010)]
    assert readable([]) == []


def test_hunks_are_the_head_sides_lines_and_a_hunk_that_leaves_none_has_none() -> None:
    diff = (
        b"diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n"
        b"@@ -1,3 +1,4 @@ def f():\n a\n-@@ -9 +9 @@\n+@@ -7,7 +7,7 @@\n+@@ -8 +8 @@\n b\n"
        b"@@ -10 +11 @@\n-c\n+d\n\\ No newline at end of file\n"
    )
    assert parse_hunks(diff) == [(1, 4), (11, 11)]
    assert parse_hunks(b"@@ -1,2 +0,0 @@\n-a\n-b\n") == []
