"""The texts of the Situations page: goals, attempts, statistics. No Qt."""

from ai.chances.goal import REPORTED_TILE, goal_of
from coach.situations.offers import Offer, OfferKind
from coach.situations.situation import Situation
from coach.situations.situations import Attempt, StoredSituation
from coach.situations.text import (
    chance_text,
    end_text,
    interval_text,
    lost_text,
    reached_text,
    spoken_chance,
)
from engine.bitboard import cells
from engine.platform.language import mark, sentences, tr
from engine.platform.quantities import short_rate_text
from gui.text.numbers import format_percent, moves_text, table_title
from gui.text.rates import format_rate, minus_points


def about_text(situation: Situation) -> str:
    chance = spoken_chance(situation)
    if situation.is_exact:
        return tr(
            "Reach {goal} in the {table} table's formation. With best play that works in {chance} "
            "of games from here.",
            goal=situation.setup.target,
            table=table_title(situation.setup.table),
            chance=chance,
        )
    start = cells(situation.setup.start)
    makes_large = goal_of(start).leads_to(start) == REPORTED_TILE
    goal = mark("Reach {goal}, and with it {large}.") if makes_large else mark("Reach {goal}.")
    return sentences(
        tr(goal, goal=situation.setup.target, large=1 << REPORTED_TILE),
        tr("No table covers this position, so search rates your moves."),
        tr("The AI reaches it in {chance} of games: an estimate.", chance=chance),
    )


_NEARLY_ALL = 0.99  # more is not rounded to 100 %
_KINDS = {
    OfferKind.START: mark("Start, {chance}"),
    OfferKind.HARDER: mark("Harder, {chance}"),
    OfferKind.MISTAKE: mark("Mistake, {chance}"),
}


def offer_text(offer: Offer) -> str:
    """Return two lines: the table, then what the position is and the chance of the goal."""
    text_of = short_rate_text if offer.chance > _NEARLY_ALL else format_percent
    kind = tr(_KINDS[offer.kind], chance=text_of(offer.chance))
    return f"{table_title(offer.key.name)}\n{kind}"


def best_play_text(situation: Situation) -> str:
    return format_rate(situation.chance) if situation.is_exact else chance_text(situation)


def progress_text(stored: StoredSituation) -> str:
    return tr("Played {done:,} of {n:,}", done=stored.wanted - stored.n_left, n=stored.wanted)


def summary_text(stored: StoredSituation) -> str:
    """Return the statistics of the attempts, in sentences; "" before the first one is over."""
    statistics = stored.statistics
    if not statistics.n or statistics.share is None:
        return ""
    parts = [
        tr(
            "Reached {reached}, {share}. In the long run, likely {interval}.",
            reached=reached_text(statistics),
            share=format_percent(statistics.share),
            interval=interval_text(statistics),
        )
    ]
    if lost := lost_text(statistics):
        parts.append(tr("A move lost {points} on average.", points=lost))
    return sentences(*parts)


def attempt_text(attempt: Attempt, number: int) -> str:
    return tr(
        "{number:,}. {end}: {moves}, {loss}",
        number=number,
        end=end_text(attempt),
        moves=moves_text(attempt.n_moves),
        loss=minus_points(attempt.points_lost) or tr("nothing lost"),
    )
