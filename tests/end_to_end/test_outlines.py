"""`codekeeper_get_repo_file` with `outline`, through the front door of each form: maps, their pages, and every reason for none."""

import json
from typing import Any

import pytest

from tests.end_to_end.repositories import LONG_NAME, MAPS
from tests.end_to_end.services import Service

TOOL = "codekeeper_get_repo_file"
DOCS = "codekeeper_docs_get_section"
BUDGET = 256_000


def outline(service: Service, path: str, repo: str = "maps", **arguments: Any) -> dict[str, Any]:
    return service.call(TOOL, repo=repo, path=path, outline=True, **arguments).json


def rows(answer: dict[str, Any]) -> list[tuple[str, int, int]]:
    assert (answer["ok"], answer["status"], answer["total"]) == (True, "outline", len(answer["symbols"])), answer
    assert all(list(symbol) == ["name", "start", "end"] for symbol in answer["symbols"])
    return [(symbol["name"], symbol["start"], symbol["end"]) for symbol in answer["symbols"]]


@pytest.mark.rule("GRF-38", "GRF-39", "GRF-40", "GRF-48", "GRF-51", "GRF-52", "GRF-6", "LIN-43", "OUT-3")
def test_pages_of_a_map_are_its_symbols_and_each_can_be_read_by_its_lines(service: Service) -> None:
    found, page = [], 1
    while symbols := (answer := outline(service, "app.py", page=page, per_page=200))["symbols"]:
        assert list(answer) == ["ok", "status", "file", "symbols", "total", "page", "per_page"]
        assert (answer["total"], answer["page"], answer["per_page"], answer["file"]["lines"]) == (530, page, 200, 531)
        found += symbols
        page += 1
    assert (page, answer["total"]) == (4, 530)
    assert found == [{"name": f"api_{number:05}", "start": number + 1, "end": number + 1} for number in range(530)]
    last = found[-1]
    assert service.call(TOOL, repo="maps", path="app.py", lines=[last["start"], last["end"]]).json["content"] == "def api_00529(): pass"
    clamped = outline(service, "app.py", page=0, per_page=9_999)
    assert (clamped["page"], clamped["per_page"], clamped["symbols"]) == (1, 500, found[:500])
    assert outline(service, "app.py")["per_page"] == 100
    assert outline(service, "app.py", per_page=-1)["symbols"] == found[:1]


@pytest.mark.rule("GRF-43", "GRF-44", "GRF-45", "GRF-46", "GRF-48", "GRF-49", "GRF-50")
def test_the_filter_is_containment_of_what_was_sent_whatever_its_case(service: Service) -> None:
    assert rows(outline(service, "straße.py", symbol="STRASSE")) == [("straße", 1, 1)]
    everything = [
        ("div#main", 1, 1),
        ("style", 2, 7),
        ("div#main", 3, 3),
        ("@media print", 4, 6),
        (".x", 5, 5),
        ("block a", 8, 8),
        ("include b", 9, 9),
    ]
    assert rows(outline(service, "twice.html")) == rows(outline(service, "twice.html", symbol="")) == everything
    kept = {"#": (0, 2), "@media": (3,), "block ": (5,), "block": (5,), " a": (5,), "A ": (3,), "nosuch": ()}
    for symbol, places in kept.items():
        assert rows(outline(service, "twice.html", symbol=symbol)) == [everything[place] for place in places], symbol
    first_of_two = outline(service, "twice.html", symbol="#", per_page=1)
    assert (first_of_two["total"], [found["start"] for found in first_of_two["symbols"]]) == (2, [1])


@pytest.mark.rule("GRF-47", "GRF-53", "GRF-54", "GRF-55", "OUT-4")
def test_a_page_that_does_not_fit_is_refused_whole_with_its_size_as_sent(service: Service) -> None:
    refused = outline(service, "wide.py", per_page=500)
    assert list(refused) == ["ok", "error", "bytes", "max", "per_page"]
    fitting = outline(service, "wide.py", per_page=300)
    name = f"{LONG_NAME}_00299"
    assert fitting["symbols"][299] == {"name": name, "start": 300, "end": 300}
    whole = {**fitting, "symbols": [{"name": f"{LONG_NAME}_{n:05}", "start": n + 1, "end": n + 1} for n in range(500)], "per_page": 500}
    sent = len(json.dumps(whole, ensure_ascii=False, separators=(",", ":")).encode())
    assert refused == {"ok": False, "error": "page_too_large", "bytes": sent, "max": BUDGET, "per_page": 500}
    assert sent > BUDGET
    assert rows(outline(service, "wide.py", symbol=name)) == [(name, 300, 300)]
    alone = outline(service, "one-long-name.css", per_page=1)
    assert (alone["error"], alone["per_page"]) == ("page_too_large", 1)


@pytest.mark.rule("GRF-4")
@pytest.mark.parametrize(
    ("sent", "mapped"), [(v, True) for v in (True, "true", "yes", "1", 1)] + [(v, False) for v in (False, "false", "no", "0", 0)]
)
def test_outline_is_an_ordinary_boolean(service: Service, sent: object, mapped: bool) -> None:
    assert service.call(TOOL, repo="maps", path="crlf.py", outline=sent).json["status"] == ("outline" if mapped else "ok")


@pytest.mark.rule("GRF-4")
@pytest.mark.parametrize("sent", ["maybe", 2, None, ""])
def test_what_is_no_boolean_in_any_reading_is_refused(service: Service, sent: object) -> None:
    reply = service.call(TOOL, repo="maps", path="crlf.py", outline=sent)
    assert reply.is_error
    assert [problem["where"] for problem in reply.json["problems"]] == ["outline"]


@pytest.mark.rule("GRF-3", "GRF-10", "GRF-11", "LIN-41")
def test_modes_do_not_combine_and_nothing_sent_is_ignored(service: Service) -> None:
    both = {"lines": [5, 3], "outline": True, "ref": "r" * 5_000}
    assert service.call(TOOL, repo="maps", path=".env", **both).json == {"ok": False, "error": "outline_and_lines"}
    assert service.call(TOOL, repo="maps", path=".env", lines=[5, 3]).json == {"ok": False, "error": "invalid_line_range"}
    assert outline(service, ".env", ref="r" * 5_000) == {"ok": False, "error": "path_denied"}
    assert service.call(TOOL, repo="maps", path="app.py", symbol="api").json == {"ok": False, "error": "symbol_without_outline"}
    assert service.call(TOOL, repo="maps", path="crlf.py", symbol="", page=7).json["status"] == "ok"


@pytest.mark.rule(
    "GRF-22", "GRF-41", "GRF-42", "GRF-56", "OUT-8", "OUT-9", "OUT-10", "OUT-12", "OUT-13", "OUT-14", "OUT-15", "OUT-17", "OUT-18"
)
def test_a_file_without_a_map_says_why_and_an_empty_map_is_one(service: Service) -> None:
    assert rows(outline(service, "nothing.PYI")) == []
    assert rows(outline(service, "crlf.py")) == [("f", 1, 2)]
    assert outline(service, "at-ceiling.css")["total"] == 50_000
    reasons: dict[str, dict[str, Any]] = {
        "old-mac.css": {"reason": "inconsistent_line_endings"},
        "old-mac.txt": {"reason": "unsupported_language"},
        "over-ceiling.css": {"reason": "too_many_symbols", "max": 50_000},
        "python2.py": {"reason": "parse_error", "error_type": "SyntaxError", "line": 2},
        "tabs.py": {"reason": "parse_error", "error_type": "TabError", "line": 3},
    }
    for path, fields in reasons.items():
        answer = outline(service, path)
        assert list(answer)[:4] == ["ok", "file", "status", "reason"]
        assert {key: value for key, value in answer.items() if key != "file"} == {"ok": True, "status": "no_outline", **fields}
        source = MAPS[path]
        assert isinstance(source, bytes)
        assert (answer["file"]["size"], answer["file"]["lines"], answer["file"]["encoding"]) == (
            len(source),
            source.count(b"\n") + 1,
            "utf-8",
        )
    assert outline(service, "over-ceiling.css", symbol="zzz")["reason"] == "too_many_symbols"


@pytest.mark.rule("GRF-17", "GRF-19", "GRF-20", "GRF-22", "GRF-31", "GRF-72")
def test_ceilings_binary_content_and_links_come_before_the_map(service: Service) -> None:
    assert rows(outline(service, "over-display.css")) == [("a", 1, 1), ("a", 2, 2)]
    assert service.call(TOOL, repo="maps", path="over-display.css").json["max"] == 512_000
    huge = outline(service, "over-range-ceiling.py")
    assert (huge["status"], huge["max"]) == ("too_large", 10 * 1024 * 1024)
    assert outline(service, "picture.py")["status"] == "binary"
    for path in ("link.py", "docs/link.md"):
        answer = outline(service, path)
        assert (answer["status"], answer["reason"], answer["file"]["type"]) == ("no_outline", "unsupported_language", "symlink")
        assert "read_with" not in answer


@pytest.mark.rule("GRF-60", "GRF-61", "GRF-62", "GRF-63", "GRF-64", "GRF-65", "DOC-139")
def test_a_file_that_the_documentation_tool_serves_is_referred_to_its_map(service: Service) -> None:
    answer = outline(service, "docs/page.md")
    assert (answer["ok"], answer["status"], answer["reason"]) == (True, "no_outline", "unsupported_language")
    assert list(answer) == ["ok", "file", "status", "reason", "read_with", "read_with_arguments"]
    assert (answer["read_with"], answer["read_with_arguments"]) == (DOCS, {"repo": "maps", "path": "docs/page.md"})
    assert service.call(DOCS, **answer["read_with_arguments"]).json["toc"][0]["title"] == "Page"
    assert outline(service, "docs/page.md", ref="main")["read_with_arguments"] == {"repo": "maps", "path": "docs/page.md", "ref": "main"}
    # Not served: outside the root, another file than was asked for (its suffix would be completed), above the ceiling, another gate.
    for path in ("notes/page.md", "docs/page.sh", "docs/too-long.md"):
        assert set(outline(service, path)) == {"ok", "file", "status", "reason"}, path
    assert set(outline(service, "README.md", repo="shapes")) == {"ok", "file", "status", "reason"}
    assert rows(outline(service, "docs/page.rst")) == [("Page", 1, 5)]  # a map of its own, though the tool serves no such suffix here


@pytest.mark.rule("GRF-21", "GRF-58", "GRF-59", "GRF-63", "DOC-129", "REF-82")
def test_a_page_too_long_to_send_is_referred_to_the_tool_that_reads_it_in_pages(service: Service) -> None:
    refused = service.call(TOOL, repo="maps", path="docs/long.md", ref="main").json
    arguments = {"repo": "maps", "path": "docs/long.md", "ref": "main", "whole_document": True}
    assert (refused["error"], refused["read_with"], refused["read_with_arguments"]) == ("answer_too_large", DOCS, arguments)
    assert service.call(DOCS, **arguments).json["mode"] == "document"
    assert service.call(TOOL, repo="maps", path="docs/long.md").json["read_with_arguments"] == {
        k: v for k, v in arguments.items() if k != "ref"
    }
    elsewhere = service.call(TOOL, repo="maps", path="notes/long.md").json
    assert elsewhere["error"] == "answer_too_large"
    assert "read_with" not in elsewhere
    assert "outline" not in elsewhere["hint"]
    code = service.call(TOOL, repo="maps", path="wide.py").json
    assert (code["error"], "outline=true" in code["hint"]) == ("answer_too_large", True)


@pytest.mark.rule("GRF-21", "DOC-130", "REF-82")
def test_a_page_above_the_ceiling_is_referred_to_lines_where_they_can_be_read(service: Service) -> None:
    page = {"repo": "maps", "path": "docs/too-long.md"}
    refused = service.call(DOCS, **page).json
    assert list(refused) == ["ok", "error", "repo", "path", "file", "read_with", "read_with_arguments"]
    assert (refused["error"], refused["read_with"]) == ("unreadable_too_large", TOOL)
    assert refused["read_with_arguments"] == {**page, "lines": [1, 2_000]}
    assert service.call(TOOL, **refused["read_with_arguments"]).json["content"].startswith("# Too long\n")
    assert service.call(DOCS, **page, ref="main").json["read_with_arguments"]["ref"] == "main"
    # The other tool is an admin's, and has a ceiling too.
    assert "read_with" not in service.connection("reader").call(DOCS, **page).json
    assert "read_with" not in service.call(DOCS, repo="maps", path="docs/endless.md").json
