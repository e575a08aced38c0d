"""How large rates are by type and compression level, how often uint16 keeps the best move, and
how long values take to read.

python -m tests.bench.bench_values TABLE_FOLDER... [--boards 1000000] [--rates uint16,uint32]

The tables must have been built with ``--rate float64``: these rates are taken as the truth. The
positions are a random stored after-state with a random new tile. A move counts as the best when
its true rate is the highest; twice, because float64 leaves 1e-16 between moves that are equal: once
to the last bit, and once but for 1e-14.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from engine.kernels.bulk_moves import slide_all
from engine.symmetry import canonical_many
from tablebase.probe.reader import Tablebase
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space
from tablebase.store.codecs import LEVEL_NAMES
from tablebase.store.layer_file import LayerFile, pack_layer
from tablebase.store.rates import RATE_TYPES, EncodedRates, RateType

_NOISE = 1e-14


class Layer(NamedTuple):
    """One layer of a table: bitmap, rates in slot order, the same boards ascending, their order."""

    number: int
    n_slots: int
    words: np.ndarray
    rates: np.ndarray
    boards: np.ndarray
    order: np.ndarray


def layers_of(table: Tablebase) -> Iterator[Layer]:
    """Yield all layers of a table."""
    for number in range(table.n_layers):
        file = table.layer_file(number)
        blocks = [file.block(i) for i in range(file.n_blocks)]
        words = np.concatenate([words for words, _ in blocks])
        rates = np.concatenate([rates for _, rates in blocks])
        boards, sorted_rates = table.layer_boards(number)
        # The boards come ascending, the rates in slot order: sorting both ways ties them together.
        order = _order(table, number, words, boards)
        assert np.array_equal(rates[order], sorted_rates)
        yield Layer(number, file.n_slots, words, rates, boards, order)


def _order(table: Tablebase, number: int, words: np.ndarray, boards: np.ndarray) -> np.ndarray:
    from tablebase.kernels.unrank import boards_of_layer

    half = table.formation.seed_half_sum + number
    space = Space(table.formation, table.target, table.n_layers)
    in_slot_order = boards_of_layer(space, kernel_tables(space, slides=False), half, words)
    order: np.ndarray = np.argsort(in_slot_order)
    assert np.array_equal(in_slot_order[order], boards)
    return order


def positions(before: list[Layer], n_share: float, rng: np.random.Generator) -> np.ndarray:
    """Return random boards of the two layers before with a new 2 or 4 on each."""
    found = [np.empty(0, np.uint64)]
    for layer, exponent, chance in zip(reversed(before), (1, 2), (0.9, 0.1), strict=False):
        n = rng.poisson(layer.boards.size * n_share * chance)
        if layer.boards.size and n:
            boards = rng.choice(layer.boards, n)
            shifts = np.arange(60, -1, -4).astype(np.uint64)
            free = (boards[:, None] >> shifts) & np.uint64(15) == 0
            cell = np.where(free, rng.random(free.shape), -1.0).argmax(axis=1)
            boards |= np.uint64(exponent) << shifts[cell]
            found.append(boards[free.any(axis=1)])
    return np.concatenate(found)


def rivals(table: Tablebase, layer: Layer, pre: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the place of each move's rate in the layer (-1: none), and the value of the others.

    Both are [n, 4], in the order of the four directions; -1 for an illegal move, 0 for a board
    that is not stored, 1 for one that has reached the target.
    """
    formation = table.formation
    place = np.full((pre.size, 4), -1)
    other = np.full((pre.size, 4), -1.0)
    mask = np.uint64(formation.fixed_mask)
    target = table.target.bit_length() - 1
    for k, after in enumerate(slide_all(pre, formation.walls)):
        legal = (after != pre) & (after & mask == mask)
        reached = np.zeros(pre.size, np.bool_)
        for shift in range(0, 64, 4):
            if (formation.target_cells >> shift) & 15:
                reached |= after >> np.uint64(shift) & np.uint64(15) == target
        least = canonical_many(after, formation.symmetry)
        at = np.searchsorted(layer.boards, least)
        at[at == layer.boards.size] = 0
        is_stored = legal & ~reached & (layer.boards[at] == least)
        place[is_stored, k] = layer.order[at[is_stored]]
        other[:, k] = np.where(legal, reached.astype(np.float64), -1.0)
    return place, other


def measure_best_moves(path: Path, n_boards: int, rate: RateType) -> str:
    """Return, in words, the share of best moves under `rate` that are truly the best."""
    rng = np.random.default_rng(2048)
    n = lost = lost_to_noise = 0
    total = worst = 0.0
    with Tablebase.open(path) as table:
        before: list[Layer] = []
        for layer in layers_of(table):
            pre = positions(before, n_boards / table.stored, rng)
            before = [*before[-1:], layer]
            if not (pre.size and layer.boards.size):
                continue
            place, other = rivals(table, layer, pre)
            values, levels = rate.encode(layer.rates)
            found = levels.rates()[values] if levels else rate.decode_many(values)
            is_stored = place >= 0
            truth = np.where(is_stored, layer.rates[place], other)
            chosen = np.where(is_stored, found[place], other).argmax(axis=1)
            loss = truth.max(axis=1) - truth[np.arange(pre.size), chosen]
            n += pre.size
            lost_to_noise += np.count_nonzero(loss)
            lost += np.count_nonzero(loss > _NOISE)
            total, worst = total + loss.sum(), max(worst, loss.max())
    return (
        f"{path.name} {rate.name}: best move kept on {100 * (1 - lost / n):.4f} % of {n} boards "
        f"({100 * (1 - lost_to_noise / n):.4f} % to the last bit); "
        f"lost on average {total / n:.1e}, at most {worst:.1e}"
    )


def measure_size(path: Path, rate: RateType, level: int) -> str:
    """Return the size the table would have and the time to write it, in words."""
    size = stored = 0
    encode_s = write_s = 0.0
    with Tablebase.open(path) as table, tempfile.TemporaryDirectory() as folder:
        for number in range(table.n_layers):
            file = table.layer_file(number)
            blocks = [file.block(i) for i in range(file.n_blocks)]
            words = np.concatenate([words for words, _ in blocks])
            rates = np.concatenate([rates for _, rates in blocks])
            start = time.process_time()
            encoded = rate.encode(rates)
            encode_s += time.process_time() - start
            words, encoded = without_zeros(words, encoded)
            start = time.process_time()
            written = pack_layer(
                number, rate, file.n_slots, file.n_boards, words, encoded, level
            ).write(Path(folder))
            write_s += time.process_time() - start
            size, stored = size + written.bytes, stored + written.stored
            (Path(folder) / written.file).unlink()
    return (
        f"{path.name} {rate.name} {LEVEL_NAMES[level]}: {size / 1e6:.1f} MB, "
        f"{size / stored:.3f} bytes a board; encoded in {encode_s:.2f}, "
        f"written in {write_s:.2f} CPU-seconds"
    )


def without_zeros(words: np.ndarray, encoded: EncodedRates) -> tuple[np.ndarray, EncodedRates]:
    """Return bitmap and values without those that are 0 as stored, as the builder does."""
    keep = encoded.values != 0
    if encoded.levels or keep.all():
        return words, encoded
    bits = np.unpackbits(words.view(np.uint8), bitorder="little")
    bits[np.flatnonzero(bits)[~keep]] = 0
    return np.packbits(bits, bitorder="little").view(np.uint64), EncodedRates(encoded.values[keep])


def measure_reading(path: Path) -> str:
    """Return the time to read values of the largest layer, in words."""
    with Tablebase.open(path) as table:
        largest = max(table.manifest.layers.values(), key=lambda layer: layer.stored)
        rng = np.random.default_rng(1)

        def cold() -> None:
            file = LayerFile(path / largest.file)
            start = time.perf_counter()
            file.value(int(rng.integers(file.n_slots)))
            times.append(time.perf_counter() - start)
            file.close()

        times: list[float] = []
        for _ in range(50):
            cold()
        file = LayerFile(path / largest.file, cache_bytes=1 << 30)
        slots = rng.integers(0, file.n_slots, 1000)
        file.values_at(slots)
        warm = _median_s(lambda: file.value(int(slots[0])), 200)
        many = _median_s(lambda: file.values_at(slots), 50)
        n_blocks = file.n_blocks
        file.close()
    return (
        f"{path.name} {table.rate}: a value cold {1e3 * float(np.median(times)):.2f} ms, "
        f"warm {1e6 * warm:.1f} us; 1000 values over {n_blocks} blocks, warm, {1e3 * many:.2f} ms"
    )


def _median_s(call: Callable[[], object], n: int) -> float:
    times = []
    for _ in range(n):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return float(np.median(times))


def main() -> None:
    """Print a line per measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--boards", type=int, default=1_000_000)
    parser.add_argument("--rates", default="uint16,uint32")
    parser.add_argument("--no-sizes", action="store_true")
    args = parser.parse_args()
    for path in args.tables:
        for name in args.rates.split(","):
            print(measure_best_moves(path, args.boards, RATE_TYPES[name]), flush=True)
            if not args.no_sizes:
                for level in range(len(LEVEL_NAMES)):
                    print(measure_size(path, RATE_TYPES[name], level), flush=True)
        print(measure_reading(path), flush=True)


if __name__ == "__main__":
    main()
