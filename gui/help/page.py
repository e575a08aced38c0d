"""Help: contents and search at the left, a page of the help beside them."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QResizeEvent
from PySide6.QtWidgets import (
    QFrame,
    QSizePolicy,
    QStackedWidget,
    QToolButton,
    QTreeWidget,
    QTreeWidgetItem,
)

from engine.platform import language
from engine.platform.language import LANGUAGES, mark, tr
from gui.help.blocks import Blocks, HeadingBlock, Spans, TableBlock, TextSpan
from gui.help.browser import HelpBrowser
from gui.help.contents import CHAPTERS, ENGLISH, PAGES, Chapter
from gui.help.help_pages import HelpPages, HelpPlace, headings, load_help_pages
from gui.help.results import HelpResults, SearchEdit
from gui.help.search import search, terms_of
from gui.keys.key_bindings import KeyBindings, add_key_tip, give_keys, native
from gui.keys.shortcuts import KeyTable
from gui.pages.page import Answers, ScrolledPage, way
from gui.settings_model.settings import Settings
from gui.style.icons import icon
from gui.style.layout import NO_LIMIT, column, laid_out, placed, row
from gui.widgets.buttons import button
from gui.widgets.labels import label
from gui.work.tasks import TaskRunner

STATE = "help.place"
_NARROW_BELOW = 760
_SIDE = 264
_MAX_VISITS = 200
_PLACE = Qt.ItemDataRole.UserRole


@dataclass
class _Visit:
    """A visited place, and its scroll position."""

    place: HelpPlace
    y: int | None = None


class HelpPage(ScrolledPage):
    """Loads the help when first shown, and resumes at the last place."""

    title = mark("Help")
    icon = "help"
    tour_requested = Signal()
    back_requested = Signal(str)
    read = Signal()

    def __init__(self, settings: Settings, tasks: TaskRunner, keys: KeyBindings) -> None:
        super().__init__()
        self._settings, self._tasks, self._keys = settings, tasks, keys
        self._pages: HelpPages | None = None
        self._is_stale = True
        self._load_page: Callable[[str], HelpPages] | None = None  # until all are loaded
        self.place = HelpPlace.from_text(settings.state.get(STATE))
        self._visits: list[_Visit] = []
        self._at = -1
        self._ways: list[QAction] = []  # to all topics
        self._asker = ""
        self._is_narrow = self._is_previewing = False
        self.browser = HelpBrowser()
        self.tree, self.results = ContentsTree(), HelpResults()
        self.search_edit = SearchEdit()
        self.nothing_label = label(tr("Nothing found."), "caption")
        self.contents_button, self.back_button, self.forward_button = (
            QToolButton() for _ in range(3)
        )
        self.asker_button = button("", "quiet", picture="back", work=self._return)
        self._lay_out()
        self._make_actions()
        self._connect()
        self._arrange()
        self.setFocusProxy(self.browser)

    def found_actions(self) -> list[QAction]:
        code = language.in_force()
        if not self._ways:
            for page in PAGES:
                title, *sections = headings(code, page)
                for i, text in enumerate([title, *(f"{title}: {section}" for section in sections)]):
                    place = HelpPlace(page, i)
                    go = partial(self._open_line, place)
                    self._ways.append(way(str(place), text, go, "help"))
        return self._ways

    def answers(self) -> Answers:
        return {"help_requested": self.then_in_front(self.show_topic)}

    def page_shown(self) -> None:
        self._read()

    def show_topic(self, page: str) -> None:
        """Show the help on a page, by its title in English, and offer to return to it."""
        name = page.lower()
        if page == self.title or name not in PAGES:
            return
        self._asker = page
        self.search_edit.clear()
        self._show_asker()
        self._show_contents(False)
        self.go_to(HelpPlace(name))

    def go_to(self, place: HelpPlace) -> None:
        self._note_scroll()
        self._have(place.page)
        place = self._pages.nearest(place) if self._pages else place
        del self._visits[self._at + 1 :]
        if not self._visits or self._visits[-1].place != place:
            self._visits = [*self._visits[-_MAX_VISITS:], _Visit(place)]
        self._at = len(self._visits) - 1
        self._show(place)

    def _lay_out(self) -> None:
        self.side = QStackedWidget()
        self.side.addWidget(self.tree)
        self.results_box = laid_out(column(self.nothing_label, placed(self.results, stretch=1)))
        self.side.addWidget(self.results_box)
        self.text_card = QFrame()
        self.text_card.setProperty("card", True)
        self.text_card.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        column(self.browser, margins=2, parent=self.text_card)
        self.body.addLayout(row(self.side, placed(self.text_card, stretch=1), space=16), 1)
        for part in (self.contents_button, self.back_button, self.forward_button):
            part.setProperty("quiet", True)
            self.header.insertWidget(self.header.count() - 1, part)
        self.header.addWidget(self.asker_button)
        self.header.addWidget(self.search_edit, 1)

    def _make_actions(self) -> None:
        def add(name: str, icon_name: str, text: str, meaning: str = "") -> QAction:
            action = self.add_action(QAction(icon(icon_name), text, self), name)
            give_keys(action, meaning)
            return action

        # The usual browser keys for going back; in Practice they navigate moves.
        self.back_action = add("back", "back", tr("Back"), "why_left")
        self.forward_action = add("forward", "forward", tr("Forward"), "why_right")
        self.search_action = add("search", "search", tr("Search the help"), "search")
        self.next_action = add("next_hit", "arrow_down", tr("Next hit in the text"), "next_hit")
        self.previous_action = add(
            "previous_hit", "arrow_up", tr("Previous hit in the text"), "previous_hit"
        )
        self.contents_action = add("contents", "contents", tr("Contents"), "tab_1")
        self.asker_action = add("return", "back", tr("Return to the page before the help"), "stop")
        self.tour_action = add("tour", "play", tr("Show the tour"))
        self.back_button.setDefaultAction(self.back_action)
        self.forward_button.setDefaultAction(self.forward_action)
        self.contents_button.setDefaultAction(self.contents_action)
        add_key_tip(self.search_edit, self.search_action)
        add_key_tip(self.asker_button, self.asker_action)

    def _connect(self) -> None:
        self.back_action.triggered.connect(lambda: self._step(-1))
        self.forward_action.triggered.connect(lambda: self._step(1))
        self.search_action.triggered.connect(self._begin_search)
        self.next_action.triggered.connect(lambda: self.browser.step_hit(1))
        self.previous_action.triggered.connect(lambda: self.browser.step_hit(-1))
        self.contents_action.triggered.connect(self._toggle_contents)
        self.asker_action.triggered.connect(self._return)
        self.tour_action.triggered.connect(self.tour_requested)
        self.search_edit.textChanged.connect(lambda _: self._search())
        self.search_edit.stepped.connect(self.results.step)
        self.search_edit.entered.connect(self.results.choose_current)
        self.search_edit.left.connect(lambda: self.browser.setFocus())
        self.results.chosen.connect(self._open_result)
        self.results.reached.connect(self._preview)
        self.tree.place_chosen.connect(self._open_line)
        self.browser.link_clicked.connect(self._follow)
        self.browser.section_reached.connect(self._note_section)
        self.browser.hits_found.connect(self._enable_hits)
        self._keys.changed.connect(self._on_keys_changed)

    def _read(self) -> None:
        if not self._is_stale:
            return
        self._is_stale = False
        code = language.in_force()
        code = code if code in LANGUAGES else ENGLISH
        inserts: Mapping[str, Blocks] = {"keys": key_blocks(self._keys.table, native)}
        if self._pages is None:  # the page in front at once, the others when there is time
            self._load_page = lambda page: load_help_pages(code, inserts, pages=[page])
            self._have(self.place.page)
            if self._at < 0:
                self.go_to(self.place)
            else:
                self._show(self.place)
        self._tasks.run_latest("help.read", lambda: load_help_pages(code, inserts), self._take)

    def _have(self, page: str) -> None:
        """Load a page now, while the others are still being loaded."""
        is_missing = self._pages is None or page not in self._pages.articles
        if is_missing and self._load_page:
            pages = self._load_page(page)
            self._pages = pages if pages.articles else self._pages

    def _take(self, pages: HelpPages) -> None:
        before, self._pages, self._load_page = self._pages, pages, None
        self.tree.show_pages(pages)
        self.tree.show_place(self.place)
        name = self.place.page
        if before is None:
            self._show(self.place)
        elif before.articles.get(name) != pages.articles.get(name):
            self._show(self.place, self.browser.scrolled)
        if self.search_edit.text():
            self._search()
        self.read.emit()

    def _on_keys_changed(self) -> None:
        self._is_stale = True
        if self.isVisible():
            self._read()

    def _show(self, place: HelpPlace, y: int | None = None) -> None:
        if self._pages is None or not self._pages.articles:
            self.place = place
            return
        self._have(place.page)
        self.place = place = self._pages.nearest(place)
        article = self._pages.articles[place.page]
        self.browser.show_article(article, self._pages.language, place.section)
        if y is not None:
            self.browser.scroll(y, place.section)
        self._note_place(place)

    def _note_place(self, place: HelpPlace) -> None:
        self.place = place
        self._settings.state.set(STATE, str(place))
        self.tree.show_place(place)
        self.back_action.setEnabled(self._at > 0)
        self.forward_action.setEnabled(self._at < len(self._visits) - 1)
        self._enable_hits()

    def _note_section(self, section: int) -> None:
        self._note_place(HelpPlace(self.place.page, section))

    def _note_scroll(self) -> None:
        if 0 <= self._at < len(self._visits) and self._pages:
            self._visits[self._at] = _Visit(self.place, self.browser.scrolled)

    def _step(self, step: int) -> None:
        if not 0 <= self._at + step < len(self._visits):
            return
        self._note_scroll()
        self._at += step
        visit = self._visits[self._at]
        self._show(visit.place, visit.y)

    def _follow(self, link: str) -> None:
        if self._pages and (place := self._pages.target(link, self.place.page)):
            self.go_to(place)

    def _open_line(self, place: HelpPlace) -> None:
        self._show_contents(False)
        self.go_to(place)
        self.browser.setFocus()

    def _return(self) -> None:
        if asker := self._asker:
            self._asker = ""
            self._show_asker()
            self.back_requested.emit(asker)

    def _show_asker(self) -> None:
        self.asker_button.setText(tr("Back to {page}", page=tr(self._asker)) if self._asker else "")
        self.asker_button.setVisible(bool(self._asker))
        self.asker_action.setEnabled(bool(self._asker))

    def _begin_search(self) -> None:
        self.search_edit.setFocus()
        self.search_edit.selectAll()

    def _search(self) -> None:
        query = self.search_edit.text()
        if self._pages is None:
            return
        hits = search(self._pages, query)
        self.results.show_hits(hits)
        self.nothing_label.setVisible(not hits)
        is_asked = bool(query.strip())
        self._is_previewing &= is_asked
        self.side.setCurrentWidget(self.results_box if is_asked else self.tree)
        if not is_asked:
            self.browser.forget_hits()
        self._show_contents(is_asked and self._is_narrow)
        self._enable_hits()

    def _preview(self, place: HelpPlace) -> None:
        """Show a result; all of a search are one visit."""
        if not self._is_previewing:
            self._is_previewing = True
            self.go_to(place)
        elif place.page == self.place.page:
            self.browser.go_to(place.section)
            self._note_place(place)
        else:
            self._show(place)
        self.browser.show_hits(terms_of(self.search_edit.text()))

    def _open_result(self, place: HelpPlace) -> None:
        self._show_contents(False)
        if place != self.place:
            self._preview(place)
        self._is_previewing = False
        self.browser.setFocus()

    def _enable_hits(self) -> None:
        for action in (self.next_action, self.previous_action):
            action.setEnabled(bool(self.browser.hits))

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        is_narrow = event.size().width() < _NARROW_BELOW
        if is_narrow != self._is_narrow:
            self._is_narrow = is_narrow
            self._arrange()

    def _toggle_contents(self) -> None:
        if self._is_narrow:
            self._show_contents(self.side.isHidden())
        if not self.side.isHidden():
            (self.tree if self.side.currentIndex() == 0 else self.results).setFocus()

    def _show_contents(self, is_shown: bool) -> None:
        """Show either the contents or the text if there is no room for both."""
        if self._is_narrow:
            self.side.setVisible(is_shown)
            self.text_card.setVisible(not is_shown)

    def _arrange(self) -> None:
        self.contents_button.setVisible(self._is_narrow)
        self.side.setVisible(not self._is_narrow)
        self.text_card.setVisible(True)
        self.side.setMaximumWidth(NO_LIMIT if self._is_narrow else _SIDE)
        self.side.setMinimumWidth(0 if self._is_narrow else _SIDE)
        self._show_asker()


class ContentsTree(QTreeWidget):
    """Chapters, their pages, and below a door the pages of its tabs."""

    place_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._items: dict[str, QTreeWidgetItem] = {}  # by page
        self._doors: list[QTreeWidgetItem] = []  # with tabs
        self.setHeaderHidden(True)
        self.setAccessibleName(tr("Contents"))
        self.setIndentation(14)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.itemClicked.connect(self._choose)
        self.itemActivated.connect(self._choose)

    def show_pages(self, pages: HelpPages) -> None:
        self.clear()
        self._items, self._doors = {}, []
        for chapter in CHAPTERS:
            top = self._add(self.invisibleRootItem(), tr(chapter.title))
            font = self.font()
            font.setBold(True)
            top.setFont(0, font)
            self._add_parts(pages, chapter, top)
            top.setExpanded(True)
            top.setHidden(not top.childCount())

    def _add_parts(self, pages: HelpPages, chapter: Chapter, top: QTreeWidgetItem) -> None:
        for part in chapter.parts:
            if isinstance(part, Chapter):
                self._doors.append(self._add(top, tr(part.title)))
                self._add_parts(pages, part, self._doors[-1])
            elif part in pages.articles:
                title = pages.articles[part].title
                # The page that is called as its door stands for it.
                item = top if title == top.text(0) else self._add(top, title)
                self._items[part] = item
                item.setData(0, _PLACE, part)
                item.setFlags(item.flags() | Qt.ItemFlag.ItemIsSelectable)

    @staticmethod
    def _add(above: QTreeWidgetItem, text: str) -> QTreeWidgetItem:
        item = QTreeWidgetItem(above, [text])
        item.setFlags(Qt.ItemFlag.ItemIsEnabled)
        item.setToolTip(0, text)
        return item

    def show_place(self, place: HelpPlace) -> None:
        item = self._items.get(place.page)
        if item is None or item is self.currentItem():
            return
        for door in self._doors:
            door.setExpanded(item in (door, *map(door.child, range(door.childCount()))))
        self.setCurrentItem(item)
        self.scrollToItem(item)

    @property
    def place(self) -> HelpPlace | None:
        item = self.currentItem()
        return HelpPlace(item.data(0, _PLACE)) if item else None

    def _choose(self, item: QTreeWidgetItem) -> None:
        if page := item.data(0, _PLACE):
            self.place_chosen.emit(HelpPlace(page))
        else:
            item.setExpanded(not item.isExpanded())


def key_blocks(table: KeyTable, native: Callable[[str], str]) -> Blocks:
    """Return a heading and a table for each page; actions without keys are left out."""
    rows: dict[str, list[tuple[Spans, ...]]] = {}
    titles: dict[str, str] = {}
    for shortcut in table.shortcuts.values():
        titles.setdefault(shortcut.page, shortcut.title)
        page = rows.setdefault(shortcut.page, [])
        if keys := table.keys(shortcut.id):
            names = tuple(dict.fromkeys(map(native, keys)))
            page.append(((TextSpan(shortcut.text),), _keys(names)))
    head = ((TextSpan(tr("Action")),), (TextSpan(tr("Keys")),))
    blocks: list[HeadingBlock | TableBlock] = []
    for name, lines in rows.items():
        blocks.append(HeadingBlock(3, (TextSpan(titles[name]),)))
        if lines:
            blocks.append(TableBlock(head, tuple(lines), ("left", "left")))
    return tuple(blocks)


def _keys(keys: tuple[str, ...]) -> Spans:
    spans = []
    for key in keys:
        spans += [TextSpan(key, is_code=True), TextSpan("  ")]
    return tuple(spans[:-1])
