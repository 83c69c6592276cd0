"""What the task `codekeeper.ready` takes and answers: the parts of the service that only a worker can see."""

from enum import StrEnum

from pydantic import BaseModel, ConfigDict

from shared.wire.text import Arguments


class Part(StrEnum):
    """How one part of the service is."""

    OK = "ok"
    UNAVAILABLE = "unavailable"
    UNKNOWN = "unknown"
    """It could not be looked at, because another part was unavailable."""


class ReadyArguments(Arguments):
    """None."""


class WorkerParts(BaseModel):
    """What a worker found. A count is None when it could not be made."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    database: Part
    mirrors: Part
    mirrors_registered: int | None = None
    """Repositories that were synced at least once, so that this host should have a mirror of each."""
    mirrors_present: int | None = None
    """Those of them whose mirror's folder is here."""

    @property
    def ok(self) -> bool:
        """Whether a call can be answered, as far as a worker sees."""
        return self.database is Part.OK and self.mirrors is Part.OK
