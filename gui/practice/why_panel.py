"""What every new tile after a move would leave: in words, as a list, and switches for the map."""

from html import escape

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QCheckBox, QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from gui.board.heat_paint import draw_scale
from gui.practice.why import Spawn, Why
from gui.style.theme import Theme
from gui.text.rates import DIRECTION_NAMES, format_points, format_rate, format_rate_short
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.labels import label

_LISTED = 6
ASK = "Choose a move to see what the next tile can do."
NOTHING_KNOWN = "The table doesn't cover any position after this move."


class HeatScale(QWidget):
    """The legend of the heat map."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName("Light cells are harmless, dark cells hurt")

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return a thin bar."""
        return QSize(80, 12)

    def set_theme(self, theme: Theme) -> None:
        """Redraw in other colors."""
        self._theme = theme
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw the bar."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_scale(painter, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), self._theme)


class WhyPanel(QWidget):
    """The move that is explained, what can come after it, and how the map on the board is drawn.

    Signals
    -------
    direction_chosen : int (as object)
        Explain this move.
    exponent_chosen : int (as object)
        Draw the map for a 2 (1) or a 4 (2).
    plies_chosen : int (as object)
        Look one tile ahead, or two.
    shown_toggled : bool
        Whether the map is to be on the board.
    """

    direction_chosen = Signal(object)
    exponent_chosen = Signal(object)
    plies_chosen = Signal(object)
    shown_toggled = Signal(bool)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.directions = ChipGroup("Move to explain")
        self.exponents, self.depths = ChipGroup("New tile"), ChipGroup("How far to look")
        self.directions.set_choices(
            [Choice(d, name.capitalize()) for d, name in enumerate(DIRECTION_NAMES)]
        )
        self.exponents.set_choices([Choice(1, "A 2"), Choice(2, "A 4")])
        self.depths.set_choices(
            [
                Choice(1, "Next tile", tip="What the best reply to each tile keeps"),
                Choice(2, "Two tiles", tip="The worst case after the best reply and one more tile"),
            ]
        )
        self.shown_box = QCheckBox("Map on the board")
        self.shown_box.setToolTip("Show the board after the move, darkest where a tile hurts most")
        self.shown_box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.sentence = label(ASK, wraps=True)
        self.sentence.setAccessibleName("Explanation")
        self.list_label = QLabel()
        self.list_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.list_label.setTextFormat(Qt.TextFormat.RichText)
        self.list_label.setAccessibleName("Tiles that hurt most")
        self.scale = HeatScale(theme)
        self._lay_out()
        self.directions.chosen.connect(self.direction_chosen)
        self.exponents.chosen.connect(self.exponent_chosen)
        self.depths.chosen.connect(self.plies_chosen)
        self.shown_box.toggled.connect(self.shown_toggled)

    def offer(self, legal: tuple[int, ...], chosen: int | None) -> None:
        """Offer the moves that can be made; `chosen` is the one explained."""
        self.directions.forbid(
            {d: "" if d in legal else "This move isn't possible." for d in range(4)}
        )
        self.directions.choose(chosen)
        name = "" if chosen is None else f", after {DIRECTION_NAMES[chosen].capitalize()}"
        self.shown_box.setText(f"Map on the board{name}")
        self.shown_box.setEnabled(chosen is not None)

    def show_why(self, why: Why | None) -> None:
        """Show what is known of a move; None while nothing is."""
        if why is None or not why.n_known:
            self.sentence.setText(ASK if why is None else "Looking \N{HORIZONTAL ELLIPSIS}")
            self.list_label.setText("")
            return
        self.sentence.setText(describe(why))
        self.list_label.setText(_table(why))

    def set_theme(self, theme: Theme) -> None:
        """Redraw in other colors."""
        self.scale.set_theme(theme)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(8)
        switches = QHBoxLayout()
        switches.addWidget(self.exponents, 2)
        switches.addWidget(self.depths, 3)
        legend = QHBoxLayout()
        legend.setSpacing(8)
        legend.addWidget(label("harmless", "caption"))
        legend.addWidget(self.scale, 1)
        legend.addWidget(label("harmful", "caption"))
        column.addWidget(self.directions)
        column.addWidget(self.sentence)
        column.addWidget(self.shown_box)
        column.addLayout(switches)
        column.addLayout(legend)
        column.addWidget(self.list_label)
        column.addStretch()


def describe(why: Why) -> str:
    """Return in words what a move leads to on the whole, and the tile that hurts most."""
    name = DIRECTION_NAMES[why.direction].capitalize()
    harmful = why.by_harm()
    if not harmful:
        return NOTHING_KNOWN if why.is_complete else "Looking \N{HORIZONTAL ELLIPSIS}"
    first = f"{name}: {why.n_known} of {len(why.spawns)} tiles checked."
    if why.is_complete:
        mean = why.expected
        first = f"{name} keeps {format_rate_short(mean)} on average." if mean is not None else name
    worst, best = why.figure(harmful[0]), why.figure(harmful[-1])
    assert worst is not None
    assert best is not None
    if worst == best:
        return f"{first} No tile makes a difference."
    leaves = f"{_tile(harmful[0])} leaves {format_rate_short(worst)}"
    if why.plies == 2:
        leaves = f"{_tile(harmful[0])} and the next one can leave {format_rate_short(worst)}"
    return f"{first} At worst {leaves}, {format_points(best - worst)} less than the best."


def place_name(cell: int) -> str:
    """Return where a cell is: `row 1, column 3`."""
    return f"row {cell // 4 + 1}, column {cell % 4 + 1}"


def _tile(spawn: Spawn) -> str:
    return f"a {1 << spawn.exponent} at {place_name(spawn.cell)}"


def _table(why: Why) -> str:
    rows = []
    for spawn in why.by_harm()[:_LISTED]:
        reply = DIRECTION_NAMES[spawn.reply] if spawn.reply is not None else "no move"
        cells = (
            f"{1 << spawn.exponent} at {place_name(spawn.cell)}",
            format_rate(why.figure(spawn) or 0.0),
            f"then {reply}",
        )
        rows.append("".join(f"<td style='padding: 2px 10px 2px 0'>{escape(c)}</td>" for c in cells))
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"
