"""Which heading a query means, and what is suggested instead, against the rules' own examples and any titles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.workers.sections.oracle import HYPHENS, identifier, normal, ratio
from workers.sections.match import identifier_of, matches, normalized
from workers.sections.suggest import suggestions

TITLES = ["Guide", "K1. One", "K10. Ten", "K11. Eleven", "K11.1 Sub", "K12", "טבלה מרכזית", "איך מתחילים", "איך ממשיכים", "``get_file``",
    "**Bold**", "U3 text", "P3: colon", "P4) paren", "K15.a Text", "abcd1 x", "K1234 x", "5. five", "Straße"]  # fmt: skip


def found(query: str) -> list[str]:
    return [TITLES[index] for index in matches(TITLES, query)]


@pytest.mark.rule("DOC-57", "DOC-61", "DOC-62", "DOC-63", "DOC-64", "DOC-65", "DOC-66", "DOC-67", "DOC-68", "DOC-69", "DOC-71")
@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("guide", ["Guide"]), ("  GUIDE\t", ["Guide"]), ("k11.   ELEVEN", ["K11. Eleven"]), ("strasse", ["Straße"]),
        ("K1", ["K1. One"]), ("k1.", ["K1. One"]), ("K10", ["K10. Ten"]), ("K11", ["K11. Eleven"]), ("K11.1", []),
        ("K11.1 sub", ["K11.1 Sub"]),
        ("K12", ["K12"]), ("K12.", ["K12"]), ("U3", ["U3 text"]), ("u3", ["U3 text"]), ("P3", []), ("P4", []), ("K15", ["K15.a Text"]),
        ("טבלה", []), ("איך", []), ("טבלה  מרכזית", ["טבלה מרכזית"]), ("get_file", []), ("``get_file``", ["``get_file``"]), ("Bold", []),
        ("**bold**", ["**Bold**"]), ("abcd1", []), ("K1234", []), ("K123", []), ("5", []), ("5.", []), ("K", []), ("K1..", []), ("K 1", []),
        ("K\u0661", []), ("Gui", []),
    ],
)  # fmt: skip
def test_what_a_query_finds(query: str, titles: list[str]) -> None:
    assert found(query) == titles


@pytest.mark.rule("DOC-61", "DOC-62")
def test_hyphens_of_the_list_are_one_and_others_are_not() -> None:
    titles = [f"a{hyphen}b" for hyphen in HYPHENS]
    assert [matches(titles, title) for title in titles] == [list(range(len(HYPHENS)))] * len(HYPHENS)
    assert matches(titles, "a\u2212b") == matches(titles, "a\u05beb") == []


@pytest.mark.rule("DOC-57")
def test_identifiers_are_not_tried_once_equality_found_something() -> None:
    assert matches(["K1. a", "K1", "K1 b"], "k1") == [1]
    assert matches(["K1. a", "k1.", "K1 b"], "K1.") == [1]


@pytest.mark.rule("DOC-70", "DOC-81")
def test_an_identifier_that_occurs_twice_finds_both_in_order() -> None:
    assert matches(["K2 a", "k1 b", "K1. c", "K1"[:1], "K1.d"], "K1") == [1, 2, 4]


@pytest.mark.rule("DOC-64")
@pytest.mark.parametrize("title", ["²1 a", "Ⅷ1 a", "_1 a", "K² a", "\u05b81 a"])
def test_an_identifier_is_made_of_letters_and_ascii_digits(title: str) -> None:
    assert identifier_of(title) is None
    assert matches([title], title.removesuffix(" a")) == []


ANY_TITLE = st.text(st.sampled_from("aAKßשé\u0301\u05b8²Ⅷ_1290\u0661. .-\u2010\u2014\u2212\t字")) | st.text()


@pytest.mark.rule("DOC-61", "DOC-62", "DOC-64", "DOC-65", "DOC-68")
@given(ANY_TITLE)
def test_titles_are_normalized_and_read_as_the_rules_say(title: str) -> None:
    assert normalized(title) == normal(title)
    if not any("\x1c" <= character <= "\x1f" for character in title):  # separators that count as space in one library only
        assert identifier_of(title) == identifier(title)


@pytest.mark.rule("DOC-28", "DOC-30")
@given(st.lists(ANY_TITLE, max_size=9))
def test_a_title_as_the_map_shows_it_finds_itself(titles: list[str]) -> None:
    for index, title in enumerate(titles):
        assert index in matches(titles, title)


@pytest.mark.rule("DOC-73", "DOC-74", "DOC-75", "DOC-77")
@pytest.mark.parametrize(
    ("titles", "query", "right"),
    [
        (["Critical patterns", "K10. Silent fallback", "See also", "K11. x", "K11 y", "K12. z"], "See alse", ["See also"]),
        (["Critical patterns", "K10. Silent fallback", "See also", "K11. xxxxx", "K11 yyyyy", "K12. zzzzz"], "K14", ["K10", "K11", "K12"]),
        (["H2O", "K1. text"], "H2", ["H2O"]),
        (["Install", "Guide"], "In a list", ["Install"]),  # exactly 50
        (["A title that runs over two lines"], "title: Release notes owner: docs team", ["A title that runs over two lines"]),
        (["plain", "words"], "zzzz", []),
        (["K2. b", "k2. c", "K1. a", "K2. d"], "something else", ["K2", "k2", "K1"]),
        ([], "x", []),
        (["abc", "abd", "abc", "abx"], "abd", ["abd", "abc", "abx"]),
    ],
)
def test_what_is_suggested(titles: list[str], query: str, right: list[str]) -> None:
    assert suggestions(titles, query) == right


@pytest.mark.rule("DOC-78")
@given(st.lists(st.text("abcdא字", max_size=8), max_size=12), st.text("abcdא字", min_size=1, max_size=8))
def test_close_titles_come_best_first_and_ties_in_order(titles: list[str], query: str) -> None:
    close = [title for title in dict.fromkeys(titles) if ratio(query, title) * 2 >= 1]
    assert suggestions(titles, query) == sorted(close, key=lambda title: -ratio(query, title))
