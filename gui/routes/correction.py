"""A card over the board: the move pressed, the best move, the loss."""

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QWidget

from coach.grading.names import grade_title
from coach.routes.run import RouteMove, RouteRun
from gui.board.announcer import announce_verdict
from gui.board.grade_mark import GradeMark
from gui.routes.text import correction_lines
from gui.style.layout import STRETCH, column, row
from gui.widgets.labels import label

_BOTTOM_PX = 24


class CorrectionCard(QFrame):
    """A card over the lower part of a board; the mouse goes through it."""

    def __init__(self, board: QWidget) -> None:
        super().__init__(board)
        self._board = board
        self.setProperty("card", True)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.mark, self.title = GradeMark(), label("", "strong")
        self.yours, self.best, self.lost = label(""), label("", "strong"), label("", "muted")
        column(
            row(self.mark, self.title, STRETCH),
            self.yours,
            self.best,
            self.lost,
            space=4,
            margins=(16, 12, 16, 12),
            parent=self,
        )
        board.installEventFilter(self)
        self.hide()

    def show_move(self, move: RouteMove, run: RouteRun) -> None:
        """Show the verdict on a wrong move."""
        assert move.judgement is not None
        yours, best, lost = correction_lines(move, run)
        grade = move.judgement.grade
        self.mark.show_grade(grade)
        self.title.setText(grade_title(grade))
        for part, text in ((self.yours, yours), (self.best, best), (self.lost, lost)):
            part.setText(text)
        announce_verdict(self, grade, f"{yours}. {best}")
        self._place()
        self.show()
        self.raise_()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Follow the size of the board."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return super().eventFilter(watched, event)

    def _place(self) -> None:
        size = self.sizeHint().boundedTo(self._board.size())
        left = (self._board.width() - size.width()) // 2
        top = max(0, self._board.height() - size.height() - _BOTTOM_PX)
        self.setGeometry(left, top, size.width(), size.height())
