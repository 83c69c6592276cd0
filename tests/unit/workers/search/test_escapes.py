import pytest

from workers.search.escapes import undefined_escape


@pytest.mark.rule("SRC-6")
@pytest.mark.parametrize(
    ("pattern", "escape"),
    [
        (r"\d+", r"\d"), (r"a\D", r"\D"), (r"\p{L}", r"\p"), (r"\0", r"\0"), (r"x\n", r"\n"), (r"\\\d", r"\d"), (r"(\t)", r"\t"),
        (r"[a\d]", r"\d"), (r"[\w]", r"\w"), (r"[^]\s]", r"\s"), (r"[[:alpha:]\d]", r"\d"), (r"[]a]\d", r"\d"), (r"[\]\d", r"\d"),
        ("\\\u05e9", "\\\u05e9"),
    ],
)  # fmt: skip
def test_an_escape_that_git_does_not_define_is_found(pattern: str, escape: str) -> None:
    assert undefined_escape(pattern) == escape


@pytest.mark.rule("SRC-6")
@pytest.mark.parametrize(
    "pattern",
    [r"\w\W\s\S\b\B", r"\<word\>", r"(a)\1", r"(.)(.)\2\1\9", r"\\d", r"\\\\d", r"\.\*\(\[", r"[\\d]", r"[a\]", r"[\.]", r"[[.\.]d]",
     r"[[:digit:]]", r"[a", r"\`a\'", "\\", r"a\$", "[[:x", r"[^]]\w"],
)  # fmt: skip
def test_what_git_defines_or_refuses_itself_is_let_through(pattern: str) -> None:
    assert undefined_escape(pattern) is None
