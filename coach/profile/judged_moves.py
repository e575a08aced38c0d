"""The moves of a recorded game that say something about the player.

These are moves with a choice where a table or search knows the value of each move. Only forced
moves and moves that could not be judged are left out.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from coach.analysis.coverage import LargeTiles
from coach.grading.grade import Judgement, Rates
from coach.grading.luck import REMEMBERED
from coach.profile.position import Position
from coach.recordings.recording import FILE, SEARCH, Recording
from engine.bitboard import LARGEST_NIBBLE
from tablebase.formation.formation import Formation
from tablebase.formation.goal import read_goal

BAD_TILE = math.log(0.95)
"""A new tile that takes a twentieth of the chance, or more, is bad luck."""


@dataclass(frozen=True)
class JudgedMove:
    """A move and its circumstances."""

    number: int  # its number in the game, from 1
    position: Position
    judgement: Judgement
    rates: Rates
    ms: int | None  # time taken; None if unknown
    # Luck of the worst of the last `REMEMBERED` tiles, a logarithm; None if unknown.
    luck: float | None
    symmetry: str  # the symmetry that leaves the position the same; see `coach.grading.position`

    @property
    def lost(self) -> float:
        """The loss, as a difference of two chances."""
        return self.judgement.points_lost


def judged_moves(recording: Recording, formations: Mapping[str, Formation]) -> Iterator[JudgedMove]:
    """Yield the moves of a recording that say something about the player.

    In a game with real large tiles the formations, by name, say which of these a table masks.
    """
    walls, luck = recording.replay.walls, recording.luck
    for i, judgement in enumerate(recording.judgements):
        rates, table = recording.rates[i], _rater(recording, i)
        if judgement is None or judgement.is_forced or rates is None or not table:
            continue
        formation = formations.get(table.rpartition("_")[0])
        recent = [one for one in luck[max(0, i - REMEMBERED) : i] if one is not None]
        yield JudgedMove(
            i + 1,
            Position(table, _masked(recording, i, table, formation), rates, judgement.best, walls),
            judgement,
            rates,
            recording.replay.moves[i].ms or None,
            min(recent, default=None),
            formation.symmetry if formation and walls else "full",
        )


def _rater(recording: Recording, i: int) -> str:
    """Return the table that rates a position, or `SEARCH`; "" if unknown."""
    rater = recording.rater_at(i)
    name = (recording.table or "") if rater == FILE else rater
    return name if name == SEARCH or read_goal(name.rpartition("_")[2]) else ""


def _masked(recording: Recording, i: int, table: str, formation: Formation | None) -> int:
    """Return a position as its table stores it."""
    cells, board = recording.positions[i], recording.boards[i]
    goal = read_goal(table.rpartition("_")[2])
    if recording.replay.walls or formation is None or goal is None:
        return board
    if cells.count(LARGEST_NIBBLE) == formation.n_large:  # from a test: already masked
        return board
    tiles = LargeTiles(cells, recording.replay.merge_32768)
    masked = tiles.masked(formation.n_large, goal.least_large)
    return board if masked is None else masked
