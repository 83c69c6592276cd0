"""`codekeeper_get_repo_file`: one file of a mirror at a ref: whole, a range of its lines, or its map."""

from collections.abc import Callable
from typing import Any

import pygit2
from celery import shared_task

from shared.answer import render
from shared.errors import ErrorCode, Refused
from shared.limits import MAX_FILE_SIZE_FOR_DISPLAY, RANGE_READ_MAX_BYTES
from shared.paths import check_file_path, check_path_length, check_ref_length, check_repo_name
from shared.settings import settings
from shared.tasks import GET_REPO_FILE
from shared.wire.call import Call
from shared.wire.get_repo_file import GetRepoFileArguments
from workers.docs_gate import docs_referral
from workers.files import content
from workers.files.outline_page import outline_page
from workers.files.outlines import outlined
from workers.mirror.failures import a_sync_may_explain
from workers.mirror.open_mirror import open_mirror
from workers.mirror.read_blob import BlobEntry, find_blob, load_blob
from workers.mirror.resolve_ref import resolve_ref
from workers.parsing.outline import NoOutline
from workers.reading.decode import body_and_encoding, codec_of, decode, is_binary
from workers.reading.lines import count_lines
from workers.resources import engine, secret_paths
from workers.run_call import run_call


def get_repo_file(arguments: GetRepoFileArguments, _call: Call) -> bytes:
    """The answer, its checks in the contract's order (GRF, "Order of the checks"; REF-33).

    Raises:
        Refused: any code of that table.
    """
    if not arguments.repo.strip():
        raise Refused(ErrorCode.MISSING_REPO)
    if not arguments.path.strip():
        raise Refused(ErrorCode.MISSING_PATH)
    _check_mode(arguments)
    wanted = _range(arguments.lines)
    check_path_length(arguments.path)
    if secret_paths().denies(arguments.path):
        raise Refused(ErrorCode.PATH_DENIED)
    check_ref_length(arguments.ref)
    check_repo_name(arguments.repo)
    check_file_path(arguments.path)
    with a_sync_may_explain(engine(), arguments.repo):
        return _read(open_mirror(settings().mirrors_dir, arguments.repo), arguments, wanted)


def _check_mode(arguments: GetRepoFileArguments) -> None:
    """A call is in one mode, and nothing that was sent for another is silently ignored (GRF-2, GRF-3)."""
    if arguments.outline and arguments.lines is not None:
        raise Refused(ErrorCode.OUTLINE_AND_LINES)
    if arguments.symbol and not arguments.outline:
        raise Refused(ErrorCode.SYMBOL_WITHOUT_OUTLINE)


def _range(lines: list[int] | None) -> tuple[int, int] | None:
    """`lines` as (start, end), from 1 and both included, or None for the whole file (LIN-20 to LIN-24, LIN-38)."""
    if lines is None:
        return None
    if len(lines) != 2 or not 1 <= lines[0] <= lines[1]:  # noqa: PLR2004 - a start and an end
        raise Refused(ErrorCode.INVALID_LINE_RANGE)
    return lines[0], lines[1]


def _read(mirror: pygit2.Repository, arguments: GetRepoFileArguments, wanted: tuple[int, int] | None) -> bytes:
    """Steps 10 to 15: ref, path, size, binary content, and the mode itself."""
    resolved = resolve_ref(mirror, engine(), arguments.repo, arguments.ref, arguments.path)
    entry = find_blob(mirror, arguments.repo, resolved, arguments.path)
    file: dict[str, object] = {"path": arguments.path, "ref": resolved.ref, "resolved_commit": resolved.commit_id, "size": entry.size}
    if entry.is_link:
        file["type"] = "symlink"
    whole = wanted is None and not arguments.outline
    ceiling = MAX_FILE_SIZE_FOR_DISPLAY if whole else RANGE_READ_MAX_BYTES
    if entry.size > ceiling:
        return render({"ok": True, "status": "too_large", "file": file, "max": ceiling})
    data = load_blob(mirror, arguments.repo, entry)
    if is_binary(data):
        return render({"ok": True, "status": "binary", "file": file})
    if whole:
        text, encoding = decode(data)
        file |= {"lines": count_lines(text), "encoding": encoding}
        return content.whole(file, text, lambda: _referral(arguments, entry, whole_document=True))
    # A range is cut out of the bytes, and only what was cut is decoded: see `DEAREST_READ_BYTES`. A map that is kept needs no text at all.
    body, encoding = body_and_encoding(data)
    del data
    file |= {"lines": count_lines(body), "encoding": encoding}
    if wanted is not None:
        return content.part(file, body, encoding, *wanted)
    return _map(file, arguments, entry, lambda: body.decode(codec_of(encoding)))


def _referral(arguments: GetRepoFileArguments, entry: BlobEntry, **more: object) -> dict[str, object]:
    return docs_referral(arguments.repo, arguments.path, arguments.ref, entry, **more)


def _map(file: dict[str, object], arguments: GetRepoFileArguments, entry: BlobEntry, text: Callable[[], str]) -> bytes:
    """A page of the file's map, or the status that says why there is none (GRF, "When there is no map")."""
    try:
        symbols = outlined(arguments.path, entry, text)
    except NoOutline as none:
        referral = _referral(arguments, entry) if none.reason == "unsupported_language" else {}
        return render({"ok": True, "file": file, "status": "no_outline", "reason": none.reason, **none.fields, **referral})
    return outline_page(file, symbols, arguments.symbol or "", arguments.page, arguments.per_page)


@shared_task(name=GET_REPO_FILE.name, soft_time_limit=GET_REPO_FILE.soft_s, time_limit=GET_REPO_FILE.hard_s, acks_late=False, max_retries=0)
def get_repo_file_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, GetRepoFileArguments, get_repo_file)
