"""`codekeeper_docs_get_section`: the map of a documentation page, one section of it, or the whole of it."""

from typing import Any

from celery import shared_task

from shared.settings import settings
from shared.tasks import DOCS_GET_SECTION
from shared.wire.call import Call
from shared.wire.docs_get_section import DocsGetSectionArguments
from workers.docs_gate import docs_policies
from workers.files.load import load_file
from workers.mirror.mirrors import Mirrors
from workers.resources import engine
from workers.run_call import run_call
from workers.sections.page import Page, answer_page
from workers.sections.request import checked_page_request, naming


def docs_get_section(arguments: DocsGetSectionArguments, call: Call) -> bytes:
    """The answer, its checks in the contract's order (DOC-10).

    Raises:
        Refused: any code of DOC or of REF sections 2, 6 and 7.
    """
    request = checked_page_request(arguments, docs_policies)
    mirrors = Mirrors(settings().mirrors_dir, engine())
    with naming(request.repo, request.path):
        with mirrors.a_sync_may_explain(request.repo):
            opened = mirrors.open(request.repo, arguments.ref, request.path)
            loaded = load_file(opened, request.path, request.ceiling)
        return answer_page(Page(loaded), request, call.caller)


@shared_task(
    name=DOCS_GET_SECTION.name,
    soft_time_limit=DOCS_GET_SECTION.soft_s,
    time_limit=DOCS_GET_SECTION.hard_s,
    acks_late=False,
    max_retries=0,
)
def docs_get_section_task(payload: dict[str, Any]) -> bytes:
    """One call of the tool."""
    return run_call(payload, DocsGetSectionArguments, docs_get_section)
