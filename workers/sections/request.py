"""What `codekeeper_docs_get_section` is asked for, checked as far as that needs no mirror."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from shared.docs_policy import resolve_docs_target
from shared.errors import ErrorCode, Refused
from shared.limits import MAX_FILE_SIZE_FOR_DISPLAY
from shared.paths import check_file_path, check_ref_length, check_repo_name
from shared.settings import settings
from shared.wire.docs_get_section import DocsGetSectionArguments
from workers.docs_gate import Policies
from workers.resources import secret_paths


@dataclass(frozen=True)
class PageRequest:
    """A request that passed every check of the arguments."""

    repo: str
    """The repository that is read, whether it was named or not."""
    path: str
    """The page's path from the repository's root."""
    arguments: DocsGetSectionArguments

    @property
    def ceiling(self) -> int:
        """Bytes of the largest page that is read for it (REF-81)."""
        return MAX_FILE_SIZE_FOR_DISPLAY


def checked_page_request(arguments: DocsGetSectionArguments, policies: Policies) -> PageRequest:
    """The request, its checks in the contract's order (DOC-10, steps 1 to 3 before the mirror).

    Raises:
        Refused: the codes of those steps.
    """
    if arguments.whole_document and arguments.section is not None:
        raise Refused(ErrorCode.SECTION_AND_WHOLE_DOCUMENT)
    if arguments.whole_document and arguments.max_depth is not None:
        raise Refused(ErrorCode.MAX_DEPTH_AND_WHOLE_DOCUMENT)
    repo, path = resolve_docs_target(arguments.repo, arguments.path, settings().docs_repos, policies())
    with naming(repo, path):
        if secret_paths().denies(path):
            raise Refused(ErrorCode.PATH_DENIED)
        check_ref_length(arguments.ref)
        check_repo_name(repo)
        check_file_path(path)
    return PageRequest(repo, path, arguments)


@contextmanager
def naming(repo: str, path: str) -> Iterator[None]:
    """Every refusal about a resolved target names it: `repo` and `path`, whoever raised it (REF section 2)."""
    try:
        yield
    except Refused as refused:
        raise Refused(refused.code, **({"repo": repo, "path": path} | refused.fields)) from refused
