"""The answer about a saved file that was found, by the mode that the request is in (GTF section 5)."""

from shared.limits import MAX_CHARS_DEFAULT
from workers.saved_file.by_heading import by_heading
from workers.saved_file.content import part, whole
from workers.saved_file.file import SavedFile
from workers.saved_file.occurrences import occurrences
from workers.saved_file.request import ReadRequest
from workers.sections.answer import SectionRequest


def answer_saved_file(file: SavedFile, request: ReadRequest) -> bytes:
    """The answer as it is sent.

    Raises:
        Refused: the codes of that mode (GTF section 11).
    """
    asked = request.arguments
    if request.lines is not None:
        return part(file, request.lines)
    if asked.query is not None:
        return occurrences(file, asked.query, asked.context_lines, asked.max_results)
    if asked.toc or asked.section is not None:
        return by_heading(
            file,
            SectionRequest(
                section=asked.section,
                include_subsections=True,
                max_chars=MAX_CHARS_DEFAULT if asked.max_chars is None else asked.max_chars,
                offset=asked.offset or 0,
                max_depth=asked.max_depth,
            ),
        )
    return whole(file)
