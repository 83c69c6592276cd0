"""The parameters of the two web routes about one file (REF-96)."""

from typing import Annotated

from pydantic import Field

from shared.limits import HISTORY_LIMIT_DEFAULT, HISTORY_LIMIT_MAX, HISTORY_SKIP_MAX
from shared.wire.text import Arguments, Text, clamped


class FileParameters(Arguments):
    """What both routes take."""

    repo: Text = Field(default="", description="Name of the mirrored repository.")
    file: Text = Field(default="", description="Path of the file from the repository's root, taken literally.")


class FileHistoryParameters(FileParameters):
    """What `GET /repo/api/history` takes."""

    ref: Text = Field(default="HEAD", description="Branch, tag or commit from which the history is followed back.")
    limit: Annotated[int, clamped(1, HISTORY_LIMIT_MAX)] = Field(
        default=HISTORY_LIMIT_DEFAULT, description=f"Most commits to answer, 1 to {HISTORY_LIMIT_MAX}; other numbers are clamped."
    )
    skip: Annotated[int, clamped(0, HISTORY_SKIP_MAX)] = Field(
        default=0, description="Commits to pass over, from the newest; a number below 0 counts as 0."
    )


class FileAtCommitParameters(FileParameters):
    """What `GET /repo/api/file-at-commit/<commit>` takes; `commit` stands in the address."""

    commit: Text = Field(default="HEAD", description="Commit, branch or tag at which the file is read.")
