"""The gallery: a card for each minigame, and the trophies of the mode."""

from collections.abc import Mapping
from datetime import date

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QButtonGroup, QWidget

from engine.platform.language import tr, trc
from gui.minigames.card import Card, CardLayout, CardState, CoverImages
from gui.minigames.medals import TrophyTotal
from gui.style.icons import icon
from gui.style.layout import STRETCH, column, placed, row
from gui.widgets.board_layout import scroll_area
from gui.widgets.buttons import button
from gui.widgets.flow_layout import FlowLayout, flowing
from minigames.parameters import GameSpec
from minigames.registry import GAMES
from minigames.run import daily_game

_PAD, _SPACE = 12, 16


class Gallery(QWidget):
    """All games as cards, in normal or hard mode.

    The arrows move between cards, Home and End go to the first and the last one, a letter to the
    next game that begins with it. Tab reaches the last visited card.
    """

    chosen = Signal(str)
    mode_changed = Signal(bool)
    daily_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._day_game = ""
        self._states: dict[str, CardState] = {}
        self._layout = CardLayout(self.font())
        self.covers = CoverImages(self)
        self.totals = [TrophyTotal(level) for level in (1, 2, 3, 4)]
        self.daily_button = button("", "chip", picture="calendar", work=self.daily_requested)
        self.daily_button.hide()
        self._make_modes()
        content, grid = QWidget(), QWidget()
        self._flow = FlowLayout(grid, space=_SPACE, column_width=self._layout.least_width)
        column(grid, STRETCH, margins=(0, 0, 0, _SPACE), parent=content)
        self.cards = {name: self._make_card(spec) for name, spec in GAMES.items()}
        self._current = next(iter(self.cards.values()))
        self.scroller = scroll_area(content)
        self._lay_out()
        self._mark_current(self._current)
        self.covers.drawn.connect(lambda name: self.cards[name].update())

    @property
    def is_hard(self) -> bool:
        return self.hard_button.isChecked()

    def set_hard(self, hard: bool) -> None:
        """Choose a mode as if clicked, but without the signal."""
        (self.hard_button if hard else self.normal_button).setChecked(True)
        self._was_hard = hard

    def show_records(self, states: Mapping[str, CardState]) -> None:
        self._states = dict(states)
        self._show_states()
        trophies = [self.state_of(name).record.trophy for name in GAMES]
        for level, total in enumerate(self.totals, 1):
            total.show_count(sum(trophy >= level for trophy in trophies))

    def show_day(self, day: date) -> None:
        self._day_game = daily_game(day)
        self._show_states()
        self.daily_button.show()

    def focus_card(self, game: str | None = None) -> None:
        """Focus the card of a game, or the last focused one."""
        (self.cards[game] if game else self._current).setFocus(Qt.FocusReason.OtherFocusReason)

    def _make_modes(self) -> None:
        self._modes = QButtonGroup(self)
        tip = tr("Scores and trophies of normal mode")
        self.normal_button = button(trc("mode", "Normal"), "chip", tip=tip)
        tip = tr("Harder rules, with scores and trophies of their own")
        self.hard_button = button(trc("mode", "Hard"), "chip", tip=tip)
        for choice in (self.normal_button, self.hard_button):
            choice.setCheckable(True)
            self._modes.addButton(choice)
        self.normal_button.setChecked(True)
        self._modes.buttonClicked.connect(self._on_mode)
        self._was_hard = False

    def _on_mode(self) -> None:
        if self.is_hard != self._was_hard:
            self._was_hard = self.is_hard
            self.mode_changed.emit(self.is_hard)

    def _make_card(self, spec: GameSpec) -> Card:
        card = Card(spec, self.covers, self._layout, self._walk)
        card.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        card.clicked.connect(lambda: self.chosen.emit(spec.name))
        card.entered.connect(lambda: self._mark_current(card))
        self._flow.addWidget(card)
        return card

    def _lay_out(self) -> None:
        modes = QWidget(accessibleName=tr("Mode"))
        row(self.normal_button, self.hard_button, space=6, parent=modes)
        header = flowing(modes, self.daily_button, *self.totals, space=_PAD)
        column(header, placed(self.scroller, stretch=1), space=_PAD, parent=self)

    def state_of(self, game: str) -> CardState:
        return self._states.get(game, CardState())

    def _show_states(self) -> None:
        for name, card in self.cards.items():
            card.show_state(self.state_of(name), name == self._day_game)
        if self._day_game:
            is_done = self.state_of(self._day_game).daily_done
            daily = tr("Daily: {game}", game=GAMES[self._day_game].title)
            self.daily_button.setText(f" {daily}")
            self.daily_button.setIcon(icon("check" if is_done else "calendar"))
            said = tr("Done today") if is_done else tr("The same game for everybody, today only")
            self.daily_button.setToolTip(said)
            self.daily_button.setAccessibleDescription(said)

    def _mark_current(self, card: Card) -> None:
        self._current.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._current = card
        card.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.scroller.ensureWidgetVisible(card, 0, _SPACE)

    def _walk(self, event: QKeyEvent, goes: bool) -> bool:
        if event.modifiers() & ~(
            Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
        ):
            return False
        cards = list(self.cards.values())
        place = cards.index(self._current)
        step = self._step(event.key(), place, cards)
        if step is None:
            letter = event.text()[:1].casefold()
            later = [*range(place + 1, len(cards)), *range(place + 1)]
            if not letter.isalpha():
                return False
            step = next((i for i in later if letter in _first_letters(cards[i].spec)), None)
            if step is None:
                return False
        if goes:
            cards[step].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def _step(self, key: int, place: int, cards: list[Card]) -> int | None:
        """Return the card that an arrow, Home or End leads to; None for other keys."""
        last = len(cards) - 1
        columns = max(1, sum(card.y() == cards[0].y() for card in cards))
        if key == Qt.Key.Key_Up:
            return place - columns if place >= columns else place
        if key == Qt.Key.Key_Down:
            has_below = place // columns < last // columns
            return min(place + columns, last) if has_below else place
        steps = {
            Qt.Key.Key_Left: max(0, place - 1),
            Qt.Key.Key_Right: min(last, place + 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        return steps.get(Qt.Key(key))


def _first_letters(spec: GameSpec) -> set[str]:
    """Return the letters that lead to a game; in English, too, as keyboards have no others."""
    return {spec.title.casefold()[0], spec.english_title.casefold()[0]}
