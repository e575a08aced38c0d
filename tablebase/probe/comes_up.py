"""Whether a board comes up from a formation's seeds, proved by an ancestor that the table holds.

A table holds after-states with a rate above zero, and all of them were generated. A board that it
does not hold may have been generated and be worth nothing, or may never have been generated. The
file does not distinguish the two, but the rules do: everything that can follow from a generated
board was generated as well. So a board is traced back (see `tablebase.kernels.backward_reach`), to
the layers just before it and then to earlier ones, until an ancestor is found that is stored, or is
a seed.

A proof that is found is certain. Finding none proves nothing: the number of ancestors followed is
limited, and ancestors that cannot reach the target are not stored.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tablebase.kernels.backward_reach import ancestors
from tablebase.kernels.single_boards import U64, BoardRules

_CROWDS = (32, 512, 4096)  # boards traced back per layer: few are enough in nearly all cases
_SEED = 1  # for the random choice of ancestors: the same query gets the same answer


class Provenance:
    """Finds proofs that boards of one table come up.

    `is_held` gives a mask of the after-states of a layer that are stored there, or follow from the
    seeds at once.
    """

    def __init__(
        self,
        rules: BoardRules,
        is_held: Callable[[U64, int], npt.NDArray[np.bool_]],
        has_file: Callable[[int], bool],
    ) -> None:
        self._rules, self._is_held, self._has_file = rules, is_held, has_file

    def proves(self, afters: Sequence[tuple[int, int]]) -> bool:
        for first in range(2):
            boards = np.array([after for after, layer in afters if layer == first], np.uint64)
            if boards.size and self._is_held(boards, first).any():
                return True
        left = list(afters)
        for base in self._bases(max((layer for _, layer in afters), default=0)):
            some = [after for after in left if after[1] - base >= 2]
            boards = np.array([after for after, _ in some], np.uint64)
            rows = np.array([layer - base for _, layer in some], np.int64)
            led_to: set[tuple[int, int]] = set()
            for size in _CROWDS:  # a small crowd may miss the only line of ancestors
                which, crowds, _ = ancestors(self._rules, boards, rows, size, _SEED, base == 0)
                if any(self._holds_any(crowds[:, row], base + row) for row in range(2)):
                    return True
                led_to.update(some[i] for i in which)
            # Boards without ancestors are dropped.
            left = [after for after in left if after[1] - base < 2 or after in led_to]
            if not left:
                return False
        return False

    def _bases(self, layer: int) -> Iterator[int]:
        """Yield layers that have files, as does the one after them, going back step by step."""
        step = 2
        base = layer - step
        while base >= 0:
            while base > 0 and not (self._has_file(base) and self._has_file(base + 1)):
                base -= 1
            yield base
            if base == 0:
                return
            step *= 2
            base = max(0, min(base - 1, layer - step))

    def _holds_any(self, crowds: U64, layer: int) -> bool:
        boards = np.unique(crowds[crowds != 0])
        return bool(boards.size and self._is_held(boards, layer).any())
