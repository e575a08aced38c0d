"""Nothing private is left over: what a file keeps to itself, it uses."""

import ast
import re
from collections import Counter
from collections.abc import Iterator

import pytest

PACKAGES = ("ai", "coach", "endgame2048", "engine", "gui", "minigames", "tablebase", "web")
OVERRIDES = {  # of argparse, which calls them
    "engine/platform/cli/parser_words.py: _fill_text",
    "engine/platform/cli/parser_words.py: _split_lines",
}


def private_definitions(tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Yield each private name that a file defines, and whether in a class."""
    for scope in ast.walk(tree):
        if isinstance(scope, (ast.Module, ast.ClassDef)):
            for name in (name for one in scope.body for name in defined(one)):
                if name.startswith("_") and name.strip("_") and not name.startswith("__"):
                    yield name, isinstance(scope, ast.ClassDef)


def defined(statement: ast.stmt) -> list[str]:
    if isinstance(statement, ast.FunctionDef):
        # a decorator with arguments uses it
        is_used = any(isinstance(decorator, ast.Call) for decorator in statement.decorator_list)
        return [] if is_used else [statement.name]
    if isinstance(statement, ast.ClassDef):
        return [statement.name]
    is_one = isinstance(statement, ast.AnnAssign)
    targets = [statement.target] if is_one else getattr(statement, "targets", [])
    return [target.id for target in targets if isinstance(target, ast.Name)]


def unused(texts: dict[str, str]) -> set[str]:
    """Return the private names that nothing else in a file names, or if in a class, in any file:
    a class may do what another one asks of its kind."""
    here = {path: Counter(re.findall(r"\w+", text)) for path, text in texts.items()}
    anywhere = Counter[str]()
    for words in here.values():
        anywhere.update(words)
    return {
        f"{path}: {name}"
        for path, text in texts.items()
        for name, is_member in private_definitions(ast.parse(text))
        if (anywhere if is_member else here[path])[name] == 1
    }


@pytest.mark.thorough
def test_every_private_name_is_used(project_root):
    texts = {
        path.relative_to(project_root).as_posix(): path.read_text(encoding="utf-8")
        for package in PACKAGES
        for path in sorted((project_root / package).rglob("*.py"))
    }
    assert len(texts) > 500
    found = unused(texts)
    assert sorted(found - OVERRIDES) == []
    assert sorted(OVERRIDES - found) == [], "take it out of the list"


@pytest.mark.parametrize(
    ("text", "left_over"),
    [
        ("def _f(): pass", {"_f"}),
        ("def _f(): pass\n_f()", set()),
        ("class _A: pass", {"_A"}),
        ("@dataclass(frozen=True)\nclass _A: pass", {"_A"}),
        ("@overload(f)\ndef _f(): pass", set()),
        ("@kernel\ndef _f(): pass", {"_f"}),
        ("class A:\n def _f(self): pass", {"_f"}),
        ("class A:\n def f(self): self._f()\n def _f(self): pass", set()),
        ("_N = 1", {"_N"}),
        ("_N: int = 1\nprint(_N)", set()),
        ("class A:\n _n: int = 1", {"_n"}),
        ("def f(): pass\n_, __all__ = 1, []", set()),
        ("def __f(): pass\ndef f():\n def _g(): pass", set()),
    ],
)
def test_what_is_left_over_is_found(text, left_over):
    assert unused({"it": text}) == {f"it: {name}" for name in left_over}


def test_a_member_is_used_by_whom_it_is_inherited_from():
    texts = {"a": "class A:\n def f(self): self._f()", "b": "class B(A):\n def _f(self): pass"}
    assert unused(texts) == set()
    assert unused({"b": texts["b"]}) == {"b: _f"}
