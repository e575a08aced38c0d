"""The queue of builds below the running one: waiting ones, which can be reordered, and failures.

Rows live as long as their requests, so a moved row keeps the focus.
"""

from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QPushButton, QToolButton, QWidget

from engine.platform.language import tr
from gui.style.icons import icon
from gui.style.layout import column, placed, row
from gui.table_work.builds import Builds
from gui.table_work.queue_file import Failure
from gui.table_work.requests import Request
from gui.widgets.labels import label
from gui.widgets.state_mark import StateMark

_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}


class QueueRows(QWidget):
    """One row for each request that waits, and one for each that failed."""

    def __init__(self, builds: Builds, shows_failed: bool = True) -> None:
        super().__init__()
        self._builds, self._shows_failed = builds, shows_failed
        self.rows: list[WaitingRow | FailedRow] = []
        self.caption_label = label(tr("In the queue"), "caption")
        self._column = column(self.caption_label, space=4, parent=self)
        self.show_line()

    def show_line(self) -> None:
        builds = self._builds
        wanted: list[Request | Failure] = [*builds.waiting]
        if self._shows_failed:
            wanted += builds.failed
        kept = {queued.content: queued for queued in self.rows}
        for content, queued in kept.items():
            if content not in wanted:
                self._column.removeWidget(queued)
                queued.hide()
                queued.deleteLater()
        self.rows = [kept.get(content) or self._row(content) for content in wanted]
        for i, queued in enumerate(self.rows, start=1):
            if self._column.indexOf(queued) != i:
                self._column.insertWidget(i, queued)
        waiting = [queued for queued in self.rows if isinstance(queued, WaitingRow)]
        for i, queued in enumerate(waiting):
            queued.show_place(i == 0, i == len(waiting) - 1)
        self.caption_label.setVisible(bool(waiting))
        self.setVisible(bool(self.rows))
        buttons = [button for queued in self.rows for button in queued.buttons]
        for before, after in pairwise(buttons):
            QWidget.setTabOrder(before, after)

    def _row(self, content: Request | Failure) -> "WaitingRow | FailedRow":
        if isinstance(content, Failure):
            return FailedRow(content, self._builds)
        return WaitingRow(content, self._builds)


class WaitingRow(QWidget):
    """A request that waits: earlier, later, or not at all."""

    def __init__(self, request: Request, builds: Builds) -> None:
        super().__init__()
        self.content, self._builds = request, builds
        self.up_button = _arrow("arrow_up", tr("Move {what} up", what=request.work))
        self.up_button.setToolTip(tr("Earlier (Alt+Up)"))
        self.up_button.clicked.connect(lambda: self._move(-1))
        self.down_button = _arrow("arrow_down", tr("Move {what} down", what=request.work))
        self.down_button.setToolTip(tr("Later (Alt+Down)"))
        self.down_button.clicked.connect(lambda: self._move(1))
        self.remove_button = QPushButton(tr("Remove"))
        self.remove_button.setProperty("quiet", True)
        self.remove_button.setAccessibleName(tr("Remove {what}", what=request.work))
        self.remove_button.clicked.connect(lambda: builds.remove(request))
        self.buttons = (self.up_button, self.down_button, self.remove_button)
        box = row(placed(label(request.work_title, wraps=True), stretch=1), space=4, parent=self)
        for button in self.buttons:
            box.addWidget(button)
            button.installEventFilter(self)

    def show_place(self, is_first: bool, is_last: bool) -> None:
        has_focus = self.up_button.hasFocus() or self.down_button.hasFocus()
        self.up_button.setEnabled(not is_first or has_focus)
        self.down_button.setEnabled(not is_last or has_focus)
        if self.up_button.hasFocus() and is_first:  # before Qt lets the keyboard go anywhere
            self.down_button.setFocus()
        elif self.down_button.hasFocus() and is_last:
            self.up_button.setFocus()
        self.up_button.setEnabled(not is_first)
        self.down_button.setEnabled(not is_last)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Move with Alt and an arrow; a button alone would go to its neighbor."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = _STEPS.get(Qt.Key(event.key()))
            if step and event.modifiers() & Qt.KeyboardModifier.AltModifier:
                self._move(step)
                return True
        return super().eventFilter(watched, event)

    def _move(self, by: int) -> None:
        self._builds.move(self.content, by)


class FailedRow(QWidget):
    """A request that failed, why, and what can be done."""

    def __init__(self, failure: Failure, builds: Builds) -> None:
        super().__init__()
        self.content = failure
        what = failure.request
        text = tr("{what} stopped: {why}.", what=what.work_title, why=failure.message.rstrip("."))
        self.text_label = label(text, wraps=True)
        self.retry_button = QPushButton(tr("Try again"))
        self.retry_button.setAccessibleName(tr("Try again: {what}", what=what.work))
        self.retry_button.clicked.connect(lambda: builds.retry(failure))
        self.remove_button = QPushButton(tr("Remove"))
        self.remove_button.setProperty("quiet", True)
        self.remove_button.setAccessibleName(tr("Remove {what}", what=what.work))
        self.remove_button.clicked.connect(lambda: builds.dismiss(failure))
        self.buttons = (self.retry_button, self.remove_button)
        row(StateMark("bad"), placed(self.text_label, stretch=1), *self.buttons, parent=self)


def _arrow(name: str, text: str) -> QToolButton:
    button = QToolButton()
    button.setIcon(icon(name))
    button.setProperty("quiet", True)
    button.setAccessibleName(text)
    return button
