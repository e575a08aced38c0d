"""Samples against tables that were counted."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tablebase.formation.patterns_file import load_formations
from tablebase.kernels.bits import U64
from tablebase.kernels.single_boards import BoardRules
from tablebase.plan import sampling
from tablebase.plan.estimate import images_per_board
from tablebase.plan.known_costs import digest, load_known
from tablebase.plan.sampling import bytes_each, sample

FORMATIONS = load_formations()
TRIES = 2_000_000  # a tenth of the usual


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "target"),
    [("442", 512), ("L3", 256), ("t", 128), ("LL", 64), ("4421", 128), ("free8", 64)],
)
def test_a_table_is_told_from_samples(name, target):
    """Whose later layers are not expanded; with all usual tries it is told closer."""
    truth = load_known()[digest(FORMATIONS[name])][target]
    found = sample(FORMATIONS[name], target, TRIES)
    n_images = images_per_board(FORMATIONS[name])
    assert found.n_found > 15
    assert truth.boards / 1.35 < found.images / n_images < truth.boards * 1.35
    assert truth.stored / 1.5 < found.stored / n_images < truth.stored * 1.5


def test_a_table_that_is_expanded_to_the_end_is_counted():
    truth = load_known()[digest(FORMATIONS["44"])][64]
    found = sample(FORMATIONS["44"], 64, TRIES)
    assert found.n_found == 0
    assert found.images == truth.boards  # of one image each
    assert truth.stored * 0.9 < found.stored < truth.stored * 1.1


@pytest.mark.thorough
def test_a_table_that_sets_hardly_any_of_its_slots_is_sampled():
    """Of 3x405 to 4096 no slot that is drawn at random is set, in any layer."""
    assert sample(FORMATIONS["3x405"], 4096, 200_000).images > 0


@pytest.mark.thorough
def test_the_same_seed_gives_the_same_sample():
    again = [sample.__wrapped__(FORMATIONS["442"], 256, 300_000) for _ in range(2)]
    assert again[0] == again[1]
    assert again[0].images > 0


def test_the_last_layers_take_least_and_so_does_what_is_hardly_ever_missed():
    by_layer = [bytes_each(np.array([left]), 0.1) for left in range(1, 200)]
    assert (np.diff(by_layer) >= 0).all()
    by_share = [bytes_each(np.array([200]), won) for won in np.linspace(0, 1, 50)]
    assert (np.diff(by_share) <= 0).all()
    assert by_layer[0] < by_layer[-1] > by_share[-1]


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "target", "n_bytes"), [("3x4", 64, 55e6), ("L3", 64, 18e6)])
def test_certain_rates_take_less_room(name, target, n_bytes):
    """In 3x4 64 a quarter of what they take elsewhere."""
    found = sample(FORMATIONS[name], target, TRIES)
    assert n_bytes * 0.7 < found.bytes / images_per_board(FORMATIONS[name]) < n_bytes * 1.3


@pytest.mark.slow
def test_of_a_long_table_fewer_boards_are_played_on(monkeypatch):
    """Each of them plays for 2,000 layers: 180 took a minute, for a table that no machine holds."""
    played: list[int] = []
    real = sampling.can_win

    def can_win(rules: BoardRules, boards: U64, *rest: Any) -> npt.NDArray[np.bool_]:
        played.append(boards.size)
        return real(rules, boards, *rest)

    monkeypatch.setattr(sampling, "can_win", can_win)
    assert sampling.sample_watched(FORMATIONS["4442ff"], 4096).images > 1e12
    assert sum(played) < 60
