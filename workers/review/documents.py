"""The documentation pages of a repository that name what a change touched: `naming.py` is the rule, this is the reading."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from shared.docs_policy import DocsPolicy
from shared.limits import MAX_CHARS_MAX, MAX_FILE_SIZE_FOR_DISPLAY, REVIEW_DOCUMENT_BYTES, REVIEW_DOCUMENTS_MAX
from workers.mirror.changes import Change
from workers.mirror.head import Head
from workers.mirror.walk_tree import TreeFile
from workers.reading.decode import decode, is_binary
from workers.resources import secret_paths
from workers.review.files import Items, is_served, shown_path
from workers.review.naming import ChangedNames

NOT_SEARCHED: Final = "document_not_searched"
"""A page above the ceilings: larger than one that is served, or one more than `REVIEW_DOCUMENT_BYTES` take."""
DOCUMENT: Final = "document"
"""A page that names a changed file, above `REVIEW_DOCUMENTS_MAX`."""


def documents_naming(head: Head, changed: Sequence[Change], docs: Mapping[str, DocsPolicy]) -> tuple[Items, list[str]]:
    """An item for each page that names a changed file and wasn't changed itself, in the order of paths; and why others have none.

    The item reads the page whole, as far as one answer goes. A secret file's name isn't looked for: the answer would show that it is there.

    Raises:
        Refused: whatever `Head` raises.
    """
    if not docs:
        return [], []
    secret = secret_paths()
    touched = {path for change in changed for path in map(shown_path, (change.old_path, change.path)) if path and not secret.denies(path)}
    modules: list[str] = []
    pages: list[tuple[TreeFile, str]] = []
    for file in head.files():  # only what is needed of them is kept: a tree may have a million
        path = shown_path(file.path)
        if path is None:
            continue
        if path.endswith(".py"):
            modules.append(path)
        elif path not in touched and not file.is_submodule and not secret.denies(path) and is_served(head.repo, path, docs):
            pages.append((file, path))
    names = ChangedNames(touched, modules)
    reasons: list[str] = []
    found = [path for path, text in _texts(head, pages, reasons) if names.named_in(text, path)]
    reasons += [DOCUMENT] * len(found[REVIEW_DOCUMENTS_MAX:])
    whole = {"whole_document": True, "max_chars": MAX_CHARS_MAX}
    named = found[:REVIEW_DOCUMENTS_MAX]
    return [{"kind": "section", "repo": head.repo, "path": path, "ref": head.commit_id, **whole} for path in named], reasons


def _texts(head: Head, pages: Sequence[tuple[TreeFile, str]], reasons: list[str]) -> Iterator[tuple[str, str]]:
    """Path and text of the pages that are within the ceilings; a reason is added for each that isn't."""
    left = REVIEW_DOCUMENT_BYTES
    for file, path in pages:
        size = head.size(str(file.id))
        if size > MAX_FILE_SIZE_FOR_DISPLAY or size > left:
            reasons.append(NOT_SEARCHED)
            continue
        left -= size
        data = head.read(str(file.id))
        if not is_binary(data):
            yield path, decode(data)[0]
