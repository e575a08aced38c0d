"""The distribution of a table's rates: of its start positions, and of each layer.

Layers of up to `SAMPLE` boards are read from end to end. For larger ones, blocks from all over the
layer are read, one at random from each stretch of it, the same ones every time.
"""

from collections.abc import Callable, Iterator

import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from engine.bitboard import cells, from_cells
from engine.platform.default_callbacks import never_cancelled
from engine.platform.language import tr
from engine.spawn import Rng
from tablebase.errors import BuildCancelledError
from tablebase.events import LayerRates, StartRates
from tablebase.probe.reader import Tablebase
from tablebase.store.layer_file import LayerFile

SAMPLE = 1_000_000
"""Approximate number of boards sampled per layer; a smaller layer is read completely."""
_TENTHS = (1, 5, 9)  # of the boards, up to the quantiles
_MIN_BLOCKS = 16  # of a sampled layer: neighbors in a block are alike
_MAX_STARTS = 2000  # start positions; if there are more, a sample
_MAX_STARTS_OF_SPARSE = 200
_SEED = 2048


def profile_layers(
    table: Tablebase,
    sample: int = SAMPLE,
    on_progress: Callable[[int, int], None] = lambda _done, _all: None,
    is_cancelled: Callable[[], bool] = never_cancelled,
) -> list[LayerRates]:
    """Progress is reported after each layer, in boards; stopping is possible before each block."""
    total = sum(min(sample, layer.stored) for layer in table.manifest.layers.values())
    layers, done = [], 0
    for plain in plain_layers(table):
        if plain.layer in table.manifest.layers and plain.stored:
            file = table.layer_file(plain.layer)
            rates = _sampled(file, sample, plain.layer, is_cancelled)
            layers.append(_described(plain, rates))
            done += min(sample, plain.stored)
            on_progress(done, total)
        else:
            layers.append(plain)
    return layers


def plain_layers(table: Tablebase) -> list[LayerRates]:
    manifest, first = table.manifest, table.formation.seed_half_sum
    layers = []
    for i in range(table.n_layers):
        record = manifest.layers.get(i) or manifest.omitted[i]
        n_bytes = manifest.layers[i].bytes if i in manifest.layers else 0
        layers.append(LayerRates(i, 2 * (first + i), record.boards, record.stored, n_bytes))
    return layers


def profile_starts(
    table: Tablebase, is_cancelled: Callable[[], bool] = never_cancelled
) -> StartRates:
    """Raise like `profile_layers`."""
    seeds = table.formation.starts
    per_seed = 2 * cells(seeds[0]).count(0)  # approximate: seeds may differ in their tiles
    most = _MAX_STARTS if table.is_quick else _MAX_STARTS_OF_SPARSE
    n_seeds = max(1, min(len(seeds), most // max(1, per_seed)))
    rng = Rng(_SEED)
    chosen = [seeds[_pick(rng, i, n_seeds, len(seeds))] for i in range(n_seeds)]
    best_rates: list[float] = []
    n_positions = 0
    for seed in chosen:
        for board in _with_new_tile(seed):
            if is_cancelled():
                raise BuildCancelledError(tr("stopped before everything was looked at"))
            n_positions += 1
            probe = table.get(board, comes_up=True)
            if probe is not None and (probe.best_rate >= 0 or not probe.unknown):
                best_rates.append(max(probe.best_rate, 0.0))
    means = [rate for rate in table.rates_of(chosen, comes_up=True) if rate is not None]
    return StartRates(
        mean=sum(means) / len(means) if means else None,
        best=max(best_rates, default=None),
        worst=min(best_rates, default=None),
        positions=n_positions,
        all_positions=sum(2 * cells(seed).count(0) for seed in seeds),
    )


def _with_new_tile(seed: int) -> Iterator[int]:
    board = cells(seed)
    for i, tile in enumerate(board):
        for new in (1, 2) if not tile else ():
            yield from_cells([*board[:i], new, *board[i + 1 :]])


def _pick(rng: Rng, i: int, n: int, total: int) -> int:
    low, high = i * total // n, (i + 1) * total // n
    return low + rng.next_u64() % (high - low)


def _sampled(
    file: LayerFile, sample: int, layer: int, is_cancelled: Callable[[], bool]
) -> npt.NDArray[np.float64]:
    n_blocks = file.n_blocks
    n = max(_MIN_BLOCKS, -(-sample * n_blocks // file.stored))
    if file.stored <= sample or n >= n_blocks:
        wanted = list(range(n_blocks))
    else:
        rng = Rng(_SEED + layer)
        wanted = [_pick(rng, i, n, n_blocks) for i in range(n)]
    parts = []
    for i in wanted:
        if is_cancelled():
            raise BuildCancelledError(tr("stopped before everything was looked at"))
        parts.append(file.rate.decode_many(file.block(i)[1]))
    return np.concatenate(parts)


def _described(plain: LayerRates, rates: npt.NDArray[np.float64]) -> LayerRates:
    if not rates.size:  # the blocks that were chosen are empty
        return plain
    mean = float(rates.mean())
    rates.sort()
    low, median, high = (float(rates[-(-tenths * rates.size // 10) - 1]) for tenths in _TENTHS)
    return replace(plain, sampled=int(rates.size), mean=mean, low=low, median=median, high=high)
