"""The filter fields above a list."""

from collections.abc import Sequence

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QComboBox, QWidget

from gui.style.layout import column
from gui.widgets.clearable_edit import SearchField
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import label, set_property, show_text


class ListFilter(QWidget):
    """Menus and a field for a position in a row, or in more where there is no room.

    The first choice of a menu lets all through.
    """

    changed = Signal()

    def __init__(self, fields: Sequence[QComboBox | SearchField]) -> None:
        super().__init__()
        self.combos = tuple(field for field in fields if isinstance(field, QComboBox))
        (self.search_edit,) = (field for field in fields if isinstance(field, SearchField))
        self.error_label = label("", wraps=True)
        set_property(self.error_label, "tone", "bad")
        self.error_label.hide()
        row = QWidget()
        flow = FlowLayout(row, space=8)
        for field in fields:
            flow.addWidget(field)
        column(row, self.error_label, space=4, parent=self)
        self.search_edit.searched.connect(self.changed)
        for combo in self.combos:
            combo.activated.connect(lambda _: self.changed.emit())

    @property
    def is_narrow(self) -> bool:
        return self.search_edit.is_narrow or any(combo.currentIndex() > 0 for combo in self.combos)

    def reset(self) -> None:
        self.search_edit.reset()
        for combo in self.combos:
            combo.setCurrentIndex(0)
        self.changed.emit()

    def show_error(self, text: str) -> None:
        show_text(self.error_label, text)
        self.search_edit.show_wrong(bool(text))
