"""`codekeeper context`: what it prints and how it ends; and the README's example, run as it stands."""

import json
import re
import resource
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest
from click.testing import CliRunner, Result

from gateway.commands.main import cli
from tests.git_repositories import commit_files, new_repository
from tests.service import Service, running_service
from tests.unit.workers.context.calls import plan
from workers import resources
from workers.commands import context as command
from workers.context import MirrorCommit

ROOT = Path(__file__).parents[4]
FILE = b"def f():\n    return 'planted'\n"
WHOLE = {"maxTokens": 4_000, "requests": [{"path": "a.py", "full": True}]}


@pytest.fixture
def service(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    resources.secret_paths.cache_clear()
    with running_service(tmp_path / "data", monkeypatch, DENYLIST_EXTRA="*.team") as running:
        yield running
    resources.secret_paths.cache_clear()


@pytest.fixture
def root(tmp_path: Path, service: Service) -> Path:
    folder = tmp_path / "root"
    folder.mkdir()
    (folder / "a.py").write_bytes(FILE)
    (folder / "a.team").write_bytes(FILE)
    commit_files(new_repository(service.mirror("case")), {"a.py": FILE})
    service.add("case", "https://h/case", "main")
    return folder


def run(*arguments: str | Path, spec: object = WHOLE) -> Result:
    data = spec if isinstance(spec, bytes) else json.dumps(spec).encode()
    return CliRunner().invoke(cli, ["context", "-", *map(str, arguments)], input=data)


def printed(result: Result) -> dict[str, Any]:
    assert result.stdout.endswith("}\n")
    answer: dict[str, Any] = json.loads(result.stdout)
    return answer


def test_a_whole_context_is_printed_as_it_is_and_ends_with_0(root: Path, tmp_path: Path) -> None:
    for result, source in ((run("--root", root), root), (run("--repo", "case", "--ref", "main"), MirrorCommit("case", "main"))):
        assert (result.exit_code, result.stdout, result.stderr) == (0, f"{plan(source, *WHOLE['requests']).text}\n", "")  # type: ignore[misc]
    (tmp_path / "spec.json").write_text(json.dumps(WHOLE), encoding="utf-8")
    assert CliRunner().invoke(cli, ["context", str(tmp_path / "spec.json"), "--root", str(root)]).stdout == run("--root", root).stdout


@pytest.mark.rule("RCC-23", "RCC-47")
def test_a_context_that_is_not_complete_prints_its_audit_and_ends_with_1(root: Path) -> None:
    over = run("--root", root, spec={**WHOLE, "maxTokens": 10})
    assert over.exit_code == 1
    assert set(printed(over)) == {"status", "requiredTokens", "audit"}
    assert (printed(over)["status"], printed(over)["requiredTokens"]) == ("over_budget", plan(root, *WHOLE["requests"]).tokens)  # type: ignore[misc]
    gone = run("--root", root, spec={"maxTokens": 9, "requests": [{"path": "a.team", "full": True}]})
    assert gone.exit_code == 1
    assert {name: printed(gone)[name] for name in printed(gone) if name != "audit"} == {"status": "unavailable"}
    assert printed(gone)["audit"]["security"] == "Excluded"
    assert "planted" not in over.output + gone.output


@pytest.mark.rule("RCC-20", "RCC-47")
@pytest.mark.parametrize(
    ("spec", "field"), [(b"{", "spec"), (b"[" * 100_000, "spec"), (b" " * 1_048_577, "spec"), ({"maxTokens": 9}, "requests")]
)
def test_an_invalid_description_is_an_answer_that_names_the_field(root: Path, spec: object, field: str) -> None:
    result = run("--root", root, spec=spec)
    assert result.exit_code == 1
    assert (printed(result)["ok"], printed(result)["error"]) == (False, "InvalidCodeSpec")
    assert printed(result)["message"].startswith(f"{field}: ")


@pytest.mark.usefixtures("service")
def test_a_mirror_that_cant_be_read_is_a_refusal() -> None:
    result = run("--repo", "gone")
    assert (result.exit_code, printed(result)["error"]) == (1, "repo_not_mirrored")


def test_a_call_that_meets_its_share_of_memory_is_refused_and_limits_nobody_else(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = resource.getrlimit(resource.RLIMIT_DATA)
    inside = []

    def without_memory(*_: object) -> NoReturn:
        inside.append(resource.getrlimit(resource.RLIMIT_DATA)[0])
        raise MemoryError

    monkeypatch.setattr(command, "read_code_context", without_memory)
    result = run("--root", root)
    assert (result.exit_code, printed(result)["error"]) == (1, "resource_limit")
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
    assert inside != [before[0]] or sys.platform != "linux"


@pytest.mark.parametrize(
    "arguments",
    [[], ["--root", ".", "--repo", "case"], ["--root", ".", "--ref", "main"], ["--root", "no such folder"], ["--root", "https://h/r.git"]],
)
@pytest.mark.usefixtures("service")
def test_wrong_usage_ends_with_2_and_prints_no_result(arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")


@pytest.mark.rule("RCC-23", "RCC-41")
def test_the_operator_can_turn_the_scan_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_text("-----BEGIN RSA PRIVATE KEY-----\n", encoding="utf-8")
    with running_service(tmp_path / "data", monkeypatch):
        assert printed(run("--root", tmp_path))["audit"]["security"] == "Excluded"
    with running_service(tmp_path / "data", monkeypatch, SECRET_SCAN="0"):
        assert printed(run("--root", tmp_path))["audit"]["security"] == "Disabled"


def test_the_readmes_example_and_command_run_as_they_stand(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```python\n(from workers\.context.*?)```", readme, re.DOTALL)
    (described,) = re.findall(r"echo '(.*)' > spec\.json", readme)
    monkeypatch.chdir(ROOT)
    exec(compile(example, "README.md", "exec"), {})  # noqa: S102 - the example is what is tested
    shown = capsys.readouterr().out
    assert "def fits(sent: bytes) -> bool" in json.loads(shown)["files"][0]["fragments"][0]["text"]
    assert run("--root", ".", spec=described.encode()).stdout == shown
