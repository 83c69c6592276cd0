"""Every ceiling of the service, with its unit and its reason. Nothing here does anything.

A ceiling that was measured names the script that measures it again.
"""

from typing import Final

OUTPUT_BYTE_BUDGET: Final = 256_000
"""Bytes of UTF-8 in one answer as it is sent (contract README; PLT-91). Tools declare it to clients as characters, which are never more."""

MAX_REF_CHARS: Final = 4_096
"""Characters of a `ref` before the mirror is asked (REF-15). A real ref is far shorter; this bounds what an answer may echo."""

MAX_PATH_CHARS: Final = 4_096
"""Characters of a `path` (REF-15, REF-69). The longest real path is under 120; this bounds the scan of the secret policy."""

MAX_FILE_SIZE_FOR_DISPLAY: Final = 500 * 1024
"""Bytes of a blob that is read whole (REF-81, GRF-17)."""

RANGE_READ_MAX_BYTES: Final = 10 * 1024 * 1024
"""Bytes of a blob that is read in part, or whose lines the sync counts (GRF-17, TREE-43): it is still loaded whole."""

BINARY_SAMPLE_BYTES: Final = 8_192
"""Bytes at a file's head in which control characters are counted (REF-90)."""

BINARY_CONTROL_SHARE: Final = 0.30
"""Share of control characters in that sample above which a file is binary (REF-90)."""

TREE_PER_PAGE_DEFAULT: Final = 200
"""Paths on a page of a tree when the caller names no number (TREE-3)."""

TREE_PER_PAGE_MAX: Final = 1_000
"""Paths on the largest page of a tree (TREE-3)."""

TREE_ENTRIES_MAX: Final = 2_000_000
"""Files and folders that one walk of a tree visits (about 4 s): a few kilobytes of trees that name each other can hold billions."""

OUTLINE_PER_PAGE_DEFAULT: Final = 100
"""Symbols on a page of an outline when the caller names no number (contract README)."""

OUTLINE_PER_PAGE_MAX: Final = 500
"""Symbols on the largest page of an outline (contract README)."""

PAGE_MAX: Final = 10**9
"""The last page number that arithmetic paging is asked with (TREE-3, GRF-6)."""

LIST_REPOS_DEFAULT: Final = 50
"""Repositories in a list when the caller names no number (PLT section 2.4)."""

LIST_REPOS_MAX: Final = 200
"""Repositories in the longest list (PLT section 2.4)."""

BATCH_ITEMS_MAX: Final = 20
"""Items of one batch (BAT-22): the largest that the contract's source reports, and a sixth of the default rate limit on two CPUs."""

MAX_REQUEST_BODY_BYTES: Final = 4 * 1024 * 1024
"""Bytes of a request's body (PLT-90): a save of 512,000 characters at six bytes each fits; refused with HTTP 413 before parsing."""

MAX_CALLS_IN_FLIGHT: Final = 256
"""Calls one gateway waits for at once. At 256 KB each their answers are 64 MB; the next call is `queue_full`."""

SYNC_RETRY_AFTER_S: Final = 30
"""Seconds that `sync_in_progress` asks a caller to wait (REF-28, PLT-118)."""

QUEUE_RETRY_AFTER_S: Final = 5
"""Seconds that the queue's refusals ask a caller to wait (PLT-142): longer than Redis or a pool process needs to come back."""

ANSWER_TTL_S: Final = 60
"""Seconds an answer waits in Redis for its gateway: more than any deadline, so nothing is lost to it and nothing stays."""

REPO_NAME_PATTERN: Final = r"^[a-zA-Z0-9][a-zA-Z0-9_-]{0,99}\Z"
"""What a repository may be called (REF-25, PLT-122). The name is also its folder's."""

MAX_ECHOED_NAMES: Final = 20
"""Unknown argument names that a refusal lists (PLT-140); the caller chose them, so their number needs a bound."""

MAX_ECHOED_NAME_CHARS: Final = 100
"""Characters of one such name; a longer one is shown shortened, with an ellipsis."""

MIN_SYNC_INTERVAL_S: Final = 30
"""Seconds between two passes of the schedule, at least (PLT-113)."""

SYNC_LOCK_S: Final = 60
"""Seconds a sync's lock holds without being renewed; a sync that was killed blocks its repository no longer than this."""

SYNC_LOCK_RENEW_S: Final = 10
"""Seconds between two renewals of that lock while git works."""

MAX_CHARS_DEFAULT: Final = 12_000
"""Characters on a page of a section or document when the caller names no number (DOC section 1)."""

MAX_CHARS_MIN: Final = 500
"""Characters on the smallest page (DOC-2)."""

MAX_CHARS_MAX: Final = 100_000
"""Characters on the largest page (DOC-2)."""

MAX_OFFSET: Final = 1_000_000_000
"""The last character that a page is asked to begin at (DOC section 2)."""

MAX_DEPTH_MAX: Final = 64
"""Deepest `max_depth` (DOC-3): RST has 32 adornments, with and without an overline, so no page is deeper."""

MAX_SECTION_CHARS: Final = 4_096
"""Characters of a `section` argument (DOC-58): matching and suggestions grow with it, and it is echoed."""

MAX_TITLE_CHARS: Final = MAX_SECTION_CHARS
"""Characters of one heading in an answer (DOC-105), so that any title that is shown can be asked for."""

TOC_MAX: Final = 400
"""Headings in one map, and subsections in one section's answer (DOC-25, DOC-53)."""

SUGGESTIONS_MAX: Final = 50
"""Suggestions for a section that was not found (DOC-76)."""

CANDIDATES_MAX: Final = 50
"""Candidates for a section that several headings match (DOC-82)."""

HISTORY_LIMIT_DEFAULT: Final = 20
"""Commits on a page of a file's history when the caller names no number (REF-96)."""

HISTORY_LIMIT_MAX: Final = 100
"""Commits on the longest page of it (REF-96)."""

HISTORY_SKIP_MAX: Final = 10**9
"""Commits that a page of it may pass over: git counts them in 32 bits."""

COMMIT_SUBJECT_CHARS: Final = 1_000
"""Characters of a commit's subject, and of its author's name and address, that a history shows."""

COMMIT_BODY_CHARS: Final = 10_000
"""Characters of a commit's body that a history shows. With the ceiling above, one commit takes at most 78 KB of an answer, every character
escaped to six bytes, so that a page always has room for one."""

MIN_QUERY_CHARS: Final = 2
"""Characters of a search's query at the least (SRC-10): one over a whole repository is a pointless scan."""

MAX_QUERY_CHARS: Final = 4_096
"""Characters of a search's query; it is echoed."""

MAX_FILE_PATTERN_CHARS: Final = 4_096
"""Characters of a search's pathspec, as of a path."""

SEARCH_RESULTS_DEFAULT: Final = 50
"""Hits of a search when the caller names no number."""

SEARCH_RESULTS_MAX: Final = 100
"""Hits of the longest answer to a search."""

SEARCH_CONTEXT_MAX: Final = 10
"""Lines of context before and after each hit."""

HITS_PER_FILE: Final = 20
"""Hits of one file in an answer (SRC-39): what spreads them over files."""

SEARCH_LINES_PER_RESULT: Final = 50
"""Lines that the results pass reads, for each hit that was asked for (SRC-46)."""

SEARCH_READ_ON_BYTES: Final = 1024 * 1024
"""Bytes that the results pass reads on once its page is full: as many as may spare a count, and lines may be of any length."""

COUNTED_LINES_MAX: Final = 1_000_000
"""Lines after which a count ends as `count_limit`: no caller acts otherwise on a greater number."""

COUNTED_FILES_MAX: Final = 200_000
"""Files after which a count ends as `count_limit`; each is a record to read."""

SNIPPET_MAX_BYTES: Final = 500
"""Bytes of UTF-8 of a snippet or a line of context (SRC-58)."""

REVIEW_FILES_MAX: Final = 5_000
"""Changed files in one plan of a review. A change of more is none that is reviewed file by file; its raw list alone has a megabyte."""

REVIEW_FILES_PER_PAGE: Final = 100
"""Changed files that one task of a plan looks into: a git process of about 4 ms each."""

REVIEW_FILE_BYTES: Final = 2 * 1024 * 1024
"""Bytes of a changed file, before and after, up to which its changed ranges are looked for: git's diff holds both, and so do we."""

REVIEW_CONTEXT_DEFAULT: Final = 3
"""Lines around each change when the operator names no number: git's own."""

REVIEW_CONTEXT_MAX: Final = 100
"""Lines around each change, at the most."""

REVIEW_RANGE_LINES: Final = 2_000
"""Lines of one range; a longer one becomes several. What the reading tools propose for files that don't fit into one answer."""

REVIEW_RANGES_MAX: Final = 200
"""Ranges of one file; a file with more is read whole, in ranges of `REVIEW_RANGE_LINES`, which is all of them and less to read."""

REVIEW_DOCUMENT_BYTES: Final = 32 * 1024 * 1024
"""Bytes of documentation pages that are looked through for names of changed files, in one task; Django's have 10 MB."""

REVIEW_DOCUMENTS_MAX: Final = 100
"""Documentation pages that a plan adds because they name a changed file: what everybody names says nothing about a change."""

MAX_USER_CHARS: Final = 255
"""Characters of a user's id and of a token's label, as the tables hold them."""

CODE_REQUESTS_MAX: Final = 32
"""Files of one call of `read_code_context` (RCC-1)."""

CODE_PARTS_MAX: Final = 16
"""Symbols or ranges of one file of such a call (RCC-3, RCC-7)."""

CODE_READ_BYTES_MAX: Final = 16 * 1024 * 1024
"""Source bytes of one such call, which are also the default (RCC-27)."""

CODE_TOKENS_DEFAULT: Final = 8_000
"""Tokens of a reading session unless the operator set another cap: the example of the contract's source."""

CODE_TOKENS_MAX: Final = 50_000
"""Tokens that an operator may set as that cap: about 200 KB of code, more than an agent reads of three rounds."""

CODE_ROUNDS_MAX: Final = 3
"""Successful reads of one reading session (RCC-31)."""

CODE_SESSION_TTL_S: Final = 15 * 60
"""Seconds that a reading session lives after its last success; reading its resource doesn't prolong it."""

CODE_SESSIONS_PER_USER: Final = 8
"""Live reading sessions of one user (contract README), so that several agents on one account don't end each other's."""

CODE_RESOURCE_BYTES_MAX: Final = 4 * 1024 * 1024
"""Bytes of UTF-8 of a session's resource (RCC-36). With these two a user holds 32 MiB of Redis at the most. A document of fewer tokens than
the cap can be longer: one token may stand for 128 spaces."""

CODE_MEMORY_SESSIONS_MAX: Final = 64
"""Live reading sessions of all users of an embedded gateway: those of eight users."""

CODE_MEMORY_BYTES_MAX: Final = 64 * 1024 * 1024
"""Bytes of memory that their resources take together, sixteen of the longest. Those of the user who adds one go first."""

BUSY_RETRY_AFTER_S: Final = 2
"""Seconds that `Busy` asks a caller to wait: longer than an ordinary read takes."""
