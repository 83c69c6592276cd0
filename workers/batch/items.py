"""From an item as it was sent to what it asks of its tool, or to why it is refused before any mirror is looked at."""

from typing import Any, Final, TypeAlias

from pydantic import ValidationError

from shared.errors import ErrorCode, Refused
from shared.wire.problems import problems
from shared.wire.read_batch import FileItem, Item, SectionItem
from workers.docs_gate import Policies
from workers.files.request import FileRequest, checked_file_request
from workers.sections.request import PageRequest, checked_page_request

_MODELS: Final[dict[str, type[Item]]] = {"section": SectionItem, "file": FileItem}

_WORDS: Final = {"extra_forbidden": "unknown key", "int_type": "must be an integer"}
"""The contract's own words for two types of problem."""

Prepared: TypeAlias = FileRequest | PageRequest | Refused
"""A request that passed its tool's checks of the arguments, or the refusal that answers the item."""


def prepared(sent: Any, policies: Policies) -> Prepared:
    """What the item asks for, judged as the single tool judges it; malformed, it is `invalid_item` with `problems` (BAT-16, BAT-18)."""
    try:
        item = _checked(sent)
        return (
            checked_file_request(item.single_call()) if isinstance(item, FileItem) else checked_page_request(item.single_call(), policies)
        )
    except Refused as refused:
        return Refused(refused.code, **refused.fields)  # without the frames that it was raised in


def key_of(item: Prepared) -> tuple[str, str, tuple[int, int] | None] | None:
    """What is read for it: repository, path and lines as they were resolved, the same for all that share a read (BAT-41); None: nothing."""
    match item:
        case FileRequest():
            return item.repo, item.path, item.lines
        case PageRequest():
            return item.repo, item.path, None
        case Refused():
            return None


def _checked(sent: Any) -> Item:
    if not isinstance(sent, dict):
        raise Refused(ErrorCode.INVALID_ITEM, problems=[{"where": "", "what": "must be an object"}])
    kind = sent.get("kind")
    if not isinstance(kind, str) or kind not in _MODELS:
        raise Refused(ErrorCode.INVALID_ITEM, problems=[{"where": "kind", "what": f"must be one of: {', '.join(_MODELS)}"}])
    try:
        return _MODELS[kind].model_validate(sent)
    except ValidationError as error:
        raise Refused(ErrorCode.INVALID_ITEM, problems=problems(error, _WORDS)) from error
