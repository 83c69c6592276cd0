"""Check 6: are the arguments what the tool's schema says (PLT-140, PLT-141). A refusal names parameters and never a value."""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from shared.errors import ErrorCode, Refused
from shared.limits import MAX_ECHOED_NAMES
from shared.wire.problems import bounded_name, problems
from shared.wire.text import Arguments


def validated(arguments_type: type[Arguments], arguments: Mapping[str, Any]) -> Arguments:
    """The arguments as the tool's model.

    A model that takes names beside its own has a task that judges them (PLT-140).

    Raises:
        Refused: `unknown_argument` with the names, or else `invalid_arguments` with `problems` of `where` and `what`.
    """
    unknown = [name for name in arguments if name not in arguments_type.model_fields]
    if unknown and arguments_type.model_config.get("extra") == "forbid":
        raise Refused(
            ErrorCode.UNKNOWN_ARGUMENT,
            arguments=[bounded_name(name) for name in unknown[:MAX_ECHOED_NAMES]],
            message=f"The tool has no such argument ({len(unknown)} sent). It has: {', '.join(arguments_type.model_fields) or 'none'}.",
        )
    try:
        return arguments_type.model_validate(dict(arguments))
    except ValidationError as error:
        raise Refused(ErrorCode.INVALID_ARGUMENTS, problems=problems(error)) from error
