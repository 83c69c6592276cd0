"""The error vocabulary: what a caller can be told, and nothing else.

    Refused               an answer: the contract's code with its fields
    └─ SyncMayExplain     the same, but a sync that is running right now is the truer answer (REF-28)

Anything else that is raised is our own defect: logged in full with the call's id, answered as `internal_error`.
"""

from collections.abc import Mapping
from enum import StrEnum


class ErrorCode(StrEnum):
    """Every `error` an answer may carry. Names are the contract's."""

    # What the caller sent.
    INVALID_ARGUMENTS = "invalid_arguments"  # PLT-141
    UNKNOWN_ARGUMENT = "unknown_argument"  # PLT-140
    UNKNOWN_TOOL = "unknown_tool"
    ADMIN_ONLY = "admin_only"  # PLT-64
    INSUFFICIENT_SCOPE = "insufficient_scope"  # PLT-61
    MISSING_REPO = "missing_repo"  # REF-26
    MISSING_PATH = "missing_path"  # REF-26
    OUTLINE_AND_LINES = "outline_and_lines"  # GRF-3
    SYMBOL_WITHOUT_OUTLINE = "symbol_without_outline"  # GRF, "Not given by the source"
    INVALID_LINE_RANGE = "invalid_line_range"  # LIN-20 to LIN-24
    RANGE_OUT_OF_BOUNDS = "range_out_of_bounds"  # LIN-25
    PATH_TOO_LONG = "path_too_long"  # PLT-89
    REF_TOO_LONG = "ref_too_long"  # REF-16
    INVALID_INPUT = "invalid_input"  # REF-25
    INVALID_REF = "invalid_ref"  # REF-12
    MISSING_FILE = "missing_file"  # REF-93; a web route's, as are the next two
    INVALID_REPO_NAME = "invalid_repo_name"  # REF-93
    INVALID_FILE_PATH = "invalid_file_path"  # REF-93
    SECTION_TOO_LONG = "section_too_long"  # DOC-58
    SECTION_NOT_FOUND = "section_not_found"  # DOC-72
    AMBIGUOUS_SECTION = "ambiguous_section"  # DOC-79
    SECTION_TOO_LARGE = "section_too_large"  # DOC-96
    SECTION_AND_WHOLE_DOCUMENT = "section_and_whole_document"  # DOC-6
    MAX_DEPTH_AND_WHOLE_DOCUMENT = "max_depth_and_whole_document"  # DOC-7
    MISSING_ITEMS = "missing_items"  # BAT-22
    TOO_MANY_ITEMS = "too_many_items"  # BAT-22
    INVALID_ITEM = "invalid_item"  # BAT-16
    SUFFIX_NOT_ALLOWED = "suffix_not_allowed"  # REF-57
    PATH_OUTSIDE_ROOT = "path_outside_root"  # REF-65
    QUERY_TOO_SHORT = "query_too_short"  # SRC-9, SRC-10
    QUERY_TOO_LONG = "query_too_long"  # SRC, "Not given by the source"
    INVALID_QUERY = "invalid_query"  # the same table
    QUERY_MULTILINE = "query_multiline"  # the same table
    INVALID_REGEX = "invalid_regex"  # SRC-6
    FILE_PATTERN_TOO_LONG = "file_pattern_too_long"  # SRC, "Not given by the source"
    INVALID_FILE_PATTERN = "invalid_file_pattern"  # the same table
    MISSING_FILE_NAME = "missing_file_name"  # PLT section 2.1, as are the next ones
    FILE_NAME_TOO_LONG = "file_name_too_long"
    EMPTY_CODE = "empty_code"
    EMPTY_CONTENT = "empty_content"
    EMPTY_FILE = "empty_file"
    CODE_TOO_LARGE = "code_too_large"
    DESCRIPTION_TOO_LONG = "description_too_long"
    INVALID_TAGS = "invalid_tags"
    EMPTY_OLD_STRING = "empty_old_string"
    OLD_AND_NEW_IDENTICAL = "old_and_new_identical"
    NO_MATCH = "no_match"
    AMBIGUOUS_MATCH = "ambiguous_match"
    INVALID_NOTE_ID = "invalid_note_id"  # PLT section 2.2, as are the next ones
    INVALID_BOARD_ID = "invalid_board_id"
    INVALID_MODE = "invalid_mode"
    INVALID_LINE = "invalid_line"
    CONTENT_TOO_LONG = "content_too_long"
    TITLE_TOO_LONG = "title_too_long"
    NO_FIELDS_TO_UPDATE = "no_fields_to_update"
    MISSING_COLLECTION_ID = "missing_collection_id"  # PLT section 2.3
    EMPTY_NAME = "empty_name"  # a board's or a collection's
    NAME_TOO_LONG = "name_too_long"
    INVALID_TOC = "invalid_toc"  # GTF-12
    INVALID_SECTION = "invalid_section"  # GTF-13
    TOC_AND_SECTION = "toc_and_section"  # GTF-30, as are the next five
    TOC_AND_QUERY = "toc_and_query"
    TOC_AND_LINES = "toc_and_lines"
    SECTION_AND_QUERY = "section_and_query"
    SECTION_AND_LINES = "section_and_lines"
    QUERY_AND_LINES = "query_and_lines"
    CONTEXT_LINES_WITHOUT_QUERY = "context_lines_without_query"  # GTF-33
    MAX_RESULTS_WITHOUT_QUERY = "max_results_without_query"  # GTF-34
    MAX_CHARS_WITHOUT_SECTION = "max_chars_without_section"  # GTF-35
    OFFSET_WITHOUT_SECTION = "offset_without_section"  # GTF-36
    MAX_DEPTH_WITHOUT_TOC = "max_depth_without_toc"  # GTF-37
    EMPTY_SECTION = "empty_section"  # GTF-132
    # What the server will not or cannot show.
    PATH_DENIED = "path_denied"  # REF-72
    REPO_NOT_MIRRORED = "repo_not_mirrored"  # REF-24
    REF_NOT_MIRRORED = "ref_not_mirrored"  # REF-36
    NOT_FOUND = "not_found"  # REF-22
    READ_FAILED = "read_failed"  # REF-37
    TIMEOUT = "timeout"  # REF-93; a web route's, as is the next one
    FILE_TOO_LARGE = "file_too_large"  # REF-93
    SEARCH_FAILED = "search_failed"  # SRC-34
    SYNC_IN_PROGRESS = "sync_in_progress"  # REF-28
    ANSWER_TOO_LARGE = "answer_too_large"  # GRF-58, LIN-31
    ITEM_TOO_LARGE = "item_too_large"  # BAT-67
    PAGE_TOO_LARGE = "page_too_large"  # TREE-24, GRF-54
    REPO_NOT_ALLOWED = "repo_not_allowed"  # REF-50
    REPO_NOT_CONFIGURED = "repo_not_configured"  # REF-49
    SYMLINK = "symlink"  # GRF-72
    UNREADABLE_TOO_LARGE = "unreadable_too_large"  # REF-82
    UNREADABLE_BINARY = "unreadable_binary"  # REF-90
    INCONSISTENT_LINE_ENDINGS = "inconsistent_line_endings"  # DOC-108
    TOO_MANY_LINES = "too_many_lines"  # DOC-108
    TOO_MANY_TOKENS = "too_many_tokens"  # DOC-108
    TOO_MANY_SECTIONS = "too_many_sections"  # DOC-108
    NOT_MARKDOWN = "not_markdown"  # GTF-90
    TOO_LARGE_FOR_SECTIONS = "too_large_for_sections"  # GTF-91
    DB_ERROR = "db_error"  # PLT section 2.4
    # Of `read_code_context`; the names are its source's.
    INVALID_CODE_SPEC = "InvalidCodeSpec"  # RCC-20, RCC-47
    CODE_UNAVAILABLE = "unavailable"  # RCC-23; the status is the code
    CODE_OVER_BUDGET = "over_budget"  # RCC-23, the same
    STALE_CODE_SESSION = "StaleCodeSession"  # RCC-34, as are the next two
    CODE_BUDGET_EXHAUSTED = "CodeBudgetExhausted"
    CODE_ROUND_LIMIT = "CodeRoundLimit"
    BUSY = "Busy"  # RCC-36
    # What can't be saved as it is now.
    FILE_EXISTS = "file_exists"  # PLT section 2.1
    FILE_NOT_FOUND = "file_not_found"  # PLT section 2.2
    BOARD_NOT_FOUND = "board_not_found"
    COLLECTION_NOT_FOUND = "collection_not_found"  # PLT section 2.3
    REPO_NOT_FOUND = "repo_not_found"  # PLT section 2.2, of a note on a repository's file
    REPO_FILE_NOT_FOUND = "repo_file_not_found"
    REPO_LIST_UNAVAILABLE = "repo_list_unavailable"
    REPO_FILE_UNAVAILABLE = "repo_file_unavailable"
    VERSION_NOT_FOUND = "version_not_found"  # PLT section 2.2
    DUPLICATE_TITLE = "duplicate_title"  # PLT section 2.2
    DUPLICATE_NAME = "duplicate_name"  # of a board or a collection, or of a file in an exported folder
    TOO_MANY_NOTES = "too_many_notes"  # PLT section 2.2
    TOO_MANY_BOARDS = "too_many_boards"
    TOO_MANY_COLLECTIONS = "too_many_collections"
    TOO_MANY_COLLECTION_ITEMS = "too_many_collection_items"
    CONFLICT = "conflict"  # what the write was built on is not the newest any more
    EXISTENCE_CHECK_UNAVAILABLE = "existence_check_unavailable"  # PLT section 2.1
    NOTE_QUOTA_UNKNOWN = "note_quota_unknown"  # PLT section 2.2
    SNAPSHOT_FAILED = "snapshot_failed"
    SAVE_FAILED = "save_failed"  # PLT section 2.1
    # What an operator's command can be told.
    PROTOCOL_NOT_ALLOWED = "protocol_not_allowed"  # an address that may not be cloned from: CODEKEEPER_CLONE_PROTOCOLS
    REPO_EXISTS = "repo_exists"  # `repo add` with a name that is registered
    UNKNOWN_REPO = "unknown_repo"  # `repo sync` or `remove` with a name that isn't
    NOT_UTF8 = "not_utf8"  # a file of `files import` that is no text, PLT-147, as is the next one
    NOT_A_FILE = "not_a_file"  # a pipe, a socket or a device
    UNKNOWN_TOKEN = "unknown_token"  # noqa: S105 - a code
    # What became of the call.
    RATE_LIMITED = "rate_limited"  # PLT-85
    QUEUE_FULL = "queue_full"  # PLT-142
    QUEUE_UNAVAILABLE = "queue_unavailable"  # PLT-142
    DEADLINE_EXCEEDED = "deadline_exceeded"  # PLT-142
    WORKER_LOST = "worker_lost"  # PLT-142
    RESOURCE_LIMIT = "resource_limit"
    INTERNAL_ERROR = "internal_error"


class Refused(Exception):  # noqa: N818 - a refusal is an answer and no error of ours
    """A refusal the caller can act on: a code of the vocabulary and the contract's fields beside it."""

    def __init__(self, code: ErrorCode, **fields: object) -> None:
        super().__init__(code)
        self.code = code
        self.fields = fields

    def answer(self) -> Mapping[str, object]:
        """The answer's object: `ok: false`, `error`, then the fields in the order they were given."""
        return {"ok": False, "error": self.code.value, **self.fields}


def internal_error(call_id: str) -> Refused:
    """Our own defect. What happened stands in the log under the call's id and nowhere else."""
    message = "A defect of the server; the operator finds it in the log under call_id."
    return Refused(ErrorCode.INTERNAL_ERROR, call_id=call_id, message=message)


class SyncMayExplain(Refused):
    """A failed look into a mirror: while a sync of it runs, `sync_in_progress` is answered instead (REF-28)."""
