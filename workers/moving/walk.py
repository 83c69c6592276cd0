"""The files that a folder holds, in the order of their names, and what in it is none or isn't looked at."""

import os
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

from workers.moving.paths import OWN_FOLDER, is_git


class Kind(StrEnum):
    """What stands at a path."""

    FILE = "file"
    FOLDER = "folder"
    """Never given out itself."""
    LINK = "link"
    OTHER = "other"
    """A pipe, a socket or a device."""
    UNREADABLE = "unreadable"
    """A folder that can't be listed."""
    GIT = "git"
    """Git's own folder, or what stands for it in a work tree; it isn't looked into."""


def walk(root: Path) -> Iterator[tuple[str, Kind]]:
    """Each path below `root` with what it is, folders by what is in them; no link is followed, and of one folder's names all are held.

    The folder of an export's own is not mentioned.
    """
    folders = [""]
    while folders:
        folder = folders.pop()
        try:
            with os.scandir(root / folder) as listed:
                entries = sorted((entry.name, _kind(entry)) for entry in listed)
        except OSError:
            yield folder or ".", Kind.UNREADABLE
            continue
        below = []
        for name, kind in entries:
            path = f"{folder}/{name}" if folder else name
            if path == OWN_FOLDER:
                continue
            if is_git(name):
                yield path, Kind.GIT
            elif kind is Kind.FOLDER:
                below.append(path)
            else:
                yield path, kind
        folders += reversed(below)


def _kind(entry: os.DirEntry[str]) -> Kind:
    if entry.is_symlink():
        return Kind.LINK
    if entry.is_dir(follow_symlinks=False):
        return Kind.FOLDER
    return Kind.FILE if entry.is_file(follow_symlinks=False) else Kind.OTHER
