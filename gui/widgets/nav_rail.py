"""The pages, at the side: icons with names, or icons alone where room is scarce."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QButtonGroup, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from gui.icons import icon
from gui.widgets.key_tips import tell_keys

WIDE, NARROW = 168, 56


class NavRail(QWidget):
    """One button for each page.

    Signals
    -------
    chosen : int
        The index of a page.
    """

    chosen = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("rail")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.setAccessibleName("Pages")
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self._group.idClicked.connect(self.chosen)
        self.buttons: list[QToolButton] = []
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(8, 12, 8, 12)
        self._column.setSpacing(4)
        self._column.addStretch()
        self._n_above = 0  # buttons before the stretch
        self.is_narrow = True
        self.set_narrow(False)

    def add_page(self, title: str, icon_name: str, go: QAction, *, at_bottom: bool = False) -> None:
        """Append a button for the page that `go` leads to; `at_bottom`: about the program."""
        button = QToolButton()
        button.setText(f"  {title}")  # the gap to the icon
        button.setIcon(icon(icon_name))
        button.setIconSize(QSize(22, 22))
        button.setCheckable(True)
        button.setToolTip(title)
        tell_keys(button, go)
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
        """Mark a page as the one in front."""
        self.buttons[index].setChecked(True)

    def set_narrow(self, is_narrow: bool) -> None:
        """Leave out the names, or show them."""
        if is_narrow == self.is_narrow:
            return
        self.is_narrow = is_narrow
        self.setFixedWidth(NARROW if is_narrow else WIDE)
        for button in self.buttons:
            button.setToolButtonStyle(self._style())

    def _style(self) -> Qt.ToolButtonStyle:
        style = Qt.ToolButtonStyle
        return style.ToolButtonIconOnly if self.is_narrow else style.ToolButtonTextBesideIcon
