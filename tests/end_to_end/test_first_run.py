"""A newcomer's first minute: `infra/serve` in a repository of theirs, twice."""

import json
import subprocess
from pathlib import Path

import pytest

from tests.end_to_end.services import ROOT, codekeeper, environment_of, process


@pytest.mark.rule("PLT-62")
def test_infra_serve_mirrors_the_repository_around_it_and_shows_how_to_connect_and_one_answer(tmp_path: Path) -> None:
    checkout = tmp_path / "my.notes"
    (checkout / "deep" / "er").mkdir(parents=True)
    (checkout / "README.md").write_text("# Notes\n\nFirst line of text.\n", encoding="utf-8")
    for command in (["init", "-q", "-b", "main", "."], ["add", "README.md"], ["commit", "-qm", "one"]):
        subprocess.run(["git", *command], cwd=checkout, check=True)
    environment = environment_of(tmp_path / "data")
    del environment["CODEKEEPER_ADMIN_USERS"]
    kept = []
    for run in ("first", "second"):
        log = tmp_path / f"{run}.log"
        options = {"stdout": subprocess.PIPE, "cwd": checkout / "deep" / "er"}
        with process(["sh", str(ROOT / "infra" / "serve")], environment, log, **options) as child:
            assert child.stdout is not None
            url = json.loads(child.stdout.readline() or log.read_text(encoding="utf-8"))["url"]
            token_file = tmp_path / "data" / "local.token"
            assert token_file.stat().st_mode & 0o777 == 0o600
            kept.append(token_file.read_text(encoding="ascii").strip())
            with_token = {**environment, "CODEKEEPER_TOKEN": kept[-1]}
            call = ["call", "--url", url, "codekeeper_get_repo_file", '{"repo": "my-notes", "path": "README.md", "lines": [3, 3]}']
            assert json.loads(codekeeper(with_token, *call))["content"] == "First line of text."
        said = log.read_text(encoding="utf-8")
        assert f'claude mcp add --transport http codekeeper {url} --header "Authorization: Bearer {kept[-1]}"' in said
        assert '"content":"# Notes\\n\\nFirst line of text.\\n"' in said
    assert kept[0] == kept[1]


def test_a_call_is_answered_in_a_data_folder_that_is_not_there_yet(tmp_path: Path) -> None:
    environment = environment_of(tmp_path / "data")
    saved = codekeeper(environment, "call", "codekeeper_save_file", '{"file_name": "notes.md", "code": "# Title\\n"}')
    assert json.loads(saved)["ok"] is True
