"""The texts of Review: the move, the new tile, the game as a whole. No Qt."""

import math
from collections.abc import Sequence

import numpy as np

from ai.chances.goal import REPORTED_TILE, goal_of
from coach.grading.grade import Grade, Judgement
from coach.grading.names import (
    CHANCE_KEPT,
    PERFECT_MOVES,
    POINTS_LOST,
    move_title,
    move_word,
    perfect_text,
)
from coach.recordings.comparison import Comparison
from coach.recordings.recording import FILE, MANY_TABLES, SEARCH, WHOLE_GAME, Recording
from engine.platform.language import mark, sentences, tr, trn
from engine.platform.quantities import MIN_POINTS, points_figure, scientific, short_rate_text
from gui.text.numbers import NBSP, format_whole, table_title
from gui.text.rates import (
    describe_judged,
    describe_loss,
    describe_unknown,
    format_allowance,
    format_points,
    match_text,
)

_PLAIN_FROM = 1e-6
_MIN_LUCK_POINTS, _MIN_LUCK_SHARE = 0.05, 0.01
"""A new tile that changed less, in points and as a share of the chance, is not worth a sentence."""
_EVEN = 0.5  # a move that left less was likely to fail: no bad luck if it does


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


def format_point_tick(difference: float) -> str:
    """Return a round difference of two rates for an axis: `0.01 pts`, `10 pts`."""
    points = f"{difference * 100:.6g}".replace("-", "\N{MINUS SIGN}")
    return tr("{points} pts", points=points).replace(" ", NBSP)


def format_luck(points: float) -> str:
    """Return a change of the chance by new tiles, given as a difference of rates: `+1.2 pts`."""
    if abs(points) * 100 < MIN_POINTS:
        return tr("{points} pts", points="0").replace(" ", NBSP)
    sign = "+" if points > 0 else "\N{MINUS SIGN}"
    text = tr("{points} pts", points=f"{sign}{points_figure(abs(points))}")
    return text.replace(" ", NBSP)


def describe_played(recording: Recording, position: int) -> tuple[Grade | None, str]:
    if position >= recording.n_moves:
        return None, ""  # the notice says it
    direction, rates = recording.direction_at(position), recording.rates[position]
    if rates is None:
        return None, tr("{move} was played.", move=move_title(direction))
    judgement = recording.judgements[position]
    unknown_rates = recording.doubts.get(position)
    breaking, tolerance = recording.breaking_at(position), recording.tolerance_at(position)
    text = describe_judged(direction, rates, judgement, unknown_rates, breaking, tolerance)
    if position in recording.pressed:
        made = recording.replay.moves[position].direction
        text = sentences(text, tr("The route goes {move}.", move=move_word(made)))
    return judgement.grade if judgement else None, text


def describe_tile(recording: Recording, position: int) -> str:
    """Return the effect of the last tile on the chance; "" if unknown.

    If rates are missing, return the reason.
    """
    if position in recording.gaps:
        return tr("Moves are missing before this position.")
    if unknown_rates := recording.doubts.get(position):
        return describe_unknown(unknown_rates)
    if not 0 < position <= recording.n_moves:
        return ""
    luck = recording.luck[position - 1]
    if luck is None:
        return ""
    tile = 1 << recording.replay.moves[position - 1].exponent
    if luck == -math.inf and _likely_end(recording) == position - 1:
        return tr("The new {tile} left no way to the target.", tile=tile)
    if luck == -math.inf:
        return tr("Bad luck: the new {tile} left no way to the target.", tile=tile)
    points = recording.tile_points(position - 1) or 0.0
    least = recording.tolerance_at(position - 1).relative
    share = abs(math.expm1(luck))  # of the chance
    few = MIN_POINTS if share >= _MIN_LUCK_SHARE else _MIN_LUCK_POINTS
    if abs(points) * 100 < few or share < least:
        return ""
    text = mark("Good luck: the new {tile} added {points}.")
    if points < 0:
        text = mark("Bad luck: the new {tile} cost {points}.")
    return tr(text, tile=tile, points=format_points(points))


def describe_wrong(judgement: Judgement, number: int) -> str:
    """Return a mistake as a short line of a list: `Move 34: up, −1.2 pts`."""
    return tr(
        "Move {number}: {move}, {loss}",
        number=format_whole(number),
        move=move_word(judgement.direction),
        loss=describe_loss(judgement.rate, judgement.best_rate),
    )


def summary_lines(recording: Recording) -> Sequence[tuple[str, str]]:
    score, n = recording.score, recording.n_judged
    moves = format_whole(recording.n_moves)
    if recording.source and n < recording.n_moves:
        moves = tr("{moves}, {judged} analyzed", moves=moves, judged=format_whole(n))
    lines = [(tr("Moves"), moves), *_rater_lines(recording)]
    if n:
        lost = (tr(POINTS_LOST), format_points(float(np.nansum(recording.points_lost))))
        if recording.is_judged_whole:
            lost = (tr("Lost per move"), format_points(float(recording.mean_losses[-1])))
        lines += [
            (tr(PERFECT_MOVES), perfect_text(score.counts)),
            lost,
            (tr("Largest loss"), format_points(float(np.nanmax(recording.points_lost)))),
            (tr("Longest streak"), format_whole(score.longest_combo)),
        ]
        if not recording.is_judged_whole:
            lines.append((tr(CHANCE_KEPT), match_text(score.match_rate)))
        if within := format_allowance(recording.tolerance.allowed):
            lines.append((tr("Counts as perfect"), within))
    if (luck := shown_luck(recording)) is not None:
        lines.append((tr("Luck"), format_luck(luck)))
    if score.n_forced:
        lines.append((tr("Forced moves left out"), str(score.n_forced)))
    return lines


def shown_luck(recording: Recording) -> float | None:
    """Return the luck of a game in points; None if unknown or meaningless."""
    if recording.is_judged_whole or _likely_end(recording) is not None:
        return None
    luck = float(recording.luck_curve[-1])
    return None if math.isnan(luck) else luck


def describe_end(recording: Recording) -> str:
    """Return how a new tile ended the game; "" if it didn't."""
    if recording.is_judged_whole or recording.total_luck != -math.inf:
        return ""
    end = _likely_end(recording)
    if end is None:
        return tr("An unlucky tile ended it.")
    return tr(
        "The last move left {rate}, and the new {tile} ended it.",
        rate=short_rate_text(_rate_left(recording, end)),
        tile=1 << recording.replay.moves[end].exponent,
    )


def _likely_end(recording: Recording) -> int | None:
    """Return the move before the fatal tile, if failing was more likely by then."""
    end = next((i for i, luck in enumerate(recording.luck) if luck == -math.inf), None)
    return end if end is not None and _rate_left(recording, end) < _EVEN else None


def _rate_left(recording: Recording, i: int) -> float:
    """Return the rate after a move; 0 if unknown."""
    rates = recording.rates[i]
    return (rates[recording.replay.moves[i].direction] if rates else None) or 0.0


def describe_source(recording: Recording, position: int) -> str:
    """Return the source of a position's rates in a few words; "" if none was queried yet."""
    if not recording.source:
        return ""
    rater = recording.rater_at(position)
    if rater == FILE:
        if not recording.table:
            return tr("Rates from the recording")
        return tr("Rates from the recording ({table})", table=table_title(recording.table))
    if not rater:
        return tr("Not covered by a table")
    if rater == SEARCH:
        return _search_source(recording, position)
    return tr("Rated by {table}", table=table_title(rater))


def _search_source(recording: Recording, position: int) -> str:
    cells = recording.positions[position]
    goal = goal_of(cells)
    if goal.leads_to(cells) == REPORTED_TILE:
        return tr(
            "Estimated by search: the chance of the next {tile}, and with it of {large}",
            tile=1 << goal.exponent,
            large=1 << REPORTED_TILE,
        )
    return tr("Estimated by search: the chance of the next {tile}", tile=1 << goal.exponent)


def describe_filed(name: str, n: int, n_moves: int) -> str:
    """Return how many mistakes and moves of the user's own game were stored."""
    text = tr("No mistakes in {name} to add to your drills.", name=name)
    if n:
        text = trn(
            "Added {n} mistake from {name} to your drills.",
            "Added {n:,} mistakes from {name} to your drills.",
            n,
            name=name,
        )
    if not n_moves:
        return text
    more = trn(
        "{n:,} move counts in your progress.", "{n:,} moves count in your progress.", n_moves
    )
    return sentences(text, more)


def describe_no_cover(source: str) -> str:
    if source in (MANY_TABLES, WHOLE_GAME):
        return tr("None of your tables covers a position in this game.")
    return tr("The {table} table covers no position in this game.", table=table_title(source))


def describe_comparison(comparison: Comparison, source: str) -> str:
    if not comparison.n_common:
        return describe_no_cover(source)
    table = "" if source in (MANY_TABLES, WHOLE_GAME) else table_title(source)
    if not comparison.different:
        return _agreement(comparison.n_common, table)
    differ = _difference(comparison, table)
    if comparison.n_grades:
        changed = trn("{n} grade changed", "{n} grades changed", comparison.n_grades)
        differ = tr("{first}; {next}", first=differ, next=changed)
    if table:
        shown = tr("The table's rates are shown.")
    else:
        shown = tr("The rates of your tables are shown.")
    return sentences(tr("{sentence}.", sentence=differ), shown)


def _agreement(n: int, table: str) -> str:
    if table:
        return trn(
            "Checked: the {table} table agrees on {n} position.",
            "Checked: the {table} table agrees on all {n} positions.",
            n,
            table=table,
        )
    return trn(
        "Checked: your tables agree on {n} position.",
        "Checked: your tables agree on all {n} positions.",
        n,
    )


def _difference(comparison: Comparison, table: str) -> str:
    """Return the number of differing rates and the difference, without a full stop."""
    values = {"all": comparison.n_common, "most": format_points(comparison.largest)}
    if table:
        return trn(
            "{n} of {all} positions differs from the {table} table by up to {most}",
            "{n} of {all} positions differ from the {table} table by up to {most}",
            len(comparison.different),
            table=table,
            **values,
        )
    return trn(
        "{n} of {all} positions differs from your tables by up to {most}",
        "{n} of {all} positions differ from your tables by up to {most}",
        len(comparison.different),
        **values,
    )


def _rater_lines(recording: Recording) -> Sequence[tuple[str, str]]:
    if not recording.has_raters:
        return ()
    counts: dict[str, int] = {}
    for i in range(recording.n_moves):
        if rater := recording.rater_at(i):
            counts[rater] = counts.get(rater, 0) + 1
    return [(_rater_text(r), trn("{n} move", "{n:,} moves", n)) for r, n in counts.items()]


def _rater_text(rater: str) -> str:
    if rater == FILE:
        return tr("Rates from the recording")
    if rater == SEARCH:
        return tr("Estimated by search")
    return tr("Rated by {table}", table=table_title(rater))
