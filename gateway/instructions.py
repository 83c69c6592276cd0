"""What an agent reads when it connects: how to use the tools, and which documentation is served."""

from collections.abc import Sequence
from typing import Final

from shared.settings import Settings

_GENERAL: Final = (
    "CodeKeeper reads git mirrors, and the files and notes that you saved, exactly and within bounds. Every answer is complete as asked, "
    "or a refusal (`ok: false`, `error`) that says what to do next; nothing is cut silently. Lines count from 1 and are separated by \\n. "
    "Refs are branches, tags or commits that this server's mirror holds; no call fetches. A usual path: codekeeper_list_repos, "
    "codekeeper_list_repo_tree or codekeeper_search_repo, codekeeper_get_repo_file. To read several files or sections, ask for them in "
    "one codekeeper_read_batch; for definitions whose names you know, within a number of tokens, use read_code_context. Of what you "
    "saved, codekeeper_search_code says which file, codekeeper_get_file where in it and what; codekeeper_search_notes finds notes."
)


def instructions(served_docs: Sequence[str]) -> str:
    """The block, with a sentence that names the documentation repositories in their order, when there are any (REF-52, PLT-8)."""
    if not served_docs:
        return _GENERAL
    return f"{_GENERAL} codekeeper_docs_get_section reads documentation by heading. It serves {', '.join(served_docs)}."


def served_docs(settings: Settings) -> list[str]:
    """The repositories that pass both gates now, in the order of `CODEKEEPER_DOCS_REPOS` (REF-53).

    Raises:
        sqlalchemy.exc.SQLAlchemyError: the registry can't be read. It is asked only when that setting names something.
    """
    if not settings.docs_repos:
        return []
    from shared.database import repositories  # noqa: PLC0415 - 0.4 s that `stdio` needn't spend before it answers
    from shared.database.engine import open_engine  # noqa: PLC0415
    from shared.database.migrate import migrate  # noqa: PLC0415
    from shared.docs_policy import served  # noqa: PLC0415

    engine = open_engine(settings.database)
    try:
        migrate(engine, settings.data_dir)
        return served(settings.docs_repos, repositories.docs_policies(engine))
    finally:
        engine.dispose()
