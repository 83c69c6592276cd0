"""`codekeeper_list_repos`: which repositories are mirrored, and what their last sync found."""

from typing import Any

import structlog
from celery import shared_task
from sqlalchemy.exc import SQLAlchemyError

from shared.database import repositories
from shared.errors import ErrorCode, Refused
from shared.tasks import LIST_REPOS
from shared.wire.call import Call
from shared.wire.list_repos import ListReposArguments
from workers.lists import render_list
from workers.resources import engine
from workers.run_call import run_call

log = structlog.get_logger()


def list_repos(arguments: ListReposArguments, _call: Call) -> bytes:
    """The answer: `ok`, `count` and `repos` by name (PLT section 2.4).

    If it would not fit it is cut from its end and says `truncated` (PLT-95).

    Raises:
        Refused: `db_error` when the registry can't be read.
    """
    try:
        records = [found.record() for found in repositories.all_repositories(engine(), arguments.limit)]
    except SQLAlchemyError as error:
        log.warning("registry_unreadable", exc_info=True)
        raise Refused(ErrorCode.DB_ERROR, message="The registry can't be read just now; retry later.") from error
    return render_list(records, lambda shown: {"ok": True, "count": len(shown), "repos": shown})


@shared_task(name=LIST_REPOS.name, soft_time_limit=LIST_REPOS.soft_s, time_limit=LIST_REPOS.hard_s, acks_late=False, max_retries=0)
def list_repos_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, ListReposArguments, list_repos)
