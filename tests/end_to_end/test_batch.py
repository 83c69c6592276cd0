"""`codekeeper batch` in a pipe, embedded: the plan of a change becomes the results of a review."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.end_to_end.services import codekeeper, environment_of
from tests.git_repositories import commit_files, git, new_repository


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """A service with the repository `shop`, whose pages are served, and a change from `main` to `topic` in it."""
    folder = tmp_path_factory.mktemp("batch")
    source = new_repository(folder / "shop")
    before = {
        "shop/cart.py": b"import json\n\n\ndef total():\n    return 1\n",
        "docs/cart.md": b"# Cart\n\nIn shop/cart.py.\n",
        "docs/till.md": b"# Till\n",
    }
    commit_files(source, before)
    git(source, "update-ref", "refs/heads/topic", "refs/heads/main")
    commit_files(source, {**before, "shop/cart.py": b"import json\n\n\ndef total():\n    return 2\n"}, "refs/heads/topic")
    made = environment_of(folder / "data", docs_repos="shop")
    codekeeper(made, "repo", "add", "shop", str(source))
    codekeeper(made, "repo", "docs", "shop", "--root", "docs/", "--suffix", ".md")
    return made


def test_a_plan_in_a_pipe_becomes_the_results_of_a_review(environment: Mapping[str, str]) -> None:
    items = codekeeper(environment, "batch", "plan", "--repo", "shop", "--base", "main", "--head", "topic", "--context", "1")
    assert [(item["kind"], item["path"], item.get("lines")) for item in map(json.loads, items.splitlines())] == [
        ("outline", "shop/cart.py", None),
        ("file", "shop/cart.py", [4, 5]),
        ("section", "docs/cart.md", None),
    ]
    results = [json.loads(line) for line in codekeeper(environment, "batch", "run", "-", stdin=items).splitlines()]
    assert [result["index"] for result in results] == [0, 1, 2]
    assert [result["item"] for result in results] == [json.loads(item) for item in items.splitlines()]
    outline, changed, document = (result["result"] for result in results)
    assert [symbol["name"] for symbol in outline["symbols"]] == ["total"]
    assert changed["content"] == "def total():\n    return 2"
    assert (document["mode"], document["content"]) == ("document", "# Cart\n\nIn shop/cart.py.\n")


def test_an_items_result_is_the_single_tools_answer(environment: Mapping[str, str]) -> None:
    arguments = {"repo": "shop", "path": "shop/cart.py", "ref": "topic"}
    (line,) = codekeeper(environment, "batch", "run", "-", stdin=json.dumps({"kind": "file", **arguments})).splitlines()
    single = codekeeper(environment, "call", "codekeeper_get_repo_file", json.dumps(arguments)).rstrip("\n")
    assert line.endswith(f',"result":{single}}}')


def test_items_that_stay_refused_are_results_and_the_exit_code_says_so(environment: Mapping[str, str]) -> None:
    items = '{"kind":"file","repo":"shop","path":"none"}\n{"kind":"tree"}\n{"kind":"outline","repo":"shop","path":"shop/cart.py"}\n'
    results = [json.loads(line)["result"] for line in codekeeper(environment, "batch", "run", "-", stdin=items, code=1).splitlines()]
    assert [result.get("error") for result in results] == ["not_found", "invalid_item", None]


def test_no_items_are_answered_at_once(environment: Mapping[str, str]) -> None:
    assert codekeeper(environment, "batch", "run", "-", stdin="\n") == ""


@pytest.mark.parametrize("stdin", ["{", '{"kind":"file"}\nnothing\n'])
def test_what_is_no_json_is_wrong_usage_before_anything_is_read(environment: Mapping[str, str], stdin: str) -> None:
    assert codekeeper(environment, "batch", "run", "-", stdin=stdin, code=2) == ""


def test_results_that_cannot_be_written_stop_the_job(environment: Mapping[str, str]) -> None:
    codekeeper(environment, "batch", "run", "-", "--out", "/dev/full", stdin='{"kind":"tree"}', code=3)


def test_a_file_of_something_else_is_never_written_over(environment: Mapping[str, str], tmp_path: Path) -> None:
    (tmp_path / "notes").write_text("precious")
    codekeeper(environment, "batch", "run", "-", "--out", str(tmp_path / "notes"), stdin='{"kind":"tree"}', code=2)
    assert (tmp_path / "notes").read_text() == "precious"


def test_a_plan_that_is_refused_prints_the_refusal_alone(environment: Mapping[str, str]) -> None:
    printed = codekeeper(environment, "batch", "plan", "--repo", "shop", "--base", "none", "--head", "topic", code=1)
    assert json.loads(printed)["error"] == "ref_not_mirrored"
    codekeeper(environment, "batch", "plan", "--repo", "shop", "--base", "main", "--head", "topic", "--context", "101", code=2)
