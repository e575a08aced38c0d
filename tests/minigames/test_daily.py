"""The minigame of the day."""

from datetime import date, timedelta
from itertools import pairwise

from minigames.records import DailyResult, MinigameRecord, daily_result
from minigames.registry import GAMES
from minigames.run import MinigameRun, daily_game
from minigames.state import move

DAY = date(2026, 3, 5)


def test_every_game_has_its_day():
    games = [daily_game(DAY + timedelta(days=n)) for n in range(len(GAMES))]
    assert sorted(games) == sorted(GAMES)
    families = [GAMES[name].family for name in games]
    assert all(a != b for a, b in pairwise(families)), "something else"


def played(n_moves: int, day: date = DAY) -> MinigameRun:
    run = MinigameRun("ice_age", hard=False, seed=5, day=day.isoformat())
    for _ in range(n_moves):
        run.do(move(run.rules.legal(run.state)[0]))
    return run


def test_a_run_that_goes_on_is_the_result_until_one_ended():
    assert daily_result(MinigameRecord(), None, DAY) is None
    assert daily_result(MinigameRecord(), played(0), DAY) is None, "only opened"
    run = played(9)
    assert daily_result(MinigameRecord(), run, DAY) == DailyResult(
        run.state.score, run.state.best, False
    )
    assert daily_result(MinigameRecord(), run, DAY + timedelta(days=1)) is None
    record = MinigameRecord().with_finished(played(6), "2026-03-05T12:00:00+00:00")
    ended = played(6).state
    assert daily_result(record, run, DAY) == DailyResult(ended.score, ended.best, True)


def test_the_result_of_a_day_is_the_best_run_without_undo():
    record = MinigameRecord()
    for n_moves, takes_back in ((8, False), (20, True), (15, False), (4, False)):
        run = played(n_moves)
        if takes_back:
            run.undo()
        record = record.with_finished(run, "2026-03-05T12:00:00+00:00")
    best = played(15).state
    assert daily_result(record, None, DAY) == DailyResult(best.score, best.best, True)
