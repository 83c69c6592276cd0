"""The reads of one batch: each group is loaded once, and its items are answered by the parts that the single tools are made of (BAT-9)."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

from shared.errors import ErrorCode, Refused
from shared.wire.call import Call
from workers.batch.envelope import room_for_items
from workers.batch.groups import Group, grouped
from workers.batch.items import Prepared, key_of, prepared
from workers.batch.record import record
from workers.docs_gate import Policies
from workers.files.answer import answer_file
from workers.files.load import load_file
from workers.files.request import FileRequest
from workers.mirror.mirrors import Mirrors
from workers.run_call import answered
from workers.sections.page import Page, answer_page
from workers.sections.request import PageRequest, naming

FILE_TOOL: Final = "codekeeper_get_repo_file"
"""The tool that a file item mirrors."""

SECTION_TOOL: Final = "codekeeper_docs_get_section"
"""The tool that a section item mirrors."""


@dataclass(frozen=True)
class _Read:
    """What came of reading a group."""

    commit_id: str | None
    """The commit that was reached, if one was (BAT-36)."""
    outcome: Page | Refused | bytes
    """The file; or why there is none: a refusal, which each item words as its tool does, or an answer about a failure of ours."""


class Batch:
    """The items of one call."""

    def __init__(self, sent: Sequence[Any], call: Call, mirrors: Mirrors, policies: Policies) -> None:
        """`sent` are the items as the caller sent them."""
        self._sent = sent
        self._call = call
        self._mirrors = mirrors
        self._policies = policies
        self._items: list[Prepared] = [prepared(item, policies) for item in sent]
        self.groups: list[Group] = grouped([key_of(item) for item in self._items])
        """Which items share a read."""
        self.room = room_for_items(len(sent))
        """Bytes that all answers may take."""

    def read(self, group: Group) -> Callable[[int], bytes]:
        """Read the group. What is returned answers one item of it, in the form in which it is sent."""
        item = self._items[group.members[0]]
        read = _Read(None, item) if isinstance(item, Refused) else self._load(item)
        return lambda index: self._record(index, read)

    def _load(self, item: FileRequest | PageRequest) -> _Read:
        commit_id: str | None = None
        outcome: Page | Refused | None = None

        def load() -> bytes:
            nonlocal commit_id, outcome
            try:
                with self._mirrors.a_sync_may_explain(item.repo):
                    opened = self._mirrors.open(item.repo, None, item.path)
                    commit_id = opened.resolved.commit_id
                    outcome = Page(load_file(opened, item.path, item.ceiling))
            except Refused as refused:
                outcome = Refused(refused.code, **refused.fields)  # without the frames that hold the mirror
            return b""

        failed = answered(self._call, _tool_of(item), load)
        return _Read(commit_id, failed if outcome is None else outcome)

    def _record(self, index: int, read: _Read) -> bytes:
        item = self._items[index]
        head: dict[str, object] = {"index": index}
        if not isinstance(item, Refused) or item.code is not ErrorCode.INVALID_ITEM:  # whose values are never echoed (BAT-17)
            head["request"] = self._sent[index]
        if read.commit_id is not None:
            head["resolved_commit"] = read.commit_id
        tool = _tool_of(item)
        return record(head, answered(self._call, tool, lambda: self._result(item, read.outcome)), self.room, tool)

    def _result(self, item: Prepared, outcome: Page | Refused | bytes) -> bytes:
        """What the single tool answers.

        Raises:
            Refused: what it refuses with.
        """
        if isinstance(outcome, bytes):
            return outcome
        match item:
            case FileRequest():
                return answer_file(_page(outcome).loaded, item, self._policies)
            case PageRequest():
                with naming(item.repo, item.path):
                    return answer_page(_page(outcome), item, self._call.caller)
            case Refused():
                raise item


def _page(outcome: Page | Refused) -> Page:
    if isinstance(outcome, Refused):
        raise Refused(outcome.code, **outcome.fields)
    return outcome


def _tool_of(item: Prepared) -> str:
    return SECTION_TOOL if isinstance(item, PageRequest) else FILE_TOOL
