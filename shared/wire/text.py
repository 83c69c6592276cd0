"""Field types of tool arguments. They say at the schema's boundary what pydantic's own types would accept too much or too little of."""

from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, PlainValidator, StrictInt, WithJsonSchema
from pydantic_core import PydanticCustomError, from_json


def _any_text(value: Any) -> str:
    if not isinstance(value, str):
        raise PydanticCustomError("string_type", "Input should be a valid string")
    return value


Text = Annotated[str, PlainValidator(_any_text), WithJsonSchema({"type": "string"})]
"""A string exactly as it was sent. Lone surrogates pass: whether a path is valid UTF-8 is the tool's answer (REF-25), not the schema's."""


def at_most(most: int) -> AfterValidator:
    """A text of more than `most` characters is refused by the schema: for a short name, where no more is of use."""

    def check(value: str) -> str:
        if len(value) > most:
            raise PydanticCustomError("string_too_long", "String should have at most {most} characters", {"most": most})
        return value

    return AfterValidator(check)


def decoded_list(value: Any) -> Any:
    """Some clients send a list as a string of JSON; what is no JSON list stays as it is and is refused."""
    if isinstance(value, str):
        try:
            decoded = from_json(value.encode())
        except ValueError:  # no JSON, or a lone surrogate
            return value
        return decoded if isinstance(decoded, list) else value
    return value


LineRange = Annotated[list[StrictInt], BeforeValidator(decoded_list)]
"""`[start, end]` of strict integers: lax ones would take `[true, 5]` for lines 1 to 5 (LIN-35 to LIN-37).

How many there are is the tool's answer, not the schema's (LIN-23).
"""


def clamped(low: int, high: int) -> AfterValidator:
    """An integer outside `low` to `high` is moved to the nearer end, never refused (GRF-6, TREE-3)."""
    return AfterValidator(lambda value: min(max(value, low), high))


class Arguments(BaseModel):
    """Base of every tool's arguments: frozen, and an argument that the tool doesn't have is refused (PLT-140)."""

    model_config = ConfigDict(frozen=True, extra="forbid")
