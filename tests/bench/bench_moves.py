"""How many boards a second get all four moves on one core: ``python -m tests.bench.bench_moves``.

Three ways: row tables with transposed boards, row tables with columns spread over 64 bits (no
transposing back), and words of single bits of many boards (what `engine.kernels.bulk_moves` does);
on uniformly random boards, whose rows are everywhere in the tables, and on boards as in play. So
many boards that they and their moves stay in the cache of the core, and so many that they do not:
there the memory, which takes in 40 bytes a board, is what the time goes to.
"""

import argparse
import time
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from engine.kernels.bulk_moves import fill_four
from engine.kernels.moves import slide_four
from engine.kernels.symmetry import canonical_many, transpose
from engine.moves import RowTables, row_tables
from engine.platform.jit import inline_kernel, kernel

U64 = npt.NDArray[np.uint64]
U = np.uint64
_MIN_RUNS, _BOARDS_EACH = 10, 1 << 24


def uniform_boards(n: int) -> U64:
    """Return boards whose nibbles are all equally likely."""
    return np.random.default_rng(1).integers(0, 1 << 64, n, dtype=np.uint64)


def played_boards(n: int) -> U64:
    """Return boards with some empty cells and tiles up to 512."""
    rng = np.random.default_rng(2)
    boards = np.zeros(n, np.uint64)
    for shift in range(0, 64, 4):
        tiles = rng.integers(1, 10, n) * (rng.random(n) < 0.7)
        boards |= tiles.astype(np.uint64) << U(shift)
    return boards


@kernel
def four_by_rows(boards: U64, tables: RowTables, moved: U64) -> None:
    """Row tables; up and down on the transposed board and back."""
    for i in range(boards.size):
        moved[0, i], moved[1, i], moved[2, i], moved[3, i] = slide_four(boards[i], tables)


@inline_kernel
def _changed_columns(columns: U, table: U64) -> U:
    return (
        (table[columns >> U(48)] << U(12))
        | (table[(columns >> U(32)) & U(0xFFFF)] << U(8))
        | (table[(columns >> U(16)) & U(0xFFFF)] << U(4))
        | table[columns & U(0xFFFF)]
    )


@inline_kernel
def _changed_rows(rows: U, table: npt.NDArray[np.uint16]) -> U:
    return (
        (U(table[rows >> U(48)]) << U(48))
        | (U(table[(rows >> U(32)) & U(0xFFFF)]) << U(32))
        | (U(table[(rows >> U(16)) & U(0xFFFF)]) << U(16))
        | U(table[rows & U(0xFFFF)])
    )


@kernel
def four_by_columns(boards: U64, tables: RowTables, up: U64, down: U64, moved: U64) -> None:
    """Row tables sideways; up and down by tables whose entries are whole columns."""
    for i in range(boards.size):
        board = boards[i]
        columns = transpose(board)
        moved[0, i] = board ^ _changed_rows(board, tables.left)
        moved[1, i] = board ^ _changed_rows(board, tables.right)
        moved[2, i] = board ^ _changed_columns(columns, up)
        moved[3, i] = board ^ _changed_columns(columns, down)


def spread(changes: npt.NDArray[np.uint16]) -> U64:
    """Return row changes as changes of the rightmost column, first cell on top."""
    wide = changes.astype(np.uint64)
    return sum((wide & U(15 << 4 * i)) << U(12 * i) for i in range(4))


def rate(work: Callable[[], object], n_boards: int) -> float:
    """Return millions of boards a second, the best of many runs; the first run compiles."""
    work()
    times = []
    for _ in range(max(_MIN_RUNS, _BOARDS_EACH // n_boards)):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return n_boards / min(times) / 1e6


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--boards", type=int, nargs="+", default=[1 << 14, 1 << 20])
    tables = row_tables()
    up, down = spread(tables.left), spread(tables.right)
    for n in parser.parse_args().boards:
        moved = np.empty((4, n), np.uint64)
        kib = 5 * 8 * n >> 10
        print(f"{n:,} boards ({kib:,} KiB), one core, millions of boards a second, four moves each")
        for name, boards in (("uniform", uniform_boards(n)), ("as in play", played_boards(n))):
            four_by_rows(boards, tables, moved)
            want = moved.copy()
            ways: dict[str, Callable[[], object]] = {
                "row tables": lambda b=boards, m=moved: four_by_rows(b, tables, m),
                "column tables": lambda b=boards, m=moved: four_by_columns(b, tables, up, down, m),
                "bits (fill_four)": lambda b=boards, m=moved: fill_four(b, m),
            }
            for way, work in ways.items():
                moved[:] = 0
                print(f"  {name:10s}  {way:16s} {rate(work, n):7.1f}")
                assert np.array_equal(moved, want), way
            print(
                f"  {name:10s}  {'canonical_many':16s} "
                f"{rate(lambda b=boards: canonical_many(b, 'full'), n):7.1f}"
            )


if __name__ == "__main__":
    main()
