"""The items for one changed file: its map, and its changed lines, as they are at the head's commit."""

from collections.abc import Mapping
from typing import Any, Final

from shared.docs_policy import DocsPolicy, resolve_docs_target
from shared.errors import Refused
from shared.limits import MAX_PATH_CHARS, REVIEW_FILE_BYTES
from workers.mirror.changes import BinaryDiff, Change
from workers.mirror.head import Head
from workers.parsing.registry import has_scanner
from workers.reading.decode import is_binary
from workers.reading.lines import count_index_lines
from workers.resources import secret_paths
from workers.review.ranges import Range, readable

Items = list[dict[str, Any]]

DELETED: Final = "deleted"
SECRET: Final = "secret"  # noqa: S105 - a reason
SYMLINK: Final = "symlink"
SUBMODULE: Final = "submodule"
UNREADABLE_NAME: Final = "unreadable_name"
"""A name that is no UTF-8, or too long to be asked for."""
BINARY: Final = "binary"
TOO_LARGE: Final = "too_large"
"""Above `REVIEW_FILE_BYTES`: its changed lines aren't looked for."""


def items_of_file(head: Head, change: Change, context: int, docs: Mapping[str, DocsPolicy]) -> tuple[Items, list[str]]:
    """The items of one change, and the reasons why it has none, or not all.

    `docs` is the policy of this repository when its pages are served, else empty. A served page's map is that of its headings.

    Raises:
        Refused: whatever `Head` raises.
    """
    path = shown_path(change.path)
    if path is None:
        return [], [UNREADABLE_NAME]
    if (reason := _why_none(change, path)) is not None:
        return [], [reason]
    target = {"repo": head.repo, "path": path, "ref": head.commit_id}
    ranges, reasons = _ranges(head, change, context)
    if reasons == [BINARY]:
        return [], reasons
    read = [{"kind": "file", **target, "lines": list(found)} for found in readable(ranges)]
    if is_served(head.repo, path, docs):
        return [{"kind": "section", **target}, *read], reasons
    return [*([{"kind": "outline", **target}] if has_scanner(path) else []), *read], reasons


def _why_none(change: Change, path: str) -> str | None:
    """Why a change has no items, as far as its path and mode say; None when it has."""
    if secret_paths().denies(path):
        return SECRET
    if change.status == "D":
        return DELETED
    if not change.is_file:
        return SYMLINK if change.is_link else SUBMODULE
    return None


def shown_path(path: bytes) -> str | None:
    """The path as an item names it, or None when no item can."""
    try:
        named = path.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return named if len(named) <= MAX_PATH_CHARS else None


def is_served(repo: str, path: str, docs: Mapping[str, DocsPolicy]) -> bool:
    """Whether the documentation tool serves this very file."""
    try:
        return resolve_docs_target(repo, path, list(docs), docs) == (repo, path)
    except Refused:
        return False


def _ranges(head: Head, change: Change, context: int) -> tuple[list[Range], list[str]]:
    """The changed lines; all of them where there was no file before."""
    compared = change.was_file and change.status != "A"
    if compared and change.old_id == change.id:
        return [], []
    if any(head.size(blob) > REVIEW_FILE_BYTES for blob in ([change.id, change.old_id] if compared else [change.id])):
        return [], [TOO_LARGE]
    if compared:
        try:
            return head.changed_ranges(change, context), []
        except BinaryDiff:
            return [], [BINARY]
    data = head.read(change.id)
    if is_binary(data):
        return [], [BINARY]
    lines = count_index_lines(data)
    return ([(1, lines)] if lines else []), []
