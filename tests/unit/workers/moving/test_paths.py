"""Which names are paths in an exported folder, and which get one made."""

import pytest

from workers.moving.paths import Paths, is_relative, made_path

PATHS = ("a", "docs/plan.md", ".bashrc", "x/.gitignore", ".github/ci.yml", "gi.t/x", "back\\slash", " ", "...", "a.git/x", "CON", "\u202e")
NO_PATHS = (
    "", ".", "..", "/", "/etc/passwd", "a/", "a//b", "a/../b", "../a", "./a", "a\0",
    # git's own folder, and what NTFS, HFS+ and Windows take for it (CVE-2014-9390, CVE-2019-1352)
    ".git", "x/.git/config", ".GIT/x", ".g\u200cit/x", ".git\u200d/x", "git~1/x", "GIT~1", ".git /x", ".git./x",
    ".git::$INDEX_ALLOCATION/x", ".codekeeper", ".codekeeper/files.jsonl", ".CodeKeeper/x",
)  # fmt: skip
CLASHES = (
    ("a", "A"), ("A/x", "a/X"), ("a", "a/b"), ("a/b", "a"), ("A/b", "a"),
    ("\u00e9", "e\u0301"), ("stra\u00dfe", "STRASSE"), ("\u03c3", "\u03c2"),
)  # fmt: skip


@pytest.mark.rule("PLT-149")
def test_a_name_is_its_own_path_where_it_can_be_one() -> None:
    for name in PATHS:
        assert Paths().path_of(name) == name
    for name in NO_PATHS:
        assert Paths().path_of(name) == made_path(name)
        assert is_relative(made_path(name))
    for first, second in CLASHES:
        paths = Paths()
        assert (paths.path_of(first), paths.path_of(second)) == (first, made_path(second))
    paths = Paths()
    assert [paths.path_of(name) for name in ("a/b", "a/c", "A/d", "a/b/c")] == ["a/b", "a/c", "A/d", made_path("a/b/c")]


@pytest.mark.rule("PLT-149")
def test_a_path_that_is_made_is_one_names_own_and_keeps_its_ending() -> None:
    names = [*NO_PATHS, *(second for _, second in CLASHES), "../x.md", "../x.py", "x/..\u05d0"]
    assert len({made_path(name) for name in names}) == len(set(names))
    endings = {name: made_path(name).partition("/names/")[2][64:] for name in ("../x.md", "../x.tar.gz", "../x.p\u00fc", "..", "../x.")}
    assert endings == {"../x.md": ".md", "../x.tar.gz": ".gz", "../x.p\u00fc": "", "..": "", "../x.": ""}
