"""The navigation rail: icons with names beside them, or below them if space is tight."""

from collections.abc import Mapping
from types import MappingProxyType

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QFontMetrics, QPalette, QResizeEvent
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QLabel,
    QScrollArea,
    QSizePolicy,
    QToolButton,
    QWidget,
)

from engine.platform.language import tr
from gui.keys.key_bindings import add_key_tip
from gui.style.icons import icon
from gui.style.layout import STRETCH, column, laid_out
from gui.style.theme import CAPTION, resized
from gui.widgets.labels import set_property
from gui.widgets.status_line import StatusLine

WIDE, NARROW, MAX_NARROW, BARE = 168, 70, 76, 56
_ICON_PX, _NAMED_PX = 22, 50  # of a button; the latter high, with the name below
_NAME_EDGE_PX = 5  # at both sides of a name below its icon
_EDGE, _ENDS, _SPACE = (8, 2), (12, 6), (4, 0)  # in a wide rail, and in a narrow one
_MAX_SHOWN = 99  # in a badge
# By where the names are.
_STYLES: Mapping[str, Qt.ToolButtonStyle] = MappingProxyType(
    {
        "beside": Qt.ToolButtonStyle.ToolButtonTextBesideIcon,
        "below": Qt.ToolButtonStyle.ToolButtonTextUnderIcon,
        "none": Qt.ToolButtonStyle.ToolButtonIconOnly,
    }
)
# The icons are as pale as the names beside them, except of the page in front.
_PALE, _STRONG = QPalette.ColorRole.PlaceholderText, QPalette.ColorRole.ButtonText


class RailButton(QToolButton):
    """The button of a page, optionally with a badge."""

    def __init__(self) -> None:
        super().__init__()
        self.badge = QLabel(self)
        self.badge.setObjectName("badge")
        self.badge.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.badge.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.badge.hide()

    def show_badge(self, count: int) -> None:
        self.badge.setText(f"{count}" if count <= _MAX_SHOWN else f"{_MAX_SHOWN}+")
        self.badge.setVisible(count > 0)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._place()

    def _place(self) -> None:
        size = self.badge.sizeHint()
        width, height = max(size.width(), size.height()), size.height()
        is_narrow = self.width() < WIDE // 2
        left = self.width() - width - (0 if is_narrow else 4)
        top = 0 if is_narrow else (self.height() - height) // 2
        self.badge.setGeometry(left, top, width, height)


class NavRail(QWidget):
    """One button for each door, and the status; they scroll where even icons don't fit."""

    chosen = Signal(int)

    def __init__(self, status: StatusLine) -> None:
        super().__init__()
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Pages"))
        self._group = QButtonGroup(self, exclusive=True)
        self._group.idClicked.connect(self.chosen)
        self.buttons: list[RailButton] = []
        self._titles: list[str] = []
        self._status = status
        self._column = column(STRETCH, status)
        self._area = QScrollArea(widgetResizable=True)
        self._area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._area.setFrameShape(QFrame.Shape.NoFrame)
        self._area.setWidget(laid_out(self._column))
        column(self._area, parent=self)
        self._n_above = 0  # buttons before the stretch
        self._names = ""
        self.is_narrow = True
        self.set_narrow(False)

    def add_door(self, name: str, icon_name: str, go: QAction, *, at_bottom: bool = False) -> None:
        """Append a button for the door that `go` leads to; `at_bottom`: about the program.

        `name` is the title of the door in English.
        """
        button, title = RailButton(), tr(name)
        button.setObjectName(name)
        button.setIcon(icon(icon_name, _PALE, _STRONG))
        button.setAutoRaise(True)  # so that the icon gets mouse events
        button.setIconSize(QSize(_ICON_PX, _ICON_PX))
        button.setCheckable(True)
        button.setToolTip(title)
        add_key_tip(button, go)
        button.setAccessibleName(title)
        button.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
        self._group.addButton(button, len(self.buttons))
        self.buttons.append(button)
        self._titles.append(title)
        self._show_name(button, title)
        if at_bottom:
            self._column.addWidget(button)
        else:
            self._column.insertWidget(self._n_above, button)
            self._n_above += 1

    def choose(self, index: int) -> None:
        self.buttons[index].setChecked(True)

    def set_badge(self, meaning: str, name: str, count: int) -> None:
        """Show a badge on the button of the door with that title in English; 0 removes it.

        `meaning` is what it counts, in English and marked.
        """
        for button in self.buttons:
            if button.objectName() == name:
                title = button.accessibleName()
                button.show_badge(count)
                said = tr("{n:,} {meaning}", n=count, meaning=tr(meaning)) if count else ""
                button.setToolTip(tr("{page}: {said}", page=title, said=said) if said else title)
                button.setAccessibleDescription(said)

    def set_narrow(self, is_narrow: bool) -> None:
        if is_narrow == self.is_narrow:
            return
        self.is_narrow = is_narrow
        self._status.set_compact(is_narrow)
        edge, end = _EDGE[is_narrow], _ENDS[is_narrow]
        self._column.setContentsMargins(edge, end, edge, end)
        self._column.setSpacing(_SPACE[is_narrow])
        self._arrange()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._arrange()
        self._area.resize(self.size())  # Qt has not followed a change of the width in here

    def _arrange(self) -> None:
        has_room = self.height() >= len(self.buttons) * _NAMED_PX + 2 * _ENDS[True]
        names = "beside" if not self.is_narrow else "below" if has_room else "none"
        self.setFixedWidth({"beside": WIDE, "below": self._named_width(), "none": BARE}[names])
        if names != self._names:
            self._names = names
            for button, title in zip(self.buttons, self._titles, strict=True):
                self._show_name(button, title)

    def _named_font(self) -> QFontMetrics:
        return QFontMetrics(resized(self.font(), CAPTION))

    def _named_width(self) -> int:
        """Return the width with names below the icons: fonts of some systems are wide."""
        names = map(self._named_font().horizontalAdvance, self._titles)
        return min(MAX_NARROW, max(NARROW, max(names, default=0) + 2 * _NAME_EDGE_PX))

    def _show_name(self, button: RailButton, title: str) -> None:
        if self._names == "beside":
            button.setText(f"  {title}")  # the gap to the icon
        else:
            end, room = Qt.TextElideMode.ElideRight, MAX_NARROW - 2 * _NAME_EDGE_PX
            button.setText(self._named_font().elidedText(title, end, room))
        button.setToolButtonStyle(_STYLES[self._names])
        set_property(button, "names", self._names)
