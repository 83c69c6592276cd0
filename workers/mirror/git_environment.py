"""What every git process is given to know of the world: a closed environment, our configuration, and credentials that stand nowhere else.

Nothing of this machine's or this user's git configuration is asked, nothing in a mirror's own configuration can run a command, and only the
protocols that the operator allows are spoken. ssh alone reads the files of the user who runs the service, because its keys and known hosts
are there.
"""

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import SecretStr

GIT_CONFIG: Final = Path(__file__).with_name("git.config")
"""The only configuration file that git reads beside a mirror's own, which this service wrote."""

CONFIG_ARGUMENTS: Final = (
    "-c", "core.hooksPath=/dev/null",
    "-c", "core.fsmonitor=false",
    "-c", "core.alternateRefsCommand=",
    "-c", "credential.helper=",
    "-c", "gc.auto=0",
    "-c", "maintenance.auto=false",
)  # fmt: skip
"""On the command line, so that they win over a mirror's own file."""

_ENVIRONMENT: Final = {
    "HOME": "/nonexistent",
    "LC_ALL": "C.UTF-8",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": str(GIT_CONFIG),
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_PAGER": "cat",
    # Each of these is asked before the configuration of the same meaning: a mirror's own file has no say.
    "GIT_ASKPASS": "",
    "GIT_PROXY_COMMAND": "",
    "GIT_SSH_COMMAND": (
        "ssh -o BatchMode=yes -o ConnectTimeout=20 -o ServerAliveInterval=15 -o ServerAliveCountMax=4"
        " -o ControlMaster=no -o ControlPath=none -o ForwardAgent=no -o ClearAllForwardings=yes -o PermitLocalCommand=no"
    ),
    "GIT_SSH_VARIANT": "ssh",
    "GIT_TERMINAL_PROMPT": "0",
    "SSH_ASKPASS": "",
    "SSH_ASKPASS_REQUIRE": "never",
    "GIT_PROTOCOL_FROM_USER": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_OPTIONAL_LOCKS": "0",
}
"""What every git process is given."""

_FOR_THE_NETWORK: Final = (
    "SSH_AUTH_SOCK", "https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
    "SSL_CERT_FILE", "SSL_CERT_DIR", "GIT_SSL_CAINFO",
)  # fmt: skip
"""What a git process that may speak to a remote takes over from this one, where it is set: how this host reaches the world."""


@dataclass(frozen=True)
class Credentials:
    """What git is given to be let in, and what must be found nowhere afterwards."""

    config: Mapping[str, SecretStr] = field(default_factory=dict)
    """Configuration that must not stand on a command line, such as an extra header; it goes through the environment."""
    masked: Sequence[SecretStr] = ()
    """What is masked in git's words wherever it stands, beside everything that looks like a credential."""


NO_CREDENTIALS: Final = Credentials()
"""For whatever needs none."""


def closed_environment(protocols: Sequence[str], credentials: Credentials) -> dict[str, str]:
    """Git's whole environment; nothing of this process's own but what `PATH` and `_FOR_THE_NETWORK` name."""
    environment = {
        **_ENVIRONMENT,
        "PATH": os.environ.get("PATH", os.defpath),
        # Set, even to nothing, it is the whole of what is allowed: `ext` and other helpers can't be switched on by configuration.
        "GIT_ALLOW_PROTOCOL": ":".join(protocols),
        "GIT_CONFIG_COUNT": str(len(credentials.config)),
    }
    for number, (key, value) in enumerate(credentials.config.items()):
        environment[f"GIT_CONFIG_KEY_{number}"] = key
        environment[f"GIT_CONFIG_VALUE_{number}"] = value.get_secret_value()
    if protocols:
        environment.update((name, os.environ[name]) for name in _FOR_THE_NETWORK if name in os.environ)
    return environment
