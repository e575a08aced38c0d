"""The OpenAPI description of what the service answers, and the page that shows it.

The page is plain HTML, without scripts and without other servers.
"""

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from html import escape
from inspect import cleandoc
from typing import Any, NamedTuple

import msgspec
from starlette.requests import Request
from starlette.responses import Response

from engine.platform.language import tr

Endpoint = Callable[[Request], Awaitable[Response]]
_PLACE = "#/components/schemas/{name}"
_NAME = {"name": "name", "in": "path", "required": True, "schema": {"type": "string"}}
_RESPONSES = {
    "200": {"description": "JSON"},
    "4XX": {"description": 'refused: {"error": "what was expected"}'},  # no text
}
_CODE = re.compile("`([^`]+)`")
_HEAD = """<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>{title}</title>
<meta name="viewport" content="width=device-width"><link rel="icon" href="/icon.svg">
<link rel="stylesheet" href="/page.css"></head>
<body><main><h1>{title}</h1><p>{intro}</p>
"""


class Operation(NamedTuple):
    """What the service answers to a method of a path; the docstring of `endpoint` describes it."""

    # method, path: ``{name}`` in a path stands for the name of a thing.
    method: str
    path: str
    endpoint: Endpoint
    body: type | None = None  # the class of the body; None if there is none, or it isn't JSON

    def described(self) -> dict[str, Any]:
        text = cleandoc(self.endpoint.__doc__ or "")
        description: dict[str, Any] = {
            "summary": text.partition("\n")[0],
            "description": text,
            "operationId": f"{self.method.lower()}{self.path.replace('/', '_')}",
            "responses": _RESPONSES,
        }
        if self.body:
            schema = {"$ref": _PLACE.format(name=self.body.__name__)}
            content = {"application/json": {"schema": schema}}
            description["requestBody"] = {"required": True, "content": content}
        if "{name}" in self.path:
            description["parameters"] = [_NAME]
        return description


def openapi(title: str, version: str, operations: Sequence[Operation]) -> dict[str, Any]:
    paths: dict[str, dict[str, Any]] = {}
    for operation in operations:
        paths.setdefault(operation.path, {})[operation.method.lower()] = operation.described()
    bodies = [operation.body for operation in operations if operation.body]
    _, schemas = msgspec.json.schema_components(bodies, ref_template=_PLACE)
    token = {"type": "http", "scheme": "bearer"}
    return {
        "openapi": "3.1.0",
        "info": {"title": title, "version": version},
        "paths": paths,
        "components": {"schemas": schemas, "securitySchemes": {"token": token}},
        "security": [{"token": []}],
    }


def document_of(schema: dict[str, Any]) -> str:
    title = escape(f"{schema['info']['title']} {schema['info']['version']}")
    intro = tr(
        "Send the header 'Authorization: Bearer TOKEN' with each request; bodies are JSON. "
        "{link} has the same for programs.",
        link="<a href='/openapi.json'>openapi.json</a>",
    )
    head = _HEAD.format(title=title, intro=intro)
    return head + "".join(_operations(schema)) + "</main></body></html>\n"


def _operations(schema: dict[str, Any]) -> Iterator[str]:
    kinds = schema["components"]["schemas"]
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield f"<h2><code>{method.upper()} {escape(path)}</code></h2>\n"
            yield _paragraphs(operation["description"])
            body = operation.get("requestBody")
            if body:
                place = body["content"]["application/json"]["schema"]["$ref"]
                yield from _fields(kinds[place.rpartition("/")[2]])


def _fields(kind: dict[str, Any]) -> Iterator[str]:
    yield f"{_paragraphs(kind.get('description', ''))}<ul>\n"
    for name, field in kind["properties"].items():
        is_needed = name in kind.get("required", ())
        needed = f" ({tr('needed')})" if is_needed else ""
        yield f"<li><code>{escape(name)}</code>{needed}: {escape(_words(field))}</li>\n"
    yield "</ul>\n"


def _paragraphs(text: str) -> str:
    parts = (_CODE.sub(r"<code>\1</code>", escape(part)) for part in cleandoc(text).split("\n\n"))
    return "".join(f"<p>{part}</p>\n" for part in parts)


def _words(field: dict[str, Any]) -> str:
    if "anyOf" in field:
        kinds = [_words(part) for part in field["anyOf"] if part.get("type") != "null"]
        return " | ".join(kinds)
    if "enum" in field:
        return ", ".join(map(str, field["enum"]))
    bounds = [str(field[name]) for name in ("minimum", "maximum") if name in field]
    kind = str(field.get("type", ""))
    if field.get("items"):
        kind = f"[{_words(field['items'])}]"
    return f"{kind} {' ... '.join(bounds)}".strip()
