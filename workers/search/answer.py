"""A search's answer, fitted to the byte budget (SRC-54 to SRC-62)."""

from collections.abc import Mapping, Sequence

from shared.answer import render
from shared.limits import OUTPUT_BYTE_BUDGET
from workers.search.context import Context
from workers.search.numbers import Numbers, Reason
from workers.search.passes import shown_path
from workers.search.records import FoundLine


def hit(found: FoundLine, context: Context | None) -> Mapping[str, object]:
    """One hit (SRC-56, SRC-58, SRC-61)."""
    snippet, cut = found.start.shown(first=found.line == 1)
    shown: dict[str, object] = {"path": shown_path(found.path), "line": found.line, "snippet": snippet}
    if cut:
        shown["snippet_truncated"] = True
    if context is not None:
        shown |= {"context_before": context.before, "context_after": context.after}
    return shown


def fitted(repo: str, query: str, hits: Sequence[Mapping[str, object]], numbers: Numbers, page_reason: Reason | None) -> bytes:
    """The answer with as many of `hits` as fit, from the first on (SRC-62).

    `page_reason` says why `hits` are fewer than there are; why there is no total comes before it, and before the budget (SRC-27).
    """

    def answer(count: int, shown: Sequence[Mapping[str, object]]) -> bytes:
        reason = numbers.reason or (page_reason if count == len(hits) else Reason.BYTE_BUDGET)
        return render(
            {"ok": True, "repo": repo, "query": query, "count": count, **numbers.fields(), "truncated": reason is not None}
            | ({} if reason is None else {"truncation_reason": reason.value})
            | {"results": shown}
        )

    sizes = [len(render(each)) for each in hits]
    count, left = len(hits), sum(sizes)
    while count and len(answer(count, [])) + left + count - 1 > OUTPUT_BYTE_BUDGET:  # commas stand between them
        count -= 1
        left -= sizes[count]
    return answer(count, hits[:count])
