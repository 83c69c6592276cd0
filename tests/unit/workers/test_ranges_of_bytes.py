"""A range cut out of a file's bytes is the range of its text, whatever the encoding: the text as a whole is the oracle here."""

from unittest.mock import patch

import hypothesis
import pytest
from hypothesis import strategies as st

from shared.answer import text_size
from workers.reading import decode as module
from workers.reading.decode import BOM, body_and_encoding, codec_of, decode, decoded_pieces
from workers.reading.lines import count_index_lines, count_lines, cut_lines, last_line_that_fits, line_start

PIECES = st.sampled_from([b"a", b"\n", b"\r\n", "é".encode(), "😀".encode(), b"\xff", b"\xe2\x82", BOM, b"\x01", b'"', "\u2028".encode()])
FILES = st.builds(lambda marked, pieces: BOM * marked + b"".join(pieces), st.integers(0, 1), st.lists(PIECES, max_size=30))


@pytest.mark.rule("REF-84", "REF-85", "REF-86", "LIN-7", "TREE-40")
@hypothesis.given(FILES, st.data(), st.sampled_from([1, 2, 3, 65_536]))
def test_lines_of_the_bytes_are_the_lines_of_the_text(data: bytes, draws: st.DataObject, block: int) -> None:
    with patch.object(module, "_BLOCK_BYTES", block):
        text, encoding = decode(data)
        body, found = body_and_encoding(data)
        assert found == encoding
        assert body.decode(codec_of(encoding)) == "".join(decoded_pieces(body, encoding)) == text
        assert sum(map(text_size, decoded_pieces(body, encoding))) == text_size(text)
    total = count_lines(text)
    assert count_lines(body) == total
    assert count_index_lines(body) == count_index_lines(text)
    start = draws.draw(st.integers(1, total))
    end = draws.draw(st.integers(start, total))
    assert cut_lines(body, start, end).decode(codec_of(encoding)) == cut_lines(text, start, end)
    assert body[: line_start(body, start)].decode(codec_of(encoding)) == text[: line_start(text, start)]
    budget = draws.draw(st.integers(0, 40))

    def fits(line: int, piece: str | bytes) -> bool:
        return line + text_size(piece if isinstance(piece, str) else piece.decode(codec_of(encoding))) <= budget

    of_text = last_line_that_fits(text, start, end, budget, fits)
    of_body = last_line_that_fits(body, start, end, budget, fits)
    assert of_body == of_text


def test_a_character_that_a_block_cuts_in_two_is_one_and_a_cut_off_one_is_latin_1() -> None:
    data = b"x" * (module._BLOCK_BYTES - 1) + "é\n".encode()
    assert body_and_encoding(data) == (data, "utf-8")
    assert body_and_encoding(data[:-2]) == (data[:-2], "latin-1")
