"""What is said about how many hits there are, and why (SRC-19 to SRC-37). Pure functions of what the passes found."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from workers.search.passes import Count, End, Pass, Results


class Reason(StrEnum):
    """Every `truncation_reason` of a search."""

    # Why there is no total, the gravest first.
    SEARCH_FAILED = "search_failed"  # SRC-30
    POLICY_FILTERED = "policy_filtered"  # SRC-28
    COUNT_FAILED = "count_failed"  # SRC-32
    TIMEOUT = "timeout"  # SRC-23
    COUNT_LIMIT = "count_limit"
    # Why the page holds less than the total.
    MAX_RESULTS = "max_results"  # SRC-26
    PER_FILE_LIMIT = "per_file_limit"
    BYTE_BUDGET = "byte_budget"  # SRC-62


@dataclass(frozen=True)
class Numbers:
    """How many hits there are."""

    total: int | None
    """All of them, exactly; None when that isn't known (SRC-21)."""
    at_least: int
    """So many there are certainly."""
    reason: Reason | None
    """Why there is no total (SRC-23)."""

    def fields(self) -> Mapping[str, int]:
        """The one field of the two that an answer carries (SRC-24)."""
        return {"total_at_least": self.at_least} if self.total is None else {"total": self.total}


def numbers(results: Results, counted: Count | None, *, context_failed: bool = False) -> Numbers:
    """What both passes say together; `counted` is None when there was no second one."""
    passes: list[Pass] = [results] if counted is None else [results, counted]
    how = {each.ended.how for each in passes}
    gravest_first = {
        Reason.SEARCH_FAILED: context_failed or End.FAILED in how,
        Reason.POLICY_FILTERED: any(each.filtered for each in passes),
        Reason.COUNT_FAILED: any(each.ended.complained for each in passes),
        Reason.TIMEOUT: End.TIMED_OUT in how,
        Reason.COUNT_LIMIT: counted is not None and counted.ended.how is End.STOPPED,
    }
    reason = next((reason for reason, holds in gravest_first.items() if holds), None)
    if reason in {Reason.SEARCH_FAILED, Reason.POLICY_FILTERED}:
        # The page and not what was seen beyond it, which depends on how far git was when it was stopped.
        return Numbers(None, len(results.lines), reason)
    if reason is not None:
        return Numbers(None, max(results.seen, 0 if counted is None else counted.lines), reason)
    total = results.seen if counted is None else counted.lines
    return Numbers(total, total, None)


def page_reason(results: Results, total: int) -> Reason | None:
    """Why the page that the results pass collected holds fewer hits than there are; None when it holds them all."""
    if total == len(results.lines):
        return None
    return Reason.MAX_RESULTS if len(results.lines) == results.max_results else Reason.PER_FILE_LIMIT
