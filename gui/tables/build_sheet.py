"""The sheet over the page in which one chooses a table to build."""

from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QWidget

from engine.platform.language import tr
from gui.style.layout import STRETCH, column, laid_out, row
from gui.tables.build_panel import BuildPanel
from gui.widgets.board_layout import scroll_area
from gui.widgets.buttons import tool_button
from gui.widgets.labels import label, line
from gui.widgets.overlay import Overlay

_WIDTH, _TOP, _MARGIN = 660, 12, 20


class BuildSheet(Overlay):
    """The form, which scrolls where room is scarce, between a heading and the button."""

    def __init__(self, page: QWidget, over: QWidget, form: BuildPanel) -> None:
        super().__init__(page, over, _WIDTH, _TOP)
        self.form = form
        self.close_button = tool_button("close", tr("Close"), work=self.close_overlay)
        heading = label(tr("Build a table"), "title")
        head = row(heading, STRETCH, self.close_button, margins=(_MARGIN, 8, _MARGIN - 8, 4))
        self._head = laid_out(head)
        body = laid_out(column(form, STRETCH, margins=(_MARGIN, 4, _MARGIN, 16)))
        self.area = scroll_area(body)
        self._parts = (body, form.footer)
        self.column.setContentsMargins(1, 1, 1, 1)
        self.column.setSpacing(0)
        for part in (self._head, self.area, line(), form.footer):
            self.column.addWidget(part)
            part.installEventFilter(self)
        body.installEventFilter(self)

    def open(self) -> None:
        super().open()
        self.area.verticalScrollBar().setValue(0)
        self.form.category_combo.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        if event.type() == QEvent.Type.LayoutRequest and self.isVisible():
            self._fit()  # options were opened
        return super().eventFilter(watched, event)

    def _height(self, width: int) -> int:
        heights = [
            max(part.heightForWidth(width - 2), part.minimumSizeHint().height())
            for part in self._parts
        ]
        return self._head.sizeHint().height() + sum(heights) + 3
