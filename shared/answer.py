"""The form in which every answer is sent, and its measure: compact JSON in UTF-8, rendered once.

What `render` returns is byte for byte what goes out as the tool's one text block (PLT-91, as settled in the contract's README).
"""

import json
from collections.abc import Mapping
from typing import Final

from shared.errors import ErrorCode, Refused
from shared.limits import OUTPUT_BYTE_BUDGET

_BLOCK_CHARS: Final = 65_536
"""Characters that are measured at once: no text is rendered whole to be told that it is too long."""


def render(answer: Mapping[str, object]) -> bytes:
    """The answer as it is sent. Its length in bytes is its size; there is no other measure.

    Non-ASCII characters stand as themselves. A lone surrogate, which UTF-8 can't carry, is written as JSON's `\\udXXX`.
    """
    return json.dumps(answer, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace")


def fits(sent: bytes) -> bool:
    """Whether a rendered answer is within `OUTPUT_BYTE_BUDGET`."""
    return len(sent) <= OUTPUT_BYTE_BUDGET


def is_refusal(sent: bytes) -> bool:
    """Whether a rendered answer is a refusal's. Its first bytes say so: an answer isn't parsed again to know what it is."""
    return sent.startswith(b'{"ok":false,')


def too_large(sent: bytes) -> Mapping[str, object]:
    """The net behind all tools (PLT-97): what stands in for an answer that no tool should have let out."""
    return Refused(ErrorCode.ANSWER_TOO_LARGE, bytes=len(sent), max=OUTPUT_BYTE_BUDGET).answer()


def text_size(text: str) -> int:
    """Bytes that `text` takes inside an answer: its JSON string, without the two quotes."""
    blocks = (text[at : at + _BLOCK_CHARS] for at in range(0, len(text), _BLOCK_CHARS))
    return sum(len(json.dumps(block, ensure_ascii=False).encode("utf-8", "backslashreplace")) - 2 for block in blocks)
