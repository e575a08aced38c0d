"""The tour's three steps: a first table, three moves with it, and what comes next."""

from functools import partial
from typing import Any

from PySide6.QtGui import QAction, QKeySequence

from engine.platform.language import tr
from gui.help.tour import Tour, TourStep
from gui.home.page import HomePage
from gui.pages.services import Services
from gui.shell.main_window import MainWindow
from gui.text.numbers import format_table

_N_MOVES = 3
_PLAY = 1  # the step


class FirstTour(Tour):
    """Builds a table while it talks, unless there is one."""

    def __init__(
        self, services: Services, window: MainWindow, home: HomePage, practice: Any
    ) -> None:
        self._library, self._builds = services.library, services.builds
        self._shell, self._home, self._practice = window, home, practice
        self._n_moves, self._is_waiting = 0, False  # for the table
        show_home = partial(window.show_page, home)
        steps = (
            TourStep(show_home, self._table_text, (home.build_card, home.hero)),
            TourStep(self._play, self._moves_text, (practice.panel.cross, home.build_card)),
            TourStep(show_home, self._home_text, (home.hero.button,)),
        )
        super().__init__(window.stack, steps, services.themes.sheet)
        self._library.changed.connect(self._on_tables_changed)
        self._builds.changed.connect(self.refresh)
        practice.moved.connect(self._count_move)

    @property
    def is_done(self) -> bool:
        return self.at != _PLAY or self._n_moves >= _N_MOVES

    def _play(self) -> None:
        self._is_waiting = not self._library.usable
        self._shell.show_page(self._home if self._is_waiting else self._practice)
        if not self._is_waiting:
            self._home.practice_action.trigger()

    def _on_tables_changed(self) -> None:
        if self.at == _PLAY and self._is_waiting and self._library.usable:
            self._play()
            self.card.setFocus()
        self.refresh()

    def _count_move(self) -> None:
        if self.at == _PLAY:
            self._n_moves += 1
            self.refresh()
            if self._n_moves == _N_MOVES:
                self.card.setFocus()  # Enter goes on

    def _table_text(self) -> tuple[str, str]:
        if tables := self._library.usable:
            name = format_table(tables[0].pattern, tables[0].target)
            return tr("Your table {table} is ready", table=name), tr(
                "It knows your chance of success after every move. Next, play on it."
            )
        if self._builds.requests:
            return tr("Your first table is on its way"), tr(
                "A table knows your chance of success after every move. This small one takes "
                "about a minute to build."
            )
        return tr("The table isn't built yet"), tr(
            "You can build it from this page at any time. Until then, look around."
        )

    def _moves_text(self) -> tuple[str, str]:
        if not self._library.usable:
            if self._builds.requests:
                return tr("Your table is almost ready"), tr("It opens here by itself.")
            return tr("Practice needs a table"), tr("Build one on Home or on the Tables page.")
        if self._n_moves >= _N_MOVES:
            return tr("That's all there is to it"), tr(
                "Keep playing as long as you like. Undo takes a move back, Why explains it."
            )
        title = tr("Play three moves"), tr("Two moves to go"), tr("One move to go")
        return title[self._n_moves], tr(
            "Use the arrow keys. Each figure is your chance of reaching the goal after that move. "
            "The star marks the best one; a dashed one breaks the formation."
        )

    def _home_text(self) -> tuple[str, str]:
        find, help_ = map(_key, (self._shell.find_action, self._shell.help_action))
        text = tr("This button starts what helps most: a test, or the moves you got wrong.")
        if find and help_:
            keys = tr("{help} explains any page, {find} finds any command.", help=help_, find=find)
            text = f"{text}\n\n{keys}"
        return tr("Home knows what's next"), text


def _key(action: QAction) -> str:
    return action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
