"""Shared by all tests: import paths, no display, the project's root, small tables.

Tables and their brute-force solutions are made once a session, when first asked for.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import gc
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import psutil
import pytest
from hypothesis import settings

if TYPE_CHECKING:
    from collections.abc import Generator

    from tablebase.formation.formation import Formation
    from tests.brute_force import Solution
    from tests.makers import Solver, TableMaker

ROOT = Path(__file__).parent.parent
for folder in (ROOT, ROOT / "tests"):
    if str(folder) not in sys.path:
        sys.path.insert(0, str(folder))

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["ENDGAME2048_LANGUAGE"] = "en"  # in any locale

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # in the background; children inherit it
    signal.signal(signal.SIGINT, signal.default_int_handler)


settings.register_profile("any machine", deadline=None)  # the first call may compile
settings.load_profile("any machine")


SLOW_S = 1800
_GRACE_S = 60  # a test that is timed out cleans up


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(
    collector: pytest.Collector,
) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """Every other worker begins with the last file: what one has compiled the others only read."""
    report = yield
    worker = getattr(collector.config, "workerinput", {"workerid": "gw0"})["workerid"]
    if int(worker.removeprefix("gw")) % 2 and isinstance(
        collector, (pytest.Session, pytest.Directory)
    ):
        report.result.reverse()
    return report


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Give slow tests enough time; make all but some cases of a test with a sample thorough."""
    items.sort(key=lambda item: item.path)  # workers collect them in two orders
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        if item.get_closest_marker("slow"):
            if not item.get_closest_marker("timeout"):
                item.add_marker(pytest.mark.timeout(SLOW_S))
        elif item.get_closest_marker("sample") and not item.get_closest_marker("thorough"):
            cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    for some in cases.values():
        n = next(some[0].iter_markers("sample")).args[0]
        sample = {i * len(some) // n for i in range(n)}
        for i in set(range(len(some))) - sample:
            some[i].add_marker(pytest.mark.thorough)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, bool, bool]:
    """End the process where a time-out goes unheard: by Qt, while a menu is open.

    Only in workers: they are invisible, and nobody debugs there.
    """
    if not hasattr(item.config, "workerinput"):
        return (yield)
    mark = item.get_closest_marker("timeout")
    seconds = mark.args[0] if mark else item.config.getini("timeout")
    faulthandler.dump_traceback_later(float(seconds) + _GRACE_S, file=sys.__stderr__, exit=True)
    try:
        return (yield)
    finally:
        faulthandler.cancel_dump_traceback_later()


def pytest_configure() -> None:
    """Collect garbage between tests alone: on a thread of a test, Qt's objects crash Qt."""
    gc.disable()


_MANY_OBJECTS, _MUCH_BYTES, _IN_A_FILE_BYTES = 50_000, 64 << 20, 256 << 20
_resident_bytes = pytest.StashKey[int]()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(
    item: pytest.Item, nextitem: pytest.Item | None
) -> Generator[None, None, None]:
    """Collect the garbage of tests when there is much of it, at the end of a file if possible."""
    yield
    stash = item.config.stash
    is_last = nextitem is None or nextitem.path != item.path
    limit = stash.get(_resident_bytes, 0) + (_MUCH_BYTES if is_last else _IN_A_FILE_BYTES)
    if _resident() > limit:
        stash[_resident_bytes] = _collected(limit)
    elif gc.get_count()[0] > _MANY_OBJECTS:
        gc.collect(1)


def _collected(limit: int) -> int:
    """Collect garbage and return the bytes that are resident then.

    What is left is frozen: a million objects of modules and fixtures, which take most of a second.
    It is looked at again only where the process stays beyond the limit; programs under test freeze
    objects as well.
    """
    gc.collect()
    _return_memory()
    if _resident() > limit:
        gc.unfreeze()
        gc.collect()
        _return_memory()
    gc.freeze()
    return _resident()


def _resident() -> int:
    return int(psutil.Process().memory_info().rss)


def _return_memory() -> None:
    """Give the system what the allocator of glibc holds in reserve, for each thread there was."""
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).malloc_trim(0)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Escape names that are no text in what was logged: no process of tests can report them."""
    from engine.platform.surrogates import escaped  # found by the paths above

    report = yield
    report.sections = [(title, escaped(text)) for title, text in report.sections]
    return report


@pytest.fixture(scope="session", autouse=True)
def _waits_for_no_drive() -> Generator[None, None, None]:
    """Nothing that a test writes has to survive a power cut."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        yield


@pytest.fixture(scope="session")
def project_root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def formations() -> dict[str, Formation]:
    """The project's formations and the tiny ones of the tests, by name."""
    # Here and below: tests that need no table need not wait for its modules.
    from small_formations import TINY

    from tablebase.formation.patterns_file import load_formations

    return load_formations() | TINY


@pytest.fixture(scope="session")
def table(formations: dict[str, Formation], tmp_path_factory: pytest.TempPathFactory) -> TableMaker:
    """Return ``table(name, target, rate="uint32") -> Path``; never write to what it returns."""
    from tablebase.build.builder import BuildPlan, build
    from tablebase.store.options import TableOptions

    tables = tmp_path_factory.mktemp("tables")

    def make(name: str, target: int, rate: str = "uint32") -> Path:
        folder = tables / rate / f"{name}_{target}"
        if not folder.exists():
            options = TableOptions(rate=rate)
            build(BuildPlan(formations[name], target, folder, options, threads=2))
        return folder

    return make


@pytest.fixture(scope="session")
def solution(formations: dict[str, Formation]) -> Solver:
    """Return ``solution(name, target) -> brute_force.Solution``."""
    import brute_force_arrays
    from small_formations import rules_of

    solved: dict[tuple[str, int], Solution] = {}

    def solve(name: str, target: int) -> Solution:
        if (name, target) not in solved:
            solved[name, target] = brute_force_arrays.solve(rules_of(formations[name], target))
        return solved[name, target]

    return solve
