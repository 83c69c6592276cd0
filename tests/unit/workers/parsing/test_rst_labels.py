"""Labels and includes of reStructuredText."""

import pytest

from tests.unit.workers.parsing import rst_oracle
from workers.parsing.rst.includes import includes
from workers.parsing.rst.targets import labels


def names(text: str) -> list[tuple[str, int]]:
    return [(label.name, label.line) for label in labels(text)]


def names_as_docutils(text: str) -> list[tuple[str, int]]:
    ours = names(text)
    assert [(rst_oracle.normal_name(name), line) for name, line in ours] == rst_oracle.read(text).labels
    return ours


@pytest.mark.rule("OUT-94", "OUT-95", "OUT-96", "OUT-97")
def test_only_an_internal_target_with_a_name_is_a_label() -> None:
    text = ".. _site: http://x\n\n.. __:\n\n.. _cont:\n   http://y\n\n__ http://z\n\n.. _good:\n"
    assert names_as_docutils(text) == [("good", 10)]


def test_an_indirect_target_is_no_label() -> None:
    assert names_as_docutils(".. _a: b_\n.. _c: `d e`_\n.. _f:\n") == [("f", 3)]


@pytest.mark.rule("OUT-99")
def test_several_labels_before_one_heading_are_one_each_and_equal_ones_too() -> None:
    assert names_as_docutils(".. _one:\n.. _two:\n.. _one:\n\nTitle\n=====\n") == [("one", 1), ("two", 2), ("one", 3)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (".. _`a b`:\n", [("a b", 1)]),
        (".. _a\\:b:\n", [("a\\:b", 1)]),
        (".. _`a: b`:\n", [("a: b", 1)]),
        (".. _long\n   name:\n", [("long name", 1)]),
        (".. _a b c:\n", [("a b c", 1)]),
        (".. _a :\n", [("a", 1)]),
        (".. _a:b:\n", [("a:b", 1)]),
        (".. _no colon\n", []),
        (".. _`a:\n", []),
        (".. _Ünï:\r\n", [("Ünï", 1)]),
        ("..\t_tab:\n", [("tab", 1)]),
        ("Title .. _no:\n", []),
        (".._no:\n", []),
        (".. _ no:\n", []),
        (".. _a:: x\n", []),
    ],
)
def test_names_are_source_text_without_the_backquotes_around_them(text: str, expected: list[tuple[str, int]]) -> None:
    assert names_as_docutils(text) == expected


@pytest.mark.rule("OUT-100")
@pytest.mark.parametrize(
    "text",
    [
        "See::\n\n  .. _no:\n",
        ".. code::\n\n   .. _no:\n",
        ".. parsed-literal::\n\n   .. _no:\n",
        ".. raw:: html\n\n   .. _no:\n",
        "..\n   .. _no:\n",
        ".. a comment\n   .. _no:\n\n   .. _no:\n",
        ">>> x\n.. _no:\n",
        "- See::\n\n    .. _no:\n",
        ".. note:: See::\n\n      .. _no:\n\n   text\n",
        ".. figure:: x.png\n   .. _no:\n",
        "text\n.. _no:\n",
        "| line\n  .. _no:\n",
        ".. |sub| image:: x\n   .. _no:\n",
        "= =\n.. _no:\n= = =\n",
        "+---+\n| .. _no: |\n+---+\n",
    ],
)
def test_a_label_in_literal_text_or_a_comment_is_none(text: str) -> None:
    assert names_as_docutils(text) == []


@pytest.mark.parametrize("name", ["code-block", "sourcecode", "literalinclude", "toctree", "highlight", "testcode", "productionlist"])
@pytest.mark.rule("OUT-100")
def test_a_label_in_the_code_of_a_sphinx_directive_is_none(name: str) -> None:
    assert names(f".. {name}:: x\n   :option:\n\n   .. _no:\n") == []


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("  .. _in:\n", 1),
        (".. note::\n\n   .. _in:\n", 3),
        (".. note:: .. _in:\n", 1),
        (".. NOTE::\n   .. _in:\n", 2),
        (".. admonition:: See\n   :class: x\n\n   .. _in:\n", 4),
        ("- .. _in:\n", 1),
        ("-\n  .. _in:\n", 2),
        ("1. a\n\n   - b\n\n     .. _in:\n", 5),
        ("term\n  .. _in:\n\n  def\n", 2),
        (":field: a\n\n   .. _in:\n", 3),
        ("-o  a\n\n    .. _in:\n", 3),
        (".. [1] note\n\n   .. _in:\n", 3),
        ("\t.. _in:\n", 1),
        ("- a\n\n\t.. _in:\n", 3),
        ("text\n\n   quote\n\n      .. _in:\n", 5),
        ("+-----+------------+\n| a   | .. _in:    |\n|     |            |\n|     | text       |\n+-----+------------+\n", 2),
        ("+-------+----------+\n| 標題  | .. _in:  |\n+-------+----------+\n", 2),
        ("===== ==========\na     b\n===== ==========\nc     .. _in:\n===== ==========\n", 4),
        (".. list-table::\n\n   * - a\n     - .. _in:\n", 4),
        (".. note::\n\n   .. note::\n\n      .. note::\n\n         - .. _in:\n", 7),
    ],
)
def test_an_indented_label_is_one_at_any_depth(text: str, line: int) -> None:
    assert names_as_docutils(text) == [("in", line)]


@pytest.mark.parametrize("head", ["only:: html", "py:function:: f(a)", "versionadded:: 3.5", "tab-set::"])
def test_a_label_in_a_directive_that_docutils_does_not_know_is_one(head: str) -> None:
    assert names(f".. {head}\n\n   text\n\n   .. _in:\n") == [("in", 5)]


@pytest.mark.rule("DOC-131")
def test_includes_are_named_in_order_and_where_they_act() -> None:
    text = (
        ".. include:: one.rst\n\nTitle\n=====\n\n.. note::\n\n   .. include:: two.txt\n      :start-line: 3\n\n"
        ".. Include::\n   three.rst\n   :literal:\n\n.. include:: one.rst\n.. code::\n\n   .. include:: no.rst\n\n"
        "..\n   .. include:: no.rst\n\n.. include::\n\n.. include:: a long\n   name.rst\n\n.. include:: <isonum.txt>\n"
    )
    assert includes(text) == ["one.rst", "two.txt", "three.rst", "one.rst", "a longname.rst", "<isonum.txt>"]


@pytest.mark.rule("DOC-131")
def test_a_page_without_includes_has_none() -> None:
    assert includes("Title\n=====\n\ninclude:: x\n\n.. includes:: x\n") == []
