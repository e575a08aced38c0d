"""Situations as rows of a table."""

from coach.situations.situations import StoredSituation
from coach.situations.text import goal_text, interval_text, lost_text, reached_text
from engine.bitboard import draw_board, format_board
from engine.platform.language import tr
from gui.situations.text import best_play_text
from gui.text.dates import format_moment
from gui.widgets.row_model import Column, RowModel


def situation_model() -> RowModel[StoredSituation]:
    """Return an empty model of situations."""
    columns: tuple[Column[StoredSituation], ...] = (
        Column(tr("Date"), lambda one: format_moment(one.asked)),
        Column(tr("Goal"), lambda one: goal_text(one.situation)),
        Column(tr("Reached"), lambda one: reached_text(one.statistics), is_number=True),
        Column(
            tr("Likely share"),
            lambda one: interval_text(one.statistics),
            is_number=True,
            is_spare=True,
        ),
        Column(
            tr("Best play"),
            lambda one: best_play_text(one.situation),
            is_number=True,
            is_spare=True,
        ),
        Column(tr("Lost per move"), lambda one: lost_text(one.statistics), is_number=True),
        Column(tr("To play"), lambda one: f"{one.n_left:,}", is_number=True, is_spare=True),
        Column(tr("Position"), lambda one: format_board(one.situation.setup.start)),
    )
    return RowModel(columns, _tip)


def _tip(one: StoredSituation) -> str:
    setup = one.situation.setup
    return f"<pre>{draw_board(setup.start, setup.walls)}</pre>"
