"""The rates after every new tile: in words, as a list, and switches for the heat map."""

from html import escape
from typing import Any

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QCheckBox,
    QLabel,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from coach.grading.names import move_title, move_word
from coach.grading.rated import LOWER_BOUNDS
from coach.reasons.words import chance_texts
from engine.platform.language import mark, sentences, tr
from engine.platform.quantities import at_least_text
from gui.board.heat_paint import draw_scale
from gui.practice.why import Spawn, Why
from gui.style.layout import STRETCH, column, placed, row
from gui.style.theme import app_theme, theme_source
from gui.text.rates import describe_unknown, format_points, format_rates
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.labels import label

_LISTED = 6
ASK = mark("Choose a move to see what the next tile can do.")
NOTHING_KNOWN = mark("The table doesn't cover any position after this move.")
LOOKING = mark("Looking \N{HORIZONTAL ELLIPSIS}")


class HeatScale(QWidget):
    """The legend of the heat map."""

    def __init__(self) -> None:
        super().__init__()
        theme_source().changed.connect(self.update)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Light cells are harmless, dark cells hurt"))

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return a thin bar."""
        return QSize(80, 12)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw the bar."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_scale(painter, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), app_theme())


class WhyPanel(QWidget):
    """The explained move, the tiles after it, and the options of the heat map.

    Signals
    -------
    direction_chosen : int (as object)
        Explain this move.
    exponent_chosen : int (as object)
        Draw the map for a 2 (1) or a 4 (2).
    plies_chosen : int (as object)
        Look one tile ahead, or two.
    shown_toggled : bool
        Whether to show the heat map on the board.
    """

    direction_chosen = Signal(object)
    exponent_chosen = Signal(object)
    plies_chosen = Signal(object)
    shown_toggled = Signal(bool)

    def __init__(self) -> None:
        super().__init__()
        self.directions = ChipGroup(tr("Move to explain"))
        self.exponents, self.depths = ChipGroup(tr("New tile")), ChipGroup(tr("How far to look"))
        self.directions.set_choices(
            [Choice(direction, move_title(direction)) for direction in range(4)]
        )
        self.exponents.set_choices([Choice(1, tr("A 2")), Choice(2, tr("A 4"))])
        self.depths.set_choices(
            [
                Choice(1, tr("Next tile"), tip=tr("What the best reply to each tile keeps")),
                Choice(
                    2,
                    tr("Two tiles"),
                    tip=tr("The worst case after the best reply and one more tile"),
                ),
            ]
        )
        self.shown_box = QCheckBox(tr("Map on the board"))
        self.shown_box.setToolTip(
            tr("Show the board after the move, darkest where a tile hurts most")
        )
        self.shown_box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.sentence = label(tr(ASK), wraps=True)
        self.sentence.setAccessibleName(tr("Explanation"))
        self.list_label = QLabel()
        self.list_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.list_label.setTextFormat(Qt.TextFormat.RichText)
        self.list_label.setAccessibleName(tr("Tiles that hurt most"))
        self.scale = HeatScale()
        self.compare_button = QPushButton(tr("Compare with the best move"))
        self.compare_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._lay_out()
        self.directions.chosen.connect(self.direction_chosen)
        self.exponents.chosen.connect(self.exponent_chosen)
        self.depths.chosen.connect(self.plies_chosen)
        self.shown_box.toggled.connect(self.shown_toggled)

    def offer(self, legal: tuple[int, ...], chosen: int | None) -> None:
        """Offer the legal moves; `chosen` is the one explained."""
        self.directions.forbid(
            {d: "" if d in legal else tr("This move isn't possible.") for d in range(4)}
        )
        self.directions.choose(chosen)
        text = tr("Map on the board")
        if chosen is not None:
            text = tr("Map on the board, after {move}", move=move_title(chosen))
        self.shown_box.setText(text)
        self.shown_box.setEnabled(chosen is not None)
        self.compare_button.setEnabled(chosen is not None and len(legal) > 1)

    def show_why(self, why: Why | None) -> None:
        """Show the explanation of a move; None if there is none yet."""
        if why is None or not why.n_known:
            self.sentence.setText(tr(ASK if why is None else LOOKING))
            self.list_label.setText("")
            return
        self.sentence.setText(describe(why))
        self.list_label.setText(_table(why))

    def _lay_out(self) -> None:
        column(
            self.directions,
            self.sentence,
            self.shown_box,
            row(placed(self.exponents, stretch=2), placed(self.depths, stretch=3), space=8),
            row(
                label(tr("harmless"), "caption"),
                placed(self.scale, stretch=1),
                label(tr("harmful"), "caption"),
            ),
            self.list_label,
            placed(self.compare_button, align=Qt.AlignmentFlag.AlignLeft),
            STRETCH,
            parent=self,
        )


def describe(why: Why) -> str:
    """Return the description of a move's mean rate, and the tile that hurts most."""
    harmful = why.by_harm()
    if not harmful:
        return tr(NOTHING_KNOWN if why.is_complete else LOOKING)
    first = _so_far(why)
    if why.are_bounds:  # of two bounds, the lower one may have the higher true rate
        return sentences(first, describe_unknown(LOWER_BOUNDS))
    worst, best = why.figure(harmful[0]), why.figure(harmful[-1])
    assert worst is not None
    assert best is not None
    if worst == best:
        return sentences(first, tr("No tile makes a difference."))
    values = {
        **_places(harmful[0]),
        "rate": _told_of(why, worst),
        "points": format_points(best - worst),
    }
    if why.plies == 2:
        second = tr(
            "At worst a {tile} at row {row}, column {column} and the next one can leave {rate}, "
            "{points} less than the best.",
            **values,
        )
    else:
        second = tr(
            "At worst a {tile} at row {row}, column {column} leaves {rate}, {points} less than "
            "the best.",
            **values,
        )
    return sentences(first, second)


def _so_far(why: Why) -> str:
    """Return the text on a move's mean rate, or on how much of it is known."""
    move = move_title(why.direction)
    if not why.is_complete:
        n_all = len(why.spawns)
        return tr(
            "{move}: {n_known} of {n_all} tiles checked.",
            move=move,
            n_known=why.n_known,
            n_all=n_all,
        )
    if why.expected is None:
        return move
    kept = at_least_text(why.expected) if why.are_bounds else _told_of(why, why.expected)
    return tr("{move} keeps {rate} on average.", move=move, rate=kept)


def _told_of(why: Why, rate: float) -> str:
    """Return the mean or a single rate as text, with enough digits to differ."""
    harmful = why.by_harm()
    rates = [one for one in (why.expected, why.figure(harmful[0])) if one is not None]
    return dict(zip(rates, chance_texts(rates), strict=True))[rate]


def _places(spawn: Spawn) -> dict[str, Any]:
    """Return a tile and where it is, for a text."""
    row, column = divmod(spawn.cell, 4)
    return {"tile": 1 << spawn.exponent, "row": row + 1, "column": column + 1}


def _table(why: Why) -> str:
    rows, listed = [], why.by_harm()[:_LISTED]
    figures = format_rates([why.figure(one) or 0.0 for one in listed], are_bounds=why.are_bounds)
    for spawn, figure in zip(listed, figures, strict=True):
        reply = tr("then no move")
        if spawn.reply is not None:
            reply = tr("then {move}", move=move_word(spawn.reply))
        cells = (
            tr("{tile} at row {row}, column {column}", **_places(spawn)),
            figure,
            reply,
        )
        rows.append("".join(f"<td style='padding: 2px 10px 2px 0'>{escape(c)}</td>" for c in cells))
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"
