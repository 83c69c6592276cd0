"""What a description may say, and that nothing else is taken: strict, and without repeating a value."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.answer import render
from shared.limits import CODE_READ_BYTES_MAX
from workers.context.spec import CodeContextSpec, FileRequest, InvalidCodeSpec, LineRange

FULL = {"path": "a.py", "full": True}

_NAMES = st.sampled_from(["maxTokens", "requests", "path", "symbols", "ranges", "full", "startLine"]) | st.text(max_size=3)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(), lambda inner: st.lists(inner) | st.dictionaries(_NAMES, inner)
)


def read(value: object, host_max_tokens: int | None = None) -> CodeContextSpec:
    return CodeContextSpec.from_json(value, host_max_tokens=host_max_tokens)


def of(**request: Any) -> dict[str, Any]:
    return {"maxTokens": 100, "requests": [{"path": "a.py", **request}]}


def field_of_refusal(value: object, host_max_tokens: int | None = None) -> str:
    with pytest.raises(InvalidCodeSpec) as refused:
        read(value, host_max_tokens)
    assert str(refused.value).startswith(f"{refused.value.field}: ")
    return refused.value.field


@pytest.mark.rule("RCC-1", "RCC-2", "RCC-3", "RCC-7", "RCC-10", "RCC-27")
def test_a_description_is_read_as_it_stands() -> None:
    given_requests = [
        {"path": "lib/response.js", "symbols": ["res.render", "größe"], "includeDependencies": True},
        {"path": "a b/ä.py", "ranges": [{"startLine": 3, "endLine": 3}, {"startLine": 1, "endLine": 2}], "includeDependencies": False},
        {"path": "c", "full": True, "outline": False},
        {"path": "d", "outline": True},
    ]
    assert read({"maxTokens": 1, "maxReadBytes": 5, "requests": given_requests}) == CodeContextSpec(
        1,
        (
            FileRequest("lib/response.js", symbols=("res.render", "größe"), include_dependencies=True),
            FileRequest("a b/ä.py", ranges=(LineRange(3, 3), LineRange(1, 2))),
            FileRequest("c", full=True),
            FileRequest("d", outline=True),
        ),
        5,
    )
    assert read(of(full=True)).max_read_bytes == CODE_READ_BYTES_MAX == 16 * 1024 * 1024


@pytest.mark.rule("RCC-1", "RCC-2", "RCC-3", "RCC-7", "RCC-10", "RCC-20", "RCC-22", "RCC-27")
@pytest.mark.parametrize(
    ("value", "field"),
    [
        ([], "spec"),
        ("{}", "spec"),
        ({**of(full=True), "encoding": "cl100k_base"}, "spec"),
        ({"requests": [FULL]}, "maxTokens"),
        *(({"maxTokens": wrong, "requests": [FULL]}, "maxTokens") for wrong in ("100", True, 1.0, 0, -1, None)),
        *(({**of(full=True), "maxReadBytes": wrong}, "maxReadBytes") for wrong in ("1", False, 0, 16 * 1024 * 1024 + 1, None)),
        ({"maxTokens": 1}, "requests"),
        ({"maxTokens": 1, "requests": []}, "requests"),
        ({"maxTokens": 1, "requests": {"0": FULL}}, "requests"),
        ({"maxTokens": 1, "requests": [{**FULL, "path": str(number)} for number in range(33)]}, "requests"),
        ({"maxTokens": 1, "requests": [FULL, {"path": "a.py", "outline": True}]}, "requests"),
        ({"maxTokens": 1, "requests": [FULL, "b.py"]}, "requests[1]"),
        (of(), "requests[0]"),
        (of(full=False), "requests[0]"),
        (of(full=True, outline=True), "requests[0]"),
        (of(symbols=["a"], ranges=[{"startLine": 1, "endLine": 1}]), "requests[0]"),
        (of(symbols=["a"], full=True), "requests[0]"),
        (of(full=True, lines=[1, 2]), "requests[0]"),
        (of(full=1), "requests[0].full"),
        (of(outline="true"), "requests[0].outline"),
        (of(full=True, includeDependencies=True), "requests[0].includeDependencies"),
        (of(symbols=["a"], includeDependencies=1), "requests[0].includeDependencies"),
        (of(symbols=[]), "requests[0].symbols"),
        (of(symbols="a"), "requests[0].symbols"),
        (of(symbols=None), "requests[0].symbols"),
        (of(symbols=["a", "a"]), "requests[0].symbols"),
        (of(symbols=[f"a{number}" for number in range(17)]), "requests[0].symbols"),
        (of(symbols=["a", 1]), "requests[0].symbols[1]"),
        (of(symbols=[""]), "requests[0].symbols[0]"),
        (of(symbols=["\ud800"]), "requests[0].symbols[0]"),
        (of(ranges=[]), "requests[0].ranges"),
        (of(ranges=[{"startLine": 1, "endLine": 1}] * 17), "requests[0].ranges"),
        (of(ranges=[[1, 2]]), "requests[0].ranges[0]"),
        (of(ranges=[{"startLine": 1, "endLine": 2, "end": 3}]), "requests[0].ranges[0]"),
        (of(ranges=[{"startLine": 1}]), "requests[0].ranges[0].endLine"),
        (of(ranges=[{"startLine": True, "endLine": 2}]), "requests[0].ranges[0].startLine"),
        (of(ranges=[{"startLine": 0, "endLine": 2}]), "requests[0].ranges[0].startLine"),
        (of(ranges=[{"startLine": 3, "endLine": 2}]), "requests[0].ranges[0].endLine"),
    ],
)
def test_what_is_no_description_is_refused_by_the_name_of_its_field(value: object, field: str) -> None:
    assert field_of_refusal(value) == field


@pytest.mark.rule("RCC-21")
@pytest.mark.parametrize(
    "path", ["", "/a", "a//b", "a/", ".", "a/./b", "..", "a/../b", "../a", "a\\b", "foo:42:bar.py", "C:a", "a\0b", "\udcff", 5, None]
)
def test_a_path_is_literal_and_stays_below_the_root(path: object) -> None:
    assert field_of_refusal(of(path=path, full=True)) == "requests[0].path"


@pytest.mark.rule("RCC-3", "RCC-21")
def test_paths_and_symbols_are_measured_in_bytes_of_utf8() -> None:
    longest, name = "ä" * 2_048, "ä" * 128
    assert read(of(path=longest, symbols=[name])).requests == (FileRequest(longest, symbols=(name,)),)
    assert field_of_refusal(of(path=f"{longest}a", full=True)) == "requests[0].path"
    assert field_of_refusal(of(symbols=[f"{name}a"])) == "requests[0].symbols[0]"


@pytest.mark.rule("RCC-20")
def test_the_canonical_description_is_at_most_64_kib() -> None:
    def described(last: int) -> dict[str, Any]:
        paths = [f"{number:02}{'x' * 4_000}" for number in range(16)]
        return {"maxTokens": 1, "requests": [{"path": path, "full": True} for path in [*paths, "y" * last]]}

    room = 65_536 - len(render(described(1))) + 1
    assert len(render(read(described(room)).to_json())) == 65_536
    assert field_of_refusal(described(room + 1)) == "requests"


@pytest.mark.rule("RCC-20")
@given(_JSON)
def test_any_json_value_is_a_description_or_an_invalid_one(value: object) -> None:
    try:
        found = read(value)
    except InvalidCodeSpec:
        return
    assert read(found.to_json()) == found


@pytest.mark.rule("RCC-20", "RCC-47")
def test_a_refusal_never_repeats_a_value() -> None:
    planted = "PLANTED"
    wrong = (of(path=f"/{planted}", full=True), of(**{planted: 1}), of(symbols=[planted, planted]), {planted: planted}, of(full=planted))
    for value in wrong:
        with pytest.raises(InvalidCodeSpec) as refused:
            read(value)
        assert planted not in str(refused.value)


def test_a_host_may_leave_out_the_ceiling_and_bound_it() -> None:
    assert read({"requests": [FULL]}, 8_000).max_tokens == 8_000
    assert read({"maxTokens": 7_999, "requests": [FULL]}, 8_000).max_tokens == 7_999
    assert field_of_refusal({"maxTokens": 8_001, "requests": [FULL]}, 8_000) == "maxTokens"
