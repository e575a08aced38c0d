"""Texts on puzzles: their origin, why the natural move is wrong, ratings. No Qt."""

from collections.abc import Sequence

from coach.grading.names import move_title, move_word
from coach.puzzles.puzzle import Puzzle, why_best
from coach.puzzles.puzzles import (
    FROM_GAMES,
    FROM_TABLE,
    FROM_TEXT,
    DailyPuzzle,
    Outcome,
    StoredPuzzle,
)
from coach.puzzles.rating import MAX_DEVIATION, Rating
from coach.puzzles.solution import SolutionStep
from coach.reasons.words import reason_text
from engine.moves import move_score
from engine.platform.language import listed, mark, sentences, tr
from gui.text.answers import table_title
from gui.text.rates import format_rate

_UNSURE = 110.0  # the deviation from which a rating is a guess
_ORIGINS = {
    FROM_TABLE: mark("Found in games of the table."),
    FROM_GAMES: mark("From your own games."),
    FROM_TEXT: mark("Imported."),
}


def rating_text(rating: Rating) -> str:
    """Return a rating as an integer, with a question mark if uncertain; "" if nothing is known.

    >>> rating_text(Rating(1512.4, 60)), rating_text(Rating(1512.4, 300)), rating_text(Rating())
    ('1512', '1512?', '')
    """
    if rating.deviation >= MAX_DEVIATION:
        return ""
    return f"{rating.value:.0f}{'?' if rating.deviation > _UNSURE else ''}"


def change_text(before: Rating, after: Rating) -> str:
    """Return the change of a rating: `+12`; while it leaps, that it is a guess.

    >>> change_text(Rating(1500, 60), Rating(1512.4, 60)), change_text(Rating(), Rating(1291, 290))
    ('+12', 'provisional')
    """
    if after.deviation > _UNSURE:
        return tr("provisional")
    change = round(after.value) - round(before.value)
    return f"+{change}" if change >= 0 else f"\N{MINUS SIGN}{-change}"


def about_text(stored: StoredPuzzle, daily: DailyPuzzle | None = None) -> str:
    what = _daily_text(daily) if daily else tr(_ORIGINS[stored.origin])
    return tr("{table}. {sentence}", table=table_title(stored.puzzle.key), sentence=what)


def _daily_text(daily: DailyPuzzle) -> str:
    name = tr("Puzzle of the day.")
    if daily.is_right is None:
        return name
    if daily.is_right:
        return sentences(name, tr("You solved it today, so this time is just practice."))
    return sentences(name, tr("You got it wrong today, so this time is just practice."))


def natural_text(puzzle: Puzzle) -> str:
    """Return the reason why the natural move looks right.

    It merges more than the right one, or moves toward the heavy tiles.
    """
    natural, best = puzzle.natural, puzzle.best
    more = [move_score(puzzle.board, move, puzzle.walls) for move in (natural, best)]
    if more[0] > more[1]:
        return tr("{move} looks natural because it merges more.", move=move_title(natural))
    return tr(
        "{move} looks natural because the heavy tiles are on that side.", move=move_title(natural)
    )


def why_text(puzzle: Puzzle) -> str:
    reason = why_best(puzzle.board, puzzle.rates, puzzle.best, puzzle.walls, puzzle.key.spawn4)
    return reason_text(reason) if reason else ""


def line_text(steps: Sequence[SolutionStep]) -> str:
    if len(steps) < 2:
        return ""
    names = [move_title(steps[0].best), *(move_word(step.best) for step in steps[1:])]
    last = steps[-1]
    return tr(
        "Best line: {moves}. It ends at {rate}.",
        moves=listed(names),
        rate=format_rate(last.rates[last.best]),
    )


def explanation(puzzle: Puzzle, steps: Sequence[SolutionStep]) -> str:
    why = sentences(natural_text(puzzle), why_text(puzzle))
    return "\n".join(filter(None, (why, line_text(steps))))


def unrated_text(outcome: Outcome) -> str:
    if outcome.is_rated:
        return ""
    return tr("You saw this one within a week, so ratings don't change.")
