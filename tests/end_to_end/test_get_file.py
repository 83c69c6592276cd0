"""`codekeeper_get_file` through the front door of each form: files saved by their owner's token, read in every mode, and by nobody else."""

import json
from typing import Any

import pytest

from tests.end_to_end.services import Reply, Service

TOOL = "codekeeper_get_file"
NAME = "get-file/guide.md"
LONG_NAME = "get-file/long.txt"
GUIDE = ("\ufeff# מדריך\n\nטקסט.\n\n## K11. שגיאה שנבלעה\n\n    return x\n\n### ראו גם\n\n😀\n\n## K12. תקרה\n\n### ראו גם\n").replace(
    "\n", "\r\n"
)
LONG = ("שורה של טקסט ארוך\n" * 8_000) + "字" * 90_000

CALLS: list[dict[str, Any]] = [
    {},
    {"toc": "false"},
    {"lines": [5, 7]},
    {"lines": [1, 99]},
    {"lines": [99, 99]},
    {"query": "RETURN", "context_lines": 1},
    {"query": "ראו", "max_results": 1},
    {"query": "אין כזה"},
    {"toc": "true"},
    {"toc": True, "max_depth": 2},
    {"section": "K11"},
    {"section": "מדריך", "max_chars": 500, "offset": 7},
    {"section": "ראו גם"},
    {"section": "K13", "max_depth": 1},
    {"section": "s" * 5_000},
]
REFUSED: list[tuple[dict[str, Any], str]] = [
    ({"toc": True, "section": "K11"}, "toc_and_section"),
    ({"query": "x", "lines": [1, 1]}, "query_and_lines"),
    ({"offset": 0}, "offset_without_section"),
    ({"section": " "}, "empty_section"),
    ({"query": "a\nb"}, "query_multiline"),
    ({"lines": [3, 1]}, "invalid_line_range"),
]
OF_ANOTHER_TYPE: list[dict[str, Any]] = [
    {"lines": [True, 5]}, {"lines": ["1", 5]}, {"toc": "maybe"}, {"toc": 2}, {"toc": None}, {"toc": ""},
    {"section": "K11", "max_depth": "2"},
    {"toc": True, "max_depth": 2.0}, {"query": "x", "context_lines": True}, {"section": 5}, {"code": "x"},
]  # fmt: skip


def ask(service: Service, user: str = "writer", **arguments: Any) -> Reply:
    return service.connection(user).call(TOOL, **arguments)


@pytest.fixture(scope="session")
def files(embedded: Service, hosted: Service) -> dict[str, str]:
    """Ids of files that both forms read from one database."""
    writer = embedded.connection("writer")
    saved = {
        name: writer.call("codekeeper_save_file", file_name=name, code=code, description="תיאור").json["file"]["id"]
        for name, code in ((NAME, GUIDE), (LONG_NAME, LONG))
    }
    changed = hosted.connection("writer").call("codekeeper_append_file", file_name=LONG_NAME, content="סוף").json
    return saved | {"newest": changed["file"]["id"]}


@pytest.mark.rule("GTF-1", "GTF-9", "GTF-43", "GTF-101", "PLT-91", "PLT-94", "LIN-44")
def test_both_forms_send_the_same_bytes_in_every_mode(embedded: Service, hosted: Service, files: dict[str, str]) -> None:
    for arguments in CALLS:
        here, there = (ask(form, file_id=files[NAME], **arguments) for form in (embedded, hosted))
        assert here == there
        assert not here.is_error
        assert here.text.encode() == json.dumps(here.json, ensure_ascii=False, separators=(",", ":")).encode()
        named = ask(hosted, file_name=NAME, **arguments).json
        assert named == here.json | (
            {"file": {k: v for k, v in here.json["file"].items() if k != "is_latest"}} if "file" in here.json else {}
        )
    assert ask(hosted, file_name=NAME).text == ask(hosted, file_name=NAME, toc=False).text == ask(hosted, file_name=NAME, toc=0).text


@pytest.mark.rule("GTF-49", "GTF-52", "GTF-62", "GTF-107", "GTF-139", "GTF-153", "LIN-44")
def test_a_saved_guide_is_read_whole_by_lines_by_text_and_by_heading(service: Service, files: dict[str, str]) -> None:
    lines = GUIDE.split("\n")

    def read(**arguments: Any) -> dict[str, Any]:
        return ask(service, file_id=files[NAME], **arguments).json

    assert read()["file"]["code"] == GUIDE
    toc = read(toc=True)["toc"]
    assert [(entry["title"], entry["line_range"]) for entry in toc] == [
        ("מדריך", [1, 16]), ("K11. שגיאה שנבלעה", [5, 12]), ("ראו גם", [9, 12]), ("K12. תקרה", [13, 16]), ("ראו גם", [15, 16])
    ]  # fmt: skip
    section = read(section="k11")
    assert section["content"] == read(lines=section["line_range"])["file"]["code"] == "\n".join(lines[4:12])
    assert [entry["line_range"] for entry in read(section="ראו גם")["candidates"]] == [[9, 12], [15, 16]]
    assert read(query="    RETURN")["results"] == [{"line": 7, "snippet": "return x"}]


@pytest.mark.rule("GTF-24", "GTF-27", "GTF-56", "GTF-57", "GTF-58", "GTF-47", "LIN-28", "LIN-45")
def test_a_file_larger_than_an_answer_is_read_in_ranges_of_one_version(service: Service, files: dict[str, str]) -> None:
    whole = ask(service, file_id=files[LONG_NAME]).json
    assert (whole["error"], whole["file"]["is_latest"]) == ("answer_too_large", False)
    joined: list[str] = []
    while len(joined) < 8_000:
        answer = ask(service, file_id=files[LONG_NAME], lines=[len(joined) + 1, 8_000]).json
        joined += answer["file"]["code"].split("\n")
        assert len(joined) == answer["range"]["end"]
    assert "\n".join(joined) + "\n" + "字" * 90_000 == LONG
    line = ask(service, file_id=files[LONG_NAME], lines=[8_001, 8_001]).json
    assert (line["error"], 'query="..."' in line["hint"]) == ("answer_too_large", True)
    assert ask(service, file_name=LONG_NAME, lines=[8_002, 8_002]).json["file"]["code"] == "סוף"
    assert ask(service, file_id=files["newest"], lines=[1, 1]).json["file"]["is_latest"] is True


@pytest.mark.rule("GTF-30", "GTF-33", "GTF-36", "GTF-42", "GTF-55", "GTF-74", "GTF-76", "GTF-132", "LIN-42")
def test_what_is_refused_says_so_and_reads_nothing(service: Service) -> None:
    for arguments, error in REFUSED:
        assert ask(service, **arguments).json["error"] == error
        assert ask(service, file_name="nowhere", **arguments).json["error"] == error


@pytest.mark.rule("GTF-6", "GTF-7", "GTF-10", "PLT-140", "PLT-141")
def test_a_value_of_another_type_never_reaches_the_tool(service: Service) -> None:
    for arguments in OF_ANOTHER_TYPE:
        reply = ask(service, file_name=NAME, **arguments)
        expected = "unknown_argument" if "code" in arguments else "invalid_arguments"
        assert (reply.is_error, reply.json["error"]) == (True, expected)


@pytest.mark.rule("GTF-1", "GTF-2", "GTF-3", "GTF-22", "GTF-23", "PLT-33")
def test_nobody_else_has_the_file(service: Service, files: dict[str, str]) -> None:
    for user in ("reader", "admin"):
        assert TOOL in service.connection(user).tools()
        for arguments in (*CALLS, {"version": 1}):
            assert ask(service, user, file_id=files[NAME], **arguments).text == '{"found":false}'
            assert ask(service, user, file_name=NAME, **arguments).text == '{"found":false}'
    assert ask(service).text == ask(service, file_id="0" * 24).text == '{"found":false}'
