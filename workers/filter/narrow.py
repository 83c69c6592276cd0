"""What git is to search for one query: the commit, or a tree of the files in it that the filter could not rule out."""

import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import structlog

from workers.filter.candidate_tree import write_tree
from workers.filter.required import required_grams
from workers.filter.trigram_index import candidates
from workers.mirror.search_folder import SearchFolder, trigrams_path

log = structlog.get_logger()

_MAX_DEPTH: Final = 200
"""Folders above a candidate; a deeper tree isn't written again."""

_SHA1_BYTES: Final = 20


@contextmanager
def narrowed(folder: SearchFolder, commit_id: str, query: str, *, regex: bool, case_sensitive: bool) -> Iterator[tuple[Path, str]]:
    """The git directory and the tree-ish to give to `git grep` for that query; what git prints before each path is this tree-ish.

    `folder` is what `search_folder` gave for `commit_id`. Both passes of a search must be run within. Whatever goes wrong with the filter,
    the answer is the folder and the commit themselves: it costs time and changes nothing.
    """
    found = None
    grams = required_grams(query, regex=regex, case_sensitive=case_sensitive)
    if folder.is_copy and grams:
        found = candidates(trigrams_path(folder.git_dir.parent), commit_id, grams)
    if found is None or any(len(file.oid) != _SHA1_BYTES or file.path.count(b"/") > _MAX_DEPTH for file in found):
        yield folder.git_dir, commit_id
        return
    # In the copy, so that it goes with it if this process is killed.
    narrow = folder.git_dir / "narrowed" / uuid.uuid4().hex
    try:
        tree = None
        try:
            narrow.mkdir(parents=True)
            tree = write_tree(narrow, folder.git_dir, commit_id, found)
        except OSError:
            log.warning("search_not_narrowed", folder=str(folder.git_dir), exc_info=True)
        yield (folder.git_dir, commit_id) if tree is None else (narrow, tree)
    finally:
        with suppress(OSError):
            shutil.rmtree(narrow)
