"""The RST scanner against docutils 0.23: documents put together from the contract's forms, and real files."""

import re
import sys
import sysconfig
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.examples import examples
from tests.unit.workers.parsing import rst_oracle
from workers.parsing.headings import ParseRefused
from workers.parsing.outline import has_lone_carriage_return
from workers.parsing.rst.headings import headings
from workers.parsing.rst.includes import includes
from workers.parsing.rst.outline import outline
from workers.parsing.rst.targets import labels

FORMS = """\
Title|Long title here|A|標題|e\u0301|=====|====|===|==|=|-----|----|---|~~~|~~~~~~~|......|::|::::|####|((((|''''|\"\"\"\"|```
_____|text|text::|b\\\\::|  Fake|  ====|   Deep|   ----| one| =|||| |\t|\tTab|\t===|Tab\there|\x0cform|Title\x0c|\xa0nbsp
\xa0|Title |=====|- item|- |-|+ x|* y|  cont|1. Intro|2. Next|1)|(a) x|(b) y|i. x|ii. y|v. z|h. x|j. k|#. auto|#)|iiii. x
A. Setup|2.1 Setup|I. x|MM. x|4999. x|..|.. comment|.. note:: x|.. note::|.. code::|.. code-block:: python|.. _lab:
.. _lab2: http://x|.. _lab3:|   http://y|.. __:|.. __: http://q|__ http://z|__|.. [1] foot|.. [cit] c|.. _bad|   tail:
.. _`quo ted`:|.. _a\\:b:|.. _ind: lab_|.. include:: foo.txt|.. figure:: x|   :alt: y|   .. _in:|  .. _in2:|    .. _in4:
   - .. _inl:|.. _x : |.. __ foo:|.. _fo o bar:|.. epigraph::|.. class:: x|.. header:: x|.. topic:: x|:field: x|:field:
:fi\\:eld: y|: x:|>>> x|>>>|-a  opt|--long=x  opt|--x|-o FILE|/V  x|term|  def|-- attr|  -- attr|\u2014 attr|+|+ |• dot
+-----+-----+|+=====+=====+|===== =====|=====  ====|a     b|+---+|+-----------+|==== ====|x    .. _s2:|
""".replace("\n", "|").split("|")
BARS = ["| line", "| ", "|", "  contline", "| a   | b   |", "|     +-----+", "| .. _lb:", "| .. _g:    |", ".. |sub| image:: x", ".. |sub|"]
FORM = st.sampled_from(sorted({*FORMS, *BARS}))
# Few forms in a document make them meet, all of them make everything possible.
DOCUMENTS = st.one_of(
    st.lists(FORM, min_size=3, max_size=9).flatmap(lambda forms: st.lists(st.sampled_from(forms), max_size=14)),
    st.lists(FORM, max_size=14),
).map("\n".join)


def agree(text: str) -> None:
    read = rst_oracle.read(text)
    if read.quoted:  # OUT-101
        return
    ours = [(heading.level, re.sub("[\v\f]", " ", heading.title).expandtabs(8)) for heading in headings(text)]
    assert ours == read.titles, text
    found = [(rst_oracle.normal_name(label.name), label.line) for label in labels(text)]
    if read.miscounted:
        assert sorted(name for name, _ in found) == sorted(name for name, _ in read.labels), text
        assert all(".. _" in text.split("\n")[line - 1] for _, line in found), text
    else:
        assert found == read.labels, text


@pytest.mark.rule("OUT-65", "OUT-66", "OUT-67", "OUT-68", "OUT-85", "OUT-100")
@pytest.mark.timeout(1800)
@examples(150, deep=30_000)
@given(DOCUMENTS, st.sampled_from(["", "\n"]))
@example("==== ====\n-\n   - .. _no-table:\n==== ====", "")
@example("== ==\na    .. _above-an-underline:\n-- --\n== ==", "")
@example("==== ====\n=========\na    .. _below-a-joined-border:\n==== ====", "")
def test_headings_and_labels_are_those_of_docutils(document: str, end: str) -> None:
    agree(document + end)


def title(sign: str, over: int, width: int, indent: int, text: str) -> str:
    return "\n".join([*[sign * width] * over, " " * indent + text, sign * width])


TITLES = st.builds(
    title,
    st.sampled_from("=-~#.:"),
    st.integers(0, 1),
    st.integers(1, 7),
    st.sampled_from([0, 0, 0, 1]),
    st.sampled_from(["A", "Title", "Long title", "標題", "1. Intro", "e\u0301e\u0301"]),
)


@pytest.mark.rule("OUT-65", "OUT-66", "OUT-67", "OUT-68", "OUT-69", "OUT-72", "OUT-75", "OUT-77", "OUT-81")
@examples(150)
@given(st.lists(st.tuples(TITLES, st.sampled_from(["\n\n", "\n", "\n\ntext\n\n"])).map("".join), max_size=12).map("".join))
def test_hierarchies_of_titles_are_those_of_docutils(document: str) -> None:
    agree(document)


@pytest.mark.rule("OUT-81")
@examples(150)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(["", "("]),
            st.one_of(
                st.integers(0, 5000).map(str),
                st.sampled_from("abhijzABHIJZ#"),
                st.text("ivxlcdm", min_size=1, max_size=5),
                st.text("IVXM", min_size=1, max_size=8),
            ),
            st.sampled_from([". ", ") ", ".", ")", ". x", ") x"]),
            st.sampled_from(["\n", "\n\n", "\n====\n", "\n  x\n"]),
        ).map("".join),
        max_size=6,
    ).map("".join)
)  # fmt: skip
def test_enumerations_are_those_of_docutils(document: str) -> None:
    agree(document)


@given(st.text(st.sampled_from(" \t\n\r\f\v=-~.:_`|+<>*#()\\[]aiA1標\u2028\x1c\x85\xa0\0\ud800"), max_size=80))
@examples(250)
def test_nothing_is_raised_but_a_refusal(text: str) -> None:
    last = text.count("\n") + 1
    assert all(1 <= symbol.start <= symbol.end <= last for symbol in outline(text))
    includes(text)
    if has_lone_carriage_return(text):
        with pytest.raises(ParseRefused, match="inconsistent_line_endings"):
            headings(text)
    else:
        assert all(1 <= heading.line < last for heading in headings(text))


def installed() -> list[Path]:
    """Every .rst file that the interpreter and its packages brought, in an order that is the same everywhere it can be."""
    roots = {Path(path) for path in (sysconfig.get_path("purelib"), sys.prefix, sys.base_prefix, "/usr/share")}
    return sorted({path for root in roots if root.is_dir() for path in root.rglob("*.rst") if path.is_file()})


def agree_on(path: Path) -> bool:
    """Whether the file could be compared. docutils need not know every directive: labels in those are ours alone."""
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError:
        return False
    if has_lone_carriage_return(text):
        return False
    read = rst_oracle.read(text)
    if read.quoted:
        return False
    assert [(heading.level, heading.title.expandtabs(8)) for heading in headings(text)] == read.titles, path
    assert set(read.labels) <= {(rst_oracle.normal_name(label.name), label.line) for label in labels(text)}, path
    return True


@pytest.mark.rule("OUT-65")
def test_real_files_have_the_titles_and_labels_that_docutils_reads() -> None:
    files = installed()
    for path in files[:: max(1, len(files) // 150)]:
        agree_on(path)


@pytest.mark.deep
@pytest.mark.timeout(1800)
def test_all_real_files_have_the_titles_and_labels_that_docutils_reads() -> None:
    for path in installed():
        agree_on(path)
