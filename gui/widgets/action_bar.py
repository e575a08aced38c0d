"""The actions under a board: an icon and its key, in one row or, where room is scarce, in two."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QSizePolicy, QToolButton, QWidget

from gui.style.theme import CAPTION

_WIDTH, _ICON_PX = 48, 20
_SHORT_KEYS = {"Backspace": "Bksp", "Return": "Enter"}


class ActionBar(QWidget):
    """Tool buttons in groups; each shows its first shortcut under the icon.

    Parameters
    ----------
    groups : sequence of sequences of QAction
        The actions; a little room separates the groups.
    """

    def __init__(self, groups: Sequence[Sequence[QAction]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, QToolButton] = {}
        self._groups = [self._group(actions) for actions in groups]
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(0)
        self._n_rows = 0
        self._lay_out(1)

    def fit(self, width: int) -> None:
        """Use one row when it fits into `width`, else two."""
        needed = sum(group.sizeHint().width() for group in self._groups)
        needed += self._grid.horizontalSpacing() * (len(self._groups) - 1)
        self._lay_out(1 if needed <= width else 2)

    def _lay_out(self, n_rows: int) -> None:
        if n_rows == self._n_rows:
            return
        self._n_rows = n_rows
        per_row = -(-len(self._groups) // n_rows)
        for group in self._groups:
            self._grid.removeWidget(group)
        for i, group in enumerate(self._groups):
            row, column = divmod(i, per_row)
            side = Qt.AlignmentFlag.AlignHCenter if n_rows == 1 else Qt.AlignmentFlag.AlignLeft
            self._grid.addWidget(group, row, column + 1, side | Qt.AlignmentFlag.AlignTop)
        last = len(self._groups) + 1
        for column in range(last + 1):
            is_margin = column == 0 or column == per_row + 1
            self._grid.setColumnStretch(column, 1 if is_margin else 0)
        for row in range(3):  # a stretch on a row of buttons would let it shrink
            self._grid.setRowStretch(row, int(row == n_rows))

    def _group(self, actions: Sequence[QAction]) -> QWidget:
        group = QWidget()
        row = QHBoxLayout(group)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(2)
        for action in actions:
            row.addWidget(self._button(action))
        return group

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(action)
        button.setProperty("quiet", True)
        font = button.font()
        font.setPixelSize(CAPTION)
        button.setFont(font)
        button.setIconSize(QSize(_ICON_PX, _ICON_PX))
        button.setMinimumWidth(_WIDTH)
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        # Clicks must not take the keyboard away from the board; Tab still reaches the buttons.
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        action.changed.connect(lambda: _name_after_action(button))
        _name_after_action(button)
        self.buttons[action.objectName()] = button
        return button


def _name_after_action(button: QToolButton) -> None:
    action = button.defaultAction()
    keys = [
        sequence.toString(QKeySequence.SequenceFormat.NativeText) for sequence in action.shortcuts()
    ]
    short = _SHORT_KEYS.get(keys[0], keys[0]) if keys else ""
    button.setText(short.replace("Shift+", "\N{UPWARDS WHITE ARROW}") or action.text())
    button.setToolTip(f"{action.text()} ({', '.join(keys)})" if keys else action.text())
    button.setAccessibleName(action.text())
