"""The doors of the window and their pages, before and after these exist."""

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtGui import QAction

from engine.platform.language import tr
from gui.pages.door import DoorSpec, PageSpec
from gui.pages.page import Page
from gui.settings_model.state import State
from gui.widgets.page_title import DoorTabs, PageTitle

_TABS = "window.tabs"  # no text: in the state


@dataclass
class Entry:
    """A page of the window: what is known of it, what leads to it, and itself once it exists."""

    spec: PageSpec
    door: "Door"
    go: QAction
    page: Page | None = None
    heading: PageTitle | None = None  # on the page
    tabs: DoorTabs | None = None  # there, if its door has several pages

    def add(self, page: Page) -> None:
        """Take the page, and show the tabs of its door on it, if that has several pages."""
        self.page, self.heading = page, page.findChild(PageTitle)
        entries = self.door.entries
        if len(entries) > 1 and self.heading:
            names = [entry.tab for entry in entries]
            self.tabs = DoorTabs(tr(self.door.spec.title), names, entries.index(self))
            self.heading.show_tabs(self.tabs)

    @property
    def title(self) -> str:
        return tr(self.spec.title)

    @property
    def tab(self) -> str:
        """Its displayed name beside the other pages of its door."""
        return tr(self.spec.tab or self.spec.title)

    @property
    def place(self) -> str:
        """Its displayed name everywhere else: with the door, if that has several pages."""
        door = tr(self.door.spec.title)
        if len(self.door.spec.pages) == 1:
            return door
        return tr("{door}: {page}", door=door, page=self.tab)


@dataclass
class Door:
    """A door, what leads to the page that it opens on, and its pages."""

    spec: DoorSpec
    go: QAction
    entries: Sequence[Entry] = ()
    has_badge: bool = False


class Doors:
    """All doors, in their order, and which page each opens on: the last one that was in front."""

    def __init__(self, state: State) -> None:
        self._state = state
        self.all: list[Door] = []

    @property
    def entries(self) -> list[Entry]:
        return [entry for door in self.all for entry in door.entries]

    @property
    def pages(self) -> list[Page]:
        return [entry.page for entry in self.entries if entry.page]

    def named(self, title: str) -> Entry | None:
        """Return the page that has, or had in an earlier version, that title in English."""
        return next((entry for entry in self.entries if entry.spec.is_named(title)), None)

    def of(self, page: Page | None) -> Entry | None:
        return next((entry for entry in self.entries if entry.page is page), None) if page else None

    def front(self, index: int) -> Entry:
        """Return the page that a door opens on."""
        door = self.all[index]
        last = self._state.get(_TABS).get(door.spec.title)
        return next((entry for entry in door.entries if entry.spec.title == last), door.entries[0])

    def note_front(self, entry: Entry) -> int:
        """Remember that a page is in front, and return the number of its door."""
        if len(entry.door.entries) > 1:
            tabs = self._state.get(_TABS)
            self._state.set(_TABS, {**tabs, entry.door.spec.title: entry.spec.title})
        return self.all.index(entry.door)

    def set_compact(self, is_compact: bool) -> None:
        """Show the tabs of all pages as menus that take less room, or side by side."""
        for entry in self.entries:
            if entry.heading:
                entry.heading.set_compact(is_compact)
