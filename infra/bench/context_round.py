"""What code contexts cost and save, on real sources: `python -m infra.bench.context_round [--quick]` prints JSON of seconds and tokens.

Sources are Python's standard library and packages of npm that `python -m infra.corpora` fetches. Everything runs in this process and its
indexer's, as in a worker; nothing is read over a front door.
"""

import argparse
import asyncio
import json
import os
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import Any, Final

from tree_sitter import Parser

from infra.bench.measure import in_turn
from infra.corpora import CORPORA, pages
from shared.settings import settings
from workers.context import CodeContextSpec, ContextOptions, Status, WorkTree, read_code_context
from workers.context.indexed import indexed
from workers.parsing.code.index import Index, Unindexed
from workers.parsing.code.languages import Language, grammar
from workers.tokens.count import count_tokens
from workers.tokens.encoding import encoding

STDLIB: Final = Path(sysconfig.get_path("stdlib"))

TYPESCRIPT_BYTES: Final = 1_000_000
PYTHON_LINES: Final = 20_000
FILES: Final = 32

Request = dict[str, Any]

_EXPRESS: Final = "npm-express-5.3.0/lib"
_RXJS: Final = "npm-rxjs-7.8.2/src/internal"

QUESTIONS: Final[dict[str, tuple[Path, Sequence[Sequence[Request]]]]] = {
    "how does res.render work (express)": (
        CORPORA,
        [
            [{"path": f"{_EXPRESS}/response.js", "symbols": ["res.render"]}],
            [
                {"path": f"{_EXPRESS}/application.js", "symbols": ["app.render"], "includeDependencies": True},
                {"path": f"{_EXPRESS}/view.js", "symbols": ["View"], "includeDependencies": True},
            ],
            [{"path": f"{_EXPRESS}/view.js", "symbols": ["View.prototype.render", "View.prototype.lookup", "View.prototype.resolve"]}],
        ],
    ),
    "how does switchMap work (rxjs)": (
        CORPORA,
        [
            [{"path": f"{_RXJS}/operators/switchMap.ts", "symbols": ["switchMap"]}],
            [
                {"path": f"{_RXJS}/util/lift.ts", "symbols": ["operate"], "includeDependencies": True},
                {"path": f"{_RXJS}/operators/OperatorSubscriber.ts", "symbols": ["createOperatorSubscriber"], "includeDependencies": True},
                {"path": f"{_RXJS}/observable/innerFrom.ts", "symbols": ["innerFrom"], "includeDependencies": True},
            ],
        ],
    ),
    "how does subprocess.run work (Python)": (
        STDLIB,
        [
            [{"path": "subprocess.py", "symbols": ["run"]}],
            [{"path": "subprocess.py", "symbols": ["Popen.communicate", "Popen._check_timeout", "Popen.__exit__", "Popen.kill"]}],
            [{"path": "subprocess.py", "symbols": ["Popen.__init__", "CompletedProcess"]}],
        ],
    ),
}
"""A question, where its files are, and the rounds of requests that answer it."""


def is_indexed(path: str, text: str) -> bool:
    """Whether a file has an index, so that several may be one."""
    try:
        indexed(path, text, None)
    except Unindexed:
        return False
    return True


def one_file(paths: Sequence[Path], is_enough: Callable[[str], bool]) -> str:
    """Files one after the other, until they are enough for a large one.

    Raises:
        RuntimeError: they aren't.
    """
    text = ""
    for path in paths:
        try:
            more = path.read_bytes().decode()
        except UnicodeDecodeError:
            continue
        if is_indexed(path.name, more):
            text += more + "\n"
            if is_enough(text):
                return text
    raise RuntimeError("the corpora aren't there; python -m infra.corpora fetches them")


def bare(language: Language, data: bytes) -> object:
    """The parse alone, by the library."""
    return Parser(grammar(language)).parse(data)


async def index_of(language: Language, path: str, text: str, rounds: int) -> dict[str, Any]:
    """Seconds of an index that nobody kept, of one that is kept, and of the bare parse."""
    data, cache = text.encode(), settings().data_dir / "cache"

    async def cold() -> Index:
        shutil.rmtree(cache, ignore_errors=True)
        return indexed(path, text, "0" * 40)

    async def kept() -> Index:
        return indexed(path, text, "0" * 40)

    async def parse() -> object:
        return bare(language, data)

    if not (await cold()).definitions or await kept() != await cold():
        raise RuntimeError("no index")
    took = await in_turn({"bare": parse, "cold": cold, "kept": kept}, rounds, warm_up=2)
    return {"bytes": len(data), "lines": text.count("\n"), "definitions": len((await kept()).definitions), **took}


async def plan(rounds: int) -> dict[str, Any]:
    """Seconds of a plan of one function of each of 32 files, with the scan for secrets and without, and of what it can't do without."""
    requests: list[Request] = []
    for path in sorted(STDLIB.glob("*.py"), key=lambda path: (-path.stat().st_size, path.name)):
        text = path.read_text(encoding="utf-8")
        if is_indexed(path.name, text) and (symbol := _a_function(path.name, text)):
            requests.append({"path": path.name, "symbols": [symbol]})
        if len(requests) == FILES:
            break
    spec = CodeContextSpec.from_json({"maxTokens": 1_000_000, "requests": requests})

    def planned(*, scan: bool) -> Callable[[], Awaitable[object]]:
        async def run() -> object:
            made = read_code_context(ContextOptions(scan=scan), WorkTree(STDLIB), spec)
            if made.status is not Status.COMPLETE:
                raise RuntimeError(str(made.audit))
            return made

        return run

    async def parts() -> object:
        for request in requests:
            data = (STDLIB / request["path"]).read_bytes()
            bare(Language.PYTHON, data)
            count_tokens(data.decode())
        return None

    size = sum((STDLIB / request["path"]).stat().st_size for request in requests)
    took = await in_turn({"parts": parts, "plan": planned(scan=True), "unscanned": planned(scan=False)}, rounds, warm_up=1)
    return {"bytes": size, **took}


def _a_function(path: str, text: str) -> str | None:
    """The name of a file's first function that has it alone."""
    index = indexed(path, text, None)
    return next((one.name for one in index.definitions if one.kind.value == "function" and len(index.qualified[one.name]) == 1), None)


def answers() -> dict[str, Any]:
    """For each question the tokens of all documents that answer it, and those of the files that they are from, whole and once each."""
    found: dict[str, Any] = {}
    for question, (root, rounds) in QUESTIONS.items():
        tokens = 0
        for requests in rounds:
            made = read_code_context(
                ContextOptions(), WorkTree(root), CodeContextSpec.from_json({"maxTokens": 50_000, "requests": requests})
            )
            if made.status is not Status.COMPLETE:
                raise RuntimeError(f"{question}: {made.audit}")
            tokens += made.tokens
        whole = {request["path"] for requests in rounds for request in requests}
        found[question] = {
            "tokens": tokens,
            "whole": sum(count_tokens((root / path).read_bytes().decode()) for path in whole),
            "files": len(whole),
            "rounds": len(rounds),
        }
    return found


async def _measure(rounds: int) -> dict[str, Any]:
    encoding()
    typescript = [path for path in pages(".ts", under=("npm-rxjs", "npm-zod")) if "src" in path.parts and "tests" not in path.parts]
    python = sorted(STDLIB.glob("*.py"), key=lambda path: (-path.stat().st_size, path.name))
    sources = {
        Language.TYPESCRIPT: ("a.ts", one_file(typescript, lambda text: len(text) >= TYPESCRIPT_BYTES)),
        Language.PYTHON: ("a.py", one_file(python, lambda text: text.count("\n") >= PYTHON_LINES)),
    }
    index = {language.value: await index_of(language, path, text, rounds) for language, (path, text) in sources.items()}
    return {"index": index, "plan": await plan(max(rounds // 2, 2)), "answers": answers()}


def main() -> None:
    """Measure in a data folder of its own, and print the figures."""
    parser = argparse.ArgumentParser(prog="python -m infra.bench.context_round")
    parser.add_argument("--quick", action="store_true", help="fewer rounds")
    rounds = 3 if parser.parse_args().quick else 11
    with tempfile.TemporaryDirectory(prefix="codekeeper-bench-") as folder:
        os.environ["CODEKEEPER_DATA_DIR"] = folder
        found = asyncio.run(_measure(rounds))
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
