"""`GET /repo/api/history`: the commits that changed one file, newest first, a page at a time."""

from bisect import bisect_right
from typing import Any

from celery import shared_task

from shared.answer import fits, render
from shared.limits import COMMIT_BODY_CHARS, COMMIT_SUBJECT_CHARS
from shared.settings import settings
from shared.tasks import FILE_HISTORY
from shared.wire.call import Call
from shared.wire.file_routes import FileHistoryParameters
from workers.mirror.commits_of_file import commits_of_file
from workers.mirror.mirrors import Mirrors
from workers.mirror.read_commit import CommitText, read_commit
from workers.reading.commit_message import subject_and_body
from workers.resources import engine
from workers.run_call import run_call
from workers.tasks.file_of_route import check_parameters


def file_history(parameters: FileHistoryParameters, _call: Call) -> bytes:
    """The answer: one page. A page that would not fit ends early, on a commit; `skip + total_returned` is where the next one begins.

    Raises:
        Refused: any code of the route's map (REF-93).
    """
    check_parameters(parameters, parameters.ref)
    mirrors = Mirrors(settings().mirrors_dir, engine())
    with mirrors.a_sync_may_explain(parameters.repo):
        opened = mirrors.open(parameters.repo, parameters.ref.strip() or "HEAD", parameters.file)
        mirror, resolved = opened.mirror, opened.resolved
        # One more than are shown says whether there are more.
        ids = commits_of_file(mirror, parameters.repo, resolved, parameters.file, skip=parameters.skip, most=parameters.limit + 1)
        commits = [_shown(read_commit(mirror, parameters.repo, commit_id)) for commit_id in ids[: parameters.limit]]

    def page(count: int) -> bytes:
        return render(
            {
                "success": True, "repo": parameters.repo, "file_path": parameters.file,
                "ref": resolved.ref, "resolved_commit": resolved.commit_id,
                "commits": commits[:count], "total_returned": count,
                "skip": parameters.skip, "limit": parameters.limit, "has_more": count < len(ids),
            }
        )  # fmt: skip

    return page(bisect_right(range(1, len(commits) + 1), False, key=lambda count: not fits(page(count))))


def _shown(commit: CommitText) -> dict[str, object]:
    """A commit's record. Texts beyond their ceilings are cut, and `truncated` says so."""
    subject, body = subject_and_body(commit.message)
    texts = {
        "author": (commit.author, COMMIT_SUBJECT_CHARS),
        "author_email": (commit.email, COMMIT_SUBJECT_CHARS),
        "message": (subject, COMMIT_SUBJECT_CHARS),
        "body": (body, COMMIT_BODY_CHARS),
    }
    return {
        "hash": commit.id,
        "short_hash": commit.short_id,
        "timestamp": commit.time,
        "date": commit.date,
        **{name: text[:ceiling] for name, (text, ceiling) in texts.items()},
        "truncated": any(len(text) > ceiling for text, ceiling in texts.values()),
    }


@shared_task(name=FILE_HISTORY.name, soft_time_limit=FILE_HISTORY.soft_s, time_limit=FILE_HISTORY.hard_s, acks_late=False, max_retries=0)
def file_history_task(payload: dict[str, Any]) -> bytes:
    """One request of the route."""
    return run_call(payload, FileHistoryParameters, file_history)
