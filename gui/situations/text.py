"""The texts of the Situations page: goals, attempts, statistics. No Qt."""

from ai.chances.goal import REPORTED_TILE, goal_of
from coach.situations.offers import Offer, OfferKind
from coach.situations.situation import Situation
from coach.situations.situations import Attempt, StoredSituation
from coach.situations.text import chance_text, end_text, interval_text, lost_text
from engine.bitboard import cells
from engine.platform.language import mark, sentences, tr
from engine.platform.quantities import short_rate_text
from gui.text.numbers import format_percent, moves_text, table_title
from gui.text.rates import format_rate, minus_points


def about_text(situation: Situation) -> str:
    if situation.is_exact:
        return tr(
            "Reach {goal} in the {table} table's formation.",
            goal=situation.setup.target,
            table=table_title(situation.setup.table),
        )
    start = cells(situation.setup.start)
    makes_large = goal_of(start).leads_to(start) == REPORTED_TILE
    goal = mark("Reach {goal}, and with it {large}.") if makes_large else mark("Reach {goal}.")
    return sentences(
        tr(goal, goal=situation.setup.target, large=1 << REPORTED_TILE),
        tr("No table covers this position, so search rates your moves."),
        tr("The chance is an estimate of what the AI would reach."),
    )


_MIN_TELLING = 3  # attempts
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
    """Return what the attempts tell about the long run, in sentences; "" if nothing yet."""
    statistics, parts = stored.statistics, []
    if statistics.n >= _MIN_TELLING:
        parts.append(
            tr("In the long run, you'd likely reach {share}.", share=interval_text(statistics))
        )
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
