"""`read_code_context`: one round of a reading session. The worker reads, and commits the session; nothing of it is kept here."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import structlog
from celery import shared_task
from celery.exceptions import Ignore

from shared.code_sessions.session import Session, is_run_id, new_run_id
from shared.code_sessions.store import Committed, SessionStore, Success, Unclaimed
from shared.errors import ErrorCode, Refused
from shared.limits import CODE_RESOURCE_BYTES_MAX, QUEUE_RETRY_AFTER_S
from shared.settings import settings
from shared.tasks import READ_CODE_CONTEXT
from shared.wire.call import Call
from shared.wire.read_code_context import ReadCodeContextArguments
from workers.code_sessions import session_store
from workers.context.mirror_commit import MirrorCommit
from workers.context.options import host_options
from workers.context.plan import CodeContextPlan, Status
from workers.context.plan import read_code_context as planned
from workers.context.round_answers import check_goes_on, no_document, stale, summary, too_long, unclaimed
from workers.context.round_request import FirstRead, FollowUp, round_request
from workers.context.spec import InvalidCodeSpec
from workers.run_call import run_call

log = structlog.get_logger()


def read_code_context(arguments: ReadCodeContextArguments, call: Call) -> bytes:
    """The answer: the summary of a success, which is committed by then, or a refusal, which changed nothing (RCC-32, RCC-33).

    Raises:
        Refused: `InvalidCodeSpec` first, then the session's refusals, then those of the repository and ref, then `unavailable`,
            `over_budget`, `answer_too_large`.
        celery.exceptions.Ignore: the caller went away meanwhile.
    """
    try:
        asked = round_request(arguments.sent(), settings().code_context_tokens)
    except InvalidCodeSpec as invalid:
        raise Refused(ErrorCode.INVALID_CODE_SPEC, message=str(invalid)) from None
    return _begin(asked, call) if isinstance(asked, FirstRead) else _go_on(asked, call)


def _begin(asked: FirstRead, call: Call) -> bytes:
    source = MirrorCommit(asked.repo, asked.ref)
    session = Session.model_validate({**source.described(), "cap": asked.spec.max_tokens})
    return _settle(session, planned(host_options(), source, asked.spec), call, session_store(), replaces=None)


def _go_on(asked: FollowUp, call: Call) -> bytes:
    store = session_store()
    with _held(store, asked.run_id, call) as session:
        check_goes_on(session)
        try:
            source = MirrorCommit(session.repo, session.ref, commit=session.commit)
        except Refused as refused:
            # A sync may have dropped the commit: its branch was rewritten. No later try will find it.
            raise stale() if refused.code is ErrorCode.REF_NOT_MIRRORED else refused from None
        plan = planned(host_options(), source, replace(asked.spec, max_tokens=session.remaining))
        return _settle(session, plan, call, store, replaces=asked.run_id)


def _settle(session: Session, plan: CodeContextPlan, call: Call, store: SessionStore, replaces: str | None) -> bytes:
    """Commit what was read, if it was, and the caller is still there (RCC-32, RCC-33, RCC-36)."""
    if plan.status is not Status.COMPLETE or plan.text is None:
        raise no_document(plan, session, settings().code_context_tokens)
    if plan.bytes > CODE_RESOURCE_BYTES_MAX:
        raise too_long(plan)
    if time.time() >= call.deadline:
        raise Refused(ErrorCode.DEADLINE_EXCEEDED, retry_after=QUEUE_RETRY_AFTER_S)
    run_id, after = new_run_id(), session.after(plan.tokens)
    became = store.commit(Success(call.caller.user, run_id, after, plan.text, replaces, call.id))
    if became is Committed.CANCELLED:
        raise Ignore
    if became is Committed.STALE:
        raise stale()
    return summary(run_id, after, plan)


@contextmanager
def _held(store: SessionStore, run_id: str, call: Call) -> Iterator[Session]:
    """The caller's session, which no other call goes on with meanwhile."""
    found = store.claim(call.caller.user, run_id, call.id) if is_run_id(run_id) else Unclaimed.STALE
    if isinstance(found, Unclaimed):
        raise unclaimed(found)
    try:
        yield found
    finally:
        try:
            store.release(run_id, call.id)
        except Refused:
            log.warning("code_session_not_released", call_id=call.id)  # it is free again when the lease ends


@shared_task(
    name=READ_CODE_CONTEXT.name,
    soft_time_limit=READ_CODE_CONTEXT.soft_s,
    time_limit=READ_CODE_CONTEXT.hard_s,
    acks_late=False,
    max_retries=0,
)
def read_code_context_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, ReadCodeContextArguments, read_code_context)
