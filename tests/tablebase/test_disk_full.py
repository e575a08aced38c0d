"""A full disk stops a build with one clear error; everything finished stays and is built upon."""

import errno
import io
import os
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from child import contents, json_lines, run, run_apart
from makers import TableMaker

from tablebase.build.builder import BuildPlan, build
from tablebase.errors import DiskFullError
from tablebase.formation.formation import Formation
from tablebase.library import catalog
from tablebase.maintain.convert import ConvertPlan, convert
from tablebase.probe.verify import verify
from tablebase.store.options import TableOptions

PATTERN, TARGET = "44", 64


@pytest.fixture(scope="module", params=[False, True], ids=["all boards", "optimal only"])
def options(request: pytest.FixtureRequest) -> TableOptions:
    return TableOptions(optimal_only=request.param)


@pytest.fixture(scope="module")
def finished(
    table: TableMaker, options: TableOptions, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, bytes]:
    folder = table(PATTERN, TARGET)
    if options.optimal_only:  # by another way: thinned once it was whole
        out = tmp_path_factory.mktemp("thinned")
        convert(ConvertPlan([folder], optimal_only=True, out=out, threads=1))
        folder = out / folder.name
    return contents(folder)


@pytest.fixture
def plan(formations: dict[str, Formation], tmp_path: Path, options: TableOptions) -> BuildPlan:
    folder = tmp_path / f"{PATTERN}_{TARGET}"
    return BuildPlan(formations[PATTERN], TARGET, folder, options, threads=1)


class _Crash(BaseException):
    """The machine stops: nothing of the program may catch this and go on."""


@contextmanager
def failing_disk(
    monkeypatch: pytest.MonkeyPatch, n_calls: int, error: Callable[[], BaseException]
) -> Iterator[list[str]]:
    """Let the first `n_calls` operations that change the disk pass and fail every later one.

    Whatever the program uses to write ends in one of these; yields the names of those that passed.
    """
    passed: list[str] = []

    def guarded(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*args: Any, **kwargs: Any) -> Any:
            if len(passed) >= n_calls:
                raise error()
            passed.append(name)
            return function(*args, **kwargs)

        return call

    real_open = io.open

    def guarded_open(file: Any, mode: str = "r", *args: Any, **kwargs: Any) -> Any:
        """Opening to write makes an entry in the folder, so it needs room too."""
        if isinstance(file, int) or not set(mode) & set("wax+"):
            return real_open(file, mode, *args, **kwargs)
        return guarded("open", real_open)(file, mode, *args, **kwargs)

    with monkeypatch.context() as patch:
        for name in ("replace", "fsync", "rename", "write", "mkdir"):
            patch.setattr(os, name, guarded(name, getattr(os, name)))
        patch.setattr("builtins.open", guarded_open)
        patch.setattr(io, "open", guarded_open)  # pathlib's
        yield passed


def no_space() -> OSError:
    return OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def count_operations(monkeypatch: pytest.MonkeyPatch, plan: BuildPlan) -> int:
    with failing_disk(monkeypatch, 1 << 30, no_space) as passed:
        build(plan)
    return len(passed)


@pytest.mark.thorough
def test_a_full_disk_is_told_and_survived_wherever_it_happens(
    monkeypatch, formations, tmp_path, finished, options
):
    def plan_in(folder: str, scratch: Path | None = None) -> BuildPlan:
        place = tmp_path / folder / "44_64"
        return BuildPlan(formations[PATTERN], TARGET, place, options, threads=1, scratch=scratch)

    # A slow machine records more often: then one build would take more operations than another.
    for place in ("writer", "prune"):
        monkeypatch.setattr(f"tablebase.build.{place}._RECORD_EVERY_S", 3600.0)
    monkeypatch.setattr("tablebase.build.builder._KEEP_LIVE_EVERY_S", 3600.0)
    n_operations = count_operations(monkeypatch, plan_in("counted"))
    assert n_operations > 100
    rng = random.Random(64)
    moments = [*range(6), *rng.sample(range(6, n_operations - 6), 8)]
    moments += range(n_operations - 6, n_operations)
    for n_calls in moments:
        scratch = tmp_path / f"full{n_calls}" / "scratch" if n_calls % 2 else None
        plan = plan_in(f"full{n_calls}", scratch)
        with failing_disk(monkeypatch, n_calls, no_space), pytest.raises(DiskFullError) as caught:
            build(plan)
        assert str(plan.folder.parent) in str(caught.value), "the message names the place"
        assert "\n" not in str(caught.value)
        build(plan)
        assert contents(plan.folder) == finished, f"after operation {n_calls}"
        assert scratch is None or not list(scratch.iterdir())


@pytest.mark.sample(2)
@pytest.mark.parametrize("keeps_values", [False, True])
def test_a_crash_is_survived_wherever_it_happens(monkeypatch, plan, finished, keeps_values):
    """One folder, many crashes in a row: while expanding, while solving, while finishing.

    Exact values, from which a larger build's solving goes on, are kept after every layer or never.
    """
    if keeps_values:
        monkeypatch.setattr("tablebase.build.builder._KEEP_LIVE_EVERY_S", 0.0)
        monkeypatch.setattr("tablebase.build.builder._KEEP_LIVE_SHARE", 0)
    rng = random.Random(128)
    for _ in range(200):
        try:
            with failing_disk(monkeypatch, rng.randrange(5, 900), _Crash):
                build(plan)
        except _Crash:
            continue
        break
    assert contents(plan.folder) == finished


@pytest.mark.thorough
@pytest.mark.parametrize("limit", [200, 3_000, 10_000])
def test_a_limit_on_file_size_stops_the_command_cleanly(tmp_path, finished, limit, options):
    """The same in a process of its own, by the operating system's limit; then without it."""
    assert max(map(len, finished.values())) > limit
    words = ["build", PATTERN, TARGET, "--out", tmp_path, "--json"]
    words += ["--optimal-only"] * options.optimal_only
    stopped = run_apart(*words, file_limit=limit)
    assert stopped.returncode == 2
    (line,) = stopped.stderr.splitlines()
    assert "full" in line
    assert str(tmp_path) in line
    assert "done" not in [event["event"] for event in json_lines(stopped.stdout)]
    left = contents(tmp_path)
    assert all(len(data) <= limit for data in left.values())
    assert run(*words).returncode == 0
    assert contents(tmp_path / "44_64") == finished


@pytest.mark.sample(1)
def test_what_a_full_disk_leaves_is_partial_and_intact(monkeypatch, plan):
    n_operations = count_operations(monkeypatch, _elsewhere(plan))
    with failing_disk(monkeypatch, n_operations * 3 // 4, no_space), pytest.raises(DiskFullError):
        build(plan)
    (info,) = catalog.scan([plan.folder.parent])
    assert info.state == "partial"
    assert info.layers_done < info.layers
    assert not verify(plan.folder).ok


def _elsewhere(plan: BuildPlan) -> BuildPlan:
    folder = plan.folder.parent / "elsewhere" / plan.folder.name
    return replace(plan, folder=folder)
