"""The tools under a board: icon over name. The other actions are in the menu "More", in groups.

The order of the tools is their rank: where they don't fit, the last ones go into the menu first.
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
from gui.settings_model.settings import Settings
from gui.style.icons import icon
from gui.style.layout import NO_LIMIT, STRETCH, row
from gui.style.theme import CAPTION, resized
from gui.widgets.buttons import attach_menu
from gui.widgets.grouped_menu import add_groups, clear, grouped

_MIN_WIDTH, _ICON_PX = 44, 20
_MARGIN, _GAP, _GROUP_GAP = 6, 2, 12
_MAX_TOOLS = 7
_KEYS_SETTING = "keys_under_tools"  # no text
_SHORT_KEYS = {"Backspace": "Bksp", "Return": "Enter"}  # no text


class ActionButton(QToolButton):
    """An action as its icon, its short name and, if wished, its first key in grey under it."""

    shows_key = False

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
        lines = self._lines
        widest = max(map(metrics.horizontalAdvance, lines))
        height = _ICON_PX + len(lines) * metrics.lineSpacing() + 2 * _MARGIN + 2
        return QSize(max(_MIN_WIDTH, widest + 2 * _MARGIN), height)

    @property
    def _lines(self) -> list[str]:
        return [self.defaultAction().iconText(), *([self.key_text] if self.shows_key else ())]

    def show_key(self, is_shown: bool) -> None:
        self.shows_key = is_shown
        self.updateGeometry()
        self.update()

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
        roles = (palette.ColorRole.ButtonText, palette.ColorRole.PlaceholderText)
        for role, text in zip(roles, self._lines, strict=False):
            painter.setPen(palette.color(group, role))
            painter.drawText(QRect(0, top, self.width(), line), Qt.AlignmentFlag.AlignCenter, text)
            top += line

    def _follow(self) -> None:
        action = self.defaultAction()
        keys = keys_of(action)
        self.setToolTip(f"{action.text()} ({keys})" if keys else action.text())
        self.setAccessibleName(action.text())
        self.updateGeometry()
        self.update()


class ActionBar(QWidget):
    """The first tools in blocks, the most important first, and "More" for all other actions."""

    def __init__(
        self,
        tools: Sequence[Sequence[QAction]],
        actions: Sequence[QAction] = (),
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.buttons: dict[str, ActionButton] = {}
        self._blocks: list[list[ActionButton]] = []
        self._actions = actions
        self._row = row(STRETCH, space=_GAP, parent=self)
        self._gaps: list[QSpacerItem] = []  # before each block and before "More"
        for block in tools:
            self._add_block(block[: _MAX_TOOLS - len(self.buttons)])
        self._add_gap()
        self.more_menu = QMenu(self)
        self.more_menu.aboutToShow.connect(self._fill_menu)
        self.more_button = ActionButton(QAction(icon("more"), tr("More"), self))
        attach_menu(self.more_button, self.more_menu)
        self._row.addWidget(self.more_button, 0, Qt.AlignmentFlag.AlignTop)
        self._row.addStretch()
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self.fit(NO_LIMIT)

    @property
    def shown(self) -> list[str]:
        return [name for name, button in self.buttons.items() if not button.isHidden()]

    def follow_settings(self, settings: Settings) -> None:
        """Show the keys under the names or not, as the setting says, now and when it changes."""
        settings.changed.connect(self._follow_setting)
        self._follow_setting(_KEYS_SETTING, settings.get(_KEYS_SETTING))

    def fit(self, width: int) -> None:
        """Show as many tools as `width` has room for; the menu has the others."""
        n_shown = self._n_that_fit(width)
        for place, button in enumerate(self.buttons.values()):
            button.setVisible(place < n_shown)
        has_more = n_shown < len(self.buttons) or bool(grouped(self._others()))
        are_shown = [any(not button.isHidden() for button in block) for block in self._blocks]
        for gap, is_wanted in zip(self._gaps, [False, *are_shown[1:], has_more], strict=True):
            gap.changeSize(_GROUP_GAP if is_wanted else 0, 0)
        self._row.invalidate()
        self.more_button.setVisible(has_more)

    def _n_that_fit(self, width: int) -> int:
        needed = [0]
        for i, block in enumerate(self._blocks):
            for j, button in enumerate(block):
                gap = _GROUP_GAP + 2 * _GAP if i and not j else _GAP
                needed.append(needed[-1] + button.sizeHint().width() + gap)
        if needed[-1] <= width and not grouped(self._others()):
            return len(needed) - 1
        room = width - self.more_button.sizeHint().width() - _GROUP_GAP - 2 * _GAP
        return max(0, sum(end <= room for end in needed[1:]))

    def _others(self) -> list[QAction]:
        return [one for one in self._actions if one.objectName() not in self.buttons]

    def _fill_menu(self) -> None:
        """Show the tools that don't fit, then the other actions in their groups."""
        clear(self.more_menu)
        hidden = [button for button in self.buttons.values() if button.isHidden()]
        self.more_menu.addActions([button.defaultAction() for button in hidden])
        add_groups(self.more_menu, self._others())

    def _follow_setting(self, name: str, value: object) -> None:
        if name == _KEYS_SETTING:
            for button in (*self.buttons.values(), self.more_button):
                button.show_key(bool(value))

    def _add_block(self, tools: Sequence[QAction]) -> None:
        self._add_gap()
        self._blocks.append([ActionButton(action) for action in tools])
        for action, button in zip(tools, self._blocks[-1], strict=True):
            self._row.addWidget(button, 0, Qt.AlignmentFlag.AlignTop)
            self.buttons[action.objectName()] = button

    def _add_gap(self) -> None:
        gap = QSpacerItem(_GROUP_GAP, 0)
        self._gaps.append(gap)
        self._row.addSpacerItem(gap)
