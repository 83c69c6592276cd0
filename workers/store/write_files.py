"""What changes a user's saved files. A text that was saved is never changed or overwritten: new text is a new version (PLT-11).

Each function works within `writing_own`, so that what it reads is still so when it writes.
"""

from collections.abc import Sequence
from typing import Any, Final

from sqlalchemy import insert, select, update

from shared.database.store_tables import FILE_VERSIONS, SAVED_FILES
from shared.errors import ErrorCode, Refused
from shared.settings import settings
from shared.store_limits import MAX_DESCRIPTION_CHARS, MAX_FILE_NAME_CHARS, MAX_TAG_CHARS, MAX_TAGS
from workers.store.files import SavedFile, existing, lines_of
from workers.store.ids import new_id
from workers.store.language import language_of
from workers.store.replace import replaced
from workers.store.text import check_length, check_storable
from workers.store.text_index import put_words, remove_words
from workers.store.transaction import OwnRows
from workers.store.words import words_of

REPO_TAG: Final = "repo:"
"""What a tag begins with that says which repository a file is from; such files are left out of lists (PLT section 2.1)."""


def create_file(
    own: OwnRows, name: str, code: str, *, language: str | None = None, description: str = "", tags: Sequence[str] = ()
) -> dict[str, Any]:
    """Save a new file, and return its record. Without a language, its name says which it is.

    Raises:
        Refused: `missing_file_name`, `file_name_too_long`, `code_too_large`, `description_too_long`, `invalid_tags`, `invalid_input`, or
            `file_exists` for the name of an active file.
    """
    check_file_name(name)
    check_storable(file_name=name, code=code, description=description, language=language)
    _check_code(code)
    check_length(description, MAX_DESCRIPTION_CHARS, ErrorCode.DESCRIPTION_TOO_LONG)
    _check_tags(tags)
    if lines_of(own, name) is not None:
        hint = "Nothing is overwritten: change it with codekeeper_edit_file or codekeeper_append_file, or save under another name."
        raise Refused(ErrorCode.FILE_EXISTS, hint=hint)
    head = insert(SAVED_FILES).values(
        owner_key=own.owner_key, name=name, latest_version=1, from_repo=_from_repo(tags), created_at=own.now, updated_at=own.now
    )
    file_key = own.connection.execute(head.returning(SAVED_FILES.c.key)).scalar_one()
    _insert_version(own, file_key, 1, code, language=language or language_of(name), description=description, tags=list(tags))
    put_words(own.connection, own.owner_key, file_key, words_of([name, description, *tags, code]))
    return existing(own, name).record


def edit_file(own: OwnRows, name: str, old: str, new: str, *, everywhere: bool) -> tuple[dict[str, Any], int]:
    """Replace text in the newest version, and return the new version's record with the number of replacements.

    Raises:
        Refused: in this order `missing_file_name`, `not_found`, `empty_file`, what `replaced` raises, `code_too_large`, `invalid_input`.
    """
    current = _existing_text(own, name)
    code, replacements = replaced(current.code, old, new, everywhere=everywhere)
    check_storable(new_string=new)
    return add_version(own, current, code), replacements


def append_to_file(own: OwnRows, name: str, content: str) -> tuple[dict[str, Any], int]:
    """Add text at the end, on a line of its own, and return the new version's record with the number of characters that it is longer by.

    Raises:
        Refused: in this order `missing_file_name`, `empty_content`, `not_found`, `empty_file`, `code_too_large`, `invalid_input`.
    """
    check_file_name(name)
    if not content:
        raise Refused(ErrorCode.EMPTY_CONTENT)
    current = _existing_text(own, name)
    check_storable(content=content)
    added = content if current.code.endswith("\n") else "\n" + content
    return add_version(own, current, current.code + added), len(added)


def add_version(own: OwnRows, base: SavedFile, code: str) -> dict[str, Any]:
    """Save `code` as the version after `base`, with its language, description and tags (PLT-12), and return the record.

    Raises:
        Refused: `code_too_large`; `conflict` when `base` is not the newest version any more, so that nothing is saved over unseen text.
    """
    _check_code(code)
    version = base.row.version + 1
    is_newest = (
        (SAVED_FILES.c.key == base.file_key) & (SAVED_FILES.c.latest_version == base.row.version) & SAVED_FILES.c.deleted_at.is_(None)
    )
    head = update(SAVED_FILES).where(SAVED_FILES.c.owner_key == own.owner_key, is_newest).values(latest_version=version, updated_at=own.now)
    if own.connection.execute(head).rowcount != 1:
        raise Refused(ErrorCode.CONFLICT, message="The file was changed meanwhile; nothing was saved. Read it again.")
    row = base.row
    _insert_version(own, base.file_key, version, code, language=row.language, description=row.description, tags=row.tags)
    put_words(own.connection, own.owner_key, base.file_key, words_of([row.name, row.description, *row.tags, code]))
    return existing(own, row.name).record


def describe_file(
    own: OwnRows, name: str, *, description: str | None = None, tags: Sequence[str] | None = None, language: str | None = None
) -> dict[str, Any]:
    """Change the description, tags or language of the newest version, in place, and return the record; None leaves them.

    Raises:
        Refused: in this order `missing_file_name`, `description_too_long`, `invalid_tags`, `not_found`, `invalid_input`.
    """
    check_file_name(name)
    if description is not None:
        check_length(description, MAX_DESCRIPTION_CHARS, ErrorCode.DESCRIPTION_TOO_LONG)
    if tags is not None:
        _check_tags(tags)
    current = existing(own, name)
    check_storable(description=description, language=language)
    described = current.row.description if description is None else description
    tagged = current.row.tags if tags is None else list(tags)
    own.connection.execute(
        update(FILE_VERSIONS)
        .where(FILE_VERSIONS.c.owner_key == own.owner_key, FILE_VERSIONS.c.key == current.version_key)
        .values(description=described, tags=tagged, language=language or current.row.language, updated_at=own.now)
    )
    _update_file(own, current.file_key, from_repo=_from_repo(tagged), updated_at=own.now)
    put_words(own.connection, own.owner_key, current.file_key, words_of([name, described, *tagged, current.code]))
    return existing(own, name).record


def favor_file(own: OwnRows, name: str, since: int | None) -> None:
    """Make a file a favourite since that Unix time in seconds, or none any more. It is no change of the file: `updated_at` stays.

    Raises:
        Refused: `missing_file_name` or `not_found`.
    """
    check_file_name(name)
    _update_file(own, existing(own, name).file_key, favorited_at=since)


def delete_file(own: OwnRows, name: str) -> None:
    """Move a file, all versions of it, to the recycle bin: no name, list or search finds it there, the ids of its versions do.

    Raises:
        Refused: `missing_file_name` or `not_found`.
    """
    check_file_name(name)
    current = existing(own, name)
    _update_file(own, current.file_key, deleted_at=own.now)
    remove_words(own.connection, current.file_key)


def restore_file(own: OwnRows, name: str) -> dict[str, Any]:
    """Bring back the file of that name that was deleted last, and return its record.

    Raises:
        Refused: `missing_file_name`, `not_found`, or `file_exists` while there is another active file of the name.
    """
    check_file_name(name)
    deleted = (
        select(SAVED_FILES.c.key)
        .where(SAVED_FILES.c.owner_key == own.owner_key, SAVED_FILES.c.name == name, SAVED_FILES.c.deleted_at.is_not(None))
        .order_by(SAVED_FILES.c.deleted_at.desc(), SAVED_FILES.c.key.desc())
    )
    file_key = own.connection.execute(deleted).scalar()
    if file_key is None:
        raise Refused(ErrorCode.NOT_FOUND)
    if lines_of(own, name) is not None:
        raise Refused(ErrorCode.FILE_EXISTS)
    _update_file(own, file_key, deleted_at=None)
    restored = existing(own, name)
    put_words(own.connection, own.owner_key, file_key, words_of([name, restored.row.description, *restored.row.tags, restored.code]))
    return restored.record


def check_file_name(name: str) -> None:
    """Pass for a name that a file may have.

    Raises:
        Refused: `missing_file_name` for white space alone, `file_name_too_long` over `MAX_FILE_NAME_CHARS`.
    """
    if not name.strip():
        raise Refused(ErrorCode.MISSING_FILE_NAME)
    check_length(name, MAX_FILE_NAME_CHARS, ErrorCode.FILE_NAME_TOO_LONG)


def _existing_text(own: OwnRows, name: str) -> SavedFile:
    check_file_name(name)
    current = existing(own, name)
    if not current.code:
        raise Refused(ErrorCode.EMPTY_FILE)
    return current


def _check_code(code: str) -> None:
    if len(code) > settings().max_code_size:
        raise Refused(ErrorCode.CODE_TOO_LARGE, max=settings().max_code_size)


def _check_tags(tags: Sequence[str]) -> None:
    if len(tags) > MAX_TAGS or any(not tag.strip() or len(tag) > MAX_TAG_CHARS for tag in tags):
        raise Refused(ErrorCode.INVALID_TAGS, max=MAX_TAGS, max_chars=MAX_TAG_CHARS)
    for tag in tags:
        check_storable(tags=tag)


def _from_repo(tags: Sequence[str]) -> bool:
    return any(tag.startswith(REPO_TAG) for tag in tags)


def _insert_version(own: OwnRows, file_key: int, version: int, code: str, *, language: str, description: str, tags: Sequence[str]) -> None:
    own.connection.execute(
        insert(FILE_VERSIONS).values(
            owner_key=own.owner_key, file_key=file_key, id=new_id(), version=version, language=language,
            file_size=len(code.encode()), lines_count=code.count("\n") + 1, description=description, tags=tags,
            created_at=own.now, updated_at=own.now, code=code,
        )
    )  # fmt: skip


def _update_file(own: OwnRows, file_key: int, **values: Any) -> None:
    own_file = (SAVED_FILES.c.owner_key == own.owner_key) & (SAVED_FILES.c.key == file_key)
    own.connection.execute(update(SAVED_FILES).where(own_file).values(**values))
