"""`codekeeper context`: one code context of a folder or of a mirror's commit, as `workers.context` makes it."""

import json
import sys
from typing import BinaryIO, Final

import click

from shared.answer import render
from shared.budget import DEAREST_READ_BYTES
from shared.errors import ErrorCode, Refused
from shared.exit_codes import EXIT_ANSWER, EXIT_REFUSAL
from workers.context import (
    CodeContextPlan,
    CodeContextSpec,
    ConflictingConfiguration,
    InvalidCodeSpec,
    MirrorCommit,
    Source,
    Status,
    WorkTree,
    read_code_context,
)
from workers.context.options import host_options
from workers.own_memory import own_memory_limited
from workers.tokens.encoding import encoding

_MAX_FILE_BYTES: Final = 1024 * 1024
"""Bytes of the file that describes the context: white space and escapes may stand in it, its canonical form is shorter."""


@click.command(
    epilog="""\b
Examples:
  codekeeper context spec.json --root .
  codekeeper context spec.json --repo django --ref main
  echo '{"maxTokens": 4000, "requests": [{"path": "app.py", "symbols": ["main"]}]}' | codekeeper context - --root src

\b
Each request has a path and one of: symbols (with includeDependencies), ranges, full: true, outline: true.
Exit codes: 0 the whole context, 1 nothing of it (the reason is on standard output), 2 wrong usage, 3 the database can't be reached."""
)
@click.argument("spec", metavar="SPEC.json", type=click.File("rb"))
@click.option("--root", help="The folder whose files are read.")
@click.option("--repo", help="The mirror that is read instead.")
@click.option("--ref", help="With --repo: its branch, tag or commit; without, the default branch.")
def context(spec: BinaryIO, root: str | None, repo: str | None, ref: str | None) -> None:
    """Print all that SPEC.json (or -, standard input) asks for as one JSON document of at most maxTokens tokens, or nothing of it."""
    if (root is None) == (repo is None):
        raise click.UsageError("Choose one of --root and --repo.")
    if ref is not None and repo is None:
        raise click.UsageError("--ref goes with --repo.")
    try:
        asked = CodeContextSpec.from_json(_parsed(spec))
        source: Source = MirrorCommit(repo, ref) if repo is not None else _folder(root or "")
        encoding()  # what is loaded once is no part of what this call takes
        with own_memory_limited(DEAREST_READ_BYTES):
            plan = read_code_context(host_options(), source, asked)
    except InvalidCodeSpec as invalid:
        _end(render({"ok": False, "error": "InvalidCodeSpec", "message": str(invalid)}), EXIT_REFUSAL)
    except Refused as refused:
        _end(render(refused.answer()), EXIT_REFUSAL)
    except MemoryError:
        message = "It takes more memory than a task of the service may. Ask for less of it at once."
        _end(render(Refused(ErrorCode.RESOURCE_LIMIT, message=message).answer()), EXIT_REFUSAL)
    else:
        _end(_printed(plan), EXIT_ANSWER if plan.status is Status.COMPLETE else EXIT_REFUSAL)


def _folder(root: str) -> WorkTree:
    try:
        return WorkTree(root)
    except ConflictingConfiguration as conflict:
        raise click.UsageError(f"--root: {conflict}") from None
    except OSError as error:
        raise click.UsageError(f"--root: {root} is no folder that can be read: {error.strerror}.") from None


def _parsed(spec: BinaryIO) -> object:
    data = spec.read(_MAX_FILE_BYTES + 1)
    if len(data) > _MAX_FILE_BYTES:
        raise InvalidCodeSpec("spec", f"the file is longer than {_MAX_FILE_BYTES} bytes.")
    try:
        parsed: object = json.loads(data)
    except (ValueError, RecursionError):
        raise InvalidCodeSpec("spec", "it is no JSON.") from None
    return parsed


def _printed(plan: CodeContextPlan) -> bytes:
    """The context, or what there is to say of one that didn't come about."""
    if plan.text is not None:
        return plan.text.encode()
    required = {} if plan.required_tokens is None else {"requiredTokens": plan.required_tokens}
    return render({"status": plan.status.value, **required, "audit": plan.audit})


def _end(printed: bytes, exit_code: int) -> None:
    click.echo(printed + b"\n", nl=False)
    sys.exit(exit_code)
