"""The JSON schema of a model as clients are shown it."""

from typing import Any

from pydantic import BaseModel


def shown_schema(model: type[BaseModel]) -> dict[str, Any]:
    """Without pydantic's titles and the model's own docstring, which cost tokens and say nothing."""
    schema = model.model_json_schema()
    schema.pop("title", None)
    schema.pop("description", None)
    for parameter in schema.get("properties", {}).values():
        parameter.pop("title", None)
    return schema
