"""The large tiles of a recorded game that its table locks. No Qt."""

from collections.abc import Mapping

from coach.grading.formation_cells import locked_cells
from coach.recordings.recording import Recording
from engine.bitboard import LARGEST_NIBBLE
from tablebase.formation.formation import Formation
from tablebase.formation.goal import read_goal

_MIN_LOCKED = 2  # one F may be a 32768; two would merge


class Locks:
    """The cells to draw as locked, by position.

    Parameters
    ----------
    recording : Recording
    goals : mapping of str to Formation
        The formations of the tables that rate its positions, by table. If one is unknown, the F of
        the record itself are used, if they do not merge.
    """

    def __init__(self, recording: Recording, goals: Mapping[str, Formation] | None = None) -> None:
        self._recording, self._goals = recording, dict(goals or {})

    def at(self, i: int) -> frozenset[int]:
        """Return the locked cells of a position."""
        replay = self._recording.replay
        if replay.walls:
            return frozenset()
        table = self._recording.table_at(i) or ""
        goal, target = self._goals.get(table), read_goal(table.rpartition("_")[2])
        if goal and target is not None:
            return locked_cells(self._recording.boards[i], target, goal)
        large = [c for c, one in enumerate(self._recording.positions[i]) if one == LARGEST_NIBBLE]
        is_masked = not replay.merge_32768 and len(large) >= _MIN_LOCKED
        return frozenset(large if is_masked else ())
