"""What no test may do: wait for a fixed time, measure time, or import what is private.

ruff sees to it that none uses private members (SLF001).
"""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

SLEEPS = {"time.sleep", "qtbot.wait", "QTest.qWait", "QTest.qSleep"}
CLOCKS = {"time.monotonic", "time.perf_counter", "time.time", "time.process_time"}
ALLOWED = {
    "tests/tablebase/test_options.py: _keeps",  # cannot be seen from outside
    # What hangs, to see that it is noticed: a command, and a reader.
    "tests/gui/fake_child.py: time.sleep",
    "tests/tablebase/test_faults_quick.py: time.sleep",
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
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            for alias in node.names:
                if alias.name.startswith("_") and not alias.name.startswith("__"):
                    yield alias.name


def faults(path: Path) -> set[str]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found = {name for name in calls(tree) if name in SLEEPS}
    if path.name.startswith("test_"):  # others may keep a deadline
        found |= {name for name in calls(tree) if name in CLOCKS}
    return found | set(private_names(tree))


@pytest.mark.thorough
def test_no_test_waits_measures_or_imports_what_is_private(project_root):
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
        ("from x import _y", {"_y"}),
        ("from x import __version__", set()),
    ],
)
def test_each_is_noticed(tmp_path, text, fault):
    path = tmp_path / "test_it.py"
    path.write_text(text)
    assert faults(path) == fault
