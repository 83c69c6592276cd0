import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.search.context import LineWindow


@pytest.mark.rule("SRC-61")
@given(st.lists(st.sampled_from(["", "a", "  b ", "long line"]), max_size=30), st.booleans(), st.sets(st.integers(1, 35), max_size=8),
       st.integers(1, 40))  # fmt: skip
def test_a_window_holds_the_wanted_lines_as_git_counts_them(lines: list[str], ended: bool, wanted: set[int], step: int) -> None:
    text = "\n".join(lines) + ("\n" if ended else "")
    there = text.split("\n")[: -1 if text.endswith("\n") or not text else None]
    window = LineWindow(wanted)
    more = True
    for at in range(0, len(text), step):
        more = window.feed(text[at : at + step].encode())
        if not more:
            break
    assert window.shown(sorted(wanted)) == [there[line - 1].rstrip() for line in sorted(wanted) if line <= len(there)]
    assert more or max(wanted, default=0) <= len(there)


def test_a_window_reads_no_further_than_its_last_line() -> None:
    window = LineWindow([2])
    assert window.feed(b"one\n")
    assert window.feed(b"tw")
    assert not window.feed(b"o\nthree\n")
    assert window.shown([1, 2, 3]) == ["two"]


@pytest.mark.rule("SRC-61")
def test_a_line_of_context_is_cut_as_a_snippet_is_and_keeps_its_indentation() -> None:
    window = LineWindow([1, 2])
    for piece in (b"\xef\xbb\xbf    a  \r\n", b"\t" + b"y" * 10_000_000, b"\n"):
        window.feed(piece)
    assert window.shown([1, 2]) == ["    a", "\t" + "y" * 499]
