"""Memory limits for work: requested, needed with all arrays in memory, and the minimum.

Working arrays beyond the limit are in mapped files (see tablebase.memory.arrays). Python itself,
the compiled code and its compiler, and tables of rows and blocks cannot be mapped.
"""

import psutil

from engine.platform.quantities import bytes_text
from tablebase.errors import BuildRefusedError
from tablebase.memory.arrays import MIN_BYTES
from tablebase.rank.space import Space

# Defaults: shares of the machine's memory, and of what other programs leave of it now.
_SHARE, _SHARE_OF_FREE = 0.8, 0.9
_KEPT_BLOCKS = 5  # layers whose blocks are kept at once


def memory_limit(what: str, needed: int, wanted: int | None, least: int) -> int | None:
    """Return the memory limit to keep by mapping working arrays, None if everything fits.

    `needed` are the bytes with all arrays in memory, `least` those that cannot be mapped; `wanted`
    is the requested limit, None for most of the machine's memory. BuildRefusedError, which begins
    with `what`, says that the limit is below `least`.
    """
    limit = allowed_memory(what, wanted, least)
    return None if needed <= limit else limit


def allowed_memory(what: str, wanted: int | None, least: int) -> int:
    """Return the memory limit for work whose arrays may be of any size; see `memory_limit`."""
    limit = wanted or default_limit(least)
    if least > limit:
        raise BuildRefusedError(
            "{what} needs at least {least} of memory, more than the {limit} allowed: allow "
            "more, or choose a smaller table",
            what=what,
            least=bytes_text(least),
            limit=bytes_text(limit),
        )
    return limit


def default_limit(least: int = 0) -> int:
    """Return the limit below which the machine need not swap; `least`, if it has that much."""
    memory = psutil.virtual_memory()
    most = int(_SHARE * memory.total)
    return min(most, max(least, int(_SHARE_OF_FREE * memory.available)))


def build_limit(space: Space, wanted: int | None) -> int | None:
    formation = space.formation
    slots = [space.n_slots(formation.seed_half_sum + i) for i in range(space.n_layers)]
    what = f"{formation.name} {space.target}"
    return memory_limit(what, memory_needed(max(slots)), wanted, MIN_BYTES + blocks_bytes(space))


def blocks_bytes(space: Space) -> int:
    """Return the bytes of the blocks that are kept at once; they are never mapped."""
    first = space.formation.seed_half_sum
    slots = [space.n_slots(first + i) for i in range(space.n_layers)]
    blocks = space.blocks(first + slots.index(max(slots)))
    return _KEPT_BLOCKS * sum(part.nbytes for part in (*blocks[:4], *blocks.places))


def memory_needed(largest_slots: int) -> int:
    """Return the approximate bytes of a build whose largest layer has `largest_slots` slots.

    Four indexed bitmaps of 2 bits per slot, plain ones, and for every seventh to tenth slot a few
    values of 8 bytes; plus Python and the compiler.
    """
    return 300 * 2**20 + int(largest_slots * (4 * 2 + 4) / 8) + int(largest_slots * 0.15 * 8 * 5)


def memory_held(largest_slots: int, share: float) -> int:
    """Return the bytes of a build whose largest layer has so many slots, a share of them used.

    Bitmaps as in `memory_needed`; boards of three layers before and after a move, their values and
    further data: 9 values of 8 bytes per board, as measured.
    """
    return 300 * 2**20 + int(largest_slots * (4 * 2 + 4) / 8 + largest_slots * share * 8 * 9)


def packing_needed(n_slots: int, n_boards: int) -> int:
    """Return the approximate bytes for reading a layer of `n_boards` boards and repacking it.

    Two bitmaps and an index; exact rates twice, sorted, in stored form before and after, and
    packed.
    """
    return MIN_BYTES + n_slots // 8 * 5 + n_boards * 8 * 6


def thinning_needed(n_slots: int, n_boards: int, n_images: int) -> int:
    """Return the approximate bytes for reducing a layer to optimal play.

    In addition to packing: the images of the layers before, pre-states, an index of the layer's
    images with their rates, and lists of boards and their slots.
    """
    return packing_needed(n_slots, n_boards) + n_slots + n_boards * 8 * (n_images + 3)
