"""`file` in an answer about a saved file: what is stored beside its text, and what of that an answer may give up (GTF section 10)."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from shared.answer import render

DESCRIPTION_DROPPED: Final = (
    "The description (file.description_bytes) did not fit and is left out here; codekeeper_update_file_description makes it shorter."
)
"""What every answer says whose description was dropped (GTF-170)."""


@dataclass(frozen=True)
class Form:
    """The metadata as one answer carries it."""

    file: Mapping[str, object]
    hint: str | None = None
    """`DESCRIPTION_DROPPED`, when it was."""

    def hinting(self, hint: str | None = None) -> dict[str, str]:
        """The answer's `hint`: the one given, then this form's own; no key without any."""
        said = [one for one in (hint, self.hint) if one is not None]
        return {"hint": " ".join(said)} if said else {}

    @cached_property
    def size(self) -> int:
        """Bytes that it takes of an answer."""
        return len(render({"file": self.file, **self.hinting()}))


@dataclass(frozen=True)
class Metadata:
    """The metadata as it is stored. `record` has `tags`, a list of strings, and `description`."""

    record: Mapping[str, Any]

    @property
    def tags(self) -> list[str]:
        """All tags."""
        return list(self.record["tags"])

    @property
    def description(self) -> str:
        """The whole description."""
        return str(self.record["description"])

    def with_tags(self, count: int) -> Form:
        """Everything but the tags after the first `count` (GTF-164)."""
        file: dict[str, object] = {}
        for name, value in self.record.items():
            file[name] = self.tags[:count] if name == "tags" else value
            if name == "tags" and count < len(self.tags):
                file["tags_truncated"] = True
        return Form(file)

    def forms(self) -> list[Form]:
        """All of it, then without tags, then without the description too; one that is no smaller than the one before is none (GTF-168)."""
        found = [self.with_tags(len(self.tags))]
        for form in (self.with_tags(0), self._undescribed()):
            if form.size < found[-1].size:
                found.append(form)
        return found

    def _undescribed(self) -> Form:
        """Without tags, and with the description's size in place of it; it is never cut (GTF-165)."""
        size = {"description_bytes": len(self.description.encode("utf-8", "surrogatepass"))}
        file: dict[str, object] = {}
        for name, value in self.with_tags(0).file.items():
            file |= size if name == "description" else {name: value}
        return Form(file, DESCRIPTION_DROPPED)
