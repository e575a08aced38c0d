"""The Glicko system against the example of its paper, and against its formulas written out."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.puzzles.rating import Rating, after_answer, expected_score


def slow_glicko(value, deviation, games):
    """Return rating and deviation after games, as steps 1 and 2 of the paper say it."""
    q = math.log(10) / 400

    def g(rd):
        return 1 / math.sqrt(1 + 3 * q * q * rd * rd / math.pi**2)

    def e(rj, rdj):
        return 1 / (1 + math.pow(10, -g(rdj) * (value - rj) / 400))

    d_squared = 1 / (q * q * sum(g(rd) ** 2 * e(r, rd) * (1 - e(r, rd)) for r, rd, _ in games))
    together = 1 / (1 / deviation**2 + 1 / d_squared)
    gained = sum(g(rd) * (score - e(r, rd)) for r, rd, score in games)
    return value + q * together * gained, math.sqrt(together)


def test_the_worked_example_of_the_paper():
    """Glickman, The Glicko system, "Example": 1500 with 200 beats 1400, loses to 1550 and 1700."""
    player = Rating(1500, 200)
    games = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    expected = [expected_score(player, other) for other, _ in games]
    assert expected == pytest.approx([0.639, 0.432, 0.303], abs=0.0005)
    after = player.after(games)
    assert after.value == pytest.approx(1464, abs=0.5)
    assert after.deviation == pytest.approx(151.4, abs=0.05)


ratings = st.tuples(st.floats(1000, 2500), st.floats(40, 350))


@given(ratings, st.lists(st.tuples(ratings, st.sampled_from([0.0, 1.0])), min_size=1, max_size=8))
def test_any_games_as_the_formulas_have_them(own, games):
    after = Rating(*own).after([(Rating(*other), score) for other, score in games])
    value, deviation = slow_glicko(*own, [(*other, score) for other, score in games])
    assert after.value == pytest.approx(min(4000, max(0, value)))
    assert after.deviation == pytest.approx(max(30, deviation))


def test_a_right_answer_raises_the_person_and_lowers_the_puzzle():
    person, puzzle = Rating(1500, 100), Rating(1700, 250)
    better, easier = after_answer(person, puzzle, True)
    worse, harder = after_answer(person, puzzle, False)
    assert (better.value, better.deviation) == pytest.approx(
        slow_glicko(1500, 100, [(1700, 250, 1)])
    )
    assert (harder.value, harder.deviation) == pytest.approx(
        slow_glicko(1700, 250, [(1500, 100, 1)])
    )
    assert worse.value < 1500 < better.value
    assert easier.value < 1700 < harder.value
    assert abs(1700 - easier.value) > abs(better.value - 1500), "less is known of the puzzle"


def test_nobody_stands_still_and_nobody_leaves_the_scale():
    assert Rating(1500, 30).after([(Rating(1500, 30), 1.0)]).deviation == 30
    assert Rating(3999, 350).after([(Rating(3999, 30), 1.0)]).value == 4000
    assert Rating(1, 350).after([(Rating(1, 30), 0.0)]).value == 0


def test_what_is_not_heard_of_for_a_year_is_unknown_again():
    assert Rating(1800, 50).aged(365) == Rating(1800, pytest.approx(350))
    assert Rating(1800, 50).aged(0) == Rating(1800, 50)
    assert Rating(1800, 50).aged(-3) == Rating(1800, 50), "a clock that was set back"
    assert Rating(1800, 50).aged(4000).deviation == 350
    half = Rating(1800, 50).aged(182.5).deviation
    assert half == pytest.approx(math.sqrt(50**2 + (350**2 - 50**2) / 2))
