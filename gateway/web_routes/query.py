"""From an address to a call's arguments."""

from collections.abc import Mapping
from typing import Any
from urllib.parse import parse_qsl


def arguments_of(query: bytes, path_parameters: Mapping[str, str]) -> dict[str, Any]:
    """The parameters in an address's query and path, by name; one that was sent more than once is a list, which no model takes.

    Octets that aren't UTF-8 become lone surrogates, so that they are refused (REF-25) and never read as another name.
    """
    text = query.decode("utf-8", "surrogateescape")
    sent = [*parse_qsl(text, keep_blank_values=True, errors="surrogateescape"), *path_parameters.items()]
    by_name: dict[str, list[str]] = {}
    for name, value in sent:
        by_name.setdefault(name, []).append(value)
    return {name: values[0] if len(values) == 1 else values for name, values in by_name.items()}
