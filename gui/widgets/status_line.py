"""The status in the rail: background work and its progress. Nothing where nothing runs."""

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QProgressBar, QWidget

from engine.platform.language import tr
from gui.style.layout import column, placed, row
from gui.widgets.buttons import tool_button
from gui.widgets.labels import label


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
    """Shows the latest background job; a click leads to its page."""

    clicked = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("statusline")
        self._works: dict[str, Background] = {}
        self._cancel: Callable[[], None] | None = None
        self.text_label = label("", "caption", wraps=True)
        self.bar = QProgressBar(textVisible=False)
        self.bar.setMinimumWidth(16)
        self.cancel_button = tool_button("close", tr("Cancel"))
        self.cancel_button.clicked.connect(lambda: self._cancel() if self._cancel else None)
        bar_row = row(placed(self.bar, stretch=1), self.cancel_button, space=4)
        self._column = column(self.text_label, bar_row, space=2, margins=(8, 4, 4, 4), parent=self)
        self._show()

    def set_compact(self, is_compact: bool) -> None:
        """Leave the text to the tool tip."""
        self.text_label.setVisible(not is_compact)
        self._column.setContentsMargins(*(2, 0, 2, 0) if is_compact else (8, 4, 4, 4))

    def report(self, key: str, work: Background | None) -> None:
        """Show the work called `key`, or that it is over (None)."""
        if work:
            self._works[key] = work  # in its place: what began last is what is shown
        else:
            self._works.pop(key, None)
        self._show()

    def mouseReleaseEvent(self, _event: object) -> None:  # noqa: N802
        if self._works:
            self.clicked.emit(next(reversed(self._works.values())).page)

    def _show(self) -> None:
        work = next(reversed(self._works.values()), None)
        text = work.text if work else ""
        if len(self._works) > 1:
            text = tr("{work} (and {n} more)", work=text, n=len(self._works) - 1)
        self.text_label.setText(text)
        self.setToolTip("\n".join(one.text for one in reversed(self._works.values())))
        self.cancel_button.setToolTip(tr("Stop: {what}", what=work.text) if work else "")
        self.setVisible(bool(work))
        if work:
            self.bar.setRange(0, 0 if work.fraction is None else 1000)
            self.bar.setValue(int((work.fraction or 0) * 1000))
        self._cancel = work.cancel if work else None
        self.cancel_button.setVisible(self._cancel is not None)
