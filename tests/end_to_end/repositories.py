"""The repositories that the end-to-end tests read: the cases, and one of sizes and shapes around the ceilings."""

import subprocess
from pathlib import Path

from tests.git_repositories import CASES, Entry, commit_files, link, new_repository, submodule

DOCUMENTATION = {"case-06": ("", ".md"), "case-07": ("", ".md"), "case-08": ("", ".rst"), "maps": ("docs/", ".md")}
"""Repositories that are served as documentation, with their root and suffix."""

PLAIN_CASES = ("case-01", "case-06", "case-07", "case-08", "case-09", "case-10", "case-11", "case-12")
"""Cases of plain files."""

CASE_REPOSITORIES = (
    "02-line-numbering",
    "03-search-colon-paths",
    "04-pathspec-literal",
    "05-tree-unusual-names",
    "13-option-like-values",
    "14-ref-resolution",
    "15-batch-partial-failure",
    "16-secret-lookalikes-visible",
)

SOURCES = ("shapes", "maps", "empty", *PLAIN_CASES, *(f"case-{name[:2]}" for name in CASE_REPOSITORIES))
"""Names under which they are registered."""

HEBREW_LINE = "שורה של טקסט בעברית, ארוכה דיה כדי למלא תשובה.\n"

SHAPES: dict[str | bytes, bytes | Entry] = {
    "README.md": b"# Shapes\n\nA repository of files around every ceiling.\n",
    "abc.txt": b"a\nb\nc\n",
    "bom.txt": b"\xef\xbb\xbfa\r\nb",
    "cp1255.txt": b"\xf9\xec\xe5\xed",
    "empty.txt": b"",
    "binary.bin": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "at-ceiling.txt": b"x" * 99 + b"\n" + b"y" * (512_000 - 100),
    "over-ceiling.txt": b"z\n" * 256_001,
    "hebrew.txt": (HEBREW_LINE * 4_000).encode(),
    "one-long-line.txt": b"w" * 300_000 + b"\nshort\n",
    "controls.txt": b"aaaa\x01bbbb\n" * 40_000,
    "over-range-ceiling.txt": b"0123456789abcde\n" * (10 * 1024 * 1024 // 16 + 1),
    "link": link("abc.txt"),
    "vendor/sub": submodule(),
    "src/app.py": b"print('hello')\n",
    "src/lib/util.py": b"VALUE = 1\n",
    **{f"many/{'d' * 120}-{number:04}.txt": b"x\n" for number in range(2_500)},
}


def _functions(count: int, name: str) -> bytes:
    return "".join(f"def {name}_{number:05}(): pass\n" for number in range(count)).encode()


LONG_NAME = "設定" * 110
"""660 bytes of a name that Python takes."""

MAPS: dict[str | bytes, bytes | Entry] = {
    "app.py": _functions(530, "api"),
    "wide.py": _functions(600, LONG_NAME),
    "one-long-name.css": b"." + b"a" * 256_000 + b"{}\n",
    "straße.py": "def straße(): pass\n".encode(),
    "twice.html": b'<div id="main"></div>\n<style>\ndiv#main { color: red }\n@media print {\n.x { margin: 0 }\n}\n</style>\n'
    b"{% block a %}{% endblock %}\n{% include 'b' %}\n",
    "crlf.py": b"def f():\r\n    pass\r\n",
    "old-mac.css": b".a{}\r.b{}\n",
    "old-mac.txt": b".a{}\r.b{}\n",
    "at-ceiling.css": b"a{}\n" * 50_000,
    "over-ceiling.css": b"a{}\n" * 50_001,
    "python2.py": b"x = 1\nprint 'hello'\n",
    "tabs.py": b"if x:\n\ty = 1\n        z = 2\n",
    "nothing.PYI": b"LIMIT = 3\n",
    "picture.py": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
    "over-range-ceiling.py": b"#" * (10 * 1024 * 1024 + 1),
    "over-display.css": b"a{}\n" * 2 + b" " * 512_000,
    "link.py": link("app.py"),
    "docs/link.md": link("page.md"),
    "docs/page.md": b"# Page\n\ntext\n",
    "docs/page.sh.md": b"# Page\n",
    "docs/page.sh": b"true\n",
    "docs/long.md": b"# Long\n\n" + (HEBREW_LINE * 4_000).encode(),
    "docs/too-long.md": b"# Too long\n\n" + b"line\n" * 110_000,
    "docs/endless.md": b"line\n" * (10 * 1024 * 1024 // 5 + 1),
    "docs/page.rst": b"Page\n====\n\ntext\n",
    "notes/page.md": b"# Page\n",
    "notes/long.md": b"# Long\n\n" + (HEBREW_LINE * 4_000).encode(),
}


def build_source(name: str, folder: Path) -> Path:
    """The repository that `name` is cloned from, built below `folder`."""
    source = folder / f"{name}-source"
    if name == "shapes":
        new_repository(source)
        commit_files(source, SHAPES)
    elif name == "empty":
        new_repository(source)
    elif name == "maps":
        new_repository(source)
        commit_files(source, MAPS)
    elif name in PLAIN_CASES:
        (case,) = (found for found in CASES.iterdir() if found.name.startswith(name.removeprefix("case-")))
        new_repository(source)
        commit_files(source, {file.name: file.read_bytes() for file in case.iterdir()})
    else:
        (case,) = [found for found in CASES.iterdir() if found.name.startswith(name.removeprefix("case-"))]
        subprocess.run(["sh", str(case / "make.sh"), str(source)], check=True, capture_output=True)
    return source
