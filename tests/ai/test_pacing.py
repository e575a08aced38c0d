"""Time goes where games are lost, adds up to what was given, and is not lost to tables."""

import numpy as np
import pytest

from ai.search.time_management import Pace, effort


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
    pace.save(1.0)
    assert (pace.nodes(1.0), pace.nodes(0.25), pace.nodes(0.0)) == (1000, 250, 1)


def search(pace: Pace, share: float, n_moves: int = 16, nodes_per_ms: float = 9000) -> float:
    """Search on a machine of such speed; return the milliseconds."""
    ms = n_moves * pace.nodes(share) / nodes_per_ms
    pace.adjust(ms, n_moves, share)
    return ms


@pytest.mark.parametrize("nodes_per_ms", [700, 9000])
@pytest.mark.parametrize("shares", [(0.1, 0.7, 2.9), (0.6, 0.7, 0.8), (1.1, 1.2, 1.6)])
def test_a_long_game_keeps_the_average(shares: tuple[float, ...], nodes_per_ms: float) -> None:
    """Whatever the machine's speed, and whatever its positions are."""
    pace, n = Pace(3.0, None), 1500
    spent = sum(search(pace, shares[i % 3], 16, nodes_per_ms) for i in range(n))
    assert spent / (16 * n) == pytest.approx(3.0, rel=0.06)


def test_shares_are_kept_to() -> None:
    pace = Pace(3.0, None)
    for _ in range(300):
        search(pace, 1.0)
    assert pace.nodes(3.0) == pytest.approx(3 * pace.nodes(1.0), rel=0.1)


def test_what_tables_leave_is_spent_later_and_no_more_than_that() -> None:
    pace, n = Pace(3.0, None), 30_000
    for _ in range(500):  # until the speed is known
        search(pace, 1.0, 1)
    for _ in range(1000):
        pace.save(0.1)
    before = pace.nodes(1.0)
    spent = sum(search(pace, 1.0, 1) for _ in range(n))
    assert before > 1.2 * 3.0 * 9000
    assert spent == pytest.approx(3.0 * n + 2900, rel=0.005)


def test_what_is_saved_lasts_for_thousands_of_moves() -> None:
    """A table may decide a third of a game's moves: its time is for the moves far after it, too."""
    pace = Pace(3.0, None)
    for _ in range(500):  # until the speed is known
        search(pace, 1.0, 1)
    for _ in range(1000):
        pace.save(0.0)
    spent = [search(pace, 1.0, 1) - 3.0 for _ in range(12_000)]
    assert sum(spent[:500]) < 0.25 * 3000
    assert sum(spent[:12_000]) > 0.9 * 3000


@pytest.mark.parametrize("budget", [(None, None), (3.0, 1000)])
def test_one_budget_is_needed(budget: tuple[float | None, int | None]) -> None:
    with pytest.raises(ValueError, match="one of the two"):
        Pace(*budget)
