"""What docstrings name of the program, with its package before it, is there."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("endgame2048", "engine", "tablebase", "ai", "coach", "minigames", "gui", "web")
NAME = re.compile(rf"`((?:{'|'.join(PACKAGES)})(?:\.\w+)+)(?:\(\))?`")


def docstrings(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            yield ast.get_docstring(node) or ""


@cache
def names_in(path: Path) -> frozenset[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, (ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
            found.add(node.attr)
        elif isinstance(node, ast.ImportFrom):
            found |= {one.asname or one.name for one in node.names}
    return frozenset(found)


def is_there(name: str) -> bool:
    """Return whether a module has such a name, or such a module exists."""
    folder, parts = ROOT, name.split(".")
    while parts and (folder / parts[0]).is_dir():
        folder /= parts.pop(0)
    module = folder / "__init__.py"
    if parts and (folder / f"{parts[0]}.py").exists():
        module = folder / f"{parts.pop(0)}.py"
    return set(parts) <= names_in(module)


def missing(source: str) -> list[str]:
    named = {name for text in docstrings(ast.parse(source)) for name in NAME.findall(text)}
    return sorted(name for name in named if not is_there(name))


@pytest.mark.thorough
@pytest.mark.parametrize("package", PACKAGES)
def test_what_docstrings_name_is_there(package):
    paths = sorted((ROOT / package).rglob("*.py"))
    found = {path: missing(path.read_text(encoding="utf-8")) for path in paths}
    assert {path: names for path, names in found.items() if names} == {}


@pytest.mark.parametrize(
    ("text", "absent"),
    [
        ("See `engine.moves`.", []),
        ("See `engine.moves.move` and ``engine.spawn.Rng.below()``.", []),
        ("See `tablebase.store`, or `engine.nothing`.", ["engine.nothing"]),
        ("See `engine.moves.no_move`.", ["engine.moves.no_move"]),
        ("See `moves.nothing`, `main.py`.", []),
    ],
)
def test_what_is_missing_is_found(text, absent):
    assert missing(f'"""{text}"""') == absent
    assert missing(f'def f():\n    """{text}"""') == absent
