"""Texts on answers to "which move is best?": the table, the moves, the verdict."""

from collections.abc import Sequence

from coach.grading.names import any_of, move_title, move_word
from coach.mistakes.mistake import TableKey
from coach.recordings.recording import SEARCH
from engine.platform.language import mark, tr, trn
from engine.spawn import DEFAULT_SPAWN4, is_same_spawn4
from gui.text import numbers
from gui.text.numbers import format_percent


def table_title(key: TableKey) -> str:
    name = tr("Whole game") if key.name == SEARCH else numbers.table_title(key.name)
    if is_same_spawn4(key.spawn4, DEFAULT_SPAWN4):
        return name
    return tr("{table}, {share} fours", table=name, share=format_percent(key.spawn4))


def directions_text(directions: Sequence[int]) -> str:
    """Return directions as a phrase: `Left`, `Left or up`."""
    return any_of([move_title(directions[0]), *map(move_word, directions[1:])])


def answer_text(
    direction: int,
    best: Sequence[int],
    lost: str,
    has_rates: bool = True,
    *,
    is_right: bool = False,
) -> str:
    """Return the verdict on an answer, in a sentence or two.

    `lost` is what one that isn't best loses, "" if it has no rate: with rates, it breaks the
    formation. `is_right`: it counts as correct all the same.
    """
    name = directions_text([direction])
    if direction in best:
        others = [other for other in best if other != direction]
        if not others:
            return tr("Correct \N{EN DASH} {move} is best.", move=name)
        text = mark("Correct \N{EN DASH} {move} is best. {others} is just as good.")
        return tr(text, move=name, others=directions_text(others))
    names, n_best = directions_text(best), len(best)
    if lost and is_right:
        return trn(
            "Correct \N{EN DASH} {move} loses only {lost}. {best} is best.",
            "Correct \N{EN DASH} {move} loses only {lost}. {best} are best.",
            n_best,
            move=name,
            lost=lost,
            best=names,
        )
    if lost:
        return trn(
            "{move} loses {lost}. {best} is best.",
            "{move} loses {lost}. {best} are best.",
            n_best,
            move=name,
            lost=lost,
            best=names,
        )
    if has_rates:
        return trn(
            "{move} breaks the formation. {best} is best.",
            "{move} breaks the formation. {best} are best.",
            n_best,
            move=name,
            best=names,
        )
    return trn(
        "{move} isn't best. {best} is.",
        "{move} isn't best. {best} are.",
        n_best,
        move=name,
        best=names,
    )
