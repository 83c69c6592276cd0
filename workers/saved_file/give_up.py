"""What an answer about a saved file gives up so that it fits: metadata first where that is what doesn't fit, and no more than that.

The text, the map and the records are what was asked for; tags and description only say what they belong to (GTF-163 to GTF-173).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final

from shared.answer import render
from shared.errors import ErrorCode, Refused
from shared.limits import OUTPUT_BYTE_BUDGET
from workers.saved_file.metadata import Form, Metadata
from workers.sections.fit_lists import shown

_CUT: Final = (b'"truncation_reason":"byte_budget"', b'"toc_truncated":true')
"""How an answer says that it was cut. No caller's text looks like this: inside a JSON string every quote is escaped."""

_FLAG_BYTES: Final = len(',"tags_truncated":true')
"""Bytes that metadata without all of its tags has more, and that there is room for when all of them are shown."""


class FileRefused(Refused):
    """A refusal about a file that was found: `head`, `found` and the mode's `status`, stands before `ok` (GTF-101, GTF-102)."""

    def __init__(self, head: Mapping[str, object], code: ErrorCode, **fields: object) -> None:
        super().__init__(code, **fields)
        self.head = head

    def answer(self) -> Mapping[str, object]:
        """The answer's object."""
        return {**self.head, **super().answer()}


@dataclass(frozen=True)
class DoesNotFit(Exception):  # noqa: N818 - an answer, unless there is metadata to give up
    """An answer beside which the metadata, in the form that was tried, left too little room."""

    code: ErrorCode
    fields: Mapping[str, object]
    """The refusal's, should nothing help."""
    hint: str | None = None


def least_given_up(head: Mapping[str, object], metadata: Metadata, attempt: Callable[[Form], bytes]) -> bytes:
    """The answer that `attempt` renders, with all of the metadata unless that is what stands in its way (GTF-168, GTF-169).

    It does where without it the answer fits, and where an answer was cut of which it takes more than all the rest does.

    Raises:
        FileRefused: what `attempt` says of the smallest form, when it raises `DoesNotFit` for every one.
    """
    best: tuple[bytes, Form] | None = None
    failure: DoesNotFit | None = None
    for form in metadata.forms():
        try:
            sent = attempt(form)
        except DoesNotFit as failed:
            failure = failed
            continue
        if best is None or _rest(sent, form) > _rest(*best):
            best = (sent, form)
        if best[1].size <= _rest(*best) or not any(mark in best[0] for mark in _CUT):
            break
    if best is not None:
        return best[0]
    assert failure is not None  # noqa: S101 - there is always a form
    raise refusal_about(head, metadata, failure.code, failure.fields, failure.hint) from failure


def _rest(sent: bytes, form: Form) -> int:
    """Bytes of an answer beside its metadata."""
    return len(sent) - form.size


def most_metadata(metadata: Metadata, size: Callable[[Form], int]) -> Form:
    """The most of the metadata with which an answer fits that is otherwise whole; `size` measures it (GTF-164, GTF-165).

    Tags go from the end, one by one, then the description. When nothing helps, it is the smallest form.
    """
    tags = metadata.tags
    count = shown(tags, len(tags), lambda cut: OUTPUT_BYTE_BUDGET - size(metadata.with_tags(0)) + (0 if cut else _FLAG_BYTES))
    form = metadata.with_tags(count)
    return form if size(form) <= OUTPUT_BYTE_BUDGET else metadata.forms()[-1]


def refusal_about(
    head: Mapping[str, object], metadata: Metadata, code: ErrorCode, fields: Mapping[str, object], hint: str | None = None
) -> FileRefused:
    """A refusal that carries `file`, with as much of the metadata as fits beside the rest (GTF-166).

    Where `fields` have a `file`, they only say where it stands; else it is the last before `hint`.
    """

    def refused(form: Form) -> FileRefused:
        return FileRefused(head, code, **{**fields, "file": form.file, **form.hinting(hint)})

    return refused(most_metadata(metadata, lambda form: len(render(refused(form).answer()))))
