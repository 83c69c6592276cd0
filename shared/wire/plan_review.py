"""What the task `codekeeper.plan_review` takes and answers: a page of the items for the review of a change."""

from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field

from shared.limits import REVIEW_CONTEXT_DEFAULT, REVIEW_CONTEXT_MAX, REVIEW_FILES_MAX
from shared.wire.text import Arguments, Text


class Position(BaseModel):
    """Where a page of a plan begins."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    file: int = Field(default=0, ge=0, le=REVIEW_FILES_MAX)
    """Place of a changed file, from 0; the number of changed files stands for the documents, which come last."""
    item: int = Field(default=0, ge=0)
    """Place of an item among that file's, from 0."""


class PlanReviewArguments(Arguments):
    """The change from where `head` left `base` to `head`."""

    repo: Text
    base: Text
    head: Text
    context: Annotated[int, Field(ge=0, le=REVIEW_CONTEXT_MAX)] = REVIEW_CONTEXT_DEFAULT
    """Lines around each change."""
    begin: Position = Position()


class PlanPage(BaseModel):
    """A page of a plan."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    ok: bool = True
    base_commit: str
    """The commit that the change is measured from: the merge base of `base` and `head`."""
    head_commit: str
    files: int
    """Changed files in all."""
    items: list[dict[str, Any]]
    left_out: dict[str, int]
    """How many files or documents, of those that this page comes to the end of, have no items, or not all, by reason."""
    next: Position | None
    """Where the next page begins; None after the last."""
