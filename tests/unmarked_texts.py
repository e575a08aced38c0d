"""Texts in the sources that people read and that nothing translates, or that are put together."""

import ast
import re
from collections.abc import Iterator
from typing import TypeGuard

MARKS = {"tr", "trn", "trc", "mark"}
NOT_READ = "no text"
"""A comment with these words says that the strings of its line are not read by people."""
# Calls whose strings are for programs: patterns, statements, logs, properties.
FOR_PROGRAMS = {
    *("compile", "match", "fullmatch", "search", "sub", "split", "rsplit", "join", "strip"),
    *("startswith", "endswith", "replace", "partition", "removeprefix", "removesuffix", "index"),
    *("find", "encode", "execute", "executemany", "executescript", "Struct", "pack", "unpack"),
    *("debug", "info", "warning", "error", "exception", "critical", "getLogger"),
    *("setProperty", "set_property", "setObjectName", "setStyleSheet", "invokeMethod", "get"),
    *("strftime", "strptime", "getattr", "setattr", "hasattr", "TypeVar", "NewType", "cast"),
    *("namedtuple", "dtype", "field", "getenv", "open", "Template", "warn"),
    *("sequences_of", "keys_of", "meant_keys"),
    *("AssertionError", "NotImplementedError", "RuntimeError", "TypeError"),
    *("LookupError", "setStyle"),
}
# Calls whose first argument names keys.
KEYS_FIRST = {"Meaning"}
# Constants whose strings are names of fonts.
_FONTS = re.compile(r"_FAMILIES$")
_WORDS = re.compile(r"[A-Za-z]+[^A-Za-z]+[A-Za-z]{2,}|^[A-Z][a-z]+( \S+)?$")
_CODE = re.compile(
    r"^\s*(SELECT|INSERT|UPDATE|DELETE|CREATE|PRAGMA|BEGIN|COMMIT|DROP|WITH|ALTER|ATTACH)\b"
    r"|\b(WHERE|GLOB|DESC|ASC)\b|( =| LIKE) \?|^\w+ IN \("
    r"|^[\w\0*-]*[_/\\.:][\w./\\:\0*-]*$|^<|::|^[a-z0-9]+(-[a-z0-9]+)+$|^#|^--?\w"
    r"|\b(IS (NOT )?NULL|BETWEEN|(NOT )?IN \(|LIKE \?)|[<>=] \?"  # conditions of statements
    r'|^\s?[\w-]+="|[\w:] \{ [\w-]+: '  # attributes, styles
    r"|^(primary|quiet) (large|mini|row)$"  # looks of buttons
)


def unmarked(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each string that people may read and nothing marks."""
    yield from _unmarked_in(ast.parse(source), source.splitlines())


def glued(source: str) -> Iterator[tuple[int, str]]:
    """Yield the line and the code of each text that no translator could put in another order.

    That is an f-string in place of a text with values, and a translation with words beside it.
    """
    for node in ast.walk(ast.parse(source)):
        if _is_marked(node):
            if any(isinstance(part, (ast.JoinedStr, ast.BinOp)) for part in node.args):
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            sides = (node.left, node.right)
            if any(map(_is_marked, sides)) and any(map(_has_words, sides)):
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.JoinedStr):
            values = [p.value for p in node.values if isinstance(p, ast.FormattedValue)]
            if any(map(_is_marked, values)) and any(map(_has_words, node.values)):
                yield node.lineno, ast.unparse(node)


def _unmarked_in(node: ast.AST, lines: list[str]) -> Iterator[tuple[int, str]]:
    parts: Iterator[ast.AST] | list[ast.AST] = ast.iter_child_nodes(node)
    if _is_marked(node):
        parts = [*node.args[1:], *(keyword.value for keyword in node.keywords)]
        parts = [part for part in parts if not isinstance(part, ast.Constant)]
    elif isinstance(node, ast.Call) and _name(node) in FOR_PROGRAMS:
        parts = []
    elif isinstance(node, ast.Call) and _name(node) in KEYS_FIRST:
        parts = [*node.args[1:], *node.keywords]
    elif isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        parts = []  # a docstring
    elif isinstance(node, (ast.Assert, ast.Subscript, ast.Compare, ast.match_case)):
        parts = node.body if isinstance(node, ast.match_case) else []  # keys, what is compared
    elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        parts = [*node.body, *node.args.defaults, *(d for d in node.args.kw_defaults if d)]
    elif isinstance(node, ast.Assign) and _FONTS.search(ast.unparse(node.targets[0])):
        parts = []
    elif isinstance(node, ast.AnnAssign):
        parts = [node.value] if node.value else []
    elif (text := _text_of(node)) is not None:
        if _is_read(text) and NOT_READ not in lines[node.lineno - 1]:  # type: ignore[attr-defined]
            yield node.lineno, text  # type: ignore[attr-defined]
        parts = (
            [p.value for p in node.values if isinstance(p, ast.FormattedValue)]
            if isinstance(node, ast.JoinedStr)
            else []
        )
    for part in parts:
        yield from _unmarked_in(part, lines)


def _text_of(node: ast.AST) -> str | None:
    if isinstance(node, ast.JoinedStr):
        return "".join(
            part.value if isinstance(part, ast.Constant) else "\0" for part in node.values
        )
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def _is_read(text: str) -> bool:
    return bool(_WORDS.search(text)) and not _CODE.search(text)


def _is_marked(node: ast.AST) -> TypeGuard[ast.Call]:
    """Return whether a call translates its text; our errors do if they have values for it."""
    return isinstance(node, ast.Call) and (
        _name(node) in (*MARKS, "ArgumentRefusedError")
        or (_name(node).endswith("Error") and bool(node.keywords))
    )


def _has_words(node: ast.AST) -> bool:
    return bool(re.search("[A-Za-z]{2,}", _text_of(node) or ""))


def _name(call: ast.Call) -> str:
    function = call.func
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")
