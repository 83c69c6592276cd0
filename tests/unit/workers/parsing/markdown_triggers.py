"""Lines of a Markdown page that trigger a row of the table of divergences: the scan that the documentation must pass (MDG-59 to MDG-68)."""

import re
from pathlib import Path

from tests.unit.workers.parsing.markdown_causes import PYTHON_ONLY_SPACES
from tests.unit.workers.parsing.markdown_table import table
from workers.parsing.markdown.blocks import block_tokens

TRIGGERS = {row.number: re.compile(row.trigger) for row in table().rows if row.trigger}
_CODE = {"fence", "code_block", "front_matter"}


def triggers_in(text: str) -> list[tuple[int, int]]:
    """The lines that trigger a row, each with the row's number. The parser says which lines are code or stand inside an HTML block."""
    lines = text.replace("\r\n", "\n").split("\n")
    skipped: set[int] = set()
    for token in block_tokens("\n".join(lines), max_tokens=None, max_sections=None):
        if token.map and token.type in _CODE:
            skipped |= set(range(*token.map))
        elif token.map and token.type == "html_block" and not _only_ours(lines[token.map[0]]):
            skipped |= set(range(token.map[0] + 1, token.map[1]))
    found = [(index, row) for index, line in enumerate(lines) for row, trigger in TRIGGERS.items() if trigger.match(line)]
    return [(index + 1, row) for index, row in found if index not in skipped]


def _only_ours(line: str) -> bool:
    """Whether an HTML block that opens on `line` may exist for us alone (MDG-64)."""
    return any(trigger.match(line) for trigger in TRIGGERS.values()) or any(sign in line for sign in PYTHON_ONLY_SPACES)


def findings(folder: Path) -> list[str]:
    """What is wrong with the pages under `folder`, one sentence each. A folder without a page is wrong, too (MDG-66, MDG-67)."""
    pages = sorted(folder.rglob("*.md"))
    found = [] if pages else [f"{folder}: no page"]
    for page in pages:
        try:
            text = page.read_bytes().decode("utf-8-sig")
        except UnicodeDecodeError:
            found.append(f"{page}: not UTF-8")
            continue
        found += [f"{page}:{line}: row {row}" for line, row in triggers_in(text)]
    return found
