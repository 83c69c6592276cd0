"""What an item of a review job may be: the one table of kinds, and the check of an item against it.

An item is a call of a single tool: the tool's own arguments beside `kind`, validated by the model that validates the tool's calls.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from pydantic import ValidationError

from shared.errors import ErrorCode, Refused
from shared.limits import MAX_ECHOED_NAMES
from shared.tasks import DOCS_GET_SECTION, GET_REPO_FILE, SEARCH_REPO, TaskKind
from shared.wire.docs_get_section import DocsGetSectionArguments
from shared.wire.get_repo_file import GetRepoFileArguments
from shared.wire.problems import bounded_name, problems
from shared.wire.search_repo import SearchRepoArguments
from shared.wire.text import Arguments


@dataclass(frozen=True)
class ItemKind:
    """One kind of item."""

    task: TaskKind
    """The task of the single tool."""
    arguments: type[Arguments]
    """The tool's arguments."""
    without: frozenset[str] = frozenset()
    """Arguments that an item of this kind doesn't take."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that the kind itself stands for."""

    @property
    def takes(self) -> frozenset[str]:
        """Names that an item of this kind may have beside `kind`."""
        return frozenset(self.arguments.model_fields) - self.without - self.fixed.keys()


KINDS: Final[Mapping[str, ItemKind]] = {
    "section": ItemKind(DOCS_GET_SECTION, DocsGetSectionArguments),
    "file": ItemKind(GET_REPO_FILE, GetRepoFileArguments, without=frozenset({"outline", "symbol", "page", "per_page"})),
    "outline": ItemKind(GET_REPO_FILE, GetRepoFileArguments, without=frozenset({"lines"}), fixed={"outline": True}),
    "search": ItemKind(SEARCH_REPO, SearchRepoArguments),
}
"""Every kind by its name; a line each."""


def call_of(item: object) -> tuple[TaskKind, dict[str, Any]]:
    """The single tool's task and its validated arguments for one item, as JSON gave it.

    Raises:
        Refused: `invalid_item` with `problems` of `where` and `what`, which never repeat a value (BAT-16 to BAT-18).
    """
    if not isinstance(item, dict):
        raise _invalid([{"where": "", "what": "an item is a JSON object"}])
    name = item.get("kind")
    kind = KINDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise _invalid([{"where": "kind", "what": f"one of {', '.join(KINDS)}"}])
    sent = {key: value for key, value in item.items() if key != "kind"}
    unknown = [key for key in sent if key not in kind.takes]
    if unknown:
        raise _invalid([{"where": bounded_name(key), "what": "unknown key"} for key in unknown[:MAX_ECHOED_NAMES]])
    try:
        checked = kind.arguments.model_validate({**sent, **kind.fixed})
    except ValidationError as error:
        raise _invalid(problems(error)) from error
    return kind.task, checked.model_dump()


def _invalid(found: list[dict[str, str]]) -> Refused:
    return Refused(ErrorCode.INVALID_ITEM, problems=found)
