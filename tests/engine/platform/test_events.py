"""Lines of commands: written and read by the same classes."""

import json
import os
from pathlib import Path

import pytest

from coach.analysis.events import AnalysisEvent, AnalysisProgress, StoredGame
from engine.platform.events import Done, Progress, read_event, to_plain
from tablebase.events import BuildDone, BuildEvent, RelocateEvent, RelocateResult, VerifyEvent
from tests.gui.event_fakes import layer_progress

MOVED = RelocateResult(Path("/t") / os.fsdecode(b"g\xff"), Path("/drive"), 3, 4_000_000, 1.5)


def line_of(event: object) -> bytes:
    return json.dumps(to_plain(event)).encode("ascii")


@pytest.mark.parametrize(
    ("event", "kind"),
    [
        (Progress(3, 40), Progress | Done),
        (Done(), Progress | Done),
        (MOVED, RelocateEvent),
        (layer_progress(layer_boards=(0, 5, 6)), BuildEvent),
        (layer_progress(eta_s=None), BuildEvent),
        (AnalysisProgress(file=Path("a"), rough=False, done=1, total=2), AnalysisEvent),
        (StoredGame(Path("a"), "no room"), AnalysisEvent),
        (StoredGame(Path("a"), mistakes=0, moves=0), AnalysisEvent),
    ],
)
def test_a_written_event_is_read_again(event, kind):
    assert read_event(line_of(event), kind) == event


def test_the_name_comes_first_and_defaults_are_absent():
    done = BuildDone(Path("t"), 1, 2, 2, 3, 0.5, 0.5, 9, was_complete=False)
    assert list(to_plain(done))[:2] == ["event", "table"]
    assert "notes" not in to_plain(done)
    assert to_plain(Progress(1, 2)) == {"event": "progress", "done": 1, "total": 2}


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"Traceback",
        b"[1, 2]",
        b"{broken",
        b'{"event": "future"}',
        b'{"event": "progress", "done": "3", "total": 4}',
        b'{"event": "progress", "done": 3}',
        b'{"event": "done", "table": 7}',
        b"[" * 100_000,
        b"\xff\xfe",
    ],
)
def test_any_other_line_is_no_event(line):
    assert read_event(line, VerifyEvent) is None


@pytest.mark.parametrize(("done", "total", "share"), [(1, 4, 0.25), (5, 4, 1.0), (0, 0, 0.0)])
def test_the_share_of_progress_stays_within_its_bounds(done, total, share):
    assert Progress(done, total).share == share
