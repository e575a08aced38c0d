"""A heading that expands and collapses its content."""

from functools import partial

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QScrollArea, QWidget
from shiboken6 import isValid

from engine.platform.language import tr
from gui.style.icons import icon
from gui.style.layout import column, placed, row
from gui.widgets.labels import ElidedLabel
from gui.work.chunked_work import ChunkedWork

_AROUND_PX = 8


class Disclosure(QWidget):
    """A button with an arrow, a summary beside it while closed, and the content under it."""

    toggled = Signal(bool)

    def __init__(self, title: str, content: QWidget) -> None:
        super().__init__()
        self.content, self._summary = content, ""
        self._steps = ChunkedWork(self)
        self.button = QPushButton(title)
        self.button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves a board its keys
        self.button.setProperty("quiet", True)
        self.button.setProperty("disclosure", True)
        self.summary_label = ElidedLabel("", "caption")
        column(
            row(self.button, placed(self.summary_label, stretch=1)), content, space=4, parent=self
        )
        self.button.clicked.connect(lambda: self._toggle())
        self.set_open(False)

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        """Prepare the content in advance, so that opening it is quick."""
        super().showEvent(event)
        parts = self.content.findChildren(QWidget)
        self._steps.do([partial(_polish, part) for part in parts])

    @property
    def is_open(self) -> bool:
        return not self.content.isHidden()

    def set_open(self, is_open: bool) -> None:
        """Open or close it without the signal."""
        self.content.setVisible(is_open)
        self.summary_label.setText("" if is_open else self._summary)
        self.button.setIcon(icon("opened" if is_open else "closed"))
        state = tr("open") if is_open else tr("closed")
        self.button.setAccessibleDescription(f"{state}; {self._summary}")

    def set_summary(self, text: str) -> None:
        self._summary = text
        self.set_open(self.is_open)

    def _toggle(self) -> None:
        self.set_open(not self.is_open)
        self.toggled.emit(self.is_open)
        if self.is_open:
            QTimer.singleShot(0, self, self.show_content)

    def show_content(self) -> None:
        """Scroll to the content; where not all of it fits, to its beginning."""
        around: QWidget | None = self
        while around and not isinstance(around, QScrollArea):
            around = around.parentWidget()
        if isinstance(around, QScrollArea):
            around.ensureWidgetVisible(self.content, 0, _AROUND_PX)
            around.ensureWidgetVisible(self.button, 0, _AROUND_PX)


def _polish(part: QWidget) -> None:
    if isValid(part):  # the content may be another by now
        part.ensurePolished()
