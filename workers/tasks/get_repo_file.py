"""`codekeeper_get_repo_file`: one file of a mirror at a ref, whole or a range of its lines."""

from typing import Any

import pygit2
from celery import shared_task

from shared.answer import fits, render, text_size
from shared.errors import ErrorCode, Refused
from shared.limits import MAX_FILE_SIZE_FOR_DISPLAY, OUTPUT_BYTE_BUDGET, RANGE_READ_MAX_BYTES
from shared.paths import check_file_path, check_path_length, check_ref_length, check_repo_name
from shared.settings import settings
from shared.tasks import GET_REPO_FILE
from shared.wire.call import Call
from shared.wire.get_repo_file import GetRepoFileArguments
from workers.mirror.failures import a_sync_may_explain
from workers.mirror.open_mirror import open_mirror
from workers.mirror.read_blob import find_blob, load_blob
from workers.mirror.resolve_ref import resolve_ref
from workers.reading.decode import body_and_encoding, codec_of, decode, decoded_pieces, is_binary
from workers.reading.lines import count_lines, cut_lines, last_line_that_fits, line_start
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
    wanted = _range(arguments.lines)
    check_path_length(arguments.path)
    if secret_paths().denies(arguments.path):
        raise Refused(ErrorCode.PATH_DENIED)
    check_ref_length(arguments.ref)
    check_repo_name(arguments.repo)
    check_file_path(arguments.path)
    with a_sync_may_explain(engine(), arguments.repo):
        return _read(open_mirror(settings().mirrors_dir, arguments.repo), arguments, wanted)


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
    ceiling = MAX_FILE_SIZE_FOR_DISPLAY if wanted is None else RANGE_READ_MAX_BYTES
    if entry.size > ceiling:
        return render({"ok": True, "status": "too_large", "file": file, "max": ceiling})
    data = load_blob(mirror, arguments.repo, entry)
    if is_binary(data):
        return render({"ok": True, "status": "binary", "file": file})
    if wanted is None:
        text, encoding = decode(data)
        return _whole(file | {"lines": count_lines(text), "encoding": encoding}, text)
    # A range is cut out of the bytes, and only what was cut is decoded: see `DEAREST_READ_BYTES`.
    body, encoding = body_and_encoding(data)
    del data
    return _part(file | {"lines": count_lines(body), "encoding": encoding}, body, encoding, *wanted)


def _whole(file: dict[str, object], text: str) -> bytes:
    """A full read: all of the text, or a refusal that points to ranges (GRF-23, GRF-58)."""
    sent = render({"ok": True, "status": "ok", "file": file, "content": text})
    if fits(sent):
        return sent
    raise Refused(
        ErrorCode.ANSWER_TOO_LARGE,
        bytes=len(sent),
        max=OUTPUT_BYTE_BUDGET,
        file=file,
        hint="The whole file does not fit into one answer. Read it in ranges: lines=[1, 2000], then from range.end + 1.",
    )


def _part(file: dict[str, object], body: bytes, encoding: str, start: int, end: int) -> bytes:
    """A range read, clamped to the file's end and cut to the budget on a line (LIN-25 to LIN-34)."""
    total = count_lines(body)
    if start > total:
        raise Refused(ErrorCode.RANGE_OUT_OF_BOUNDS, total_lines=total)

    def answer(last: int, content: bytes, **reason: str) -> bytes:
        cut = bool(reason) or end > total
        shown = {"start": start, "end": last, "total_lines": total, "truncated": cut, **reason}
        return render({"ok": True, "status": "ok", "file": file, "content": content.decode(codec_of(encoding)), "range": shown})

    last = min(end, total)
    # An answer is never shorter than the stored bytes it shows, so a longer piece need not be rendered to know that it can't fit.
    first_line = line_start(body, start)
    if line_start(body, last - start + 2, after=first_line) - 1 - first_line <= OUTPUT_BYTE_BUDGET:
        sent = answer(last, cut_lines(body, start, last))
        if fits(sent):
            return sent

    def fits_until(line: int, piece: bytes) -> bool:
        return len(answer(line, b"", truncation_reason="byte_budget")) + _sent_size(piece, encoding) <= OUTPUT_BYTE_BUDGET

    fitting = last_line_that_fits(body, start, last, OUTPUT_BYTE_BUDGET, fits_until)
    if fitting is not None:
        return answer(fitting, cut_lines(body, start, fitting), truncation_reason="byte_budget")
    # The refusal names the size that was judged: a range that ends early says why, and that takes room too.
    reason = {} if start == last else {"truncation_reason": "byte_budget"}
    raise Refused(
        ErrorCode.ANSWER_TOO_LARGE,
        bytes=len(answer(start, b"", **reason)) + _sent_size(cut_lines(body, start, start), encoding),
        max=OUTPUT_BYTE_BUDGET,
        file=file,
        hint=f"Line {start} does not fit into one answer, or only when lines=[{start}, {start}] asks for it alone. "
        "codekeeper_search_repo, where this server has it, returns it as a bounded snippet.",
    )


def _sent_size(piece: bytes, encoding: str) -> int:
    """Bytes that a piece takes inside an answer, measured without holding more of its text than a block."""
    return sum(map(text_size, decoded_pieces(piece, encoding)))


@shared_task(name=GET_REPO_FILE.name, soft_time_limit=GET_REPO_FILE.soft_s, time_limit=GET_REPO_FILE.hard_s, acks_late=False, max_retries=0)
def get_repo_file_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, GetRepoFileArguments, get_repo_file)
