"""The content of a file as an answer: all of it, or a range of its lines, measured as it is sent."""

from collections.abc import Callable

from shared.answer import fits, render, text_size
from shared.errors import ErrorCode, Refused
from shared.limits import OUTPUT_BYTE_BUDGET
from workers.parsing.registry import has_scanner
from workers.reading.decode import codec_of, decoded_pieces
from workers.reading.lines import count_lines, cut_lines, last_line_that_fits, line_start


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


def part(file: dict[str, object], body: bytes, encoding: str, start: int, end: int) -> bytes:
    """A range read, clamped to the file's end and cut to the budget on a line (LIN-25 to LIN-34)."""
    total = count_lines(body)
    if start > total:
        raise Refused(ErrorCode.RANGE_OUT_OF_BOUNDS, total_lines=total)

    def answer(last: int, content: bytes, **reason: str) -> bytes:
        cut = bool(reason) or end > total
        shown = {"start": start, "end": last, "total_lines": total, "truncated": cut, **reason}
        return render({"ok": True, "status": "ok", "file": file, "content": content.decode(codec_of(encoding)), "range": shown})

    last = min(end, total)
    # An answer is never shorter than the stored bytes it shows, so a longer piece need not be rendered to know that it can't fit.
    first_line = line_start(body, start)
    if line_start(body, last - start + 2, after=first_line) - 1 - first_line <= OUTPUT_BYTE_BUDGET:
        sent = answer(last, cut_lines(body, start, last))
        if fits(sent):
            return sent

    def fits_until(line: int, piece: bytes) -> bool:
        return len(answer(line, b"", truncation_reason="byte_budget")) + _sent_size(piece, encoding) <= OUTPUT_BYTE_BUDGET

    fitting = last_line_that_fits(body, start, last, OUTPUT_BYTE_BUDGET, fits_until)
    if fitting is not None:
        return answer(fitting, cut_lines(body, start, fitting), truncation_reason="byte_budget")
    # The refusal names the size that was judged: a range that ends early says why, and that takes room too.
    reason = {} if start == last else {"truncation_reason": "byte_budget"}
    raise Refused(
        ErrorCode.ANSWER_TOO_LARGE,
        bytes=len(answer(start, b"", **reason)) + _sent_size(cut_lines(body, start, start), encoding),
        max=OUTPUT_BYTE_BUDGET,
        file=file,
        hint=f"Line {start} does not fit into one answer, or only when lines=[{start}, {start}] asks for it alone. "
        "codekeeper_search_repo returns it as a bounded snippet.",
    )


def _sent_size(piece: bytes, encoding: str) -> int:
    """Bytes that a piece takes inside an answer, measured without holding more of its text than a block."""
    return sum(map(text_size, decoded_pieces(piece, encoding)))
