"""How `codekeeper_get_repo_file` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import GET_REPO_FILE
from shared.wire.get_repo_file import GetRepoFileArguments

TOOL = Tool(
    name="codekeeper_get_repo_file",
    title="Read a file of a repository",
    description=(
        "One file of a mirrored repository at a branch, tag or commit, byte for byte: whole (to 500 KB, if the answer fits), the lines "
        "`[start, end]` (of files to 10 MB), or with `outline` a map of its symbols and their lines (to 10 MB): map first, then `lines`. "
        "The parameters `outline` and `symbol` say which languages have a map and how to filter it. Look at `status`: `ok` has `content`; "
        "`binary`, `too_large` (`max` names the ceiling) and `no_outline` (`reason`) have none. `answer_too_large` says how to go on. "
        "`encoding` `latin-1` is a fallback: the text may be garbled. "
        "Never contacts the remote: `ref_not_mirrored` means that this server doesn't hold the ref yet, not that it doesn't exist."
    ),
    arguments=GetRepoFileArguments,
    kind=GET_REPO_FILE,
    admin=True,
)
