"""What Review says in words: the move, the new tile, the game as a whole. No Qt."""

import math
from collections.abc import Sequence

import numpy as np

from coach.grading.grade import Grade
from coach.recordings.comparison import Comparison
from coach.recordings.recording import FILE, MANY_TABLES, Recording
from engine.wording import scientific
from gui.text.numbers import NBSP, format_whole
from gui.text.rates import (
    DIRECTION_NAMES,
    describe_judged,
    describe_unknown,
    format_allowance,
    format_lost,
    format_points,
)
from gui.text.recordings import table_title

_LITTLE = 5e-5  # a tile that changes the chance by less changes nothing worth a word
_PLAIN_FROM = 1e-6
_HUGE = 100


def format_share(share: float) -> str:
    """Return a share in [0, 1] with two significant digits: `4.2 %`, `0.013 %`, `25 %`."""
    percent = abs(share) * 100
    if percent == 0:
        return f"0{NBSP}%"
    if percent < _PLAIN_FROM * 100:
        return f"{scientific(percent)}{NBSP}%"
    power = int(f"{percent:.1e}".partition("e")[2])  # of what is left after rounding
    decimals = max(0, 1 - power)
    return f"{percent:.{decimals}f}{NBSP}%"


def format_percentage(share: float) -> str:
    """Return a round share for an axis: `0.01 %`, `95 %`."""
    return f"{share * 100:.6g}{NBSP}%"


def format_point_tick(difference: float) -> str:
    """Return a round difference of two rates for an axis: `0.01 pts`, `10 pts`."""
    return f"{difference * 100:.6g}{NBSP}pts"


def format_match_rate(rate: float) -> str:
    """Return a match rate: `97.31 %`; 100 % only when nothing at all was lost."""
    if rate >= 1:
        return f"100{NBSP}%"
    if 1 - rate < 5e-5:
        return f"100{NBSP}% \N{MINUS SIGN} {format_share(1 - rate)}"
    return f"{rate * 100:.2f}{NBSP}%" if rate >= 0.0005 or rate == 0 else format_share(rate)


def format_luck(log: float) -> str:
    """Return luck as what it multiplied the chance by: `× 0.84`."""
    if log == -math.inf:
        return "\N{MULTIPLICATION SIGN}0"
    factor = math.exp(min(log, 700.0))
    digits = f"{factor:.2f}" if 0.095 <= factor < 99.5 else f"{factor:.1g}"
    return f"\N{MULTIPLICATION SIGN}{digits}"


def describe_played(recording: Recording, position: int) -> tuple[Grade | None, str]:
    """Return the grade of the move played from a position, and a sentence on it."""
    if position >= recording.n_moves:
        return None, ""  # the notice says it
    move, rates = recording.replay.moves[position], recording.rates[position]
    if rates is None:
        return None, f"{DIRECTION_NAMES[move.direction].capitalize()} was played."
    judgement = recording.judgements[position]
    unknown_rates = recording.doubts.get(position)
    breaking, tolerance = recording.breaking_at(position), recording.tolerance_at(position)
    text = describe_judged(move.direction, rates, judgement, unknown_rates, breaking, tolerance)
    return judgement.grade if judgement else None, text


def describe_tile(recording: Recording, position: int) -> str:
    """Return what the tile that came last did to the chance, "" where that is not known.

    Where rates are missing, why.
    """
    if unknown_rates := recording.doubts.get(position):
        return describe_unknown(unknown_rates)
    if not 0 < position <= recording.n_moves:
        return ""
    luck = recording.luck[position - 1]
    if luck is None:
        return ""
    tile = f"the new {1 << recording.replay.moves[position - 1].exponent}"
    if luck == -math.inf:
        return f"Bad luck: {tile} left no way to the target."
    change = math.expm1(luck)
    if abs(change) < _LITTLE:
        return f"Luck: {tile} made little difference."
    if change < 0:
        return f"Bad luck: {tile} cost {format_share(change)} of your chance."
    return f"Good luck: {tile} added {format_share(change)} to your chance."


def describe_mark(recording: Recording, index: int) -> str:
    """Return what a mark says: `Move 124: mistake, 4.2 points lost`."""
    judgement = recording.judgements[index]
    if judgement is None:
        return f"Move {index + 1}"
    return f"Move {index + 1}: {judgement.grade.value}, {format_lost(judgement)} lost"


def summary_lines(recording: Recording) -> Sequence[tuple[str, str]]:
    """Return the figures of a whole game, each with its caption."""
    score, n = recording.score, recording.n_judged
    moves = format_whole(recording.n_moves)
    if recording.source and n < recording.n_moves:
        moves = f"{moves}, {format_whole(n)} judged"
    lines = [("Moves", moves), *_rater_lines(recording)]
    if n:
        lines += [
            ("Match rate", format_match_rate(score.match_rate)),
            ("Longest streak", str(score.longest_combo)),
            ("Largest loss", format_points(float(np.nanmax(recording.points_lost)))),
        ]
        if within := format_allowance(recording.tolerance.allowed):
            lines.append(("Perfect moves", within))
    if recording.total_luck is not None:
        lines.append(("Luck", format_luck(recording.total_luck)))
    if score.n_forced:
        lines.append(("Forced moves left out", str(score.n_forced)))
    return lines


def describe_luck(log: float) -> str:
    """Return in a sentence what the tiles did together."""
    change = math.expm1(min(log, 700.0))
    if log == -math.inf:
        return "An unlucky tile ended it."
    if abs(change) < _LITTLE:
        return "Luck was neutral."
    if change < 0:
        return f"Bad luck: the new tiles cost {format_share(change)} of your chance."
    if change < 1:
        return f"Good luck: the new tiles added {format_share(change)} to your chance."
    factor = f"{change + 1:.3g}" if change < _HUGE else f"more than {format_whole(_HUGE)}"
    return f"Good luck: the new tiles multiplied your chance by {factor}."


def describe_source(recording: Recording, position: int) -> str:
    """Return in a few words which table rates a position; "" while none was asked."""
    if not recording.source:
        return ""
    rater = recording.rater_at(position)
    if rater == FILE:
        table = f" ({table_title(recording.table)})" if recording.table else ""
        return f"Rates from the recording{table}"
    return f"Rated by {table_title(rater)}" if rater else "Not covered by a table"


def describe_no_cover(source: str) -> str:
    """Return that a table covers nothing of a game, or that none does."""
    if source == MANY_TABLES:
        return "None of your tables covers a position in this game."
    return f"The {table_title(source)} table covers no position in this game."


def describe_comparison(found: Comparison, source: str) -> str:
    """Return what came of comparing the rates of a game with those of a table, or of several."""
    is_many = source == MANY_TABLES
    if not found.n_common:
        return describe_no_cover(source)
    name = "your tables" if is_many else f"the {table_title(source)} table"
    n_all = "1 position" if found.n_common == 1 else f"all {found.n_common} positions"
    if not found.different:
        verb = "agree" if is_many else "agrees"
        return f"Checked: {name} {verb} on {n_all}."
    n, grades = len(found.different), found.n_grades
    most = format_points(found.largest)
    text = f"{n} of {found.n_common} positions {'differs' if n == 1 else 'differ'} from {name}"
    changed = f"; {grades} {'grade' if grades == 1 else 'grades'} changed" if grades else ""
    shown = "The rates of your tables" if is_many else "The table's rates"
    return f"{text} by up to {most}{changed}. {shown} are shown."


def _rater_lines(recording: Recording) -> Sequence[tuple[str, str]]:
    """Return how many moves each table rates, in the order of the game."""
    if recording.source != MANY_TABLES:
        return ()
    counts: dict[str, int] = {}
    for i in range(recording.n_moves):
        if rater := recording.rater_at(i):
            counts[rater] = counts.get(rater, 0) + 1
    return [
        ("Rates from the recording" if one == FILE else f"Rated by {table_title(one)}", _moves(n))
        for one, n in counts.items()
    ]


def _moves(n: int) -> str:
    return "1 move" if n == 1 else f"{format_whole(n)} moves"
