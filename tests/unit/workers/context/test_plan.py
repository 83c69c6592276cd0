"""The plan: order, budgets, what is compared, and that a failure gives nothing away."""

import ast
import json
import sysconfig
from collections.abc import Mapping
from dataclasses import asdict
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.limits import CODE_READ_BYTES_MAX
from shared.secret_paths import SecretPaths
from tests.unit.workers.context.calls import delivered, fragments, lines, plan, reason, tiktokens
from workers.context import ContextOptions, Security, Status, WorkTree, select
from workers.context import plan as plan_module
from workers.context.source import Reason, SourceFile, Unavailable

PLANTED = "planted_5f3a"
"""Stands in every body of the files below, and in no name."""

KEY = "-----BEGIN RSA PRIVATE KEY-----"

FILES: Mapping[str, bytes] = {
    "a.py": f"LIMIT = 3  # {PLANTED}\n\n\ndef first(x):\n    return second(x, LIMIT)  # {PLANTED}\n\n\n"
    f"def second(x, y):\n    '''{PLANTED} {'long ' * 60}'''\n    return x, y\n".encode(),
    "b.ts": f"export class A {{ run() {{ return {PLANTED!r}; }} }}\r\nexport class B {{ run() {{ return 'ü'; }} }}\r\n".encode(),
    "c.txt": f"one {PLANTED}\n\ttwo\r\nthree \u2028 四\n<|endoftext|>\n".encode(),
    "latin.txt": f"caf\xe9 {PLANTED}\n".encode("latin-1"),
    "broken.py": f"def f(:\n  {PLANTED}\n".encode(),
    "empty.py": b"",
    "key.py": f"{PLANTED} = 1\ndef safe(): return 1\n{KEY}\n".encode(),
    "data.bin": b"\0" + PLANTED.encode(),
}


class Memory:
    """Files in memory, and which of them were opened, with what limit."""

    def __init__(self, files: Mapping[str, bytes] = FILES) -> None:
        self._files = files
        self.opened: list[tuple[str, int]] = []

    def described(self) -> Mapping[str, str]:
        return {"commit": "c" * 40}

    def denies(self, path: str) -> bool:
        return path == "kept-back"

    def read(self, path: str, limit: int) -> SourceFile:
        self.opened.append((path, limit))
        if path not in self._files:
            raise Unavailable(Reason.NOT_FOUND)
        if len(self._files[path]) > limit:
            raise Unavailable(Reason.TOO_LARGE)
        return SourceFile(self._files[path])


def full(path: str) -> dict[str, Any]:
    return {"path": path, "full": True}


_REQUESTS = st.one_of(
    st.just({"full": True}),
    st.just({"outline": True}),
    st.builds(
        lambda names, needs: {"symbols": names, "includeDependencies": needs},
        st.lists(st.sampled_from(["first", "second", "LIMIT", "A", "A.run", "run", "safe", "nosuch"]), min_size=1, max_size=4, unique=True),
        st.booleans(),
    ),
    st.builds(
        lambda pairs: {"ranges": [{"startLine": start, "endLine": start + more} for start, more in pairs]},
        st.lists(st.tuples(st.integers(1, 12), st.integers(0, 4)), min_size=1, max_size=4),
    ),
)
_CALLS = st.dictionaries(st.sampled_from([*FILES, "nosuch.py", "secrets.py", "kept-back"]), _REQUESTS, min_size=1, max_size=5)


@pytest.mark.rule("RCC-16", "RCC-23", "RCC-25", "RCC-26", "RCC-28")
@given(_CALLS, st.integers(1, 900), st.integers(1, 2_000), st.booleans())
def test_whatever_is_asked_nothing_is_over_the_budget_and_a_failure_gives_no_source(
    call: dict[str, dict[str, Any]], max_tokens: int, max_read_bytes: int, scan: bool
) -> None:
    requests = [{"path": path, **how} for path, how in call.items()]
    limits = {"maxTokens": max_tokens, "maxReadBytes": max_read_bytes}
    options = ContextOptions(scan=scan)
    source = Memory()
    found = plan(source, *requests, options=options, **limits)  # tokens are tiktoken's and within the budget: see `plan`
    assert plan(Memory(), *requests, options=options, **limits) == found
    assert [path for path, _ in source.opened] == list(call)[: len(source.opened)]
    assert found.audit["attempts"] == len(source.opened)
    assert found.audit["bytesRead"] <= max_read_bytes
    # What the audit holds, it holds beside the source, never of it.
    assert PLANTED not in json.dumps(found.audit)
    if found.status is not Status.COMPLETE:
        assert PLANTED not in json.dumps(asdict(found))
    if found.status is Status.OVER_BUDGET:
        assert found.required_tokens is not None
        more = plan(Memory(), *requests, options=options, **(limits | {"maxTokens": found.required_tokens}))
        assert more.tokens == found.required_tokens


@pytest.mark.rule("RCC-24", "RCC-42")
def test_the_document_has_the_fields_of_the_contract_in_one_order() -> None:
    found = plan(Memory(), full("c.txt"), options=ContextOptions(header="Of the team.", instruction="Read on."))
    document = json.loads(found.text or "")
    assert list(document) == ["schemaVersion", "header", "instruction", "untrusted", "files", "audit"]
    assert (document["schemaVersion"], document["header"], document["instruction"]) == (1, "Of the team.", "Read on.")
    assert "no instruction" in document["untrusted"]
    assert document["files"] == delivered(plan(Memory(), full("c.txt")))
    assert document["files"] == [{"path": "c.txt", "full": FILES["c.txt"].decode()}]
    assert found.audit == {
        "commit": "c" * 40, "security": "Passed", "bytesRead": len(FILES["c.txt"]), "attempts": 1,
        "requests": [{"path": "c.txt", "status": "selected", "form": "full"}],
    }  # fmt: skip


@pytest.mark.rule("RCC-7")
def test_ranges_are_merged_and_their_lines_are_those_of_the_file_byte_for_byte() -> None:
    text = FILES["c.txt"].decode()
    asked = [{"startLine": 4, "endLine": 5}, {"startLine": 1, "endLine": 1}, {"startLine": 2, "endLine": 2}, {"startLine": 1, "endLine": 2}]
    assert fragments(plan(Memory(), {"path": "c.txt", "ranges": asked})) == [(1, 2, lines(text, 1, 2)), (4, 5, lines(text, 4, 5))]
    assert lines(text, 1, 2).endswith("\ttwo\r")
    past = plan(Memory(), {"path": "c.txt", "ranges": [{"startLine": 1, "endLine": 6}]})
    assert reason(past) == "range-out-of-bounds"
    assert past.audit["requests"][0]["totalLines"] == 5
    assert fragments(plan(Memory(), {"path": "empty.py", "ranges": [{"startLine": 1, "endLine": 1}]})) == [(1, 1, "")]


@pytest.mark.rule("RCC-7")
@given(
    st.text(alphabet="ab\n\r\u2028\x85é😀", max_size=60), st.lists(st.tuples(st.integers(1, 20), st.integers(0, 6)), min_size=1, max_size=5)
)
def test_any_ranges_of_any_text_are_its_lines(text: str, pairs: list[tuple[int, int]]) -> None:
    found = plan(
        Memory({"a": text.encode()}), {"path": "a", "ranges": [{"startLine": start, "endLine": start + more} for start, more in pairs]}
    )
    wanted = {line for start, more in pairs for line in range(start, start + more + 1)}
    if max(wanted) > text.count("\n") + 1:
        assert reason(found) == "range-out-of-bounds"
        return
    parts = fragments(found)
    assert {line for start, end, _ in parts for line in range(start, end + 1)} == wanted
    assert all(second[0] > first[1] + 1 for first, second in pairwise(parts))
    assert all(part == lines(text, start, end) for start, end, part in parts)


@pytest.mark.rule("RCC-8", "RCC-13")
def test_what_has_no_index_is_refused_by_name_and_can_be_read_whole() -> None:
    for path, why in {"c.txt": "unsupported-language", "broken.py": "parse-error"}.items():
        assert reason(plan(Memory(), {"path": path, "outline": True})) == why
        assert reason(plan(Memory(), {"path": path, "symbols": ["f"]})) == why
        assert delivered(plan(Memory(), full(path))) == [{"path": path, "full": FILES[path].decode()}]
    many = Memory({"a.js": b"function f(){}\n" * 4_097})
    assert reason(plan(many, {"path": "a.js", "outline": True})) == "resource-limit"
    assert plan(many, full("a.js")).status is Status.COMPLETE
    assert reason(plan(Memory(), full("data.bin"))) == "binary"


@pytest.mark.rule("RCC-15")
@given(st.integers(0, 40), st.sampled_from([["f"], ["f", "g"], ["f", "g", "h"]]))
def test_the_whole_file_is_delivered_exactly_where_it_takes_fewer_tokens(more: int, symbols: list[str]) -> None:
    text = "def f(): return 1\n# between\ndef g(): return 2\n# between\ndef h(): return 3\n" + "# more\n" * more
    found = plan(Memory({"a.py": text.encode()}), {"path": "a.py", "symbols": symbols})
    places = [{"f": 1, "g": 3, "h": 5}[symbol] for symbol in symbols]
    parts = {"path": "a.py", "fragments": [{"startLine": line, "endLine": line, "text": lines(text, line, line)} for line in places]}
    whole = {"path": "a.py", "full": text}

    def cost(one: dict[str, Any]) -> int:
        return tiktokens(json.dumps(one, separators=(",", ":")))

    assert delivered(found) == [whole if cost(whole) < cost(parts) else parts]
    ranges = [{"startLine": line, "endLine": line} for line in places]
    assert delivered(plan(Memory({"a.py": text.encode()}), {"path": "a.py", "ranges": ranges})) == [parts]  # never widened


@pytest.mark.rule("RCC-27", "RCC-28")
def test_files_are_read_in_request_order_within_the_smaller_limit_and_none_after_a_failure() -> None:
    source = Memory()
    sizes = {path: len(FILES[path]) for path in ("c.txt", "b.ts")}
    found = plan(
        source, full("c.txt"), full("b.ts"), full("a.py"), maxReadBytes=1_000, options=ContextOptions(max_read_bytes=sum(sizes.values()))
    )
    assert source.opened == [("c.txt", sum(sizes.values())), ("b.ts", sizes["b.ts"]), ("a.py", 0)]
    assert reason(found, 2) == "resource-too-large"
    assert found.audit["bytesRead"] == sum(sizes.values())
    source = Memory()
    found = plan(source, full("c.txt"), full("nosuch"), full("b.ts"), maxReadBytes=1_000)
    assert source.opened == [("c.txt", 1_000), ("nosuch", 1_000 - sizes["c.txt"])]
    assert [one["status"] for one in found.audit["requests"]] == ["selected", "unavailable", "not-read"]
    assert (reason(found, 1), found.audit["bytesRead"], found.audit["attempts"]) == ("not-found", sizes["c.txt"], 2)
    source = Memory()
    plan(source, full("c.txt"))
    assert source.opened == [("c.txt", CODE_READ_BYTES_MAX)]


@pytest.mark.rule("RCC-28", "RCC-40", "RCC-46")
@pytest.mark.parametrize("path", ["kept-back", "config/.ENV", "team/x.txt"])
def test_a_path_that_is_excluded_keeps_all_files_closed(path: str) -> None:
    source = Memory()
    found = plan(source, full("c.txt"), full(path), options=ContextOptions(scan=False, secret_paths=SecretPaths(["team"])))
    assert (reason(found, 1), found.security, source.opened) == ("security-excluded", Security.EXCLUDED, [])


@pytest.mark.rule("RCC-23", "RCC-41")
@pytest.mark.parametrize("how", [{"full": True}, {"outline": True}, {"symbols": ["safe"]}, {"ranges": [{"startLine": 2, "endLine": 2}]}])
def test_no_part_of_a_file_with_a_secret_is_given_and_an_operator_may_turn_that_off(how: dict[str, Any]) -> None:
    found = plan(Memory(), {"path": "key.py", **how})
    assert (reason(found), found.security) == ("security-excluded", Security.EXCLUDED)
    assert found.audit["requests"] == [{"path": "key.py", "status": "unavailable", "reason": "security-excluded"}]
    if "full" in how or "ranges" in how:  # a marker of a key is no Python
        unscanned = plan(Memory(), {"path": "key.py", **how}, options=ContextOptions(scan=False))
        assert (unscanned.status, unscanned.security, unscanned.audit["security"]) == (Status.COMPLETE, Security.DISABLED, "Disabled")


@pytest.mark.rule("RCC-41")
def test_paths_names_and_the_hosts_texts_are_scanned_and_a_finding_is_not_repeated() -> None:
    token = "ghp_" + "aB3" * 12
    for secret in (full(f"{token}.py"), {"path": "a.py", "symbols": ["first", token]}):
        source = Memory()
        found = plan(source, full("c.txt"), secret)
        assert found.audit["requests"] == [
            {"path": "c.txt", "status": "not-read"},
            {"status": "unavailable", "reason": "security-excluded"},
        ]
        assert (found.security, source.opened) == (Security.EXCLUDED, [])
        assert token not in json.dumps(asdict(found))
    source = Memory()
    found = plan(source, full("c.txt"), options=ContextOptions(instruction=f"Use {token}"))
    assert (found.status, found.audit["part"], source.opened) == (Status.UNAVAILABLE, "template", [])
    assert token not in json.dumps(asdict(found))


def test_a_file_that_is_no_utf8_says_how_it_was_read() -> None:
    found = plan(Memory(), full("latin.txt"), full("c.txt"))
    assert delivered(found)[0]["full"] == FILES["latin.txt"].decode("latin-1")
    assert [one.get("encoding") for one in found.audit["requests"]] == ["latin-1", None]


@pytest.mark.rule("RCC-10", "RCC-14")
def test_ambiguous_and_too_many_dependencies_are_said_and_no_source_is_cut() -> None:
    calls = ", ".join(f"a{number}(), o{number % 40}.b{number % 40}" for number in range(70))
    classes = "".join(f"class {kind}{number}:\n  def b{number}(self): pass\n" for number in range(40) for kind in "CD")
    text = f"def f(): return [{calls}]\n" + "".join(f"def a{number}(): pass\n" for number in range(70)) + classes
    found = plan(Memory({"a.py": text.encode()}), {"path": "a.py", "symbols": ["f"], "includeDependencies": True})
    (said,) = found.audit["requests"]
    assert [one["name"] for one in said["dependencies"]] == [f"a{number}" for number in range(64)]
    assert (said["dependenciesTruncated"], said["ambiguousTruncated"]) == (True, True)
    assert said["ambiguous"] == [f"b{number}" for number in range(32)]
    assert fragments(found)[0] == (1, 65, lines(text, 1, 65))


@pytest.mark.rule("RCC-16", "RCC-25")
def test_a_document_is_counted_once_as_a_whole_and_a_symbol_read_once_as_fragments(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[str] = []

    def count(text: str) -> int:
        counted.append(text)
        return tiktokens(text)

    monkeypatch.setattr(plan_module, "count_tokens", count)
    monkeypatch.setattr(select, "count_tokens", count)
    long = Memory({"a.py": b"def f(): return 1\n" + b"print()\n" * 4_000})
    found = plan(long, {"path": "a.py", "symbols": ["f"]})
    assert counted == [json.dumps(delivered(found)[0], separators=(",", ":")), found.text]
    counted.clear()
    found = plan(Memory(), full("c.txt"), full("b.ts"))
    assert counted == [found.text]


@pytest.mark.rule("RCC-3", "RCC-23")
@pytest.mark.parametrize("name", ["argparse.py", "dataclasses.py", "asyncio/queues.py", "json/decoder.py"])
def test_on_real_code_every_function_of_a_module_is_its_own_lines(name: str) -> None:
    source = WorkTree(sysconfig.get_path("stdlib"))
    text = (Path(sysconfig.get_path("stdlib")) / name).read_text(encoding="utf-8")
    top = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)]
    names = [node.name for node in top]
    for node in top:
        if names.count(node.name) > 1:
            continue
        first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        found = plan(source, {"path": name, "symbols": [node.name]})
        shown = delivered(found)[0]
        assert shown.get("full") == text or fragments(found) == [(first, node.end_lineno, lines(text, first, node.end_lineno or 0))]
