"""What `codekeeper_get_repo_file` says of its outline is what the scanners do."""

import re

import pytest

from gateway.tools.get_repo_file import TOOL
from workers.parsing.registry import SCANNERS

PROPERTIES = TOOL.arguments.model_json_schema()["properties"]


@pytest.mark.rule("GRF-42", "GRF-66", "GRF-68", "OUT-8")
def test_the_parameter_lists_exactly_the_extensions_with_a_scanner() -> None:
    assert set(re.findall(r"\.[a-z0-9]+\b", PROPERTIES["outline"]["description"])) == set(SCANNERS)


@pytest.mark.rule("GRF-66", "GRF-67")
def test_the_filter_is_described_at_its_parameter_and_the_tool_points_to_both() -> None:
    described = PROPERTIES["symbol"]["description"]
    for said in ("contains", "case", "`@media`", "`block `", "`#`", "`total`"):
        assert said in described
    assert "The parameters `outline` and `symbol`" in TOOL.description
    assert not any(extension in TOOL.description for extension in SCANNERS)
