"""Many positions at once and in queues: the answers that each of them gets alone."""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import oracle
import pytest
from brute_force import board_of, cells_of, spawned_boards
from exact_rates import SQUARE, Exact, is_close, turned
from makers import every_other
from small_formations import rules_of

import endgame2048 as eg
from engine.platform.jit import kernel
from tablebase.build.builder import BuildPlan, build
from tablebase.formation.formation import Formation
from tablebase.formation.goal import SumGoal
from tablebase.kernels.batched_lookup import NO_SLOT, look_up_moved, raise_to_values
from tablebase.kernels.bits import build_index, empty_bitmap
from tablebase.kernels.block_addressing import spot_of
from tablebase.kernels.masked_boards import NONE, SEVERAL, mask_large_tiles
from tablebase.probe.answers import Answer, look_up, quick_answers
from tablebase.probe.reader import Tablebase
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space
from tablebase.store.options import TableOptions

TARGET = 64
# Locked F, mirrored and diagonal; F that shift, or may be anywhere; walls.
NAMES = ("tinymirror", "tinyshift", "tinyfree", "tinydiagonalf", "2x4", "3x3", "L1")
OPTIONS = {
    "all": TableOptions(),
    "sparse": TableOptions(sparse=4),
    "optimal": TableOptions(optimal_only=True),
    "threshold": TableOptions(threshold=0.3),
    "limited": TableOptions(most_equal=2, large_from=8),
    "limited and sparse": TableOptions(most_equal=2, large_from=8, sparse=3),
}
U64 = npt.NDArray[np.uint64]
Built = Callable[[str, str], Path]


@pytest.fixture(scope="module")
def built(formations: dict[str, Formation], tmp_path_factory: pytest.TempPathFactory) -> Built:
    """Return ``built(name, option)``; never write to it."""
    tables = tmp_path_factory.mktemp("many")

    def make(name: str, option: str) -> Path:
        folder = tables / option / f"{name}_{TARGET}"
        if not folder.exists():
            build(BuildPlan(formations[name], TARGET, folder, OPTIONS[option], threads=2))
        return folder

    return make


def as_played(board: int, rng: random.Random) -> int:
    """Return a board with tiles of a player instead of F, now and then equal ones."""
    least = rng.choice((6, 7, 7, 11))
    return board_of([rng.randint(least, 15) if one == 15 else one for one in cells_of(board)])


def boards_to_ask(table: Tablebase, rng: random.Random, n: int) -> Iterator[int]:
    """Yield positions that come up, turned and as a player has them; and others that fit, or not.

    Positions come up after a stored board and a new tile; those where a tile was changed need not.
    """
    layers = [layer for layer, one in table.manifest.layers.items() if one.stored]
    n_turned = 1 if table.formation.walls else 8
    for _ in range(n):
        layer = rng.choice(layers)
        stored = table.stored_board(layer, rng.randrange(table.manifest.layers[layer].stored))[0]
        spawned = spawned_boards(stored, rng.choice((1, 1, 2)))
        board = rng.choice(spawned) if spawned else stored
        what = rng.randrange(8)
        if what == 0:
            tiles = cells_of(board)
            tiles[rng.randrange(16)] = rng.randint(0, 7)
            board = board_of(tiles)
        elif what == 1:
            board = rng.getrandbits(64)
        elif what < 4 and not table.formation.walls:
            board = as_played(board, rng)
        yield turned(board, list(SQUARE)[rng.randrange(n_turned)])


def assert_same_rates(table: Tablebase, boards: U64, comes_up: bool) -> None:
    """Machine code gives the same rates as single lookups, and then nothing is unknown."""
    rates, is_told = table.many_probes(boards, comes_up)
    assert is_told.mean() > 0.4
    for i in np.flatnonzero(is_told).tolist():
        one = table.get(int(boards[i]), comes_up)
        want = np.full(4, np.nan) if one is None else np.array(one.rates, np.float64)
        assert one is None or not one.unknown
        assert np.allclose(rates[i], want, rtol=0, atol=1e-14, equal_nan=True), (
            f"{int(boards[i]):016x}: {rates[i]}, alone {want}"
        )


def assert_same_answers(table: eg.Table, boards: U64, comes_up: bool) -> None:
    many = table.probe(boards, comes_up=comes_up)
    assert np.array_equal(many.boards, boards)
    for i, board in enumerate(boards.tolist()):
        try:
            one = table.probe(board, comes_up=comes_up)
        except eg.ProbeError:
            assert np.isnan(many.rates[i]).all(), f"{board:016x}"
            assert many.best[i] == -1
            continue
        want = np.array(one.rates, np.float64)
        # Sums of what a sparse table recomputes are added up in another order.
        assert np.allclose(many.rates[i], want, rtol=0, atol=1e-14, equal_nan=True), (
            f"{board:016x}: {many.rates[i]}, alone {want}"
        )
        if one.best is None or many.best[i] == -1:
            assert (one.best is None) == (many.best[i] == -1), f"{board:016x}"
        else:
            assert want[many.best[i]] >= want[one.best] - 1e-14, f"{board:016x}"


@pytest.mark.sample(1)
@pytest.mark.parametrize(("name", "option"), every_other([*NAMES, "44"], OPTIONS))
def test_each_gets_the_answer_that_it_gets_alone(name, option, built):
    folder = built(name, option)
    rng = random.Random(f"{name} {option}")
    with Tablebase.open(folder) as known:
        boards = np.array(list(boards_to_ask(known, rng, 60)), np.uint64)
        for comes_up in (False, True):
            assert_same_rates(known, boards, comes_up)
    with eg.open_table(folder) as table:
        for comes_up in (False, True):
            assert_same_answers(table, boards, comes_up)


def assert_same_reply(many: Answer, alone: Answer) -> None:
    """Rates may differ by the order in which they were added up; so may the first of equal ones."""
    names = {"rate", *eg.DIRECTIONS} & {*alone}
    rates = [np.array([reply[name] for name in names], np.float64) for reply in (many, alone)]
    assert np.allclose(*rates, rtol=0, atol=1e-14, equal_nan=True), (many, alone)
    changing = {*names, "best"}
    assert {**many, **dict.fromkeys(changing)} == {**alone, **dict.fromkeys(changing)}
    best, other = many.get("best"), alone.get("best")
    assert (best is None) == (other is None), (many, alone)
    if best and other:
        assert alone[best] == pytest.approx(alone[other], rel=0, abs=1e-14)


@pytest.mark.sample(2)
@pytest.mark.parametrize(("option", "name"), every_other(OPTIONS, NAMES))
def test_replies_to_many_boards_are_those_to_each(name, option, built):
    """Of two tables as well, of which the first that can answer does."""
    folder, other = built(name, option), built("44", "all")
    rng, n_quick = random.Random(f"{name} {option} replies"), 0
    with Tablebase.open(folder) as known, Tablebase.open(other) as second:
        boards = [*boards_to_ask(known, rng, 24), *boards_to_ask(second, rng, 8)]
        rng.shuffle(boards)
        for tables in ([known], [second, known], [known, second]):
            for after in (False, True):
                for i, reply in quick_answers(boards, tables, after).items():
                    n_quick += 1
                    assert_same_reply(reply, look_up(f"{boards[i]:016x}", tables, after)[0])
    assert n_quick > 0 or option != "all"


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["2x4", "44"])
def test_a_sum_of_tiles_as_goal(name, formations, tmp_path):
    goal = SumGoal(60 if name == "2x4" else 48)
    build(BuildPlan(formations[name], goal, tmp_path / "table", threads=2))
    rng = random.Random(name)
    with Tablebase.open(tmp_path / "table") as known:
        boards = list(boards_to_ask(known, rng, 200))
        boards.append(0x7777_7777_7777_7777)  # more than the sum
        for comes_up in (False, True):
            assert_same_rates(known, np.array(boards, np.uint64), comes_up)
    with eg.open_table(tmp_path / "table") as table:
        for comes_up in (False, True):
            assert_same_answers(table, np.array(boards, np.uint64), comes_up)


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["44", "2x4", "L1"])
def test_machine_code_alone_tells_what_brute_force_does(name, solution, table, formations):
    exact = Exact(solution(name, TARGET), rules_of(formations[name], TARGET))
    asked = list(exact.positions(random.Random(31), 1500))
    with Tablebase.open(table(name, TARGET)) as opened:
        rates, is_told = opened.many_probes(np.array([board for board, _ in asked], np.uint64))
    assert is_told.mean() > 0.99  # not after boards that are worth nothing, so are not stored
    n_zeros = 0
    for i in np.flatnonzero(is_told).tolist():
        (board, layer), found = asked[i], rates[i].tolist()
        got = tuple(None if rate != rate else rate for rate in found)
        assert is_close(got, exact.rates(board, layer)), f"{board:016x}"
        n_zeros += 0.0 in got
    assert n_zeros > 20


@pytest.mark.thorough
def test_sparse_layers_are_told_by_machine_code_too(built):
    with Tablebase.open(built("44", "sparse")) as opened:
        boards = [
            spawned_boards(opened.stored_board(layer, i)[0], 1)[0]
            for layer, one in opened.manifest.layers.items()
            if layer + 1 in opened.manifest.omitted
            for i in range(0, one.stored, 7)
        ]
        rates, is_told = opened.many_probes(np.array(boards, np.uint64))
    assert len(boards) > 100
    assert is_told.all()
    assert np.nanmax(rates) > 0.5


def test_more_boards_than_are_worked_on_at_once(table):
    with eg.open_table(table("2x4", TARGET), cache_bytes=1 << 20) as opened:
        few = np.array(list(range(0xFFFF_0000_0000_FFFF, 0xFFFF_0000_0000_FFFF + 3)), np.uint64)
        few[1] = opened.start_board(1)
        many = np.tile(few, (1 << 18) // 3 + 5)
        told = opened.probe(many)
        want = opened.probe(few)
    assert want.best[1] >= 0
    for i in (0, 1, 2):
        assert (told.best[i::3] == want.best[i]).all()


@pytest.mark.parametrize(
    ("board", "n_large", "least", "masked", "half_sum"),
    [
        (0x1200_0000_0000_0000, 0, 6, 0x1200_0000_0000_0000, 3),
        (0xB200_0000_0000_0006, 1, 6, 0xF200_0000_0000_0006, 2 + 32),
        (0xB200_0000_0000_0006, 2, 6, 0xF200_0000_0000_000F, 2),
        (0xF200_0000_0000_0008, 2, 6, 0xF200_0000_0000_000F, 2),
        (0xBB00_0000_0000_0001, 2, 6, 0xFF00_0000_0000_0001, 1),
        (0xBB00_0000_0000_0001, 1, 6, None, SEVERAL),
        (0xB700_0000_0000_0071, 2, 6, None, SEVERAL),
        (0xB500_0000_0000_0001, 2, 6, None, NONE),
        (0xFF00_0000_0000_0001, 1, 6, None, NONE),
        (0xF000_0000_0000_0001, 0, 6, None, NONE),
        (0xE000_0000_0000_0001, 1, 15, None, NONE),
        (0xFFFF_FFFF_FFFF_FFFF, 16, 15, 0xFFFF_FFFF_FFFF_FFFF, 0),
    ],
)
def test_large_tiles_become_f(board, n_large, least, masked, half_sum):
    boards, found = np.array([board], np.uint64), np.zeros(1, np.uint64)
    halves = np.zeros(1, np.int64)
    mask_large_tiles(boards, n_large, least, found, halves)
    assert halves.tolist() == [half_sum]
    if masked is not None:
        assert found.tolist() == [masked]


def test_columns_are_what_frames_are_made_of(table):
    with eg.open_table(table("2x4", TARGET)) as opened:
        told = opened.probe([opened.start_board(1), 0x1234_5678_1234_5678])
    columns = told.columns()
    assert list(columns) == ["board", *eg.DIRECTIONS, "best"]
    assert {one.shape for one in columns.values()} == {(2,)}
    assert columns["board"].dtype == np.uint64
    for i, direction in enumerate(eg.DIRECTIONS):
        assert np.array_equal(columns[direction], told.rates[:, i], equal_nan=True)
    assert columns["best"].tolist() == told.best.tolist()


N_BOARDS = 300  # of which some cannot move


@kernel
def look_up_all(t, spread, places, queue):  # type: ignore[no-untyped-def]
    look_up_moved(t, spread, spot_of(t, places, 0), places, queue, queue.size)


@kernel
def raise_all(index, values, slots, positions, raised):  # type: ignore[no-untyped-def]
    raise_to_values(index, values, slots, positions, slots.size, raised)


@pytest.fixture(params=["442", "L3", "4432"], scope="module")
def space(request: pytest.FixtureRequest, formations: dict[str, Formation]) -> Space:
    formation = formations[request.param]
    return Space(formation, 64, formation.n_layers(64))


def columns_of(space: Space, board: int) -> int:
    """The columns, the cells of each in the order of the rows."""
    cells, order = cells_of(board), space.arrangements[0].row_order
    return board_of([cells[4 * row + column] for column in range(4) for row in order])


@pytest.mark.sample(1)
@pytest.mark.parametrize("direction", [oracle.UP, oracle.DOWN])
def test_boards_moved_along_their_columns_are_found(space, direction):
    rng = random.Random(direction)
    tables = kernel_tables(space)
    n_found = n_reached = 0
    for half in rng.sample(range(20, space.top + 1), 20):
        boards = [space.board(rng.randrange(space.n_slots(half)), half) for _ in range(N_BOARDS)]
        moves = [board_of(oracle.move(cells_of(board), direction)[0]) for board in boards]
        pairs = [(b, m) for b, m in zip(boards, moves, strict=True) if m != b]
        pairs = [(b, m) for b, m in pairs if space.is_inside(m)]
        queue = np.array([columns_of(space, board) for board, _ in pairs], np.uint64)
        spread = tables.column_up if direction == oracle.UP else tables.column_down
        look_up_all(tables, spread, space.places(half), queue)
        wanted = [space.slot(moved, half) for _, moved in pairs]
        assert [None if slot == NO_SLOT else slot for slot in queue.tolist()] == wanted
        n_reached += wanted.count(None)
        n_found += len(wanted) - wanted.count(None)
    assert direction == oracle.UP or (n_found > 100 and n_reached > 0)


@pytest.mark.parametrize("n", [0, 1, 3, 64, 777])
def test_values_are_raised_to_those_found(n):
    rng = np.random.default_rng(n)
    there = np.sort(rng.choice(5000, 600, replace=False))
    words = empty_bitmap(5000)
    for slot in there.tolist():
        words[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
    index = np.empty(2 * words.size, np.uint64)
    assert build_index(words, index) == there.size
    values, raised = rng.random(there.size), rng.random(40)
    chosen, positions = rng.integers(-1, there.size, n), rng.integers(0, 40, n)
    slots = np.array([NO_SLOT if i < 0 else there[i] for i in chosen.tolist()], np.uint64)
    wanted = raised.tolist()
    for i, position in zip(chosen.tolist(), positions.tolist(), strict=True):
        wanted[position] = max(wanted[position], 1.0 if i < 0 else values[i])
    raise_all(index, values, slots, positions.astype(np.uint64), raised)
    assert raised.tolist() == wanted
