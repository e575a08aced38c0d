"""Analyses that are kept: what the command says comes back, and can be removed and put back."""

import json
from collections.abc import Mapping
from contextlib import closing
from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import pytest

from coach.analysis.analyses import Analyses, StoredAnalysis
from coach.analysis.events import AnalysisEvent, AnalyzedGame
from coach.old_files.databases import DATABASES
from coach.old_files.opening import open_user_database
from coach.record.database import open_database
from coach.record.user_database import UserDatabase
from coach.recordings.game_files import find_games, read_game_file
from engine.platform.errors import AppError
from engine.platform.events import read_event

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
PHASE = {
    "first_move": 1, "last_move": 950, "large_tiles": [], "made": True, "judged": 940,
    "sources": {"search": 940, "": 10}, "points_lost": 0.02, "points_of_luck": -0.01,
    "first_chance": 0.99, "least_chance": None,
}  # fmt: skip
GAME = {
    "judged": 20400, "by_search": 19000, "match_rate": 0.5, "points_lost": 0.3, "luck_log": None,
    "grades": {"perfect": 20000, "good": 400}, "complete": False, "moments": [],
    "phases": [PHASE, {**PHASE, "first_move": 951, "last_move": 1900, "large_tiles": [2048]}],
}  # fmt: skip


def analysis_of(event: Mapping[str, Any], at: datetime) -> StoredAnalysis:
    stored: StoredAnalysis = read_event(json.dumps(event).encode(), AnalyzedGame).stored(at)
    return stored


@pytest.fixture
def kept(tmp_path):
    analyses = Analyses(UserDatabase(tmp_path / "data"))
    yield analyses
    analyses.close()


def test_what_is_kept_comes_back(kept, tmp_path):
    one = analysis_of(EVENT, NOON)
    number = kept.keep(one)
    kept.close()
    again = Analyses(UserDatabase(tmp_path / "data"))
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


def test_the_order_of_what_the_command_says_does_not_matter(kept):
    """What is read has its fields in the order of the text."""
    parts = [dict(reversed(part.items())) for part in EVENT["segments"]]
    one = analysis_of({**EVENT, "segments": parts}, NOON)
    kept.keep(one)
    assert kept.latest()[0].segments == one.segments == analysis_of(EVENT, NOON).segments


def test_a_whole_game_comes_back_and_may_be_missing(kept):
    kept.keep(analysis_of({**EVENT, "game": GAME}, NOON))
    kept.keep(analysis_of(EVENT, NOON + timedelta(days=1)))
    without, found = kept.latest()
    assert without.game is None
    game = found.game
    assert (game.judged, game.by_search, game.luck_log, game.is_done) == (20400, 19000, None, False)
    assert game.grades == {"perfect": 20000, "good": 400}
    assert [phase.large for phase in game.phases] == [(), (2048,)]
    assert game.phases[0].mean_loss == pytest.approx(0.02 / 940)
    assert game.phases[0].least_chance is None


@pytest.mark.parametrize("field", ["phases", "grades", "luck_log", "complete"])
def test_a_whole_game_that_lacks_something_is_refused(field):
    game = {name: value for name, value in GAME.items() if name != field}
    with pytest.raises(AppError, match="cannot be understood"):
        analysis_of({**EVENT, "game": game}, NOON)


def test_a_database_of_before_is_read(tmp_path):
    with closing(open_database(tmp_path / "analyses.db", DATABASES[2].migrations[:1])) as old:
        old.execute(
            "INSERT INTO analyses VALUES (7, ?, 'a.txt', 'rec', 9, 8, 4, 0, 1, '[]', '{}')",
            (NOON.isoformat(),),
        )
    with closing(Analyses(open_user_database(tmp_path))) as kept:
        (found,) = kept.latest()
        assert (found.id, found.moves, found.game) == (7, 9, None)
        kept.keep(analysis_of({**EVENT, "game": GAME}, NOON))


def test_the_newest_come_first_and_no_more_than_asked(kept):
    for i in (2, 0, 1):
        kept.keep(analysis_of({**EVENT, "moves": i}, NOON + timedelta(days=i)))
    assert [one.moves for one in kept.latest()] == [2, 1, 0]
    assert [one.moves for one in kept.latest(2)] == [2, 1]


def test_what_is_removed_can_be_put_back(kept):
    for _ in range(2):
        kept.keep(analysis_of(EVENT, NOON))
    first = kept.latest()[-1]
    kept.remove(first.id)
    assert [one.id for one in kept.latest()] == [2]
    kept.keep(first)
    assert first in kept.latest()


def test_an_analysis_is_put_back_beside_the_one_that_took_its_number(kept):
    kept.keep(analysis_of({**EVENT, "moves": 7}, NOON))
    (removed,) = kept.latest()
    kept.remove(removed.id)
    assert kept.keep(analysis_of({**EVENT, "moves": 8}, NOON)) == removed.id
    number = kept.keep(removed)
    assert number != removed.id
    assert {one.id: one.moves for one in kept.latest()} == {removed.id: 8, number: 7}
    assert all(one.segments == removed.segments for one in kept.latest())


@pytest.mark.parametrize("missing", ["file", "segments", "reports", "covered"])
def test_an_event_that_lacks_something_is_refused(missing):
    event = {name: value for name, value in EVENT.items() if name != missing}
    assert read_event(json.dumps(EVENT).encode(), AnalysisEvent) is not None
    assert read_event(json.dumps(event).encode(), AnalysisEvent) is None


def test_games_are_found_once_by_name_and_in_folders(tmp_path):
    for name in ("b.txt", "a.RPL", "notes.md"):
        (tmp_path / name).touch()
    (tmp_path / "inside").mkdir()
    (tmp_path / "empty").mkdir()
    found, problems = find_games([tmp_path / "b.txt", tmp_path, tmp_path / "empty"])
    assert [path.name for path in found] == ["b.txt", "a.RPL"]
    assert [path.name for path, _ in problems] == ["empty"]
    assert "no recorded game" in problems[0][1]


def test_a_file_that_is_not_there_cannot_be_read(tmp_path):
    assert find_games([tmp_path / "gone.txt"]) == ([tmp_path / "gone.txt"], [])
    with pytest.raises(AppError, match=r"cannot read .*gone.txt"):
        read_game_file(tmp_path / "gone.txt")
