"""The start view: positions to begin with, and the situations so far."""

from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QSizePolicy, QToolButton, QWidget

from coach.situations.offers import Offer
from coach.situations.situations import StoredSituation
from coach.situations.text import goal_text, reached_text
from engine.bitboard import draw_board, format_board
from engine.platform.language import sentences, tr, trc
from gui.board.hex_field import HexField
from gui.board.little_board import ROW_PX, BoardCell, board_picture
from gui.play.board_page import StartView
from gui.situations.text import best_play_text, offer_text, summary_text
from gui.style.layout import STRETCH, clear_layout, column, placed, row
from gui.style.theme import theme_source
from gui.text.dates import format_moment
from gui.text.numbers import format_percent
from gui.widgets.empty_state import EmptyState
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import label
from gui.widgets.row_model import Column, RowModel
from gui.widgets.stored_list import RowAction, StoredList

_BOARD_PX, _FIELD_PX = 112, 260


def situation_model() -> RowModel[StoredSituation]:
    columns: tuple[Column[StoredSituation], ...] = (
        Column(trc("column", "Board"), lambda _: ""),
        Column(tr("Goal"), lambda stored: goal_text(stored.situation)),
        Column(tr("Reached"), _reached, is_number=True),
        Column(tr("Your share"), _share, is_number=True),
        Column(tr("Best play"), lambda stored: best_play_text(stored.situation), is_number=True),
        Column(tr("Last played"), lambda stored: format_moment(_played(stored)), is_spare=True),
    )
    return RowModel(columns, _tip)


def _reached(stored: StoredSituation) -> str:
    return reached_text(stored.statistics) if stored.statistics.n else ""


def _share(stored: StoredSituation) -> str:
    share = stored.statistics.share
    return "" if share is None else format_percent(share)


def _played(stored: StoredSituation) -> datetime:
    return max((attempt.started for attempt in stored.attempts), default=stored.asked)


def _tip(stored: StoredSituation) -> str:
    setup = stored.situation.setup
    words = sentences(format_board(setup.start) + ".", summary_text(stored))
    return f"<pre>{draw_board(setup.start, setup.walls)}</pre>{words}"


class OfferButton(QToolButton):
    """A position to play: its picture, its table, what it is."""

    def __init__(self, offer: Offer) -> None:
        super().__init__()
        self.offer = offer
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self.setIconSize(QSize(_BOARD_PX, _BOARD_PX))
        self.setText(offer_text(offer))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme_source().changed.connect(self._draw)
        self._draw()

    def _draw(self) -> None:
        offer, ratio = self.offer, self.devicePixelRatioF()
        self.setIcon(board_picture(offer.board, _BOARD_PX, ratio, offer.walls))


class SituationsStart(StartView):
    """The first view of the page."""

    offer_chosen = Signal(object)  # Offer

    def __init__(self) -> None:
        super().__init__()
        self.hex_field = HexField(
            tr("Other position: 16 hex digits"),
            tr("16 hex digits, row by row from the top left. Enter plays it ten times."),
        )
        self.hex_field.copy_button.hide()
        self.hex_field.setFixedWidth(_FIELD_PX)
        self.offer_buttons: list[OfferButton] = []
        self._offers_place = QWidget()
        self._offers = FlowLayout(self._offers_place, space=12)
        self.empty = EmptyState(
            tr("No positions yet"),
            tr("Your tables have positions to play. Build one first."),
            tr("Show tables"),
        )
        self.empty.hide()
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
            opens_by_click=True,
        )
        self._board_cell = BoardCell(lambda at: self.list.model.rows[at].situation.setup.start)
        self.list.view.setItemDelegateForColumn(0, self._board_cell)
        self.list.view.verticalHeader().setDefaultSectionSize(ROW_PX)
        self._lay_out()
        self.show_all([])

    def show_all(self, situations: Sequence[StoredSituation]) -> None:
        self.list.setVisible(bool(situations))
        self.list.show_rows(situations, "")

    def show_offers(self, offers: Sequence[Offer], needs_table: bool) -> None:
        self.empty.setVisible(needs_table and not offers)
        if [button.offer for button in self.offer_buttons] == list(offers):
            return  # the one with the focus keeps it
        field = self.hex_field.edit  # empty, it has the keys for want of positions
        has_keys = field.hasFocus() and not field.text()
        has_keys = has_keys or any(button.hasFocus() for button in self.offer_buttons)
        clear_layout(self._offers)
        self.offer_buttons = []
        for offer in offers:
            button = OfferButton(offer)
            button.clicked.connect(lambda _=False, offer=offer: self.offer_chosen.emit(offer))
            self._offers.addWidget(button)
            button.show()  # now, so that it can take the keys
            self.offer_buttons.append(button)
        self._offers_place.updateGeometry()
        if has_keys:
            self.take_keys()

    def take_keys(self) -> None:
        has_rows = bool(self.list.model.rows)
        first = self.offer_buttons[0] if self.offer_buttons else self.hex_field.edit
        (self.list.view if has_rows else first).setFocus()

    def _lay_out(self) -> None:
        text = tr(
            "Play one position ten times, with different tiles each time, and see how often you "
            "reach its goal. Each figure is the chance with best play."
        )
        column(
            row(
                placed(label(text, "muted", wraps=True), stretch=1),
                placed(self.hex_field, align=Qt.AlignmentFlag.AlignTop),
                space=16,
            ),
            self._offers_place,
            self.empty,
            placed(self.list, stretch=1),
            STRETCH,
            space=12,
            margins=(24, 0, 24, 16),
            parent=self,
        )
