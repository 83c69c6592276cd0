"""What the host of `read_code_context` decides and no request can change: texts of its own, the scan, what is never opened."""

from dataclasses import dataclass, field

from shared.limits import CODE_READ_BYTES_MAX
from shared.secret_paths import SecretPaths
from shared.settings import settings
from workers.resources import secret_paths


@dataclass(frozen=True, slots=True)
class ContextOptions:
    """What the host decides, and no request (RCC-40, RCC-42)."""

    header: str = ""
    """A text of the host's that each document begins with."""
    instruction: str = ""
    """Another, meant for whoever reads it."""
    scan: bool = True
    """Whether texts are scanned for secrets."""
    max_read_bytes: int = CODE_READ_BYTES_MAX
    """Source bytes that one call may read; the smaller of it and the description's holds (RCC-27)."""
    secret_paths: SecretPaths = field(default_factory=SecretPaths)
    """Paths that are never opened (RCC-46)."""


def host_options() -> ContextOptions:
    """What this service's settings say."""
    return ContextOptions(scan=settings().secret_scan, secret_paths=secret_paths())
