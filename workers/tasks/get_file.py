"""`codekeeper_get_file`: one saved file of the caller: whole, a range of its lines, where a text occurs in it, or by its headings."""

from typing import Any

from celery import shared_task

from shared.answer import render
from shared.tasks import GET_FILE
from shared.wire.call import Call
from shared.wire.get_file import GetFileArguments
from workers.resources import engine
from workers.run_call import run_call
from workers.saved_file.answer import answer_saved_file
from workers.saved_file.find import find_saved_file
from workers.saved_file.request import checked_read_request
from workers.store.transaction import reading_own


def get_file(arguments: GetFileArguments, call: Call) -> bytes:
    """The answer, its checks in the contract's order (GTF-42). What the caller doesn't have is `{"found": false}` (GTF-3, GTF-22, GTF-23).

    Raises:
        Refused: the codes of GTF section 11; `db_error`.
    """
    request = checked_read_request(arguments)
    if arguments.file_id is None and arguments.file_name is None:
        return render({"found": False})
    with reading_own(engine(), call.caller.user) as own:
        file = None if own is None else find_saved_file(own, call.caller.user, arguments)
    return render({"found": False}) if file is None else answer_saved_file(file, request)


@shared_task(name=GET_FILE.name, soft_time_limit=GET_FILE.soft_s, time_limit=GET_FILE.hard_s, acks_late=False, max_retries=0)
def get_file_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, GetFileArguments, get_file)
