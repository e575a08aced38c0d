"""The start view: a position to paste, and the situations so far."""

from collections.abc import Sequence

from coach.situations.situations import StoredSituation
from coach.situations.text import goal_text, interval_text, lost_text, reached_text
from engine.bitboard import draw_board, format_board
from engine.platform.language import tr, trn
from gui.board.hex_field import HexField
from gui.play.board_page import StartView
from gui.situations.text import best_play_text
from gui.style.layout import card, column, placed
from gui.text.dates import format_moment
from gui.widgets.labels import label
from gui.widgets.row_model import Column, RowModel
from gui.widgets.stored_list import RowAction, StoredList


def situation_model() -> RowModel[StoredSituation]:
    columns: tuple[Column[StoredSituation], ...] = (
        Column(tr("Date"), lambda stored: format_moment(stored.asked)),
        Column(tr("Goal"), lambda stored: goal_text(stored.situation)),
        Column(tr("Reached"), lambda stored: reached_text(stored.statistics), is_number=True),
        Column(
            tr("Likely share"),
            lambda stored: interval_text(stored.statistics),
            is_number=True,
            is_spare=True,
        ),
        Column(
            tr("Best play"),
            lambda stored: best_play_text(stored.situation),
            is_number=True,
            is_spare=True,
        ),
        Column(tr("Lost per move"), lambda stored: lost_text(stored.statistics), is_number=True),
        Column(tr("To play"), lambda stored: f"{stored.n_left:,}", is_number=True, is_spare=True),
        Column(tr("Position"), lambda stored: format_board(stored.situation.setup.start)),
    )
    return RowModel(columns, _tip)


def _tip(stored: StoredSituation) -> str:
    setup = stored.situation.setup
    return f"<pre>{draw_board(setup.start, setup.walls)}</pre>"


class SituationsStart(StartView):
    """The first view of the page."""

    def __init__(self) -> None:
        super().__init__()
        self.hex_field = HexField(
            "1000 0000 1fff 2fff",  # no text
            tr("16 hex digits, row by row from the top left. Enter plays it ten times."),
        )
        self.hex_field.copy_button.hide()
        self.list = StoredList(
            tr("Your situations"),
            situation_model(),
            (
                RowAction("play_situation", tr("Play"), tr("Play the selected situation"), "best"),
                RowAction(
                    "remove_situation", tr("Remove"), tr("Remove the selected situation"), "delete"
                ),
            ),
            "situations",
        )
        self._lay_out()
        self.show_all([])

    def show_all(self, situations: Sequence[StoredSituation]) -> None:
        count = trn("{n} situation", "{n:,} situations", len(situations))
        nothing = tr("The positions you play are kept here with their results.")
        self.list.show_rows(situations, count if situations else nothing)

    def take_keys(self) -> None:
        (self.list.view if self.list.model.rows else self.hex_field.edit).setFocus()

    def _lay_out(self) -> None:
        text = tr(
            "Play one position ten times, with different tiles each time, and see how often you "
            "reach its goal. Ask for it in Review, Games, Practice, Mistakes or Game, or paste "
            "a position here."
        )
        column(
            card(label(text, "muted", wraps=True), self.hex_field),
            placed(self.list, stretch=1),
            space=12,
            margins=(24, 0, 24, 16),
            parent=self,
        )
