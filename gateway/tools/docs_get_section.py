"""How `codekeeper_docs_get_section` is shown."""

from gateway.tools.tool import Tool
from shared.tasks import DOCS_GET_SECTION
from shared.wire.docs_get_section import DocsGetSectionArguments

TOOL = Tool(
    name="codekeeper_docs_get_section",
    title="Read documentation by heading",
    description=(
        "A documentation page: the map of its headings (`section` not sent), one section with its subsections, or the whole page "
        "(`whole_document`). Ask for the map first, then for a section by its exact title: a heading written with literal marks (** or ``) "
        "needs them. `section_not_found` brings suggestions and the map, `ambiguous_section` its candidates; read one of those by its "
        "`line_range` (codekeeper_get_repo_file with `lines`, for admins) or through a parent whose name doesn't repeat. "
        "Long text comes in pages: go on from `next_offset`."
    ),
    arguments=DocsGetSectionArguments,
    kind=DOCS_GET_SECTION,
    admin=False,
)
