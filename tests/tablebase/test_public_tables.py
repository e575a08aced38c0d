"""Tables as other programs ask them, by `endgame2048.open_table`: board by board, and by array."""

import math
import random
from collections.abc import Iterator

import numpy as np
import pytest
from brute_force import board_of, cells_of, spawned_boards
from exact_rates import SQUARE, UNIT, Exact, is_close, turned
from makers import Solver, TableMaker
from small_formations import rules_of

import endgame2048 as eg
from tablebase.formation.formation import Formation

# Walls, fixed and movable large tiles, mirror images; boards of 44 and some of tinyloose can be
# turned into the formation in several ways that are not worth the same.
SEVERAL_WAYS = ("44", "tinyloose")
NAMES = ("2x4", "tinymirror", "tinyshift", "tinyfree", "tinyends", *SEVERAL_WAYS)
JUNK = [0, 0x1234_5432_1234_5432, 0xFFFF_FFFF_FFFF_FFFF, 0xFFFF_FFFF_0050_5555, 0x1000]


@pytest.fixture(params=NAMES, scope="module")
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def exact(name: str, solution: Solver, formations: dict[str, Formation]) -> Exact:
    return Exact(solution(name, 64), rules_of(formations[name], 64))


@pytest.fixture(scope="module")
def opened(name: str, table: TableMaker) -> Iterator[eg.Table]:
    with eg.open_table(table(name, 64)) as found:
        yield found


def own_tiles(board: int, exponent: int) -> int:
    """Return a board with the player's tiles in place of nibbles F."""
    return board_of([exponent if tile == 15 else tile for tile in cells_of(board)])


def some_afters(exact: Exact, n_a_layer: int, rng: random.Random) -> list[int]:
    """After-states of every layer: as solved, turned, and with the player's large tiles."""
    found = list(JUNK)
    for rates in exact.solved.rates:
        for board in rng.sample(sorted(rates), min(n_a_layer, len(rates))):
            image = turned(board, rng.choice(list(SQUARE)))
            found += [board, image, own_tiles(image, rng.choice((6, 7, 14)))]
    return found


def one_by_one(table: eg.Table, afters: list[int], comes_up: bool) -> list[float]:
    """What `after_rate` says, in the words of `after_rates`."""
    found = []
    for after in afters:
        try:
            rate = table.after_rate(after, comes_up=comes_up)
        except eg.ProbeError:
            rate = None
        found.append(math.nan if rate is None else rate)
    return found


@pytest.mark.sample(2)
@pytest.mark.thorough
def test_the_table_says_what_it_is(opened, name, table):
    assert (opened.path, opened.name) == (table(name, 64), f"{name}_64")
    assert (opened.pattern, opened.target, opened.formation.name) == (name, 64, name)
    assert (opened.spawn4, opened.rate_type, opened.is_whole) == (0.1, "uint32", True)
    assert opened.n_layers == opened.formation.n_layers(64)
    assert opened.n_stored == sum(opened.boards(layer).size for layer in range(opened.n_layers))
    assert f"{name}_64" in repr(opened)


@pytest.mark.sample(1)
@pytest.mark.parametrize("comes_up", [False, True])
def test_after_states_by_array_are_those_one_by_one(opened, exact, comes_up):
    afters = some_afters(exact, 8, random.Random(31))
    rates = opened.after_rates(np.array(afters, np.uint64), comes_up=comes_up)
    assert np.array_equal(rates, one_by_one(opened, afters, comes_up), equal_nan=True)
    assert np.array_equal(opened.after_rates(afters, comes_up=comes_up), rates, equal_nan=True)
    assert np.isnan(rates).any()


@pytest.mark.sample(1)
def test_after_states_agree_with_brute_force(opened, exact):
    """All that are stored, and some of the others: those at the target, and those of rate 0."""
    rng = random.Random(30)
    for layer, rates in enumerate(exact.solved.rates):
        stored = exact.solved.stored(layer).keys()
        others = sorted(rates.keys() - stored)
        afters = [*stored, *rng.sample(others, min(5, len(others)))]
        got = opened.after_rates(afters, comes_up=True)
        assert np.abs(got - [rates[after] for after in afters]).max(initial=0.0) <= UNIT


def test_boards_of_a_layer_are_those_that_have_a_rate(opened, exact):
    for layer in range(opened.n_layers):
        boards = opened.boards(layer).tolist()
        assert boards == [
            b for b, rate in sorted(exact.solved.stored(layer).items()) if rate > UNIT
        ]
    for layer in (-1, opened.n_layers):
        with pytest.raises(eg.MissingTableError, match=f"expected 0 to {opened.n_layers - 1}"):
            opened.boards(layer)


def test_rates_by_direction_agree_with_probes_and_brute_force(opened, exact):
    positions = list(exact.positions(random.Random(32), 200))
    boards = [board for board, _ in positions]
    rates = opened.probe(np.array([*boards, *JUNK], np.uint64), comes_up=True).rates
    assert rates.shape == (len(boards) + len(JUNK), 4)
    for (board, layer), row in zip(positions, rates.tolist(), strict=False):
        answer = opened.probe(board, comes_up=True)
        told = tuple(None if math.isnan(rate) else rate for rate in row)
        assert told == answer.rates
        assert any(is_close(told, want) for want in exact.views(board, layer))
    for board, row in zip(JUNK, rates[len(boards) :].tolist(), strict=True):
        told = tuple(None if math.isnan(rate) else rate for rate in row)
        try:
            assert told == opened.probe(board, comes_up=True).rates
        except eg.ProbeError:
            assert told == (None,) * 4


def test_a_rate_is_the_mean_of_the_best_after_each_new_tile(opened, exact, name):
    """The definition, by public names alone."""
    rng = random.Random(33)
    for layer in rng.sample(range(opened.n_layers - 2), 12):
        afters = sorted(exact.solved.stored(layer))
        for after in rng.sample(afters, min(3, len(afters))):
            new = eg.spawns(after, opened.spawn4)
            assert set(new) == {b for tile in (1, 2) for b in spawned_boards(after, tile)}
            mean = sum(
                max(opened.probe(board, comes_up=True).best_rate, 0.0) * probability
                for board, probability in new.items()
            )
            rate = opened.after_rate(after)
            assert rate is not None
            assert mean >= rate - 3 * UNIT
            # `probe` may turn a board to where it is worth more.
            assert name in SEVERAL_WAYS or mean == pytest.approx(rate, abs=3 * UNIT)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "options", [{"sparse": 4}, {"sparse": 8}, {"rate": "uint16"}, {"threshold": 0.5}]
)
@pytest.mark.thorough
def test_tables_of_other_options_tell_the_same_by_array(options, solution, formations, tmp_path):
    exact = Exact(solution("44", 64), rules_of(formations["44"], 64))
    eg.build(formations["44"], 64, tmp_path, **options)  # type: ignore[arg-type]
    afters = some_afters(exact, 2, random.Random(34))
    with eg.open_table(tmp_path) as found:
        assert found.is_whole == ("threshold" not in options)
        for comes_up in (False, True):
            rates = found.after_rates(afters, comes_up=comes_up)
            assert np.array_equal(rates, one_by_one(found, afters, comes_up), equal_nan=True)
    assert np.nanmax(rates) == 1.0
