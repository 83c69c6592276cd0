"""`codekeeper_docs_get_section`: the map of a documentation page, one section of it, or the whole of it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from celery import shared_task

from shared.docs_policy import resolve_docs_target
from shared.errors import ErrorCode, Refused
from shared.limits import MAX_FILE_SIZE_FOR_DISPLAY, RANGE_READ_MAX_BYTES
from shared.paths import check_file_path, check_ref_length, check_repo_name
from shared.settings import settings
from shared.tasks import DOCS_GET_SECTION
from shared.wire.call import Call, Caller
from shared.wire.docs_get_section import DocsGetSectionArguments
from workers.docs_gate import docs_policies
from workers.mirror.failures import a_sync_may_explain
from workers.mirror.open_mirror import open_mirror
from workers.mirror.read_blob import BlobEntry, find_blob, load_blob
from workers.mirror.resolve_ref import resolve_ref
from workers.parsing.headings import ParseRefused
from workers.reading.decode import decode, is_binary
from workers.resources import engine, secret_paths
from workers.run_call import run_call
from workers.sections.answer import SectionRequest, answer_section
from workers.sections.documents import parsed
from workers.sections.text_page import text_page


def docs_get_section(arguments: DocsGetSectionArguments, call: Call) -> bytes:
    """The answer, its checks in the contract's order (DOC-10).

    Raises:
        Refused: any code of DOC or of REF sections 2, 6 and 7.
    """
    if arguments.whole_document and arguments.section is not None:
        raise Refused(ErrorCode.SECTION_AND_WHOLE_DOCUMENT)
    if arguments.whole_document and arguments.max_depth is not None:
        raise Refused(ErrorCode.MAX_DEPTH_AND_WHOLE_DOCUMENT)
    repo, path = resolve_docs_target(arguments.repo, arguments.path, settings().docs_repos, docs_policies())
    with _naming(repo, path):
        if secret_paths().denies(path):
            raise Refused(ErrorCode.PATH_DENIED)
        check_ref_length(arguments.ref)
        check_repo_name(repo)
        check_file_path(path)
        with a_sync_may_explain(engine(), repo):
            return _read(repo, path, arguments, call.caller)


@contextmanager
def _naming(repo: str, path: str) -> Iterator[None]:
    """Every refusal about a resolved target names it: `repo` and `path`, whoever raised it (REF section 2)."""
    try:
        yield
    except Refused as refused:
        raise Refused(refused.code, **({"repo": repo, "path": path} | refused.fields)) from refused


def _read(repo: str, path: str, arguments: DocsGetSectionArguments, caller: Caller) -> bytes:
    """Steps 3 to 10 of DOC-10: mirror, size, links, binary content, and the mode itself (REF-91)."""
    mirror = open_mirror(settings().mirrors_dir, repo)
    resolved = resolve_ref(mirror, engine(), repo, arguments.ref, path)
    entry = find_blob(mirror, repo, resolved, path)
    context: dict[str, object] = {"repo": repo, "path": path, "ref": resolved.ref, "resolved_commit": resolved.commit_id}
    if entry.size > MAX_FILE_SIZE_FOR_DISPLAY:
        file = {"path": path, "ref": resolved.ref, "size": entry.size}
        raise Refused(ErrorCode.UNREADABLE_TOO_LARGE, repo=repo, path=path, file=file, **_referral(repo, path, arguments, entry, caller))
    data = load_blob(mirror, repo, entry)
    if entry.is_link:
        raise Refused(ErrorCode.SYMLINK, **context, target=decode(data)[0])
    if is_binary(data):
        file = {"path": path, "ref": resolved.ref, "resolved_commit": resolved.commit_id, "size": entry.size}
        raise Refused(ErrorCode.UNREADABLE_BINARY, file=file)
    text, encoding = decode(data)
    if arguments.whole_document:
        before = {"ok": True, **context, "mode": "document", "encoding": encoding, "offset": arguments.offset}
        return text_page({**before, "max_chars": arguments.max_chars}, text, arguments.offset, arguments.max_chars, {})
    try:
        document, includes = parsed(path, str(entry.id), text)
    except ParseRefused as refused:
        raise Refused(ErrorCode(refused.code), **context, **refused.fields) from refused
    request = SectionRequest(
        section=arguments.section,
        include_subsections=arguments.include_subsections,
        max_chars=arguments.max_chars,
        offset=arguments.offset,
        max_depth=arguments.max_depth,
    )
    return answer_section(document, request, context, includes)


def _referral(repo: str, path: str, arguments: DocsGetSectionArguments, entry: BlobEntry, caller: Caller) -> dict[str, object]:
    """Where a page is read in part that is too large here: by lines, for who may use that tool and while it reads so large a file."""
    if entry.size > RANGE_READ_MAX_BYTES or not caller.admin:
        return {}
    sent = {} if arguments.ref is None else {"ref": arguments.ref}
    return {"read_with": "codekeeper_get_repo_file", "read_with_arguments": {"repo": repo, "path": path, **sent, "lines": [1, 2_000]}}


@shared_task(
    name=DOCS_GET_SECTION.name,
    soft_time_limit=DOCS_GET_SECTION.soft_s,
    time_limit=DOCS_GET_SECTION.hard_s,
    acks_late=False,
    max_retries=0,
)
def docs_get_section_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, DocsGetSectionArguments, docs_get_section)
