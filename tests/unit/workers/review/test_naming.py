"""Which words of a page name a changed file: the rule's sentences, one by one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from workers.review.naming import ChangedNames, module_name

CHANGED = [
    "src/shop/cart.py",
    "shop/models/__init__.py",
    "gateway/app.py",
    "docs/img/flow.svg",
    "setup.py",
    "Makefile",
    "conftest.py",
    "a-b/c_d.txt",
]
THERE = [*CHANGED, "shop/models/query.py", "gateway/server.py", "other/gateway/app.py", "src/shop/till.py"]
NAMES = ChangedNames(CHANGED, THERE)


@pytest.mark.parametrize(
    "text",
    [
        "see src/shop/cart.py",
        "`src/shop/cart.py`.",
        "(src/shop/cart.py)",
        "It is in gateway/app.py.",
        "[flow](img/flow.svg)",
        "![flow](./img/flow.svg)",
        "[cart](../src/shop/cart.py#L3)",
        "/gateway/app.py",
        "https://github.com/acme/shop/blob/main/gateway/app.py",
        "https://host/gateway/app.py?plain=1",
        "run setup.py",
        "a-b/c_d.txt",
        "shop.cart",
        ":mod:`shop.cart`",
        ":class:`~shop.cart.Cart`",
        "shop.models",
        "shop.models.Manager",
        "gateway.app:make_app",
        "שם: gateway/app.py",
    ],
)
def test_a_page_names_a_file_by_its_path_an_address_or_its_module(text: str) -> None:
    assert NAMES.named_in(f"Some words before. {text} And after.", "docs/guide.md")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "nothing of the kind",
        "other/gateway/app.py",
        "src/shop/cart.pyc",
        "xsrc/shop/cart.py",
        "src/shop/cart.py/more",
        "gateway/server.py",
        "shop.models.query",
        "shop.models.query.QuerySet",
        "shop.till",
        "my.shop.cart",
        "shop.cartoon",
        "the Makefile",
        "conftest",
        "app.py",
        "flow.svg",
        "https://host/gateway/app.py/raw",
        "https://gateway/app.py",
        "../../setup.py",
        "//" + "/" * 1_000,
        "." * 1_000,
    ],
)
def test_what_only_looks_alike_names_none(text: str) -> None:
    assert not NAMES.named_in(f"Some words before. {text} And after.", "docs/guide.md")


def test_a_path_is_also_relative_to_the_pages_own_folder() -> None:
    names = ChangedNames(["docs/img/flow.svg"], [])
    assert names.named_in("img/flow.svg", "docs/guide.md")
    assert names.named_in("flow.svg", "docs/img/about.md")
    assert names.named_in("../img/flow.svg", "docs/deep/page.md")
    assert not names.named_in("img/flow.svg", "guide.md")


@pytest.mark.parametrize(
    ("path", "module"),
    [
        ("gateway/app.py", "gateway.app"),
        ("src/shop/cart.py", "shop.cart"),
        ("shop/models/__init__.py", "shop.models"),
        ("shop/__init__.py", None),
        ("setup.py", None),
        ("src/setup.py", None),
        ("my-scripts/run.py", None),
        ("gateway/app.pyi", None),
        ("gateway/app.txt", None),
    ],
)
def test_a_modules_name_is_what_python_imports(path: str, module: str | None) -> None:
    assert module_name(path) == module


PARTS = st.text("ab_", min_size=1, max_size=3)


@given(
    st.lists(PARTS, min_size=2, max_size=4),
    st.sampled_from(["", "see ", "(", "`", "\n", "ה "]),
    st.sampled_from(["", ".", ",", ")", "`", "\n", ":"]),
)
def test_any_path_with_a_folder_is_found_between_whatever_ends_a_word(parts: list[str], before: str, after: str) -> None:
    path = "/".join(parts)
    assert ChangedNames([path], []).named_in(f"{before}{path}{after}", "page.md")
    assert not ChangedNames([path], []).named_in(f"{before}{path}x{after}", "page.md")
