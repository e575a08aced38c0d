"""The choices in the panel: stored, restored, and kept in sync with Settings."""

from PySide6.QtGui import QAction

from gui.practice.demo import Demo
from gui.practice.game import PracticeGame
from gui.practice.memory import PracticeMemory
from gui.practice.practice_panel import PracticePanel
from gui.practice.why_view import WhyView
from gui.settings_model.settings import Settings


class PanelChoices:
    """Applies the choices in the panel, and remembers them.

    Parameters
    ----------
    panel, game, demo, why : the parts of the page
    memory : PracticeMemory
    guess : QAction
        Checked while the rates are hidden.
    settings : Settings
    """

    def __init__(
        self,
        panel: PracticePanel,
        game: PracticeGame,
        demo: Demo,
        why: WhyView,
        memory: PracticeMemory,
        guess: QAction,
        settings: Settings,
    ) -> None:
        self._panel, self._game, self._demo, self._why = panel, game, demo, why
        self._memory, self._guess_action = memory, guess
        panel.asks_toggled.connect(self._ask_before_breaking)
        panel.guess_toggled.connect(self._guess)
        panel.speed_changed.connect(self._set_speed)
        panel.tab_chosen.connect(self._show_tab)
        settings.changed.connect(self._follow_setting)

    def recall(self) -> None:
        """Restore the last choices."""
        memory, panel = self._memory, self._panel
        panel.show_speed(memory.speed)
        self._demo.set_speed(memory.speed)
        self._game.set_spawn_mode(memory.spawn_mode)
        panel.show_spawn_mode(memory.spawn_mode)
        panel.guess_box.setChecked(memory.is_guessing)
        self._guess(memory.is_guessing)
        panel.asks_box.setChecked(memory.asks_before_breaking)
        panel.show_tab(memory.tab)

    def _ask_before_breaking(self, asks: bool) -> None:
        self._memory.asks_before_breaking = asks

    def _guess(self, hidden: bool) -> None:
        self._memory.is_guessing = hidden
        self._guess_action.setChecked(hidden)
        self._panel.cross.hide_figures(hidden)

    def _set_speed(self, moves_per_second: int) -> None:
        self._memory.speed = moves_per_second

    def _show_tab(self, tab: str) -> None:
        self._memory.tab = tab
        if tab != "why":
            self._why.end()  # the board is that of the rates again
        self._why.follow()

    def _follow_setting(self, name: str, _value: object = None) -> None:
        if name == "practice.asks_before_breaking":
            self._panel.asks_box.setChecked(self._memory.asks_before_breaking)
        elif name == "practice.speed":
            self._demo.set_speed(self._memory.speed)
            self._panel.show_speed(self._memory.speed)
