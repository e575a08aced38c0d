"""What is filed of games: with large tiles as F, by tables of sums, and never less than before."""

from contextlib import ExitStack, closing
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from coach.analysis.analyze import analyze
from coach.mistakes.mistakes import Mistakes
from coach.profile.facts import JudgedMoves
from coach.profile.filing import file_parts
from coach.profile.judged_moves import judged_moves
from coach.profile.own_games import OwnGames
from coach.record.user_database import UserDatabase
from coach.recordings.many_tables import rate_by
from coach.recordings.recording import recording_of, recording_of_run
from coach.whole_game.analysis import Analyzed
from engine.formats.replay_rules import cut
from tablebase.build.builder import BuildPlan, build
from tablebase.formation.goal import SumGoal
from tablebase.probe.reader import Tablebase
from tests.coach.made_sessions import played
from tests.coach.played_games import played_game

NOON = datetime(2026, 11, 24, 12, tzinfo=UTC)
TARGET_EXPONENT = 6


def test_wrong_moves_beside_f_and_real_large_tiles_are_filed(table, formations, tmp_path):
    mistakes, n = Mistakes(UserDatabase(tmp_path), threshold=1.0), 0
    with Tablebase.open(table("442", 64)) as opened:
        for seed in range(6):
            real = played_game(opened, seed, n_moves=60)
            large = sorted(exponent for exponent in real.start if exponent >= TARGET_EXPONENT)
            f = set(large[1:])  # the smallest keeps its value
            start = tuple(15 if exponent in f else exponent for exponent in real.start)
            recorded = cut(replace(real, start=start, merge_32768=False))
            report = analyze(recorded, [opened], least_moves=1)
            ids = file_parts(mistakes, report, formations, f"game {seed}", NOON)
            for one in mistakes.get(ids).values():
                assert f"{one.board:x}".count("f") == opened.n_large
                n += 1
            boards, of_real = (
                {move.number: move.position.board for move in judged_moves(rated, formations)}
                for rated in (rate_by(opened, recording_of(one)) for one in (recorded, real))
            )
            for number, board in boards.items():
                masked = of_real.get(number, 0)
                assert f"{masked:x}".count("f") < opened.n_large or board == masked
    mistakes.close()
    assert n > 5


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


def test_a_canceled_analysis_leaves_what_an_earlier_one_found(tmp_path):
    whole = recording_of_run(played(20))
    begun = replace(whole, rates=(*whole.rates[:5], *[None] * (len(whole.rates) - 5)))
    path = tmp_path / "game.vrs"
    path.touch()
    report = analyze(whole.replay, [])
    with ExitStack() as stack:
        mistakes = stack.enter_context(closing(Mistakes(UserDatabase(tmp_path))))
        facts = stack.enter_context(closing(JudgedMoves(UserDatabase(tmp_path))))
        own = OwnGames(mistakes, facts, {})
        part = own.keep(path, report, Analyzed(begun, False, 5, 21)).n_moves
        assert part == len(facts.all())
        found = own.keep(path, report, Analyzed(whole, True, 21, 21)).n_moves
        assert found == len(facts.all()) > part > 0
        assert own.keep(path, report, Analyzed(begun, False, 5, 21)).n_moves == found
        assert len(facts.all()) == found
