"""What a table of moving F tiles answers for a player's board: real tiles, turned, ambiguous."""

import math
import random
from collections.abc import Iterator

import numpy as np
import pytest
from brute_force import board_of, cells_of
from exact_rates import SQUARE, Exact, Rates, assert_honest, assert_stored, is_close, turned
from makers import Solver, TableMaker
from small_formations import MOVABLE, rules_of

from tablebase.errors import ProbeError
from tablebase.formation.formation import Formation
from tablebase.probe.probes import Probe
from tablebase.probe.reader import Tablebase

LARGE = range(6, 16)  # exponents from the target 64 on
# Where a 64 is on the board, the target has been reached, whichever tiles are F.
EVERY_64_COUNTS = ("tinyfree_64", "tinydiagonalf_64")
ONE_PLACE = "tinyloose_64"  # for its F tiles, so that only one choice fits as it stands


@pytest.fixture(params=[formation.name for formation in MOVABLE], scope="module")
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def exact(name: str, solution: Solver, formations: dict[str, Formation]) -> Exact:
    return Exact(solution(name, 64), rules_of(formations[name], 64))


@pytest.fixture(scope="module")
def certain(name: str, solution: Solver, formations: dict[str, Formation]) -> Exact:
    """What is certain of boards that nobody vouches for."""
    return Exact(solution(name, 64), rules_of(formations[name], 64), absent=math.nan)


@pytest.fixture(scope="module")
def reader(name: str, table: TableMaker) -> Iterator[Tablebase]:
    with Tablebase.open(table(name, 64)) as opened:
        yield opened


def as_played(board: int, rng: random.Random) -> int:
    """The board with different tiles of at least the target in place of F."""
    cells = cells_of(board)
    large = iter(rng.sample(LARGE, cells.count(15)))
    return board_of([next(large) if tile == 15 else tile for tile in cells])


def best_of(rates: Rates) -> float:
    return max((rate for rate in rates if rate is not None), default=-1.0)


def assert_answer(probe: Probe, ways: list[Rates]) -> None:
    """The rates are those of one way to look at the board, and no way has a better one."""
    assert any(is_close(probe.rates, way) for way in ways), f"{probe}, expected one of {ways}"
    assert best_of(probe.rates) == pytest.approx(max(map(best_of, ways)), abs=1e-9)
    if probe.best is not None:
        assert probe.rates[probe.best] == best_of(probe.rates)


@pytest.mark.sample(1)
def test_every_view_of_a_played_board_is_answered(reader, exact, certain):
    """Of a board that comes up all is known, but for other ways to look at it that do not."""
    rng = random.Random(21)
    n_winning = 0
    for i, (board, layer) in enumerate(exact.positions(rng, 60)):
        played = as_played(board, rng)
        for sources in SQUARE:
            image, masked = turned(played, sources), turned(board, sources)
            probe = reader.probe(image, comes_up=True)
            assert probe.board == image
            assert_answer(probe, list(exact.player_views(image)))
            assert_answer(reader.probe(masked, comes_up=True), list(exact.views(masked, layer)))
            if sources == list(SQUARE)[i % len(SQUARE)]:
                assert_honest(reader.probe(image), list(certain.player_views(image)))
                assert_honest(reader.probe(masked), list(certain.views(masked, layer)))
            n_winning += probe.best_rate > 0
    assert n_winning > 100


@pytest.mark.sample(1)
def test_many_after_states_at_once(reader, exact):
    rng = random.Random(22)
    afters, want = [], []
    for layer, rates in enumerate(exact.solved.rates):
        for board in rng.sample(sorted(rates), min(20, len(rates))):
            afters.append(turned(board, rng.choice(list(SQUARE))))
            want.append(exact.after_rate(afters[-1], layer))
    got = reader.many_rates(np.array(afters, np.uint64))
    assert_stored(got, want)


@pytest.mark.sample(1)
def test_of_equal_large_tiles_any_may_be_the_small_one(reader, exact, certain):
    """A second 64 beside the least of the large tiles, where only one of the two may be F."""
    rng = random.Random(22)
    n_answered, n_several = 0, 0
    for board, _ in exact.positions(rng, 120):
        cells = cells_of(as_played(board, rng))
        large = [i for i in range(16) if cells[i] >= 6]
        small = [i for i in range(16) if cells[i] < 6]
        for i in small:
            cells[i] = rng.choice((0, 0, 1, 2))
        low = rng.choice(large)
        for i in large:
            cells[i] = 6 if i == low else max(cells[i], 7)
        cells[rng.choice(small)] = 6
        played = board_of(cells)
        ways = list(exact.player_views(played))
        if not ways:
            with pytest.raises(ProbeError):
                reader.probe(played)
            continue
        assert_answer(reader.probe(played, comes_up=True), ways)
        views = list(certain.player_views(played))
        assert_honest(reader.probe(played), views, certain.moves)
        n_answered += 1
        n_several += len(set(ways)) > 1
    assert n_answered > 20
    if reader.name not in (*EVERY_64_COUNTS, ONE_PLACE):
        assert n_several > 0


@pytest.mark.sample(1)
def test_a_large_tile_below_the_target_is_none(reader, exact):
    rng = random.Random(23)
    for board, _ in exact.positions(rng, 20):
        cells = cells_of(board)
        if any(6 <= tile < 15 for tile in cells):
            continue  # it could stand for the one that is missing
        cells[rng.choice([i for i in range(16) if cells[i] == 15])] = 5
        played = board_of([9 if tile == 15 else tile for tile in cells])
        assert not list(exact.player_views(played))
        with pytest.raises(ProbeError):
            reader.probe(played)
