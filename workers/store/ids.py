"""The ids that callers see: of versions, notes, boards and collections."""

import re
import secrets
from typing import Final

from shared.store_limits import PUBLIC_ID_CHARS

_FORM: Final = re.compile(rf"[0-9a-f]{{{PUBLIC_ID_CHARS}}}")


def new_id() -> str:
    """A new id: random, so that it tells nothing of anybody's rows."""
    return secrets.token_hex(PUBLIC_ID_CHARS // 2)


def is_id(text: str) -> bool:
    """Whether anything could have this id; what couldn't is never looked for (GTF-23)."""
    return _FORM.fullmatch(text) is not None
