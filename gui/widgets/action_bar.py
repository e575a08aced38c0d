"""The tools under a board: icon over name. The other actions are in the menu "More", in groups.

The order of the tools is their rank: where they don't fit, the last ones go into the menu first.
"""

from collections.abc import Sequence
from itertools import accumulate

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QAction, QFontMetrics, QIcon, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QMenu,
    QSizePolicy,
    QStyle,
    QStyleOptionToolButton,
    QToolButton,
    QWidget,
)

from engine.platform.language import tr
from gui.keys.key_bindings import keys_of, names_of_keys
from gui.settings_model.settings import Settings
from gui.style.icons import icon
from gui.style.layout import NO_LIMIT, STRETCH, placed, row
from gui.style.theme import CAPTION, resized
from gui.widgets.buttons import attach_menu
from gui.widgets.grouped_menu import add_groups, clear, grouped

_MIN_WIDTH, _ICON_PX = 44, 20
_MARGIN, _GAP = 6, 6
_MAX_TOOLS = 7
_KEYS_SETTING = "keys_under_tools"  # no text


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
        return keys[0].replace("Shift+", "\N{UPWARDS WHITE ARROW}")

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
    """The first tools, the most important first, and "More" for all other actions."""

    def __init__(self, tools: Sequence[QAction], actions: Sequence[QAction] = ()) -> None:
        super().__init__()
        self.buttons = {tool.objectName(): ActionButton(tool) for tool in tools[:_MAX_TOOLS]}
        self._others = [one for one in actions if one.objectName() not in self.buttons]
        self.more_menu = QMenu(self)
        self.more_menu.aboutToShow.connect(self._fill_menu)
        self.more_button = ActionButton(QAction(icon("more"), tr("More"), self))
        attach_menu(self.more_button, self.more_menu)
        all_ = (*self.buttons.values(), self.more_button)
        top = Qt.AlignmentFlag.AlignTop
        row(STRETCH, *(placed(one, align=top) for one in all_), STRETCH, space=_GAP, parent=self)
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
        ends = list(accumulate(one.sizeHint().width() + _GAP for one in self.buttons.values()))
        has_more = bool(grouped(self._others)) or bool(ends and ends[-1] > width)
        room = width - self.more_button.sizeHint().width() if has_more else width
        for button, end in zip(self.buttons.values(), ends, strict=True):
            button.setVisible(end <= room)
        self.more_button.setVisible(has_more)

    def _fill_menu(self) -> None:
        """Show the tools that don't fit, then the other actions in their groups."""
        clear(self.more_menu)
        hidden = [button for button in self.buttons.values() if button.isHidden()]
        self.more_menu.addActions([button.defaultAction() for button in hidden])
        add_groups(self.more_menu, self._others)

    def _follow_setting(self, name: str, value: object) -> None:
        if name == _KEYS_SETTING:
            for button in (*self.buttons.values(), self.more_button):
                button.show_key(bool(value))
