"""Filing and counting moves to drill follow one rule."""

import pytest

from coach.grading.grade import GRADES, Grade, Tolerance, judge
from coach.mistakes.to_drill import LIMITS, count_to_drill, first_filed, is_to_drill

EXACT = Tolerance(1e-12)


@pytest.mark.parametrize("first", GRADES[1:])
def test_what_is_counted_is_what_is_filed(first: Grade) -> None:
    counts = [0] * len(GRADES)
    n_filed = 0
    for kept in range(0, 100_001, 7):
        judgement = judge((1.0, kept / 100_000, None, None), 1, EXACT)
        assert judgement
        counts[GRADES.index(judgement.grade)] += 1
        n_filed += is_to_drill(judgement, LIMITS[first])
        is_bad_enough = GRADES.index(judgement.grade) >= GRADES.index(first)
        assert is_to_drill(judgement, LIMITS[first]) is is_bad_enough, kept
    assert count_to_drill(counts, LIMITS[first]) == n_filed
    assert first_filed(LIMITS[first]) is first


def test_a_good_move_is_none_to_drill_unless_one_says_so() -> None:
    good = judge((1.0, 0.99, None, None), 1, EXACT)
    assert good
    assert good.grade is Grade.GOOD
    assert not is_to_drill(good)
    assert is_to_drill(good, LIMITS[Grade.GOOD])


def test_throwing_everything_away_is_always_one_to_drill() -> None:
    lost = judge((1.0, 0.0, None, None), 1, EXACT)
    assert lost
    assert is_to_drill(lost, 0.0)
