"""Code contexts of real sources: every answer has exactly the tokens that it says and the lines of its file. Deep: the corpora."""

import random
import sysconfig
from pathlib import Path

import pytest

from infra.corpora import CORPORA
from tests.unit.workers.context.calls import delivered, lines, plan
from tests.unit.workers.parsing.real_pages import SEED, real
from workers.context import Status, WorkTree

pytestmark = [pytest.mark.deep, pytest.mark.timeout(1800)]

STDLIB = Path(sysconfig.get_path("stdlib"))
NPM = ["npm-express", "npm-jupyterlab", "npm-react-1", "npm-rxjs", "npm-typescript-eslint", "npm-zod"]


def npm(suffix: str, at_most: int) -> list[tuple[Path, str]]:
    return [(CORPORA, path.relative_to(CORPORA).as_posix()) for path in real(suffix, under=NPM, at_most=at_most)]


def stdlib(at_most: int) -> list[tuple[Path, str]]:
    files = sorted(path for path in STDLIB.rglob("*.py") if "site-packages" not in path.parts)
    chosen = random.Random(SEED).sample(files, at_most)  # noqa: S311 - nothing secret is drawn
    return [(STDLIB, path.relative_to(STDLIB).as_posix()) for path in chosen]


@pytest.mark.rule("RCC-3", "RCC-9", "RCC-10", "RCC-15", "RCC-23", "RCC-25")
def test_every_answer_counts_its_tokens_and_shows_the_lines_of_its_file() -> None:
    """`plan` holds each to tiktoken's count of what is delivered."""
    fragments = wholes = 0
    for root, path in [*npm(".ts", 60), *npm(".js", 60), *npm(".tsx", 7), *stdlib(60)]:
        source = WorkTree(root)
        outlined = plan(source, {"path": path, "outline": True})
        if outlined.status is not Status.COMPLETE:
            assert outlined.audit["requests"][0]["reason"] in {"parse-error", "resource-limit", "security-excluded", "unsupported-language"}
            continue
        rows = delivered(outlined)[0]["outline"]
        names = [row["qualifiedName"] for row in rows]
        unique = [name for name in names if names.count(name) == 1][:16]
        if not unique:
            continue
        text = (root / path).read_bytes().decode("utf-8-sig")
        for depends in (False, True):
            found = plan(source, {"path": path, "symbols": unique, "includeDependencies": depends})
            if found.status is not Status.COMPLETE:  # a name may be another's spelling too
                assert found.audit["requests"][0]["reason"] == "ambiguous-symbol"
                continue
            (file,) = delivered(found)
            if "full" in file:
                wholes += 1
                assert file["full"].removeprefix("\ufeff") == text
                continue
            fragments += len(file["fragments"])
            for one in file["fragments"]:
                assert one["text"] == lines(text, one["startLine"], one["endLine"]), (path, one["startLine"])
            shown = [(one["startLine"], one["endLine"]) for one in file["fragments"]]
            asked = [(row["startLine"], row["endLine"]) for row in rows if row["qualifiedName"] in unique]
            assert all(any(first <= start and end <= last for first, last in shown) for start, end in asked), path
    assert fragments > 100
    assert wholes > 20
