"""What `serve --local` does beside serving: one person's token, the repository around them as a mirror, and how to connect."""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import click
from sqlalchemy import Engine

from gateway import tokens
from gateway.commands.call import call_gateway
from gateway.commands.repo import add_and_sync
from shared.database import repositories
from shared.local_user import LOCAL_CALLER
from shared.settings import Settings

TOKEN_FILE: Final = "local.token"  # noqa: S105 - a file's name
"""File in DATA_DIR that keeps the local user's token, readable by its owner alone."""

FIRST_FILES: Final = ("README.md", "README.rst", "README", "README.txt")
"""What the first real answer shows, the first of them that the repository has."""


@dataclass(frozen=True)
class Setup:
    """What was prepared, for `show`."""

    token: str
    repo: str | None
    """The repository around the current folder; None when there is none, or it could not be mirrored."""
    first_file: str | None


def settings_of_one_person(settings: Settings) -> Settings:
    """The settings with the local user as an admin (contract README, "admins")."""
    return settings.model_copy(update={"admin_users": (*settings.admin_users, LOCAL_CALLER.user)})


def prepare(settings: Settings, engine: Engine) -> Setup:
    """Find or issue the local token, and mirror the repository around the current folder the first time."""
    token = _kept_token(settings.data_dir / TOKEN_FILE, engine)
    here = Path.cwd()
    checkout = next((folder for folder in (here, *here.parents) if (folder / ".git").exists()), None)
    if checkout is None:
        return Setup(token, None, None)
    name, is_new = _name_for(engine, checkout)
    if is_new:
        record = add_and_sync(settings, engine, name, str(checkout), None)
        if record is None or record.sync_status != "ok":
            click.echo(f"codekeeper: {checkout} could not be mirrored: {record.sync_error if record else 'see the log'}", err=True)
            return Setup(token, None, None)
    return Setup(token, name, next((file for file in FIRST_FILES if (checkout / file).is_file()), None))


def _name_for(engine: Engine, checkout: Path) -> tuple[str, bool]:
    """The name under which `checkout` is registered, or a free one, and whether it is the latter."""
    name = default_name(checkout)
    for number in range(2, 1_000):
        found = repositories.find(engine, name)
        if found is None or found.address == str(checkout):
            return name, found is None
        name = f"{default_name(checkout)[:95]}-{number}"
    raise click.UsageError(f"a thousand repositories are called {default_name(checkout)} here; add this one with `codekeeper repo add`.")


def default_name(folder: Path) -> str:
    """A repository's default name: its folder's, with other characters as `-` (DESIGN, "Names")."""
    return re.sub(r"[^a-zA-Z0-9_-]", "-", folder.name)[:100].lstrip("-_") or "repository"


def _kept_token(file: Path, engine: Engine) -> str:
    """The token in `file` if it is still valid, else a new one, kept there with mode 0600."""
    if file.is_file():
        kept = file.read_text(encoding="ascii", errors="replace").strip()
        if tokens.verify(engine, kept) is not None:
            return kept
    token: str = tokens.issue(engine, LOCAL_CALLER.user, sorted(LOCAL_CALLER.scopes), label="serve --local")["token"]
    written = file.with_suffix(".new")
    written.unlink(missing_ok=True)
    with os.fdopen(os.open(written, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as out:
        out.write(token + "\n")
    written.replace(file)
    return token


async def show(setup: Setup, url: str) -> None:
    """Print how to connect, and one real answer, to standard error."""
    header = f"Authorization: Bearer {setup.token}"
    entry = {"type": "http", "url": url, "headers": {"Authorization": f"Bearer {setup.token}"}}
    click.echo(
        f"\nCodeKeeper serves MCP at  {url}\n"
        f"with the token            {setup.token}\n\n"
        f'Claude Code:  claude mcp add --transport http codekeeper {url} --header "{header}"\n'
        f"Other clients: {json.dumps({'mcpServers': {'codekeeper': entry}})}\n",
        err=True,
    )
    if setup.repo is None:
        tool, arguments = "codekeeper_list_repos", {}
        click.echo("You don't stand in a git repository; add one with: codekeeper repo add NAME ADDRESS\n", err=True)
    elif setup.first_file is None:
        tool, arguments = "codekeeper_list_repo_tree", {"repo": setup.repo, "per_page": 5}
    else:
        tool, arguments = "codekeeper_get_repo_file", {"repo": setup.repo, "path": setup.first_file, "lines": [1, 5]}
    text, _ = await call_gateway(url, setup.token, tool, arguments)
    click.echo(f"A first answer, to {tool} {json.dumps(arguments)}:\n{text}\n\nStop with Ctrl-C.", err=True)
