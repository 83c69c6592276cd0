"""The arguments of `codekeeper_list_repos`."""

from typing import Annotated

from pydantic import Field

from shared.limits import LIST_REPOS_DEFAULT, LIST_REPOS_MAX
from shared.wire.text import Arguments, clamped


class ListReposArguments(Arguments):
    """What a caller may ask of the list (PLT section 2.4)."""

    limit: Annotated[int, clamped(1, LIST_REPOS_MAX)] = Field(
        default=LIST_REPOS_DEFAULT, description=f"Most repositories to list, 1 to {LIST_REPOS_MAX}; other numbers are clamped."
    )
