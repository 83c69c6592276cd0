"""`codekeeper batch`: review jobs of any number of items, on the queue `batch`, and the items for the review of a change."""

import asyncio
import logging
import os
import shutil
import sys
import tempfile

import click

from gateway.batch.items_file import BadFile, open_items
from gateway.batch.plan import planned
from gateway.batch.results import open_results
from gateway.batch.run import run_to_its_end
from gateway.commands.output import emit, exit_code
from shared.errors import Refused
from shared.exit_codes import EXIT_ANSWER
from shared.limits import REVIEW_CONTEXT_DEFAULT, REVIEW_CONTEXT_MAX
from shared.logs import configure_logging
from shared.settings import settings
from shared.wire.plan_review import PlanReviewArguments


@click.group(
    epilog="""\b
Examples:
  codekeeper batch plan --repo django --base main --head topic > items.jsonl
  codekeeper batch run items.jsonl --out results.jsonl"""
)
def batch() -> None:
    """Read many items at once, beside the agents' reads: review jobs for CI and scripts."""


@batch.command(
    epilog="""\b
An item is a call of a single tool: its arguments, and the kind that names it.
  {"kind": "section", "path": "guide", "section": "Setup"}        codekeeper_docs_get_section
  {"kind": "file", "repo": "django", "path": "a.py", "lines": [1, 40]}   codekeeper_get_repo_file
  {"kind": "outline", "repo": "django", "path": "a.py"}           the same, with outline=true
  {"kind": "search", "repo": "django", "query": "get_db("}        codekeeper_search_repo
A result is a line {"index", "item", "result"}; `result` is what the tool answers. An item that is none gets `invalid_item`.

\b
Examples:
  codekeeper batch run items.jsonl --out results.jsonl
  codekeeper batch plan --repo django --base main --head topic | codekeeper batch run - --out results.jsonl

\b
The same command resumes a job that was stopped: RESULTS itself says what is done.
Exit codes: 0 all answered; 1 some items are refused; 2 wrong usage, or a file that can't be used; 3 stopped, or queue, workers
or database not reachable: run it again."""
)
@click.argument("items", metavar="ITEMS")
@click.option("--out", default="-", metavar="RESULTS", help="File of the results; - (standard output) when not given, and not resumable.")
def run(items: str, out: str) -> None:
    """Answer every item in the file ITEMS (JSON Lines; - is standard input) and write the results in the same order."""
    configure_logging(logging.WARNING)  # a person reads along
    try:
        with open_items(items) as listed, open_results(out, listed) as results:
            ended = asyncio.run(run_to_its_end(settings(), listed, results))
    except BadFile as error:
        raise click.UsageError(str(error)) from None
    click.echo(f"codekeeper: {ended.summary}", err=True)
    _leave(ended.exit_code)


@batch.command(
    epilog="""\b
For each changed file, in git's order: its map (`outline`, or the headings of a documentation page), and its changed lines (`file`)
with a few around, as `git diff -M -U<context> BASE...HEAD` has them on the head's side; an added file is read whole.
Then the documentation pages of the repository that name a changed file, by its path or its Python module. All at the head's commit.
What has no items (deleted, binary, secret, ...) is counted on standard error.

\b
Example:
  codekeeper batch plan --repo django --base main --head topic > items.jsonl"""
)
@click.option("--repo", required=True, help="A mirrored repository.")
@click.option("--base", required=True, help="What the change is for: a branch, tag or commit that the mirror holds.")
@click.option("--head", required=True, help="What it leads to; the change is that since it left BASE.")
@click.option(
    "--context",
    type=click.IntRange(0, REVIEW_CONTEXT_MAX),
    default=REVIEW_CONTEXT_DEFAULT,
    show_default=True,
    help="Lines around each change.",
)
def plan(repo: str, base: str, head: str, context: int) -> None:
    """Print the items for the review of a change, one a line, for `batch run`."""
    configure_logging(logging.WARNING)  # a person reads along
    with tempfile.TemporaryFile() as kept:  # all of them or none: half a plan is none
        try:
            said = asyncio.run(planned(settings(), PlanReviewArguments(repo=repo, base=base, head=head, context=context), kept.write))
        except Refused as refused:
            emit(refused.answer())
            _leave(exit_code(refused))
        kept.seek(0)
        shutil.copyfileobj(kept, sys.stdout.buffer)
    click.echo(f"codekeeper: {said}", err=True)
    _leave(EXIT_ANSWER)


def _leave(code: int) -> None:
    sys.stdout.flush()
    os._exit(code)  # a task that still runs on a thread must not hold the process; its git dies with it
