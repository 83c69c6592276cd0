"""`codekeeper_get_repo_file`: one file of a mirror at a ref: whole, a range of its lines, or its map."""

from typing import Any

from celery import shared_task

from shared.settings import settings
from shared.tasks import GET_REPO_FILE
from shared.wire.call import Call
from shared.wire.get_repo_file import GetRepoFileArguments
from workers.docs_gate import docs_policies
from workers.files.answer import answer_file
from workers.files.load import load_file
from workers.files.request import checked_file_request
from workers.mirror.mirrors import Mirrors
from workers.resources import engine
from workers.run_call import run_call


def get_repo_file(arguments: GetRepoFileArguments, _call: Call) -> bytes:
    """The answer, its checks in the contract's order (GRF, "Order of the checks"; REF-33).

    Raises:
        Refused: any code of that table.
    """
    request = checked_file_request(arguments)
    mirrors = Mirrors(settings().mirrors_dir, engine())
    with mirrors.a_sync_may_explain(arguments.repo):
        opened = mirrors.open(arguments.repo, arguments.ref, arguments.path)
        loaded = load_file(opened, arguments.path, request.ceiling)
    return answer_file(loaded, request, docs_policies)


@shared_task(name=GET_REPO_FILE.name, soft_time_limit=GET_REPO_FILE.soft_s, time_limit=GET_REPO_FILE.hard_s, acks_late=False, max_retries=0)
def get_repo_file_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, GetRepoFileArguments, get_repo_file)
