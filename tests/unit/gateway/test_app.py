"""Which hosts a gateway answers for, and how a repository is called by default."""

from pathlib import Path

import pytest

from gateway.app import is_loopback, transport_security
from gateway.commands.local import default_name
from shared.paths import is_repo_name
from shared.settings import Settings


@pytest.mark.rule("PLT-6")
def test_the_host_check_is_on_for_this_machine_and_elsewhere_when_hosts_are_named() -> None:
    here = transport_security(Settings())
    assert here.enable_dns_rebinding_protection
    assert {"localhost", "localhost:*", "127.0.0.1:*", "[::1]:*"} <= set(here.allowed_hosts)
    public = transport_security(Settings(host="0.0.0.0"))
    assert not public.enable_dns_rebinding_protection
    named = transport_security(Settings(host="0.0.0.0", allowed_hosts=("keeper.example", "k.example:*")))
    assert (named.enable_dns_rebinding_protection, named.allowed_hosts) == (True, ["keeper.example", "k.example:*"])
    assert "https://keeper.example" in named.allowed_origins


@pytest.mark.parametrize(
    ("host", "loopback"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("keeper.example", False),
    ],
)
def test_a_loopback_address_is_this_machines_own(host: str, loopback: bool) -> None:
    assert is_loopback(host) is loopback


@pytest.mark.parametrize(
    ("folder", "name"),
    [
        ("django", "django"),
        ("my.repo", "my-repo"),
        ("מאגר", "repository"),
        (".dotfiles", "dotfiles"),
        ("a b", "a-b"),
        ("x" * 150, "x" * 100),
        ("_x", "x"),
    ],
)
def test_a_repositorys_default_name_is_its_folders(folder: str, name: str) -> None:
    assert default_name(Path("/srv") / folder) == name
    assert is_repo_name(name)
