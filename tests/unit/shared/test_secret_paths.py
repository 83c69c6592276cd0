"""The secret policy, against the contract's table of patterns and a naive reading of its rules with `fnmatch`."""

import posixpath
from fnmatch import fnmatchcase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.secret_paths import SecretPaths

BASE_PATTERNS = (".env*", "*.pem", "*.key", "id_rsa*", "id_ed25519*", "id_ecdsa*", "id_dsa*", "secrets.*", "credentials*",
                 "*.p12", "*.pfx", ".netrc", ".npmrc", "*.keystore", "*.jks")  # fmt: skip
EXAMPLES = (".env", ".env.local", "a.pem", "server.key", "id_rsa", "id_rsa.pub", "id_ed25519", "id_ecdsa_sk", "id_dsa.old", "secrets.py",
            "credentials", "credentials.json", "a.p12", "b.pfx", ".netrc", ".npmrc", "debug.keystore", "store.jks")  # fmt: skip

segments = st.text(alphabet="aeiknrsv.*_dDEK\\ \n\u05e9", min_size=1, max_size=8) | st.sampled_from([*EXAMPLES, "docs", "src", ".", ".."])
paths = st.lists(segments, min_size=1, max_size=5).map("/".join)


def by_the_rules(path: str, patterns: tuple[str, ...] = BASE_PATTERNS) -> bool:
    """REF-77 to REF-79, word by word."""
    normal = posixpath.normpath(path.replace("\\", "/")).casefold().lstrip("/") if path else ""
    if normal in {"", ".", ".."}:
        return True
    return any(fnmatchcase(part, pattern) for pattern in patterns for part in (normal, *normal.split("/")))


@pytest.mark.rule("REF-75", "REF-77", "REF-79", "PLT-127", "PLT-128")
@pytest.mark.parametrize(
    "path", [*EXAMPLES, "config/.env", ".ENV", "Config/.Env.Sample", "config/.envdir/file", "x/id_rsa_keys/a.txt",
        "nowhere/ID_RSA_keys/a.txt",
             "deploy/.envoy/readme.txt", "a\\b\\.env", "/.env", "//keys/a.PEM", "a/./b/../.netrc", "docs/secrets.rst", ".env\nx",
             "x/\u212aey.KEY",
             "keys/id_rsa_reader.py"],
)  # fmt: skip
def test_a_path_with_a_denied_component_is_denied_in_any_case(path: str) -> None:
    assert SecretPaths().denies(path)


@pytest.mark.rule("REF-75", "REF-79", "PLT-127")
@pytest.mark.parametrize(
    "path", ["client.ts", "credential_store.py", "docs/secrets-guide.md", "env.sample", "signing-howto.txt", "secrets", "my_secrets.py",
        "xid_rsa",
             "a.pem.txt", "key", "pem", ".envrc/../a" , "netrc", "x.npmrc", "docs/key/a.md", "environment.py", "../a.txt", "a/..b",
             " .env"],
)  # fmt: skip
def test_a_path_that_only_looks_secret_is_shown(path: str) -> None:
    assert not SecretPaths().denies(path)


@pytest.mark.rule("REF-78", "PLT-129")
@pytest.mark.parametrize("path", ["", ".", "..", "./", "../", "/", "//", "a/..", "\\", "..\\", "a/../.."])
def test_a_path_that_names_nothing_fails_closed(path: str) -> None:
    assert SecretPaths().denies(path)


@pytest.mark.rule("REF-75", "REF-77", "REF-79", "PLT-127", "PLT-128")
@given(paths)
def test_the_policy_agrees_with_a_naive_reading_of_its_rules(path: str) -> None:
    assert SecretPaths().denies(path) == by_the_rules(path)


@pytest.mark.rule("REF-79", "PLT-128")
@given(
    st.lists(segments.filter(lambda s: "\\" not in s and s not in {".", ".."}), max_size=3),
    st.sampled_from(EXAMPLES),
    st.lists(segments.filter(lambda s: "\\" not in s and s not in {".", ".."}), max_size=3),
    st.booleans(),
)
def test_one_denied_component_denies_the_path_wherever_it_stands(before: list[str], name: str, after: list[str], upper: bool) -> None:
    path = "/".join([*before, name.upper() if upper else name, *after])
    assert SecretPaths().denies(path)


@pytest.mark.rule("REF-76")
@given(paths, st.lists(st.text(alphabet="adkKsS.*?[]! \u05e9\u00df", max_size=6), max_size=3))
def test_extra_patterns_add_to_the_list_and_never_take_from_it(path: str, extra: list[str]) -> None:
    with_extra = SecretPaths(extra)
    cleaned = tuple(pattern.strip().casefold() for pattern in extra if pattern.strip())
    assert with_extra.patterns == (*BASE_PATTERNS, *cleaned)
    assert with_extra.denies(path) == by_the_rules(path, (*BASE_PATTERNS, *cleaned))
    assert with_extra.denies(path) or not SecretPaths().denies(path)


@pytest.mark.rule("REF-76")
def test_an_extra_pattern_is_stripped_and_case_folded_and_an_empty_one_denies_nothing() -> None:
    policy = SecretPaths([" *.TfState ", "", "  ", "internal/*"])
    assert policy.denies("infra/prod.tfstate")
    assert policy.denies("INTERNAL/a.md")
    assert not policy.denies("docs/internal.md")


@pytest.mark.rule("REF-75", "PLT-127")
def test_the_built_in_patterns_are_the_contracts() -> None:
    assert SecretPaths().patterns == BASE_PATTERNS
