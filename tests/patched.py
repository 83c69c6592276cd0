"""Other values for constants, wherever each was imported to."""

from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from unittest.mock import patch


@contextmanager
def patched(values: Mapping[str, object]) -> Iterator[None]:
    """Each value under the name of a module's attribute, such as `shared.answer.OUTPUT_BYTE_BUDGET`."""
    with ExitStack() as patches:
        for name, value in values.items():
            patches.enter_context(patch(name, value))
        yield
