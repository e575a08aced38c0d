"""What no test may do: wait for a fixed time, measure time, or reach into what it tests."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SLEEPS = {"time.sleep", "qtbot.wait", "QTest.qWait", "QTest.qSleep"}
CLOCKS = {"time.monotonic", "time.perf_counter", "time.time", "time.process_time"}
# Public, whatever they look like.
UNDERSCORED = {"_asdict", "_exit", "_fields", "_replace", "_core", "_make"}
ALLOWED = {
    # What cannot be seen from outside.
    "tests/ai/test_ladder.py: _rules",  # the generator behind a player's seed
    "tests/coach/test_session.py: _boards",  # a game of 4,100 moves
    "tests/tablebase/convert_kills.py: _exchange",  # a system that cannot exchange two names
    "tests/tablebase/test_options.py: _keeps",
    "tests/tablebase/thin_kills.py: _RECORD_EVERY_S",  # every layer, or none
    # What hangs, to see that it is noticed: a command, and a reader.
    "tests/gui/fake_child.py: time.sleep",
    "tests/tablebase/test_faults_quick.py: time.sleep",
    "tests/tablebase/test_faults_quick.py: _Bench",
}


def calls(node: ast.AST) -> Iterator[str]:
    """Yield "module.function" of the calls below a node, loops that wait for something left out."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.While):
            continue
        if isinstance(child, ast.Call) and isinstance(child.func, ast.Attribute):
            owner = child.func.value
            yield f"{owner.id if isinstance(owner, ast.Name) else ''}.{child.func.attr}"
        yield from calls(child)


def private_names(tree: ast.Module) -> Iterator[str]:
    """Yield private members that a file uses and does not define itself."""
    own = {
        one.name for one in ast.walk(tree) if isinstance(one, (ast.FunctionDef, ast.ClassDef))
    } | {
        one.attr
        for one in ast.walk(tree)
        if isinstance(one, ast.Attribute)
        and isinstance(one.value, ast.Name)
        and one.value.id in ("self", "cls")
        and isinstance(one.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        names: list[str] = []
        if isinstance(node, ast.Attribute):
            is_own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
            names = [] if is_own else [node.attr]
        elif isinstance(node, ast.ImportFrom):
            names = [alias.name for alias in node.names]
        for name in names:
            if name.startswith("_") and not name.startswith("__") and name not in own:
                yield name


def faults(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {name for name in calls(tree) if name in SLEEPS}
    if path.name.startswith("test_"):  # others may keep a deadline
        found |= {name for name in calls(tree) if name in CLOCKS}
    return found | set(private_names(tree)) - UNDERSCORED


def test_no_test_waits_measures_or_reaches_in(project_root: Path) -> None:
    found = set()
    for path in sorted((project_root / "tests").rglob("*.py")):
        name = path.relative_to(project_root).as_posix()
        if not name.startswith("tests/bench/"):
            found |= {f"{name}: {fault}" for fault in faults(path)}
    assert sorted(found - ALLOWED) == []
    assert sorted(ALLOWED - found) == [], "take it out of the list"


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ("import time\ndef test(): time.sleep(1)", {"time.sleep"}),
        ("import time\ndef test():\n while not done(): time.sleep(0.01)", set()),
        ("def test(qtbot): qtbot.wait(20)", {"qtbot.wait"}),
        ("import time\ndef test(): assert time.monotonic() < 5", {"time.monotonic"}),
        ("def test(page): assert page._actions", {"_actions"}),
        ("from x import _y", {"_y"}),
        ("class A:\n def f(self): self._a = 1\ndef test(): assert A()._a", set()),
        ("import os\ndef test(): os._exit(1)", set()),
    ],
)
def test_each_is_noticed(tmp_path: Path, text: str, fault: set[str]) -> None:
    path = tmp_path / "test_it.py"
    path.write_text(text)
    assert faults(path) == fault
