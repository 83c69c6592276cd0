"""What a query requires of a file: by hand for the cases that are easy to get wrong; against git itself in `test_narrow.py`."""

import sys

import pytest

from workers.filter.required import FOLDS_TO_ASCII, required_grams


def grams(*texts: str) -> frozenset[bytes]:
    return frozenset(text.encode() for text in texts)


@pytest.mark.parametrize(
    ("query", "required"),
    [
        ("ab", ()),
        ("abc", ("abc",)),
        ("Get_", ("get", "et_")),
        ("a.c*", ("a.c", ".c*")),
        ("a|bc", ("a|b", "|bc")),
    ],
)
def test_a_literal_requires_each_three_bytes_of_it(query: str, required: tuple[str, ...]) -> None:
    assert required_grams(query, regex=False, case_sensitive=False) == grams(*required)


def test_letters_beyond_ascii_are_required_as_they_are_only_where_case_counts() -> None:
    assert required_grams("aéb", regex=False, case_sensitive=True) == frozenset({"aé".encode(), "éb".encode()})
    assert required_grams("abcéxyz", regex=False, case_sensitive=False) == grams("abc", "xyz")
    assert "של".encode()[:3] in required_grams("של", regex=False, case_sensitive=False)


@pytest.mark.parametrize(
    ("pattern", "required"),
    [
        ("abc", ("abc",)),
        ("abc.def", ("abc", "def")),
        ("abcd*efg", ("abc", "efg")),
        ("abcd?efg", ("abc", "efg")),
        ("abcd+efg", ("abc", "bcd", "efg")),
        ("abcd+?efg", ("abc", "efg")),
        ("abcd+*efg", ("abc", "efg")),
        ("abcd{0,2}efg", ("abc", "efg")),
        ("abcd{2}efg", ("abc", "efg")),
        ("abc{1", ()),
        ("abc|def", ()),
        ("abc(def|x)ghi", ("abc", "ghi")),
        ("abc(def)*ghi", ("abc", "ghi")),
        ("abc((d)e[)])ghi", ("abc", "ghi")),
        (r"abc(d\)xyz)ghi", ("abc", "ghi")),
        ("abc[def]ghi", ("abc", "ghi")),
        ("abc[]def]ghi", ("abc", "ghi")),
        ("abc[^]def]ghi", ("abc", "ghi")),
        ("abc[[:alpha:]xyz]ghi", ("abc", "ghi")),
        ("abc[d", ("abc",)),
        ("abc(d", ("abc",)),
        (r"abc\.def", ("abc", "bc.", "c.d", ".de", "def")),
        (r"abc\wdef", ("abc", "def")),
        (r"abc\bdef", ("abc", "def")),
        (r"abc\<def", ("abc", "def")),
        (r"(a)\1bcd", ("bcd",)),
        (r"abc\.*def", ("abc", "def")),
        ("^abc$", ("abc",)),
        (r"abc\|def", ("abc", "bc|", "c|d", "|de", "def")),
        ("*abc", ("abc",)),
        ("abc\\", ("abc",)),
    ],
)
def test_an_expression_requires_what_is_outside_groups_and_not_repeated(pattern: str, required: tuple[str, ...]) -> None:
    assert required_grams(pattern, regex=True, case_sensitive=True) == grams(*required)


def test_every_letter_that_unicode_folds_to_ascii_is_known() -> None:
    letters = (chr(code) for code in range(0x80, sys.maxunicode + 1))
    folded = {letter for letter in letters if any(form in ASCII for form in (letter.lower(), letter.upper(), letter.casefold()))}
    assert folded <= set(FOLDS_TO_ASCII)


ASCII = {chr(code) for code in range(0x80)}
