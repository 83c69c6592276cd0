"""A tool without work, for this folder's gateway and worker only: what a call costs before anybody reads anything."""

from typing import Final

from shared.tasks import READ, TaskKind

NAME: Final = "bench_empty"
EMPTY: Final = TaskKind("bench.empty", READ, soft_s=10, hard_s=12, deadline_s=20)
