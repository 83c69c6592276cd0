"""`codekeeper budget`: the sum of `shared/budget.py` for these settings on this host, as JSON or as a table for a person."""

import sys
from typing import Any

import click

from shared.answer import render
from shared.budget import DEAREST_READ_BYTES, DEAREST_READ_CPU_S, MIB, Budget, make_budget, rate_limit, read_host
from shared.exit_codes import EXIT_ANSWER, EXIT_REFUSAL
from shared.settings import Settings, settings
from shared.tasks import READ


@click.command(
    epilog="""\b
Examples:
  codekeeper budget
  codekeeper budget | jq .share
  CODEKEEPER_MEMORY_LIMIT=2G CODEKEEPER_READ_POOL=4 codekeeper budget --table

\b
Exit codes: 0 the dearest read fits into a task's share, 1 it doesn't and a worker with these settings refuses to start."""
)
@click.option("--table", "as_table", is_flag=True, help="Print a table also when the output is no terminal.")
def budget(*, as_table: bool) -> None:
    """Print what one task may take of this host's memory and CPUs, and the rate limit that follows.

    The pools are those of the settings; all processes of the Procfile are taken to run on this host, under one memory limit.
    The embedded form enforces the rate limit alone.
    """
    host = read_host(settings())
    found = make_budget(settings(), host)
    record = _record(found, settings())
    if as_table or sys.stdout.isatty():
        click.echo(_table(found, record))
    else:
        click.echo(render(record) + b"\n", nl=False)
    sys.exit(EXIT_ANSWER if found.fits else EXIT_REFUSAL)


def _record(found: Budget, configured: Settings) -> dict[str, Any]:
    units, seconds = rate_limit(configured, found.host)
    return {
        "ok": found.fits,
        "host": {
            "memory_bytes": found.host.memory_bytes, "memory_from": found.host.memory_from,
            "cpus": found.host.cpus, "cpus_from": found.host.cpus_from,
        },
        "pools": {"read": found.read_pool, "batch": found.batch_pool, "sync": found.sync_pool},
        "fixed": [{"what": cost.what, "count": cost.count, "each_bytes": cost.each_bytes} for cost in found.costs],
        "fixed_bytes": found.fixed_bytes,
        "share": {"bytes": found.share_bytes, "cpus": round(found.share_cpus, 3)},
        "dearest_read": {"bytes": DEAREST_READ_BYTES, "cpu_s": DEAREST_READ_CPU_S},
        "least_memory_bytes": found.least_memory_bytes,
        "rate_limit": {"units": units, "seconds": seconds, "from": "CPUs" if configured.rate_limit is None else "CODEKEEPER_RATE_LIMIT"},
        "refusal": found.refusal(READ),
    }  # fmt: skip


def _table(found: Budget, record: dict[str, Any]) -> str:
    host, limit = found.host, record["rate_limit"]
    rows = [("memory of the host", f"{host.memory_bytes / MIB:,.0f} MiB", host.memory_from)]
    rows += [(f"- {cost.what}", f"{cost.bytes / MIB:,.0f} MiB", f"{cost.count} x {cost.each_bytes / MIB:,.0f} MiB") for cost in found.costs]
    rows += [
        ("= left for tasks", f"{(host.memory_bytes - found.fixed_bytes) / MIB:,.0f} MiB", ""),
        (
            "/ tasks at once",
            f"{found.tasks}",
            f"CODEKEEPER_READ_POOL {found.read_pool}, _BATCH_POOL {found.batch_pool}, _SYNC_POOL {found.sync_pool}",
        ),
        ("= share of a task", f"{found.share_bytes / MIB:,.0f} MiB", f"the dearest read takes {DEAREST_READ_BYTES / MIB:,.0f} MiB"),
        ("CPUs of the host", f"{host.cpus:g}", host.cpus_from),
        ("CPUs of a task", f"{found.share_cpus:.2f}", f"the dearest read takes {DEAREST_READ_CPU_S:g} CPU seconds"),
        ("rate limit of a user", f"{limit['units']}/{limit['seconds']}", f"units/seconds, from {limit['from']}"),
    ]
    widths = [max(len(row[column]) for row in rows) for column in (0, 1)]
    lines = [f"{what:{widths[0]}}  {value:>{widths[1]}}  {note}".rstrip() for what, value, note in rows]
    return "\n".join([*lines, "", found.refusal(READ) or "A worker with these settings starts."])
