"""What a process that runs tasks keeps for as long as it lives: the database's engine and the secret policy.

Made at first use, so that no connection is inherited over a fork.
"""

from functools import cache

from sqlalchemy import Engine

from shared.database.engine import open_engine
from shared.secret_paths import SecretPaths
from shared.settings import settings


@cache
def engine() -> Engine:
    """This process's engine."""
    return open_engine(settings().database)


@cache
def secret_paths() -> SecretPaths:
    """The secret policy with the operator's patterns."""
    return SecretPaths(settings().denylist_extra)
