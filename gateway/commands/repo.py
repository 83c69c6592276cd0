"""`codekeeper repo`: which repositories are mirrored. Prints their records; the work is the `sync` queue's.

A database that can't be used is the caller's matter: `main` says so for every command.
"""

import asyncio
import logging
import sys
import uuid
from collections.abc import Sequence

import click
from sqlalchemy import Engine

from gateway.commands.output import emit, exit_code, refuse
from gateway.commands.wait_for_sync import sync_in_progress, wait_for
from gateway.dispatch import make_sender
from gateway.dispatch.task_sender import opened
from shared.addresses import check_address
from shared.database import repositories
from shared.database.engine import open_engine
from shared.database.migrate import migrate
from shared.database.repositories import Repository
from shared.docs_policy import DOCUMENT_SUFFIXES, docs_root
from shared.errors import ErrorCode, Refused
from shared.exit_codes import EXIT_ANSWER, EXIT_REFUSAL
from shared.logs import configure_logging
from shared.paths import check_repo_name
from shared.settings import Settings, settings
from shared.tasks import REMOVE_MIRROR, SYNC_REPOSITORY

_MAX_BRANCH_CHARS = 1_000
"""Characters of `--branch`; a file system takes fewer than 256 between two slashes."""


@click.group(
    epilog="""\b
Examples:
  codekeeper repo add django https://github.com/django/django
  codekeeper repo add notes git@git.example.org:team/notes.git --branch trunk
  codekeeper repo add here /home/dana/src/here
  codekeeper repo list
  codekeeper repo sync django
  codekeeper repo docs notes --root docs/ --suffix .rst
  codekeeper repo remove django

\b
Records are JSON on standard output, one a line; progress is on standard error.
Exit codes: 0 done, 1 refused or a sync failed, 2 wrong usage, 3 queue or database not reachable."""
)
def repo() -> None:
    """Add, list, sync and remove mirrored repositories."""


@repo.command(
    epilog="""\b
Examples:
  codekeeper repo add django https://github.com/django/django
  codekeeper repo add docs https://github.com/acme/docs --branch published"""
)
@click.argument("name")
@click.argument("address")
@click.option("--branch", help="What a call without a ref reads. Not given: what the remote's HEAD names, now and later.")
def add(name: str, address: str, branch: str | None) -> None:
    """Register ADDRESS as NAME, mirror it, and print its record.

    ADDRESS is what git clones: https, ssh, or a local path. A first sync that fails keeps the record: `repo sync` tries again.
    """
    configure_logging(logging.WARNING)  # a person reads along
    try:
        record = add_and_sync(settings(), _open(), name, address, branch)
    except Refused as refused:
        refuse(refused)
    _end(EXIT_REFUSAL if record is None else _show(record))


@repo.command("list", epilog="\b\nExample:\n  codekeeper repo list")
def list_() -> None:
    """Print every repository's record, one a line, by name."""
    for found in repositories.all_repositories(_open()):
        emit(found.record())


@repo.command(epilog="\b\nExamples:\n  codekeeper repo sync django\n  codekeeper repo sync")
@click.argument("name", required=False)
def sync(name: str | None) -> None:
    """Fetch NAME, or every repository, whether or not anything seems to have changed, and print the records, one a line."""
    configure_logging(logging.WARNING)  # a person reads along
    try:
        engine = _open()
        registered = repositories.all_repositories(engine) if name is None else [_registered(engine, name)]
        _end(asyncio.run(_sync(settings(), engine, registered)))
    except Refused as refused:
        refuse(refused)


@repo.command(
    epilog="""\b
Examples:
  codekeeper repo docs django --root docs/ --suffix .rst
  codekeeper repo docs notes --root "" --suffix .md"""
)
@click.argument("name")
@click.option("--root", required=True, help='Folder of the documentation; "" is the whole repository.')
@click.option("--suffix", required=True, type=click.Choice(DOCUMENT_SUFFIXES), help="Format of its pages.")
def docs(name: str, root: str, suffix: str) -> None:
    """Say where the documentation of NAME lives, and print its record.

    Its pages are served once CODEKEEPER_DOCS_REPOS lists NAME too; a gateway announces it to agents when it starts the next time.
    """
    try:
        engine = _open()
        _registered(engine, name)
        repositories.set_docs_policy(engine, name, docs_root(root), suffix)
        emit(_registered(engine, name).record())
    except Refused as refused:
        refuse(refused)


@repo.command(epilog="\b\nExample:\n  codekeeper repo remove django")
@click.argument("name")
def remove(name: str) -> None:
    """Forget NAME and delete its mirror; prints the record that is gone."""
    configure_logging(logging.WARNING)  # a person reads along
    try:
        engine = _open()
        _end(asyncio.run(_remove(settings(), engine, _registered(engine, name))))
    except Refused as refused:
        refuse(refused)


def add_and_sync(settings: Settings, engine: Engine, name: str, address: str, branch: str | None) -> Repository | None:
    """Register a repository, wait for its first sync, and return its record; None when somebody removed it meanwhile.

    Raises:
        Refused: `invalid_input`, `protocol_not_allowed` or `repo_exists`, and nothing is registered; `queue_unavailable` after that.
        sqlalchemy.exc.SQLAlchemyError: the database can't be used.
    """
    check_repo_name(name)
    checked = check_address(address, settings.protocols)
    _check_branch(branch)
    if not repositories.add(engine, name, checked, branch):
        raise Refused(ErrorCode.REPO_EXISTS, repo=name, message="That name is registered; `codekeeper repo list` shows with which address.")

    async def first_sync() -> Repository | None:
        async with opened(make_sender(settings)) as sender:
            sync_id = uuid.uuid4().hex
            await sender.send(SYNC_REPOSITORY, name, sync_id, True)
            # The schedule may have come first: any sync is the first one.
            return await _waiting(engine, name, sync_id, before=None, any_sync=True)

    return asyncio.run(first_sync())


def _check_branch(branch: str | None) -> None:
    """Raise `Refused(invalid_input)` for what git takes for no branch's name, or for an option."""
    if branch is None:
        return
    parts = branch.split("/")
    malformed = (
        not branch.isprintable()
        or len(branch) > _MAX_BRANCH_CHARS
        or branch.startswith("-")
        or branch in {"@", "HEAD"}
        or any(not part or part.startswith(".") or part.endswith((".lock", ".")) for part in parts)
        or any(wrong in branch for wrong in (" ", "~", "^", ":", "?", "*", "[", "\\", "..", "@{"))
    )
    if malformed:
        raise Refused(ErrorCode.INVALID_INPUT, message="--branch: that is no branch's name. It is given without refs/heads/.")


async def _sync(settings: Settings, engine: Engine, registered: Sequence[Repository]) -> int:
    """Sync all of them and print a line for each; the exit code of the worst."""
    worst = EXIT_ANSWER
    async with opened(make_sender(settings)) as sender:
        sent: list[tuple[Repository, str]] = []
        for found in registered:
            if found.syncing:
                worst = max(worst, _say(sync_in_progress(found.name)))
                continue
            sync_id = uuid.uuid4().hex
            await sender.send(SYNC_REPOSITORY, found.name, sync_id, True)
            sent.append((found, sync_id))
        for found, sync_id in sent:
            try:
                after = await _waiting(engine, found.name, sync_id, before=found.last_sync_id)
            except Refused as refused:
                worst = max(worst, _say(refused))
                continue
            worst = max(worst, _say(_unknown(found.name)) if after is None else _show(after))
    return worst


async def _remove(settings: Settings, engine: Engine, found: Repository) -> int:
    if found.syncing:
        raise sync_in_progress(found.name)
    async with opened(make_sender(settings)) as sender:
        sync_id = uuid.uuid4().hex
        await sender.send(REMOVE_MIRROR, found.name, sync_id)
        after = await _waiting(engine, found.name, sync_id, before=found.last_sync_id)
    if after is None:
        emit(found.record())
        return EXIT_ANSWER
    return _show(after)


async def _waiting(engine: Engine, name: str, sync_id: str, *, before: str | None, any_sync: bool = False) -> Repository | None:
    """`wait_for` the sync that was sent. When the command is interrupted, the sync is: it loses its lock, and stops at its next renewal."""

    def is_over(found: Repository) -> bool:
        return not found.syncing and found.last_sync_id is not None if any_sync else found.last_sync_id == sync_id

    try:
        return await wait_for(engine, name, sync_id, before=before, is_over=is_over, any_sync=any_sync)
    except asyncio.CancelledError:
        click.echo("codekeeper: interrupted; the sync stops within seconds.", err=True)
        repositories.unlock(engine, name, sync_id, {"sync_status": "failed", "sync_error": "Interrupted by the operator."})
        raise


def _open() -> Engine:
    """The database, at this version's schema."""
    engine = open_engine(settings().database)
    migrate(engine, settings().data_dir)
    return engine


def _unknown(name: str) -> Refused:
    return Refused(
        ErrorCode.UNKNOWN_REPO, repo=name, message="No repository has that name; `codekeeper repo list` shows those that are here."
    )


def _registered(engine: Engine, name: str) -> Repository:
    check_repo_name(name)
    found = repositories.find(engine, name)
    if found is None:
        raise _unknown(name)
    return found


def _show(record: Repository) -> int:
    """Print a record; the exit code that its sync's end makes."""
    emit(record.record())
    return EXIT_ANSWER if record.sync_status == "ok" else EXIT_REFUSAL


def _say(refused: Refused) -> int:
    emit(refused.answer())
    return exit_code(refused)


def _end(code: int) -> None:
    if code != EXIT_ANSWER:
        sys.exit(code)
