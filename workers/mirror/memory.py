"""Was memory what a failed look into a mirror lacked? libgit2 says so in many ways, and sometimes says that nothing is there.

Under a limit on its address space a pack's index or window can't be mapped. An index that can't be mapped is passed over, so that
its objects are "not found"; a window becomes a `ValueError` about the ref or an `OSError`.
"""

from pathlib import Path
from typing import Final

from shared.settings import settings
from workers.own_memory import address_space_left

WINDOW_BYTES: Final = 32 * 1024 * 1024
"""Bytes of one window on a pack. Under an address space limit the default of 1 GiB can't map a large pack."""

_WORDS: Final = ("Cannot allocate memory", "Out of memory", "out of memory")
"""What libgit2 and the system say."""


def mirror_path(mirrors_dir: Path, name: str) -> Path:
    """Where the mirror of `name` is or would be (PLT-122). The name must have passed `check_repo_name`."""
    return mirrors_dir / f"{name}.git"


def raise_if_memory_was_short(repo: str, error: BaseException | None) -> None:
    """To be called where a look into the mirror of `repo` failed with `error`, or found nothing.

    Raises:
        MemoryError: `error` says that memory was short, or this process could not map the mirror's largest index or a window on a pack
            now, so that nothing it says of the mirror can be believed.
    """
    if isinstance(error, MemoryError) or any(words in str(error) for words in _WORDS):
        raise MemoryError from error
    left = address_space_left()
    if left is not None and left < _largest_mapping(mirror_path(settings().mirrors_dir, repo)):
        raise MemoryError from error


def _largest_mapping(mirror: Path) -> int:
    """Bytes that a read of that mirror may still have to map at once."""
    try:
        there = Path("/proc/self/maps").read_text(encoding="utf-8", errors="replace")
        packs = [(found.name, found.stat().st_size) for found in (mirror / "objects" / "pack").iterdir()]
    except OSError:
        return 0
    indexes = [size for name, size in packs if name.endswith(".idx") and name not in there]
    return max(*indexes, *(min(size, WINDOW_BYTES) for name, size in packs if name.endswith(".pack")), 0, 0)
