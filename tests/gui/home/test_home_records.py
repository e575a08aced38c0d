"""What Home reads of the other pages' files: all of it, and nothing is made by looking."""

from contextlib import closing
from datetime import timedelta

import pytest

from coach.analysis.analyses import Analyses
from coach.days import today_of
from coach.exam.history import History
from coach.grading.grade import Tolerance, judge
from coach.mistakes.drill import Drill
from coach.mistakes.mistake import NotedMove, TableKey
from coach.mistakes.mistakes import Mistakes
from coach.puzzles.puzzles import DailyPuzzle, Puzzles
from engine.game import Game
from engine.game_log import GameLog
from gui.home.records import LastGame, RecordReader, read_mistakes
from minigames.records import DailyResult
from minigames.run import Run, daily_game
from minigames.state import move
from minigames.store import Slot, slot_bytes, slot_path
from tests.coach.test_analyses import analysis_of
from tests.coach.test_puzzle_store import made as made_puzzle
from tests.gui.home.made_tests import NOON, finished

EVENT = {
    "file": "games/a.txt", "recorded_as": "rpl", "moves": 100, "points": 4000,
    "largest_tile": 256, "covered": 0, "complete": True, "problems": [], "reports": {},
    "segments": [],
}  # fmt: skip


def play(n_moves: int) -> Game:
    game = Game.new(5)
    for _ in range(n_moves):
        game.move(next(d for d in range(4) if game.can_move(d)))
    return game


def keep_game(folder, game: Game) -> None:
    log = GameLog(folder / "game" / "current.log")
    log.begin(game, game.score)
    log.close()


def read(folder, **more):
    return RecordReader(folder).read(NOON, 0, more.get("hard", False), more.get("game"))


def test_an_empty_folder_stays_empty(tmp_path):
    found = read(tmp_path)
    assert (found.tests, found.game, found.analyses) == ((), None, ())
    assert found.daily
    assert found.daily.name == daily_game(NOON.date())
    assert found.daily.result is None
    assert found.puzzle == DailyPuzzle()
    assert list(tmp_path.iterdir()) == []


def test_tests_and_analyses_come_the_newest_first(tmp_path):
    history = History(tmp_path / "tests.db")
    for days in (3, 1, 2):
        history.add(finished("442_128", 0.9, timedelta(days=days)))
    history.close()
    analyses = Analyses(tmp_path / "analyses.db")
    for days in range(5):
        analyses.keep(analysis_of({**EVENT, "moves": days}, NOON - timedelta(days=days)))
    analyses.close()
    found = read(tmp_path)
    assert [test.ended for test in found.tests] == [NOON - timedelta(days=n) for n in (1, 2, 3)]
    assert [one.moves for one in found.analyses] == [0, 1, 2]


def test_the_game_in_play_is_read_again_when_it_went_on(tmp_path):
    reader = RecordReader(tmp_path)
    game = play(30)
    keep_game(tmp_path, game)
    for more in (0, 7):
        for _ in range(more):
            game.move(next(d for d in range(4) if game.can_move(d)))
        keep_game(tmp_path, game)
        found = reader.read(NOON, 0, False, None).game
        assert found
        assert (found.score, found.n_moves) == (game.score, game.n_moves)
        assert found.exponents == game.cells
        assert (1 << found.largest, found.is_over) == (1 << max(game.cells), False)


def test_a_game_that_is_open_is_taken_as_it_stands(tmp_path):
    keep_game(tmp_path, play(30))
    open_game = LastGame.of(play(3))
    assert read(tmp_path, game=open_game).game == open_game


def test_a_game_that_has_not_begun_is_none(tmp_path):
    keep_game(tmp_path, Game.new(5))
    assert read(tmp_path).game is None


def test_damaged_files_are_left_to_their_pages(tmp_path):
    (tmp_path / "game").mkdir()
    for name in ("tests.db", "analyses.db", "game/current.log"):
        (tmp_path / name).write_bytes(b"no such thing")
    found = read(tmp_path)
    assert (found.tests, found.game, found.analyses) == ((), None, ())
    assert (tmp_path / "tests.db").read_bytes() == b"no such thing"


@pytest.mark.parametrize("day", ["2026-03-05", "2026-03-04"])
def test_a_daily_run_counts_on_its_day(tmp_path, day):
    folder, name = tmp_path / "minigames", daily_game(NOON.date())
    folder.mkdir()
    run = Run(name, hard=True, seed=3, day=day)
    run.do(move(run.rules.legal(run.state)[0]))
    slot_path(folder, name, True).write_bytes(slot_bytes(Slot(name, True, run=run)))
    result = DailyResult(run.state.score, run.state.best, is_over=False)
    wanted = result if day == "2026-03-05" else None
    assert [read(tmp_path, hard=hard).daily.result for hard in (True, False)] == [wanted] * 2


def test_the_puzzle_of_the_day_is_read_with_its_answer(tmp_path):
    with closing(Puzzles(tmp_path / "puzzles.db")) as puzzles:
        kept = puzzles.keep_daily(today_of(NOON, 0).day, made_puzzle(), NOON)
        assert read(tmp_path).puzzle == DailyPuzzle(kept)
        puzzles.answer(kept.id, kept.puzzle.best, NOON, 2.0)
    assert read(tmp_path).puzzle.is_right is True


def test_until_the_day_ends_the_records_are_those_of_the_evening(tmp_path):
    night = NOON.astimezone().replace(hour=1)
    evening = night.date() - timedelta(days=1)
    with closing(Puzzles(tmp_path / "puzzles.db")) as puzzles:
        kept = puzzles.keep_daily(evening, made_puzzle(), NOON)
        puzzles.answer(kept.id, kept.puzzle.best, night - timedelta(hours=2), 2.0)
    found = RecordReader(tmp_path).read(night, 4, False, None)
    assert found.daily.name == daily_game(evening)
    assert found.puzzle.stored.id == kept.id
    assert found.puzzle.is_right is True
    found = RecordReader(tmp_path).read(night, 0, False, None)
    assert found.daily.name == daily_game(night.date())
    assert found.puzzle == DailyPuzzle()


def test_a_damaged_daily_run_is_told_of(tmp_path):
    folder, name = tmp_path / "minigames", daily_game(NOON.date())
    folder.mkdir()
    slot_path(folder, name, False).write_text("{")
    found = read(tmp_path)
    assert found.daily
    assert "damaged" in found.daily.problem


def test_the_book_tells_what_was_lost_lately_and_drilled_this_week(tmp_path):
    mistakes = Mistakes(tmp_path / "mistakes.db")
    rates = (0.8, None, 0.4, None)
    judgement = judge(rates, 2, Tolerance(1e-12))
    for board, table, days in ((0x123, "442_128", 2), (0x124, "L3_256", 3), (0x125, "L3_256", 90)):
        when = NOON - timedelta(days=days)
        mistakes.note(NotedMove(TableKey(table, 0.1), board, judgement, rates, when, "x", 1))
    drill = Drill(mistakes)
    first, second, *_ = mistakes.ids()
    drill.answer(first, 0, NOON - timedelta(days=1), 3.0)
    drill.answer(second, 2, NOON - timedelta(days=2), 3.0)
    drill.answer(second, 0, NOON - timedelta(days=20), 3.0)
    found = read_mistakes(mistakes, NOON, 0)
    mistakes.close()
    assert (found.n_right, found.n_wrong) == (1, 1)
    assert found.losses == pytest.approx(
        {TableKey("442_128", 0.1): 0.5, TableKey("L3_256", 0.1): 0.5}
    )
