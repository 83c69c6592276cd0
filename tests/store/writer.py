"""A process that appends to one file of the store, as a worker does, and says on stdout which of its saves were acknowledged.

Usage: python -m tests.store.writer ADDRESS USER FILE WRITER SAVES
"""

import json
import logging
import sys
from collections.abc import Iterator

from shared.database.engine import open_engine
from shared.errors import ErrorCode, Refused
from shared.logs import configure_logging
from workers.store.transaction import writing_own
from workers.store.write_files import append_to_file

BUSY = {ErrorCode.DB_ERROR, ErrorCode.SAVE_FAILED}
"""What is said of a database that others keep locked for too long: nothing was saved, and it is tried again."""


def append_lines(address: str, user: str, name: str, writer: str, saves: int) -> Iterator[tuple[int, str]]:
    """Append the lines `WRITER-0` to `WRITER-N`, and give each with its version once it is saved."""
    engine = open_engine(address)
    for number in range(saves):
        line = f"{writer}-{number}"
        while True:
            try:
                with writing_own(engine, user) as own:
                    record, _ = append_to_file(own, name, line)
            except Refused as refused:
                if refused.code not in BUSY:
                    raise
            else:
                yield record["version"], line
                break
    engine.dispose()


if __name__ == "__main__":
    configure_logging(logging.ERROR)  # a busy database is no event here, and nobody empties the pipe meanwhile
    address, user, name, writer, saves = sys.argv[1:]
    for saved in append_lines(address, user, name, writer, int(saves)):
        print(json.dumps(saved), flush=True)  # noqa: T201 - its answer
