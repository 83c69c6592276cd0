"""What `git grep -z` prints, cut into pieces anywhere: the records are those of a reader that holds it all."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.search.records import MAX_PATH_BYTES, CountRecords, LineRecords, UnreadableOutput

COMMIT = "c" * 40

paths = st.lists(st.sampled_from([b"a", b":", b"7", b"-", b"\n", b" ", b"\xd7\xa9", b"\xff", b"/"]), min_size=1, max_size=12).map(b"".join)
texts = st.lists(st.sampled_from([b"x", b"\0", b":", b"12", b"\r", b"\xd7\xa9", b" "]), max_size=12).map(b"".join)
cuts = st.lists(st.integers(1, 7), min_size=1, max_size=8)


def pieces(data: bytes, lengths: list[int]) -> list[bytes]:
    found, at = [], 0
    while at < len(data):
        step = lengths[len(found) % len(lengths)]
        found.append(data[at : at + step])
        at += step
    return found


@pytest.mark.rule("SRC-57")
@given(st.lists(st.tuples(paths, st.integers(1, 10**9), texts), max_size=5), cuts)
def test_lines_are_read_whatever_bytes_paths_and_texts_hold_and_wherever_a_piece_ends(
    records: list[tuple[bytes, int, bytes]], lengths: list[int]
) -> None:
    printed = b"".join(b"%s:%s\0%d\0%s\n" % (COMMIT.encode(), path, line, text) for path, line, text in records)
    reader = LineRecords(COMMIT)
    read = [found for piece in pieces(printed, lengths) for found in reader.feed(piece)]
    assert [(found.path, found.line) for found in read] == [(path, line) for path, line, _ in records]
    assert [found.start.shown(first=False)[0] for found in read] == [text.decode().strip() for _, _, text in records]


@given(st.lists(st.tuples(paths, st.integers(1, 10**9)), max_size=5), cuts)
def test_counts_are_read_wherever_a_piece_ends(records: list[tuple[bytes, int]], lengths: list[int]) -> None:
    printed = b"".join(b"%s:%s\0%d\n" % (COMMIT.encode(), path, count) for path, count in records)
    reader = CountRecords(COMMIT)
    assert [record for piece in pieces(printed, lengths) for record in reader.feed(piece)] == records


@pytest.mark.parametrize(
    "printed", [b"other:path\x001\x00text\n", COMMIT.encode() + b":path\x00one\x00text\n", b"x" * (MAX_PATH_BYTES + 1)]
)
def test_what_is_no_record_of_a_line_is_told(printed: bytes) -> None:
    with pytest.raises(UnreadableOutput):
        list(LineRecords(COMMIT).feed(printed))


@pytest.mark.parametrize("printed", [b"other:path\x001\n", COMMIT.encode() + b":path\x00one\n", b"x" * (MAX_PATH_BYTES + 1)])
def test_what_is_no_record_of_a_count_is_told(printed: bytes) -> None:
    with pytest.raises(UnreadableOutput):
        list(CountRecords(COMMIT).feed(printed))


def test_of_a_line_without_end_no_more_than_its_beginning_is_held() -> None:
    reader = LineRecords(COMMIT)
    assert list(reader.feed(COMMIT.encode() + b":path\x001\x00")) == []
    for _ in range(1_000):
        assert list(reader.feed(b"y" * 65_536)) == []
    assert reader._start is not None
    assert len(reader._start._kept) == 4_096
    (found,) = reader.feed(b"\n")
    assert found.start.shown(first=False) == ("y" * 500, True)
