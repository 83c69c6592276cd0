"""Who imports whom, and which library or power is whose: read from the sources, so that a stray import fails by name."""

import ast
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("gateway", "shared", "workers")
MAY_IMPORT = {"shared": {"shared"}, "gateway": {"gateway", "shared"}, "workers": {"workers", "shared"}}
NEVER = {
    "gateway": {"pygit2", "markdown_it", "tiktoken", "tree_sitter", "detect_secrets"},
    "shared": {"celery", "redis", "mcp", "pygit2", "uvicorn", "click"},
}
MOST_LINES = 300

SOURCES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@cache
def imported(path: Path) -> set[str]:
    """Full names of the modules that a file imports, wherever in it the statement stands."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{name_of(path)}: a relative import hides where it points"
            found.add(node.module or "")
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in {"importlib.import_module", "import_module", "__import__"}:
            found.add(ast.literal_eval(node.args[0]) if isinstance(node.args[0], ast.Constant) else "a computed import")
    return found


def roots(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imported(path)}


def users_of(library: str) -> set[str]:
    return {name_of(path) for path in SOURCES if library in roots(path)}


@cache
def attributes(path: Path) -> set[str]:
    """Every dotted name and every name imported from a module, such as `os.environ`."""
    found: set[str] = set()
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Attribute):
            found.add(ast.unparse(node))
        elif isinstance(node, ast.ImportFrom):
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def test_there_are_sources_to_read() -> None:
    assert {name_of(path).split("/")[0] for path in SOURCES} == set(PACKAGES)


@pytest.mark.parametrize("package", PACKAGES)
def test_a_package_imports_only_what_it_may(package: str) -> None:
    closed = (MAY_IMPORT.keys() - MAY_IMPORT[package]) | NEVER.get(package, set()) | {"tests", "a computed import"}
    strays = {name_of(path): bad for path in (ROOT / package).rglob("*.py") if (bad := roots(path) & closed)}
    assert strays == {}


def test_pygit2_is_used_by_the_mirror_and_its_tasks_alone() -> None:
    assert {name for name in users_of("pygit2") if not name.startswith(("workers/mirror/", "workers/tasks/"))} == set()


@pytest.mark.rule("REF-1", "REF-11")
def test_one_file_says_what_a_ref_resolves_to_and_what_its_syntax_is() -> None:
    for word in ("revparse", '"rev-parse"', "BASIC_REF_PATTERN: "):
        found = {name_of(path) for path in SOURCES if word in path.read_text(encoding="utf-8")}
        assert found == {"workers/mirror/resolve_ref.py"}, word


@pytest.mark.rule("BAT-9", "DOC-11", "DOC-138", "GTF-100")
def test_a_batch_and_the_single_tools_are_made_of_the_same_parts() -> None:
    """There is one way to check, load and answer, and each tool names it; one way to parse and answer by heading, for saved files too."""
    tools = {"workers/tasks/get_repo_file.py", "workers/tasks/docs_get_section.py"}
    batch = {"workers/batch/batch.py", "workers/batch/items.py"}
    for part, single in (
        ("checked_file_request", "file"),
        ("answer_file", "file"),
        ("checked_page_request", "section"),
        ("answer_page", "section"),
    ):
        users = {name_of(path) for path in SOURCES if any(name.endswith(f".{part}") for name in attributes(path))}
        assert len(users & tools) == 1, part
        assert single in next(iter(users & tools))
        assert len(users & batch) == 1, part
        assert users <= tools | batch, part
    route, context = "workers/tasks/file_at_commit.py", "workers/context/mirror_commit.py"
    for function, modules in (
        ("load_file", {*tools, "workers/batch/batch.py", route}),
        ("load_blob", {"workers/files/load.py", context}),
        ("find_blob", {"workers/files/load.py", context, "workers/store/repo_file.py"}),
        ("answer_section", {"workers/sections/page.py", "workers/saved_file/by_heading.py"}),
        ("documents.parsed", {"workers/sections/page.py", "workers/saved_file/by_heading.py"}),
    ):
        assert {name_of(path) for path in SOURCES if any(name.endswith(f".{function}") for name in attributes(path))} == modules, function


def test_one_file_starts_git_and_one_the_indexer() -> None:
    starters = {"os.system", "os.popen", "os.fork", "os.posix_spawn", "os.execv", "os.execve", "os.execvp", "pty.spawn",
    "asyncio.create_subprocess_exec",
                "asyncio.create_subprocess_shell"}  # fmt: skip
    found = users_of("subprocess") | users_of("multiprocessing") | {name_of(path) for path in SOURCES if starters & attributes(path)}
    assert found == {"workers/mirror/git_process.py", "workers/indexer/indexer.py"}


def test_the_environment_is_read_by_the_settings_and_handed_to_git_and_tiktoken_alone() -> None:
    readers = {name_of(path) for path in SOURCES if {"os.environ", "os.getenv", "os.environb", "os.putenv"} & attributes(path)}
    assert readers <= {"shared/settings.py", "workers/mirror/git_environment.py", "workers/tokens/encoding.py"}


def test_one_package_parses_by_grammars_one_counts_tokens_and_one_module_looks_for_secrets() -> None:
    grammars = {"tree_sitter", "tree_sitter_javascript", "tree_sitter_python", "tree_sitter_typescript"}
    assert {name for library in grammars for name in users_of(library) if not name.startswith("workers/parsing/code/")} == set()
    assert users_of("tiktoken") == {"workers/tokens/encoding.py"}
    assert users_of("detect_secrets") == {"workers/context/secret_scan.py"}


def test_the_workers_parts_point_one_way() -> None:
    """Tasks use the mirror and the reading; nothing but the list of tasks' modules names a task."""
    strays = {
        name_of(path): bad
        for path in (ROOT / "workers").rglob("*.py")
        if "tasks" not in path.parts and (bad := {name for name in imported(path) if name.startswith("workers.tasks")})
    }
    assert strays == {}
    reading = {
        name_of(path): bad
        for path in (ROOT / "workers" / "reading").rglob("*.py")
        if (bad := {name for name in imported(path) if name.startswith("workers.") and not name.startswith("workers.reading")})
    }
    assert reading == {}


@pytest.mark.parametrize(
    "path", [path for path in SOURCES if path.read_text(encoding="utf-8").strip() and "versions" not in path.parts], ids=name_of
)
def test_a_module_says_first_what_it_is_in_at_most_300_lines(path: Path) -> None:
    docstring = ast.get_docstring(tree_of(path))
    assert docstring
    assert len(docstring) > 30, "a sentence says what the module is and is not"
    assert len(path.read_text(encoding="utf-8").splitlines()) <= MOST_LINES


def test_no_source_names_a_place_of_a_developers_machine() -> None:
    here = str(ROOT)
    assert {name_of(path) for path in SOURCES if here in path.read_text(encoding="utf-8")} == set()


def test_no_broad_except_around_work_but_at_the_outermost_boundaries() -> None:
    """The soft time limit is an exception: a handler that takes everything would swallow it (see DESIGN.md)."""
    found: list[str] = []
    for path in SOURCES:
        for node in ast.walk(tree_of(path)):
            if isinstance(node, ast.ExceptHandler) and (
                node.type is None or {"Exception", "BaseException"} & set(ast.unparse(node.type).strip("()").split(", "))
            ):
                reraises = any(isinstance(inner, ast.Raise) for inner in ast.walk(node))
                if not reraises:
                    found.append(name_of(path))
    assert {name for name in found if name.startswith("workers/") and name != "workers/run_call.py"} == set()
