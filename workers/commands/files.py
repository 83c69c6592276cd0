"""`codekeeper files`: a user's saved files out of a folder and into one, by the operator, who has the database itself."""

import logging
import sys
from collections import Counter
from pathlib import Path
from typing import NoReturn

import click
from sqlalchemy import Engine

from shared.answer import render
from shared.database.migrate import migrate
from shared.errors import Refused
from shared.exit_codes import EXIT_ANSWER, EXIT_REFUSAL, EXIT_STOPPED
from shared.limits import MAX_USER_CHARS
from shared.local_user import LOCAL_CALLER
from shared.logs import configure_logging
from shared.progress import JobProgress
from shared.settings import settings
from workers import resources
from workers.folder import Folder
from workers.moving.export_files import export_files
from workers.moving.import_folder import Import, LeftOut
from workers.moving.manifest import BadFolder
from workers.moving.target import NotWritten, open_target
from workers.store.put_file import Put
from workers.store.text import is_storable

_USER = click.option("--user", help="Whose files they are, a user's id as in tokens. Embedded, the user local when not given.")


@click.group(
    epilog="""\b
Examples:
  codekeeper files import ~/notes
  codekeeper files export ~/notes-copy
  codekeeper files export /backup/dana --user dana"""
)
def files() -> None:
    """Move a folder into a user's saved files, and all of these into a folder, byte for byte."""


@files.command(
    "import",
    epilog="""\b
A file's path below DIR is its name: docs/plan.md. A name that is saved already gets a new version when the text differs, and
nothing when it is the same; language, description and tags stay. Left out: names that begin with a dot, and what is below
such folders. A file that can't be kept is skipped, and named on standard output with the reason: links, files that are no
UTF-8 text or too large, paths that can't be names. In an exported folder, .codekeeper/files.jsonl has names and metadata.

\b
Standard output has a line of JSON for each file that is skipped, and the counts in the last.
Run again, the command goes on: what is saved is found unchanged.
Exit codes: 0 all saved; 1 some files are skipped; 2 wrong usage, or a folder that can't be used; 3 stopped, or the database
is away: run it again.

\b
Examples:
  codekeeper files import ~/notes
  codekeeper files import /backup/dana --user dana""",
)
@click.argument("folder", metavar="DIR", type=click.Path(exists=True, file_okay=False, path_type=Path))
@_USER
@click.option("--hidden", is_flag=True, help="Save names that begin with a dot too; never .git.")
def import_(folder: Path, user: str | None, *, hidden: bool) -> None:
    """Save the files below DIR."""
    whose = _checked(user)
    engine = _opened()
    done: Counter[Put] = Counter()
    skipped = left_out = 0
    try:
        job = Import.of(Folder(folder), hidden=hidden)
        with JobProgress("file", job.count()) as progress:
            for path, result in job.into(engine, whose):
                if isinstance(result, Refused):
                    skipped += 1
                    _print({**result.answer(), "path": path})
                elif isinstance(result, LeftOut):
                    left_out += 1
                else:
                    done[result] += 1
                progress.one_more()
    except BadFolder as error:
        raise click.UsageError(f"{folder} can't be imported: {error}.") from None
    except Refused as refused:
        _stopped(f"{refused.fields.get('message', refused.code)} {done.total()} files were saved or unchanged")
    except KeyboardInterrupt:
        _stopped(f"{done.total()} files were saved or unchanged")
    counts = {"created": Put.CREATED, "new_versions": Put.NEW_VERSION, "described": Put.DESCRIBED, "unchanged": Put.UNCHANGED}
    _print({"ok": not skipped, **{name: done[put] for name, put in counts.items()}, "skipped": skipped, "left_out": left_out})
    sys.exit(EXIT_REFUSAL if skipped else EXIT_ANSWER)


@files.command(
    epilog="""\b
A file's name is its path below DIR. Names that can't be one, such as ../x, or A beside a where that is one file, are under
.codekeeper/names/; .codekeeper/files.jsonl has each file's name, language, description and tags, for an import.
Earlier versions, notes and collections are not exported.

\b
Standard output has the counts. The files are as they were at one moment.
An export that was stopped is made anew by the same command.
Exit codes: 0 all written; 2 wrong usage, or a folder that can't be used; 3 stopped, or the database is away: run it again.

\b
Examples:
  codekeeper files export ~/notes-copy
  codekeeper files export /backup/dana --user dana --overwrite""",
)
@click.argument("folder", metavar="DIR", type=click.Path(file_okay=False, path_type=Path))
@_USER
@click.option("--overwrite", is_flag=True, help="Write into a folder that isn't empty, and replace files of the same path; deletes none.")
def export(folder: Path, user: str | None, *, overwrite: bool) -> None:
    """Write the newest version of every active file into DIR, which is empty or isn't there."""
    whose = _checked(user)
    engine = _opened()
    try:
        with open_target(folder, overwrite=overwrite) as target, JobProgress("file", None) as progress:

            def show(count: int) -> None:
                progress.of(count)
                progress.one_more()

            exported = export_files(engine, whose, target, show)
    except BadFolder as error:
        raise click.UsageError(f"{folder} can't be exported into: {error}.") from None
    except NotWritten as error:
        _stopped(f"{folder} can't be written: {error}")
    except Refused as refused:
        _stopped(str(refused.fields.get("message", refused.code)))
    except KeyboardInterrupt:
        _stopped("the export is not whole")
    _print({"ok": True, "exported": exported.files, "bytes": exported.bytes, "renamed": exported.renamed})


def _checked(user: str | None) -> str:
    """Whose files are meant.

    Raises:
        click.UsageError: nobody's, or not one user's.
    """
    if user is None:
        if not settings().embedded:
            raise click.UsageError("--user says whose files they are; a hosted service has no user of its own.")
        return LOCAL_CALLER.user
    if not user.strip() or len(user) > MAX_USER_CHARS or not is_storable(user):
        raise click.UsageError(f"--user is 1 to {MAX_USER_CHARS} characters.")
    return user


def _opened() -> Engine:
    configure_logging(logging.WARNING)  # a person reads along
    migrate(resources.engine(), settings().data_dir)
    return resources.engine()


def _print(result: dict[str, object]) -> None:
    click.echo(render(result) + b"\n", nl=False)


def _stopped(why: str) -> NoReturn:
    click.echo(f"codekeeper: stopped: {why}; the same command goes on.", err=True)
    sys.exit(EXIT_STOPPED)
