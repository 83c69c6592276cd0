"""What a search leaves out, as negative pathspecs of git: the secret policy's patterns, and external code (SRC-47, SRC-49, SRC-68).

The policy is written in Python's globs, tried on the full path and on every component. Git's wildmatch is near enough to say the same,
with two aids: without `:(glob)` a star crosses directories, as Python's does, and is matched twice as fast as `**/` is
(on 50,000 paths the built-in list costs 0.19 s, in `**/` form 0.42).
"""

from collections.abc import Iterable, Iterator
from typing import Final

VENDORED_PATH_GLOBS: Final = (
    ":(exclude)node_modules/*",
    ":(exclude)*/node_modules/*",
    ":(exclude)*.bundle.js",
    ":(exclude)*.min.js",
    ":(exclude)*.min.css",
    ":(exclude)*.map",
)
"""External code and compiled files (SRC-49): what is below a folder `node_modules`, and files by their suffix."""

_WILD: Final = frozenset("*?[")


def policy_pathspecs(patterns: Iterable[str]) -> list[str]:
    """The pathspecs that exclude what the patterns of `SecretPaths` deny.

    They exclude no path that the policy would show, but for names beyond ASCII under a pattern with `?` or `[`, where git sees bytes. What
    they miss (a backslash in a name, letters that only Unicode folds), the policy itself takes out of the results.
    """
    return [pathspec for pattern in patterns for pathspec in _pathspecs(pattern)]


def _pathspecs(pattern: str) -> Iterator[str]:
    segments = pattern.split("/")
    # The policy looks at paths without such parts and without backslashes, so these patterns match nothing; git would resolve them.
    if {"", ".", ".."} & set(segments) or "\\" in pattern:
        return
    if len(segments) > 1:
        yield _whole(pattern)
    elif _WILD.isdisjoint(pattern.strip("*")):
        yield from _components(pattern)
    else:
        yield _whole(pattern)
        yield from (f":(exclude,icase,glob)**/{_sets(pattern)}{below}" for below in ("", "/**"))


def _components(pattern: str) -> Iterator[str]:
    """For a pattern with stars at its ends only: a component that it matches, at the path's start or after a slash, and what is below."""
    for before in ("",) if pattern.startswith("*") else ("", "*/"):
        for below in ("",) if pattern.endswith("*") else ("", "/*"):
            yield f":(exclude,icase){before}{pattern}{below}"


def _whole(pattern: str) -> str:
    """A pattern for the full path. Git would take one without wildcards for a folder too, so its last character is escaped."""
    return f":(exclude,icase){_sets(pattern) if not _WILD.isdisjoint(pattern) else f'{pattern[:-1]}{chr(92)}{pattern[-1]}'}"


def _sets(pattern: str) -> str:
    """Python negates a set with `!` alone, git with `^` too."""
    return pattern.replace("[^", "[\\^")
