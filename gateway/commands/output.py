"""What every command prints and how it ends: the result as compact JSON on stdout, everything for people on stderr."""

import sys
from collections.abc import Mapping
from types import TracebackType
from typing import NoReturn, Self

import click
from tqdm import tqdm

from shared.answer import render
from shared.errors import ErrorCode, Refused
from shared.exit_codes import EXIT_REFUSAL, EXIT_UNREACHABLE


def emit(result: Mapping[str, object]) -> None:
    """Print one result as one line of compact JSON in UTF-8, whatever the terminal's encoding."""
    click.echo(render(result) + b"\n", nl=False)


def exit_code(refused: Refused) -> int:
    """The exit code of a refusal: `EXIT_UNREACHABLE` when the queue could not be reached, else `EXIT_REFUSAL`."""
    return EXIT_UNREACHABLE if refused.code is ErrorCode.QUEUE_UNAVAILABLE else EXIT_REFUSAL


def refuse(refused: Refused) -> NoReturn:
    """Print the refusal on stdout and end the process with its exit code."""
    emit(refused.answer())
    sys.exit(exit_code(refused))


class Progress:
    """A progress bar on stderr, when that is a terminal; else nothing at all is shown."""

    def __init__(self, label: str) -> None:
        """`label` says what is worked on, before the stage."""
        self._label = label
        shape = "{desc} {percentage:3.0f}%|{bar}|"
        self._bar = tqdm(total=100, desc=label, bar_format=shape, disable=not sys.stderr.isatty(), leave=False, file=sys.stderr)

    def show(self, stage: str | None, percent: int | None) -> None:
        """Show that `percent` (0 to 100) of `stage` is done; None where nothing is known."""
        self._bar.set_description(f"{self._label}: {stage or 'waiting'}", refresh=False)
        self._bar.n = percent or 0
        self._bar.refresh()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._bar.close()
