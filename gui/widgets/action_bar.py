"""The actions under a board in one row: icon, name, key. What does not fit is in a menu.

The order of the actions is their rank: the last ones go into the menu first.
"""

from collections.abc import Sequence

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction, QFontMetrics, QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QMenu,
    QSizePolicy,
    QSpacerItem,
    QStyle,
    QStyleOptionToolButton,
    QToolButton,
    QWidget,
)

from engine.platform.language import tr
from gui.keys.key_bindings import keys_of, names_of_keys
from gui.style.icons import icon
from gui.style.layout import NO_LIMIT, STRETCH, row
from gui.style.theme import CAPTION, resized
from gui.widgets.buttons import attach_menu

_MIN_WIDTH, _ICON_PX = 44, 20
_MARGIN, _GAP, _GROUP_GAP = 6, 2, 12
_SHORT_KEYS = {"Backspace": "Bksp", "Return": "Enter"}  # no text


class ActionButton(QToolButton):
    """An action as its icon, its short name, and its first key in grey under it."""

    def __init__(self, action: QAction) -> None:
        super().__init__()
        self.setFont(resized(self.font(), CAPTION))
        self.setProperty("quiet", True)
        self.setDefaultAction(action)
        # Clicks must not take the keyboard away from the board; Tab still reaches the buttons.
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        action.changed.connect(self._follow)
        self._follow()

    @property
    def key_text(self) -> str:
        """The first key, as short as it goes; empty without one."""
        keys = names_of_keys(self.defaultAction())
        if not keys:
            return ""
        return _SHORT_KEYS.get(keys[0], keys[0]).replace("Shift+", "\N{UPWARDS WHITE ARROW}")

    def sizeHint(self) -> QSize:  # noqa: N802
        metrics = QFontMetrics(self.font())
        widest = max(
            metrics.horizontalAdvance(text)
            for text in (self.defaultAction().iconText(), self.key_text)
        )
        height = _ICON_PX + 2 * metrics.lineSpacing() + 2 * _MARGIN + 2
        return QSize(max(_MIN_WIDTH, widest + 2 * _MARGIN), height)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        option = QStyleOptionToolButton()
        self.initStyleOption(option)
        option.text, option.icon = "", QIcon()
        self.style().drawComplexControl(QStyle.ComplexControl.CC_ToolButton, option, painter, self)
        is_on = self.isEnabled()
        mode = QIcon.Mode.Normal if is_on else QIcon.Mode.Disabled
        state = QIcon.State.On if self.isChecked() else QIcon.State.Off
        left = (self.width() - _ICON_PX) // 2
        place = QRect(left, _MARGIN, _ICON_PX, _ICON_PX)
        self.defaultAction().icon().paint(painter, place, Qt.AlignmentFlag.AlignCenter, mode, state)
        line = QFontMetrics(self.font()).lineSpacing()
        top = _MARGIN + _ICON_PX + 2
        palette = self.palette()
        group = palette.ColorGroup.Normal if is_on else palette.ColorGroup.Disabled
        painter.setFont(self.font())
        painter.setPen(palette.color(group, palette.ColorRole.ButtonText))
        center = Qt.AlignmentFlag.AlignCenter
        painter.drawText(QRect(0, top, self.width(), line), center, self.defaultAction().iconText())
        painter.setPen(palette.color(palette.ColorRole.PlaceholderText))
        painter.drawText(QRect(0, top + line, self.width(), line), center, self.key_text)

    def _follow(self) -> None:
        action = self.defaultAction()
        keys = keys_of(action)
        self.setToolTip(f"{action.text()} ({keys})" if keys else action.text())
        self.setAccessibleName(action.text())
        self.updateGeometry()
        self.update()


class ActionBar(QWidget):
    """Buttons in groups, the most important first, and "More" for those that do not fit."""

    def __init__(self, groups: Sequence[Sequence[QAction]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, QToolButton] = {}
        self._groups: list[list[ActionButton]] = []
        self._row = row(STRETCH, space=_GAP, parent=self)
        self._gaps: list[QSpacerItem] = []  # before each group and before "More"
        for actions in groups:
            self._add_gap()
            group = [ActionButton(action) for action in actions]
            for action, button in zip(actions, group, strict=True):
                self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
                self.buttons[action.objectName()] = button
            self._groups.append(group)
        self._add_gap()
        self.more_menu = QMenu(self)
        self._more = QAction(icon("more"), tr("More"), self)
        self.more_button = ActionButton(self._more)
        attach_menu(self.more_button, self.more_menu)
        self._row.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addStretch()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.fit(NO_LIMIT)

    @property
    def shown(self) -> list[str]:
        return [name for name, button in self.buttons.items() if not button.isHidden()]

    def fit(self, width: int) -> None:
        """Show as many buttons as `width` has room for; the menu has the others."""
        n_shown = self._n_that_fit(width)
        flat = [button for group in self._groups for button in group]
        for place, button in enumerate(flat):
            button.setVisible(place < n_shown)
        has_more = n_shown < len(flat)
        are_shown = [any(not button.isHidden() for button in group) for group in self._groups]
        for gap, is_wanted in zip(self._gaps, [False, *are_shown[1:], has_more], strict=True):
            gap.changeSize(_GROUP_GAP if is_wanted else 0, 0)
        self._row.invalidate()
        hidden = flat[n_shown:]
        self.more_menu.clear()
        self.more_menu.addActions([button.defaultAction() for button in hidden])
        self.more_button.setVisible(has_more)

    def _n_that_fit(self, width: int) -> int:
        needed = [0]
        for i, group in enumerate(self._groups):
            for j, button in enumerate(group):
                gap = _GROUP_GAP + 2 * _GAP if i and not j else _GAP
                needed.append(needed[-1] + button.sizeHint().width() + gap)
        if needed[-1] <= width:
            return len(needed) - 1
        room = width - self.more_button.sizeHint().width() - _GROUP_GAP - 2 * _GAP
        return max(0, sum(end <= room for end in needed[1:]))

    def _add_gap(self) -> None:
        gap = QSpacerItem(_GROUP_GAP, 0)
        self._gaps.append(gap)
        self._row.addSpacerItem(gap)
