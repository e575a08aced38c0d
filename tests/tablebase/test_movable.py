"""Tables whose F tiles move: every layer against brute force, and what a board is answered."""

import math
import random
from collections.abc import Iterator

import numpy as np
import pytest
from agreement import RAW_ONE, stored_boards
from brute_force import Solution, board_of, cells_of
from child import contents
from exact_rates import SQUARE, Exact, Rates, assert_honest, assert_stored, is_close, turned
from makers import Solver, TableMaker
from small_formations import MOVABLE, rules_of

from engine.geometry import destinations, permute
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import ProbeError
from tablebase.formation.formation import Formation, half_sum
from tablebase.kernels.bits import build_index, empty_bitmap
from tablebase.kernels.unrank import add_canonical, slots_of_boards
from tablebase.kernels.unrank import stored_boards as boards_in
from tablebase.probe.probes import Probe
from tablebase.probe.reader import Tablebase
from tablebase.probe.verify import verify
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space

NAMES = [formation.name for formation in MOVABLE]


@pytest.fixture(params=NAMES, scope="module")
def name(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(scope="module")
def solved(name: str, solution: Solver) -> Solution:
    return solution(name, 64)


@pytest.mark.sample(1)
@pytest.mark.parametrize("rate", ["uint32", "float64"])
def test_every_layer_has_the_boards_and_rates_of_brute_force(name, solved, table, rate):
    with Tablebase.open(table(name, 64, rate)) as reader:
        assert reader.n_layers == len(solved.rates)
        assert reader.stored > 1000
        for layer in range(reader.n_layers):
            boards, exact = stored_boards(solved, layer)
            raws = np.rint(exact * RAW_ONE)
            stays = raws > 0 if rate == "uint32" else exact > 0
            got_boards, got = reader.layer_boards(layer)
            assert np.array_equal(got_boards, boards[stays]), f"layer {layer}"
            if rate == "uint32":
                tie = np.abs(exact[stays] * RAW_ONE % 1 - 0.5) < 1e-5
                assert (np.abs(got - raws[stays]) <= tie).all(), f"layer {layer}"
            else:
                assert np.abs(got - exact[stays]).max(initial=0) <= 1e-15, f"layer {layer}"
            n_open = len(solved.rates[layer]) - len(solved.reached[layer])
            assert reader.manifest.layers[layer].boards == n_open


@pytest.mark.sample(1)
def test_all_images_and_the_reached_boards_are_known(name, solved, table, formations):
    rng = random.Random(name)
    turns = destinations(formations[name].symmetry)
    with Tablebase.open(table(name, 64, "float64")) as reader:
        for layer, rates in enumerate(solved.rates):
            reached = solved.reached[layer]
            for board in rng.sample(sorted(rates), min(6, len(rates))):
                for turn in turns:
                    want = 1.0 if board in reached else rates[board]
                    image = permute(board, turn)
                    assert reader.rate_of(image, True) == pytest.approx(want, abs=1e-15)
                    if want > 0.0:
                        assert reader.rate_of(image) == pytest.approx(want, abs=1e-15)
                    else:
                        assert reader.rate_of(image) in (0.0, None)


@pytest.mark.sample(1)
def test_the_bytes_are_the_same_at_any_number_of_threads(name, table, formations, tmp_path):
    want = contents(table(name, 64))  # of two threads
    for threads in (1, 3):
        build(BuildPlan(formations[name], 64, tmp_path / str(threads), threads=threads))
        assert contents(tmp_path / str(threads)) == want


@pytest.mark.sample(1)
def test_its_values_are_derived_again(name, table):
    report = verify(table(name, 64), 300)
    assert report.ok, report.problems
    assert report.sampled == 300


MAX_SLOTS = 20_000_000  # of a bitmap that a test makes
SPACES = ["tinyangle", "2x4", "3x3", "LL", *NAMES, "t", "L3f", "4432f", "free12"]


@pytest.fixture(params=SPACES, scope="module")
def space(request: pytest.FixtureRequest, formations: dict[str, Formation]) -> Space:
    formation = formations[request.param]
    return Space(formation, 64, formation.n_layers(64))


def half_sums(space: Space) -> Iterator[int]:
    """Half-sums of layers that have slots, from all over the table."""
    some = range(space.formation.seed_half_sum, space.top + 1, 9)
    return (half for half in some if space.n_slots(half))


def random_boards(space: Space, half: int, n: int, rng: random.Random) -> list[int]:
    """Boards of random slots, each in a random orientation of the formation."""
    turns = destinations(space.formation.symmetry)
    slots = (rng.randrange(space.n_slots(half)) for _ in range(n))
    return [permute(space.board(slot, half), rng.choice(turns)) for slot in slots]


def shuffled(board: int, rng: random.Random) -> int:
    """A board of the same tiles, inside the formation or not."""
    return board_of(rng.sample(cells_of(board), 16))


def test_many_slots_at_once_are_those_of_one_by_one(space):
    rng = random.Random(space.formation.name)
    tables = kernel_tables(space)
    n_outside = 0
    for half in half_sums(space):
        boards = random_boards(space, half, 20, rng)
        boards += [shuffled(board, rng) for board in boards]
        n_target = space.target // 2
        if half >= n_target:  # the target, in any cell
            boards += [shuffled(b, rng) for b in with_target(boards, half - n_target, space.target)]
        blocks, array = space.blocks(half), np.array(boards, np.uint64)
        got = slots_of_boards(tables, blocks, array).tolist()
        want = [space.slot(board, half) for board in boards]
        assert [None if slot < 0 else slot for slot in got] == want
        n_outside += want.count(None)
        forms = [space.stored_form(board) for board in boards]
        got = slots_of_boards(tables, blocks, stored_once(space, array, forms), least=True).tolist()
        want = [space.slot(form, half) for form in forms]
        assert [None if slot < 0 else slot for slot in got] == want
    assert n_outside > 0


def with_target(boards: list[int], rest: int, target: int) -> Iterator[int]:
    """The same F, one target tile, and tiles of half-sum `rest` beside it, if there is room."""
    exponents = [i + 1 for i in range(rest.bit_length()) if rest >> i & 1]
    for board in boards[:10]:
        tiles = [15] * cells_of(board).count(15) + [target.bit_length() - 1, *exponents]
        if len(tiles) <= 16:
            yield board_of((tiles + [0] * 16)[:16])


def stored_once(space: Space, boards: np.ndarray, forms: list[int]) -> np.ndarray:
    """Boards as they are; canonical ones where a window has symmetries of its own."""
    is_window = space.formation.symmetry in ("square3x3", "rect3x4")
    return np.array(forms, np.uint64) if is_window else boards


def test_of_each_set_of_images_one_is_marked(space):
    """Of a layer closed under the symmetry, those that are their own stored form."""
    rng = random.Random(space.formation.name)
    tables = kernel_tables(space)
    turns = destinations(space.formation.symmetry)
    for half in half_sums(space):
        if space.n_slots(half) > MAX_SLOTS:
            continue
        boards = random_boards(space, half, 15, rng)
        images = {permute(board, turn) for board in boards for turn in turns}
        slots = {space.slot(image, half) for image in images}
        words = empty_bitmap(space.n_slots(half))
        for slot in slots:
            assert slot is not None
            words[slot >> 6] |= np.uint64(1) << np.uint64(slot & 63)
        index = np.empty(2 * words.size, np.uint64)
        build_index(words, index)
        listed = boards_in(space, tables, half, words).tolist()
        assert sorted(slots) == [space.slot(board, half) for board in listed]
        assert all(half_sum(board) == half for board in listed)
        canonical = np.zeros_like(words)
        add_canonical(space, tables, space.blocks(half), index, canonical)
        stored = [board for board in listed if space.stored_form(board) == board]
        assert boards_in(space, tables, half, canonical).tolist() == stored
        once = {space.stored_form(board) for board in boards}
        assert len(stored) == len(once)


LARGE = range(6, 16)  # exponents from the target 64 on


# Where a 64 is on the board, the target has been reached, whichever tiles are F.
EVERY_64_COUNTS = ("tinyfree_64", "tinydiagonalf_64")


ONE_PLACE = "tinyloose_64"  # for its F tiles, so that only one choice fits as it stands


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
