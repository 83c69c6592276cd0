"""The items for the review of a change, a page at a time: what `codekeeper batch plan` prints. No agent's tool.

A group of items for each changed file, in git's order: its map, and its changed lines. After the last file come the documentation pages
that the docs policy ties to the change (`workers/review/naming.py`). Every item reads at the head's commit.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Final

from celery import shared_task

from shared.answer import render
from shared.docs_policy import DocsPolicy
from shared.errors import ErrorCode, Refused
from shared.limits import OUTPUT_BYTE_BUDGET, REVIEW_FILES_MAX, REVIEW_FILES_PER_PAGE
from shared.paths import check_ref_length, check_repo_name
from shared.settings import settings
from shared.tasks import PLAN_REVIEW
from shared.wire.call import Call
from shared.wire.plan_review import PlanPage, PlanReviewArguments, Position
from workers.docs_gate import docs_policies
from workers.mirror.changes import Change, changes, merge_base
from workers.mirror.failures import a_sync_may_explain
from workers.mirror.head import Head
from workers.mirror.open_mirror import open_mirror
from workers.mirror.resolve_ref import resolve_ref
from workers.resources import engine
from workers.review.documents import documents_naming
from workers.review.files import items_of_file
from workers.run_call import run_call

ENVELOPE_BYTES: Final = 2_000
"""Bytes of a page's answer beside its items, with room: two commits, some numbers, and a dozen reasons."""


def plan_review(arguments: PlanReviewArguments, _call: Call) -> bytes:
    """One page.

    Raises:
        Refused: what resolving a ref raises; `invalid_input` without a common commit; `resource_limit` for a change that is too large.
    """
    if not arguments.repo.strip():
        raise Refused(ErrorCode.MISSING_REPO)
    check_ref_length(arguments.base)
    check_ref_length(arguments.head)
    check_repo_name(arguments.repo)
    with a_sync_may_explain(engine(), arguments.repo):
        mirror = open_mirror(settings().mirrors_dir, arguments.repo)
        base, head = (resolve_ref(mirror, engine(), arguments.repo, ref, None) for ref in (arguments.base, arguments.head))
        left_at = merge_base(mirror, arguments.repo, base.commit_id, head.commit_id)
        changed = changes(mirror, arguments.repo, left_at, head.commit_id)
        if len(changed) > REVIEW_FILES_MAX:
            message = f"{len(changed)} files changed; a plan takes at most {REVIEW_FILES_MAX}."
            raise Refused(ErrorCode.RESOURCE_LIMIT, repo=arguments.repo, message=message)
        page = _page(Head(mirror, arguments.repo, head.commit), changed, arguments, left_at)
    return render(page.model_dump())


def _policies(repo: str) -> Mapping[str, DocsPolicy]:
    """Where the documentation of `repo` lives, if it passes both gates; else empty."""
    policy = docs_policies().get(repo) if repo in settings().docs_repos else None
    return {} if policy is None else {repo: policy}


def _page(head: Head, changed: list[Change], arguments: PlanReviewArguments, left_at: str) -> PlanPage:
    docs = _policies(arguments.repo)
    items: list[dict[str, Any]] = []
    left_out: Counter[str] = Counter()
    room = OUTPUT_BYTE_BUDGET - ENVELOPE_BYTES

    def page(following: Position | None) -> PlanPage:
        return PlanPage(
            base_commit=left_at, head_commit=head.commit_id, files=len(changed), items=items, left_out=dict(left_out), next=following
        )

    last = min(arguments.begin.file + REVIEW_FILES_PER_PAGE, len(changed) + 1)
    for group in range(arguments.begin.file, last):
        if group < len(changed):
            made, reasons = items_of_file(head, changed[group], arguments.context, docs)
        else:
            made, reasons = documents_naming(head, changed, docs)
        begin = arguments.begin.item if group == arguments.begin.file else 0
        for place, item in enumerate(made[begin:], begin):
            room -= len(render(item)) + 1
            if room < 0:
                return page(Position(file=group, item=place))
            items.append(item)
        left_out.update(reasons)
    return page(Position(file=last) if last <= len(changed) else None)


@shared_task(name=PLAN_REVIEW.name, soft_time_limit=PLAN_REVIEW.soft_s, time_limit=PLAN_REVIEW.hard_s, acks_late=False, max_retries=0)
def plan_review_task(payload: dict[str, Any]) -> bytes:
    """One page of one plan."""
    return run_call(payload, PlanReviewArguments, plan_review)
