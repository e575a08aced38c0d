"""Time goes where games are lost, adds up to what was given, and is not lost to tables."""

import numpy as np
import pytest

from ai.pacing import Pace, effort


def cells_with(n_large: int) -> np.ndarray:
    """n tiles of 128 and more among smaller ones."""
    return np.array([*range(7, 7 + n_large), *[6, 2, 1][: 16 - n_large]] + [0] * 16, np.uint8)[:16]


def test_more_large_tiles_deserve_more() -> None:
    efforts = [effort(cells_with(n)) for n in range(17 - 6)]
    assert efforts == sorted(efforts)
    assert efforts[2] < 0.2
    assert efforts[8] > 4 * efforts[5] > 4


def test_the_average_over_a_game_is_the_budget() -> None:
    """With the shares of positions that games at 1,500 nodes a move were seen to have."""
    shares = (0.009, 0.042, 0.135, 0.255, 0.237, 0.211, 0.087, 0.023, 0.001)
    mean = sum(share * effort(cells_with(n)) for n, share in enumerate(shares))
    assert mean == pytest.approx(1.0, abs=0.05)


def test_nodes_are_as_given() -> None:
    pace = Pace(None, 1000)
    pace.adjust(50.0, 16, 1.0)
    pace.save(1.0, 1.0)
    assert (pace.nodes(1.0), pace.nodes(0.25), pace.nodes(0.0)) == (1000, 250, 1)


def test_milliseconds_are_met_whatever_the_speed() -> None:
    """A machine of 9,000 nodes a millisecond, positions of all kinds in turn."""
    pace, spent, allowed = Pace(3.0, None), 0.0, 0.0
    for i in range(600):
        share = (0.1, 0.7, 2.9)[i % 3]
        ms = 16 * pace.nodes(share) / 9000
        pace.adjust(ms, 16, share)
        if i >= 100:
            spent, allowed = spent + ms, allowed + 16 * 3.0 * share
    assert spent == pytest.approx(allowed, rel=0.02)


def test_what_tables_leave_is_spent_later_and_no_more_than_that() -> None:
    pace, spent, n = Pace(3.0, None), 0.0, 4000
    for _ in range(500):  # until the speed is known
        pace.adjust(pace.nodes(1.0) / 9000, 1, 1.0)
    for _ in range(100):
        pace.save(0.1, 1.0)
    for _ in range(n):
        ms = pace.nodes(1.0) / 9000
        pace.adjust(ms, 1, 1.0)
        spent += ms
    assert spent == pytest.approx(3.0 * n + 290, rel=0.01)


@pytest.mark.parametrize("budget", [(None, None), (3.0, 1000)])
def test_one_budget_is_needed(budget: tuple[float | None, int | None]) -> None:
    with pytest.raises(ValueError, match="one of the two"):
        Pace(*budget)
