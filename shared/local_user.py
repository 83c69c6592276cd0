"""The user `local`: whom `stdio`, `call`, `batch` and `files` act as, the one person or the operator at this machine."""

from typing import Final

from shared.wire.call import Caller

LOCAL_CALLER: Final = Caller(user="local", scopes=frozenset({"read", "write"}), admin=True)
"""An admin who may read and write."""
