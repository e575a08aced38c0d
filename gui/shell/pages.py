"""All pages but Home, in one language, and the window that compares moves for them."""

from collections import deque
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from engine.platform.language import tr
from gui.comparison.window import ComparisonWindow
from gui.pages.door import PageSpec
from gui.pages.page import Page
from gui.pages.services import Services, do_all
from gui.shell.main_window import MainWindow
from gui.shell.page_list import PAGES

if TYPE_CHECKING:
    from coach.explanations.source import EstimateChances


class Pages:
    """The pages in the current language; another language gets new ones.

    They are created step by step, so that no key press waits for all; they are added once all
    exist. Their requests are for the creator.
    """

    def __init__(self, services: Services, window: MainWindow) -> None:
        self._services, self._window = services, window
        self._pages: list[Page] = []
        steps = [partial(self._make, spec) for spec in PAGES]
        self._to_make = deque[Callable[[], None]]([*steps, self._make_comparison, self._add_all])

    def __iter__(self) -> Iterator[Page]:
        return iter(self._pages)

    def __getitem__(self, title: str) -> Page:
        return next(page for page in self if page.title == title)

    @property
    def n_to_make(self) -> int:
        """The number of steps left to create all pages."""
        return len(self._to_make)

    def make_next(self) -> None:
        """Do one step, if any is left: as much as a key press may wait for."""
        if self._to_make:
            self._to_make.popleft()()

    def make_all(self) -> None:
        while self._to_make:
            self.make_next()

    def _make(self, spec: PageSpec) -> None:
        self._pages.append(spec.make(self._services, self._window.keys))

    def _make_comparison(self) -> None:
        services = self._services
        settings, window = services.settings, self._window
        self.comparison = ComparisonWindow(
            services.open_table, services.lookups, _make_search, settings, window
        )
        self.comparison.refused.connect(self._show_refusal)
        services.library.removed.connect(self.comparison.close_table)

    def _add_all(self) -> None:
        for page in self:
            self._window.add_page(page)
            self._services.library.removed.connect(page.close_table)
        for action in self.comparison.actions():
            self._window.keys.add("comparison", tr("Compare"), action)  # no text

    def _show_refusal(self, text: str) -> None:
        """Show why moves are not compared, on the page in front if it can ask for that."""
        page = self._window.page
        if page and hasattr(page, "compare_requested"):
            page.banners.show_message("info", text, key="comparison")

    def set_sheet(self, sheet: str) -> None:
        """Apply a style sheet outside the window, which handles its own pages."""
        self.comparison.setStyleSheet(sheet)

    def show_tables(self) -> None:
        for page in self:
            page.set_tables(self._services.library.tables)

    def save(self) -> None:
        do_all(*(page.save for page in self))

    def stop_soon(self) -> None:
        do_all(*(page.stop_soon for page in self))

    def close(self) -> None:
        do_all(*(page.close_page for page in self))

    def retire(self) -> "Callable[[Pages], None]":
        """Close, and return a function that moves the new pages to the same place.

        A drawing or palette that is not saved stays open there, and deletions can be undone.
        """
        states = {page.title: page.state() for page in self}
        self.close()
        self.comparison.close()
        self.comparison.setParent(self._pages[0])  # and goes with the pages

        def restore(pages: Pages) -> None:
            for page in pages:
                page.restore(states[page.title])

        return restore


def _make_search() -> "EstimateChances":
    from ai.chances.chance_search import ChanceSearch

    return ChanceSearch().look
