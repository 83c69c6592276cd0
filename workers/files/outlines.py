"""The map of a file's symbols, kept by blob id: the second look at a file costs no parse."""

import platform
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from typing import Final

from workers import parsing
from workers.blob_cache import kept, maker_version
from workers.mirror.read_blob import BlobEntry
from workers.parsing.outline import NoOutline, Symbol
from workers.parsing.registry import has_scanner, scan

_VERSION: Final = f"{maker_version(Path(parsing.__path__[0]))}-{platform.python_version().replace('.', '-')}"
"""All scanners' sources, and the Python whose grammar reads Python files."""


def outlined(path: str, entry: BlobEntry, text: Callable[[], str]) -> list[Symbol]:
    """The symbols of the file at `path` in their order (OUT-6), whose entry this is; its decoded text is asked for only to be scanned.

    Raises:
        NoOutline: there is no map, as for a link (GRF-72). Such a file is scanned again the next time: a `MemoryError` may be this
            process's alone.
    """
    if entry.is_link or not has_scanner(path):
        raise NoOutline("unsupported_language")
    language = PurePosixPath(path).suffix.lower().replace(".", "-")
    found = kept(str(entry.id), f"outline{language}-{_VERSION}", lambda: [(one.name, one.start, one.end) for one in scan(path, text())])
    return [Symbol(*row) for row in found]
