"""`codekeeper_docs_get_section` through the front door of each form: the cases about headings, the gates, and the refusals."""

from typing import Any

import pytest

from tests.end_to_end.services import Service, codekeeper
from tests.git_repositories import CASES

TOOL = "codekeeper_docs_get_section"
GUIDE = (CASES / "06-md-section-fences" / "guide.md").read_text(encoding="utf-8").split("\n")
POST = (CASES / "07-md-headings-frontmatter" / "post.md").read_text(encoding="utf-8").split("\n")
MANUAL = (CASES / "08-rst-adornments" / "manual.rst").read_text(encoding="utf-8").split("\n")


def docs(service: Service, **arguments: Any) -> dict[str, Any]:
    """As an ordinary user: the tool is no admin's (DOC's first lines)."""
    return service.connection("reader").call(TOOL, **arguments).json


def rows(answer: dict[str, Any]) -> list[tuple[str, int, list[int], int]]:
    assert (answer["ok"], answer["mode"], answer["toc_truncated"], answer["includes"]) == (True, "toc", False, [])
    assert answer["section_count"] == len(answer["toc"])
    return [(entry["title"], entry["level"], entry["line_range"], entry["approx_bytes"]) for entry in answer["toc"]]


@pytest.mark.rule("DOC-14", "DOC-19", "DOC-20", "DOC-21", "DOC-22", "DOC-23", "DOC-24", "DOC-133", "REF-54", "REF-55", "REF-71", "MDG-2")
def test_case_06_lines_inside_other_blocks_are_no_headings(service: Service) -> None:
    answer = docs(service, path="guide")
    assert rows(answer) == [
        ("Guide", 1, [1, 52], 357),
        ("Install", 2, [5, 43], 281),
        ("Linux", 3, [40, 43], 23),
        ("Usage", 2, [44, 52], 58),
        ("Appendix", 1, [53, 56], 18),
    ]
    assert [entry["breadcrumb"] for entry in answer["toc"]][2] == ["Guide", "Install", "Linux"]
    assert (answer["repo"], answer["path"], answer["ref"]) == ("case-06", "guide.md", "refs/heads/main")
    assert docs(service, path="guide.md", repo="case-06") == answer


@pytest.mark.rule("DOC-15", "DOC-46", "DOC-48", "DOC-50", "DOC-51", "DOC-52", "DOC-55", "DOC-57", "DOC-72", "DOC-78")
def test_case_06_sections_are_their_lines(service: Service) -> None:
    install = docs(service, path="guide", section="Install")
    assert (install["mode"], install["line_range"], install["content"]) == ("section", [5, 43], "\n".join(GUIDE[4:43]))
    assert [child["title"] for child in install["subsections"]] == ["Linux"]
    assert install["neighbors"] == {"prev": None, "next": {"title": "Usage", "level": 2, "line_range": [44, 52]}}
    alone = docs(service, path="guide", section="Install", include_subsections=False)
    assert (alone["line_range"], alone["subsections"]) == (install["line_range"], install["subsections"])
    assert alone["content"] == "\n".join(GUIDE[4:39])
    for title, first, last in (("Linux", 40, 43), ("Usage", 44, 52), ("Guide", 1, 52), ("Appendix", 53, 56)):
        assert docs(service, path="guide", section=title)["content"] == "\n".join(GUIDE[first - 1 : last])
    assert docs(service, path="guide", section="Linux")["neighbors"] == {"prev": None, "next": None}
    for title, close in (("Never closed here", []), ("In a list", ["Install"]), ("Quoted", [])):
        missing = docs(service, path="guide", section=title)
        assert (missing["error"], missing["requested"], missing["suggestions"]) == ("section_not_found", title, close)
        assert len(missing["toc"]) == 5
        assert "section_count" not in missing


@pytest.mark.rule("DOC-17", "DOC-32", "DOC-47", "DOC-61", "DOC-121", "DOC-126", "DOC-134", "MDG-1", "GRF-70")
def test_case_07_heading_forms_and_front_matter(service: Service) -> None:
    expected = [
        ("Overview", 1, [6, 44], 323),
        ("A title that runs over two lines", 2, [13, 23], 101),
        ("Indented two", 2, [24, 29], 55),
        ("Ends with hash#", 2, [30, 31], 19),
        ("Closed", 2, [32, 33], 17),
        ("", 2, [34, 41], 63),
        ("Last", 2, [42, 44], 10),
    ]
    assert rows(docs(service, path="post", repo="case-07")) == rows(docs(service, path="post", repo="case-07", section=" ")) == expected
    for title, _, (first, last), _ in expected:
        if title:
            found = docs(service, path="post", repo="case-07", section=title)
            assert (found["section"], found["line_range"], found["content"]) == (title, [first, last], "\n".join(POST[first - 1 : last]))
    two_lines = docs(service, path="post", repo="case-07", section="A title that runs\nover two lines")
    assert two_lines["section"] == "A title that runs over two lines"
    front = docs(service, path="post", repo="case-07", section="title: Release notes owner: docs team")
    assert (front["error"], front["suggestions"]) == ("section_not_found", ["A title that runs over two lines"])
    whole = docs(service, path="post", repo="case-07", whole_document=True)
    assert (whole["mode"], whole["content"], whole["encoding"], whole["truncated"]) == ("document", "\n".join(POST), "utf-8", False)
    assert whole["content"] == service.call("codekeeper_get_repo_file", repo="case-07", path="post.md").json["content"]


@pytest.mark.rule("DOC-21", "DOC-22", "DOC-46", "DOC-135", "OUT-91")
def test_case_08_rst_title_styles(service: Service) -> None:
    expected = [
        ("Manual", 1, [1, 37], 300),
        ("Setup", 2, [7, 37], 270),
        ("Linux", 3, [12, 37], 249),
        ("Second", 1, [38, 63], 173),
        ("設定 guide", 2, [44, 48], 36),
        ("Up", 2, [49, 53], 19),
        ("Too long for it", 2, [54, 63], 87),
    ]
    assert rows(docs(service, path="manual", repo="case-08")) == expected
    for title, _, (first, last), _ in expected:
        found = docs(service, path="manual", repo="case-08", section=title)
        assert (found["line_range"], found["content"]) == ([first, last], "\n".join(MANUAL[first - 1 : last]))


@pytest.mark.rule("DOC-6", "DOC-7", "DOC-8", "REF-49", "REF-50", "REF-57", "REF-65", "REF-66", "REF-67", "REF-70", "REF-72", "PLT-32")
def test_what_is_not_served_is_refused_before_the_mirror_is_asked(service: Service) -> None:
    refusals = [
        ({"path": "x", "section": "", "whole_document": True, "repo": "nowhere"}, "section_and_whole_document"),
        ({"path": "x", "max_depth": 2, "whole_document": True, "repo": "nowhere"}, "max_depth_and_whole_document"),
        ({"path": "guide", "repo": "case-14"}, "repo_not_allowed"),
        ({"path": "README", "repo": "shapes"}, "repo_not_configured"),
        ({"path": "guide.rst"}, "suffix_not_allowed"),
        ({"path": "../guide"}, "path_outside_root"),
        ({"path": ""}, "missing_path"),
        ({"path": "p" * 4_097}, "path_too_long"),
        ({"path": "credentials"}, "path_denied"),
        ({"path": "guide", "ref": "r" * 5_000}, "ref_too_long"),
        ({"path": "guide", "ref": "a..b..c!"}, "invalid_ref"),
        ({"path": "guide", "ref": "nosuch"}, "ref_not_mirrored"),
        ({"path": "nosuch"}, "not_found"),
    ]
    for arguments, code in refusals:
        answer = docs(service, **arguments)
        assert (answer["ok"], answer["error"]) == (False, code)
        if code in {"path_denied", "ref_too_long", "invalid_ref", "ref_not_mirrored", "not_found"}:
            assert (answer["repo"], answer["path"]) == ("case-06", f"{arguments['path']}.md")


@pytest.mark.rule("DOC-2", "DOC-3", "DOC-41", "DOC-88", "DOC-89", "DOC-90", "DOC-122")
def test_numbers_are_clamped_and_pages_join_to_the_text(service: Service) -> None:
    assert docs(service, path="guide", max_depth=0)["max_depth"] == 1
    text, offset = "", 0
    while True:
        page = docs(service, path="post", repo="case-07", whole_document=True, max_chars=1, offset=offset)
        assert page["max_chars"] == 500
        text += page["content"]
        if not page["truncated"]:
            break
        offset = page["next_offset"]
        assert page["remaining_chars"] == len("\n".join(POST)) - offset
    assert text == "\n".join(POST)


@pytest.mark.rule("REF-52", "PLT-8")
def test_the_instructions_name_the_repositories_that_pass_both_gates(service: Service) -> None:
    said = service.connection("reader", mode="legacy").client.instructions or ""
    assert "It serves case-06, case-07, case-08, maps." in said


def test_an_operator_is_told_what_can_not_be_served(embedded: Service) -> None:
    unknown = codekeeper(embedded.environment, "repo", "docs", "nosuch", "--root", "docs/", "--suffix", ".md", code=1)
    assert '"error":"unknown_repo"' in unknown
    outside = codekeeper(embedded.environment, "repo", "docs", "case-06", "--root", "../x", "--suffix", ".md", code=1)
    assert '"error":"invalid_input"' in outside
    codekeeper(embedded.environment, "repo", "docs", "case-06", "--root", "", "--suffix", ".txt", code=2)
