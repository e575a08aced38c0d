"""Wrong moves of games that were analyzed by a table of a sum: filed with the board it knows."""

from datetime import UTC, datetime

import pytest

from coach.analysis.analyze import analyze
from coach.mistakes.mistakes import Mistakes
from coach.profile.filing import file_parts
from coach.record.user_database import UserDatabase
from tablebase.build.builder import BuildPlan, build
from tablebase.formation.goal import SumGoal
from tablebase.probe.reader import Tablebase
from tests.coach.played_games import played_game

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)


def test_wrong_moves_towards_a_sum_are_filed(formations, tmp_path):
    folder = tmp_path / "44_sum90"
    build(BuildPlan(formations["44"], SumGoal(90), folder))
    mistakes, n = Mistakes(UserDatabase(tmp_path), threshold=1.0), 0
    with Tablebase.open(folder) as table:
        for seed in range(12):
            report = analyze(played_game(table, seed, n_moves=60), [table], least_moves=5)
            ids = file_parts(mistakes, report, formations, f"game {seed}", NOON)
            for one in mistakes.get(ids).values():
                assert one.key.name == "44_sum90"
                best = table.probe(one.board, True).best_rate
                assert max(filter(None, one.rates)) == pytest.approx(best, abs=1e-8)
                n += 1
    mistakes.close()
    assert n > 10
