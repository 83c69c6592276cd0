"""A saved Markdown file by its headings: the answers that documents have, about `file` in place of a repository's page (GTF section 9).

Parsing, matching, cutting and paging are those of `workers.sections` (GTF-100); here is what stands around them.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from shared.answer import render
from shared.errors import ErrorCode, Refused
from shared.limits import CANDIDATES_MAX, MAX_FILE_SIZE_FOR_DISPLAY, SUGGESTIONS_MAX, TOC_MAX
from workers.parsing.headings import ParseRefused
from workers.saved_file.file import SavedFile
from workers.saved_file.give_up import DoesNotFit, FileRefused, least_given_up, refusal_about
from workers.saved_file.metadata import Form
from workers.sections.answer import SectionRequest, answer_section
from workers.sections.documents import parsed
from workers.sections.section_tree import Document

_FORM: Final = ".md"

_READ_OTHERWISE: Final = 'The file can be read with lines=[start, end], or searched with query="...".'
"""What every refusal says that keeps a file from being read by heading (GTF-99)."""

_LISTS: Final = {"toc": TOC_MAX, "suggestions": SUGGESTIONS_MAX, "candidates": CANDIDATES_MAX}
"""Lists of refusals, and how many entries of each there are at the most: a list that was cut and has fewer was cut by the budget."""


def by_heading(file: SavedFile, request: SectionRequest) -> bytes:
    """The map of the file when no section is named, else the section.

    Raises:
        Refused: `not_markdown`, `too_large_for_sections`, what the parser refuses, and what `answer_section` raises; each carries `file`.
    """
    head = {"found": True, "status": "toc" if request.section is None else "section"}
    document = _document(file, head)

    def attempt(form: Form) -> bytes:
        context = {**head, "file": form.file, **form.hinting()}
        try:
            return _with_head_first(head, answer_section(document, request, context, includes=[]))
        except Refused as refused:
            raise _about_the_file(file, head, form, refused) from refused

    return least_given_up(head, file.metadata, attempt)


def _document(file: SavedFile, head: Mapping[str, object]) -> Document:
    """The file's sections (GTF-88 to GTF-99). What the parser found is kept under a digest of the text: see `_content_key`."""
    if not file.is_markdown:
        raise refusal_about(head, file.metadata, ErrorCode.NOT_MARKDOWN, {}, _READ_OTHERWISE)
    if file.size > MAX_FILE_SIZE_FOR_DISPLAY:
        ceiling = {"bytes": file.size, "max": MAX_FILE_SIZE_FOR_DISPLAY}
        raise refusal_about(head, file.metadata, ErrorCode.TOO_LARGE_FOR_SECTIONS, ceiling, _READ_OTHERWISE)
    try:
        return parsed(_FORM, _content_key(file), file.text)[0]
    except ParseRefused as refused:
        raise refusal_about(head, file.metadata, ErrorCode(refused.code), refused.fields, _READ_OTHERWISE) from refused


def _content_key(file: SavedFile) -> str:
    """Under what the headings of this text are kept for this user: nothing that can move, and nothing that another user's file could have.

    A map is followed by its sections and their pages, each a call of its own; without this each would parse the file anew. The user is part
    of it, so that no one's answer comes faster because somebody else has the same text.
    """
    return sha256(f"{file.user}\0{file.text}".encode()).hexdigest()


def _with_head_first(head: Mapping[str, object], sent: bytes) -> bytes:
    """An answer of the documents' function with `found` and `status` before its `ok` (GTF-101); it is as long as it was."""
    measured, ours = (render(opening)[:-1] for opening in ({"ok": True, **head}, {**head, "ok": True}))
    return ours + sent.removeprefix(measured)


def _about_the_file(file: SavedFile, head: Mapping[str, object], form: Form, refused: Refused) -> Refused | DoesNotFit:
    """What a refusal of the documents' function is here: a reason to give up metadata, or a refusal about the file."""
    fields = {name: value for name, value in refused.fields.items() if name not in {*head, "hint"}}
    if refused.code == ErrorCode.SECTION_TOO_LARGE:
        return DoesNotFit(refused.code, fields, "Read the section by its line_range: lines=[start, end].")
    if refused.code == ErrorCode.ANSWER_TOO_LARGE:
        return DoesNotFit(refused.code, fields, _READ_OTHERWISE)
    lists_are_cut = any(_is_cut_by_the_budget(fields, name, most) for name, most in _LISTS.items())
    if lists_are_cut and file.metadata.with_tags(0).size < form.size and form.hint is None:
        return DoesNotFit(refused.code, fields)  # the tags are given up before any list (GTF-167)
    if lists_are_cut or form.hint is not None:
        return FileRefused(head, refused.code, **fields, **form.hinting())
    return refusal_about(head, file.metadata, refused.code, fields)


def _is_cut_by_the_budget(fields: Mapping[str, object], name: str, most: int) -> bool:
    entries = fields.get(name)
    return isinstance(entries, list) and fields.get(f"{name}_truncated") is True and len(entries) < most
