"""One version of a saved file, as it was found for the user that it belongs to."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from workers.reading.lines import count_lines
from workers.saved_file.markdown import is_markdown
from workers.saved_file.metadata import Metadata


@dataclass(frozen=True)
class SavedFile:
    """What answers about it are made of. Nothing here touches a database."""

    user: str
    """Whose it is."""
    record: Mapping[str, Any]
    """Its metadata as answers show it, without the text: `file_name`, `language`, `file_size`, `tags`, `description` are among it."""
    text: str
    """The text as it was saved, byte order mark and line ends included."""

    @property
    def size(self) -> int:
        """Bytes of the text as UTF-8."""
        return int(self.record["file_size"])

    @property
    def is_markdown(self) -> bool:
        """Whether it can be read by heading."""
        return is_markdown(self.record["file_name"], self.record["language"])

    @cached_property
    def metadata(self) -> Metadata:
        """The record, with the lines counted on this very text, so that no answer carries two numbers that disagree (GTF-50)."""
        return Metadata({**self.record, "lines_count": count_lines(self.text)})
