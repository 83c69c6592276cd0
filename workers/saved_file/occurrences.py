"""Where a string occurs in a saved file, as an answer (GTF section 8)."""

from collections.abc import Sequence

from shared.answer import fits, render
from shared.errors import ErrorCode
from shared.limits import OUTPUT_BYTE_BUDGET, SEARCH_RESULTS_DEFAULT
from workers.reading.lines import count_lines
from workers.saved_file.file import SavedFile
from workers.saved_file.find_lines import ShownLines, find_lines
from workers.saved_file.give_up import DoesNotFit, least_given_up
from workers.saved_file.metadata import Form
from workers.sections.fit_lists import most_that_fit, room_beside


def occurrences(file: SavedFile, query: str, context_lines: int | None, max_results: int | None) -> bytes:
    """The lines that hold `query`, as many as asked for and as fit. Numbers are already clamped to their ranges.

    Raises:
        Refused: `answer_too_large`, when not even one record fits without tags and description.
    """
    head = {"found": True, "status": "query"}
    most = SEARCH_RESULTS_DEFAULT if max_results is None else max_results
    total_lines = count_lines(file.text)
    lines, total = find_lines(file.text, query, most)
    records = _records(file.text, lines, total_lines, context_lines or 0)

    def answer(form: Form, shown: Sequence[object], count: int, of: int, reason: str | None) -> dict[str, object]:
        found = {**head, "file": form.file, "query": query, "count": count, "total": of, "truncated": reason is not None}
        return found | ({} if reason is None else {"truncation_reason": reason}) | {"results": shown, **form.hinting()}

    def attempt(form: Form) -> bytes:
        sent = render(answer(form, records, len(records), total, "max_results" if total > len(records) else None))
        if fits(sent):
            return sent
        # The room for everything else is reserved as if each number were as long as it may be (GTF-83).
        room = room_beside(answer(form, [], most, total_lines, "byte_budget"))
        count = most_that_fit(records, room)
        if not count:
            least = len(render(answer(form, records[:1], most, total_lines, "byte_budget"))) if records else len(sent)
            raise DoesNotFit(ErrorCode.ANSWER_TOO_LARGE, {"bytes": least, "max": OUTPUT_BYTE_BUDGET})
        return render(answer(form, records[:count], count, total, "byte_budget"))

    return least_given_up(head, file.metadata, attempt)


def _records(text: str, lines: Sequence[int], total_lines: int, context_lines: int) -> list[dict[str, object]]:
    """Each line with its snippet and, if it is asked for, the lines around it (GTF-61 to GTF-63)."""
    around = {
        line: (range(max(line - context_lines, 1), line), range(line + 1, min(line + context_lines, total_lines) + 1)) for line in lines
    }
    shown = ShownLines(text, [number for line in lines for number in (line, *around[line][0], *around[line][1])])
    records = []
    for line in lines:
        snippet, cut = shown.trimmed(line)
        record: dict[str, object] = {"line": line, "snippet": snippet} | ({"snippet_truncated": True} if cut else {})
        if context_lines:
            before, after = ([shown.indented(number) for number in numbers] for numbers in around[line])
            record |= {"context_before": before, "context_after": after}
        records.append(record)
    return records
