"""What was made from a blob, kept on this host's disk under the blob's object id and the maker's version: it can't be stale (DESIGN).

One file for each, in 256 folders of the data folder's `cache`. A file appears whole, by a rename, and is only read or removed after that,
so that all processes and threads of a host share the folder without a lock and over any fork. A cache that can't be used costs the work
again and never an answer.
"""

import json
import zlib
from collections.abc import Callable
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any, Final

import structlog

from shared.settings import settings

log = structlog.get_logger()

CACHE_BYTES: Final = 128 * 1024 * 1024
"""Bytes on disk of all that is kept. The map of a document takes one block, or 200 KB when it holds 50,000 headings."""

_FOLDERS: Final = 256
"""Folders that share `CACHE_BYTES` evenly. The oldest files of one are removed when it holds too much: no write looks at more than one."""

_BLOCK_BYTES: Final = 4_096
"""What a file is counted in: the least that it takes on a disk."""

_UNREADABLE: Final = (OSError, ValueError, zlib.error)
"""How a file shows that can't be read, or was cut off, damaged or left by somebody else. zlib's checksum covers every byte."""


def maker_version(sources: Path, *libraries: str) -> str:
    """A version that changes by itself, with any Python file under the folder `sources` and with the release of every library named."""
    digest = sha256()
    for path in sorted(sources.rglob("*.py")):
        digest.update(path.relative_to(sources).as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    for library in libraries:
        digest.update(f"{library} {version(library)}\0".encode())
    return digest.hexdigest()[:16]


def kept(blob_id: str, made_by: str, make: Callable[[], Any]) -> Any:
    """The JSON value that `make` gives for the blob, from the cache when a maker of the same version made it before.

    `blob_id` is hexadecimal, and `made_by` names a maker and its version, in letters, digits and dashes. Tuples come back as lists.

    Raises whatever `make` raises; then nothing is kept.
    """
    file = settings().data_dir / "cache" / blob_id[:2] / f"{blob_id}.{made_by}"
    try:
        return json.loads(zlib.decompress(file.read_bytes()))
    except FileNotFoundError:
        pass
    except _UNREADABLE:
        log.warning("cache_unreadable", exc_info=True)
    made = make()
    data = zlib.compress(json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass"), 1)
    try:
        _keep(file, data)
    except OSError:
        log.warning("cache_unwritable", exc_info=True)
    return made


def _keep(file: Path, data: bytes) -> None:
    """Write a file in one step, and remove the oldest beside it that are too much."""
    most = CACHE_BYTES // _FOLDERS
    if _on_disk(len(data)) > most:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    _remove_oldest(file.parent, most - _on_disk(len(data)))
    with NamedTemporaryFile(dir=file.parent, delete=False) as new:
        try:
            new.write(data)
            new.close()
            Path(new.name).replace(file)
        except BaseException:
            Path(new.name).unlink(missing_ok=True)
            raise


def _remove_oldest(folder: Path, most: int) -> None:
    """Leave at most `most` bytes of files in a folder, the newest. What a killed process left half written ages like any other."""
    found: list[tuple[int, int, Path]] = []
    for path in folder.iterdir():
        try:
            state = path.stat()
        except FileNotFoundError:  # another process removed or renamed it
            continue
        found.append((state.st_mtime_ns, _on_disk(state.st_size), path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found):
        if total <= most:
            break
        path.unlink(missing_ok=True)
        total -= size


def _on_disk(size: int) -> int:
    return -(-size // _BLOCK_BYTES) * _BLOCK_BYTES
