"""The arguments of `read_code_context`. What they may be is said by the worker's `CodeContextSpec` alone (RCC-20 to RCC-22, PLT-140).

So the model takes anything, argument names that the tool doesn't have included; the schema that clients are shown is what the spec takes.
"""

from typing import Annotated, Any, Final

from pydantic import BeforeValidator, ConfigDict, Field, WithJsonSchema

from shared.limits import CODE_PARTS_MAX, CODE_READ_BYTES_MAX, CODE_REQUESTS_MAX, CODE_TOKENS_MAX
from shared.wire.text import Arguments, decoded_list

_RANGE: Final = {
    "type": "object",
    "properties": {"startLine": {"type": "integer", "minimum": 1}, "endLine": {"type": "integer", "minimum": 1}},
    "required": ["startLine", "endLine"],
    "additionalProperties": False,
}

_REQUEST: Final = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "description": "Path from the repository's root, literally."},
        "symbols": {
            "type": "array",
            "minItems": 1,
            "maxItems": CODE_PARTS_MAX,
            "items": {"type": "string"},
            "description": "Names whose complete definitions to give: qualified (`Session.send`, `res.render`), or simple if unique there.",
        },
        "ranges": {
            "type": "array",
            "minItems": 1,
            "maxItems": CODE_PARTS_MAX,
            "items": _RANGE,
            "description": "Lines from 1, both ends included.",
        },
        "full": {"type": "boolean", "description": "The whole file."},
        "outline": {"type": "boolean", "description": "Names, kinds and lines of all definitions, no code."},
        "includeDependencies": {
            "type": "boolean",
            "description": "With symbols: also the definitions and constants of the same file that they name, recursively.",
        },
    },
    "required": ["path"],
    "additionalProperties": False,
}

_REQUESTS: Final = {"type": "array", "minItems": 1, "maxItems": CODE_REQUESTS_MAX, "items": _REQUEST}


def _optional(**schema: Any) -> WithJsonSchema:
    return WithJsonSchema({"anyOf": [schema, {"type": "null"}]})


def _closed(schema: dict[str, Any]) -> None:
    """Show the model as the spec judges it: no other arguments, and always `requests`."""
    schema["additionalProperties"] = False
    schema["required"] = ["requests"]
    del schema["properties"]["requests"]["default"]


class ReadCodeContextArguments(Arguments):
    """What a caller may ask for in one round of a reading session."""

    model_config = ConfigDict(extra="allow", json_schema_extra=_closed)

    repo: Annotated[Any, _optional(type="string")] = Field(
        default=None, description="First call: the repository, as codekeeper_list_repos names it. Leave it out in a follow-up."
    )
    ref: Annotated[Any, _optional(type="string")] = Field(
        default=None, description="First call: branch, tag or commit; not sent, the default branch. All rounds read that commit."
    )
    maxTokens: Annotated[Any, _optional(type="integer", minimum=1, maximum=CODE_TOKENS_MAX)] = Field(  # noqa: N815 - the contract's name
        default=None,
        description="First call: the most o200k_base tokens of all rounds together; not sent, the server's cap, which it can only lower.",
    )
    maxReadBytes: Annotated[Any, _optional(type="integer", minimum=1, maximum=CODE_READ_BYTES_MAX)] = Field(  # noqa: N815
        default=None, description="The most bytes of source that this call may read."
    )
    requests: Annotated[Any, WithJsonSchema(_REQUESTS), BeforeValidator(decoded_list)] = Field(
        default=None,
        description="The files, all different. Each has exactly one of `symbols`, `ranges`, `full: true` and `outline: true`.",
    )
    continueFrom: Annotated[Any, _optional(type="string")] = Field(  # noqa: N815
        default=None, description="Follow-up: the `runId` of the last success, without `repo`, `ref` and `maxTokens`."
    )

    def sent(self) -> dict[str, Any]:
        """What was sent, names that the tool doesn't have included. An argument of the tool's that is null was not sent."""
        return {name: value for name, value in self.model_dump().items() if value is not None or name not in type(self).model_fields}
