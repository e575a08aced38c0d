"""Grades at their thresholds, ties, disasters, what a game adds up to, and its luck."""

import json
import math
import random
from contextlib import closing
from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.exam.history import ExamQuery, History
from coach.exam.session_file import SessionFileError, session_from_json, session_to_json
from coach.grading.grade import GRADES, UINT32, Grade, Score, Tolerance, judge
from coach.grading.luck import Fortune, spawn_luck
from coach.old_files.opening import open_user_database
from coach.old_files.tests import MIGRATIONS
from coach.play.run import Run
from coach.record.database import open_database
from coach.record.user_database import UserDatabase
from coach.recordings.recording import open_recording
from engine.bitboard import cells
from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.probe.reader import Tablebase
from tests.coach.made_sessions import (
    STARTED,
    finished,
    list_test,
    played,
    rates_of,
    setup,
    write_session,
)

EXACT = Tolerance(0.0)


def judged(*rates: float | None, direction: int = 0, tolerance: Tolerance = EXACT):
    found = judge(rates, direction, tolerance)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("ratio", "grade"),
    [
        (0.9999, Grade.EXCELLENT),
        (0.999, Grade.EXCELLENT),
        (0.9989, Grade.GOOD),
        (0.99, Grade.GOOD),
        (0.9899, Grade.INACCURATE),
        (0.975, Grade.INACCURATE),
        (0.9749, Grade.MISTAKE),
        (0.9, Grade.MISTAKE),
        (0.8999, Grade.BLUNDER),
        (0.75, Grade.BLUNDER),
        (0.7499, Grade.DISASTER),
        (0.0, Grade.DISASTER),
    ],
)
def test_a_ratio_has_its_grade(ratio, grade):
    found = judged(ratio, 1.0, None, None)
    assert (found.grade, found.ratio) == (grade, ratio)
    assert found.loss == 1 - ratio
    assert not found.is_perfect


def test_every_move_as_good_as_the_best_is_perfect():
    for direction in (0, 2):
        found = judged(0.5, 0.4, 0.5, None, direction=direction)
        assert found.is_perfect
        assert found.ratio == 1.0
        assert found.best == (0, 2)


def test_rounding_apart_is_no_loss():
    unit = 1 / 4e9
    assert judged(1e-7 - unit, 1e-7, None, None, tolerance=UINT32).is_perfect
    assert not judged(1e-7 - 2 * unit, 1e-7, None, None, tolerance=UINT32).is_perfect
    low = 100 * unit  # a step is a percent of such a rate, and yet only a step
    assert judged(99 * unit, low, None, None, tolerance=UINT32).is_perfect
    assert not judged(98 * unit, low, None, None, tolerance=UINT32).is_perfect


@pytest.mark.parametrize("best", [1.0, 0.9997127, 0.5, 0.01, 1e-4])
def test_a_loss_that_means_nothing_is_none(best):
    """Below 0.001 points, and a thousandth of what there was."""
    least = min(1e-5, best / 1000)
    as_good = judged(best - 0.99 * least, best, None, None, tolerance=UINT32)
    assert as_good.is_perfect
    assert as_good.best == (0, 1)
    assert not judged(best - 1.01 * least, best, None, None, tolerance=UINT32).is_perfect


def test_exact_types_tell_smaller_differences():
    exact = Tolerance.of_type("float64")
    assert exact.slack(1e-9) < UINT32.slack(1e-9)
    assert Tolerance.of_type("uint32") == UINT32
    assert Tolerance.of_type("uint64").absolute < 1e-18


def test_a_tiny_step_does_not_make_nothing_perfect():
    """A rate of 0 is a disaster, even beside a best rate of one step."""
    found = judged(0.0, 1 / 4e9, None, None, tolerance=UINT32)
    assert found.grade is Grade.DISASTER
    assert found.ratio == 0.0


@pytest.mark.parametrize(
    ("rates", "direction"),
    [((None, 0.5, None, None), 0), ((0.0, 0.0, None, None), 0), ((None,) * 4, 2)],
)
def test_what_cannot_be_judged_is_not(rates, direction):
    assert judge(rates, direction, EXACT) is None


def test_the_only_move_is_forced():
    assert judged(None, 0.2, None, None, direction=1).is_forced
    assert not judged(0.0, 0.2, None, None, direction=1).is_forced


def test_a_disaster_ends_the_match_rate():
    score = Score().add(judged(0.0, 0.9, None, None))
    assert score.match_rate == 0.0
    assert score.add(judged(0.9, 0.1, None, None)).match_rate == 0.0
    assert score.largest_loss == 1.0


def test_forced_moves_may_be_left_out():
    forced = judged(0.5, None, None, None)
    assert Score().add(forced).count(Grade.PERFECT) == 1
    without = Score(combo=3, leaves_out_forced=True).add(forced)
    assert (without.n_moves, without.combo, without.n_forced) == (0, 3, 1)


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(1, 1000)), max_size=40))
def test_a_score_adds_up(moves):
    """Against sums, products and runs over the whole list, in exact fractions."""
    judgements = [judged(a / 1000, b / 1000, None, None) for a, b in moves]
    score = Score()
    for judgement in judgements:
        score = score.add(judgement)
    perfect = [a >= b for a, b in moves]
    runs = "".join("p" if one else " " for one in perfect).split(" ")
    product = math.prod((min(Fraction(1), Fraction(a, b)) for a, b in moves), start=Fraction(1))
    assert score.match_rate == pytest.approx(float(product), rel=1e-9, abs=1e-300)
    assert score.n_moves == len(moves)
    assert score.count(Grade.PERFECT) == sum(perfect)
    assert score.longest_combo == max(map(len, runs))
    assert score.combo == len(runs[-1])
    for grade, n in zip(GRADES, score.counts, strict=True):
        assert n == sum(one.grade is grade for one in judgements)


def test_nothing_to_add_changes_nothing():
    assert Score().add(None) == Score()


def test_rates_less_one_of_other_programs_have_a_tolerance_too():
    assert Tolerance.of_type("1-float32") == Tolerance.of_type("float32")
    assert Tolerance.of_type("1-float64").same(0.5, 0.5 + 4e-15)


rates = st.floats(1e-9, 1.0)


def test_a_tile_by_hand():
    luck = spawn_luck(0.25, 0.5)
    assert luck
    assert luck.log == pytest.approx(math.log(2))
    assert luck.points == 0.25


def test_a_tile_after_which_nothing_is_left():
    luck = spawn_luck(0.25, 0.0)
    assert luck
    assert (luck.log, luck.points) == (-math.inf, -0.25)


@pytest.mark.parametrize(("rate", "after"), [(None, 0.5), (0.5, None), (0.0, 0.0)])
def test_where_a_rate_is_not_known_or_nothing_was_left_there_is_no_luck(rate, after):
    assert spawn_luck(rate, after) is None


def test_a_game_by_hand():
    """0.8, keeps 0.4 (half), is lucky twice: 0.6; keeps all, bad luck: 0.3."""
    game = Fortune.from_rate(0.8).add(0.4, 0.6).add(0.6, 0.3)
    assert game.skill == pytest.approx(math.log(0.5))
    assert game.luck == pytest.approx(math.log(1.5) + math.log(0.5))
    assert game.difficulty == -game.luck
    assert game.points_lost == pytest.approx(0.4)
    assert game.points_of_luck == pytest.approx(0.2 - 0.3)
    assert (game.n_tiles, game.worst_tile, game.best_tile) == (2, -0.3, pytest.approx(0.2))


def test_the_worst_and_the_best_tile_may_be_any_of_a_game():
    game = Fortune.from_rate(0.5)
    for after in (0.6, 0.2, 0.9, 0.8):
        game = game.add(game.end, after)
    assert game.worst_tile == pytest.approx(-0.4)
    assert game.best_tile == pytest.approx(0.7)


@given(rates, st.lists(st.tuples(st.floats(1e-6, 1.0), rates), max_size=40))
def test_skill_and_luck_explain_the_whole_way(start, steps):
    game, best = Fortune.from_rate(start), start
    for kept, after in steps:
        game = game.add(best * kept, after)
        best = after
    assert game.end == best
    assert math.log(best) == pytest.approx(math.log(start) + game.skill + game.luck, abs=1e-9)
    assert best == pytest.approx(start - game.points_lost + game.points_of_luck, abs=1e-9)
    assert game.skill <= 1e-12


def test_after_a_move_that_leaves_nothing_the_sum_is_all_lost_and_nothing_follows():
    game = Fortune.from_rate(0.5).add(0.0, 0.0)
    assert (game.skill, game.end, game.luck) == (-math.inf, 0.0, 0.0)
    assert game.points_lost == 0.5
    with pytest.raises(ValueError, match="nothing is left"):
        game.add(0.0, 0.0)


def test_luck_is_fair_in_rates_and_below_zero_in_logarithms(table):
    """Over all tiles that may come, of moves of a random game."""
    choice, rng, n_checked = random.Random(3), Rng(5), 0
    with Tablebase.open(table("44", 64)) as opened:
        board = opened.start_board(rng)
        for _ in range(60):
            probe = opened.get(board)
            legal = [d for d in range(4) if probe and (probe.rates[d] or 0) > 1e-3]
            if probe is None or not legal or 6 in cells(board):
                board = opened.start_board(rng)
                continue
            after = move(board, choice.choice(legal))
            rate = opened.rate_of(after)
            if rate < 1.0:
                means = expected_luck(opened, after, rate)
                assert means[0] == pytest.approx(0.0, abs=2e-9)  # rates are rounded to 2.5e-10
                assert means[1] <= 1e-6
                n_checked += 1
            board = spawn(after, rng, 0.1)[0]
    assert n_checked > 20


def expected_luck(table, after, rate):
    """The mean luck of the tiles after an after-state: in rates, and in logarithms."""
    empty = [i for i, tile in enumerate(cells(after)) if tile == 0]
    points, logs = [], []
    for cell in empty:
        for tile, chance in ((1, 0.9), (2, 0.1)):
            found = table.get(after | tile << 60 - 4 * cell)
            best = max((one for one in found.rates if one is not None), default=0.0)
            luck = spawn_luck(rate, best)
            points.append(chance * luck.points / len(empty))
            logs.append(chance * luck.log / len(empty))
    return math.fsum(points), sum(logs)


LEFT, RIGHT, UP, DOWN = range(4)


@pytest.mark.parametrize(("lower", "is_perfect"), [(0.0001, True), (0.00011, False)])
@pytest.mark.parametrize("best", [0.9932, 0.5, 0.0007])
def test_what_loses_no_more_than_allowed_is_perfect(best, lower, is_perfect):
    tolerance = Tolerance.of_type("uint32").allowing(0.0001)
    judgement = judge((best, best - lower, 0.0, None), RIGHT, tolerance)
    assert judgement
    assert judgement.is_perfect == is_perfect
    assert judgement.best == ((LEFT, RIGHT) if is_perfect else (LEFT,))
    assert (judgement.ratio == 1.0) == (judgement.points_lost == 0.0) == is_perfect


def test_nothing_is_equal_to_a_chance_whatever_is_allowed():
    judgement = judge((0.00001, 0.0, None, None), RIGHT, Tolerance.of_type("uint32").allowing(0.5))
    assert judgement
    assert judgement.grade is Grade.DISASTER


def test_streak_match_rate_and_counts_go_by_it():
    def taken(perfect_within: float) -> Run:
        session = Run(setup(perfect_within=perfect_within), STARTED)
        for _ in range(6):
            rates = [None if rate is None else 0.9 for rate in rates_of(session.board)]
            direction = next(d for d in range(4) if rates[d] is not None)
            rates[direction] = 0.8999  # 0.01 points less than the others
            if rates.count(0.9):
                session.play(direction, rates)
        return session

    exact, lenient = taken(0.0), taken(0.01)
    assert exact.score.longest_combo == 0
    assert exact.score.match_rate < 1
    assert exact.score.count(Grade.PERFECT) == 0
    assert lenient.score.longest_combo == lenient.n_moves == exact.n_moves > 3
    assert lenient.score.match_rate == 1
    assert lenient.worst(9) == []


def test_the_file_keeps_it_and_one_without_it_is_exact():
    text = session_to_json(played(20, perfect_within=0.1))
    session = session_from_json(text)
    assert session.setup.perfect_within == 0.1
    assert session.score == played(20, perfect_within=0.1).score
    data = json.loads(session_to_json(played(20)))
    del data["perfect_within"]
    assert session_from_json(json.dumps(data)).setup == played(20).setup
    data["perfect_within"] = -1
    with pytest.raises(SessionFileError, match="'perfect_within' is -1"):
        session_from_json(json.dumps(data))


def test_review_grades_a_test_as_the_test_did(tmp_path):
    session = played(60, by=3, perfect_within=0.1)
    assert session.score.counts != played(60, by=3).score.counts
    write_session(tmp_path / "L3_256_x.json", session)
    recording = open_recording(tmp_path / "L3_256_x.json")
    assert recording.score == session.score
    assert list(recording.judgements) == [move.judgement for move in session.moves]


def test_the_history_compares_like_with_like(tmp_path):
    history = History(UserDatabase(tmp_path))
    exact, lenient = finished(1), finished(2, perfect_within=100.0)
    assert lenient.match_rate > exact.match_rate
    for test in (exact, lenient):
        list_test(history, test)
    assert history.tests() == [lenient, exact]
    assert history.allowances() == [0.0, 100.0]
    assert history.best_like(finished(3)) == exact
    assert history.best_like(finished(3, perfect_within=100.0)) == lenient
    assert history.best_like(finished(3, perfect_within=0.1)) is None
    assert history.tests(ExamQuery(perfect_within=0.0)) == [exact]
    assert history.tests(ExamQuery(perfect_within=100.0)) == [lenient]
    history.close()


def test_a_history_of_before_is_read_in_and_its_tests_are_exact(tmp_path):
    path, test = tmp_path / "tests.db", finished(1)
    history = History(UserDatabase(tmp_path / "other"))
    list_test(history, test)
    row = history.rows("SELECT * FROM run").fetchone()
    history.close()
    with closing(open_database(path, MIGRATIONS[:1])) as old:
        names = [r[1] for r in old.execute("PRAGMA table_info(tests)").fetchall()]
        known = {
            "id": 1,
            "path": "C:\\tests\\1.json",
            "name": test.table,
            "ended": test.ended.isoformat(),
        }
        values = [known[name] if name in known else row[name] for name in names]
        marks = ", ".join("?" * len(names))
        old.execute(f"INSERT INTO tests ({', '.join(names)}) VALUES ({marks})", values)
    with closing(History(open_user_database(tmp_path))) as read:
        assert read.tests() == [replace(test, started=test.ended, points_lost=None)]
    with closing(open_database(path, MIGRATIONS[:1])) as old:
        assert old.execute("SELECT count(*) FROM tests").fetchone()[0] == 1, "as it was"
