"""Boards of 16 exponents, for tiles too large for a nibble: a uint8[16], cell 0 top left."""

import numpy as np

from engine.kernels.spawn import below, random
from engine.platform.jit import kernel


@kernel
def slide_cells(cells, direction):
    """Slide 16 exponents (uint8[16], overwritten) as in play; return the points, -1 if illegal.

    Two 32768 merge here, and two 65536.
    """
    points, changed = 0, False
    for line in range(4):
        # Cell i of the line, counted from the side it slides to, is at start + i * step.
        if direction < 2:
            start, step = 4 * line, 1
        else:
            start, step = line, 4
        if direction & 1:
            start, step = start + 3 * step, -step
        filled, may_merge = 0, False
        for i in range(4):
            at = start + i * step
            tile = cells[at]
            if tile == 0:
                continue
            cells[at] = 0
            last = start + (filled - 1) * step
            if may_merge and cells[last] == tile:
                cells[last] = tile + 1
                points += 2 << np.int64(tile)
                may_merge, changed = False, True
            else:
                target = start + filled * step
                cells[target] = tile
                changed |= target != at
                filled += 1
                may_merge = True
    return points if changed else -1


@kernel
def spawn_in_cells(cells, state, spawn4):
    """Put a new tile on 16 exponents (uint8[16]), as `engine.spawn.draw_spawn` draws it."""
    n_empty = 0
    for i in range(16):
        n_empty += cells[i] == 0
    chosen = np.int64(below(state, np.uint64(n_empty)))
    tile = 2 if random(state) < spawn4 else 1
    for i in range(16):
        if cells[i] == 0:
            if chosen == 0:
                cells[i] = tile
                return
            chosen -= 1
