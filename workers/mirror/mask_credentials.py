"""Taking credentials out of what git and remotes say, before it is logged, recorded or returned (REF-46, PLT-120). Pure functions."""

import re
from collections.abc import Iterable
from typing import Final

MASK: Final = "***"
"""What stands where a credential stood."""

# Up to the last '@' before the host's end: a password may hold an '@' that nobody escaped.
_IN_ADDRESS: Final = re.compile(r"([A-Za-z][\w+.-]*://)[^/\s'\"]*@")
_VALUE: Final = r"(?:(?:basic|bearer|token)\s+)?(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s,;&]+)"
# Not at a word's border: `access_token=`, `GITHUB_TOKEN:` and `x-api-key:` are named as well.
_NAMED: Final = re.compile(rf"(?i)((?:token|password|passwd|secret|key|authorization)[\"']?\s*[=:]\s*){_VALUE}")
_GITHUB_TOKEN: Final = re.compile(r"gh[a-z]_[A-Za-z0-9]{16,}|github_pat_\w{16,}")

_CONTROL: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
_PROGRESS: Final = re.compile(r"(?:remote: )?[^:]+:\s+\d+% \(")


def without_credentials(text: str, known: Iterable[str] = ()) -> str:
    """`text` with every credential masked that can be told for one (REF-46).

    These are the user part of addresses, what follows `token`, `password`, `secret` or `key` with `=` or `:`, tokens in GitHub's form,
    and each of the `known` credentials wherever it stands.
    """
    for credential in sorted(filter(None, known), key=len, reverse=True):
        text = text.replace(credential, MASK)
    text = _IN_ADDRESS.sub(rf"\1{MASK}@", text)
    text = _NAMED.sub(rf"\1{MASK}", text)
    return _GITHUB_TOKEN.sub(MASK, text)


def last_words(stderr: bytes, max_chars: int, known: Iterable[str] = ()) -> str:
    """The end of what git wrote to stderr, at most `max_chars` characters: masked, without progress lines and control characters.

    `stderr` may begin in the middle of a line; that the first word may be half a credential is the caller's to prevent.
    """
    lines = stderr.decode("utf-8", "replace").replace("\r", "\n").split("\n")
    said = "\n".join(line.rstrip() for line in lines if line.strip() and _PROGRESS.match(line) is None)
    return _CONTROL.sub("\N{REPLACEMENT CHARACTER}", without_credentials(said, known))[-max_chars:]
