"""Lines, against the oracle that the contract names: `text.split("\\n")`."""

import tracemalloc

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from workers.reading import lines as lines_module
from workers.reading.lines import count_index_lines, count_lines, cut_lines, last_line_that_fits, line_start

# Everything some library takes for a line end, beside the one that is one.
TEXTS = st.text(alphabet="a\n\n\r\f\v\x1c\x85\u2028\u2029\u05e9\U0001f600", max_size=40)


@pytest.mark.rule("LIN-1", "LIN-2", "LIN-14", "GRF-25")
@given(TEXTS)
def test_lines_are_the_parts_between_newlines_and_nothing_else_ends_one(text: str) -> None:
    assert count_lines(text) == len(text.split("\n"))


@pytest.mark.rule("TREE-40")
@given(TEXTS)
def test_the_index_leaves_an_empty_last_part_out(text: str) -> None:
    parts = text.split("\n")
    assert count_index_lines(text) == len(parts) - (parts[-1] == "")


@pytest.mark.rule("LIN-3", "LIN-7", "LIN-13", "LIN-14")
@given(TEXTS, st.data())
def test_every_range_is_its_parts_joined_without_a_newline_after_the_last(text: str, data: st.DataObject) -> None:
    parts = text.split("\n")
    start = data.draw(st.integers(1, len(parts)))
    end = data.draw(st.integers(start, len(parts)))
    assert cut_lines(text, start, end) == "\n".join(parts[start - 1 : end])


@pytest.mark.rule("LIN-11")
@given(TEXTS)
def test_the_full_range_is_the_text(text: str) -> None:
    assert cut_lines(text, 1, count_lines(text)) == text


@pytest.mark.rule("LIN-12")
@given(TEXTS, st.data())
def test_two_neighbouring_ranges_joined_rebuild_the_text(text: str, data: st.DataObject) -> None:
    total = count_lines(text)
    assume(total >= 2)
    a, b, c = sorted([data.draw(st.integers(1, total)), data.draw(st.integers(1, total - 1)), data.draw(st.integers(1, total))])
    assume(b < c)
    assert cut_lines(text, a, b) + "\n" + cut_lines(text, b + 1, c) == cut_lines(text, a, c)


@pytest.mark.parametrize(
    ("start", "end", "content"),
    [(1, 4, "a\nb\nc\n"), (1, 3, "a\nb\nc"), (2, 3, "b\nc"), (4, 4, ""), (2, 4, "b\nc\n")],
)
@pytest.mark.rule("LIN-2", "LIN-3", "LIN-7", "LIN-13")
def test_the_contracts_example_has_four_lines(start: int, end: int, content: str) -> None:
    assert count_lines("a\nb\nc\n") == 4
    assert cut_lines("a\nb\nc\n", start, end) == content


@pytest.mark.rule("LIN-10")
def test_a_carriage_return_stays_at_the_end_of_its_line() -> None:
    assert cut_lines("a\r\nb\r\n", 1, 1) == "a\r"
    assert cut_lines("a\r\nb\r\n", 1, 3) == "a\r\nb\r\n"


@given(TEXTS, st.data(), st.integers(1, 7))
def test_a_line_starts_after_the_newline_before_it_wherever_blocks_of_the_search_end(text: str, data: st.DataObject, block: int) -> None:
    parts = text.split("\n")
    starts = [sum(len(part) + 1 for part in parts[:line]) for line in range(len(parts) + 1)]
    first = data.draw(st.integers(1, len(parts)))
    line = data.draw(st.integers(first, len(parts) + 1))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines_module, "_BLOCK_CHARS", block)
        assert line_start(text, line) == starts[line - 1]
        assert line_start(text, line - first + 1, after=starts[first - 1]) == starts[line - 1]


@pytest.mark.rule("LIN-28", "LIN-33")
@given(TEXTS, st.data(), st.integers(0, 45))
def test_the_last_line_that_fits_is_the_one_that_trying_all_finds(text: str, data: st.DataObject, most: int) -> None:
    parts = text.split("\n")
    start = data.draw(st.integers(1, len(parts)))
    end = data.draw(st.integers(start, len(parts)))
    seen: list[tuple[int, str]] = []

    def fits(line: int, piece: str) -> bool:
        seen.append((line, piece))
        return len(piece) <= most

    trying_all = [line for line in range(start, end) if len("\n".join(parts[start - 1 : line])) <= most]
    assert last_line_that_fits(text, start, end, most, fits) == (trying_all[-1] if trying_all else None)
    assert all(piece == "\n".join(parts[start - 1 : line]) for line, piece in seen)
    assert all(len(piece) <= most for _, piece in seen)


def test_ten_megabytes_of_newlines_are_handled_in_bounded_memory() -> None:
    size = 10 * 1024 * 1024
    text = "\n" * size
    tracemalloc.start()
    assert count_lines(text) == size + 1
    assert cut_lines(text, size - 1, size + 1) == "\n\n"
    assert len(cut_lines(text, 1, 1_000)) == 999
    assert last_line_that_fits(text, 5, size, 256_000, lambda _, piece: len(piece) * 2 < 200_000) == 5 + 99_999
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 30 * 1024 * 1024  # the text as a list of its lines is 80 MB and more
