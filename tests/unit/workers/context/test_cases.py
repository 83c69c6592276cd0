"""The cases about `read_code_context`: their own tables."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.git_repositories import case_repository, git_line
from tests.service import Service, running_service
from tests.unit.workers.context.calls import CASES, delivered, fragments, lines, named, plan, reason, tiktokens
from workers import resources
from workers.context import InvalidCodeSpec, MirrorCommit, Security, Status

MARKERS = CASES / "01-token-special-literals"
SERVICE = CASES / "09-py-decorated-definitions"
LABELS = CASES / "10-bytes-and-characters"
CARD = CASES / "11-tsx-arrow-components"
PARSE = CASES / "12-ts-overloads"


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    resources.secret_paths.cache_clear()
    with running_service(tmp_path / "data", monkeypatch) as running:
        yield running
    resources.secret_paths.cache_clear()


def served(service: Service, number: str) -> MirrorCommit:
    service.mirrors.mkdir(parents=True)
    case_repository(number, service.data_dir).rename(service.mirror("case"))
    service.add("case", "https://h/case")
    return MirrorCommit("case")


def source(folder: Path, path: str) -> str:
    return (folder / path).read_bytes().decode()


def needs(folder: Path, path: str, *symbols: str) -> tuple[dict[str, tuple[int, int]], dict[str, tuple[int, int]]]:
    """Definitions and dependencies in the audit, whose lines are all there, unchanged."""
    found = plan(folder, {"path": path, "symbols": list(symbols), "includeDependencies": True})
    (said,) = found.audit["requests"]
    shown = delivered(found)[0]
    whole = source(folder, path)
    parts = fragments(found) if "fragments" in shown else [(1, whole.count("\n") + 1, shown["full"])]
    assert all(text == lines(whole, start, end) for start, end, text in parts)
    for row in [*said["definitions"], *said["dependencies"]]:
        assert any(start <= row["startLine"] and row["endLine"] <= end for start, end, _ in parts)
    return named(said["definitions"]), named(said["dependencies"])


@pytest.mark.rule("RCC-3", "RCC-8", "RCC-10", "RCC-16", "RCC-23", "RCC-25")
def test_case_01_source_that_looks_like_special_tokens() -> None:
    request = {"path": "markers.py", "symbols": ["join"], "includeDependencies": True}
    whole = source(MARKERS, "markers.py")
    assert tiktokens(whole) == 93
    assert tiktokens(lines(whole, 8, 10)) == 25
    found = plan(MARKERS, request)
    assert needs(MARKERS, "markers.py", "join") == ({"join": (8, 10)}, {"END": (3, 3), "ASK": (4, 4)})
    same = plan(MARKERS, request, maxTokens=found.tokens)
    assert (same.status, same.text) == (Status.COMPLETE, found.text)
    less = plan(MARKERS, request, maxTokens=found.tokens - 1)
    assert (less.status, less.required_tokens) == (Status.OVER_BUDGET, found.tokens)
    assert delivered(plan(MARKERS, {"path": "markers.py", "full": True})) == [{"path": "markers.py", "full": whole}]


@pytest.mark.rule("RCC-3", "RCC-7")
def test_case_02_what_a_line_is(service: Service) -> None:
    mirrored = served(service, "02")
    report = git_line(service.mirror("case"), "show", "main:report.py")
    found = plan(mirrored, {"path": "report.py", "symbols": ["second"]})
    assert named(found.audit["requests"][0]["definitions"]) == {"second": (3, 6)}
    assert fragments(plan(mirrored, {"path": "report.py", "ranges": [{"startLine": 3, "endLine": 6}]})) == [(3, 6, lines(report, 3, 6))]
    shown = delivered(found)[0]
    assert shown.get("full", "") == report or fragments(found) == [(3, 6, lines(report, 3, 6))]


@pytest.mark.rule("RCC-20", "RCC-21")
def test_case_03_a_colon_in_a_path_is_refused_by_the_name_of_the_field(tmp_path: Path) -> None:
    with pytest.raises(InvalidCodeSpec, match=r"requests\[0\]\.path: ") as refused:
        plan(tmp_path, {"path": "foo:42:bar.py", "full": True})
    assert "foo" not in str(refused.value)


@pytest.mark.rule("RCC-3", "RCC-4", "RCC-5", "RCC-6", "RCC-7", "RCC-10", "RCC-23")
def test_case_09_decorated_repeated_and_nested_definitions_of_python() -> None:
    assert needs(SERVICE, "service.py", "count") == ({"count": (17, 24)}, {"traced": (7, 13), "LIMIT": (4, 4)})
    assert needs(SERVICE, "service.py", "Box") == ({"Box": (27, 43)}, {"LIMIT": (4, 4), "count": (17, 24), "traced": (7, 13)})
    assert needs(SERVICE, "service.py", "open")[0] == {"Box.Lid.open": (42, 43)}
    for symbol, candidates in {
        "Box.width": [(30, 32), (34, 36)],
        "pick": [(46, 47), (48, 49), (50, 51)],
        "late": [(55, 56), (58, 59)],
    }.items():
        found = plan(SERVICE, {"path": "service.py", "symbols": [symbol]})
        assert reason(found) == "ambiguous-symbol"
        said = found.audit["requests"][0]
        assert said["symbol"] == symbol
        assert [(one["startLine"], one["endLine"]) for one in said["candidates"]] == candidates
    assert reason(plan(SERVICE, {"path": "service.py", "symbols": ["nosuch"]})) == "symbol-not-found"
    picks = plan(SERVICE, {"path": "service.py", "ranges": [{"startLine": 46, "endLine": 51}]})
    assert fragments(picks) == [(46, 51, lines(source(SERVICE, "service.py"), 46, 51))]


@pytest.mark.rule("RCC-3", "RCC-9", "RCC-10", "RCC-11")
def test_case_10_text_beyond_ascii_before_a_symbol() -> None:
    found = plan(LABELS, {"path": "labels.tsx", "outline": True})
    assert named(delivered(found)[0]["outline"]) == {"TITLES": (2, 2), "fullName": (5, 5), "Badge": (7, 7)}
    assert "ñandú" not in (found.text or "")
    assert needs(LABELS, "labels.tsx", "fullName") == ({"fullName": (5, 5)}, {"TITLES": (2, 2)})
    assert needs(LABELS, "labels.py", "plain") == ({"plain": (10, 10)}, {"größe": (5, 7), "TITLE": (2, 2)})
    badge = plan(LABELS, {"path": "labels.tsx", "symbols": ["Badge"]})
    ((start, end, text),) = fragments(badge)
    assert (start, end) == (7, 7)
    assert text.startswith("export function Badge(")
    assert text.endswith("</b>; }")


@pytest.mark.rule("RCC-3", "RCC-9", "RCC-10", "RCC-11")
def test_case_11_components_written_as_values() -> None:
    found = plan(CARD, {"path": "Card.tsx", "outline": True})
    listed = named(delivered(found)[0]["outline"])
    top = {"CardProps": (3, 3), "Item": (4, 4), "GAP": (6, 6), "format": (7, 7), "Row": (9, 11), "Card": (13, 22), "first": (24, 24),
    "second": (24, 24), "default": (26, 28)}  # fmt: skip
    assert {name: place for name, place in listed.items() if "." not in name} == top
    of_card = {name: top[name] for name in ("CardProps", "Item", "GAP", "Row", "format")}
    assert needs(CARD, "Card.tsx", "Card") == ({"Card": (13, 22)}, of_card)
    assert needs(CARD, "Card.tsx", "Row")[1] == {"Item": (4, 4), "format": (7, 7)}
    assert needs(CARD, "Card.tsx", "second") == ({"second": (24, 24)}, {})
    assert needs(CARD, "Card.tsx", "default")[1] == {**of_card, "Card": (13, 22)}


@pytest.mark.rule("RCC-4", "RCC-9", "RCC-10", "RCC-14")
def test_case_12_overloads_and_signatures_without_a_body() -> None:
    types = {"Options": (1, 1), "Parsed": (2, 2)}
    assert needs(PARSE, "parse.ts", "parse") == ({"parse": (5, 10)}, types)
    assert needs(PARSE, "parse.ts", "Reader") == ({"Reader": (12, 18)}, {"parse": (5, 10), **types})
    assert needs(PARSE, "parse.ts", "Reader.read") == ({"Reader.read": (13, 17)}, {"parse": (5, 10), **types})
    assert needs(PARSE, "parse.ts", "ambient") == ({"ambient": (20, 20)}, types)
    assert needs(PARSE, "parse.ts", "Deep.parse") == ({"Deep.parse": (23, 23)}, {})
    (said,) = plan(PARSE, {"path": "parse.ts", "symbols": ["Reader"], "includeDependencies": True}).audit["requests"]
    assert (said["ambiguous"], said["ambiguousTruncated"]) == ([], False)
    listed = delivered(plan(PARSE, {"path": "parse.ts", "outline": True}))[0]["outline"]
    assert [(one["qualifiedName"], one["startLine"], one["endLine"]) for one in listed] == [
        ("Options", 1, 1), ("Parsed", 2, 2), ("parse", 5, 10), ("Reader", 12, 18), ("Reader.read", 13, 17), ("ambient", 20, 20),
        ("Deep", 22, 24), ("Deep.parse", 23, 23),
    ]  # fmt: skip


@pytest.mark.rule("RCC-23", "RCC-28", "RCC-41", "RCC-46", "RCC-47")
def test_case_16_text_and_names_that_look_secret(service: Service) -> None:
    mirrored = served(service, "16")
    client = git_line(service.mirror("case"), "show", "main:client.ts")
    wanted = {"path": "client.ts", "symbols": ["readPassword"]}
    found = plan(mirrored, wanted)
    assert found.security is Security.PASSED
    assert named(found.audit["requests"][0]["definitions"]) == {"readPassword": (7, 10)}
    shown = delivered(found)[0]
    assert shown.get("full", "").rstrip("\n") == client or fragments(found) == [(7, 10, lines(client, 7, 10))]
    howto = {"path": "signing-howto.txt"}
    for request in ({**howto, "full": True}, {**howto, "ranges": [{"startLine": 1, "endLine": 1}]}):
        alone = plan(mirrored, request)
        assert (reason(alone), alone.security) == ("security-excluded", Security.EXCLUDED)
        assert alone.audit["requests"] == [{**howto, "status": "unavailable", "reason": "security-excluded"}]
    both = plan(mirrored, wanted, {**howto, "full": True})
    assert reason(both, 1) == "security-excluded"
    assert "BEGIN" not in json.dumps(both.audit)
    for path in ("secrets.py", "deploy/.envoy/readme.txt"):
        by_name = plan(mirrored, wanted, {"path": path, "full": True})
        assert (reason(by_name, 1), by_name.audit["bytesRead"], by_name.audit["attempts"]) == ("security-excluded", 0, 0)
