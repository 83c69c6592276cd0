"""`GET /repo/api/file-at-commit/<commit>`: one whole file as it was at a commit."""

from typing import Any

from celery import shared_task

from shared.answer import fits, render
from shared.errors import ErrorCode, Refused
from shared.limits import MAX_FILE_SIZE_FOR_DISPLAY, OUTPUT_BYTE_BUDGET
from shared.settings import settings
from shared.tasks import FILE_AT_COMMIT
from shared.wire.call import Call
from shared.wire.file_routes import FileAtCommitParameters
from workers.files.load import load_file
from workers.mirror.mirrors import Mirrors
from workers.reading.lines import count_lines
from workers.resources import engine
from workers.run_call import run_call
from workers.tasks.file_of_route import check_parameters


def file_at_commit(parameters: FileAtCommitParameters, _call: Call) -> bytes:
    """The answer: all of the file's text, or that it is binary and has none.

    Raises:
        Refused: any code of the route's map (REF-93).
    """
    check_parameters(parameters, parameters.commit)
    mirrors = Mirrors(settings().mirrors_dir, engine())
    with mirrors.a_sync_may_explain(parameters.repo):
        opened = mirrors.open(parameters.repo, parameters.commit.strip() or "HEAD", parameters.file)
        loaded = load_file(opened, parameters.file, MAX_FILE_SIZE_FOR_DISPLAY)
    if loaded.data is None:
        raise Refused(ErrorCode.FILE_TOO_LARGE, size=loaded.entry.size, max=MAX_FILE_SIZE_FOR_DISPLAY)
    answer: dict[str, object] = {
        "success": True, "repo": parameters.repo, "file_path": parameters.file,
        "commit": loaded.ref, "resolved_commit": loaded.commit_id,
        "size": loaded.entry.size, "is_symlink": loaded.entry.is_link, "is_binary": loaded.is_binary, "content": None,
    }  # fmt: skip
    if loaded.is_binary:
        return render(answer)
    text, encoding = loaded.text_and_encoding
    sent = render(answer | {"content": text, "encoding": encoding, "lines": count_lines(text)})
    if fits(sent):
        return sent
    raise Refused(ErrorCode.ANSWER_TOO_LARGE, bytes=len(sent), max=OUTPUT_BYTE_BUDGET)


@shared_task(
    name=FILE_AT_COMMIT.name, soft_time_limit=FILE_AT_COMMIT.soft_s, time_limit=FILE_AT_COMMIT.hard_s, acks_late=False, max_retries=0
)
def file_at_commit_task(payload: dict[str, Any]) -> bytes:
    """One request of the route."""
    return run_call(payload, FileAtCommitParameters, file_at_commit)
