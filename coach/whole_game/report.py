"""The report of a whole game: its phases and decisive moments.

A phase is a block of the game (`ai.chances.goal`): the building of another 2048. Its figures cover
its moves only. A moment is a move or a tile that cost a lot, measured by the change of the chance,
so that a loss counts most when most was at stake.
"""

import math
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ai.chances.goal import BLOCK, REPORTED_TILE, goal_of
from coach.analysis.analyze import points_of
from coach.analysis.course import TILE
from coach.analysis.data import finite
from coach.analysis.game_facts import N_WORST, GameFacts, costly, stretches_of, with_game
from coach.grading.grade import GRADES, Score
from coach.recordings.recording import FILE, SEARCH, Recording
from coach.whole_game.analysis import Analyzed
from engine.bitboard import DIRECTIONS
from engine.formats.replay import Cells
from engine.saved_game import cells_to_text

N_MOMENTS = 10
_MIN_CHANGE = 0.002
_DIGITS = 5  # for the chances in a chart


class _Moment(NamedTuple):
    """A move, or the new tile after it, that changed the chance a lot."""

    i: int  # the index of the move
    is_tile: bool
    # The chance before and after, in [0, 1].
    before: float
    after: float

    @property
    def change(self) -> float:
        return self.after - self.before


def facts_of_game(recording: Recording) -> GameFacts:
    """Return the key facts of a recorded game, with the course of a whole one."""
    facts = facts_of_recording(recording)
    if not recording.is_judged_whole:
        return facts
    return with_game(facts, to_json(recording) | {"chances": _chances(recording)})


def _chances(recording: Recording) -> list[float | None]:
    best = [recording.best_rate(i) for i in range(recording.n_moves)]
    return [None if chance is None else round(chance, _DIGITS) for chance in best]


def of_analyzed(game: Analyzed) -> dict[str, Any]:
    """Return a report's data on a whole game: `to_json`, the progress, every chance."""
    return {
        **to_json(game.recording),
        "complete": game.is_done,
        "searched": game.n_searched,
        "to_search": game.n_to_search,
        "chances": _chances(game.recording),
    }


def to_json(recording: Recording) -> dict[str, Any]:
    """Return the report on a recording that `coach.whole_game.rating` has rated, as plain data:
    moves counted from 1, chances in [0, 1], the moments with the largest changes in game order."""
    moments = sorted(_moments(recording), key=lambda moment: (-abs(moment.change), moment.i))
    worst = sorted((moment for moment in moments if not moment.is_tile), key=_by_loss)
    phases, score = list(_phases(recording)), recording.score
    return {
        "moves": recording.n_moves,
        "judged": recording.n_judged,
        "by_search": sum(recording.rater_at(i) == SEARCH for i in range(recording.n_moves)),
        "match_rate": score.match_rate,
        "longest_combo": score.longest_combo,
        "luck_log": finite(recording.total_luck or 0.0),
        "grades": {grade.value: score.count(grade) for grade in GRADES},
        "points_lost": math.fsum(phase["points_lost"] for phase in phases),
        "points_of_luck": math.fsum(phase["points_of_luck"] for phase in phases),
        "phases": phases,
        "moments": [_moment_to_json(recording, moment) for moment in sorted(moments[:N_MOMENTS])],
        "worst": [_moment_to_json(recording, moment) for moment in worst[:N_MOMENTS]],
    }


def _by_loss(moment: _Moment) -> tuple[float, int]:
    return moment.change, moment.i


def _moments(recording: Recording) -> Iterator[_Moment]:
    for i, judgement in enumerate(recording.judgements):
        if judgement and judgement.points_lost >= _MIN_CHANGE:
            yield _Moment(i, False, judgement.best_rate, judgement.rate)
        points = recording.tile_points(i)
        after = recording.best_rate(i + 1)
        if points is not None and after is not None and abs(points) >= _MIN_CHANGE:
            yield _Moment(i, True, after - points, after)


def _phases(recording: Recording) -> Iterator[dict[str, Any]]:
    n = recording.n_moves
    held = [sum(_large(cells)) for cells in recording.positions]
    first = 0
    for i in range(1, n + 1):
        if held[i] != held[first] or i == n:
            yield _phase(recording, range(first, i), held[i] > held[first])
            first = i


def _large(cells: Cells) -> list[int]:
    return sorted((1 << cell for cell in cells if cell >= BLOCK), reverse=True)


def _phase(recording: Recording, moves: range, is_made: bool) -> dict[str, Any]:
    score = Score(leaves_out_forced=recording.leaves_out_forced)
    judged = [judgement for i in moves if (judgement := recording.judgements[i])]
    for i in moves:
        score = score.add(recording.judgements[i])
    luck = [points for i in moves if (points := recording.tile_points(i)) is not None]
    best = [rate for i in moves if (rate := recording.best_rate(i)) is not None]
    points_lost = math.fsum(judgement.points_lost for judgement in judged)
    cells = recording.positions[moves[-1]]  # by then, equal large tiles have merged
    return {
        "first_move": moves[0] + 1,
        "last_move": moves[-1] + 1,
        "large_tiles": _large(cells),
        "makes": _tile_made(cells),
        "made": is_made,
        "sources": dict(Counter(recording.rater_at(i) for i in moves)),
        "judged": score.n_moves,
        "match_rate": score.match_rate,
        "grades": {grade.value: score.count(grade) for grade in GRADES},
        "points_lost": points_lost,
        "mean_loss": points_lost / score.n_moves if score.n_moves else None,
        "points_of_luck": math.fsum(luck),
        "first_chance": best[0] if best else None,
        "least_chance": min(best, default=None),
    }


def _tile_made(cells: Cells) -> int | None:
    """Return 32768 if the next large tile completes it."""
    return 1 << REPORTED_TILE if goal_of(cells).leads_to(cells) == REPORTED_TILE else None


def moves_to_json(recording: Recording) -> list[dict[str, Any]]:
    """Return every move as plain data, with the same keys as moves in a table's segment."""
    moves = []
    for i, move in enumerate(recording.replay.moves):
        judgement, rates = recording.judgements[i], recording.rates[i]
        data: dict[str, Any] = {
            "move": i + 1,
            "board": cells_to_text(recording.positions[i]),
            "played": DIRECTIONS[recording.direction_at(i)],
            "rates": dict(zip(DIRECTIONS, rates or (None,) * 4, strict=True)),
            "new_tile": [move.cell, 1 << move.exponent],
            "ms": move.ms,
            "source": recording.rater_at(i),
        }
        if judgement:
            data |= {
                "grade": judgement.grade.value,
                "best": [DIRECTIONS[way] for way in judgement.best],
                "points_lost": judgement.points_lost,
                "forced": judgement.is_forced,
            }
        moves.append(data)
    return moves


def _moment_to_json(recording: Recording, moment: _Moment) -> dict[str, Any]:
    i = moment.i
    judgement = recording.judgements[i]
    played = recording.direction_at(i)
    goal = goal_of(recording.positions[i])
    return {
        "what": TILE if moment.is_tile else "move",
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
        "makes": _tile_made(recording.positions[i]),
    }


def facts_of_recording(recording: Recording) -> GameFacts:
    replay, score = recording.replay, recording.score
    judged = {i: judgement for i, judgement in enumerate(recording.judgements, 1) if judgement}
    n_moves, final = recording.n_moves, recording.positions[-1]
    wrong = (number for number in judged if not judged[number].is_perfect)
    by_loss = sorted(wrong, key=lambda number: (-judged[number].points_lost, number))
    return GameFacts(
        name=recording.name,
        n_moves=n_moves,
        points=points_of(replay, final, n_moves),
        largest_tile=1 << max([e for e in final if not (replay.walls and e == 15)], default=0),
        stretches=stretches_of(
            (i + 1, (recording.table or "") if rater == FILE else rater, recording.best_rate(i))
            for i in range(n_moves)
            for rater in [recording.rater_at(i)]
        ),
        n_judged=recording.n_judged,
        longest_streak=score.longest_combo,
        match_rate=score.match_rate,
        points_lost=math.fsum(judgement.points_lost for judgement in judged.values()),
        points_of_luck=float(np.nan_to_num(recording.luck_curve[-1])),
        counts=score.counts,
        worst=tuple(
            costly(number, recording.positions[number - 1], judged[number])
            for number in by_loss[:N_WORST]
        ),
    )
