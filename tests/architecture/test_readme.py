"""The README's tables, held against the code."""

import re
from pathlib import Path

from gateway.tools.registry import TOOLS
from shared.settings import Settings

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")


def test_the_settings_table_lists_every_setting_with_its_default_and_meaning() -> None:
    rows = dict(re.findall(r"^\| `CODEKEEPER_(\w+)` \| (.*) \|$", README, re.MULTILINE))
    expected = {}
    for name, setting in Settings.model_fields.items():
        default = "not set" if setting.default in (None, (), {}) else f"`{setting.default}`"
        expected[name.upper()] = f"{default} | {setting.description}"
    assert rows == expected


def test_the_tool_table_names_every_tool() -> None:
    table = README.partition("| tool | what it answers |\n")[2].partition("\n\n")[0]
    assert re.findall(r"^\| `(\w+)` \|", table, re.MULTILINE) == list(TOOLS)
