"""What is refused before any file is looked for: modes that don't combine, parameters without their mode, values that need no file."""

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import Refused
from shared.wire.get_file import GetFileArguments
from workers.saved_file.request import checked_read_request

PAIRS = ["toc_and_section", "toc_and_query", "toc_and_lines", "section_and_query", "section_and_lines", "query_and_lines"]
MODES: dict[str, list[Any]] = {"toc": [True], "section": ["K1", "", " "], "query": ["x", "", "a\nb"], "lines": [[1, 2], [0, 2], []]}
NEEDS: dict[str, set[str]] = {  # in the order of GTF-39 and of items 21 and 22 of its section 14
    "context_lines": {"query"},
    "max_results": {"query"},
    "max_chars": {"section"},
    "offset": {"section"},
    "max_depth": {"toc", "section"},
}


def refusal(**arguments: Any) -> dict[str, Any] | None:
    try:
        checked_read_request(GetFileArguments.model_validate(arguments))
    except Refused as refused:
        return dict(refused.answer())
    return None


def code(**arguments: Any) -> str | None:
    answer = refusal(**arguments)
    return None if answer is None else str(answer["error"])


@pytest.mark.rule("GTF-30", "GTF-31", "GTF-42", "GTF-77", "LIN-42")
@pytest.mark.parametrize("named", [{}, {"file_name": "a.md"}])
def test_two_modes_or_more_are_refused_by_the_first_pair_of_the_table(named: dict[str, Any]) -> None:
    for many in (2, 3, 4):
        for modes in combinations(MODES, many):
            first = next(pair for pair in PAIRS if set(pair.split("_and_")) <= set(modes))
            for which in range(3):
                sent = {mode: MODES[mode][min(which, len(MODES[mode]) - 1)] for mode in modes}
                everything = {"max_depth": 1, "context_lines": 1, "max_chars": 600, "offset": 0}
                assert refusal(**named, **sent) == refusal(**named, **sent, **everything) == {"ok": False, "error": first}


@pytest.mark.rule("GTF-5", "GTF-33", "GTF-34", "GTF-35", "GTF-36", "GTF-37", "GTF-38", "GTF-39", "GTF-40", "GTF-41")
@pytest.mark.parametrize("mode", [None, *MODES])
def test_a_parameter_without_its_mode_is_refused_and_the_first_decides(mode: str | None) -> None:
    asked = {} if mode is None else {mode: MODES[mode][0]}
    for many in range(len(NEEDS) + 1):
        for parameters in combinations(NEEDS, many):
            strays = [name for name in NEEDS if name in parameters and mode not in NEEDS[name]]
            expected = None if not strays else f"{strays[0]}_without_{'toc' if strays[0] == 'max_depth' else min(NEEDS[strays[0]])}"
            assert code(**asked, **dict.fromkeys(parameters, 0)) == expected


@pytest.mark.rule("GTF-42", "GTF-69", "GTF-74", "GTF-75", "GTF-76", "GTF-132", "GTF-133", "GTF-55", "LIN-20", "LIN-21", "LIN-22", "LIN-23")
@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        *[({"query": query}, "query_too_short") for query in ("", " ", "\t\n", "\n", "\u2003", " " * 5_000)],
        *[({"query": query}, "query_multiline") for query in ("a\n", "\nb", "a\r\nb")],
        *[({"query": query}, None) for query in ("x", "ש", "    return", "a\r", "null", ".*", "x" * 4_096, "\0", "\ud800")],
        *[({"section": section}, "empty_section") for section in ("", " ", "\n\t", " " * 4_096)],
        *[({"section": section}, None) for section in (" " * 4_097, "x" * 5_000, "null")],
        *[({"lines": lines}, "invalid_line_range") for lines in ([], [3], [1, 2, 3], [0, 2], [-1, 2], [5, 3], [1, 0])],
        *[({"lines": lines}, None) for lines in ([1, 1], [3, 10**18])],
    ],
)  # fmt: skip
def test_values_that_need_no_file(arguments: dict[str, Any], expected: str | None) -> None:
    assert code(**arguments) == expected


@pytest.mark.rule("GTF-132")
def test_a_blank_heading_points_to_the_map_and_a_long_query_is_not_echoed() -> None:
    empty = refusal(section=" ")
    assert empty is not None
    assert set(empty) == {"ok", "error", "hint"}
    assert "toc=true" in empty["hint"]
    assert refusal(query="q" * 4_097) == {"ok": False, "error": "query_too_long", "max_chars": 4_096, "actual_chars": 4_097}


@pytest.mark.rule("GTF-12", "GTF-13", "GTF-42")
@given(st.sampled_from(["true", 1, 0, None, "", 2.0]), st.sampled_from([5, True, [], b"K1"]))
def test_behind_the_schema_no_type_is_converted(toc: Any, section: Any) -> None:
    for arguments, expected in (
        ({"toc": toc, "section": section, "query": "x"}, "invalid_toc"),
        ({"toc": True, "section": section}, "invalid_section"),
    ):
        with pytest.raises(Refused) as caught:
            checked_read_request(GetFileArguments.model_construct(**arguments))
        assert caught.value.answer() == {"ok": False, "error": expected}
