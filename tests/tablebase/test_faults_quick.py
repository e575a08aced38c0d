"""A slice of the fault campaign (tests/bench/faults), and that it notices what is wrong."""

import importlib
import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the campaign forks")

ROOT = Path(__file__).parents[2]


def campaign(*words: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-m", "tests.bench.faults", "--table", "2x4", "64", *words]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=1500)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("scenario", "words"),
    [
        ("steps", ("--steps", "1")),
        ("failures", ("--steps", "2")),
        ("mutations", ("--mutations", "25")),
        pytest.param("steps", ("--steps", "10"), marks=pytest.mark.slow),
        pytest.param("failures", ("--steps", "10"), marks=pytest.mark.slow),
        pytest.param("streams", ("--steps", "6"), marks=pytest.mark.slow),
        pytest.param("mutations", ("--mutations", "400"), marks=pytest.mark.slow),
    ],
)
def test_a_slice_of_the_campaign_finds_nothing(scenario, words):
    result = campaign("--only", scenario, *words)
    assert result.returncode == 0, result.stdout + result.stderr
    assert "\n0 wrong" in result.stdout


@pytest.fixture
def specimen(tmp_path: Path) -> Any:
    from tests.bench.faults.readers import Specimen

    folder = tmp_path / "sound" / "table"
    folder.mkdir(parents=True)
    (folder / "file").write_bytes(b"1")
    return Specimen("sound", folder, lambda _folder: pytest.fail("not asked for"), (), {})


def answer(_specimen: object, folder: Path) -> str:
    return (folder / "file").read_text()


def crash(_specimen: object, folder: Path) -> str:
    if (folder / "file").read_text() != "1":
        raise KeyError("no such thing")
    return "1"


def refuse(_specimen: object, folder: Path) -> str:
    from tablebase.errors import DamagedTableError

    if (folder / "file").read_text() != "1":
        raise DamagedTableError(f"{folder / 'file'} is damaged")
    return "1"


def refuse_without_a_name(_specimen: object, folder: Path) -> str:
    from tablebase.errors import DamagedTableError

    if (folder / "file").read_text() != "1":
        raise DamagedTableError("it is damaged")
    return "1"


def hang(_specimen: object, folder: Path) -> str:
    if (folder / "file").read_text() != "1":
        time.sleep(60)
    return "1"


@pytest.mark.parametrize(
    ("reader", "is_signed", "verdict"),
    [
        (answer, False, "wrong"),
        (answer, True, "another answer (signed)"),
        (crash, False, "wrong"),
        (crash, True, "wrong (signed)"),
        (refuse, False, "refused"),
        (refuse_without_a_name, False, "wrong"),
        (hang, False, "wrong"),
    ],
)
def test_what_is_wrong_with_a_reader_is_noticed(
    monkeypatch, specimen, tmp_path, reader, is_signed, verdict
):
    from tests.bench.faults import damage

    monkeypatch.setattr(damage, "_HANG_S", 0.2)
    case = damage.Case(
        specimen, "file", {"file": b"2"}, {"file": b"1"}, "changed", is_signed, [reader]
    )
    outcome = damage._Bench(tmp_path / "bench").judge(0, case)  # noqa: SLF001, of a bench
    assert outcome["counts"][verdict] == 1
    assert bool(outcome["wrong"]) == verdict.startswith("wrong")


def test_differences_from_the_right_result_are_noticed():
    from tests.bench.faults.campaign import compare
    from tests.bench.faults.tally import Tally

    for found, problems in (
        ({"a": b"1", "b": b"2"}, 0),
        ({"a": b"1"}, 1),
        ({"a": b"1", "b": b"3"}, 1),
        ({"a": b"0", "c": b"2", "work/x": b""}, 3),
    ):
        tally = Tally("test")
        compare(tally, found, {"a": b"1", "b": b"2"}, "here")
        assert len(tally.problems) == problems, tally.problems


def test_a_lost_layer_is_noticed(tmp_path):
    from tablebase.build.builder import build
    from tests.bench.faults.subjects import LostLayerError, contents, small_subject

    subject = small_subject()
    assert subject.plan
    folder = build(subject.plan(tmp_path)).table
    result = contents(tmp_path / "tables")
    kept = subject.kept(tmp_path, result)
    assert len(kept) == len(json.loads((folder / "manifest.json").read_text())["layers"])
    path = folder / "layer-0004.tbl"
    data = path.read_bytes()
    path.unlink()
    with pytest.raises(LostLayerError, match=path.name):
        subject.kept(tmp_path, result)
    path.write_bytes(data[:-1] + b"\0\0")
    with pytest.raises(LostLayerError, match=path.name):
        subject.kept(tmp_path, result)
    path.write_bytes(data)
    assert len(kept - subject.kept(tmp_path, result)) == 1, "written again, so computed again"


@pytest.fixture
def hostile(tmp_path: Path) -> Any:
    """A campaign for scenarios that need no tables."""
    from tests.bench.faults.campaign import Campaign
    from tests.bench.faults.subjects import small_subject

    numbers = {"kills": 0, "full": 0, "mutations": 80, "seed": 1, "steps": 10}
    return Campaign(folder=tmp_path, small=small_subject(), subjects=(), **numbers)


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("scenario", "counted"),
    [
        ("hostile.hostile_layers", "refused"),
        ("hostile.hostile_saves", "refused"),
        ("calendars.calendars", "answers"),
    ],
)
def test_a_slice_of_the_hostile_scenarios(hostile, scenario, counted):
    from tests.bench.faults.tally import Tally

    tally = Tally(scenario)
    module, _, function = scenario.partition(".")
    getattr(importlib.import_module(f"tests.bench.faults.{module}"), function)(hostile, tally)
    assert tally.problems == []
    assert tally.counts[counted] > 10


@pytest.mark.parametrize(
    ("read", "problem"),
    [
        (lambda: [][1], "IndexError"),
        (lambda: bytearray(1 << 33), "MemoryError"),
        (lambda: (_ for _ in ()).throw(OSError("gone")), ""),
    ],
)
def test_a_reader_that_fails_before_a_hostile_file_is_noticed(read, problem):
    from tests.bench.faults.hostile import judge
    from tests.bench.faults.tally import Tally

    tally = Tally("test")
    judge(tally, "here", lambda: list(read()))
    assert bool(tally.problems) == bool(problem)
    assert problem in " ".join(tally.problems)
