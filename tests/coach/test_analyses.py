"""Analyses that are kept: what the command says comes back, and can be removed and put back."""

from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from coach.analysis.analyses import Analyses, from_event
from coach.recordings.game_files import find_games, read_game_file
from engine.errors import AppError

NOON = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)
SEGMENT = {
    "table": "L3_256", "first_move": 7344, "last_move": 7462, "end": "reached", "judged": 112,
    "match_rate": 0.9366, "points_lost": 0.05, "luck_log": None, "start_rate": 0.99,
    "end_rate": 1.0, "grades": {"perfect": 100, "blunder": 12}, "rpl": "out/L3_256_a_7344.rpl",
}  # fmt: skip
EVENT = {
    "event": "file", "file": "games/a.txt", "recorded_as": "verse-old", "moves": 20493,
    "points": 585832, "largest_tile": 32768, "covered": 1013, "complete": True,
    "problems": ["move 9 is odd"], "reports": {"html": "out/a.html"},
    "segments": [SEGMENT, {**SEGMENT, "luck_log": -0.5, "rpl": None}],
}  # fmt: skip


@pytest.fixture
def kept(tmp_path):
    analyses = Analyses(tmp_path / "data" / "analyses.db")
    yield analyses
    analyses.close()


def test_what_is_kept_comes_back(kept, tmp_path) -> None:
    one = from_event(EVENT, NOON)
    number = kept.keep(one)
    kept.close()
    again = Analyses(tmp_path / "data" / "analyses.db")
    (found,) = again.latest()
    again.close()
    assert found.id == number > 0
    assert found.at == NOON
    assert found.path == Path("games/a.txt")
    assert (found.moves, found.points, found.covered) == (20493, 585832, 1013)
    assert found.problems == ("move 9 is odd",)
    assert found.segments == one.segments
    assert [part.luck_log for part in found.segments] == [None, -0.5]
    assert found.files == [Path("out/a.html"), Path("out/L3_256_a_7344.rpl")]


def test_the_newest_come_first_and_no_more_than_asked(kept) -> None:
    for i in (2, 0, 1):
        kept.keep(from_event({**EVENT, "moves": i}, NOON + timedelta(days=i)))
    assert [one.moves for one in kept.latest()] == [2, 1, 0]
    assert [one.moves for one in kept.latest(2)] == [2, 1]


def test_what_is_removed_can_be_put_back(kept) -> None:
    for _ in range(2):
        kept.keep(from_event(EVENT, NOON))
    first = kept.latest()[-1]
    kept.remove(first.id)
    assert [one.id for one in kept.latest()] == [2]
    kept.keep(first)
    assert first in kept.latest()


@pytest.mark.parametrize("missing", ["file", "segments", "reports", "covered"])
def test_an_event_that_lacks_something_is_refused(missing) -> None:
    event = {name: value for name, value in EVENT.items() if name != missing}
    with pytest.raises(AppError, match="cannot be understood"):
        from_event(event, NOON)


def test_games_are_found_once_by_name_and_in_folders(tmp_path) -> None:
    for name in ("b.txt", "a.RPL", "notes.md"):
        (tmp_path / name).touch()
    (tmp_path / "inside").mkdir()
    (tmp_path / "empty").mkdir()
    found, problems = find_games([tmp_path / "b.txt", tmp_path, tmp_path / "empty"])
    assert [path.name for path in found] == ["b.txt", "a.RPL"]
    assert [path.name for path, _ in problems] == ["empty"]
    assert "no recorded game" in problems[0][1]


def test_a_file_that_is_not_there_cannot_be_read(tmp_path) -> None:
    assert find_games([tmp_path / "gone.txt"]) == ([tmp_path / "gone.txt"], [])
    with pytest.raises(AppError, match=r"cannot read .*gone.txt"):
        read_game_file(tmp_path / "gone.txt")
