"""A page's list with a form at its side, each with a scroll bar of its own."""

from PySide6.QtCore import QPoint, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QApplication, QScrollArea, QVBoxLayout, QWidget

from gui.style.layout import NO_LIMIT, STRETCH, column, placed, row
from gui.widgets.board_layout import MARGIN, scroll_area

_SIDE_WIDTH = 372
_STACK_BELOW = 908


class TwoColumns(QWidget):
    """A wide part and a narrow one at its side, or under each other where room is scarce.

    Side by side each scrolls on its own; under each other they scroll as one, the narrow one in
    `place`. `most_width` is of both together.
    """

    stacked_changed = Signal(bool)

    def __init__(
        self, scroller: QScrollArea, place: QVBoxLayout, side: QWidget, most_width: int
    ) -> None:
        super().__init__()
        self._scroller, self._place, self._side = scroller, place, side
        self._main_most = most_width - _SIDE_WIDTH + MARGIN
        self.is_stacked = self._is_alone = False
        content = QWidget()
        at_left = placed(side, align=Qt.AlignmentFlag.AlignLeft)
        self._column = column(at_left, STRETCH, parent=content)
        self._area = scroll_area(content)
        self._area.setMinimumWidth(_SIDE_WIDTH + MARGIN)
        self._area.verticalScrollBar().rangeChanged.connect(lambda *_: self._set_margins())
        self._row = row(placed(scroller, stretch=1), self._area, space=0, parent=self)
        self._set_margins()
        self._arrange()

    def show_alone(self, is_alone: bool) -> None:
        """Leave all the room to the wide part, or give the narrow one its place again."""
        self._is_alone = is_alone
        self._arrange()

    def scroll_to_side(self) -> None:
        self._area.verticalScrollBar().setValue(0)
        content = self._scroller.widget()
        if self.is_stacked and content:
            top = self._side.mapTo(content, QPoint(0, 0)).y()
            self._scroller.verticalScrollBar().setValue(top)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        is_stacked = event.size().width() < _STACK_BELOW
        if is_stacked == self.is_stacked:
            return
        self.is_stacked = is_stacked
        focused = QApplication.focusWidget()  # a widget that moves loses the keyboard
        if is_stacked:
            self._place.addWidget(self._side)
        else:
            self._column.insertWidget(0, self._side, 0, Qt.AlignmentFlag.AlignLeft)
        self._arrange()
        self._row.activate()  # at once: the new size is no one's to see half laid out
        if focused and self._side.isAncestorOf(focused):
            focused.setFocus()
        self.stacked_changed.emit(is_stacked)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the minimum size when stacked, so that it can shrink enough to stack."""
        return self._scroller.minimumSizeHint()

    def _arrange(self) -> None:
        is_beside = not (self.is_stacked or self._is_alone)
        self._side.setMinimumWidth(0 if self.is_stacked else _SIDE_WIDTH)
        self._side.setMaximumWidth(NO_LIMIT if self.is_stacked else _SIDE_WIDTH)
        self._side.setVisible(not self._is_alone)
        self._area.setVisible(is_beside)
        self._scroller.setMaximumWidth(self._main_most if is_beside else NO_LIMIT)

    def _set_margins(self) -> None:
        # The scroll bar lies in the margin, as that of the page does.
        bar = self._area.verticalScrollBar()
        room = bar.sizeHint().width() if bar.maximum() > 0 else 0
        self._column.setContentsMargins(0, 4, max(0, MARGIN - room), MARGIN)
