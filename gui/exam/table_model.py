"""Finished tests as rows of a table."""

from coach.exam.history import FinishedTest
from coach.grading.names import grade_word
from coach.mistakes.to_drill import THRESHOLD, count_to_drill, first_filed
from engine.platform.language import tr, trc
from engine.platform.quantities import span_text
from gui.exam.text import allowance_text, goal_word, outcome_text
from gui.text.dates import format_moment
from gui.text.numbers import table_title
from gui.text.rates import NO_MATCH, match_text
from gui.widgets.grade_bar import describe_counts
from gui.widgets.row_model import Column, RowModel


def _perfect(test: FinishedTest) -> str:
    share = f"{test.perfect_share * 100:.1f} %"
    return (
        tr("{share} ({points:g} pts)", share=share, points=test.perfect_within)
        if test.perfect_within
        else share
    )


def _match(test: FinishedTest) -> str:
    return match_text(test.match_rate) if test.n_moves else NO_MATCH


def _end(test: FinishedTest) -> str:
    end = outcome_text(test)
    return tr("{end}, {n} taken back", end=end, n=test.n_undos) if test.is_marked else end


def history_columns(threshold: float = THRESHOLD) -> tuple[Column[FinishedTest], ...]:
    """Return the columns; moves to drill are counted by a threshold."""
    return (
        Column(tr("Date"), lambda t: format_moment(t.ended), key=lambda t: t.ended),
        Column(tr("Table"), lambda t: table_title(t.table), key=lambda t: t.table),
        Column(tr("Goal"), lambda t: goal_word(t.goal), key=lambda t: t.goal, is_spare=True),
        Column(tr("Match rate"), _match, True, lambda t: t.match_rate),
        Column(tr("Moves"), lambda t: str(t.n_moves), True, lambda t: t.n_moves, is_spare=True),
        Column(tr("Perfect"), _perfect, True, lambda t: t.perfect_share),
        _to_drill(threshold),
        Column(
            tr("Streak"),
            lambda t: str(t.longest_combo),
            True,
            lambda t: t.longest_combo,
            tr("Most perfect moves in a row"),
            is_spare=True,
        ),
        Column(
            tr("Pace"),
            lambda t: span_text(t.played_ms / 1000 / max(1, t.n_moves), tenths=True),
            True,
            lambda t: t.played_ms / max(1, t.n_moves),
            tr("Average time per move"),
            is_spare=True,
        ),
        Column(trc("of a test", "End"), _end, key=outcome_text),
    )


def history_model() -> RowModel[FinishedTest]:
    """Return an empty model of finished tests."""
    return RowModel(history_columns(), _tip)


def _to_drill(threshold: float) -> Column[FinishedTest]:
    """Return the column of moves to drill, whose number depends on the threshold."""

    def count(test: FinishedTest) -> int:
        return count_to_drill(test.counts, threshold)

    tip = tr(
        "Moves to drill: {grade} or worse. You find them under Mistakes.",
        grade=grade_word(first_filed(threshold)),
    )
    return Column(tr("To drill"), lambda test: str(count(test)), True, count, tip, is_spare=True)


def _tip(test: FinishedTest) -> str:
    return tr(
        "{counts}; perfect: {allowance}; {span} in total",
        counts=describe_counts(test.counts),
        allowance=allowance_text(test.perfect_within),
        span=span_text(test.played_ms / 1000),
    )
