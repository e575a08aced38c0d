"""Small tables, expanded and solved in memory, to estimate the cost of larger ones."""

from collections.abc import Callable
from functools import lru_cache

from tablebase.build.layer_window import LayerWindow
from tablebase.build.layers import Layers
from tablebase.build.worker_pool import LayerPool
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal
from tablebase.kernels.bits import U64, count_ones
from tablebase.plan.known_costs import Counted
from tablebase.rank.space import Space
from tablebase.store.codecs import FAST, BlockPacker, blocks_for, most_bytes
from tablebase.store.rates import RATE_TYPES, EncodedRates

Watch = Callable[[float], None]
"""Receives the progress of a count now and then, from 0 to 1; an exception ends the count."""

_RATE = RATE_TYPES["uint32"]
_LAYER_BYTES = 80  # of a layer file without its blocks,
_SLOTS_PER_BOARD = 20  # at most, to be counted; a slot takes a quarter of a byte
_BLOCK_BYTES = 24  # and of its directory entry for each block


@lru_cache(maxsize=256)
def layer_slots(formation: Formation, target: Goal | int) -> tuple[int, ...]:
    space = Space(formation, target, formation.n_layers(target))
    return tuple(space.n_slots(formation.seed_half_sum + i) for i in range(space.n_layers))


def count_boards(
    formation: Formation,
    target: Goal | int,
    threads: int = 1,
    watch: Watch | None = None,
    most_boards: int | None = None,
) -> Counted:
    """Takes about 200 ns of processor time per board and a quarter byte of memory per slot."""
    watch = watch or unwatched
    space = Space(formation, target, formation.n_layers(target))
    with LayerPool(threads, lambda: False) as pool:
        layers = Layers(space, 0.1, pool)
        return _solve(layers, *expand_all(layers, watch, most_boards), watch)


def count_few(
    formation: Formation,
    target: Goal | int,
    most_boards: int,
    threads: int = 1,
    watch: Watch | None = None,
) -> Counted | None:
    """None if there are more boards, or so many slots for each that they take most of the time."""
    if sum(layer_slots(formation, target)) > _SLOTS_PER_BOARD * most_boards:
        return None
    try:
        return count_boards(formation, target, threads, watch, most_boards)
    except _TooManyError:
        return None


class _TooManyError(Exception):
    """There are more boards than wanted."""


def unwatched(_fraction: float) -> None: ...


def expand_all(
    layers: Layers, watch: Watch = unwatched, most_boards: int | None = None
) -> tuple[list[U64], list[U64]]:
    """Return after-states and pre-states of all layers; layer 0 has no pre-states."""
    n, n_boards = layers.space.n_layers, 0
    after = [layers.seeds()]
    pre = [after[0][:0]]
    for layer in range(1, n):
        watch(layer / (2 * n))
        # The last layer but one is not expanded: what follows comes too late.
        one_before = after[-1] if layer < n - 1 else None
        pre.append(layers.spawn(layer, [one_before, after[-2] if layer > 1 else None]))
        after.append(layers.move(layer, pre[-1]))
        if most_boards is not None:
            n_boards += int(count_ones(after[-1]))
            if n_boards > most_boards:
                raise _TooManyError
    return after, pre


def _solve(layers: Layers, after: list[U64], pre: list[U64], watch: Watch) -> Counted:
    boards = stored = n_bytes = 0
    one_on: LayerWindow | None = None
    two_on: LayerWindow | None = None
    n = len(after)
    for layer in range(n - 1, -1, -1):
        watch(1.0 - layer / (2 * n))
        if one_on is None or two_on is None or layer >= n - 2:
            solved = layers.ended(layer, after[layer])
        else:
            solved = layers.rate_spawns(layer, after[layer], one_on, two_on)
        n_boards, words, encoded = layers.packed(layer, after[layer], solved, _RATE)
        boards, stored = boards + n_boards, stored + int(encoded.values.size)
        n_bytes += _packed_bytes(layers.n_slots(layer), words, encoded)
        if layer > 0:
            one_on, two_on = layers.rate_moves(layer, pre[layer], solved), one_on
    return Counted(boards, stored, n_bytes)


def _packed_bytes(n_slots: int, words: U64, encoded: EncodedRates) -> int:
    values, before = encoded.values, 0
    n_blocks, size = blocks_for(n_slots, values.size)
    most = most_bytes(n_blocks, values.size, values.dtype, size)
    packer = BlockPacker(FAST, values.dtype, most, n_slots=size)
    for start in range(0, n_blocks * size // 64, size // 64):
        bitmap = words[start : start + size // 64]
        n = int(count_ones(bitmap))
        if n > 0:
            packer.add_keys(bitmap)
            packer.add_values(values[before : before + n])
        before += n
    return _LAYER_BYTES + _BLOCK_BYTES * n_blocks + packer.size
