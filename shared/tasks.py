"""The tasks that cross the queue: their names, their queues, and the one table of how long each may take.

The gateway sends by these names and never imports a task. `tests/unit/shared/test_tasks.py` holds the table together.
"""

from dataclasses import dataclass, replace
from typing import Final


@dataclass(frozen=True)
class TaskKind:
    """One kind of task. All times are in seconds."""

    name: str
    """Celery's name of the task."""
    queue: str
    """The queue, and so the pool, that it runs on."""
    soft_s: int
    """When the task is interrupted, if it is in Python code then."""
    hard_s: int
    """When its pool process is killed."""
    deadline_s: int | None
    """When the caller is answered whatever happened, counted from the call's entry; None when nobody waits."""
    check_with: str | None = None
    """The tool that shows whether the task was carried out, for one that writes; None for one that only reads."""


def _write(name: str, check_with: str) -> TaskKind:
    """A task that writes the store; `check_with` is the tool that shows what it wrote."""
    return TaskKind(name, READ, soft_s=10, hard_s=12, deadline_s=20, check_with=check_with)


READ: Final = "read"
BATCH: Final = "batch"
SYNC: Final = "sync"

LIST_REPOS: Final = TaskKind("codekeeper.list_repos", READ, soft_s=10, hard_s=12, deadline_s=20)
LIST_REPO_TREE: Final = TaskKind("codekeeper.list_repo_tree", READ, soft_s=10, hard_s=12, deadline_s=20)
DOCS_GET_SECTION: Final = TaskKind("codekeeper.docs_get_section", READ, soft_s=10, hard_s=12, deadline_s=20)
GET_REPO_FILE: Final = TaskKind("codekeeper.get_repo_file", READ, soft_s=10, hard_s=12, deadline_s=20)
FILE_HISTORY: Final = TaskKind("codekeeper.file_history", READ, soft_s=10, hard_s=12, deadline_s=20)
FILE_AT_COMMIT: Final = TaskKind("codekeeper.file_at_commit", READ, soft_s=10, hard_s=12, deadline_s=20)
SEARCH_REPO: Final = TaskKind("codekeeper.search_repo", READ, soft_s=22, hard_s=25, deadline_s=35)
READ_BATCH: Final = TaskKind("codekeeper.read_batch", READ, soft_s=26, hard_s=28, deadline_s=35)
READ_CODE_CONTEXT: Final = TaskKind("codekeeper.read_code_context", READ, soft_s=15, hard_s=18, deadline_s=25)
PLAN_REVIEW: Final = TaskKind("codekeeper.plan_review", BATCH, soft_s=26, hard_s=28, deadline_s=35)
GET_FILE: Final = TaskKind("codekeeper.get_file", READ, soft_s=10, hard_s=12, deadline_s=20)
SAVE_FILE: Final = _write("codekeeper.save_file", "codekeeper_list_versions")
EDIT_FILE: Final = _write("codekeeper.edit_file", "codekeeper_list_versions")
APPEND_FILE: Final = _write("codekeeper.append_file", "codekeeper_list_versions")
UPDATE_FILE_DESCRIPTION: Final = _write("codekeeper.update_file_description", "codekeeper_get_file")
CREATE_NOTE: Final = _write("codekeeper.create_note", "codekeeper_list_notes")
CREATE_BOARD_NOTE: Final = _write("codekeeper.create_board_note", "codekeeper_list_board_notes")
CREATE_REPO_NOTE: Final = _write("codekeeper.create_repo_note", "codekeeper_list_repo_notes")
UPDATE_NOTE: Final = _write("codekeeper.update_note", "codekeeper_get_note")
NOTE_STR_REPLACE: Final = _write("codekeeper.note_str_replace", "codekeeper_get_note")
ADD_TO_COLLECTION: Final = _write("codekeeper.add_to_collection", "codekeeper_get_collection_items")
LIST_FILES: Final = TaskKind("codekeeper.list_files", READ, soft_s=10, hard_s=12, deadline_s=20)
SEARCH_CODE: Final = TaskKind("codekeeper.search_code", READ, soft_s=10, hard_s=12, deadline_s=20)
LIST_VERSIONS: Final = TaskKind("codekeeper.list_versions", READ, soft_s=10, hard_s=12, deadline_s=20)
LIST_NOTES: Final = TaskKind("codekeeper.list_notes", READ, soft_s=10, hard_s=12, deadline_s=20)
LIST_BOARDS: Final = TaskKind("codekeeper.list_boards", READ, soft_s=10, hard_s=12, deadline_s=20)
LIST_BOARD_NOTES: Final = TaskKind("codekeeper.list_board_notes", READ, soft_s=10, hard_s=12, deadline_s=20)
GET_NOTE: Final = TaskKind("codekeeper.get_note", READ, soft_s=10, hard_s=12, deadline_s=20)
SEARCH_NOTES: Final = TaskKind("codekeeper.search_notes", READ, soft_s=10, hard_s=12, deadline_s=20)
LIST_NOTE_VERSIONS: Final = TaskKind("codekeeper.list_note_versions", READ, soft_s=10, hard_s=12, deadline_s=20)
GET_NOTE_VERSION: Final = TaskKind("codekeeper.get_note_version", READ, soft_s=10, hard_s=12, deadline_s=20)
LIST_REPO_NOTES: Final = TaskKind("codekeeper.list_repo_notes", READ, soft_s=10, hard_s=12, deadline_s=20)
LIST_REPO_NOTE_PATHS: Final = TaskKind("codekeeper.list_repo_note_paths", READ, soft_s=10, hard_s=12, deadline_s=20)
LIST_COLLECTIONS: Final = TaskKind("codekeeper.list_collections", READ, soft_s=10, hard_s=12, deadline_s=20)
GET_COLLECTION: Final = TaskKind("codekeeper.get_collection", READ, soft_s=10, hard_s=12, deadline_s=20)
GET_COLLECTION_ITEMS: Final = TaskKind("codekeeper.get_collection_items", READ, soft_s=10, hard_s=12, deadline_s=20)
READY: Final = TaskKind("codekeeper.ready", READ, soft_s=3, hard_s=4, deadline_s=5)
SYNC_REPOSITORY: Final = TaskKind("codekeeper.sync_repository", SYNC, soft_s=660, hard_s=690, deadline_s=None)
SYNC_ALL: Final = TaskKind("codekeeper.sync_all", SYNC, soft_s=20, hard_s=30, deadline_s=None)
REMOVE_MIRROR: Final = TaskKind("codekeeper.remove_mirror", SYNC, soft_s=120, hard_s=150, deadline_s=None)

TASKS: Final = (
    LIST_REPOS, LIST_REPO_TREE, GET_REPO_FILE, DOCS_GET_SECTION, SEARCH_REPO, READ_BATCH, READ_CODE_CONTEXT, GET_FILE, FILE_HISTORY,
    FILE_AT_COMMIT, PLAN_REVIEW, SAVE_FILE, EDIT_FILE, APPEND_FILE, UPDATE_FILE_DESCRIPTION,
    CREATE_NOTE, CREATE_BOARD_NOTE, CREATE_REPO_NOTE, UPDATE_NOTE, NOTE_STR_REPLACE,
    ADD_TO_COLLECTION, LIST_FILES, SEARCH_CODE, LIST_VERSIONS, LIST_NOTES, LIST_BOARDS, LIST_BOARD_NOTES, GET_NOTE, SEARCH_NOTES,
    LIST_NOTE_VERSIONS, GET_NOTE_VERSION, LIST_REPO_NOTES, LIST_REPO_NOTE_PATHS, LIST_COLLECTIONS, GET_COLLECTION,
    GET_COLLECTION_ITEMS,
    READY, SYNC_REPOSITORY, SYNC_ALL, REMOVE_MIRROR,
)  # fmt: skip

_BY_NAME: Final = {kind.name: kind for kind in TASKS}


def task_named(name: str | None) -> TaskKind | None:
    """The kind of task that Celery knows by that name; None when it isn't one of the service's."""
    return None if name is None else _BY_NAME.get(name)


JOB_STORE_S: Final = 5
"""Seconds that the answer of a job's item gets beside its run: more than a worker's main process spends on storing one."""


def as_job_item(kind: TaskKind) -> TaskKind:
    """The same task as an item of a review job: on the queue `batch`, with time to wait there for one other item to end.

    A job has at most twice the pool in flight, so an item that isn't running waits for one that is.
    """
    return replace(kind, queue=BATCH, deadline_s=2 * kind.hard_s + JOB_STORE_S)


GIT_CLONE_TIMEOUT_S: Final = 600
"""Seconds a clone may take (PLT-121)."""
GIT_FETCH_TIMEOUT_S: Final = 120
"""Seconds a fetch may take (PLT-121)."""
GIT_LS_REMOTE_TIMEOUT_S: Final = 30
"""Seconds to ask a remote for its branches."""
GIT_REPACK_TIMEOUT_S: Final = 120
"""Seconds that packing a mirror's packs into one may take; when it isn't done by then, the sync goes on without it."""
SEARCH_COPY_TIMEOUT_S: Final = 120
"""Seconds that making a search copy may take; when it isn't done by then, searches read the mirror and the next sync tries again."""
TRIGRAMS_TIMEOUT_S: Final = 120
"""Seconds of one sync for the trigrams of new files; what isn't done by then, the next sync adds."""
GIT_LOCAL_TIMEOUT_S: Final = 8
"""Seconds for a git process that touches the disk only and runs inside a read; below the soft limit of every reading task."""
GIT_HISTORY_TIMEOUT_S: Final = 8
"""Seconds that git may walk commits for one page of a file's history; below the soft limit of its task. `infra/bench/read_cost.py` measures
such a walk: on 2026-12-01 one over 100,000 commits took 0.84 CPU seconds."""
GIT_GREP_TIMEOUT_S: Final = 10
"""Seconds of each of a search's two passes (SRC-46, PLT-121); both fit below the soft limit of its task."""
GIT_QUESTION_TIMEOUT_S: Final = 1
"""Seconds for git to say whether it takes a search's query or pathspec, asked when it failed at once."""

BATCH_READS_S: Final = 10
"""Seconds from a batch's entry after which it begins no further read (BAT-75); the one that it is in runs to its end."""

CODE_LEASE_S: Final = READ_CODE_CONTEXT.hard_s
"""Seconds that a call holds the session that it goes on with: when they are over, its process has been killed if it hasn't answered."""

WORKER_MODULES: Final = (
    "workers.tasks.list_repos",
    "workers.tasks.list_repo_tree",
    "workers.tasks.get_repo_file",
    "workers.tasks.docs_get_section",
    "workers.tasks.file_history",
    "workers.tasks.file_at_commit",
    "workers.tasks.search_repo",
    "workers.tasks.read_batch",
    "workers.tasks.read_code_context",
    "workers.tasks.plan_review",
    "workers.tasks.get_file",
    "workers.tasks.find_files",
    "workers.tasks.find_notes",
    "workers.tasks.find_repo_notes",
    "workers.tasks.find_collections",
    "workers.tasks.write_files",
    "workers.tasks.write_notes",
    "workers.tasks.create_repo_note",
    "workers.tasks.add_to_collection",
    "workers.tasks.ready",
    "workers.tasks.sync",
)
"""What Celery's `include` loads, in a worker and in the embedded form alike."""

CELERY_SETTINGS: Final = {
    "task_serializer": "json",
    "accept_content": ["json"],
    "task_default_queue": READ,
    "task_create_missing_queues": True,
    "task_acks_late": False,
    "task_track_started": False,
    "worker_send_task_events": False,
    "worker_hijack_root_logger": False,
    "broker_connection_retry_on_startup": True,
    "enable_utc": True,
}
"""What both Celery applications, the gateway's and the workers', must agree on."""


ANSWER_CHANNEL_PREFIX: Final = "ck:answers:"
"""What the Redis channel of every gateway begins with; its random id follows. A task with another `reply_to` has nobody waiting."""


def answer_key(call_id: str) -> str:
    """The Redis key under which a call's answer waits for its gateway."""
    return f"ck:answer:{call_id}"


def cancelled_key(call_id: str) -> str:
    """The Redis key that tells a task, at its start, that nobody waits for it any more."""
    return f"ck:cancelled:{call_id}"
