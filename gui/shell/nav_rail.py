"""The navigation rail: icons with names, or only icons if space is tight."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QPalette, QResizeEvent
from PySide6.QtWidgets import QButtonGroup, QLabel, QSizePolicy, QToolButton, QWidget

from engine.platform.language import tr
from gui.style.icons import icon
from gui.style.layout import STRETCH, column
from gui.widgets.key_tips import add_key_tip

WIDE, NARROW = 168, 56
_MOST = 99  # in a badge
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
        """Show a number, or none for 0."""
        self.badge.setText(f"{count}" if count <= _MOST else f"{_MOST}+")
        self.badge.setVisible(count > 0)
        self._place()

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Keep the number at the right: beside the name, or at the corner of the icon."""
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
    """One button for each page."""

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName(tr("Pages"))
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._group.idClicked.connect(self.chosen)
        self.buttons: list[RailButton] = []
        self._column = column(STRETCH, space=4, margins=(8, 12, 8, 12), parent=self)
        self._n_above = 0  # buttons before the stretch
        self.is_narrow = True
        self.set_narrow(False)

    def add_page(self, name: str, icon_name: str, go: QAction, *, at_bottom: bool = False) -> None:
        """Append a button for the page that `go` leads to; `at_bottom`: about the program.

        `name` is the title of the page in English.
        """
        button, title = RailButton(), tr(name)
        button.setObjectName(name)
        button.setText(f"  {title}")  # the gap to the icon
        button.setIcon(icon(icon_name, _PALE, _STRONG))
        button.setAutoRaise(True)  # so that the icon gets mouse events
        button.setIconSize(QSize(22, 22))
        button.setCheckable(True)
        button.setToolTip(title)
        add_key_tip(button, go)
        button.setAccessibleName(title)
        button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        button.setToolButtonStyle(self._style())
        index = len(self.buttons)
        self._group.addButton(button, index)
        self.buttons.append(button)
        if at_bottom:
            self._column.addWidget(button)
        else:
            self._column.insertWidget(self._n_above, button)
            self._n_above += 1

    def choose(self, index: int) -> None:
        """Mark the current page."""
        self.buttons[index].setChecked(True)

    def set_badge(self, meaning: str, name: str, count: int) -> None:
        """Show a badge on the button of a page; 0 removes it.

        Parameters
        ----------
        meaning : str
            What it counts, for the tooltip and for screen readers; in English, marked.
        name : str
            The title of the page in English; does nothing if there is no such page.
        """
        for button in self.buttons:
            if button.objectName() == name:
                title = button.accessibleName()
                button.show_badge(count)
                said = tr("{n:,} {meaning}", n=count, meaning=tr(meaning)) if count else ""
                button.setToolTip(tr("{page}: {said}", page=title, said=said) if said else title)
                button.setAccessibleDescription(said)

    def set_narrow(self, is_narrow: bool) -> None:
        """Hide or show the names."""
        if is_narrow == self.is_narrow:
            return
        self.is_narrow = is_narrow
        self.setFixedWidth(NARROW if is_narrow else WIDE)
        for button in self.buttons:
            button.setToolButtonStyle(self._style())

    def _style(self) -> Qt.ToolButtonStyle:
        style = Qt.ToolButtonStyle
        return style.ToolButtonIconOnly if self.is_narrow else style.ToolButtonTextBesideIcon
