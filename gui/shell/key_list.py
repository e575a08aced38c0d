"""The keys of the page in front, on one panel."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLabel, QScrollArea, QWidget

from engine.language import tr
from gui.shell.overlay import Overlay
from gui.widgets.labels import label

Section = tuple[str, Sequence[QAction]]


class KeyList(Overlay):
    """Sections of actions with their shortcuts; `sections` is asked each time."""

    def __init__(self, window: QWidget, sections: Callable[[], Sequence[Section]]) -> None:
        super().__init__(window)
        self._sections_of = sections
        self.column.addWidget(label(tr("Keys"), "title"))
        self._scroll = QScrollArea()
        self._scroll.setWidgetResizable(True)
        self._scroll.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.column.addWidget(self._scroll, 1)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def open(self) -> None:
        """Show the keys as they are now."""
        body = QWidget()
        grid = QGridLayout(body)
        grid.setContentsMargins(0, 0, 8, 0)
        grid.setHorizontalSpacing(16)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(0, 1)
        for title, actions in self._sections_of():
            with_keys = [action for action in actions if action.shortcuts() and action.text()]
            if with_keys:
                grid.addWidget(label(title, "caption"), grid.rowCount(), 0)
            for action in with_keys:
                row = grid.rowCount()
                grid.addWidget(QLabel(action.text().replace("&", "")), row, 0)
                grid.addWidget(_keycaps(action), row, 1, Qt.AlignmentFlag.AlignRight)
        grid.setRowStretch(grid.rowCount(), 1)
        self._scroll.setWidget(body)
        self._scroll.setMinimumHeight(min(body.sizeHint().height() + 4, 520))
        super().open()
        self.setFocus()


def _keycaps(action: QAction) -> QWidget:
    caps = QWidget()
    row = QHBoxLayout(caps)
    row.setContentsMargins(0, 0, 0, 0)
    row.setSpacing(4)
    for keys in action.shortcuts():
        row.addWidget(_keycap(keys.toString(QKeySequence.SequenceFormat.NativeText)))
    return caps


def _keycap(keys: str) -> QLabel:
    """Return a label that looks like a key."""
    cap = QLabel(keys)
    cap.setObjectName("keycap")
    return cap
