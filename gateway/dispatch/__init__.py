"""How the gateway hands calls to workers, embedded or hosted; the settings alone decide."""

from gateway.dispatch.task_sender import TaskSender
from shared.settings import Settings


def make_sender(settings: Settings, *, prepares_database: bool = False) -> TaskSender:
    """The sender for these settings: through Redis when `CODEKEEPER_REDIS_URL` is set, else on threads of this process.

    `prepares_database`: whether the first task here waits until the database's schema is up to date, as a worker of the hosted form sees to
    at its start. For commands that haven't seen to it themselves.
    """
    # Each form is imported only when it runs: the hosted one has no use for the threads, the embedded one none for Redis.
    if settings.redis_url is None:
        from gateway.dispatch.embedded_sender import EmbeddedSender  # noqa: PLC0415

        return EmbeddedSender(settings, prepares_database=prepares_database)
    from gateway.dispatch.celery_sender import CelerySender  # noqa: PLC0415

    return CelerySender(settings)
