"""The fields above a list that say which of its rows to show."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QVBoxLayout, QWidget

from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import label, set_property
from gui.widgets.search_field import SearchField


class ListFilter(QWidget):
    """Menus and a field for a position in a row, or in more where there is no room.

    Parameters
    ----------
    fields : sequence of QWidget
        From left to right: the menus and the field. The first choice of a menu lets all through.

    Signals
    -------
    changed
        What is listed has to be asked for again.
    """

    changed = Signal()

    def __init__(self, fields: Sequence[QComboBox | SearchField]) -> None:
        super().__init__()
        self.combos = tuple(one for one in fields if isinstance(one, QComboBox))
        (self.search_edit,) = (one for one in fields if isinstance(one, SearchField))
        self.error_label = label("", wraps=True)
        set_property(self.error_label, "tone", "bad")
        self.error_label.hide()
        row = QWidget()
        flow = FlowLayout(row, space=8)
        for field in fields:
            flow.addWidget(field)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(4)
        column.addWidget(row)
        column.addWidget(self.error_label)
        self.search_edit.searched.connect(self.changed)
        for combo in self.combos:
            combo.activated.connect(lambda _: self.changed.emit())

    @property
    def is_narrow(self) -> bool:
        """Whether anything is left out of the list."""
        return self.search_edit.is_narrow or any(one.currentIndex() > 0 for one in self.combos)

    def reset(self) -> None:
        """Let everything through."""
        self.search_edit.reset()
        for combo in self.combos:
            combo.setCurrentIndex(0)
        self.changed.emit()

    def show_error(self, text: str) -> None:
        """Say below the fields what is wrong with the position; "" takes it away."""
        self.error_label.setText(text)
        self.error_label.setVisible(bool(text))
        self.search_edit.show_wrong(bool(text))
