"""The form of every answer. The oracle is the standard library's own JSON reader, and the table below was worked out by hand."""

import json
from typing import Any
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.answer import fits, render, text_size, too_large

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()))
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | ANY_TEXT,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(ANY_TEXT, inner, max_size=4),
    max_leaves=20,
)


def as_utf16_reads_it(value: Any) -> Any:
    """A high surrogate before a low one is one character to every JSON reader; nothing else about the value changes."""
    if isinstance(value, str):
        return value.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    if isinstance(value, list):
        return [as_utf16_reads_it(item) for item in value]
    if isinstance(value, dict):
        return {as_utf16_reads_it(key): as_utf16_reads_it(item) for key, item in value.items()}
    return value


@pytest.mark.parametrize(
    ("answer", "sent"),
    [
        ({"ok": True, "n": [1, 2]}, b'{"ok":true,"n":[1,2]}'),
        ({"he": "\u05e9"}, b'{"he":"\xd7\xa9"}'),
        ({"cjk": "\u4e2d"}, b'{"cjk":"\xe4\xb8\xad"}'),
        ({"emoji": "\U0001f600"}, b'{"emoji":"\xf0\x9f\x98\x80"}'),
        ({"control": "\x01"}, b'{"control":"\\u0001"}'),
        ({"lines": "a\r\n\tb"}, b'{"lines":"a\\r\\n\\tb"}'),
        ({"quoted": 'a"b\\c/'}, b'{"quoted":"a\\"b\\\\c/"}'),
        ({"lone": "a\ud800b"}, b'{"lone":"a\\ud800b"}'),
        ({"after a backslash": "\\\udcff"}, b'{"after a backslash":"\\\\\\udcff"}'),
        ({"separators": "\u2028\u2029\x7f"}, b'{"separators":"\xe2\x80\xa8\xe2\x80\xa9\x7f"}'),
    ],
)
def test_an_answer_is_compact_utf8_with_every_character_as_itself(answer: dict[str, Any], sent: bytes) -> None:
    assert render(answer) == sent


@given(st.dictionaries(ANY_TEXT, ANY_JSON, max_size=4))
def test_a_json_reader_gets_back_what_was_rendered_lone_surrogates_included(answer: dict[str, Any]) -> None:
    sent = render(answer)
    assert as_utf16_reads_it(json.loads(sent.decode("utf-8"))) == as_utf16_reads_it(answer)


@pytest.mark.rule("LIN-32")
@given(ANY_TEXT, st.sampled_from([1, 2, 65_536]))
def test_the_size_of_a_text_is_what_it_adds_to_a_rendered_answer(text: str, block: int) -> None:
    with patch("shared.answer._BLOCK_CHARS", block):
        assert text_size(text) == len(render({"content": text})) - len(b'{"content":""}')


@pytest.mark.rule("LIN-32")
@pytest.mark.parametrize(
    ("character", "size"), [("a", 1), ("\x01", 6), ("\n", 2), ("\u05e9", 2), ("\u4e2d", 3), ("\U0001f600", 4), ("\ud800", 6), ('"', 2)]
)
def test_a_character_costs_what_it_takes_in_the_sent_text(character: str, size: int) -> None:
    assert text_size(character * 1_000) == size * 1_000


def test_the_budget_is_256000_bytes_and_an_answer_of_exactly_that_size_fits() -> None:
    empty = len(render({"content": ""}))
    assert fits(render({"content": "x" * (256_000 - empty)}))
    over = render({"content": "x" * (256_001 - empty)})
    assert not fits(over)
    assert too_large(over) == {"ok": False, "error": "answer_too_large", "bytes": 256_001, "max": 256_000}
