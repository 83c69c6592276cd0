"""The scan of a whole text for secrets before any of it is given: detect-secrets' plug-ins with their defaults, entropy off (RCC-41).

Only whether there is something is kept, never what. No plug-in asks the network whether a secret works: detect-secrets does that for a
filter that isn't in its settings here. Nothing in a text can vouch for it: names of lock files and `pragma: allowlist` count for nothing.
"""

import re
import time
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Final

from detect_secrets.core.plugins.util import get_mapping_from_secret_type_to_class
from detect_secrets.filters import heuristic
from detect_secrets.plugins.base import BasePlugin
from detect_secrets.plugins.high_entropy_strings import HighEntropyStringsPlugin
from detect_secrets.plugins.keyword import DENYLIST, KeywordDetector
from detect_secrets.util.filetype import determine_file_type

from workers.blob_cache import kept, maker_version

WINDOW_CHARS: Final = 4_096
"""Characters that the plug-ins see at once: their expressions are quadratic in a line, and a file can be one line. A call of an expression
can't be interrupted, so this bounds the longest one. A longer line is seen in windows that overlap."""

OVERLAP_CHARS: Final = 2_048
"""Characters that two windows have in common: a secret up to this long stands whole in one of them."""

MAX_WORD_WORK: Final = 400_000
"""Keywords in one word (`secretsecret…`) times its characters, summed over a window: what the keyword plug-in's time there is proportional
to. `infra/bench/scan_cost.py` measures it: this much took 0.3 s on 2026-12-01, and no line of the standard library has a thousandth."""

MAX_SCAN_S: Final = 6.0
"""CPU seconds of one call's scans: ordinary code of 6 MB, and less than half of a task's soft limit."""

_LINE: Final = re.compile(r"[^\r\n]+")

MAX_BLANKS: Final = 16
"""Blanks in a row that the plug-ins see of a longer run: some expressions are cubic in them, and none tells so many from more. 4,000 behind
a keyword took 286 s on 2026-12-01."""

_BLANKS: Final = re.compile(f"(?<=\\s{{{MAX_BLANKS}}})\\s+")
"""Those that are left out."""

_KEYWORD: Final = re.compile("|".join(DENYLIST), re.IGNORECASE)
"""What the keyword plug-in can't find anything without."""

_LONG_WORD: Final = re.compile(r"\w{64,}")

_VERSION: Final = maker_version(Path(__file__).parent, "detect-secrets")


class Unscanned(Exception):  # noqa: N818 - an answer
    """The scan would take too long, so nothing of the text is given: `resource-limit` (RCC-13)."""


class SecretScan:
    """The scans of one call, which share `MAX_SCAN_S`."""

    def __init__(self) -> None:
        self._spent_s = 0.0

    def finds(self, path: str, text: str, blob_id: str | None = None) -> bool:
        """Whether the text, of a file with that path, holds something that looks like a secret. The verdict on a blob is kept.

        Raises:
            Unscanned: the text is made to be slow, or this call's texts are too long together.
        """
        if blob_id is None:
            return self._look(path, text)
        kind = determine_file_type(path).name.lower().replace("_", "-")  # all that a plug-in makes of a path
        return bool(kept(blob_id, f"secrets-{kind}-{_VERSION}", lambda: self._look(path, text)))

    def _look(self, path: str, text: str) -> bool:
        began = time.thread_time()
        try:
            for line in _lines(text):
                if time.thread_time() - began + self._spent_s > MAX_SCAN_S:
                    raise Unscanned
                if _finds(path, line):
                    return True
            return False
        finally:
            self._spent_s += time.thread_time() - began


def _lines(text: str) -> Iterator[str]:
    """The text's lines as detect-secrets reads a file's (a lone CR ends one too), long ones in windows, long runs of blanks shortened."""
    for found in _LINE.finditer(text):
        stripped = _BLANKS.sub("", found[0].rstrip())
        for start in range(0, max(len(stripped) - OVERLAP_CHARS, 1), WINDOW_CHARS - OVERLAP_CHARS):
            yield stripped[start : start + WINDOW_CHARS]


def _finds(path: str, line: str) -> bool:
    has_keyword = _KEYWORD.search(line) is not None
    if has_keyword and sum(len(_KEYWORD.findall(word)) * len(word) for word in _LONG_WORD.findall(line)) > MAX_WORD_WORK:
        raise Unscanned
    for plugin in _plugins():
        is_keyword = isinstance(plugin, KeywordDetector)
        if is_keyword and not has_keyword:
            continue
        for found in plugin.analyze_line(filename=path, line=line):
            secret = found.secret_value or ""
            if not _is_harmless(secret, line, plugin) and not (is_keyword and heuristic.is_indirect_reference(line)):
                return True
    return False


def _is_harmless(secret: str, line: str, plugin: BasePlugin) -> bool:
    """What detect-secrets' filters make of a finding by itself: a blank to fill in, a sequence, an id.

    Its filter of whole lines that call a function (`key = read(...)`) is kept for keywords alone: it would pass `connect("AKIA...")`.
    """
    return (
        heuristic.is_templated_secret(secret)
        or heuristic.is_prefixed_with_dollar_sign(secret)
        or heuristic.is_not_alphanumeric_string(secret)
        or heuristic.is_sequential_string(secret)
        or heuristic.is_potential_uuid(secret)
        or heuristic.is_likely_id_string(secret, line, plugin)
    )


@cache
def _plugins() -> tuple[BasePlugin, ...]:
    """Every plug-in that detect-secrets brings, but those that judge by entropy."""
    kinds: Iterable[type[BasePlugin]] = get_mapping_from_secret_type_to_class().values()
    return tuple(kind() for kind in kinds if not issubclass(kind, HighEntropyStringsPlugin))
