"""Samples against tables that were counted."""

import numpy as np
import pytest

from tablebase.estimate import images_per_board
from tablebase.formation import load_formations
from tablebase.known_costs import digest, load_known
from tablebase.sampling import bytes_of, sample

FORMATIONS = load_formations()
TRIES = 9_000_000  # a quarter of the usual


@pytest.mark.parametrize(("name", "target"), [("442", 128), ("L3", 128), ("t", 64), ("LL", 64)])
def test_a_table_is_told_from_samples(name: str, target: int) -> None:
    truth = load_known()[digest(FORMATIONS[name])][target]
    found = sample(FORMATIONS[name], target, TRIES)
    n_images = images_per_board(FORMATIONS[name])
    off = 1 + 3 / found.n_found**0.5
    assert found.n_found > 15
    assert truth.boards / off < found.images / n_images < truth.boards * off
    assert truth.stored / off < found.stored / n_images < truth.stored * off


def test_a_table_that_is_expanded_to_the_end_is_counted() -> None:
    truth = load_known()[digest(FORMATIONS["44"])][64]
    found = sample(FORMATIONS["44"], 64, TRIES)
    assert found.n_found == 0
    assert found.images == truth.boards  # of one image each
    assert truth.stored * 0.9 < found.stored < truth.stored * 1.1


def test_the_same_seed_gives_the_same_sample() -> None:
    again = [sample.__wrapped__(FORMATIONS["442"], 256, 300_000) for _ in range(2)]
    assert again[0] == again[1]
    assert again[0].images > 0


def test_the_last_layers_take_least() -> None:
    assert (np.diff(bytes_of(np.arange(1, 200))) >= 0).all()
