"""Which path in a folder stands for which saved file. Most names are paths, and the others get one made for them."""

import hashlib
import re
import unicodedata
from typing import Final

OWN_FOLDER: Final = ".codekeeper"
"""The folder beside the files, for what is no file's own path: never taken for a saved file, at whatever name."""

_SUFFIX: Final = re.compile(r"\.[A-Za-z0-9]{1,16}\Z")
"""What is kept of a name in the path that is made for it, so that editors know what it is."""


def is_relative(path: str) -> bool:
    """Whether a path names something below a folder, in the one way there is of writing that."""
    return "\0" not in path and not {"", ".", ".."} & set(path.split("/"))


def is_git(part: str) -> bool:
    """Whether a part of a path is git's own folder, or would be on a file system that doesn't tell it from that.

    What stands in it is run by git, so no saved text may be put there.
    """
    visible = "".join(character for character in _key(part) if unicodedata.category(character) != "Cf")
    return visible.split(":")[0].rstrip(" .") in {".git", "git~1"}


def made_path(name: str) -> str:
    """A path for a name that can't be one: the same for the same name, and no other's."""
    suffix = _SUFFIX.search(name)
    return f"{OWN_FOLDER}/names/{hashlib.sha256(name.encode()).hexdigest()}{suffix[0] if suffix else ''}"


class Paths:
    """The paths of one export, none of them another's, even where neither case nor Unicode's normal forms tell files apart."""

    def __init__(self) -> None:
        """Nothing has a path yet."""
        self._files: set[str] = set()
        self._folders: set[str] = set()

    def path_of(self, name: str) -> str:
        """The name itself if it can be a path beside those that were given out before, else `made_path`."""
        parts = name.split("/")
        if not is_relative(name) or _key(parts[0]) == OWN_FOLDER or any(map(is_git, parts)):
            return made_path(name)
        keys = [_key("/".join(parts[:length])) for length in range(1, len(parts) + 1)]
        *folders, file = keys
        if file in self._files or file in self._folders or self._files.intersection(folders):
            return made_path(name)
        self._files.add(file)
        self._folders.update(folders)
        return name


def _key(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", path).casefold())
