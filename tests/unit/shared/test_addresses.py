from pathlib import Path

import pytest

from shared.addresses import MAX_ADDRESS_CHARS, check_address, github_owner
from shared.errors import ErrorCode, Refused

ALL = ("https", "ssh", "file")


def refusal_of(address: str, protocols: tuple[str, ...] = ALL) -> Refused:
    with pytest.raises(Refused) as caught:
        check_address(address, protocols)
    return caught.value


@pytest.mark.parametrize(
    "address",
    [
        "https://github.com/django/django",
        "https://host.example:8443/a/b.git",
        "ssh://git@host.example:2222/a",
        "ssh://git@[::1]/a",
        "git@host.example:team/a.git",
        "host:a",
        "[::1]:a",
        "file:///srv/a.git",
        "/srv/with space/a.git",
        "/srv/a:b",
    ],
)
def test_an_address_that_git_clones_stays_as_it_is(address: str) -> None:
    assert check_address(address, ALL) == address


def test_a_local_path_is_made_absolute(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    assert check_address("a/b", ALL) == str(tmp_path / "a" / "b")
    assert check_address(".", ALL) == str(tmp_path)


@pytest.mark.parametrize(
    ("address", "protocol"),
    [
        ("ext::sh -c touch% /x", "ext"),
        ("fd::3", "fd"),
        ("https::https://host/x", "https"),
        ("http://host/x", "http"),
        ("git://host/x", "git"),
        ("ftp://host/x", "ftp"),
        ("foo://host/x", "foo"),
    ],
)
def test_a_protocol_that_is_not_allowed_is_refused_by_name(address: str, protocol: str) -> None:
    refused = refusal_of(address)
    assert (refused.code, refused.fields["protocol"], refused.fields["allowed"]) == (ErrorCode.PROTOCOL_NOT_ALLOWED, protocol, list(ALL))


@pytest.mark.parametrize(
    ("address", "protocol"), [("/srv/a", "file"), ("file:///srv/a", "file"), ("a", "file"), ("git@h:x", "ssh"), ("ssh://h/x", "ssh")]
)
def test_a_path_is_file_and_a_host_with_a_colon_is_ssh(address: str, protocol: str) -> None:
    refused = refusal_of(address, ("https",))
    assert (refused.code, refused.fields["protocol"]) == (ErrorCode.PROTOCOL_NOT_ALLOWED, protocol)


@pytest.mark.parametrize(
    "address",
    [
        "https://user:pw@host/x",
        "https://token@host/x",
        "https://:pw@host/x",
        "ssh://git:pw@host/x",
        "user:pw@host:x",
        "https://host/x?access_token=abc",
    ],
)
def test_an_address_that_carries_credentials_is_refused_with_a_hint_and_never_echoed(address: str) -> None:
    refused = refusal_of(address)
    assert refused.code is ErrorCode.INVALID_INPUT
    assert "CODEKEEPER_GITHUB_TOKEN" in str(refused.fields)
    assert "pw" not in str(refused.fields)
    assert "abc" not in str(refused.fields)


@pytest.mark.parametrize(
    "address",
    [
        "",
        "  ",
        "-oProxyCommand=x",
        "--upload-pack=x",
        "a\0b",
        "a\nb",
        "a\rb",
        "a\ud800b",
        " /srv/a",
        "https://",
        "https:///x",
        "https://host:port/x",
        "https://[::1/x",
        "ssh://-oProxyCommand=x/y",
        "ssh://-l@host/y",
        "git@-oProxyCommand=x:y",
        "HTTPS://host/x",
        "https://h/" + "x" * MAX_ADDRESS_CHARS,
    ],
)
def test_what_is_no_address_or_could_be_an_option_is_refused(address: str) -> None:
    assert refusal_of(address).code is ErrorCode.INVALID_INPUT


def test_the_longest_address_is_a_thousand_characters() -> None:
    longest = "https://h/".ljust(MAX_ADDRESS_CHARS, "x")
    assert check_address(longest, ALL) == longest


@pytest.mark.rule("PLT-123")
@pytest.mark.parametrize(
    ("address", "owner"),
    [
        ("https://github.com/Acme/x", "Acme"),
        ("https://GITHUB.com//acme/x.git", "acme"),
        ("https://github.com:443/acme", "acme"),
        ("https://github.com", None),
        ("https://github.com:444/acme/x", None),
        ("https://api.github.com/acme/x", None),
        ("https://github.com.evil.example/acme/x", None),
        ("https://evil.example/https://github.com/acme/x", None),
        ("https://github.com@evil.example/acme/x", None),
        ("http://github.com/acme/x", None),
        ("git@github.com:acme/x", None),
        ("/srv/a", None),
    ],
)
def test_only_an_https_address_at_github_has_an_owner(address: str, owner: str | None) -> None:
    assert github_owner(address) == owner
