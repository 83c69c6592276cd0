"""Code contexts: complete implementations of one or more files as one JSON text within an exact token budget.

What is named here is the SDK; the README shows it at work. `read_code_context` takes what the host decides, where the files are, and what
is asked for.
"""

from workers.context.mirror_commit import MirrorCommit
from workers.context.options import ContextOptions
from workers.context.plan import CodeContextPlan, Status, read_code_context
from workers.context.reading import Security
from workers.context.source import Source
from workers.context.spec import CodeContextSpec, InvalidCodeSpec
from workers.context.work_tree import ConflictingConfiguration, WorkTree

__all__ = [
    "CodeContextPlan",
    "CodeContextSpec",
    "ConflictingConfiguration",
    "ContextOptions",
    "InvalidCodeSpec",
    "MirrorCommit",
    "Security",
    "Source",
    "Status",
    "WorkTree",
    "read_code_context",
]
