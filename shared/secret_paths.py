"""The secret policy: which paths no tool shows, whatever is in them. One list for reads, listings and search (REF-72 to REF-79)."""

import posixpath
import re
from collections.abc import Iterable
from fnmatch import translate
from functools import lru_cache
from typing import Final

SECRET_PATTERNS: Final = (
    ".env*",
    "*.pem",
    "*.key",
    "id_rsa*",
    "id_ed25519*",
    "id_ecdsa*",
    "id_dsa*",
    "secrets.*",
    "credentials*",
    "*.p12",
    "*.pfx",
    ".netrc",
    ".npmrc",
    "*.keystore",
    "*.jks",
)
"""The built-in globs (REF-75). `CODEKEEPER_DENYLIST_EXTRA` adds to them and can remove none."""


class SecretPaths:
    """The policy of one process: the built-in patterns and the operator's."""

    def __init__(self, extra: Iterable[str] = ()) -> None:
        """`extra` are more globs; each is stripped and case-folded, empty ones are dropped (REF-76)."""
        added = (pattern.strip().casefold() for pattern in extra)
        self.patterns = (*SECRET_PATTERNS, *(pattern for pattern in added if pattern))
        self._glob = re.compile("|".join(translate(pattern) for pattern in self.patterns))
        # Folders recur in every path below them; their verdicts are worth keeping.
        self._component_is_secret = lru_cache(maxsize=4_096)(self._matches)

    def _matches(self, text: str) -> bool:
        return self._glob.match(text) is not None

    def denies(self, path: str) -> bool:
        """Whether `path` is never shown: a pattern matches it whole, or any component of it, whatever the case (REF-77, REF-79).

        Fails closed: an empty path, `.` and `..` count as secret (REF-78).
        """
        normal = posixpath.normpath(path.replace("\\", "/")).casefold().lstrip("/") if path else ""
        if normal in {"", ".", ".."}:
            return True
        return self._matches(normal) or any(map(self._component_is_secret, normal.split("/")))
