"""What is known of a run's moves at once, against moving its boards one by one."""

import random
from types import SimpleNamespace

import numpy as np
import oracle
import pytest
from brute_force import board_of, cells_of
from small_formations import MOVABLE

from tablebase.formation.arrangements import pattern_of
from tablebase.formation.formation import Formation
from tablebase.kernels.block_moves import column_slides, row_slides
from tablebase.rank.kernel_tables import COLUMNS, LEAVES, MOVED, SHIFTS, SLIDES, KernelTables
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space

N_RUNS = 40
NAMES = [formation.name for formation in MOVABLE]


@pytest.fixture(params=[*NAMES, "t", "442t", "442"], scope="module")
def space(request: pytest.FixtureRequest, formations: dict[str, Formation]) -> Space:
    formation = formations[request.param]
    return Space(formation, 128, formation.n_layers(128))


class Run:
    """Three upper rows, and up to 64 inner rows of one half-sum below them."""

    def __init__(self, space: Space, tables: KernelTables, rng: random.Random) -> None:
        self.space = space
        self.number = rng.randrange(len(space.arrangements))
        self.order = space.arrangements[self.number].row_order
        kinds = [space.kinds[key].open_rows for key in space.row_kinds[self.number]]
        self.upper = [int(rng.choice(kind.rows.tolist())) for kind in kinds[:3]]
        half_sum = int(rng.choice(kinds[3].sums.tolist()))
        inner = kinds[3].rows[kinds[3].sums == half_sum].tolist()
        chunk = rng.randrange((len(inner) + 63) // 64)
        self.inner = inner[64 * chunk : 64 * chunk + 64]
        at = tables.arrangement[self.number, SLIDES] + half_sum
        self.part = np.uint64(tables.slide_part[at] + chunk)

    def board(self, k: int) -> int:
        return self._laid([*self.upper, self.inner[k]])

    def columns(self) -> np.uint64:
        """Return the columns of the upper rows, the inner cells empty."""
        rows = [*self.upper, 0]
        cells = [(row >> (12 - 4 * column)) & 15 for column in range(4) for row in rows]
        return np.uint64(board_of(cells))

    def upper_flags(self, direction: int) -> int:
        """Return the flags of the upper rows' move along the rows."""
        before = self._laid([*self.upper, 0])
        after = moved(before, direction)
        flags = MOVED if after != before else 0
        for position in self.order[:3]:
            shift = 12 - 4 * position
            pattern = pattern_of(after) >> shift & 15
            if pattern != pattern_of(before) >> shift & 15:
                possible = {pattern_of(f) >> shift & 15 for f in self.space.formation.arrangements}
                flags |= SHIFTS if pattern in possible else SHIFTS | LEAVES
        return flags

    def check(self, direction: int, stays: np.uint64, shifts: np.uint64, only: int) -> None:
        """Compare two sets of boards with what the rules say of those in `only`."""
        for k in range(len(self.inner)):
            board = self.board(k)
            after = moved(board, direction)
            same = pattern_of(after) == pattern_of(board)
            asked = bool(only >> k & 1)
            assert bool(int(stays) >> k & 1) == (asked and same and after != board)
            if int(shifts) >> k & 1:
                assert asked
                assert not same
            elif asked and not same:
                assert not self.space.is_inside(after)
        assert int(stays | shifts) >> len(self.inner) == 0

    def _laid(self, rows: list[int]) -> int:
        return sum(row << (48 - 16 * at) for row, at in zip(rows, self.order, strict=True))


def moved(board: int, direction: int) -> int:
    after, _ = oracle.move(cells_of(board), direction)
    return int(board_of(after))


def test_what_moves_do_is_known_for_whole_runs(space):
    tables = kernel_tables(space)
    rng = random.Random(space.formation.name)
    n_shifts = 0
    for _ in range(N_RUNS):
        run = Run(space, tables, rng)
        only = rng.getrandbits(len(run.inner))
        spot = SimpleNamespace(columns=np.uint64(tables.arrangement[run.number, COLUMNS]))
        up, up_shifts, down, down_shifts = column_slides.py_func(
            tables, spot, run.part, run.columns(), np.uint64(only)
        )
        run.check(oracle.UP, up, up_shifts, only)
        run.check(oracle.DOWN, down, down_shifts, only)
        n_shifts += int(up_shifts).bit_count() + int(down_shifts).bit_count()
        for side, direction in enumerate((oracle.LEFT, oracle.RIGHT)):
            flags = run.upper_flags(direction)
            stays, shifts = row_slides.py_func(
                tables.row_slides, run.part, side, flags, np.uint64(only)
            )
            run.check(direction, stays, shifts, only)
            n_shifts += int(shifts).bit_count()
    assert (n_shifts > 0) == (len(space.formation.arrangements) > 1)


def test_these_facts_are_left_out_for_those_who_move_nothing(formations):
    formation = formations["L3"]
    space = Space(formation, 64, formation.n_layers(64))
    tables = kernel_tables(space, slides=False, fours=False)
    assert tables.column_sets.size == tables.column_slides.size == tables.row_slides.size == 0
    assert tables.low_cells.size == tables.left_fours.size == tables.spawn_fours.size == 0
