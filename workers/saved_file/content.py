"""The text of a saved file as an answer: all of it, or a range of its lines (GTF sections 6 and 7)."""

from collections.abc import Mapping

from shared.answer import render, text_size
from shared.errors import ErrorCode
from shared.limits import OUTPUT_BYTE_BUDGET
from workers.reading.line_range import LineTooLarge, line_range
from workers.saved_file.file import SavedFile
from workers.saved_file.give_up import DoesNotFit, least_given_up, most_metadata, refusal_about
from workers.saved_file.metadata import Form


def whole(file: SavedFile) -> bytes:
    """The full read: the text, never cut (GTF-43 to GTF-47).

    Raises:
        Refused: `answer_too_large`, when it doesn't fit without tags and description either.
    """
    head = {"found": True}

    def answer(form: Form, text: str) -> bytes:
        return render({**head, "file": {**form.file, "code": text}, **form.hinting()})

    text_bytes = text_size(file.text)

    def size(form: Form) -> int:
        return len(answer(form, "")) + text_bytes

    form = most_metadata(file.metadata, size)
    if size(form) <= OUTPUT_BYTE_BUDGET:
        return answer(form, file.text)
    mapped = " toc=true gives the lines of its headings." if file.is_markdown else ""
    raise refusal_about(
        head,
        file.metadata,
        ErrorCode.ANSWER_TOO_LARGE,
        {"bytes": size(form), "max": OUTPUT_BYTE_BUDGET},
        "The whole file does not fit into one answer. Read it with file_id=file.id in ranges: lines=[1, 2000], then from range.end + 1; "
        f'or find text with query="...".{mapped}',
    )


def part(file: SavedFile, lines: tuple[int, int]) -> bytes:
    """A range read (GTF-48 to GTF-58).

    Raises:
        Refused: `range_out_of_bounds`, or `answer_too_large` for one line that doesn't fit.
    """
    head = {"found": True, "status": "range"}

    def attempt(form: Form) -> bytes:
        def answer(shown: Mapping[str, object], piece: str) -> bytes:
            return render({**head, "file": {**form.file, "code": piece}, "range": shown, **form.hinting()})

        try:
            return line_range(file.text, lines, answer, text_size)
        except LineTooLarge as too_large:
            hint = (
                f"Line {too_large.line} does not fit into one answer, or only when lines=[{too_large.line}, {too_large.line}] asks for it "
                'alone. query="..." with a text in it returns it as a bounded snippet.'
            )
            fields = {"bytes": too_large.bytes, "max": OUTPUT_BYTE_BUDGET}
            raise DoesNotFit(ErrorCode.ANSWER_TOO_LARGE, fields, hint) from too_large

    return least_given_up(head, file.metadata, attempt)
