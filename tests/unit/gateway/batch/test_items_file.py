"""The items file: JSON Lines as they stand, read as often as it takes, and refused by line when one is no JSON."""

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.batch.items_file import MAX_ITEM_BYTES, BadFile, ItemsFile, open_items, parsed

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)
)


@given(st.lists(JSON_VALUES), st.booleans(), st.booleans(), st.sampled_from([b"\n", b"\r\n", b"\n\n \t\n"]))
def test_items_come_as_they_stand_in_their_order_as_often_as_wanted(
    values: list[object], ascii_only: bool, ended: bool, end: bytes
) -> None:
    texts = [json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "backslashreplace") for value in values]
    items = ItemsFile(io.BytesIO(end.join(texts) + end * ended))
    assert items.count == len(texts)
    assert list(items) == list(items) == texts
    assert [parsed(text) for text in items] == values


@pytest.mark.parametrize(
    "line",
    [
        b"{",
        b"nothing",
        b"{'kind': 'file'}",
        b"\xff",
        b'"\xed\xa0\x80"',
        b"[NaN]",
        b"[-Infinity]",
        b"\xef\xbb\xbf{}",
        b"[" * 100_000,
        b"1" * 5_000,
    ],
    ids=lambda line: repr(line[:12]),
)
def test_a_line_that_is_no_json_is_named_by_its_number_and_not_repeated(line: bytes) -> None:
    with pytest.raises(BadFile, match=r"^line 3 of the items is no JSON in UTF-8$"):
        ItemsFile(io.BytesIO(b"{}\n\n" + line + b"\n{}\n"))


def test_a_line_above_the_ceiling_is_refused_and_one_at_it_is_not() -> None:
    longest = b'"' + b"x" * (MAX_ITEM_BYTES - 3) + b'"\n'
    assert ItemsFile(io.BytesIO(longest)).count == 1
    with pytest.raises(BadFile, match="line 2"):
        ItemsFile(io.BytesIO(b"{}\n" + longest[:-1] + b" \n"))


def test_a_file_is_opened_by_name_and_what_cannot_be_read_says_so(tmp_path: Path) -> None:
    (tmp_path / "items").write_bytes(b"{}\n[]")
    with open_items(str(tmp_path / "items")) as items:
        assert list(items) == [b"{}", b"[]"]
    for missing in (tmp_path / "none", tmp_path):
        with pytest.raises(BadFile, match="can't be read"), open_items(str(missing)):
            raise AssertionError
