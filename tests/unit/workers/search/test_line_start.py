import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.search.line_start import LineStart

characters = st.text(alphabet="a \té\u05e9\u3042\U0001f600\x85\u3000", max_size=400)


def shown(line: bytes, step: int = 7, *, first: bool = False, indented: bool = False) -> tuple[str, bool]:
    start = LineStart(indented=indented)
    for at in range(0, len(line), step):
        start.add(line[at : at + step])
    return start.shown(first=first)


@pytest.mark.rule("SRC-58", "SRC-59", "SRC-60")
@given(characters, st.integers(1, 600))
def test_a_snippet_is_the_trimmed_line_cut_at_500_bytes_on_a_characters_border(text: str, step: int) -> None:
    snippet, cut = shown(text.encode(), step)
    trimmed = text.strip()
    assert trimmed.startswith(snippet)
    assert cut == (len(trimmed.encode()) > 500)
    assert cut or snippet == trimmed
    assert len(snippet.encode()) <= 500
    assert not cut or len((snippet + trimmed[len(snippet)]).encode()) > 500


@pytest.mark.rule("SRC-58", "SRC-59")
@pytest.mark.parametrize(
    ("line", "expected", "cut"),
    [
        ("x" * 500, "x" * 500, False),
        ("x" * 501, "x" * 500, True),
        ("\u05e9" * 250, "\u05e9" * 250, False),
        ("x" + "\u05e9" * 250, "x" + "\u05e9" * 249, True),
        ("\U0001f600" * 126, "\U0001f600" * 125, True),
        ("a\u0301" * 200, "a\u0301" * 166 + "a", True),
    ],
)
def test_the_cut_is_measured_in_bytes(line: str, expected: str, cut: bool) -> None:
    assert shown(line.encode()) == (expected, cut)


@pytest.mark.rule("SRC-60")
def test_white_space_of_any_length_around_the_text_is_no_reason_to_cut() -> None:
    assert shown(b" " * 100_000 + b"needle" + b"\t" * 100_000, 65_536) == ("needle", False)
    assert shown(b" " * 100_000 + b"a" + b" " * 10_000 + b"b", 65_536) == ("a" + " " * 499, True)


@pytest.mark.rule("SRC-58")
def test_bytes_that_are_no_utf_8_are_latin_1_and_a_character_that_the_bound_cut_is_no_such_byte() -> None:
    assert shown(b"\xf9\xec\xe5\xed") == ("\u00f9\u00ec\u00e5\u00ed", False)
    assert shown(b"\xf9" * 300) == ("\u00f9" * 250, True)
    assert shown(b"x" + "\u05e9".encode() * 5_000) == ("x" + "\u05e9" * 249, True)


@pytest.mark.rule("SRC-58")
def test_a_byte_order_mark_is_none_of_the_first_lines_text() -> None:
    assert shown(b"\xef\xbb\xbf  a", first=True) == ("a", False)
    assert shown(b"\xef\xbb\xbfa") == ("\ufeffa", False)


def test_a_line_of_context_keeps_its_indentation_and_loses_white_space_at_its_end() -> None:
    assert shown(b"    return x \r", indented=True) == ("    return x", False)
    assert shown(b"   ", indented=True) == ("", False)
