"""Which tiles of a recorded game are the large ones that its table locks. No Qt."""

from coach.recordings.recording import Recording
from engine.bitboard import LARGEST_NIBBLE
from gui.core.goal import Goal, locked_cells

_LEAST_LOCKED = 2  # one F may be a tile of 32768, two would be about to merge


class Locks:
    """The cells to draw as locked, by position.

    Parameters
    ----------
    recording : Recording
    goal : Goal or None
        The formation of its table; None where that is not known. Then the F of the record itself
        are taken, if they do not merge.
    """

    def __init__(self, recording: Recording, goal: Goal | None = None) -> None:
        self._recording, self._goal = recording, goal
        target = (recording.table or "").rpartition("_")[2]
        self._exponent = int(target).bit_length() - 1 if target.isdecimal() else 0

    def at(self, i: int) -> frozenset[int]:
        """Return the locked cells of a position."""
        replay = self._recording.replay
        if replay.walls:
            return frozenset()
        if self._goal and self._exponent:
            return locked_cells(self._recording.boards[i], self._exponent, self._goal)
        large = [c for c, one in enumerate(self._recording.positions[i]) if one == LARGEST_NIBBLE]
        is_masked = not replay.merge_32768 and len(large) >= _LEAST_LOCKED
        return frozenset(large if is_masked else ())
