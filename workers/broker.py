"""How a worker comes back to Redis: Celery's waits of 2, 4, 6 … 30 s between two attempts can't be set, so they are replaced here."""

from typing import Any, Final

from celery.app.amqp import AMQP
from kombu import Connection

RECONNECT_FIRST_S: Final = 0.2
"""Seconds before the first attempt to connect again; each further one waits as much longer."""

RECONNECT_MOST_S: Final = 1.0
"""Seconds between two attempts, at most: a call that comes after Redis is back finds its worker within about a second."""


class PromptConnection(Connection):
    """A connection to the broker that is tried again soon, and for ever."""

    def ensure_connection(self, *args: Any, **options: Any) -> Any:
        """As in kombu, with this file's waits unless the caller states others."""
        waits = {"interval_start": RECONNECT_FIRST_S, "interval_step": RECONNECT_FIRST_S, "interval_max": RECONNECT_MOST_S}
        return super().ensure_connection(*args, **(waits | options))


class PromptAMQP(AMQP):
    """Celery's messaging on such connections."""

    Connection = PromptConnection
