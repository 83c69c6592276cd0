"""`codekeeper_docs_get_section` as a function: the order of its checks, its modes, and what each refusal carries."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from sqlalchemy import text as sql

from shared.answer import render
from shared.database import repositories
from shared.database.engine import writing
from shared.errors import Refused
from shared.wire.call import Call, Caller
from shared.wire.docs_get_section import DocsGetSectionArguments
from tests.git_repositories import Entry, commit_files, link, new_repository, submodule
from tests.service import Service, running_service
from tests.unit.workers.reading_calls import BUDGET, as_sent, read_file
from tests.unit.workers.sections.pages import PAGE
from workers import resources
from workers.parsing.headings import ParseRefused
from workers.sections import documents
from workers.tasks.docs_get_section import docs_get_section

LONG = "x" * 4_097
RST = (
    "Server guide\n============\n\n.. include:: shared/notice.rst\n\nHow the server reads pages.\n\n"
    "Reading\n-------\n\nA page is read from the mirror.\n\nWriting\n-------\n\nNothing is written.\n"
)


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """Two repositories that pass both gates, `rst` before `md`, one without a policy and one that isn't mirrored."""
    resources.secret_paths.cache_clear()
    with running_service(tmp_path / "data", monkeypatch, DOCS_REPOS="rst,md,unread,gone,live") as running:
        running.add("rst", "https://h/rst", "main")
        running.add("md", "https://h/md", "main")
        running.add("unread", "https://h/unread", "main")
        running.add("gone", "https://h/gone", "main")
        running.add("live", "https://h/live", "main")
        running.add("closed", "https://h/closed", "main")
        for name, root, suffix in (
            ("rst", "docs/", ".rst"),
            ("md", "", ".md"),
            ("gone", "", ".md"),
            ("live", "", ".md"),
            ("closed", "", ".md"),
        ):
            repositories.set_docs_policy(running.engine, name, root, suffix)
        yield running
    resources.secret_paths.cache_clear()


def serve(service: Service, files: dict[str, bytes | Entry], name: str = "md") -> str:
    """Mirror `files`; the id of the commit."""
    return commit_files(new_repository(service.mirror(name)), files)  # type: ignore[arg-type]


def ask_raw(path: str = "page", repo: str | None = "md", **arguments: Any) -> bytes:
    caller = Caller(user="reader", scopes=frozenset({"read"}), admin=False)
    call = Call(id="1", caller=caller, entered=time.time(), deadline=time.time() + 20, arguments={})
    try:
        sent = docs_get_section(DocsGetSectionArguments(path=path, repo=repo, **arguments), call)
    except Refused as refused:
        sent = render(refused.answer())
    assert len(sent) <= BUDGET
    return sent


def ask(path: str = "page", repo: str | None = "md", **arguments: Any) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(ask_raw(path, repo, **arguments))
    return answer


def context(commit: str, path: str = "page.md", repo: str = "md", ref: str = "refs/heads/main") -> dict[str, Any]:
    return {"repo": repo, "path": path, "ref": ref, "resolved_commit": commit}


def refuse_to_parse(monkeypatch: pytest.MonkeyPatch, code: str, **fields: object) -> None:
    def refuse(_text: str) -> NoReturn:
        raise ParseRefused(code, **fields)

    form = documents.FORMATS[".md"]
    monkeypatch.setitem(documents.FORMATS, ".md", documents.DocumentFormat("refuses-1", form.normalized, refuse))


@pytest.mark.rule(
    "DOC-6", "DOC-7", "DOC-8", "DOC-10", "DOC-12", "REF-31", "REF-32", "REF-33", "REF-68", "REF-70", "REF-72", "REF-74", "REF-80"
)
@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({"path": LONG, "section": "", "max_depth": 1, "whole_document": True}, "section_and_whole_document"),
        ({"path": "", "section": "x", "repo": "no", "whole_document": True}, "section_and_whole_document"),
        ({"path": LONG, "max_depth": 0, "whole_document": True}, "max_depth_and_whole_document"),
        ({"path": LONG, "repo": "no"}, "path_too_long"),
        ({"path": "", "repo": "no"}, "repo_not_allowed"),
        ({"path": "", "repo": "closed"}, "repo_not_allowed"),
        ({"path": "", "repo": "unread"}, "repo_not_configured"),
        ({"path": " ", "ref": LONG}, "missing_path"),
        ({"path": "../a.rst", "ref": LONG}, "suffix_not_allowed"),
        ({"path": "../.env", "ref": LONG}, "path_outside_root"),
        ({"path": "secrets", "ref": LONG, "repo": "rst"}, "path_denied"),
        ({"path": "docs/../secrets", "ref": LONG, "repo": "rst"}, "path_outside_root"),
        ({"path": "a\0b/.env", "ref": LONG}, "path_denied"),
        ({"path": "a\0b", "ref": LONG, "repo": "gone"}, "ref_too_long"),
        ({"path": "a\0b", "ref": "-x", "repo": "gone"}, "invalid_input"),
        ({"path": "nowhere", "ref": "-x", "repo": "gone"}, "repo_not_mirrored"),
        ({"path": "nowhere", "ref": "-x"}, "invalid_ref"),
        ({"path": "nowhere", "ref": "nosuch"}, "ref_not_mirrored"),
        ({"path": "nowhere", "section": LONG}, "not_found"),
        ({"path": "large", "section": LONG}, "unreadable_too_large"),
        ({"path": "link", "section": LONG}, "symlink"),
        ({"path": "binary", "section": LONG}, "unreadable_binary"),
        ({"path": "mac", "section": LONG}, "inconsistent_line_endings"),
        ({"path": "page", "section": LONG}, "section_too_long"),
        ({"path": "page", "section": "no such"}, "section_not_found"),
    ],
)
def test_the_first_check_that_fails_decides(service: Service, arguments: dict[str, Any], error: str) -> None:
    files = {"page.md": PAGE.encode(), "large.md": b"\0" * 512_001, "binary.md": b"\0\r", "mac.md": b"a\rb", "link.md": link("page.md")}
    serve(service, files)
    answer = ask(**{"repo": "md", **arguments})
    assert (answer["ok"], answer["error"]) == (False, error)


@pytest.mark.rule(
    "DOC-13", "DOC-58", "DOC-108", "DOC-109", "DOC-110", "DOC-130", "REF-14", "REF-16", "REF-17", "REF-18", "REF-22", "REF-23", "REF-50",
    "REF-57", "REF-65", "REF-66", "REF-67", "REF-71", "REF-82", "REF-90", "REF-91", "GRF-72", "PLT-73", "PLT-89"
)  # fmt: skip
def test_a_refusal_carries_its_fields_and_no_more(service: Service) -> None:
    files = {
        "page.md": PAGE.encode(),
        "large.md": b"x" * 512_001,
        "binary.md": b"\0" * 20,
        "mac.md": b"# a\nb\rc",
        "link.md": link("page.md"),
    }
    commit = serve(service, files)
    where = {"repo": "md", "path": "page.md"}

    def refusal(error: str, **fields: object) -> dict[str, Any]:
        return {"ok": False, "error": error, **fields}

    def file(path: str, size: int, **more: object) -> dict[str, Any]:
        return {"repo": "md", "path": path, "file": {"path": path, "ref": "refs/heads/main", "size": size, **more}}

    assert ask(section="", whole_document=True) == refusal("section_and_whole_document")
    assert ask(max_depth=1, whole_document=True) == refusal("max_depth_and_whole_document")
    assert ask("") == refusal("missing_path")
    assert ask(LONG) == refusal("path_too_long", max_chars=4_096, actual_chars=4_097)
    assert ask(repo="no") == refusal("repo_not_allowed", requested_repo="no")
    assert ask(repo="unread") == refusal("repo_not_configured", requested_repo="unread")
    assert ask("a.rst") == refusal("suffix_not_allowed", repo="md", requested_path="a.rst", allowed_suffixes=[".md"])
    assert ask("/a", repo="rst") == refusal("path_outside_root", root="docs/", repo="rst")
    assert ask("secrets", repo="rst") == refusal("path_denied", repo="rst", path="docs/secrets.rst")
    assert ask(ref=LONG) == refusal("ref_too_long", max_chars=4_096, actual_chars=4_097, **where)
    assert ask("no") == refusal("not_found", ref="refs/heads/main", resolved_commit=commit, repo="md", path="no.md")
    assert ask("no", ref="main") == refusal("not_found", ref="main", resolved_commit=commit, repo="md", path="no.md")
    assert ask("large") == refusal("unreadable_too_large", **file("large.md", 512_001))
    assert ask("binary") == refusal("unreadable_binary", **file("binary.md", 20, resolved_commit=commit))
    assert ask("link") == refusal("symlink", **context(commit, "link.md"), target="page.md")
    assert ask("mac") == refusal("inconsistent_line_endings", **context(commit, "mac.md"), line=2)
    assert ask(section=LONG) == refusal("section_too_long", **context(commit), max_chars=4_096, actual_chars=4_097)
    for ref, error in (("-x", "invalid_ref"), ("nosuch", "ref_not_mirrored")):
        answer = ask(ref=ref)
        assert answer.pop("message")
        assert answer == refusal(error, **where, ref=ref)
    answer = ask(repo="gone")
    assert answer.pop("message")
    assert answer == refusal("repo_not_mirrored", repo="gone", path="page.md")


@pytest.mark.rule("DOC-108", "DOC-109", "DOC-113", "DOC-120", "DOC-123", "DOC-124")
@pytest.mark.parametrize(
    ("code", "fields"),
    [
        ("inconsistent_line_endings", {"line": 212}), ("inconsistent_line_endings", {}), ("too_many_lines", {"max": 9, "total_lines": 10}),
        ("too_many_tokens", {"max": 9, "line": 7}), ("too_many_tokens", {"max": 9}), ("too_many_sections", {"max": 50_000}),
    ],
)  # fmt: skip
def test_what_the_parser_refuses_is_named_with_its_context_and_read_whole(
    service: Service, monkeypatch: pytest.MonkeyPatch, code: str, fields: dict[str, int]
) -> None:
    commit = serve(service, {"page.md": PAGE.encode()})
    refuse_to_parse(monkeypatch, code, **fields)
    for section in (None, "K11", LONG):
        assert ask_raw(section=section) == as_sent({"ok": False, "error": code, **context(commit), **fields})
    assert ask(whole_document=True)["content"] == PAGE


@pytest.mark.rule("DOC-111", "DOC-118", "DOC-120")
def test_a_markdown_page_of_too_many_lines_says_how_many(service: Service) -> None:
    serve(service, {"page.md": b"# a\n" * 50_001, "lines.md": b"\n" * 14_999})
    answer = ask()
    assert (answer["error"], answer["total_lines"], "line" in answer) == ("too_many_lines", 50_002, False)
    assert ask("lines")["toc"] == []
    assert ask(whole_document=True)["remaining_chars"] == 4 * 50_001 - 12_000


@pytest.mark.rule("DOC-13", "DOC-14", "DOC-15", "DOC-16", "DOC-17", "DOC-18", "DOC-19", "DOC-46", "DOC-132", "REF-9", "REF-54", "REF-71")
def test_the_three_modes(service: Service) -> None:
    commit = serve(service, {"page.md": PAGE.encode()})
    toc = ask()
    assert list(toc) == ["ok", *context(commit), "includes", "mode", "toc", "toc_truncated", "section_count"]
    assert {name: toc[name] for name in context(commit)} == context(commit)
    assert (toc["mode"], toc["includes"], toc["section_count"]) == ("toc", [], 7)
    section = ask("page.md", section="K11", ref="main")
    assert {name: section[name] for name in context(commit)} == context(commit, ref="main")
    assert (section["mode"], section["section"], section["line_range"]) == ("section", "K11. Swallowed exception", [13, 24])
    document = ask_raw(whole_document=True)
    right = {"mode": "document", "encoding": "utf-8", "offset": 0, "max_chars": 12_000, "content": PAGE, "truncated": False}
    assert document == as_sent({"ok": True, **context(commit), **right})
    assert ask_raw() == ask_raw(section=" \n") == ask_raw(whole_document=False)
    assert ask_raw(section="K11") == ask_raw(section="K11", whole_document=False)


@pytest.mark.rule("DOC-3", "DOC-33", "DOC-38", "DOC-41", "DOC-45")
def test_a_depth_of_nought_is_one(service: Service) -> None:
    serve(service, {"page.md": PAGE.encode()})
    answer = ask(max_depth=0)
    assert [(entry["title"], entry["hidden_subsections"]) for entry in answer["toc"]] == [("Critical patterns", 6)]
    assert (answer["max_depth"], answer["toc_truncated"], answer["section_count"]) == (1, False, 7)


@pytest.mark.rule("DOC-9")
def test_subsections_have_no_meaning_for_a_whole_document(service: Service) -> None:
    serve(service, {"page.md": PAGE.encode()})
    assert ask_raw(whole_document=True, include_subsections=False) == ask_raw(whole_document=True)


@pytest.mark.rule("DOC-48", "DOC-122", "DOC-126", "DOC-127", "REF-84", "REF-85", "REF-89")
@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (b"---\nt: 1\n---\n# a\nb", "utf-8"), (b"\xef\xbb\xbf# a\r\nb\r\n", "utf-8-sig"), (b"# a\n\xf9\xec", "latin-1"), (b"", "utf-8"),
        ("# א\u2028\n字".encode(), "utf-8"), (b"a\rb", "utf-8"),
    ],
)  # fmt: skip
def test_a_whole_document_is_what_the_file_tool_reads(service: Service, data: bytes, encoding: str) -> None:
    serve(service, {"page.md": data})
    whole, read = ask(whole_document=True), read_file("page.md", repo="md")
    assert (whole["content"], whole["encoding"]) == (read["content"], read["file"]["encoding"])
    assert whole["encoding"] == encoding


@pytest.mark.rule("DOC-2", "DOC-88", "DOC-89", "DOC-90", "DOC-91", "DOC-92", "DOC-98", "DOC-121", "DOC-122", "DOC-128")
def test_a_whole_document_comes_in_pages(service: Service) -> None:
    text = "before\n# a\n" + "字שx\x01\n" * 40_000
    commit = serve(service, {"page.md": text.encode()})
    first = ask(whole_document=True, max_chars=100)
    assert list(first) == [
        "ok", *context(commit), "mode", "encoding", "offset", "max_chars", "content", "truncated", "next_offset", "remaining_chars"
    ]  # fmt: skip
    assert (first["max_chars"], len(first["content"]), first["next_offset"], first["remaining_chars"]) == (500, 500, 500, len(text) - 500)
    joined, offset, pages = "", 0, 0
    while True:
        raw = ask_raw(whole_document=True, max_chars=10**6, offset=offset)
        page = json.loads(raw)
        joined, pages = joined + page["content"], pages + 1
        if not page["truncated"]:
            break
        assert page["next_offset"] == offset + len(page["content"])
        assert page["remaining_chars"] == len(text) - page["next_offset"]
        assert ("truncation_reason" in page) == (len(page["content"]) < 100_000)
        offset = page["next_offset"]
    assert joined == text
    assert pages > 2
    beyond = ask(whole_document=True, offset=10**12)
    assert (beyond["offset"], beyond["content"], beyond["truncated"], "next_offset" in beyond) == (10**9, "", False, False)


@pytest.mark.rule("DOC-125", "REF-72")
@pytest.mark.parametrize("path", ["secrets/a", "/a", "a.rst", "nowhere", "large", "binary", "link", "folder", "sub", LONG])
def test_everything_before_the_parsing_holds_for_a_whole_document(service: Service, path: str) -> None:
    large, module, inner = b"x" * 512_001, submodule(), b"# a"
    serve(service, {"large.md": large, "binary.md": b"\0", "link.md": link("x"), "sub.md": module, "folder.md/a.md": inner,
                    "secrets/.env/a.md": inner})  # fmt: skip
    assert ask_raw(path, whole_document=True) == ask_raw(path)
    assert ask(path)["ok"] is False


@pytest.mark.rule("DOC-130", "REF-81")
def test_a_page_of_exactly_the_ceiling_is_read(service: Service) -> None:
    serve(service, {"page.md": b"# a\n" + b"x" * 511_996})
    assert ask()["toc"][0]["approx_bytes"] == 512_000
    assert ask(whole_document=True)["remaining_chars"] == 500_000


@pytest.mark.rule("REF-51", "REF-54", "REF-55", "REF-56", "REF-71")
@pytest.mark.parametrize("repo", [None, "", " "])
def test_without_a_repository_the_first_one_is_meant(service: Service, repo: str | None) -> None:
    serve(service, {"docs/page.rst": RST.encode(), "docs/in/page.rst": RST.encode()}, "rst")
    answer = ask(repo=repo)
    assert (answer["repo"], answer["path"]) == ("rst", "docs/page.rst")
    assert ask("docs/in/page", repo=repo)["path"] == "docs/in/page.rst"
    assert ask("in/page", repo=repo)["error"] == "path_outside_root"


@pytest.mark.rule("DOC-23", "DOC-49", "DOC-131", "DOC-135")
@pytest.mark.parametrize("line_end", ["\n", "\r\n"])
def test_an_rst_page_is_cut_from_its_normalised_text(service: Service, line_end: str) -> None:
    commit = serve(service, {"docs/page.rst": RST.replace("\n", line_end).encode()}, "rst")
    answer = ask(repo="rst")
    found = [(entry["title"], entry["level"], entry["line_range"], entry["approx_bytes"]) for entry in answer["toc"]]
    assert found == [("Server guide", 1, [1, 17], 175), ("Reading", 2, [8, 12], 49), ("Writing", 2, [13, 17], 37)]
    assert (answer["includes"], answer["resolved_commit"]) == (["shared/notice.rst"], commit)
    section = ask(repo="rst", section="Reading")
    assert section["content"] == "Reading\n-------\n\nA page is read from the mirror.\n"
    assert section["includes"] == ["shared/notice.rst"]
    assert ask(repo="rst", section="no such")["includes"] == ["shared/notice.rst"]


@pytest.mark.rule("DOC-109", "DOC-110")
def test_a_lone_carriage_return_in_rst_is_refused_without_a_line(service: Service) -> None:
    commit = serve(service, {"docs/page.rst": b"a\n=\n\rx"}, "rst")
    assert ask(repo="rst") == {"ok": False, "error": "inconsistent_line_endings", **context(commit, "docs/page.rst", "rst")}


@pytest.mark.rule("DOC-48")
def test_the_text_of_a_markdown_section_is_its_lines_in_the_source(service: Service) -> None:
    serve(service, {"page.md": b"\xef\xbb\xbf# a\r\n\r\nb\r\n## c\r\nd\r\n"})
    assert ask(section="a", include_subsections=False)["content"] == "# a\r\n\r\nb\r"
    for title in ("a", "c"):
        answer = ask(section=title)
        assert answer["content"] == read_file("page.md", repo="md", lines=answer["line_range"])["content"]


@pytest.mark.rule("DOC-86", "DOC-85")
def test_a_repeated_heading_is_read_by_its_lines_or_through_its_parent(service: Service) -> None:
    serve(service, {"page.md": PAGE.encode()})
    second = ask(section="How it looks")["candidates"][1]
    text = read_file("page.md", repo="md", lines=second["line_range"])["content"]
    assert text == "### How it looks\n\nA bare `except` with no re-raise.\n"
    assert text in ask(section=second["breadcrumb"][-2])["content"]


@pytest.mark.rule("DOC-5", "REF-2", "REF-4")
def test_a_branch_that_the_mirror_does_not_hold_is_not_fetched(service: Service, tmp_path: Path) -> None:
    remote = new_repository(tmp_path / "remote")
    commit_files(remote, {"page.md": b"# a"})
    service.write("live", address=str(remote), pinned_branch="main")
    service.sync("live")
    commit_files(remote, {"page.md": b"# b"}, "refs/heads/new")
    assert ask(repo="live")["toc"][0]["title"] == "a"
    assert ask(repo="live", ref="new")["error"] == "ref_not_mirrored"


@pytest.mark.rule("REF-28", "REF-29", "REF-30", "REF-31")
def test_a_running_sync_explains_a_failure(service: Service) -> None:
    serve(service, {"page.md": b"# a", "large.md": b"x" * 512_001})
    for name in ("md", "gone"):
        service.write(name, sync_owner="someone", sync_expires_at=time.time() + 60)
    right = {"ok": False, "error": "sync_in_progress", "retry_after": 30}
    for arguments in ({"path": "no"}, {"ref": "nosuch"}, {"repo": "gone"}):
        answer = ask(**arguments)
        assert answer.pop("message")
        assert answer == right | {"repo": arguments.get("repo", "md"), "path": f"{arguments.get('path', 'page')}.md"}
    assert ask()["ok"] is True
    assert [ask(ref=ref)["error"] for ref in ("-x", LONG)] == ["invalid_ref", "ref_too_long"]
    assert ask("large")["error"] == "unreadable_too_large"


@pytest.mark.rule("REF-49")
def test_without_the_registry_no_page_is_served(service: Service) -> None:
    serve(service, {"page.md": b"# a"})
    with writing(service.engine) as connection:
        connection.execute(sql("ALTER TABLE repositories RENAME TO lost"))
    answer = ask()
    assert answer.pop("message")
    assert answer == {"ok": False, "error": "db_error"}


def test_a_page_is_parsed_once_for_its_blob_and_its_parser(service: Service, monkeypatch: pytest.MonkeyPatch) -> None:
    repository = new_repository(service.mirror("md"))
    commit_files(repository, {"page.md": PAGE.encode(), "copy.md": PAGE.encode()})
    first = ask()
    commit = commit_files(repository, {"page.md": PAGE.encode(), "a.md": b"# a"}, message="another")
    form = documents.FORMATS[".md"]

    def never(_text: str) -> NoReturn:
        raise AssertionError("parsed again")

    monkeypatch.setitem(documents.FORMATS, ".md", documents.DocumentFormat(form.made_by, form.normalized, never))
    assert ask() == first | {"resolved_commit": commit}
    assert ask("copy", ref="main~1")["toc"] == first["toc"]
    monkeypatch.setitem(documents.FORMATS, ".md", documents.DocumentFormat("other-1", form.normalized, never))
    with pytest.raises(AssertionError):
        ask()


def test_a_cache_that_cannot_be_used_fails_no_read(service: Service) -> None:
    serve(service, {"page.md": PAGE.encode()})
    (service.data_dir / "cache").write_bytes(b"")
    assert ask_raw() == ask_raw()
    assert ask()["section_count"] == 7
