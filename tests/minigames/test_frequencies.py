"""How often things happen: fixed seeds, within four standard deviations."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from math import sqrt

import pytest

from minigames.rules import Outcome
from minigames.state import State
from tests.minigames.made_states import do, state_of
from tests.minigames.specified import fake_adversary

N = 10_000
FEW = 4_000  # of what takes longer


def near(count: int, n: int, chance: float) -> bool:
    return abs(count - n * chance) <= 4 * sqrt(n * chance * (1 - chance))


def assert_shares(seen: Mapping[object, int], shares: Mapping[object, float]) -> None:
    n = sum(seen.values())
    assert set(seen) == set(shares)
    for key, share in shares.items():
        assert near(seen[key], n, share), (key, seen[key] / n, share)


def outcomes(state: State, direction: str, n: int, adversary=None) -> Iterator[Outcome]:
    """Make a move again and again; the generators of each time have nothing to do with others."""
    for seed in range(n):
        streams = ((seed * 3 + 1) << 32, (seed * 3 + 2) << 32, (seed * 3 + 3) << 32)
        yield do(replace(state, rng=streams), direction, adversary)


def kinds(found: Iterable[Outcome], is_it: Callable) -> int:
    return sum(any(map(is_it, events)) for _, events in found)


def test_a_tenth_of_the_new_tiles_are_fours_and_cells_are_equally_likely():
    tiles, cells = Counter(), Counter()
    for after, _ in outcomes(state_of("ice_age", "2 _ _ _"), "right", N):
        tiles[after.tiles[after.newest]] += 1
        cells[after.newest] += 1
    assert_shares(tiles, {1: 0.9, 2: 0.1})
    assert_shares(cells, dict.fromkeys(set(range(16)) - {3}, 1 / 15))
    chi_squared = sum((n - N / 15) ** 2 / (N / 15) for n in cells.values())
    assert chi_squared < 14 + 4 * sqrt(2 * 14)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("game", "hard", "chances"),
    [
        ("isolated_island", False, [0.04, 0.02, 0, 0]),
        ("isolated_island", True, [0.05, 0.03, 0.01, 0]),
        ("endless_hybrid", False, [0.03, 0.01, 0]),
        ("endless_hybrid", True, [0.045, 0.025, 0.005, 0]),
    ],
)
@pytest.mark.thorough
def test_portals_become_rarer_the_more_there_are(game, hard, chances):
    boards = ["2 _ _ _", "2 _ _ _ / P _ _ _", "2 _ _ _ / P _ _ _ / _ P _ _"]
    boards.append("2 _ _ _ / P _ _ _ / _ P _ _ / _ _ P _")
    for n, chance in enumerate(chances):
        state = state_of(game, boards[n], hard)
        if game == "endless_hybrid":
            chance *= 0.95  # where no object comes
        found = kinds(outcomes(state, "right", FEW), lambda event: event.what == "portal")
        assert near(found, FEW, chance), (n, found / FEW)
        assert chance or not found


@pytest.mark.sample(2)
@pytest.mark.parametrize(
    ("game", "hard", "chance", "names"),
    [
        ("endless_explosions", False, 0.03, ["bomb"]),
        ("endless_factorization", False, 0.03, ["factorizer"]),
        ("endless_giftbox", False, 0.03, ["gift"]),
        ("endless_explosions", True, 0.015, ["bomb"]),
        ("endless_factorization", True, 0.015, ["factorizer"]),
        ("endless_giftbox", True, 0.015, ["gift"]),
        ("endless_hybrid", False, 0.05, ["bomb", "factorizer", "gift"]),
        ("endless_hybrid", True, 0.05, ["bomb", "factorizer", "gift"]),
    ],
)
def test_objects(game, hard, chance, names):
    n = N if len(names) > 1 else FEW
    seen, cells = Counter(), Counter()
    for after, events in outcomes(state_of(game, "2 _ _ _", hard), "right", n):
        for event in events:
            if event.kind == "object":
                seen[event.what] += 1
                cells[after.number("object")] += 1
    assert near(seen.total(), n, chance), seen.total() / n
    assert_shares(seen, dict.fromkeys(names, 1 / len(names)))
    assert set(cells) <= set(range(16)) - {3}
    assert len(cells) >= 12
    there = state_of(game, "2 _ _ _ / _ B _ _", hard)
    assert not kinds(outcomes(there, "right", 500), lambda event: event.kind == "object")


@pytest.mark.thorough
def test_gifts_are_drawn_by_the_power_law():
    for old in (1, 3, 10):
        weights = {k: k**-1.5 for k in range(2, 11) if k != old}
        state = state_of("endless_giftbox", f"_ {2**old} B _", kind=2)
        seen = Counter(after.tiles[0] for after, _ in outcomes(state, "left", FEW))
        total = sum(weights.values())
        assert_shares(seen, {k: weight / total for k, weight in weights.items()})


def test_splits_are_equally_likely():
    state = state_of("endless_factorization", "64 B _ _", kind=1)
    seen = Counter(after.tiles[:2] for after, _ in outcomes(state, "left", FEW))
    assert_shares(seen, {(a, 6 - a): 1 / 5 for a in range(1, 6)})


@pytest.mark.thorough
@pytest.mark.parametrize("hard", [False, True])
def test_marks_become_rarer_the_more_craters_there_are(hard):
    for n, chance in enumerate([0.08, 0.055, 0.03, 0.01, 0.01]):
        text = "2 _ _ _ / " + " / ".join(["C _ _ _", "_ C _ _", "_ _ C C"])
        words, left = text.split(), n
        words = [w if w != "C" or (left := left - 1) >= 0 else "_" for w in words]
        text = " ".join(words)
        life = [0] * 16
        state = state_of("endless_air_raid", text, hard)
        for cell, kind in enumerate(state.terrain):
            life[cell] = 50 if kind else 0
        state = replace(state, own={**state.own, "crater_left": life})
        cells = Counter()
        for after, _ in outcomes(state, "right", FEW):
            if after.number("mark") >= 0:
                cells[after.number("mark")] += 1
        assert near(cells.total(), FEW, chance), (n, cells.total() / FEW)
        assert not {cell for cell in cells if life[cell]}


def test_pairs_of_columns_are_equally_likely():
    state, seen = state_of("column_chaos", "2 _ _ _", moves_left=1), Counter()
    for _, events in outcomes(state, "right", FEW):
        (swap,) = [event for event in events if event.kind == "permute"]
        seen[tuple(sorted({source % 4 for source, _ in swap.pairs}))] += 1
    pairs = [(a, b) for a in range(4) for b in range(a + 1, 4)]
    assert_shares(seen, dict.fromkeys(pairs, 1 / 6))


@pytest.mark.parametrize(("hard", "chance"), [(False, 0.25), (True, 0.05)])
def test_awards(hard, chance):
    state, seen = state_of("ferris_wheel", "256 256 _ _", hard), Counter()
    for _, events in outcomes(state, "left", FEW if not hard else N):
        seen.update(event.what for event in events if event.kind == "award")
    assert near(seen.total(), N if hard else FEW, chance)
    assert_shares(seen, dict.fromkeys(("bomb", "glove", "twist"), 1 / 3))


@pytest.mark.sample(1)
@pytest.mark.parametrize(("hard", "share"), [(False, 0.33), (True, 0.43)])
def test_the_share_of_the_adversary(hard, share):
    asked = []

    def adversary(image):
        asked.append(tuple(image))
        return fake_adversary(image)

    state = state_of("tricky_tiles", "2 4 _ _ / 8 _ _ _", hard)
    for _ in outcomes(state, "right", N, adversary):
        pass
    assert near(len(asked), N, share), len(asked) / N
    # Each of the eight images is asked about as often as others.
    assert_shares(Counter(asked), dict.fromkeys(set(asked), 1 / 8))
