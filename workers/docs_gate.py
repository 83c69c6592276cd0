"""What the registry says of documentation, and the referral to the tool that serves it: one gate for both (GRF-61, DOC-139)."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

import structlog
from sqlalchemy.exc import SQLAlchemyError

from shared.database import repositories
from shared.docs_policy import DocsPolicy, resolve_docs_target
from shared.errors import ErrorCode, Refused
from shared.limits import MAX_FILE_SIZE_FOR_DISPLAY
from shared.settings import settings
from workers.mirror.read_blob import BlobEntry
from workers.resources import engine

log = structlog.get_logger()

Policies: TypeAlias = Callable[[], Mapping[str, DocsPolicy]]
"""How a call comes to what `docs_policies` gives."""


def docs_policies() -> Mapping[str, DocsPolicy]:
    """Where each repository's documentation lives, asked on every call.

    Raises:
        Refused: `db_error` while the registry can't be read: no page is served then (REF-49).
    """
    try:
        return repositories.docs_policies(engine())
    except SQLAlchemyError as error:
        log.warning("docs_policies_unknown", exc_info=True)
        raise Refused(ErrorCode.DB_ERROR, message="The registry can't be read just now; retry later.") from error


def docs_referral(repo: str, path: str, ref: str | None, entry: BlobEntry, policies: Policies, **more: object) -> dict[str, object]:
    """`read_with` and `read_with_arguments` when the documentation tool serves this very file; else empty (GRF-60 to GRF-65).

    `ref` is what the caller sent, and goes on exactly so; `more` are arguments besides. `policies` is asked only when it may matter.
    """
    if entry.is_link or entry.size > MAX_FILE_SIZE_FOR_DISPLAY:
        return {}
    try:
        target = resolve_docs_target(repo, path, settings().docs_repos, policies())
    except Refused:
        return {}
    if target != (repo, path):
        return {}
    sent = {} if ref is None else {"ref": ref}
    return {"read_with": "codekeeper_docs_get_section", "read_with_arguments": {"repo": repo, "path": path, **sent, **more}}
