"""Lists that don't fit. The oracle is the standard library's JSON writer."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.errors import Refused
from workers.lists import render_list, render_page


@pytest.mark.rule("PLT-95", "PLT-96")
@given(st.lists(st.integers(0, 90_000), max_size=9), st.booleans())
def test_a_list_that_does_not_fit_keeps_as_many_as_fit_and_says_so(sizes: list[int], more: bool) -> None:
    records = ["x" * size for size in sizes]

    def answer_of(shown: int, *, cut: bool) -> bytes:
        truncated = {"truncated": True} if cut else {}
        return json.dumps({"count": shown, "list": records[:shown], **truncated}, separators=(",", ":")).encode()

    sent = render_list(records, lambda shown: {"count": len(shown), "list": shown}, more=more)
    whole = answer_of(len(records), cut=more)
    if len(whole) <= 256_000:
        assert sent == whole
    else:
        fitting = [shown for shown in range(len(records)) if len(answer_of(shown, cut=True)) <= 256_000]
        assert sent == answer_of(max(fitting), cut=True)


@pytest.mark.rule("PLT-95", "PLT-96")
def test_a_page_that_does_not_fit_is_refused_with_its_size() -> None:
    room = 256_000 - len('{"list":[""]}')
    assert len(render_page({"list": ["x" * room]}, 7)) == 256_000
    with pytest.raises(Refused) as refused:
        render_page({"list": ["x" * (room + 1)]}, 7)
    assert dict(refused.value.answer()) == {"ok": False, "error": "page_too_large", "bytes": 256_001, "max": 256_000, "per_page": 7}
