"""The repositories that the end-to-end tests read: the cases, and one of sizes and shapes around the ceilings."""

import subprocess
from pathlib import Path

from tests.git_repositories import CASES, Entry, commit_files, link, new_repository, submodule

DOCUMENTATION = {"case-06": ("", ".md"), "case-07": ("", ".md"), "case-08": ("", ".rst")}
"""Cases of plain files that are served as documentation, with their root and suffix."""

CASE_REPOSITORIES = ("02-line-numbering", "04-pathspec-literal", "05-tree-unusual-names", "13-option-like-values", "14-ref-resolution",
                     "16-secret-lookalikes-visible")  # fmt: skip

SOURCES = ("shapes", "empty", *DOCUMENTATION, *(f"case-{name[:2]}" for name in CASE_REPOSITORIES))
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


def build_source(name: str, folder: Path) -> Path:
    """The repository that `name` is cloned from, built below `folder`."""
    source = folder / f"{name}-source"
    if name == "shapes":
        new_repository(source)
        commit_files(source, SHAPES)
    elif name == "empty":
        new_repository(source)
    elif name in DOCUMENTATION:
        (case,) = (found for found in CASES.iterdir() if found.name.startswith(name.removeprefix("case-")))
        new_repository(source)
        commit_files(source, {file.name: file.read_bytes() for file in case.iterdir()})
    else:
        (case,) = [found for found in CASES.iterdir() if found.name.startswith(name.removeprefix("case-"))]
        subprocess.run(["sh", str(case / "make.sh"), str(source)], check=True, capture_output=True)
    return source
