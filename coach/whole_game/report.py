"""A whole game told: its phases, and the moments that decided it.

A phase is a block of the game (`ai.chances.goal`): the way to another 2048. Its figures are those
of its moves alone. A moment is a move that gave much away, or a tile that took much; by the change
of the chance, so that a loss counts most where most was at stake.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ai.chances.goal import BLOCK, goal_of
from coach.grading.grade import GRADES, Score
from coach.recordings.recording import SEARCH, Recording
from engine.bitboard import DIRECTIONS
from engine.formats.replay import Cells
from engine.saved_game import cells_to_text

N_MOMENTS = 10
_LEAST_CHANGE = 0.002


class What(Enum):
    """What a moment is."""

    MOVE = "move"
    TILE = "tile"


@dataclass(frozen=True)
class Moment:
    """A move, or the tile after it, that changed much.

    Attributes
    ----------
    what : What
    index : int
        The move: so many were made before it.
    before, after : float
        The chance before and after, in [0, 1].
    """

    what: What
    index: int
    before: float
    after: float

    @property
    def change(self) -> float:
        """Return what it changed, in chances; below 0 what it cost."""
        return self.after - self.before


@dataclass(frozen=True)
class Phase:
    """A block of a game.

    Attributes
    ----------
    first, last : int
        Its moves, counted from 0; the last included.
    large : tuple of int
        Face values of the large tiles beside which it was, largest first.
    is_made : bool
        Whether it ended with its tile.
    sources : mapping of str to int
        Moves by what rates them: names of tables, `SEARCH`, "" for nothing.
    score : Score
        Of its moves.
    points_lost, points_of_luck : float
        What moves gave away and tiles gave, in chances, as far as known.
    chance_first, least_chance : float or None
        Of the best move: of the first rated position, and the lowest.
    """

    first: int
    last: int
    large: tuple[int, ...]
    is_made: bool
    sources: Mapping[str, int]
    score: Score
    points_lost: float
    points_of_luck: float
    chance_first: float | None
    least_chance: float | None

    @property
    def n_moves(self) -> int:
        """Return the number of its moves."""
        return self.last - self.first + 1


@dataclass(frozen=True)
class WholeGame:
    """What is told of a whole game.

    Attributes
    ----------
    recording : Recording
    phases : tuple of Phase
    moments : tuple of Moment
        The ten that changed most, in the order of the game.
    """

    recording: Recording
    phases: tuple[Phase, ...]
    moments: tuple[Moment, ...]

    @property
    def worst_phase(self) -> Phase | None:
        """Return the phase in which moves gave away most; None when nothing was given away."""
        worst = max(self.phases, key=lambda one: one.points_lost, default=None)
        return worst if worst and worst.points_lost > 0 else None


def whole_game(recording: Recording) -> WholeGame:
    """Return the phases and moments of a recording that `coach.whole_game.rating` has rated."""
    found = sorted(_moments(recording), key=lambda one: (-abs(one.change), one.index))
    most = sorted(found[:N_MOMENTS], key=lambda one: (one.index, one.what is What.TILE))
    return WholeGame(recording, tuple(_phases(recording)), tuple(most))


def tile_points(recording: Recording, i: int) -> float | None:
    """Return what the tile after a move gave or took, in chances; None where that is not known."""
    rates = recording.rates[i]
    rate = rates[recording.replay.moves[i].direction] if rates else None
    after = recording.best_rate(i + 1)
    if recording.luck[i] is None or rate is None or after is None:
        return None
    return after - rate


def _moments(recording: Recording) -> Iterator[Moment]:
    for i, judgement in enumerate(recording.judgements):
        if judgement and judgement.points_lost >= _LEAST_CHANGE:
            yield Moment(What.MOVE, i, judgement.best_rate, judgement.rate)
        points = tile_points(recording, i)
        after = recording.best_rate(i + 1)
        if points is not None and after is not None and abs(points) >= _LEAST_CHANGE:
            yield Moment(What.TILE, i, after - points, after)


def _phases(recording: Recording) -> Iterator[Phase]:
    n = recording.n_moves
    held = [sum(_large(cells)) for cells in recording.positions]
    first = 0
    for i in range(1, n + 1):
        if held[i] != held[first] or i == n:
            yield _phase(recording, first, i - 1, held[i] > held[first])
            first = i


def _large(cells: Cells) -> tuple[int, ...]:
    """Return the large tiles of a position, face values, largest first."""
    return tuple(sorted((1 << cell for cell in cells if cell >= BLOCK), reverse=True))


def _phase(recording: Recording, first: int, last: int, is_made: bool) -> Phase:
    moves = range(first, last + 1)
    score = Score(leaves_out_forced=recording.leaves_out_forced)
    for i in moves:
        score = score.add(recording.judgements[i])
    lost = [one.points_lost for one in recording.judgements[first : last + 1] if one]
    luck = [one for i in moves if (one := tile_points(recording, i)) is not None]
    best = [one for i in moves if (one := recording.best_rate(i)) is not None]
    return Phase(
        first,
        last,
        _large(recording.positions[last]),  # those that are equal have merged by then
        is_made,
        Counter(recording.rater_at(i) for i in moves),
        score,
        math.fsum(lost),
        math.fsum(luck),
        best[0] if best else None,
        min(best, default=None),
    )


def to_json(found: WholeGame) -> dict[str, Any]:
    """Return what is told as plain data: moves counted from 1, chances in [0, 1]."""
    recording, score = found.recording, found.recording.score
    return {
        "moves": recording.n_moves,
        "judged": recording.n_judged,
        "by_search": sum(recording.rater_at(i) == SEARCH for i in range(recording.n_moves)),
        "match_rate": score.match_rate,
        "grades": {grade.value: score.count(grade) for grade in GRADES},
        "points_lost": math.fsum(phase.points_lost for phase in found.phases),
        "points_of_luck": math.fsum(phase.points_of_luck for phase in found.phases),
        "phases": [_phase_to_json(phase) for phase in found.phases],
        "moments": [_moment_to_json(recording, moment) for moment in found.moments],
    }


def _phase_to_json(phase: Phase) -> dict[str, Any]:
    return {
        "first_move": phase.first + 1,
        "last_move": phase.last + 1,
        "large_tiles": list(phase.large),
        "made": phase.is_made,
        "sources": dict(phase.sources),
        "judged": phase.score.n_moves,
        "match_rate": phase.score.match_rate,
        "grades": {grade.value: phase.score.count(grade) for grade in GRADES},
        "points_lost": phase.points_lost,
        "points_of_luck": phase.points_of_luck,
        "first_chance": phase.chance_first,
        "least_chance": phase.least_chance,
    }


def _moment_to_json(recording: Recording, moment: Moment) -> dict[str, Any]:
    i = moment.index
    judgement = recording.judgements[i]
    played = recording.replay.moves[i].direction
    goal = goal_of(recording.positions[i])
    return {
        "what": moment.what.value,
        "move": i + 1,
        "board": cells_to_text(recording.positions[i]),
        "played": DIRECTIONS[played],
        "best": DIRECTIONS[judgement.best[0]] if judgement else None,
        "before": moment.before,
        "after": moment.after,
        "source": recording.rater_at(i),
        "large_tiles": goal.n_large,
        "target": 1 << goal.exponent,
    }
