"""How many examples hypothesis tries a property on: in the common run a sample, in the deep one a multiple of it.

`tests/conftest.py` chooses the common run, and `infra/test --deep` the other one, by hypothesis' own `--hypothesis-profile`.
"""

from typing import Any, Final

from hypothesis import settings

DEFAULT: Final = 60
"""Examples of the common run for a property that says no number of its own; hypothesis' own default is 100."""

DEEP_TIMES: Final = 10
"""Examples of the deep run for each of the common one; a property that is worth more says so."""

COMMON, DEEP = "common", "deep"

_ALWAYS: dict[str, Any] = {"derandomize": True, "deadline": None, "database": None}
"""The same examples in every run, judged by their results and never by their time."""


def register_profiles() -> None:
    settings.register_profile(COMMON, max_examples=DEFAULT, **_ALWAYS)
    settings.register_profile(DEEP, max_examples=DEFAULT * DEEP_TIMES, **_ALWAYS)
    settings.load_profile(COMMON)


def examples(common: int, *, deep: int | None = None, **more: Any) -> settings:
    """Settings of a property: `common` examples, or `deep` of them (ten times as many when not given); `more` as in hypothesis."""
    is_deep = settings.get_current_profile_name() == DEEP
    return settings(max_examples=(deep or common * DEEP_TIMES) if is_deep else common, **more)
