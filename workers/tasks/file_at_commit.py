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
from workers.mirror.failures import a_sync_may_explain
from workers.mirror.open_mirror import open_mirror
from workers.mirror.read_blob import find_blob, load_blob
from workers.mirror.resolve_ref import resolve_ref
from workers.reading.decode import decode, is_binary
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
    with a_sync_may_explain(engine(), parameters.repo):
        mirror = open_mirror(settings().mirrors_dir, parameters.repo)
        resolved = resolve_ref(mirror, engine(), parameters.repo, parameters.commit.strip() or "HEAD", parameters.file)
        entry = find_blob(mirror, parameters.repo, resolved, parameters.file)
        if entry.size > MAX_FILE_SIZE_FOR_DISPLAY:
            raise Refused(ErrorCode.FILE_TOO_LARGE, size=entry.size, max=MAX_FILE_SIZE_FOR_DISPLAY)
        data = load_blob(mirror, parameters.repo, entry)
    answer: dict[str, object] = {
        "success": True, "repo": parameters.repo, "file_path": parameters.file,
        "commit": resolved.ref, "resolved_commit": resolved.commit_id,
        "size": entry.size, "is_symlink": entry.is_link, "is_binary": is_binary(data), "content": None,
    }  # fmt: skip
    if answer["is_binary"]:
        return render(answer)
    text, encoding = decode(data)
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
