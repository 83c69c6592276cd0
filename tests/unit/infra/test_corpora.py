"""What the script that fetches the corpora unpacks, and from where."""

import io
import tarfile
from pathlib import Path

import pytest

from infra import corpora


def archive(*members: tuple[str, bytes]) -> tarfile.TarFile:
    content = io.BytesIO()
    with tarfile.open(fileobj=content, mode="w") as made:
        for name, data in members:
            member = tarfile.TarInfo(name)
            member.size = len(data)
            made.addfile(member, io.BytesIO(data))
        link = tarfile.TarInfo("p-1/link.md")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"
        made.addfile(link)
    content.seek(0)
    return tarfile.open(fileobj=content)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(corpora, "CORPORA", tmp_path / "corpora")
    (tmp_path / "corpora").mkdir()
    return tmp_path / "corpora"


def test_only_files_that_a_parser_reads_are_unpacked(folder: Path) -> None:
    members = [(f"p-1/docs/page{suffix}", b"x") for suffix in (*corpora.SUFFIXES, ".c", ".so")]
    corpora._unpack(archive(*members), "p-1", lambda name: name.partition("/")[2])
    assert {path.suffix for path in folder.rglob("*") if not path.is_dir()} == corpora.SUFFIXES
    assert corpora.pages(".md", ".rst") == [folder / "p-1/docs/page.md", folder / "p-1/docs/page.rst"]
    assert corpora.pages(".md", under=["q"]) == []


def test_of_npms_packages_the_code_is_unpacked_into_a_folder_of_the_packages_name(folder: Path) -> None:
    name = corpora.npm_folder("@scope/name", "1.2.3")
    assert name == "npm-scope-name-1.2.3"
    members = [(f"p-1/src/file{suffix}", b"x") for suffix in (*corpora.NPM_SUFFIXES, ".md", ".json", ".map")]
    corpora._unpack(archive(*members), name, lambda path: path.partition("/")[2], corpora.NPM_SUFFIXES)
    assert {path.suffix for path in folder.rglob("*") if path.is_file()} == corpora.NPM_SUFFIXES
    assert corpora.pages(".tsx", under=["npm-"]) == [folder / name / "src/file.tsx"]


def test_a_member_that_would_leave_its_folder_leaves_nothing(folder: Path) -> None:
    with pytest.raises(tarfile.FilterError), archive(("p-1/a.md", b"x"), ("p-1/../../../b.md", b"x")) as bad:
        corpora._unpack(bad, "p-1", lambda name: name.partition("/")[2])
    assert list(folder.parent.rglob("*")) == [folder]


def test_the_documentation_of_cpython_is_found_among_what_debian_makes_of_it() -> None:
    assert corpora._cpython_name("./usr/share/doc/python3.11/html/_sources/library/os.rst.txt") == "library/os.rst"
    assert corpora._cpython_name("./usr/share/doc/python3.11/html/library/os.html") == ""
    assert corpora._cpython_name("./usr/share/doc/python3.11/html/_sources/a.png") == ""


def test_at_least_thirty_packages_are_named_once_each() -> None:
    names = [name for name, _ in corpora.PACKAGES]
    assert len(names) == len(set(names)) >= 30
    assert {"docutils", "sphinx"} <= set(names)
