"""From bytes to text: what is binary, and which label the text gets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.reading.decode import decode, is_binary

BOM = b"\xef\xbb\xbf"


@pytest.mark.parametrize(
    ("data", "text", "label"),
    [
        (b"", "", "utf-8"),
        (b"plain\n", "plain\n", "utf-8"),
        ("\u05e9\u05dc\u05d5\u05dd".encode(), "\u05e9\u05dc\u05d5\u05dd", "utf-8"),
        (b"a" + BOM + b"b", "a\ufeffb", "utf-8"),
        (BOM, "", "utf-8-sig"),
        (BOM + b"a\r\nb", "a\r\nb", "utf-8-sig"),
        (BOM + BOM + b"a", "\ufeffa", "utf-8-sig"),
        (BOM[:2], "\xef\xbb", "latin-1"),
        (BOM + b"\xff", "\xef\xbb\xbf\xff", "latin-1"),
        ("\u05e9\u05dc\u05d5\u05dd".encode("cp1255"), "\u00f9\u00ec\u00e5\u00ed", "latin-1"),
        (b"caf\xe9", "caf\u00e9", "latin-1"),
        (b"\xed\xa0\x80", "\xed\xa0\x80", "latin-1"),
        (b"\xc0\xaf", "\xc0\xaf", "latin-1"),
        (b"cut \xd7", "cut \xd7", "latin-1"),
    ],
)
@pytest.mark.rule("REF-84", "REF-85", "REF-87", "LIN-9", "LIN-15", "LIN-16", "LIN-17", "LIN-18", "LIN-19", "GRF-26")
def test_a_text_is_utf8_or_utf8_with_its_mark_removed_or_else_latin_1(data: bytes, text: str, label: str) -> None:
    assert decode(data) == (text, label)


@pytest.mark.rule("REF-85", "REF-87", "LIN-9", "LIN-17")
@given(st.binary(max_size=20) | st.text().map(lambda text: text.encode("utf-8", "replace")), st.booleans())
def test_every_byte_sequence_has_a_text_that_gives_the_bytes_back(data: bytes, marked: bool) -> None:
    data = BOM + data if marked else data
    text, label = decode(data)
    assert (BOM if label == "utf-8-sig" else b"") + text.encode("latin-1" if label == "latin-1" else "utf-8") == data
    assert (label == "utf-8-sig") == (data.startswith(BOM) and label != "latin-1")


@pytest.mark.rule("REF-90", "GRF-29")
@pytest.mark.parametrize(
    ("data", "binary"),
    [
        (b"", False),
        (b"\0", True),
        (b"a" * 1_000_000 + b"\0", True),
        ("UTF-16".encode("utf-16"), True),
        ("UTF-32".encode("utf-32"), True),
        (b"\t\n\r" * 100, False),
        (b"\x7f\x80\xff" * 100, False),
        (b"\x01\x01\x01" + b"a" * 7, False),
        (b"\x01\x01\x01" + b"a" * 6, True),
        (b"\x01", True),
        (b"\x01" * 2_457 + b"a" * 5_735, False),
        (b"\x01" * 2_458 + b"a" * 5_734, True),
        (b"a" * 8_192 + b"\x01" * 100_000, False),
        (b"\x01" * 2_458 + b"a" * 100_000, True),
        (b"\x1b[31mred\x1b[0m\n\x0c", False),
    ],
)
def test_a_file_is_binary_with_a_nul_anywhere_or_over_30_percent_of_control_characters_at_its_head(data: bytes, binary: bool) -> None:
    assert is_binary(data) is binary


@pytest.mark.rule("REF-90", "GRF-29")
@pytest.mark.parametrize("tens", [1, 3, 7, 11, 33, 100, 333, 777, 819])
def test_exactly_30_percent_is_text_and_one_more_is_binary(tens: int) -> None:
    assert not is_binary(b"\x02" * 3 * tens + b"a" * 7 * tens)
    assert is_binary(b"\x02" * (3 * tens + 1) + b"a" * (7 * tens - 1))


@pytest.mark.rule("REF-90", "GRF-29")
@given(st.binary(max_size=60))
def test_the_share_is_counted_over_the_bytes_below_32_that_are_no_tab_line_feed_or_return(data: bytes) -> None:
    controls = sum(1 for byte in data if byte < 32 and byte not in {9, 10, 13})
    assert is_binary(data) == (0 in data or 10 * controls > 3 * len(data))
