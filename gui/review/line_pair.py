"""Two lines of moves, the best one above the one played, with their rates."""

from PySide6.QtWidgets import QGridLayout, QWidget

from coach.grading.principal_variation import Line
from engine.platform.language import tr
from engine.platform.quantities import rate_text
from gui.widgets.labels import label

_ARROWS = "\u2190\u2192\u2191\u2193"
_TO = " \u2192 "


class LinePair(QWidget):
    """A widget of two rows that keeps its size while its lines are looked up."""

    def __init__(self) -> None:
        super().__init__()
        self.best_label, self.played_label = label("", "caption"), label("", "caption")
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(12)
        grid.setVerticalSpacing(2)
        grid.setColumnStretch(1, 1)
        self._heads = (label(tr("Best line"), "caption"), label(tr("Played"), "caption"))
        for row, shown in enumerate((self.best_label, self.played_label)):
            grid.addWidget(self._heads[row], row, 0)
            grid.addWidget(shown, row, 1)
        self.setToolTip(tr("The best moves from here, with the game's own tiles where they fit"))
        self.hide()

    def clear(self) -> None:
        """Clear the lines, keeping their space."""
        self.best_label.setText("")
        self.played_label.setText("")

    def show_lines(self, best: Line, played: Line) -> None:
        """Show both lines; nothing if the table doesn't know the position."""
        if not best.directions:
            self.clear()
            self.hide()
            return
        is_same = best.directions == played.directions
        self.best_label.setText(tr("as played") if is_same else line_text(best))
        self.played_label.setText(line_text(played))


def line_text(line: Line) -> str:
    """Return the moves as arrows, and the rates at both ends.

    Examples
    --------
    >>> line_text(Line((0, 3), (0.5, 0.6, None)))
    '\u2190 \u2193   50.0000 % \u2192 unknown'
    """
    arrows = " ".join(_ARROWS[one] for one in line.directions)
    ends = (line.rates[0], line.rates[-1])
    rates = _TO.join(tr("unknown") if rate is None else rate_text(rate) for rate in ends)
    return f"{arrows}   {rates}"
