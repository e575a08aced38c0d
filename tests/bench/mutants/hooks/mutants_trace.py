"""A pytest plugin that notes which functions of the product each test calls, and how long it takes.

Only starts of functions are recorded, which hardly slows a test down.
"""

import json
import os
import sys
import threading
import time
import uuid
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import pytest


class Tracer:
    """Collects the code of every function that starts, in all threads."""

    def __init__(self, root: str) -> None:
        self._root = root.rstrip("/") + "/"
        self.seen: dict[int, CodeType] = {}

    def start(self) -> None:
        """Start in this thread and in those started from now on."""
        threading.settrace(self.note)
        sys.settrace(self.note)

    def note(self, frame: FrameType, _event: str, _arg: Any) -> None:
        """Take note of one function."""
        code = frame.f_code
        if id(code) not in self.seen:
            self.seen[id(code)] = code

    def take(self) -> set[tuple[str, int]]:
        """Return the functions seen since the last call: file, first line."""
        codes, self.seen = list(self.seen.values()), {}
        found = set()
        for code in codes:
            name = code.co_filename
            if name.startswith(self._root) and "/.venv/" not in name:
                found.add((name.removeprefix(self._root), code.co_firstlineno))
        return found

    def save_as_child(self) -> None:
        """Save the calls for the test that started this process."""
        path = Path(os.environ["MUTANTS_TRACE"]) / f"child-{uuid.uuid4().hex}.json"
        path.write_text(json.dumps([os.environ["MUTANTS_TEST"], sorted(self.take())]))


class Plugin:
    """Writes ``tests.json``: a list of test, seconds, functions called."""

    def __init__(self) -> None:
        self._folder = Path(os.environ["MUTANTS_TRACE"])
        self._tracer = Tracer(os.environ["MUTANTS_ROOT"])
        self._of_fixture: dict[str, set[tuple[str, int]]] = {}
        self._tests: dict[str, dict[str, Any]] = {}
        self._failed: set[str] = set()
        self._spares_compiler = False

    def _spare_compiler(self) -> None:
        """Look away while kernels are compiled: millions of calls, none of them ours."""
        from numba.core import event

        tracer = self._tracer

        class Compiling(event.Listener):  # type: ignore[misc]
            def on_start(self, _event: Any) -> None:
                sys.settrace(None)

            def on_end(self, _event: Any) -> None:
                sys.settrace(tracer.note)

        event.register("numba:compile", Compiling())
        self._spares_compiler = True

    def _spare_solver(self) -> None:
        """Look away while tables are solved by brute force, by code that is not the product's."""
        module: Any = sys.modules.get("brute_force_arrays")
        if module is None or hasattr(module, "spared"):
            return
        solve, tracer = module.solve, self._tracer

        def look_away(*args: Any, **options: Any) -> Any:
            sys.settrace(None)
            try:
                return solve(*args, **options)
            finally:
                sys.settrace(tracer.note)

        module.solve, module.spared = look_away, True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        if not self._spares_compiler and "numba" in sys.modules:
            self._spare_compiler()
        self._spare_solver()
        self._tracer.take()
        os.environ["MUTANTS_TEST"] = item.nodeid
        self._tracer.start()
        began = time.monotonic()
        try:
            return (yield)
        finally:
            sys.settrace(None)
            called = self._tracer.take()
            for name in getattr(item, "fixturenames", ()):
                called |= self._of_fixture.get(name, set())
            self._tests[item.nodeid] = {
                "seconds": time.monotonic() - began,
                "called": sorted(called),
            }

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any, request: Any) -> Iterator[Any]:  # noqa: ARG002
        before = dict(self._tracer.seen)
        self._tracer.seen = {}
        try:
            return (yield)
        finally:
            mine = dict(self._tracer.seen)
            if fixturedef.scope != "function":
                self._of_fixture[fixturedef.argname] = self._tracer.take()
            self._tracer.seen = {**before, **mine}
            sys.settrace(self._tracer.note)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if not report.passed:
            self._failed.add(report.nodeid)

    def pytest_sessionfinish(self) -> None:
        for path in self._folder.glob("child-*.json"):
            test, called = json.loads(path.read_text())
            if test in self._tests:
                both = {tuple(one) for one in (*called, *self._tests[test]["called"])}
                self._tests[test]["called"] = sorted(both)
        passed = {name: one for name, one in self._tests.items() if name not in self._failed}
        (self._folder / "tests.json").write_text(json.dumps(passed))


def pytest_configure(config: pytest.Config) -> None:
    """Start to trace if requested."""
    if "MUTANTS_TRACE" in os.environ and "MUTANTS_TEST" not in os.environ:
        config.pluginmanager.register(Plugin(), "mutants tracer")
