"""The OpenAPI description: FastAPI lists the paths, and classes describe the bodies."""

from collections.abc import Sequence
from typing import Any

import msgspec

_PLACE = "#/components/schemas/{name}"


def with_schemas(schema: dict[str, Any], kinds: Sequence[type]) -> dict[str, Any]:
    """Return the description with the schema of each body, and the token.

    Parameters
    ----------
    schema : dict
        As FastAPI makes it; an operation with a body of a class of `kinds` names it in ``x-body``.
    kinds : sequence of type
    """
    _, components = msgspec.json.schema_components(kinds, ref_template=_PLACE)
    found = {**schema, "components": {"schemas": components, "securitySchemes": _TOKEN}}
    found["security"] = [{"token": []}]
    for methods in found["paths"].values():
        for operation in methods.values():
            operation.pop("parameters", None)
            name = operation.pop("x-body", None)
            if name:
                content = {"application/json": {"schema": {"$ref": _PLACE.format(name=name)}}}
                operation["requestBody"] = {"required": True, "content": content}
            operation["responses"] = {
                **{
                    code: {"description": "JSON"}
                    for code in operation["responses"]
                    if code != "422"
                },
                "4XX": {"description": 'refused: {"error": "what was expected"}'},  # no text
            }
    for path, methods in found["paths"].items():
        if "{name}" in path:
            for operation in methods.values():
                operation["parameters"] = [_NAME]
    return found


_TOKEN = {"token": {"type": "http", "scheme": "bearer"}}
_NAME = {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}
