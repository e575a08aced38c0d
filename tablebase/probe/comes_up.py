"""Whether a board comes up from a formation's seeds, proved by an ancestor that the table holds.

A table holds after-states with a rate above zero, and all of them were generated. What it does not
hold may have been generated and be worth nothing, or may never have been looked at. The file does
not tell these two apart, but the rules do: whatever can follow from a generated board was generated
as well. So a board is followed back (see `tablebase.kernels.backward_reach`), to the layers just
before it and then to earlier ones, until an ancestor is found that is stored, or is a seed.

A proof that is found is certain. That none is found proves nothing: the crowd of possible ancestors
is limited, and those from which the target is out of reach are not stored.
"""

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from tablebase.kernels.backward_reach import ancestors
from tablebase.kernels.single_boards import U64, Rules

_CROWDS = (32, 512, 4096)  # boards followed back of each layer: few are enough for nearly all
_SEED = 1  # of the random choice among ancestors: the same question has the same answer


class Provenance:
    """Proofs that boards of one table come up.

    Parameters
    ----------
    rules : Rules
        Of its formation and target.
    is_held : callable
        Tells of after-states (uint64[n]) of a layer which are stored there, or follow from the
        seeds at once (bool[n]).
    has_file : callable
        Tells whether the table keeps a layer.
    """

    def __init__(
        self,
        rules: Rules,
        is_held: Callable[[U64, int], npt.NDArray[np.bool_]],
        has_file: Callable[[int], bool],
    ) -> None:
        self._rules, self._is_held, self._has_file = rules, is_held, has_file

    def proves(self, afters: Sequence[tuple[int, int]]) -> bool:
        """Tell whether one of some after-states, each with its layer, is sure to come up.

        Raises
        ------
        TableError
            The table cannot be read.
        """
        for first in range(2):
            boards = np.array([after for after, layer in afters if layer == first], np.uint64)
            if boards.size and self._is_held(boards, first).any():
                return True
        left = list(afters)
        for base in self._bases(max((layer for _, layer in afters), default=0)):
            some = [one for one in left if one[1] - base >= 2]
            boards = np.array([after for after, _ in some], np.uint64)
            rows = np.array([layer - base for _, layer in some], np.int64)
            led_to: set[tuple[int, int]] = set()
            for size in _CROWDS:  # a small crowd may lose the one line that there is
                which, crowds, _ = ancestors(self._rules, boards, rows, size, _SEED)
                if any(self._holds_any(crowds[:, row], base + row) for row in range(2)):
                    return True
                led_to.update(some[i] for i in which)
            # Boards that nothing leads to are given up.
            left = [one for one in left if one[1] - base < 2 or one in led_to]
            if not left:
                return False
        return False

    def _bases(self, layer: int) -> Iterator[int]:
        """Yield layers that are kept as well as the one after them, ever further back."""
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
