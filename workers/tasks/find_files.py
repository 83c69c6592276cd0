"""The tools that find and list saved files: `codekeeper_list_files`, `codekeeper_search_code`, `codekeeper_list_versions`."""

from collections.abc import Sequence
from typing import Any, Final

from celery import shared_task
from sqlalchemy import Row

from shared.store_limits import LIST_VERSIONS_MAX
from shared.tasks import LIST_FILES, LIST_VERSIONS, SEARCH_CODE
from shared.wire.call import Call
from shared.wire.saved_file_lists import ListFilesArguments, ListVersionsArguments, SearchCodeArguments
from workers.finding.files import files_with_words, page_of_files, versions_of
from workers.finding.page import EMPTY_PAGE
from workers.finding.query import check_query
from workers.lists import render_list, render_page
from workers.resources import engine
from workers.run_call import run_call
from workers.store.records import file_record
from workers.store.text import is_storable
from workers.store.transaction import reading_own
from workers.store.words import words_of
from workers.store.write_files import check_file_name

_HIT: Final = (
    "id", "file_name", "programming_language", "language", "updated_at", "description", "tags", "is_favorite", "favorited_at",
)  # fmt: skip
"""What a hit of the search shows of a file (SCN-13)."""


def list_files(arguments: ListFilesArguments, call: Call) -> bytes:
    """The answer: `files`, `total`, `page` and `per_page`.

    Raises:
        Refused: `db_error`, `page_too_large`.
    """
    with reading_own(engine(), call.caller.user) as own:
        page = EMPTY_PAGE if own is None else page_of_files(own, arguments.page, arguments.per_page)
    files = [file_record(row) for row in page.rows]
    counters = {"total": page.total, "page": page.number, "per_page": arguments.per_page}
    return render_page({"files": files, **counters}, arguments.per_page)


def search_code(arguments: SearchCodeArguments, call: Call) -> bytes:
    """The answer: `query`, `count` and `results`, and `truncated` when more files match than are returned (SCN-12 to SCN-14).

    Raises:
        Refused: `query_too_long`, `invalid_query`, `db_error`.
    """
    check_query(arguments.query)
    rows = _with_words(words_of([arguments.query]), arguments, call)
    hits = [{name: value for name, value in file_record(row).items() if name in _HIT} for row in rows[: arguments.limit]]
    return render_list(
        hits, lambda shown: {"query": arguments.query, "count": len(shown), "results": shown}, more=len(rows) > arguments.limit
    )


def _with_words(words: Sequence[str], arguments: SearchCodeArguments, call: Call) -> Sequence[Row[Any]]:
    """As many files as are shown, and one more if there is one."""
    if not words or not is_storable(arguments.language or ""):
        return []
    with reading_own(engine(), call.caller.user) as own:
        if own is None:
            return []
        return own.connection.execute(files_with_words(own, words, arguments.language, arguments.limit + 1)).all()


def list_versions(arguments: ListVersionsArguments, call: Call) -> bytes:
    """The answer: `file_name`, `count` and `versions`, the newest first; when not all are shown, `total` and `truncated` too.

    Raises:
        Refused: `missing_file_name`, `file_name_too_long`, `db_error`.
    """
    name = arguments.file_name
    check_file_name(name)
    rows: Sequence[Row[Any]] = []
    if is_storable(name):
        with reading_own(engine(), call.caller.user) as own:
            rows = [] if own is None else versions_of(own, name, LIST_VERSIONS_MAX)
    versions = [file_record(row) for row in rows]
    total = versions[0]["version"] if versions else 0

    def answer(shown: Sequence[dict[str, Any]]) -> dict[str, Any]:
        cut = {} if len(shown) == total else {"total": total}
        return {"file_name": name, "count": len(shown), "versions": shown, **cut}

    return render_list(versions, answer, more=total > len(versions))


@shared_task(name=LIST_FILES.name, soft_time_limit=LIST_FILES.soft_s, time_limit=LIST_FILES.hard_s, acks_late=False, max_retries=0)
def list_files_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, ListFilesArguments, list_files)


@shared_task(name=SEARCH_CODE.name, soft_time_limit=SEARCH_CODE.soft_s, time_limit=SEARCH_CODE.hard_s, acks_late=False, max_retries=0)
def search_code_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, SearchCodeArguments, search_code)


@shared_task(name=LIST_VERSIONS.name, soft_time_limit=LIST_VERSIONS.soft_s, time_limit=LIST_VERSIONS.hard_s, acks_late=False, max_retries=0)
def list_versions_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, ListVersionsArguments, list_versions)
