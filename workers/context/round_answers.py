"""What the tool answers: the summary of a success, or why there is nothing, with what to do next. No source text is in either (RCC-33)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final

from shared.answer import fits, render
from shared.code_sessions.session import Session, resource_uri
from shared.code_sessions.store import Unclaimed
from shared.errors import ErrorCode, Refused
from shared.limits import BUSY_RETRY_AFTER_S, CODE_RESOURCE_BYTES_MAX, CODE_ROUNDS_MAX, CODE_SESSION_TTL_S
from workers.context.plan import CodeContextPlan, Status
from workers.context.source import Reason
from workers.parsing.code import symbols
from workers.parsing.code.index import Limit

_NEXT: Final[Mapping[str, str]] = MappingProxyType(
    {
        symbols.NOT_FOUND: "Ask for the file's outline to see its names.",
        symbols.AMBIGUOUS: "Ask for one of the candidates by its qualified name, or by its lines with ranges.",
        Limit.LANGUAGE: "Ask for ranges or full.",
        Limit.PARSE: "Ask for ranges or full.",
        Limit.RESOURCE: "Ask for less, or for ranges or full.",
        Reason.NOT_FOUND: "codekeeper_list_repo_tree lists the paths.",
        Reason.RANGE: "Ask for lines up to totalLines.",
        Reason.LINK: "Ask for the file that it leads to.",
        Reason.TOO_LARGE: "Ask for it alone, or with a larger maxReadBytes; codekeeper_get_repo_file reads ranges of larger files.",
        Reason.BINARY: "It has no text to give.",
        Reason.EXCLUDED: "It is not shown in any way.",
    }
)
"""What a caller can do about a reason."""

_NOTHING: Final = "Nothing is delivered or charged."


def summary(run_id: str, session: Session, plan: CodeContextPlan) -> bytes:
    """A success (RCC-31, RCC-32, RCC-47). The audit is in the document already, and isn't sent twice (RCC-23)."""
    return render(
        {
            "ok": True,
            "status": plan.status.value,
            "runId": run_id,
            "round": session.rounds,
            "tokens": plan.tokens,
            "sessionTokens": session.spent,
            "remainingTokens": session.remaining,
            "resource": resource_uri(run_id),
        }
    )


def no_document(plan: CodeContextPlan, before: Session, host_max_tokens: int) -> Refused:
    """Why a plan has no text, for a session as it was and stays. A new session may have `host_max_tokens` at the most."""
    if plan.status is Status.OVER_BUDGET:
        if before.rounds:
            instead = " or begin a new session with repo"
        else:
            instead = f" or with maxTokens of up to {host_max_tokens}" if before.cap < host_max_tokens else ""
        return _with_audit(
            plan,
            ErrorCode.CODE_OVER_BUDGET,
            f"The document takes more tokens than remain. {_NOTHING} Ask for less{',' if instead else ''}{instead}.",
            requiredTokens=plan.required_tokens,
            remainingTokens=before.remaining,
        )
    place, reason = _first_reason(plan.audit)
    said = f"requests[{place}]: {reason}." if place is not None else f"{reason}."
    return _with_audit(plan, ErrorCode.CODE_UNAVAILABLE, " ".join(filter(None, (said, _NEXT.get(reason), _NOTHING))))


def too_long(plan: CodeContextPlan) -> Refused:
    """A document over RCC-36's ceiling."""
    message = f"The document is longer than a resource may be. {_NOTHING} Ask for less."
    return Refused(ErrorCode.ANSWER_TOO_LARGE, bytes=plan.bytes, max=CODE_RESOURCE_BYTES_MAX, message=message)


def unclaimed(why: Unclaimed) -> Refused:
    """A session that this call can't go on with (RCC-34, RCC-36)."""
    if why is Unclaimed.BUSY:
        return Refused(ErrorCode.BUSY, retry_after=BUSY_RETRY_AFTER_S, message="Another call goes on with this session; wait for it.")
    return stale()


def stale() -> Refused:
    """No session goes on from there (RCC-34)."""
    return Refused(
        ErrorCode.STALE_CODE_SESSION,
        message=(
            "No session of yours goes on from this runId: a later success replaced it, it ended "
            f"({CODE_SESSION_TTL_S // 60} minutes after its last success, or to make room for newer ones), or it never was. "
            "Go on from the newest runId, or begin a new session with repo."
        ),
    )


def check_goes_on(session: Session) -> None:
    """Pass when the session has a round and tokens left.

    Raises:
        Refused: `CodeRoundLimit`, `CodeBudgetExhausted` (RCC-34).
    """
    if session.is_read_out:
        message = f"This session had its {CODE_ROUNDS_MAX} successful reads. Begin a new one with repo."
        raise Refused(ErrorCode.CODE_ROUND_LIMIT, message=message)
    if session.remaining <= 0:
        raise Refused(ErrorCode.CODE_BUDGET_EXHAUSTED, message="This session's tokens are spent. Begin a new one with repo.")


def _first_reason(audit: Mapping[str, Any]) -> tuple[int | None, str]:
    """Where the first request stands that can't be had, and why; None for the place where it is no request's fault."""
    for place, one in enumerate(audit["requests"]):
        if one["status"] == "unavailable":
            return place, one["reason"]
    return None, audit["reason"]


def _with_audit(plan: CodeContextPlan, code: ErrorCode, message: str, **fields: object) -> Refused:
    """A refusal with the audit, which gives up what was matched before it is too long to be sent (PLT-97).

    What stays is bounded by the request's own 64 KiB and one reason's candidates.
    """
    whole = Refused(code, status=plan.status.value, message=message, **fields, audit=plan.audit)
    if fits(render(whole.answer())):
        return whole
    bare = [{name: value for name, value in one.items() if name not in _MATCHED} for one in plan.audit["requests"]]
    audit = {**plan.audit, "requests": bare, "matchesLeftOut": True}
    return Refused(code, status=plan.status.value, message=message, **fields, audit=audit)


_MATCHED: Final = frozenset({"definitions", "dependencies", "ambiguous"})
"""Fields of a request's audit that grow with the files."""
