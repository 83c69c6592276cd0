"""What a call of `read_code_context` asks for, validated in full before any file is read (RCC-1 to RCC-10, RCC-20 to RCC-22)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, TypeVar

from shared.answer import render
from shared.limits import CODE_PARTS_MAX, CODE_READ_BYTES_MAX, CODE_REQUESTS_MAX
from workers.parsing.code.index import MAX_NAME_BYTES

_Part = TypeVar("_Part")

MAX_PATH_BYTES: Final = 4_096
"""UTF-8 bytes of a path (RCC-21)."""

MAX_SPEC_BYTES: Final = 64 * 1024
"""Bytes of a whole description as `CodeContextSpec.to_json` and the answers' form write it (RCC-20)."""

_MODES: Final = ("symbols", "ranges", "full", "outline")
_FORBIDDEN: Final = ("\\", ":", "\0")


class InvalidCodeSpec(Exception):  # noqa: N818 - the contract's name
    """A description that can't be followed. The message names the field, never its value (RCC-20, RCC-47)."""

    def __init__(self, field: str, problem: str) -> None:
        super().__init__(f"{field}: {problem}")
        self.field = field


@dataclass(frozen=True, slots=True)
class LineRange:
    """Lines of a file, counted from 1, both ends included (RCC-7)."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FileRequest:
    """One file and the one way in which it is read (RCC-2)."""

    path: str
    symbols: tuple[str, ...] = ()
    ranges: tuple[LineRange, ...] = ()
    full: bool = False
    outline: bool = False
    include_dependencies: bool = False

    def to_json(self) -> dict[str, Any]:
        """The request's canonical form: what says something, and nothing that is a default."""
        asked: dict[str, Any] = {
            "symbols": list(self.symbols),
            "ranges": [{"startLine": one.start, "endLine": one.end} for one in self.ranges],
            "full": self.full,
            "outline": self.outline,
            "includeDependencies": self.include_dependencies,
        }
        return {"path": self.path, **{name: value for name, value in asked.items() if value}}


@dataclass(frozen=True, slots=True)
class CodeContextSpec:
    """A valid description. Build it with `from_json`."""

    max_tokens: int
    """`o200k_base` tokens of the whole JSON that is delivered, at the most (RCC-25)."""
    requests: tuple[FileRequest, ...]
    max_read_bytes: int = CODE_READ_BYTES_MAX

    @staticmethod
    def from_json(value: object, *, host_max_tokens: int | None = None) -> "CodeContextSpec":
        """The description that a parsed JSON value is.

        `host_max_tokens` is what a host lets a call ask for: then `maxTokens` may be left out, and may only be lower.

        Raises:
            InvalidCodeSpec: anything else than RCC-1 to RCC-3, RCC-7, RCC-10 and RCC-20 to RCC-22 allow.
        """
        given = _object(value, "spec", ("maxTokens", "maxReadBytes", "requests"))
        max_tokens = _number(given.get("maxTokens", host_max_tokens), "maxTokens", host_max_tokens)
        max_read_bytes = _number(given.get("maxReadBytes", CODE_READ_BYTES_MAX), "maxReadBytes", CODE_READ_BYTES_MAX)
        requests = _several(given.get("requests"), "requests", CODE_REQUESTS_MAX, _request)
        if len({request.path for request in requests}) < len(requests):
            raise InvalidCodeSpec("requests", "two of them have the same path.")
        spec = CodeContextSpec(max_tokens, requests, max_read_bytes)
        if len(render(spec.to_json())) > MAX_SPEC_BYTES:
            raise InvalidCodeSpec("requests", f"the whole description is longer than {MAX_SPEC_BYTES} bytes of JSON.")
        return spec

    def to_json(self) -> dict[str, Any]:
        """The canonical form, which `from_json` takes."""
        read_bytes = {} if self.max_read_bytes == CODE_READ_BYTES_MAX else {"maxReadBytes": self.max_read_bytes}
        return {"maxTokens": self.max_tokens, **read_bytes, "requests": [request.to_json() for request in self.requests]}


def _request(value: object, field: str) -> FileRequest:
    given = _object(value, field, ("path", *_MODES, "includeDependencies"))
    path = _path(given.get("path"), f"{field}.path")
    full, outline, dependencies = (_flag(given, field, name) for name in ("full", "outline", "includeDependencies"))
    chosen = ("symbols" in given) + ("ranges" in given) + full + outline
    if chosen != 1:
        raise InvalidCodeSpec(field, "choose exactly one of symbols, ranges, full: true and outline: true.")
    if dependencies and "symbols" not in given:
        raise InvalidCodeSpec(f"{field}.includeDependencies", "it goes with symbols only.")
    symbols = _several(given["symbols"], f"{field}.symbols", CODE_PARTS_MAX, _symbol) if "symbols" in given else ()
    if len(set(symbols)) < len(symbols):
        raise InvalidCodeSpec(f"{field}.symbols", "a name stands in it twice.")
    ranges = _several(given["ranges"], f"{field}.ranges", CODE_PARTS_MAX, _range) if "ranges" in given else ()
    return FileRequest(path, symbols, ranges, full, outline, dependencies)


def _path(value: object, field: str) -> str:
    """A literal path below a root (RCC-21)."""
    path = _text(value, field, MAX_PATH_BYTES)
    if path.startswith("/"):
        raise InvalidCodeSpec(field, "it is absolute; paths are relative to the root.")
    if any(character in path for character in _FORBIDDEN):
        raise InvalidCodeSpec(field, "it holds a backslash, a colon or a NUL.")
    if {"", ".", ".."} & set(path.split("/")):
        raise InvalidCodeSpec(field, "it has an empty segment, '.' or '..'.")
    return path


def _symbol(value: object, field: str) -> str:
    return _text(value, field, MAX_NAME_BYTES)


def _range(value: object, field: str) -> LineRange:
    given = _object(value, field, ("startLine", "endLine"))
    start, end = (_number(given.get(name), f"{field}.{name}") for name in ("startLine", "endLine"))
    if end < start:
        raise InvalidCodeSpec(f"{field}.endLine", "it is before startLine.")
    return LineRange(start, end)


def _object(value: object, field: str, known: tuple[str, ...]) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidCodeSpec(field, "an object is expected.")
    if value.keys() - set(known):
        raise InvalidCodeSpec(field, f"it has an unknown field; known are {', '.join(known)}.")
    return value


def _several(value: object, field: str, most: int, read: Callable[[object, str], _Part]) -> tuple[_Part, ...]:
    if not isinstance(value, list) or not 1 <= len(value) <= most:
        raise InvalidCodeSpec(field, f"a list of 1 to {most} is expected.")
    return tuple(read(one, f"{field}[{place}]") for place, one in enumerate(value))


def _text(value: object, field: str, max_bytes: int) -> str:
    if not isinstance(value, str) or not value:
        raise InvalidCodeSpec(field, "a text that isn't empty is expected.")
    try:
        size = len(value.encode("utf-8"))
    except UnicodeEncodeError:
        raise InvalidCodeSpec(field, "it is not valid Unicode.") from None
    if size > max_bytes:
        raise InvalidCodeSpec(field, f"it is longer than {max_bytes} bytes of UTF-8.")
    return value


def _number(value: object, field: str, most: int | None = None) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1 or (most is not None and value > most):
        raise InvalidCodeSpec(field, f"a whole number from 1 {'on' if most is None else f'to {most}'} is expected.")
    return value


def _flag(given: dict[str, Any], field: str, name: str) -> bool:
    value = given.get(name, False)
    if not isinstance(value, bool):
        raise InvalidCodeSpec(f"{field}.{name}", "true or false is expected.")
    return value
