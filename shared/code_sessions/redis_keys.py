"""Where sessions are in Redis: names that the worker, which writes them, and the gateway, which reads them, agree on. All keys expire."""

from typing import Final

RUN_PREFIX: Final = "ck:code:run:"
"""A hash for each live session under its `runId`: `USER`, `SESSION` and `TEXT`."""

BUSY_PREFIX: Final = "ck:code:busy:"
"""The id of the call that holds the session of that `runId`; it expires by itself, so that a killed worker holds nothing for long."""

USER_PREFIX: Final = "ck:code:user:"
"""A sorted set for each user: the `runId`s of live sessions, and some that are gone, by the microsecond of their success."""

USER: Final = "user"
"""Whose session it is."""

SESSION: Final = "session"
"""The `Session` as JSON."""

TEXT: Final = "text"
"""The resource."""
