"""What one call of the tool asks for: the first read of a new session, or a follow-up of one. Judged whole before anything is read."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from workers.context.spec import CodeContextSpec, InvalidCodeSpec

_OF_A_FIRST_READ: Final = ("repo", "ref", "maxTokens")
"""What a session keeps from its first call, so that a follow-up can't say it again (RCC-30, RCC-46)."""

_NAMES: Final = (*_OF_A_FIRST_READ, "maxReadBytes", "requests", "continueFrom")


@dataclass(frozen=True, slots=True)
class FirstRead:
    """A call that begins a session."""

    repo: str
    ref: str | None
    spec: CodeContextSpec
    """Its `max_tokens` is the session's cap."""


@dataclass(frozen=True, slots=True)
class FollowUp:
    """A call that goes on with one."""

    run_id: str
    spec: CodeContextSpec
    """Its `max_tokens` is the host's cap: what the session has left is known when it is found."""


def round_request(sent: Mapping[str, Any], host_max_tokens: int) -> FirstRead | FollowUp:
    """The call that these arguments are, as they were sent. A session's tokens are at most `host_max_tokens`.

    Raises:
        InvalidCodeSpec: an argument is unknown, missing, of another type or out of its bounds, or doesn't go with `continueFrom`.
    """
    if sent.keys() - set(_NAMES):
        raise InvalidCodeSpec("arguments", f"there is an unknown one; known are {', '.join(_NAMES)}.")
    is_follow_up = "continueFrom" in sent
    for name in _OF_A_FIRST_READ:
        if is_follow_up and name in sent:
            raise InvalidCodeSpec(name, "leave it out with continueFrom: a session keeps its repository, commit and budget of tokens.")
    described = {name: sent[name] for name in ("maxTokens", "maxReadBytes", "requests") if name in sent}
    if is_follow_up:
        run_id = _text(sent, "continueFrom", "the runId of the last success is expected; leave it out to begin a new session.")
        return FollowUp(run_id, CodeContextSpec.from_json(described, host_max_tokens=host_max_tokens))
    repo = _text(sent, "repo", "the name of a repository is expected, or continueFrom to go on with a session.")
    ref = _text(sent, "ref", "the name of a branch, tag or commit is expected.") if sent.get("ref", "") != "" else None
    return FirstRead(repo, ref, CodeContextSpec.from_json(described, host_max_tokens=host_max_tokens))


def _text(sent: Mapping[str, Any], name: str, expected: str) -> str:
    value = sent.get(name)
    if not isinstance(value, str) or not value.strip():
        raise InvalidCodeSpec(name, expected)
    return value
