"""The side panel of a question: the verdict, the hidden rates, a row of figures."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from coach.grading.grade import Grade, Tolerance
from engine.platform.language import mark, tr
from gui.board.announcer import announce_verdict
from gui.board.grade_mark import GradeMark
from gui.style.layout import column, placed, row
from gui.widgets.labels import Figure, label
from gui.widgets.rate_cross import RateCross

ASKING = mark("Which move is best? Answer with the arrow keys, WASD or HJKL.")


class QuestionPanel(QWidget):
    """The side panel of a question; what a page has besides goes into `column`.

    Parameters
    ----------
    figures : sequence of str
        The captions of the row of figures, in English and marked.
    beside : QWidget, optional
        What stands at the right of the verdict.
    """

    def __init__(self, figures: Sequence[str], beside: QWidget | None = None) -> None:
        super().__init__()
        self.figures = {name: Figure(tr(name)) for name in figures}
        self.cross = RateCross()
        self.mark, self.verdict = GradeMark(), QLabel()
        self.about_label = label("", "caption", wraps=True)
        self.column = column(
            self._verdict_row(beside),
            self.cross,
            self.about_label,
            self._figure_row(),
            space=16,
            parent=self,
        )
        self._mark(None)

    def lay_flat(self, flat: bool) -> None:
        """Put the rates in a row, for a panel under the board, or in a cross beside it."""
        self.cross.lay_flat(flat)

    def ask_rates(
        self, rates: Sequence[float | None], tolerance: Tolerance, breaking: Collection[int] = ()
    ) -> None:
        """Ask a question, with the figures of the moves hidden."""
        self.cross.show()
        self.cross.hide_figures(True)
        self.cross.show_rates(rates, tolerance=tolerance, breaking=breaking)
        self.cross.sentence.setText("")
        self._show_text(tr(ASKING))
        self._mark(None)

    def show_verdict(self, text: str, grade: Grade | None, shows_rates: bool = True) -> None:
        """Show the verdict on an answer, and the rates if there are any."""
        if shows_rates:
            self.cross.hide_figures(False)
        self._mark(grade)
        self._show_text(text)
        announce_verdict(self.verdict, grade, text)

    def clear(self) -> None:
        """Show no question."""
        self.cross.hide()
        self._mark(None)
        self._show_text("")
        self.about_label.setText("")

    def _mark(self, grade: Grade | None) -> None:
        self.mark.show_grade(grade)
        self.mark.setVisible(grade is not None)

    def _show_text(self, text: str) -> None:
        self.verdict.setText(text)
        self.verdict.setAccessibleDescription(text)

    def _figure_row(self) -> QHBoxLayout:
        return row(
            *(
                placed(figure, stretch=1, align=Qt.AlignmentFlag.AlignTop)
                for figure in self.figures.values()
            )
        )

    def _verdict_row(self, beside: QWidget | None) -> QHBoxLayout:
        self.verdict.setWordWrap(True)
        self.verdict.setAccessibleName(tr("Answer"))
        self.verdict.setMinimumHeight(2 * self.verdict.fontMetrics().lineSpacing())
        box = row(
            placed(self.mark, align=Qt.AlignmentFlag.AlignVCenter), placed(self.verdict, stretch=1)
        )
        if beside:
            box.addWidget(beside, 0, Qt.AlignmentFlag.AlignVCenter)
        return box
