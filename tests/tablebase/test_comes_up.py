"""Lookups of any board at all: what a table says is right, and it says when it cannot know.

The truth of boards that nobody comes to is worked out by the brute-force solver; which boards come
up, by the same solver's list of everything that the seeds lead to.
"""

import random
from collections.abc import Callable
from pathlib import Path

import pytest
from after_states import Everywhere
from brute_force import has_reached
from honesty import MAX_EXPONENT, UNIT, boards_that_come_up, layer_of, random_boards
from small_formations import rules_of

from engine.geometry import destinations, permute
from engine.moves import move
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import ProbeError
from tablebase.formation.formation import Formation
from tablebase.probe.probes import Probe
from tablebase.probe.reader import Tablebase
from tablebase.store.options import TableOptions

TARGET = 64
NAMES = ("tinymirror", "tinyangle", "tinyshift", "tinypair", "tinycorner")
OptionsMaker = Callable[[str, TableOptions], Path]
# Of the attack on an earlier version: boards of no game that had a wrong figure.
NEVER = 0x0000_2020_00FF_FFFF


@pytest.fixture(scope="module")
def table_with(
    formations: dict[str, Formation], tmp_path_factory: pytest.TempPathFactory
) -> OptionsMaker:
    """Return ``table_with(name, options) -> Path``; never write to it."""
    folder = tmp_path_factory.mktemp("tables")
    made: dict[tuple[str, TableOptions], Path] = {}

    def make(name: str, options: TableOptions) -> Path:
        if (name, options) not in made:
            path = folder / str(len(made)) / f"{name}_{TARGET}"
            build(BuildPlan(formations[name], TARGET, path, options, threads=2))
            made[name, options] = path
        return made[name, options]

    return make


@pytest.fixture(scope="module")
def truths(formations: dict[str, Formation]) -> Callable[[str], Everywhere]:
    known: dict[str, Everywhere] = {}

    def truth(name: str) -> Everywhere:
        if name not in known:
            known[name] = Everywhere(rules_of(formations[name], TARGET), MAX_EXPONENT)
        return known[name]

    return truth


def assert_true(probe: Probe, truth: Everywhere, layer: int) -> None:
    """Check every figure and the best move of an answer for a board whose large tiles are F.

    Where a board fits the formation in several ways, the answer is one of them, by its best rate.
    """
    afters = [move(probe.board, direction, truth.rules.walls) for direction in range(4)]
    ways = []
    for image in destinations("full"):
        if truth.is_inside(permute(probe.board, image)):
            turned = [permute(one, image) if one != probe.board else -1 for one in afters]
            rates = [
                truth.rate(one, layer) if one >= 0 and truth.is_inside(one) else None
                for one in turned
            ]
            ways.append((permute(probe.board, image) == probe.masked, rates))
    meant = [rates for is_meant, rates in ways if is_meant]
    highest = max((rate for _, rates in ways for rate in rates if rate is not None), default=-1.0)
    for direction, rate in enumerate(probe.rates):
        where, exact = f"{probe.board:016x} {direction}", [rates[direction] for rates in meant]
        if direction in probe.unknown:
            assert rate is None, where
            assert any(rates[direction] is not None for _, rates in ways), where
        else:
            assert any(
                rate == (one if one is None else pytest.approx(one, abs=UNIT)) for one in exact
            ), where
    if probe.best is not None or not probe.unknown:
        assert probe.best_rate == pytest.approx(highest, abs=2 * UNIT), f"{probe.board:016x}"
    if probe.best is not None:
        assert probe.rates[probe.best] == probe.best_rate


@pytest.mark.sample(1)
@pytest.mark.parametrize("sparse", [1, 4, 16])
@pytest.mark.parametrize("name", [one for one in NAMES if one != "tinycorner"])
def test_no_figure_is_wrong_for_any_board(name, sparse, table_with, truths):
    n_known = n_unknown = 0
    with Tablebase.open(table_with(name, TableOptions(sparse=sparse))) as opened:
        for board in random_boards(opened.formation, random.Random(sparse), 100):
            try:
                probe = opened.probe(board)
            except ProbeError:
                continue
            assert_true(probe, truths(name), layer_of(opened, board))
            n_known += sum(rate is not None for rate in probe.rates)
            n_unknown += len(probe.unknown)
    assert n_known > 40
    assert n_unknown > 20


@pytest.mark.sample(1)
@pytest.mark.parametrize("sparse", [1, 4, 16])
@pytest.mark.parametrize("name", NAMES)
def test_what_comes_up_is_known(name, sparse, table_with, truths, solution):
    """All of it in a whole table; a sparse one may miss a proof now and then."""
    n, n_unknown, rng = 120, 0, random.Random(sparse)
    with Tablebase.open(table_with(name, TableOptions(sparse=sparse))) as opened:
        for board, layer in boards_that_come_up(solution(name, TARGET), rng, n):
            probe = opened.probe(board)
            assert_true(probe, truths(name), layer)
            n_unknown += bool(probe.unknown)
            told = opened.probe(board, comes_up=True)
            assert not told.unknown
            assert_true(told, truths(name), layer)
    assert n_unknown <= (0 if sparse == 1 else 0.02 * n), n_unknown


@pytest.mark.parametrize("name", ["tinymirror", "tinyangle"])
@pytest.mark.parametrize("sparse", [1, 4])
def test_after_states_one_by_one_and_many_at_once_are_right_or_unknown(
    name, sparse, table_with, truths
):
    import numpy as np

    n_unknown, truth = 0, truths(name)
    with Tablebase.open(table_with(name, TableOptions(sparse=sparse))) as opened:
        boards = list(random_boards(opened.formation, random.Random(2), 150))
        boards = [one for one in boards if 0 <= layer_of(opened, one) < opened.n_layers]
        rates = opened.rates_of(boards)
        many = opened.many_rates(np.array(boards, np.uint64))
        for board, rate, fast in zip(boards, rates, many.tolist(), strict=True):
            exact = truth.rate(board, layer_of(opened, board))
            n_unknown += rate is None
            assert rate is None or rate == pytest.approx(exact, abs=UNIT), f"{board:016x}"
            assert np.isnan(fast) or fast == pytest.approx(exact, abs=UNIT), f"{board:016x}"
            assert rate == opened.rate_of(board)
    assert 10 < n_unknown < len(boards) - 10


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    "options", [TableOptions(threshold=0.3), TableOptions(optimal_only=True)], ids=str
)
def test_a_table_that_leaves_boards_out_says_so(options, table_with, truths, solution):
    """Its rates are exact, and no board that it may have left out counts as lost."""
    name, n_unknown, n_best = "tinyangle", 0, 0
    truth, rng = truths(name), random.Random(3)
    with Tablebase.open(table_with(name, options)) as opened:
        boards = [one for one, _ in boards_that_come_up(solution(name, TARGET), rng, 150)]
        for board in (*boards, *random_boards(opened.formation, rng, 150)):
            try:
                probe = opened.probe(board)
            except ProbeError:
                continue
            assert_true(probe, truth, layer_of(opened, board))
            n_unknown += bool(probe.unknown)
            n_best += bool(probe.unknown) and probe.best is not None
    assert n_unknown > 50
    assert n_best > 10, "of what comes up it still knows the best move"


def test_a_board_that_never_comes_up_had_a_wrong_best_move(table):
    """Left and right are worth .99; the zeros of boards that were never generated hid it."""
    with Tablebase.open(table("442", TARGET)) as opened:
        probe = opened.probe(NEVER)
    assert 1 in probe.unknown or 0 in probe.unknown
    assert probe.best is None
    assert 0.0 not in probe.rates


def test_a_board_that_holds_the_target_already_does_not_come_up(table, formations):
    """The game is over there, so nothing that follows was generated."""
    rules = rules_of(formations["44"], TARGET)
    board = 0x1110_6200_FFFF_FFFF
    assert has_reached(rules, board)
    with Tablebase.open(table("44", TARGET)) as opened:
        probe = opened.probe(board)
    assert all(rate in (None, 1.0) for rate in probe.rates)


def test_boards_are_traced_back_to_a_seed_that_no_move_leaves(tmp_path):
    loose = Formation(
        name="loose",
        category="others",
        masks=(0x0000_000F_FFFF_FFFF,),
        target_cells=0xFFFF_FFF0_0000_0000,
        symmetry="identity",
        seeds=(0x0020_000F_FFFF_FFFF,),
        extra_steps=8,
        walls=False,
    )
    board = 0x0003_000F_FFFF_FFFF
    rates = []
    for sparse in (1, 11):
        build(BuildPlan(loose, TARGET, tmp_path / str(sparse), TableOptions(sparse=sparse)))
        with Tablebase.open(tmp_path / str(sparse)) as table:
            rates.append(table.rate_of(board))
    assert rates[0]
    assert rates[1] == pytest.approx(rates[0], abs=1e-9)
