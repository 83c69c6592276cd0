"""The policy's patterns and the vendored globs as pathspecs, against the installed git."""

import string
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from shared.secret_paths import SECRET_PATTERNS, SecretPaths
from tests.examples import examples
from tests.git_repositories import commit_files, git, new_repository
from workers.search.pathspecs import VENDORED_PATH_GLOBS, policy_pathspecs

NAMES = (
    ".env",
    ".envrc",
    ".ENV",
    "a.pem",
    "x.KEY",
    "id_rsa",
    "id_rsa.pub",
    "id_ed25519_sk",
    "id_ecdsa",
    "Id_Dsa",
    "secrets.yml",
    "Secrets.d",
    "credentials",
    "CREDENTIALS.json",
    "c.p12",
    "c.pfx",
    ".netrc",
    ".npmrc",
    "r.keystore",
    "r.jks",
)
LOOKALIKES = (
    "env",
    "x.env",
    "secret.yml",
    "my_secrets.yml",
    "xid_rsa",
    "a.pem.txt",
    "key",
    "pem",
    "netrc",
    "a.netrc",
    ".netrc2",
    ".npmrcs",
    "mycredentials",
    "jks",
    "a.jksx",
    "idrsa",
    "id_rs",
    "a-b",
    "notes.md",
    "keystore",
)


def tree(folder: Path, paths: list[str]) -> Path:
    """A repository in which every path holds a line with the word needle; no path may be a folder of another."""
    repository = new_repository(folder)
    commit_files(repository, dict.fromkeys(paths, b"needle\n"))
    return repository


def kept(repository: Path, pathspecs: list[str]) -> set[str]:
    """What git searches beside these exclusions, of which no test excludes all."""
    printed = git(repository, "grep", "-l", "-z", "-F", "-e", "needle", "main", "--", *pathspecs)
    return {name.removeprefix("main:") for name in printed.decode().split("\0") if name}


@pytest.fixture(scope="module")
def every_shape(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Every name at the root, below a folder, and as a folder, at two depths."""
    paths = [shape for name in (*NAMES, *LOOKALIKES) for shape in (f"f/{name}", f"f/g/{name}", f"d/{name}/x", f"d/e/{name}/y/z")]
    paths += [*(name for name in (*NAMES, *LOOKALIKES)), "also-this-one"]
    return tree(tmp_path_factory.mktemp("policy") / "r.git", paths), paths


@pytest.mark.rule("SRC-47", "PLT-130", "REF-73")
def test_the_exclusions_are_the_read_policy_over_the_whole_list(every_shape: tuple[Path, list[str]]) -> None:
    repository, paths = every_shape
    assert kept(repository, policy_pathspecs(SECRET_PATTERNS)) == {path for path in paths if not SecretPaths().denies(path)}


@pytest.mark.rule("SRC-47")
@pytest.mark.parametrize("pattern", SECRET_PATTERNS)
def test_each_pattern_excludes_what_it_denies_and_no_more(every_shape: tuple[Path, list[str]], pattern: str) -> None:
    repository, paths = every_shape
    policy = only(pattern)
    assert kept(repository, policy_pathspecs([pattern])) == {path for path in paths if not policy.denies(path)}


def only(pattern: str) -> SecretPaths:
    """A policy of one pattern."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("shared.secret_paths.SECRET_PATTERNS", ())
        return SecretPaths([pattern])


PLACES = [f"{a}{b}{c}" for a in ("", "x/", "ab/x/") for b in ("a", "ab", "a.b", "aB", "b-a", "abab", "x") for c in ("", "/c", "/a/x")]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[Path, list[str]]]:
    """The places, spread over repositories so that no path is a folder of another."""
    rest, found = list(dict.fromkeys(PLACES)), []
    while rest:
        now: list[str] = []
        for path in rest:
            if not any(path.startswith(other + "/") or other.startswith(path + "/") for other in now):
                now.append(path)
        rest = [path for path in rest if path not in now]
        found.append((tree(tmp_path_factory.mktemp("places") / "r.git", [*now, "also-this-one"]), [*now, "also-this-one"]))
    return found


@pytest.mark.rule("SRC-47", "REF-76")
@examples(30)
@given(st.text(alphabet="aabx*?[!^].-/", min_size=1, max_size=6))
@example("x/a")
@example("x/*")
@example("a*b")
@example("*a*")
@example("a/../x")
@example("/x")
@example("./x")
@example("..")
@example("x/")
@example("[^a]")
@example("[!a]")
@example("x/[ab]")
@example("a\\b")
@example("**/a")
@example("*")
def test_what_an_operator_adds_excludes_nothing_that_the_policy_shows(places: list[tuple[Path, list[str]]], pattern: str) -> None:
    policy = only(pattern)
    simple = set(pattern) <= {*string.ascii_letters, *".-*"}
    for repository, paths in places:
        shown = {path for path in paths if not policy.denies(path)}
        if "also-this-one" not in shown:
            continue
        remaining = kept(repository, policy_pathspecs(policy.patterns))
        assert shown <= remaining
        if simple and pattern not in {".", ".."}:
            assert shown == remaining


VENDORED_TREE = [
    "node_modules/p/i.js",
    "a/node_modules/q/j.js",
    "my_node_modules.txt",
    "node_modules_x/a.js",
    "x/anode_modules/a.js",
    "a.bundle.js",
    "d/b.min.js",
    "d/c.min.css",
    "d/e/app.js.map",
    "d/map",
    "d/bundle.js",
    "d/a.maps/b.txt",
    "also-this-one",
]


@pytest.mark.rule("SRC-49", "SRC-52")
def test_vendored_paths_are_these_and_no_others(tmp_path: Path) -> None:
    repository = tree(tmp_path / "r.git", VENDORED_TREE)
    left_out = {"node_modules/p/i.js", "a/node_modules/q/j.js", "a.bundle.js", "d/b.min.js", "d/c.min.css", "d/e/app.js.map"}
    assert kept(repository, list(VENDORED_PATH_GLOBS)) == set(VENDORED_TREE) - left_out
