"""The results file: what is in it decides where a job goes on, and a file that isn't this job's is left alone."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.batch.items_file import BadFile
from gateway.batch.results import NotWritten, open_results

ITEMS = [b'{"kind":"file","path":"a"}', b"[1, 2]", b'"\xd7\xa9"', b'{"kind":"file","path":"a"}']
ANSWERS = [b'{"ok":true,"content":"}\\n"}', b'{"ok":false,"error":"invalid_item"}', b'{"ok":true}', b'{"ok":false,"error":"not_found"}']
LINES = [
    b'{"index":0,"item":{"kind":"file","path":"a"},"result":{"ok":true,"content":"}\\n"}}\n',
    b'{"index":1,"item":[1, 2],"result":{"ok":false,"error":"invalid_item"}}\n',
    b'{"index":2,"item":"\xd7\xa9","result":{"ok":true}}\n',
    b'{"index":3,"item":{"kind":"file","path":"a"},"result":{"ok":false,"error":"not_found"}}\n',
]
WHOLE = b"".join(LINES)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("results")


def test_lines_are_written_in_order_and_counted(tmp_path: Path) -> None:
    with open_results(str(tmp_path / "out"), ITEMS) as results:
        assert results.tally.count == 0
        for item, answer in zip(ITEMS, ANSWERS, strict=True):
            results.write(item, answer)
        assert results.tally.count == 4
        assert results.tally.refused == {"invalid_item": 1, "not_found": 1}
    assert (tmp_path / "out").read_bytes() == WHOLE


@given(st.integers(min_value=0, max_value=len(WHOLE)))
def test_a_file_cut_anywhere_is_resumed_behind_its_last_whole_line(folder: Path, cut: int) -> None:
    out = folder / "cut"
    out.write_bytes(WHOLE[:cut])
    with open_results(str(out), ITEMS) as results:
        done = results.tally.count
        assert out.read_bytes() == b"".join(LINES[:done])
        assert len(out.read_bytes()) <= cut < len(WHOLE) + 1
        assert done == len(ITEMS) or cut < len(b"".join(LINES[: done + 1]))
        assert results.tally.refused.total() == sum(b'"ok":false' in answer for answer in ANSWERS[:done])
        for item, answer in zip(ITEMS[done:], ANSWERS[done:], strict=True):
            results.write(item, answer)
    assert out.read_bytes() == WHOLE


@pytest.mark.parametrize(
    ("found", "items"),
    [
        (b"precious notes of somebody", ITEMS),
        (b"precious notes\nof somebody\n", ITEMS),
        (b"x" * 1_000_000, ITEMS),
        (WHOLE, [ITEMS[0], b"[1, 3]", *ITEMS[2:]]),
        (WHOLE, [ITEMS[1], ITEMS[0], *ITEMS[2:]]),
        (WHOLE, ITEMS[:3]),
        (LINES[0] + LINES[1][:10], ITEMS[:1]),
        (LINES[0] + b'{"index":1,"item":[1, 3', ITEMS),
        (LINES[1], ITEMS),
        (LINES[0] + LINES[0], ITEMS),
        (LINES[0][:-1] + LINES[1], ITEMS),
        (b"\n".join(ITEMS), ITEMS),
    ],
)
def test_a_file_that_is_not_these_items_results_is_refused_and_left_as_it_is(tmp_path: Path, found: bytes, items: list[bytes]) -> None:
    out = tmp_path / "out"
    out.write_bytes(found)
    with pytest.raises(BadFile, match="no results of these items"), open_results(str(out), items):
        raise AssertionError
    assert out.read_bytes() == found


def test_items_that_were_added_at_the_end_are_new_work(tmp_path: Path) -> None:
    out = tmp_path / "out"
    out.write_bytes(WHOLE)
    with open_results(str(out), [*ITEMS, b"{}"]) as results:
        assert results.tally.count == 4


def test_two_runs_never_write_the_same_file(tmp_path: Path) -> None:
    out = str(tmp_path / "out")
    with open_results(out, ITEMS), pytest.raises(BadFile, match="another run"), open_results(out, ITEMS):
        raise AssertionError


def test_a_place_that_cannot_be_written_says_so(tmp_path: Path) -> None:
    for name in (tmp_path, tmp_path / "none" / "out"):
        with pytest.raises(BadFile, match="can't be written"), open_results(str(name), ITEMS):
            raise AssertionError


def test_a_device_begins_anew_and_is_not_resumable() -> None:
    with open_results("/dev/null", ITEMS) as results:
        results.write(ITEMS[0], ANSWERS[0])
        assert results.tally.count == 1
        assert not results.resumable


def test_a_full_disk_is_said_and_is_nothing_else() -> None:
    with open_results("/dev/full", ITEMS) as results, pytest.raises(NotWritten, match="No space left on device"):
        results.write(ITEMS[0], ANSWERS[0])
    assert results.tally.count == 0
