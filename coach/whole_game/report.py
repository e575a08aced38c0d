"""The report of a whole game: its phases and decisive moments.

A phase is a block of the game (`ai.chances.goal`): the building of another 2048. Its figures cover
its moves only. A moment is a move or a tile that cost a lot, measured by the change of the chance,
so that a loss counts most when most was at stake.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any

from ai.chances.goal import BLOCK, TOLD, goal_of
from coach.analysis.analyze import points_of
from coach.analysis.course import TILE
from coach.analysis.data import finite
from coach.analysis.game_facts import N_WORST, CostlyMove, GameFacts, stretches_of, with_game
from coach.grading.grade import GRADES, Score
from coach.recordings.recording import FILE, SEARCH, Recording
from coach.whole_game.analysis import Analyzed
from engine.bitboard import DIRECTIONS
from engine.formats.replay import Cells
from engine.saved_game import cells_to_text

N_MOMENTS = 10
_MIN_CHANGE = 0.002
_DIGITS = 5  # for the chances in a chart


class What(Enum):
    """The kind of a moment."""

    MOVE = "move"
    TILE = TILE


@dataclass(frozen=True)
class Moment:
    """A move, or the new tile after it, that changed the chance a lot."""

    what: What
    index: int  # index of the move, from 0
    # The chance before and after, in [0, 1].
    before: float
    after: float

    @property
    def change(self) -> float:
        return self.after - self.before


@dataclass(frozen=True)
class Phase:
    """A block of a game."""

    # Its first and last move, from 0, both inclusive.
    first: int
    last: int
    large: tuple[int, ...]  # face values of the large tiles during the phase, largest first
    is_made: bool  # whether the phase made its tile
    # Number of moves by what rated them: a table name, `SEARCH`, "" for nothing.
    sources: Mapping[str, int]
    score: Score  # score of its moves
    # Chance lost by moves and gained by tiles, as far as known.
    points_lost: float
    points_of_luck: float
    # Chance of the best move: at the first rated position, and the lowest.
    chance_first: float | None
    least_chance: float | None
    # Whether its tile makes a 32768, so that its chances are those of 32768, too.
    makes_told: bool = False

    @property
    def n_moves(self) -> int:
        return self.last - self.first + 1


@dataclass(frozen=True)
class WholeGame:
    """The report of a whole game."""

    recording: Recording
    phases: tuple[Phase, ...]
    moments: tuple[Moment, ...]  # the ten with the largest changes, in game order


def whole_game(recording: Recording) -> WholeGame:
    found = sorted(_moments(recording), key=lambda one: (-abs(one.change), one.index))
    most = sorted(found[:N_MOMENTS], key=lambda one: (one.index, one.what is What.TILE))
    return WholeGame(recording, tuple(_phases(recording)), tuple(most))


def facts_of_game(recording: Recording, name: str = "") -> GameFacts:
    """Return the key facts of a recorded game, with the course of a whole one."""
    facts = facts_of_recording(recording, name)
    if not recording.is_judged_whole:
        return facts
    game = {**to_json(whole_game(recording)), "chances": chances_of(recording)}
    return with_game(facts, game)


def chances_of(recording: Recording) -> list[float | None]:
    best = [recording.best_rate(i) for i in range(recording.n_moves)]
    return [None if one is None else round(one, _DIGITS) for one in best]


def of_analyzed(found: Analyzed) -> dict[str, Any]:
    """Return a report's data on a whole game: `to_json`, the progress, every chance."""
    return {
        **to_json(whole_game(found.recording)),
        "complete": found.is_done,
        "searched": found.n_searched,
        "to_search": found.n_to_search,
        "chances": chances_of(found.recording),
    }


def tile_points(recording: Recording, i: int) -> float | None:
    rates = recording.rates[i]
    rate = rates[recording.replay.moves[i].direction] if rates else None
    after = recording.best_rate(i + 1)
    if recording.luck[i] is None or rate is None or after is None:
        return None
    return after - rate


def _moments(recording: Recording) -> Iterator[Moment]:
    for i, judgement in enumerate(recording.judgements):
        if judgement and judgement.points_lost >= _MIN_CHANGE:
            yield Moment(What.MOVE, i, judgement.best_rate, judgement.rate)
        points = tile_points(recording, i)
        after = recording.best_rate(i + 1)
        if points is not None and after is not None and abs(points) >= _MIN_CHANGE:
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
        _large(recording.positions[last]),  # equal ones have merged by then
        is_made,
        Counter(recording.rater_at(i) for i in moves),
        score,
        math.fsum(lost),
        math.fsum(luck),
        best[0] if best else None,
        min(best, default=None),
        makes_told(recording.positions[last]),
    )


def makes_told(cells: Cells) -> bool:
    return goal_of(cells).leads_to(cells) == TOLD


def to_json(found: WholeGame) -> dict[str, Any]:
    """Return the report as plain data: moves counted from 1, chances in [0, 1]."""
    recording, score = found.recording, found.recording.score
    return {
        "moves": recording.n_moves,
        "judged": recording.n_judged,
        "by_search": sum(recording.rater_at(i) == SEARCH for i in range(recording.n_moves)),
        "match_rate": score.match_rate,
        "longest_combo": score.longest_combo,
        "luck_log": finite(recording.total_luck or 0.0),
        "grades": {grade.value: score.count(grade) for grade in GRADES},
        "points_lost": math.fsum(phase.points_lost for phase in found.phases),
        "points_of_luck": math.fsum(phase.points_of_luck for phase in found.phases),
        "phases": [_phase_to_json(phase) for phase in found.phases],
        "moments": [_moment_to_json(recording, moment) for moment in found.moments],
        "worst": [_moment_to_json(recording, moment) for moment in _worst(recording)],
    }


def moves_to_json(recording: Recording) -> list[dict[str, Any]]:
    """Return every move as plain data, with the same keys as moves in a table's segment."""
    found = []
    for i, move in enumerate(recording.replay.moves):
        judgement, rates = recording.judgements[i], recording.rates[i]
        one: dict[str, Any] = {
            "move": i + 1,
            "board": cells_to_text(recording.positions[i]),
            "played": DIRECTIONS[recording.direction_at(i)],
            "rates": dict(zip(DIRECTIONS, rates or (None,) * 4, strict=True)),
            "new_tile": [move.cell, 1 << move.exponent],
            "ms": move.ms,
            "source": recording.rater_at(i),
        }
        if judgement:
            one |= {
                "grade": judgement.grade.value,
                "best": [DIRECTIONS[way] for way in judgement.best],
                "points_lost": judgement.points_lost,
                "forced": judgement.is_forced,
            }
        found.append(one)
    return found


def _worst(recording: Recording) -> list[Moment]:
    moves = [one for one in _moments(recording) if one.what is What.MOVE]
    return sorted(moves, key=lambda one: (one.change, one.index))[:N_MOMENTS]


def _phase_to_json(phase: Phase) -> dict[str, Any]:
    return {
        "first_move": phase.first + 1,
        "last_move": phase.last + 1,
        "large_tiles": list(phase.large),
        "makes": 1 << TOLD if phase.makes_told else None,
        "made": phase.is_made,
        "sources": dict(phase.sources),
        "judged": phase.score.n_moves,
        "match_rate": phase.score.match_rate,
        "grades": {grade.value: phase.score.count(grade) for grade in GRADES},
        "points_lost": phase.points_lost,
        "mean_loss": phase.points_lost / phase.score.n_moves if phase.score.n_moves else None,
        "points_of_luck": phase.points_of_luck,
        "first_chance": phase.chance_first,
        "least_chance": phase.least_chance,
    }


def _moment_to_json(recording: Recording, moment: Moment) -> dict[str, Any]:
    i = moment.index
    judgement = recording.judgements[i]
    played = recording.direction_at(i)
    goal = goal_of(recording.positions[i])
    return {
        "what": moment.what.value,
        "move": i + 1,
        "tile": 1 << recording.replay.moves[i].exponent,
        "board": cells_to_text(recording.positions[i]),
        "played": DIRECTIONS[played],
        "best": DIRECTIONS[judgement.best[0]] if judgement else None,
        "grade": judgement.grade.value if judgement else None,
        "before": moment.before,
        "after": moment.after,
        "source": recording.rater_at(i),
        "large_tiles": goal.n_large,
        "target": 1 << goal.exponent,
        "makes": 1 << TOLD if makes_told(recording.positions[i]) else None,
    }


def facts_of_recording(recording: Recording, name: str = "") -> GameFacts:
    replay, score = recording.replay, recording.score
    judged = {i + 1: one for i, one in enumerate(recording.judgements) if one}
    n_moves = recording.n_moves
    final = recording.positions[-1]
    worst = sorted(judged, key=lambda number: (-judged[number].points_lost, number))
    costly = [number for number in worst if not judged[number].is_perfect][:N_WORST]
    return GameFacts(
        name=name or recording.name,
        n_moves=n_moves,
        points=points_of(replay, final, n_moves),
        largest_tile=1 << max([e for e in final if not (replay.walls and e == 15)], default=0),
        stretches=stretches_of(
            (i + 1, _table_at(recording, i), recording.best_rate(i)) for i in range(n_moves)
        ),
        n_judged=recording.n_judged,
        longest_streak=score.longest_combo,
        match_rate=score.match_rate,
        luck=recording.total_luck or 0.0,
        counts=score.counts,
        worst=tuple(
            CostlyMove(
                number,
                recording.positions[number - 1],
                judged[number].direction,
                judged[number].best,
                judged[number].rate,
                judged[number].best_rate,
                judged[number].grade,
            )
            for number in costly
        ),
    )


def _table_at(recording: Recording, position: int) -> str:
    rater = recording.rater_at(position)
    return (recording.table or "") if rater == FILE else rater
