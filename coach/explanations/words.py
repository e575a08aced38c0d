"""An explanation in short sentences."""

from collections.abc import Mapping

from coach.explanations.explanation import Explanation
from coach.explanations.lines import LineStep
from coach.explanations.mistake_facts import (
    Costliest,
    Delayed,
    Everywhere,
    Fact,
    LeavesPlace,
    Spoilers,
)
from coach.explanations.outcomes import AfterMove, Outcome
from coach.grading.names import move_title
from coach.reasons.reason import EquallyGood, Keeps
from coach.reasons.words import chance_text, chance_texts, place_text, reason_text, words_of
from engine.platform.language import mark, sentences, tr, trc, trn
from engine.platform.quantities import at_least_text, clauses, decimals_of, rate_texts

AT_ONCE = 3
"""Number of sentences shown at first; the others are under "more"."""

_N_WORST = 2  # tiles after a move


def decimals_in(explanation: Explanation) -> int:
    """Return the decimals of an explanation's exact chances, and of those shown beside it."""
    if explanation.is_estimate or explanation.is_bound:
        return 0
    pair = explanation.pair
    worst = [one.rate for after in (pair.played, pair.best) for one in _worst(after)]
    return decimals_of((*explanation.rates, *worst))


def headline(explanation: Explanation) -> str:
    decimals = decimals_in(explanation)
    played, best = explanation.pair.played, explanation.pair.best
    if played.rate is None:
        return tr(
            "{move}: the table doesn't rate it. It breaks the formation, or what follows isn't in "
            "the table.",
            move=move_title(played.direction),
        )
    pair, is_estimate = explanation.pair, explanation.is_estimate
    directions = (best.direction, played.direction)
    chances = (pair.chance, played.rate)
    if explanation.is_bound:
        return tr(
            "{best}: {chance}; {move}: {rate}. Lower bounds don't tell which is better.",
            best=move_title(best.direction),
            chance=at_least_text(pair.chance),
            move=move_title(played.direction),
            rate=at_least_text(played.rate),
        )
    if explanation.is_mistake:
        reason = Keeps(directions[0], chances[0], directions[1], chances[1], is_estimate)
        return reason_text(reason, decimals)
    if explanation.is_better:
        reason = Keeps(directions[1], chances[1], directions[0], chances[0], is_estimate)
        return reason_text(reason, decimals)
    return reason_text(EquallyGood(directions[::-1], is_exact=not is_estimate))


def sentences_of(explanation: Explanation) -> list[str]:
    if not explanation.is_mistake:
        return []
    how = explanation.is_estimate, decimals_in(explanation)
    told = [fact_text(one.fact, *how) for one in explanation.facts]
    return [*filter(None, [_deeper_text(explanation)]), *told]


def _deeper_text(explanation: Explanation) -> str:
    """Return the sentence on search's loss over all tiles, which differs from the headline's."""
    pair = explanation.pair
    if not explanation.is_estimate or pair.played.mean is None or pair.best.mean is None:
        return ""
    text = mark(
        "One tile further on, search finds {chance} for {best} and {rate} for {move}; the rest "
        "goes by that deeper look."
    )
    if pair.loss_by_tiles <= 0.0:
        text = mark(
            "One tile further on, search finds {chance} for {best} and {rate} for {move}: looking "
            "deeper doesn't confirm the difference."
        )
    return tr(
        text,
        best=move_title(pair.best.direction),
        move=move_title(pair.played.direction),
        chance=chance_text(pair.best.mean, is_estimate=True),
        rate=chance_text(pair.played.mean, is_estimate=True),
    )


def fact_text(fact: Fact, is_estimate: bool = False, decimals: int = 0) -> str:
    """Return a fact as a sentence; estimated chances have fewer digits."""
    words = words_of(fact)
    match fact:
        case Spoilers():
            return _spoilers_text(fact, is_estimate, decimals)
        case Costliest(outcome=outcome, share=share):
            return tr(
                "After {move}, a {tile} in {place} costs most: it leaves {rate}, {share} of the "
                "loss.",
                **words,
                **words_of(outcome),
                rate=chance_text(outcome.rate or 0.0, is_estimate, decimals=decimals),
                share=_percent(min(1.0, share)),
            )
        case Everywhere(most=most, chance=chance):
            most_text, shown = chance_texts((most, chance), is_estimate, decimals)
            text = mark("After {move} no tile leaves more than {most}; {best} has {chance}.")
            return tr(text, most=most_text, chance=shown, **words)
        case LeavesPlace():
            text = mark("{move} takes the {tile} away from {place}; {best} leaves it there.")
            return tr(text, **words)
        case Delayed():
            return _delayed_text(fact)
    return reason_text(fact, decimals)


def _spoilers_text(fact: Spoilers, is_estimate: bool, decimals: int) -> str:
    rate, least = chance_texts((fact.worst.rate or 0.0, fact.least), is_estimate, decimals)
    values = words_of(fact) | words_of(fact.worst)
    values |= {"probability": _percent(fact.probability), "rate": rate, "least": least}
    if fact.n == 1:
        return tr(
            "After {move}, a {tile} in {place} ({probability}) leaves {rate}; after {best} no tile "
            "leaves less than {least}.",
            **values,
        )
    return tr(
        "After {move}, {n} of {n_all} new tiles ({probability}) cause {share} of the loss: a "
        "{tile} in {place} leaves {rate}; after {best} no tile leaves less than {least}.",
        n=fact.n,
        n_all=fact.n_all,
        share=_percent(fact.share) if fact.share < 0.995 else trc("share", "all"),
        **values,
    )


def _delayed_text(fact: Delayed) -> str:
    values = words_of(fact) | {"n_best": fact.n_best_moves}
    if fact.n_moves is None:
        return tr(
            "With typical tiles, {best} merges two {tile}s at move {n_best}; {move} doesn't within "
            "{n} moves.",
            n=fact.in_sight,
            **values,
        )
    return tr(
        "With typical tiles, {best} merges two {tile}s at move {n_best}, {move} only at move {n}.",
        n=fact.n_moves,
        **values,
    )


def refutation_text(explanation: Explanation) -> str:
    """Return the line that shows the difference, and the best move's chance at that point."""
    line, answer = explanation.refutation, explanation.answer
    if not line.steps or not explanation.is_mistake:
        return ""
    left = answer.steps[-1].left if answer.steps else None
    known = [step.left for step in line.steps if step.left is not None]
    if left is not None:
        known.append(left)
    texts = chance_texts(known, explanation.is_estimate, decimals_in(explanation))
    figures = dict(zip(known, texts, strict=True))
    told = clauses(_step_text(step, figures) for step in line.steps)
    if left is None:
        return tr("What refutes it: {line}.", line=told)
    return tr(
        "What refutes it: {line}. {best}, against its own costliest tiles, still has {left}.",
        line=told,
        best=move_title(explanation.pair.best.direction),
        left=figures[left],
    )


def _worst(after: AfterMove) -> list[Outcome]:
    """Return the tiles that leave the least, of those that leave less than the move keeps."""
    known = [one for one in after.by_harm() if (one.rate or 0.0) < (after.rate or 0.0)]
    return known[:_N_WORST]


def split_text(
    after: AfterMove, is_estimate: bool = False, is_bound: bool = False, decimals: int = 0
) -> str:
    """Return the chance a move keeps, and the tiles after it that leave the least."""
    if after.rate is None:
        return tr("{move}: unknown.", move=move_title(after.direction))
    worst = _worst(after)
    chances = [after.rate, *(one.rate or 0.0 for one in worst)]
    figures = chance_texts(chances, True) if is_estimate else rate_texts(chances, None, decimals)
    if is_bound:
        figures = [at_least_text(one) for one in chances]
    kept = trn(
        "{move} keeps {rate} and leaves {n} empty cell.",
        "{move} keeps {rate} and leaves {n} empty cells.",
        after.n_free,
        move=move_title(after.direction),
        rate=figures[0],
    )
    tiles = clauses(
        tr(
            "{tile} in {place} ({probability}): {rate}",
            probability=_percent(one.probability),
            rate=figure,
            **words_of(one),
        )
        for one, figure in zip(worst, figures[1:], strict=True)
        if figure != figures[0]
    )
    if not tiles:
        return kept
    deeper = ""
    if is_estimate and after.mean is not None:
        mean = chance_text(after.mean, is_estimate)
        deeper = tr("One tile further on: {mean} on average.", mean=mean)
    return sentences(kept, deeper, tr("Worst tiles: {tiles}.", tiles=tiles))


def _step_text(step: LineStep, figures: Mapping[float, str]) -> str:
    move = move_title(step.direction)
    rate = tr("unknown") if step.left is None else figures[step.left]
    if step.tile is None:
        return tr("{move} ({rate})", move=move, rate=rate)
    cell, exponent = step.tile
    return tr(
        "{move}, a {tile} in {place} ({rate})",
        move=move,
        tile=1 << exponent,
        place=place_text(cell),
        rate=rate,
    )


def _percent(share: float) -> str:
    """Return a share as text, to a tenth of a percent if it is small."""
    return f"{round(100 * share, 0 if share >= 0.0995 else 1):g} %"
