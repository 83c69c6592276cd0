"""A documentation page that was loaded, and the answers about it: a link or what can't be read is refused, then the mode decides."""

from dataclasses import dataclass
from functools import cached_property

from shared.errors import ErrorCode, Refused
from shared.limits import RANGE_READ_MAX_BYTES
from shared.wire.call import Caller
from workers.files.load import LoadedFile
from workers.parsing.headings import ParseRefused
from workers.sections.answer import SectionRequest, answer_section
from workers.sections.documents import parsed
from workers.sections.request import PageRequest
from workers.sections.section_tree import Document
from workers.sections.text_page import text_page


@dataclass(frozen=True)
class Page:
    """A page that is parsed at first use, and once, however many of its sections are asked for."""

    loaded: LoadedFile

    @cached_property
    def sections(self) -> tuple[Document, list[str]] | ParseRefused:
        """What the page holds and what it includes, or why the parser refuses it (DOC-108)."""
        text, _ = self.loaded.text_and_encoding
        try:
            return parsed(self.loaded.path[self.loaded.path.rindex(".") :], str(self.loaded.entry.id), text)
        except ParseRefused as refused:
            return ParseRefused(refused.code, **refused.fields)  # without the frames of the parse


def answer_page(page: Page, request: PageRequest, caller: Caller) -> bytes:
    """Steps 4 to 10 of DOC-10: links, size, binary content, and the mode itself (REF-91).

    Raises:
        Refused: the codes of those steps.
    """
    loaded, asked = page.loaded, request.arguments
    where: dict[str, object] = {"path": loaded.path, "ref": loaded.ref, "resolved_commit": loaded.commit_id}
    context = {"repo": loaded.repo, **where}
    if loaded.data is None:
        file = {"path": loaded.path, "ref": loaded.ref, "size": loaded.entry.size}
        raise Refused(ErrorCode.UNREADABLE_TOO_LARGE, repo=loaded.repo, path=loaded.path, file=file, **_referral(loaded, request, caller))
    if loaded.entry.is_link:
        raise Refused(ErrorCode.SYMLINK, **context, target=loaded.text_and_encoding[0])
    if loaded.is_binary:
        raise Refused(ErrorCode.UNREADABLE_BINARY, file={**where, "size": loaded.entry.size})
    if asked.whole_document:
        text, encoding = loaded.text_and_encoding
        before = {"ok": True, **context, "mode": "document", "encoding": encoding, "offset": asked.offset, "max_chars": asked.max_chars}
        return text_page(before, text, asked.offset, asked.max_chars, {})
    sections = page.sections
    if isinstance(sections, ParseRefused):
        raise Refused(ErrorCode(sections.code), **context, **sections.fields)
    document, includes = sections
    wanted = SectionRequest(
        section=asked.section,
        include_subsections=asked.include_subsections,
        max_chars=asked.max_chars,
        offset=asked.offset,
        max_depth=asked.max_depth,
    )
    return answer_section(document, wanted, context, includes)


def _referral(loaded: LoadedFile, request: PageRequest, caller: Caller) -> dict[str, object]:
    """Where a page is read in part that is too large here: by lines, for who may use that tool and while it reads so large a file."""
    if loaded.entry.size > RANGE_READ_MAX_BYTES or not caller.admin:
        return {}
    sent = {} if request.arguments.ref is None else {"ref": request.arguments.ref}
    arguments = {"repo": loaded.repo, "path": loaded.path, **sent, "lines": [1, 2_000]}
    return {"read_with": "codekeeper_get_repo_file", "read_with_arguments": arguments}
