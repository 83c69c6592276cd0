"""How `codekeeper_get_file` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import GET_FILE
from shared.wire.get_file import GetFileArguments

TOOL = Tool(
    name="codekeeper_get_file",
    title="Read a saved file",
    description=(
        "One of your saved files: whole (`file.code`), or with one of `lines` (a range), `query` (the lines that hold a text), `toc` (the "
        "map of a Markdown file's headings), `section` (one heading's text). These don't combine. By `file_name` the newest version is "
        "read, at every call anew: between steps pass `file_id=file.id`. `file.is_latest` false: a newer version was saved since. "
        '`{"found": false}`: you have no such file. What doesn\'t fit says so in `hint`; tags and description are given up before content.'
    ),
    arguments=GetFileArguments,
    kind=GET_FILE,
    admin=False,
)
