"""The content of a file as an answer: all of it, or a range of its lines, measured as it is sent."""

from collections.abc import Callable, Mapping

from shared.answer import fits, render, text_size
from shared.errors import ErrorCode, Refused
from shared.limits import OUTPUT_BYTE_BUDGET
from workers.parsing.registry import has_scanner
from workers.reading.decode import codec_of, decoded_pieces
from workers.reading.line_range import LineTooLarge, line_range


def whole(file: dict[str, object], text: str, referral: Callable[[], dict[str, object]]) -> bytes:
    """A full read: all of the text, or a refusal that points to ranges, to the map and to what `referral` gives (GRF-23, GRF-58, GRF-59).

    Raises:
        Refused: `answer_too_large`.
    """
    sent = render({"ok": True, "status": "ok", "file": file, "content": text})
    if fits(sent):
        return sent
    mapped = " outline=true gives the lines of its symbols." if has_scanner(str(file["path"])) else ""
    raise Refused(
        ErrorCode.ANSWER_TOO_LARGE,
        bytes=len(sent),
        max=OUTPUT_BYTE_BUDGET,
        file=file,
        hint=f"The whole file does not fit into one answer. Read it in ranges: lines=[1, 2000], then from range.end + 1.{mapped}",
        **referral(),
    )


def part(file: dict[str, object], body: bytes, encoding: str, lines: tuple[int, int]) -> bytes:
    """A range read of a body that stands in `encoding` (LIN-5 to LIN-34).

    Raises:
        Refused: `range_out_of_bounds` or `answer_too_large`.
    """

    def answer(shown: Mapping[str, object], piece: bytes) -> bytes:
        return render({"ok": True, "status": "ok", "file": file, "content": piece.decode(codec_of(encoding)), "range": shown})

    try:
        return line_range(body, lines, answer, lambda piece: _sent_size(piece, encoding))
    except LineTooLarge as too_large:
        raise Refused(
            ErrorCode.ANSWER_TOO_LARGE,
            bytes=too_large.bytes,
            max=OUTPUT_BYTE_BUDGET,
            file=file,
            hint=f"Line {too_large.line} does not fit into one answer, or only when lines=[{too_large.line}, {too_large.line}] asks for it "
            "alone. codekeeper_search_repo returns it as a bounded snippet.",
        ) from too_large


def _sent_size(piece: bytes, encoding: str) -> int:
    """Bytes that a piece takes inside an answer, measured without holding more of its text than a block."""
    return sum(map(text_size, decoded_pieces(piece, encoding)))
