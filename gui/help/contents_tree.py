"""The contents of the help: chapters, pages, sections."""

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QTreeWidget, QTreeWidgetItem, QWidget

from engine.platform.language import tr
from gui.help.book import Book, Place
from gui.help.contents import CHAPTERS

_PLACE = Qt.ItemDataRole.UserRole
_DEEPEST = 2  # the level of the headings that are listed


class ContentsTree(QTreeWidget):
    """Expanded chapters, with pages that expand to their sections.

    Signals
    -------
    place_chosen : Place (as object)
        The user selected this line.
    """

    place_chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._items: dict[Place, QTreeWidgetItem] = {}
        self.setHeaderHidden(True)
        self.setAccessibleName(tr("Contents"))
        self.setIndentation(14)
        self.setUniformRowHeights(False)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setTextElideMode(Qt.TextElideMode.ElideRight)
        self.itemClicked.connect(self._choose)
        self.itemActivated.connect(self._choose)

    def show_book(self, book: Book) -> None:
        """List the existing pages."""
        self.clear()
        self._items = {}
        for chapter in CHAPTERS:
            names = [name for name in chapter.pages if name in book.articles]
            if not names:
                continue
            top = QTreeWidgetItem([tr(chapter.title)])
            font = self.font()
            font.setBold(True)
            top.setFont(0, font)
            top.setFlags(Qt.ItemFlag.ItemIsEnabled)
            self.addTopLevelItem(top)
            for name in names:
                self._add_page(book, name, top)
            top.setExpanded(True)

    def _add_page(self, book: Book, name: str, top: QTreeWidgetItem) -> None:
        page = self._item(book.articles[name].title, Place(name), top)
        for i, section in enumerate(book.articles[name].sections):
            if i and section.level <= _DEEPEST:
                self._item(section.title, Place(name, i), page)

    def _item(self, text: str, place: Place, above: QTreeWidgetItem) -> QTreeWidgetItem:
        item = QTreeWidgetItem(above, [text])
        item.setData(0, _PLACE, str(place))
        item.setToolTip(0, text)
        self._items[place] = item
        return item

    def show_place(self, place: Place) -> None:
        """Select the line of a place, or of the section that contains it."""
        while place.section and place not in self._items:
            place = Place(place.page, place.section - 1)
        item = self._items.get(place)
        if item is None or item is self.currentItem():
            return
        page = self._items[Place(place.page)]
        for place_of, other in self._items.items():
            if not place_of.section and other is not page:
                other.setExpanded(False)
        page.setExpanded(True)
        self.setCurrentItem(item)
        self.scrollToItem(item)

    @property
    def place(self) -> Place | None:
        """The place of the selected line."""
        item = self.currentItem()
        text = item.data(0, _PLACE) if item else None
        return Place.from_text(text) if text else None

    def _choose(self, item: QTreeWidgetItem) -> None:
        if text := item.data(0, _PLACE):
            self.place_chosen.emit(Place.from_text(text))
        else:
            item.setExpanded(not item.isExpanded())
