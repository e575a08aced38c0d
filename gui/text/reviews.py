"""What Review says in words: the move, the new tile, the game as a whole. No Qt."""

import math
from collections.abc import Sequence

import numpy as np

from coach.grading.grade import Grade
from coach.recordings.comparison import Comparison
from coach.recordings.recording import Recording
from engine.wording import scientific
from gui.text.numbers import NBSP
from gui.text.rates import (
    DIRECTION_NAMES,
    describe_judged,
    describe_unknown,
    format_lost,
    format_points,
)

_LITTLE = 5e-5  # a tile that changes the chance by less changes nothing worth a word
_PLAIN_FROM = 1e-6


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
    text = describe_judged(move.direction, rates, judgement, unknown_rates)
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
    tile = f"The new {1 << recording.replay.moves[position - 1].exponent}"
    if luck == -math.inf:
        return f"{tile} left no way to the target."
    change = math.expm1(luck)
    if abs(change) < _LITTLE:
        return f"{tile} changed little."
    if change < 0:
        return f"{tile} cost {format_share(change)} of the chance."
    return f"{tile} added {format_share(change)} to the chance."


def describe_mark(recording: Recording, index: int) -> str:
    """Return what a mark says: `Move 124: mistake, 4.2 points lost`."""
    judgement = recording.judgements[index]
    if judgement is None:
        return f"Move {index + 1}"
    return f"Move {index + 1}: {judgement.grade.value}, {format_lost(judgement)} lost"


def summary_lines(recording: Recording) -> Sequence[tuple[str, str]]:
    """Return the figures of a whole game, each with its caption."""
    score, n = recording.score, recording.n_judged
    moves = str(recording.n_moves) if n == recording.n_moves else f"{recording.n_moves}, {n} judged"
    lines = [("Moves", moves)]
    if n:
        lines += [
            ("Match rate", format_match_rate(score.match_rate)),
            ("Longest combo", str(score.longest_combo)),
            ("Largest loss", format_points(float(np.nanmax(recording.points_lost)))),
        ]
    if recording.total_luck is not None:
        lines.append(("Luck", format_luck(recording.total_luck)))
    if score.n_forced:
        lines.append(("Forced moves left out", str(score.n_forced)))
    return lines


def describe_luck(log: float) -> str:
    """Return in a sentence what the tiles did together."""
    change = math.expm1(min(log, 700.0))
    if log == -math.inf:
        return "The tiles took the last chance."
    if abs(change) < _LITTLE:
        return "The tiles were neither kind nor cruel."
    if change < 0:
        return f"The tiles took {format_share(change)} of the chance."
    return f"The tiles multiplied the chance by {math.exp(min(log, 700.0)):.3g}."


def describe_comparison(found: Comparison, table: str) -> str:
    """Return what came of comparing the rates in a file with those of a table."""
    if not found.n_common:
        return f"{table} knows no position of this game."
    if not found.different:
        return f"Checked: all {found.n_common} positions have the rates of {table}."
    n, grades = len(found.different), found.n_grades
    most = f"{format_share(found.largest)[:-1]}points"
    text = f"{n} of {found.n_common} positions {'differs' if n == 1 else 'differ'} from {table}"
    changed = f"; {grades} {'grade' if grades == 1 else 'grades'} changed" if grades else ""
    return f"{text}, by up to {most}{changed}. The rates of {table} are shown."
