"""Ceilings of what users save: files, notes and collections. Each with its unit and its reason, as in `limits.py`."""

from typing import Final

MAX_CODE_SIZE_DEFAULT: Final = 512_000
"""Characters of a saved file when the operator names no number (PLT-13): a file at the parser's ceiling can be saved."""

MAX_FILE_NAME_CHARS: Final = 255
"""Characters of a saved file's name (PLT-18), and of a folder in a collection: names are in indexes, whose rows PostgreSQL bounds."""

MAX_TAGS: Final = 50
"""Tags of a saved file (PLT, "Not given by the source"): all of them stand in its metadata."""

MAX_TAG_CHARS: Final = 100
"""Characters of one tag."""

MAX_DESCRIPTION_CHARS: Final = 2_000
"""Characters of the description of a saved file or a collection: it stands in the metadata of every answer."""

MAX_LANGUAGE_CHARS: Final = 64
"""Characters of a saved file's language."""

MAX_NAME_CHARS: Final = 100
"""Characters of the name of a board or a collection, and of a note's colour."""

MAX_TITLE_OF_NOTE_CHARS: Final = 80
"""Characters of a note's title (SCN, "Not given by the source")."""

PUBLIC_ID_CHARS: Final = 24
"""Hexadecimal digits of the id of a version, note, board or collection: as many as in the contract's examples, 96 random bits."""

MAX_NOTE_CHARS: Final = 20_000
"""Characters of a note's body (PLT-29)."""

MAX_NOTES_PER_PLACE: Final = 200
"""Notes on one file or board (PLT-29)."""

MAX_NOTES_PER_USER: Final = 1_000
"""Notes of one user, the archive included (PLT-29)."""

MAX_NOTE_VERSIONS: Final = 20
"""Earlier bodies that are kept of a note (PLT section 2.2); the oldest goes first."""

MAX_ANCHOR_CHARS: Final = 500
"""Characters of the text of the line that a note is anchored to: as many as of a snippet."""

NOTE_MODES: Final = ("surface", "screen")
"""How a note on a board or a repository's file is shown (PLT section 2.2): on the surface it was put on, or fixed to the screen."""

MAX_BOARDS: Final = 100
"""Boards of one user: they are listed in one answer."""

MAX_COLLECTIONS: Final = 500
"""Collections of one user: the longest list of them (PLT section 2.3)."""

MAX_COLLECTION_ITEMS: Final = 5_000
"""Files in one collection."""

FILES_PER_PAGE_DEFAULT: Final = 50
"""Files on a page of a user's files or of a collection, when the caller names no number (PLT sections 2.1 and 2.3)."""

FILES_PER_PAGE_MAX: Final = 200
"""Files on the largest such page."""

LIST_VERSIONS_MAX: Final = 500
"""Newest versions in a file's list of them, about as many as fit into an answer; older ones are read by their number all the same."""

STORE_SEARCH_RESULTS_DEFAULT: Final = 20
"""Hits of a search of saved files or notes when the caller names no number (SCN)."""

STORE_SEARCH_RESULTS_MAX: Final = 100
"""Hits of the longest answer to such a search (SCN)."""

LIST_NOTES_MAX: Final = 500
"""Notes in the list of one file's or board's (PLT section 2.2): more than `MAX_NOTES_PER_PLACE` lets there be."""

LIST_COLLECTIONS_DEFAULT: Final = 100
"""Collections in a list when the caller names no number (PLT section 2.3)."""

LIST_COLLECTIONS_MAX: Final = 500
"""Collections in the longest list (PLT section 2.3)."""
