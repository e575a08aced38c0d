"""Time goes where games are lost, adds up to what was given, and is not lost to tables."""

import numpy as np
import pytest

from ai.search.time_management import NodeBudget, effort


def cells_with(n_large: int) -> np.ndarray:
    """n tiles of 128 and more among smaller ones."""
    return np.array([*range(7, 7 + n_large), *[6, 2, 1][: 16 - n_large]] + [0] * 16, np.uint8)[:16]


def test_more_large_tiles_deserve_more():
    efforts = [effort(cells_with(n)) for n in range(17 - 6)]
    assert efforts == sorted(efforts)
    assert efforts[2] < 0.2
    assert efforts[8] > 4 * efforts[5] > 4


def test_the_average_over_a_game_is_the_budget():
    """With the shares of positions that games at 1,500 nodes a move were seen to have."""
    shares = (0.009, 0.042, 0.135, 0.255, 0.237, 0.211, 0.087, 0.023, 0.001)
    mean = sum(share * effort(cells_with(n)) for n, share in enumerate(shares))
    assert mean == pytest.approx(1.0, abs=0.05)


def test_nodes_are_as_given():
    pace = NodeBudget(None, 1000)
    pace.adjust(50.0, 16, 1.0)
    pace.save(1.0)
    assert (pace.nodes(1.0), pace.nodes(0.25), pace.nodes(0.0)) == (1000, 250, 1)


def search(pace: NodeBudget, share: float, n_moves: int = 16, nodes_per_ms: float = 9000) -> float:
    """Search on a machine of such speed; return the milliseconds."""
    ms = n_moves * pace.nodes(share) / nodes_per_ms
    pace.adjust(ms, n_moves, share)
    return ms


@pytest.mark.parametrize("n_moves", [6000, 14_000])
@pytest.mark.parametrize("n_by_tables", [0, 100, 200], ids=["search", "a third", "two thirds"])
def test_a_game_that_ends_at_any_time_has_kept_the_average(n_by_tables, n_moves):
    """Searches vary in length, their speed by phase, and tables answer in 0.1 ms."""
    errors = []
    for seed in range(3):
        rng, pace, spent, made = (
            np.random.default_rng([seed, n_moves]),
            NodeBudget(3.0, None),
            0.0,
            0,
        )
        end = n_moves + int(rng.integers(1000))
        while made < end:
            if made % 300 < n_by_tables:
                pace.save(0.1)
                spent, made = spent + 0.1, made + 1
                continue
            large = (int(2.2 * made) >> 7).bit_count() + int(made // 40 % 7 > 3)
            share, now = effort(cells_with(large)), 700 * (1.5 if made // 700 % 2 else 0.8)
            n = 1 if n_by_tables else 16
            ms = float(np.sum(pace.nodes(share) * rng.lognormal(0.0, 0.7, n))) / now
            pace.adjust(ms, n, share)
            spent, made = spent + ms, made + n
        errors.append(spent / made / 3.0 - 1.0)
    assert max(map(abs, errors)) < 0.02, errors


def test_hard_positions_get_more_though_the_average_is_kept():
    """A hard stretch of 200 moves among 1800 easy ones, again and again."""
    pace, ms = NodeBudget(3.0, None), {0.5: 0.0, 3.0: 0.0}
    for made in range(0, 20_000, 10):
        share = 3.0 if made % 2000 < 200 else 0.5
        ms[share] += search(pace, share, 10)
    assert ms[3.0] / 2000 > 2.5 * ms[0.5] / 18_000


def test_shares_are_kept_to():
    pace = NodeBudget(3.0, None)
    for _ in range(300):
        search(pace, 1.0)
    assert pace.nodes(3.0) == pytest.approx(3 * pace.nodes(1.0), rel=0.1)


def test_what_tables_leave_is_spent_by_the_searches_of_the_game():
    pace, spent = NodeBudget(3.0, None), 0.0
    for _ in range(6000):
        pace.save(0.1)
        spent += 0.1 + search(pace, 1.0, 1)
    assert spent / 12_000 == pytest.approx(3.0, rel=0.02)
    assert pace.nodes(1.0) == pytest.approx(5.9 * 9000, rel=0.1)


@pytest.mark.parametrize("budget", [(None, None), (3.0, 1000)])
def test_one_budget_is_needed(budget):
    with pytest.raises(ValueError, match="one of the two"):
        NodeBudget(*budget)
