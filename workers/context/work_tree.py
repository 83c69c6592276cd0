"""A folder of files as a source of code contexts."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from workers.context.source import Reason, SourceFile, Unavailable
from workers.folder import CantRead, Folder, Why

_GIT: Final = ".git"
"""Git's own folder in a work tree: addresses in its configuration may hold passwords."""

_REASONS: Final = {
    Why.NOT_FOUND: Reason.NOT_FOUND,
    Why.LINK: Reason.LINK,
    Why.UNREADABLE: Reason.UNREADABLE,
    Why.TOO_LARGE: Reason.TOO_LARGE,
}


_REMOTE: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://|[^/]+@[^/]+:")
"""How an address begins that git would fetch from: with a protocol, or as `user@host:`."""


class ConflictingConfiguration(Exception):  # noqa: N818 - it says what it is
    """A host asks for something that code contexts don't go with; the message begins with the conflict's name (RCC-43)."""


class WorkTree:
    """The files below a root folder, as they are at the moment each is read (RCC-44)."""

    def __init__(self, root: Path | str) -> None:
        """The root's own links are followed once, here.

        Raises:
            ConflictingConfiguration: the root is the address of a remote. Its mirror is read by `MirrorCommit`, and nothing here fetches.
            OSError: there is no such folder.
        """
        if _REMOTE.match(str(root)):
            raise ConflictingConfiguration("remote source: files are read of a folder here, or of a commit of a mirror.")
        self._folder = Folder(root)

    def described(self) -> Mapping[str, str]:
        """Nothing: where the root is is this machine's business."""
        return {}

    def denies(self, path: str) -> bool:
        """Whether the path is in git's own folder."""
        return _GIT in path.casefold().split("/")

    def read(self, path: str, limit: int) -> SourceFile:
        """See `Source.read`."""
        try:
            return SourceFile(self._folder.read(path, limit))
        except CantRead as cant:
            fields = {} if cant.target is None else {"target": cant.target}
            raise Unavailable(_REASONS[cant.why], fields, bytes_read=cant.bytes_read) from cant
