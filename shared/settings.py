"""The settings: the only reader of the environment, once, at start. The README's table is held against this file by a test."""

import json
import re
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field, SecretStr, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from shared.limits import CODE_TOKENS_DEFAULT, CODE_TOKENS_MAX, MIN_SYNC_INTERVAL_S
from shared.store_limits import MAX_CODE_SIZE_DEFAULT


def _split(value: Any) -> Any:
    """A comma-separated value as a list: entries stripped, empty ones dropped."""
    return [entry.strip() for entry in value.split(",") if entry.strip()] if isinstance(value, str) else value


_SIZE: Final = re.compile(r"([0-9]{1,18})([KMGkmg]?)")
"""How a size is written."""

CommaSeparated = Annotated[tuple[str, ...], NoDecode]


class Settings(BaseSettings):
    """What an operator can set. Every name has the prefix `CODEKEEPER_` in the environment."""

    model_config = SettingsConfigDict(
        env_prefix="CODEKEEPER_", extra="ignore", env_ignore_empty=True, frozen=True, hide_input_in_errors=True
    )

    data_dir: Path = Field(default=Path("data"), description="Folder of mirrors, the SQLite file and the local token.")
    redis_url: str | None = Field(default=None, repr=False, description="Redis of the hosted form; not set, tasks run embedded.")
    database_url: str | None = Field(
        default=None,
        repr=False,
        description="SQLAlchemy address of the database, `sqlite:///FILE` or `postgresql://...`; not set, `DATA_DIR/codekeeper.sqlite3`.",
    )
    host: str = Field(default="127.0.0.1", description="Address the gateway listens on.")
    port: int = Field(default=8765, ge=0, le=65535, description="Port the gateway listens on; 0 takes a free one.")
    allowed_hosts: CommaSeparated = Field(
        default=(), description="Host headers to accept, comma-separated: `name` or `name:*`; off a loopback address, set = checked."
    )
    admin_users: CommaSeparated = Field(default=(), description="Users who may use the admin tools, comma-separated; empty means nobody.")
    docs_repos: CommaSeparated = Field(
        default=(), description="Repositories served as documentation, comma-separated; the first is read when a call names none."
    )
    denylist_extra: CommaSeparated = Field(
        default=(), description="Glob patterns of secret paths beside the built-in ones, comma-separated."
    )
    secret_scan: bool = Field(
        default=True, description="Whether a file's text is scanned for secrets before code of it is given; `0` is said in every answer."
    )
    code_context_tokens: int = Field(
        default=CODE_TOKENS_DEFAULT,
        ge=1,
        le=CODE_TOKENS_MAX,
        description=f"Tokens that a session of `read_code_context` may deliver, at most {CODE_TOKENS_MAX}; a call can only lower it.",
    )
    clone_protocols: CommaSeparated = Field(
        default=(), description="Protocols a mirror may be cloned over; not set, `https,ssh`, and `file` when embedded."
    )
    github_token: SecretStr | None = Field(default=None, description="Token for private repositories on github.com.")
    github_tokens: Annotated[dict[str, SecretStr], NoDecode] = Field(
        default={}, description="The same by owner: `owner=token` pairs, comma-separated, or a JSON object."
    )
    token: SecretStr | None = Field(default=None, description="Token that `codekeeper call --url` sends.")
    autosync: bool = Field(default=True, description="Whether the schedule syncs; `0` leaves it to `codekeeper repo sync`.")
    sync_interval: int = Field(default=300, description=f"Seconds between two passes over all mirrors; at least {MIN_SYNC_INTERVAL_S}.")
    read_pool: int = Field(default=2, ge=1, description="Pool processes for reads (threads when embedded).")
    batch_pool: int = Field(default=1, ge=1, description="Pool processes for batch review jobs.")
    sync_pool: int = Field(default=1, ge=1, description="Pool processes for syncs.")
    max_code_size: int = Field(
        default=MAX_CODE_SIZE_DEFAULT, ge=1_000, le=10_000_000, description="Characters of a saved file, 1,000 to 10,000,000."
    )
    memory_limit: int | None = Field(
        default=None,
        gt=0,
        description="Memory for all processes together: bytes, or with `K`, `M`, `G`; not set, the control group's limit or all there is.",
    )
    rate_limit: str | None = Field(
        default=None,
        pattern=r"^[1-9]\d{0,6}/[1-9]\d{0,4}$",
        description="Units per user in a moving window: `units/seconds`; not set, 60 for every CPU in 60 seconds.",
    )

    @field_validator("allowed_hosts", "admin_users", "docs_repos", "denylist_extra", "clone_protocols", mode="before")
    @classmethod
    def _comma_separated(cls, value: Any) -> Any:
        return _split(value)

    @field_validator("memory_limit", mode="before")
    @classmethod
    def _bytes(cls, value: Any) -> Any:
        """A size as bytes: digits, and `K`, `M` or `G` (of 1024), in either case."""
        if not isinstance(value, str):
            return value
        written = _SIZE.fullmatch(value.strip())
        if written is None:
            raise ValueError("expected bytes, or a whole number with K, M or G")
        return int(written[1]) * 1024 ** " KMG".index(written[2].upper() or " ")

    @field_validator("sync_interval")
    @classmethod
    def _not_too_often(cls, value: int) -> int:
        return max(value, MIN_SYNC_INTERVAL_S)

    @field_validator("github_tokens", mode="before")
    @classmethod
    def _by_owner(cls, value: Any) -> Any:
        """Owner to token. A malformed value stops the start; a token dropped in silence would look like a missing repository."""
        if not isinstance(value, str) or not value.strip():
            return value or {}
        if value.lstrip().startswith("{"):
            return json.loads(value)
        pairs = [entry.partition("=") for entry in _split(value)]
        if not all(owner and token for owner, _, token in pairs):
            raise ValueError("expected owner=token pairs, comma-separated")
        return {owner.strip(): token.strip() for owner, _, token in pairs}

    @property
    def embedded(self) -> bool:
        """Whether tasks run in the gateway's own process."""
        return self.redis_url is None

    @property
    def mirrors_dir(self) -> Path:
        """Folder of the bare mirrors, one `NAME.git` each (PLT-122)."""
        return self.data_dir / "mirrors"

    @property
    def search_dir(self) -> Path:
        """Folder of what searches use beside the mirrors, made by syncs and safe to delete: one folder for each repository."""
        return self.data_dir / "search"

    @property
    def database(self) -> str:
        """SQLAlchemy address of the database in use."""
        return self.database_url or f"sqlite:///{(self.data_dir / 'codekeeper.sqlite3').absolute()}"

    @property
    def protocols(self) -> tuple[str, ...]:
        """Protocols a mirror may be cloned over."""
        return self.clone_protocols or (("https", "ssh", "file") if self.embedded else ("https", "ssh"))

    @property
    def rate_units_and_seconds(self) -> tuple[int, int] | None:
        """The rate limit as (units, seconds of the window), if the operator set one; what else holds is `shared/budget.py`'s to say."""
        if self.rate_limit is None:
            return None
        units, seconds = self.rate_limit.split("/")
        return int(units), int(seconds)

    def pool_of(self, queue: str) -> int:
        """Width of the pool that serves a queue."""
        return {"read": self.read_pool, "batch": self.batch_pool, "sync": self.sync_pool}[queue]


@cache
def settings() -> Settings:
    """This process's settings, read at the first use.

    Raises:
        pydantic.ValidationError: a variable has a value that can't be used; the message names it.
    """
    return Settings()
