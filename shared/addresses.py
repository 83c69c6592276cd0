"""Where a mirror may be cloned from: the shape of an address and its protocol, judged on the text alone. Nothing here contacts anybody."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from shared.errors import ErrorCode, Refused

MAX_ADDRESS_CHARS: Final = 1_000
"""Characters of an address: far more than any real one, so that a record and a log line stay readable."""

_SCHEME: Final = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*)://")
_HELPER: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9+.-]*::")
_SCP_LIKE: Final = re.compile(r"(?:(?P<user>[^/:@\s]+)@)?(?P<host>\[[^]/\s]+\]|[^/:@\s]+):(?!//)\S")
_SCP_SECRET: Final = re.compile(r"[^/:@\s]+:[^/@\s]*@")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")
_WITH_HOST: Final = frozenset({"https", "http", "ssh", "git"})


_CARRIES_CREDENTIALS: Final = (
    "it carries credentials or a query, which records and logs would show. "
    "Tokens for private repositories are the settings CODEKEEPER_GITHUB_TOKEN and CODEKEEPER_GITHUB_TOKENS."
)


def _invalid(why: str) -> Refused:
    return Refused(ErrorCode.INVALID_INPUT, message=f"address: {why}")


def check_address(address: str, protocols: Sequence[str]) -> str:
    """The address as it is registered: `address` itself, or a local path made absolute.

    `protocols` are those that the operator allows (`https`, `ssh`, `file`, ...). `git@host:path` is ssh, a local path is `file`.
    The address is never echoed: it may hold what should not be in a log.

    Raises:
        Refused: `invalid_input` when git could take it for something else or it carries credentials, `protocol_not_allowed`
            when its protocol isn't one of `protocols`.
    """
    if not address.strip():
        raise _invalid("it is empty.")
    if len(address) > MAX_ADDRESS_CHARS:
        raise _invalid(f"it has {len(address)} characters; the limit is {MAX_ADDRESS_CHARS}.")
    if _CONTROL.search(address) or address != address.strip():
        raise _invalid("it holds a control character, a line end, a lone surrogate, or white space at an end.")
    if address.startswith("-"):
        raise _invalid("it begins with '-', which git takes for an option.")
    if (helper := _HELPER.match(address)) is not None:
        raise _not_allowed(helper.group().rstrip(":"), protocols)
    protocol = _protocol(address)
    if protocol not in protocols:
        raise _not_allowed(protocol, protocols)
    if protocol == "file" and _SCHEME.match(address) is None:
        return str(Path(address).absolute())
    return address


def _not_allowed(protocol: str, protocols: Sequence[str]) -> Refused:
    return Refused(
        ErrorCode.PROTOCOL_NOT_ALLOWED,
        protocol=protocol,
        allowed=list(protocols),
        message="Mirrors are not cloned over that protocol here; the operator's setting is CODEKEEPER_CLONE_PROTOCOLS.",
    )


def _protocol(address: str) -> str:
    """The protocol that git would speak to `address`, in lower case.

    Raises:
        Refused: `invalid_input` when the part that names the host is missing, begins with '-', or carries credentials.
    """
    scheme = _SCHEME.match(address)
    if scheme is None:
        scp = _SCP_LIKE.match(address)
        if scp is None:
            return "file"
        if _SCP_SECRET.match(address) is not None:
            raise _invalid(_CARRIES_CREDENTIALS)
        _check_host(scp["user"], scp["host"])
        return "ssh"
    protocol = scheme.group(1)
    if protocol != protocol.lower():
        raise _invalid("a protocol's name is written in lower case.")
    try:
        parts = urlsplit(address)
        user, password, host, _port = parts.username, parts.password, parts.hostname, parts.port
    except ValueError as error:
        raise _invalid("its host or port is malformed.") from error
    if password is not None or (user is not None and protocol != "ssh") or (parts.query and protocol in _WITH_HOST):
        raise _invalid(_CARRIES_CREDENTIALS)
    if protocol in _WITH_HOST:
        _check_host(user, host)
    return protocol


def _check_host(user: str | None, host: str | None) -> None:
    if not host:
        raise _invalid("it names no host.")
    if host.startswith("-") or (user or "").startswith("-"):
        raise _invalid("its host or user begins with '-', which ssh takes for an option.")


def github_owner(address: str) -> str | None:
    """The owner in `https://github.com/OWNER/...`, as written there; None for every other address, which gets no token (PLT-123)."""
    if not address.startswith("https://"):
        return None
    parts = urlsplit(address)
    owner = parts.path.lstrip("/").partition("/")[0]
    if parts.hostname != "github.com" or parts.port not in {None, 443} or parts.username is not None or not owner:
        return None
    return owner
