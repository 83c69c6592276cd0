"""`codekeeper`: one script whose subcommands are entry points of the group `codekeeper.commands`, loaded when they are asked for."""

import sys
from importlib.metadata import EntryPoint, entry_points, version
from typing import Final

import click
from pydantic import ValidationError

from shared.exit_codes import EXIT_UNREACHABLE, EXIT_USAGE

GROUP: Final = "codekeeper.commands"


class EntryPointGroup(click.Group):
    """A click group whose commands are the entry points of `GROUP`."""

    def _found(self) -> dict[str, EntryPoint]:
        return {entry.name: entry for entry in entry_points(group=GROUP)}

    def list_commands(self, _context: click.Context) -> list[str]:
        """Names of all subcommands."""
        return sorted(self._found())

    def get_command(self, _context: click.Context, name: str) -> click.Command | None:
        """The subcommand `name`, imported now; None when no package brings it."""
        entry = self._found().get(name)
        if entry is None:
            return None
        command: click.Command = entry.load()
        return command


@click.group(
    cls=EntryPointGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110},
    epilog="""\b
Examples:
  codekeeper repo add django https://github.com/django/django
  codekeeper token issue --user dana
  codekeeper serve
  codekeeper call codekeeper_get_repo_file '{"repo": "django", "path": "README.rst"}'

\b
Settings are environment variables with the prefix CODEKEEPER_; the README lists them.
Exit codes: 0 an answer, 1 a refusal, 2 wrong usage, 3 queue, gateway or database not reachable.""",
)
@click.version_option(version("codekeeper"), prog_name="codekeeper")
def cli() -> None:
    """Read git mirrors exactly and within bounds, for AI agents over MCP and for scripts."""


def main() -> None:
    """The console script."""
    try:
        cli.main(prog_name="codekeeper")
    except ValidationError as error:
        for problem in error.errors(include_url=False, include_input=False):
            name = "_".join(map(str, problem["loc"])).upper()
            click.echo(f"codekeeper: CODEKEEPER_{name}: {problem['msg']}", err=True)
        sys.exit(EXIT_USAGE)
    except Exception as error:
        from sqlalchemy.exc import SQLAlchemyError  # noqa: PLC0415 - 0.4 s that `stdio` needn't spend before it answers

        if not isinstance(error, SQLAlchemyError):
            raise
        click.echo(f"codekeeper: the database can't be reached: {type(getattr(error, 'orig', None) or error).__name__}", err=True)
        sys.exit(EXIT_UNREACHABLE)


if __name__ == "__main__":
    main()
