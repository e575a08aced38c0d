"""The search field of the help, and the results: a line for each section, with an excerpt."""

from collections.abc import Sequence
from html import escape

from PySide6.QtCore import QEvent, QModelIndex, QPersistentModelIndex, QRect, QSize, Qt, Signal
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPalette, QTextDocument
from PySide6.QtWidgets import (
    QListWidget,
    QListWidgetItem,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QWidget,
)

from engine.platform.language import tr
from gui.help.search import Hit, Marks
from gui.widgets.clearable_edit import ClearableEdit

_HIT = Qt.ItemDataRole.UserRole
_HEIGHT, _MARGIN = 84, 8
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
_ENTER = (Qt.Key.Key_Return, Qt.Key.Key_Enter)
_Index = QModelIndex | QPersistentModelIndex


def marked_html(text: str, marks: Marks) -> str:
    """Return a text with the hits in bold.

    >>> marked_html("the rate <1", ((4, 8),))
    'the <b>rate</b> &lt;1'
    """
    parts, end = [], 0
    for start, stop in marks:
        parts.append(f"{escape(text[end:start])}<b>{escape(text[start:stop])}</b>")
        end = stop
    return "".join(parts) + escape(text[end:])


class _HitDelegate(QStyledItemDelegate):
    """Draws a result: the section, its page, the excerpt."""

    def sizeHint(self, _option: QStyleOptionViewItem, _index: _Index) -> QSize:  # noqa: N802
        return QSize(0, _HEIGHT)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        style_option = QStyleOptionViewItem(option)
        self.initStyleOption(style_option, index)
        style_option.text = ""
        view: QWidget = style_option.widget
        view.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, style_option, painter, view)
        hit, rect = index.data(_HIT), QRect(style_option.rect)
        if not isinstance(hit, Hit):
            return
        muted = view.palette().color(QPalette.ColorRole.PlaceholderText)
        document = QTextDocument(documentMargin=0, defaultFont=style_option.font)
        document.setHtml(_html(hit, view.palette().color(QPalette.ColorRole.Text), muted))
        rect.adjust(_MARGIN, _MARGIN - 2, -_MARGIN, -_MARGIN + 2)
        document.setTextWidth(rect.width())
        painter.save()
        painter.setClipRect(rect)
        painter.translate(rect.topLeft())
        document.drawContents(painter)
        painter.restore()


class HelpResults(QListWidget):
    """The sections found, best first."""

    chosen = Signal(object)
    reached = Signal(object)  # the place of the current result

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Results"))
        self.setItemDelegate(_HitDelegate(self))
        self.setUniformItemSizes(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setVerticalScrollMode(QListWidget.ScrollMode.ScrollPerPixel)
        self.itemClicked.connect(self._choose)
        self.itemActivated.connect(self._choose)
        self.currentItemChanged.connect(self._reach)

    def show_hits(self, hits: Sequence[Hit]) -> None:
        self.setCurrentRow(-1)  # or each item would be the current one before it goes
        self.clear()
        for hit in hits:
            item = QListWidgetItem(hit.title)
            item.setData(_HIT, hit)
            said = tr(
                "{section}, {page}: {text}", section=hit.title, page=hit.page, text=hit.excerpt
            )
            item.setData(Qt.ItemDataRole.AccessibleTextRole, said)
            self.addItem(item)
        self.setCurrentRow(0)

    @property
    def hits(self) -> list[Hit]:
        return [self.item(row).data(_HIT) for row in range(self.count())]

    def step(self, step: int) -> None:
        if self.count():
            self.setCurrentRow((self.currentRow() + step) % self.count())

    def choose_current(self) -> None:
        if item := self.currentItem():
            self._choose(item)

    def _reach(self, item: QListWidgetItem | None) -> None:
        if item:
            self.reached.emit(item.data(_HIT).place)

    def _choose(self, item: QListWidgetItem) -> None:
        self.chosen.emit(item.data(_HIT).place)


def _html(hit: Hit, text: QColor, muted: QColor) -> str:
    bold = f'<b style="color: {text.name()}">'
    page = "" if hit.page == hit.title else f" \N{MIDDLE DOT} {escape(hit.page)}"
    return (
        f'<div style="color: {text.name()}"><b>{escape(hit.title)}</b>'
        f'<span style="color: {muted.name()}; font-size: 12px">{page}</span></div>'
        f'<div style="color: {muted.name()}; font-size: 12px">'
        f"{marked_html(hit.excerpt, hit.marks).replace('<b>', bold)}</div>"
    )


class SearchEdit(ClearableEdit):
    """The field for words: arrows move through the results, Return opens one."""

    stepped = Signal(int)
    entered = Signal()
    left = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Search the help"))
        self.setMaximumWidth(280)
        self.setMinimumWidth(150)

    def event(self, event: QEvent) -> bool:
        """Keep the keys used here from their functions on the page."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            key = Qt.Key(event.key())
            if key in _STEPS or key in _ENTER or key == Qt.Key.Key_Escape:
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        key = Qt.Key(event.key())
        if key in _STEPS:
            self.stepped.emit(_STEPS[key])
        elif key in _ENTER:
            self.entered.emit()
        elif key == Qt.Key.Key_Escape and not self.text():
            self.left.emit()
        else:
            super().keyPressEvent(event)
