"""One row of actions under a board: an icon and its key."""

from collections.abc import Sequence

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QToolButton, QWidget

from gui.theme import CAPTION
from gui.widgets.glyphs import SIZE

_WIDTH = 48
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
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(2)
        layout.setAlignment(Qt.AlignmentFlag.AlignTop)
        layout.addStretch()
        for i, group in enumerate(groups):
            if i:
                layout.addSpacing(12)
            for action in group:
                layout.addWidget(self._button(action))
        layout.addStretch()

    def _button(self, action: QAction) -> QToolButton:
        button = QToolButton()
        button.setDefaultAction(action)
        button.setProperty("quiet", True)
        font = button.font()
        font.setPixelSize(CAPTION)
        button.setFont(font)
        button.setIconSize(QSize(SIZE, SIZE))
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
