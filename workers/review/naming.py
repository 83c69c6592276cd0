"""Whether a documentation page names a changed file: the one rule that ties pages to a change. Pure functions of text.

A page names a file by its path, from the repository's root or from the page's own folder, and at the end of an address
(`https://host/owner/repo/blob/main/src/app.py`); a Python file by its module's dotted name too (`package.module`), or by a dotted name
in it (`package.module.Class`). Names are compared whole: `src/app.py` is not in `other/src/app.py`, and `package.module.other` is a
module of its own if there is one. A path without a slash or a dot (`Makefile`) and a module without a package (`conftest`) could be any
word, and are not looked for.
"""

import posixpath
import re
from collections.abc import Iterable
from typing import Final

_NAME: Final = re.compile(r"(?<![\w./-])[\w-]*+[./][\w./-]+")
"""What a path, a dotted name or an address without its scheme is made of, from where it begins; words without a slash or a dot in them,
which is most of a text, are passed over."""

_SOURCE_FOLDER: Final = "src/"
"""A folder that no import names."""


def module_name(path: str) -> str | None:
    """The dotted name under which Python imports the file at `path`, or None when it has none or no package."""
    if not path.endswith(".py"):
        return None
    parts = path.removeprefix(_SOURCE_FOLDER).removesuffix(".py").removesuffix("/__init__").split("/")
    return ".".join(parts) if len(parts) > 1 and all(part.isidentifier() for part in parts) else None


class ChangedNames:
    """The names of what a change touched."""

    def __init__(self, changed: Iterable[str], modules: Iterable[str]) -> None:
        """`changed` are paths before and after the change, `modules` those of all Python files after it."""
        paths = set(changed)
        self._paths = {path for path in paths if "/" in path or "." in path}
        self._modules: dict[str, bool] = {}
        for path in (*modules, *paths):
            if (module := module_name(path)) is not None:
                self._modules[module] = self._modules.get(module, False) or path in paths
        self._deepest = max((path.count("/") + 1 for path in self._paths), default=0)
        self._longest = max((module.count(".") + 1 for module in self._modules), default=0)

    def named_in(self, text: str, page: str) -> bool:
        """Whether the text of the page at the path `page` names one of them."""
        folder = posixpath.dirname(page)
        return any(self._is_named(found.group(), folder) for found in _NAME.finditer(text))

    def _is_named(self, word: str, folder: str) -> bool:
        name = word.rstrip(".")
        if "/" not in name:
            return "." in name and (name in self._paths or posixpath.join(folder, name) in self._paths or self._module_changed(name))
        if name.startswith("//"):
            parts = name[2:].split("/")
            ends = range(max(1, len(parts) - self._deepest), len(parts))
            return any("/".join(parts[start:]) in self._paths for start in ends)
        return posixpath.normpath(name.lstrip("/")) in self._paths or posixpath.normpath(posixpath.join(folder, name)) in self._paths

    def _module_changed(self, name: str) -> bool:
        """Whether the module that a dotted name leads into was changed: the one with the longest name that it begins with."""
        parts = name.split(".")
        for length in range(min(len(parts), self._longest), 1, -1):
            changed = self._modules.get(".".join(parts[:length]))
            if changed is not None:
                return changed
        return False
