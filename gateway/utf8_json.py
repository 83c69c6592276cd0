"""JSON over HTTP as compact UTF-8 in every revision: for 2026-07-28 the SDK escapes all but ASCII, and 256 KB of Hebrew become 768."""

import json
from types import SimpleNamespace
from typing import Any

from mcp.server import _streamable_http_modern as transport


def dumps(value: Any, **options: Any) -> str:
    """As `json.dumps`, but characters stand as themselves; escaped as before only where a lone surrogate can't be sent otherwise."""
    text = json.dumps(value, ensure_ascii=False, **options)
    try:
        text.encode()
    except UnicodeEncodeError:  # an error message that echoes what a caller sent
        return json.dumps(value, **options)
    return text


def send_utf8() -> None:
    """Let the SDK's transport use it. There is no setting for this; a test reads the bytes, should the SDK's inside change."""
    transport.json = SimpleNamespace(**{**vars(json), "dumps": dumps})  # type: ignore[assignment, attr-defined]
