"""The status line: background work, its progress, and the source of answers."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QWidget

from engine.platform.language import tr
from gui.style.layout import placed, row
from gui.widgets.buttons import tool_button
from gui.widgets.labels import ElidedLabel, show_text


@dataclass(frozen=True)
class Background:
    """A background job: its text, its share done (None: unknown), how to stop it.

    `page` shows more of it: a title in English.
    """

    text: str
    fraction: float | None = None
    cancel: Callable[[], None] | None = None
    page: str = "Tables"  # no text


class StatusLine(QWidget):
    """Shows the latest background job, and a remark on the right."""

    clicked = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("statusline")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setFixedHeight(30)
        self._works: dict[str, Background] = {}
        self._cancel: Callable[[], None] | None = None
        self.text_label = ElidedLabel()
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setFixedWidth(140)
        self.bar.setTextVisible(False)
        self.cancel_button = tool_button("", "", name=tr("Cancel"))
        self.cancel_button.setText(tr("Cancel"))
        self.cancel_button.clicked.connect(lambda: self._cancel() if self._cancel else None)
        self.source_label = QLabel()
        row(
            placed(self.text_label, stretch=1),
            self.bar,
            self.cancel_button,
            self.source_label,
            space=12,
            margins=(12, 0, 12, 0),
            parent=self,
        )
        self._show()

    def report(self, key: str, work: Background | None) -> None:
        """Show the work called `key`, or that it is over (None)."""
        if work:
            self._works[key] = work  # in its place: what began last is what is shown
        else:
            self._works.pop(key, None)
        self._show()

    def show_source(self, text: str) -> None:
        show_text(self.source_label, text)

    def mouseReleaseEvent(self, _event: object) -> None:  # noqa: N802
        if self._works:
            self.clicked.emit(next(reversed(self._works.values())).page)

    def _show(self) -> None:
        work = next(reversed(self._works.values()), None)
        text = work.text if work else ""
        if len(self._works) > 1:
            text = tr("{work}  (and {n} more)", work=text, n=len(self._works) - 1)
        self.text_label.setText(text)
        self.bar.setVisible(bool(work))
        if work:
            self.bar.setRange(0, 0 if work.fraction is None else 1000)
            self.bar.setValue(int((work.fraction or 0) * 1000))
        self._cancel = work.cancel if work else None
        self.cancel_button.setVisible(self._cancel is not None)
