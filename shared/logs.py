"""How the gateway and the workers log: one JSON object a line on stderr, an event with a constant name and its fields beside it."""

import logging
import sys
from typing import Any, Final

import structlog

_QUIET: Final = ("celery", "kombu", "billiard", "amqp", "uvicorn.access", "httpx", "mcp", "alembic")
"""Loggers that are heard from WARNING on. Celery's own line for a task that ended carries the answer's text, which a log must not."""

_BEFORE_RENDERING: Final[list[Any]] = [
    structlog.contextvars.merge_contextvars,
    structlog.stdlib.add_log_level,
    structlog.stdlib.add_logger_name,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
    structlog.processors.StackInfoRenderer(),
    structlog.processors.format_exc_info,
]
"""What every line passes, whether structlog's or the standard library's. A record's `extra` is left out: Celery puts arguments there."""


def configure_logging(level: int = logging.INFO) -> None:
    """Send this process's log, from `level` on, to stderr as JSON lines. Calling it again changes nothing but the level.

    stdout stays free for what a command answers. An exception is written with its traceback as text, without local variables.
    """
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=_BEFORE_RENDERING,
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.JSONRenderer(ensure_ascii=False, default=repr),
            ],
        )
    )
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(level)
    for name in _QUIET:
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.captureWarnings(capture=True)
    structlog.configure(
        processors=[*_BEFORE_RENDERING, structlog.stdlib.ProcessorFormatter.wrap_for_formatter],
        logger_factory=structlog.stdlib.LoggerFactory(),
        wrapper_class=structlog.stdlib.BoundLogger,
        cache_logger_on_first_use=False,
    )
