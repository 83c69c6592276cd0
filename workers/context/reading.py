"""One call on its way through its requests: what may be opened, what has been read, and the audit of it."""

from enum import StrEnum
from typing import Any

from workers.context.options import ContextOptions
from workers.context.secret_scan import SecretScan, Unscanned
from workers.context.select import Selected, select
from workers.context.source import Reason, Source, SourceFile, Unavailable
from workers.context.spec import CodeContextSpec, FileRequest
from workers.parsing.code.index import Limit
from workers.reading.decode import decode, is_binary


class Security(StrEnum):
    """What the scan found (RCC-23)."""

    PASSED = "Passed"
    """No secret in anything that was looked at."""
    EXCLUDED = "Excluded"
    """Something is kept back."""
    DISABLED = "Disabled"
    """The operator turned the scan off. The policy of paths holds all the same."""


class Reading:
    """The state of one call. After an `Unavailable` only `audit` and `security` are asked."""

    def __init__(self, options: ContextOptions, source: Source, spec: CodeContextSpec) -> None:
        """Nothing is opened yet."""
        self._options = options
        self._source = source
        self._requests = spec.requests
        self._scan = SecretScan() if options.scan else None
        self._left = min(spec.max_read_bytes, options.max_read_bytes)
        self._bytes_read = 0
        self._attempts = 0
        self._of_call: dict[str, Any] = {}
        self._results: list[dict[str, Any]] = [{"path": request.path, "status": "not-read"} for request in spec.requests]
        self.security = Security.PASSED if options.scan else Security.DISABLED

    def audit(self) -> dict[str, Any]:
        """What is known by now, in a fixed order: the same call on the same files says the same (RCC-23)."""
        return {
            **self._source.described(),
            "security": self.security.value,
            "bytesRead": self._bytes_read,
            "attempts": self._attempts,
            **self._of_call,
            "requests": self._results,
        }

    def check_names(self) -> None:
        """Refuse, before any source is opened, what is known without it (RCC-28, RCC-41, RCC-46).

        Raises:
            Unavailable: `security-excluded`: a name or a text of the host's looks like a secret, or a path is excluded. `resource-limit`.
        """
        self._scan_names()
        for place, request in enumerate(self._requests):
            if self._source.denies(request.path) or self._options.secret_paths.denies(request.path):
                raise self._refused(place, Unavailable(Reason.EXCLUDED))

    def take(self, place: int) -> dict[str, Any]:
        """The object in `files` of the request at that place.

        Raises:
            Unavailable: it can't be had; the audit says why.
        """
        request = self._requests[place]
        self._attempts += 1
        try:
            file = self._opened(request.path)
            self._bytes_read += len(file.data)
            self._left -= len(file.data)
            selected = self._selected(request, file)
        except Unavailable as none:
            raise self._refused(place, none) from none
        self._results[place] = {"path": request.path, "status": "selected", **selected.audit}
        return selected.delivered

    def _opened(self, path: str) -> SourceFile:
        """The file at that path. Where a link points is a text of the source's, and scanned like one."""
        try:
            return self._source.read(path, self._left)
        except Unavailable as none:
            if "target" in none.fields and self._finds("", str(none.fields["target"])):
                raise Unavailable(Reason.EXCLUDED) from none
            raise

    def _selected(self, request: FileRequest, file: SourceFile) -> Selected:
        """What is asked for of a file, whose whole text must pass the scan first (RCC-41)."""
        if is_binary(file.data):
            raise Unavailable(Reason.BINARY)
        text, encoding = decode(file.data)
        if self._finds(request.path, text, file.blob_id):
            raise Unavailable(Reason.EXCLUDED)
        selected = select(request, text, file.blob_id)
        return selected if encoding == "utf-8" else Selected(selected.delivered, {"encoding": encoding, **selected.audit})

    def _scan_names(self) -> None:
        """The request's paths and names, and the host's texts. What looks like a secret isn't repeated in the audit either."""
        try:
            templates = self._finds("", f"{self._options.header}\n{self._options.instruction}")
            secret = [place for place, request in enumerate(self._requests) if self._finds("", "\n".join((request.path, *request.symbols)))]
        except Unavailable as none:
            self._of_call = {"reason": none.reason}
            self._results = [{"status": "not-read"} for _ in self._requests]
            raise
        for place in secret:
            self._results[place] = {"status": "unavailable", "reason": Reason.EXCLUDED.value}
        if templates:
            self._of_call = {"reason": Reason.EXCLUDED.value, "part": "template"}
        if templates or secret:
            self.security = Security.EXCLUDED
            raise Unavailable(Reason.EXCLUDED)

    def _finds(self, path: str, text: str, blob_id: str | None = None) -> bool:
        if self._scan is None:
            return False
        try:
            return self._scan.finds(path, text, blob_id)
        except Unscanned as unscanned:
            raise Unavailable(Limit.RESOURCE.value) from unscanned

    def _refused(self, place: int, none: Unavailable) -> Unavailable:
        """Write down why a request can't be had."""
        if none.reason == Reason.EXCLUDED:
            self.security = Security.EXCLUDED
        self._bytes_read += none.bytes_read
        self._results[place] = {"path": self._requests[place].path, "status": "unavailable", "reason": none.reason, **none.fields}
        return none
