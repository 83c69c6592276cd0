"""One item of a batch's answer, around the bytes that the single tool would send (BAT-25, BAT-67). Pure."""

from collections.abc import Mapping

from shared.answer import render
from shared.errors import ErrorCode, Refused


def record(head: Mapping[str, object], result: bytes, room: int, read_with: str) -> bytes:
    """`head` with `result`; with `item_too_large` in its place when that is larger than `room`, which is all there is for one item.

    `head` is `index`, `request` and, of an item that reached a commit, `resolved_commit`. A request that fits with no result at all is left
    out then, so that its item is answered and isn't asked for again.
    """
    full = _with_result(head, result)
    if len(full) <= room:
        return full
    too_large = render(Refused(ErrorCode.ITEM_TOO_LARGE, bytes=len(full), max=room, read_with=read_with).answer())
    named = _with_result(head, too_large)
    return named if len(named) <= room else _with_result({key: value for key, value in head.items() if key != "request"}, too_large)


def _with_result(head: Mapping[str, object], result: bytes) -> bytes:
    """The record, its result not rendered a second time."""
    return render({**head, "result": None}).removesuffix(b"null}") + result + b"}"
