"""Two mirrors around every answer that a batch's item can get, and what a batch must send for items, put together from single calls."""

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from shared.database import repositories
from tests.git_repositories import Entry, commit_files, link, new_repository
from tests.service import Service, running_service
from tests.unit.workers.reading_calls import BUDGET, ROOMS, Sent, as_sent, ask_single
from tests.unit.workers.sections.pages import PAGE
from workers import resources

HEBREW = "שורה של טקסט בעברית, ארוכה דיה כדי למלא תשובה.\n".encode()

PAGES: dict[str | bytes, bytes | Entry] = {
    "page.md": PAGE.encode(),
    "long.md": b"# Long\n\n" + HEBREW * 4_000 + b"\n## Part\n\n" + HEBREW * 200,
    "large.md": b"# Large\n" + b"x" * 99 + b"\n" + b"y\n" * 300_000,
    "mac.md": b"# a\nb\rc",
    "link.md": link("page.md"),
    "binary.md": b"\0" * 20,
    "lines.md": b"# a\n" * 16_000,
    "in/page.md": b"\xef\xbb\xbf# In\n\n## K11. x\n\n## K11. y\n",
}

FILES: dict[str | bytes, bytes | Entry] = {
    "a.txt": b"ok a\n",
    "dir/b.txt": b"ok b\n",
    "empty.txt": b"",
    "logo.png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "hebrew.txt": HEBREW * 5_200,
    "nearly.txt": b"x" * 100_000,
    "one-long-line.txt": b"w" * 300_000 + b"\nshort\n",
    "link": link("a.txt"),
    'odd "name"\n.txt': "\u2028\x01\n".encode(),
    "secrets.txt": b"no",
}

BEFORE_A_COMMIT = frozenset({
    "missing_repo", "missing_path", "invalid_line_range", "path_too_long", "path_denied", "invalid_input", "repo_not_allowed",
    "repo_not_configured", "suffix_not_allowed", "path_outside_root", "repo_not_mirrored", "ref_not_mirrored", "read_failed",
})  # fmt: skip
"""Refusals of an item that reached no commit; `read_failed` only comes from `broken` here."""


@contextmanager
def batch_service(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """`md` is served as documentation, `code` isn't, `gone` has no mirror, `headless` no default branch, `broken` no folder of refs."""
    resources.secret_paths.cache_clear()
    with running_service(data_dir, monkeypatch, DOCS_REPOS="md,unread,gone") as service:
        for name in ("md", "code", "gone", "unread", "headless", "broken"):
            service.add(name, f"https://h/{name}", "main")
            service.write(name, default_branch="main")
        for name in ("md", "gone"):
            repositories.set_docs_policy(service.engine, name, "", ".md")
        for name, files in (("md", PAGES), ("code", FILES), ("broken", {"a.txt": b""})):
            commit_files(new_repository(service.mirror(name)), files)  # type: ignore[arg-type]
        new_repository(service.mirror("headless"))
        shutil.rmtree(service.mirror("broken") / "refs")
        yield service
    resources.secret_paths.cache_clear()


def expected(items: list[Sent], commits: dict[str, str]) -> bytes:
    """The whole answer, by the contract: each result is what the single tool sends now, and the budget cuts at a whole item."""
    room = ROOMS[len(items)] if len(items) in ROOMS else BUDGET - len(_envelope(len(items), list(range(len(items)))))
    records: list[bytes] = []
    for index, item in enumerate(items):
        record = _record(index, item, ask_single(item), commits, room)
        if sum(map(len, records)) + len(records) + len(record) > room:
            break
        records.append(record)
    around = _envelope(len(records), list(range(len(records), len(items)))) if len(records) < len(items) else _envelope(len(items), [])
    return around.replace(b"[]", b"[" + b",".join(records) + b"]", 1)


def _envelope(count: int, unread: list[int]) -> bytes:
    return as_sent({"ok": True, "count": count, "items": []} | ({"unread": unread, "unread_reason": "byte_budget"} if unread else {}))


def _record(index: int, item: Sent, result: bytes, commits: dict[str, str], room: int) -> bytes:
    head: dict[str, Any] = {"index": index, "request": item}
    if json.loads(result).get("error") not in BEFORE_A_COMMIT:
        head["resolved_commit"] = commits[item.get("repo") or "md"]
    record = as_sent(head)[:-1] + b',"result":' + result + b"}"
    if len(record) <= room:
        return record
    read_with = "codekeeper_get_repo_file" if item["kind"] == "file" else "codekeeper_docs_get_section"
    refusal = {"ok": False, "error": "item_too_large", "bytes": len(record), "max": room, "read_with": read_with}
    return as_sent(head | {"result": refusal})
