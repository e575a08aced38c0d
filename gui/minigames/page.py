"""Minigames: choose a variant in the gallery, play it."""

import time
from collections.abc import Callable
from datetime import date, datetime
from functools import partial
from pathlib import Path
from secrets import randbits

from PySide6.QtCore import QTimer
from PySide6.QtGui import QAction, QHideEvent
from PySide6.QtWidgets import QStackedWidget

from ai.choice import SpawnChooser, make_adversary
from coach.days import day_of
from engine.platform.errors import AppError
from engine.platform.language import mark, tr
from gui.minigames.card import CardState
from gui.minigames.gallery import Gallery
from gui.minigames.session import MinigameSession
from gui.minigames.view import MinigameView
from gui.pages.page import Answers, Page, way
from gui.settings_model.settings import Settings
from gui.style.layout import column, laid_out, placed
from gui.text.messages import sentence
from gui.widgets.banner import BannerStack
from gui.widgets.page_title import PageTitle
from gui.work.tasks import TaskRunner
from minigames.records import MinigameRecord, daily_result
from minigames.registry import GAMES
from minigames.run import MinigameRun, daily_game
from minigames.store import load_slot, save_replay, slot_bytes, slot_path, write_slot

_SAVE_MS = 500  # delay after a move, so that several are written at once
_MARGIN = 24
_WITH_ADVERSARY = "tricky_tiles"
_LOADING = mark("Loading the AI\N{HORIZONTAL ELLIPSIS}")


def local_now() -> datetime:
    return datetime.now().astimezone()


Cards = tuple[dict[str, CardState], list[str]]


def read_cards(folder: Path | None, hard: bool, now: Callable[[], datetime], today: date) -> Cards:
    cards, problems = {}, []
    for name in GAMES:
        if folder is None:
            cards[name] = CardState()
        else:
            slot = load_slot(folder, name, hard, now)
            cards[name] = card_of(slot.record, slot.run, today)
            problems += [slot.problem] if slot.problem else []
    return cards, problems


def card_of(record: MinigameRecord, run: MinigameRun | None, today: date) -> CardState:
    goes_on = run is not None and run.state.n_moves > 0 and not run.state.over
    result = daily_result(record, run, today)
    is_done = result is not None and result.is_over
    return CardState(record, goes_on, run.state.score if run and goes_on else 0, is_done)


class MinigamesPage(Page):
    """The gallery, and the board of a variant behind it.

    Without a folder nothing is stored. `files` runs the reading and writing, `thoughts` the
    adversary.
    """

    title = mark("Minigames")
    icon = "minigames"

    def __init__(
        self,
        folder: Path | None,
        files: TaskRunner,
        thoughts: TaskRunner,
        settings: Settings,
        random_bits: Callable[[], int] = lambda: randbits(64),
        now: Callable[[], datetime] = local_now,
        clock: Callable[[], float] = time.monotonic,
        load_adversary: Callable[[], SpawnChooser] = make_adversary,
    ) -> None:
        super().__init__()
        self._folder, self._files, self._thoughts = folder, files, thoughts
        self._settings, self._random_bits = settings, random_bits
        self._now, self._clock = now, clock
        self._load_adversary = load_adversary
        self._adversary: SpawnChooser | None = None
        self._opening = ""  # the variant being opened
        self._ways: list[QAction] = []
        self.gallery = Gallery()
        self.view = MinigameView(folder, thoughts, settings, self)
        self.banners = BannerStack()
        self.front = laid_out(
            column(
                PageTitle(tr(self.title)),
                self.banners,
                placed(self.gallery, stretch=1),
                space=12,
                margins=(_MARGIN, 16, _MARGIN, 0),
            )
        )
        self.stack = QStackedWidget()
        self.stack.addWidget(self.front)
        self.stack.addWidget(self.view)
        column(self.stack, parent=self)
        self._timer = QTimer(self, singleShot=True, interval=_SAVE_MS)
        self._timer.timeout.connect(self._save)
        self.gallery.set_hard(bool(settings.state.get("minigames.hard")))
        self.gallery.chosen.connect(self._choose)
        self.gallery.mode_changed.connect(self._change_mode)
        self.gallery.daily_requested.connect(self.open_daily)
        self.view.left.connect(self.show_gallery)
        self.view.changed.connect(self._save_soon)
        self.setFocusProxy(self.gallery)

    def actions(self) -> list[QAction]:
        return list(self.view.actions_by_name.values())

    def found_actions(self) -> list[QAction]:
        if not self._ways:
            for name, game in GAMES.items():
                go, also = partial(self.open_game, name), game.english_title
                self._ways.append(way(name, game.title, go, self.icon, also))
        return self._ways

    def answers(self) -> Answers:
        return {"daily_requested": self.in_front(self.open_daily)}

    def page_shown(self) -> None:
        self.gallery.show_day(self._today())
        if self.stack.currentWidget() is self.front:
            self._read()
            # Later: the window gives the focus to the page itself first.
            QTimer.singleShot(0, self, self._focus_card)

    def show_gallery(self) -> None:
        self._opening = ""
        self.stack.setCurrentWidget(self.front)  # hides the board, which saves
        self.setFocusProxy(self.gallery)
        self._focus_card()
        self._save()
        self._read()

    def open_game(self, name: str, *, daily: bool = False) -> None:
        hard, folder = self.gallery.is_hard, self._folder
        self._save()
        self._opening = name
        if self._is_in_front(name, hard):  # the file may lack its last moves
            self._begin_daily(daily)
            return
        needs = name == _WITH_ADVERSARY
        if needs and self._adversary is None:  # once, and that takes seconds
            self.banners.show_message("info", tr(_LOADING), key="loading")

        def load() -> MinigameSession:
            if needs and self._adversary is None:
                self._adversary = self._load_adversary()
            return MinigameSession(
                folder,
                name,
                hard,
                self._random_bits,
                self._now,
                self._today,
                self._clock,
                self._adversary if needs else None,
            )

        def show(session: MinigameSession) -> None:
            self.banners.remove("loading")
            if self._opening != name:
                return
            self._save()  # what was played meanwhile
            self.view.show_session(session, self._adversary if needs else None)
            self._begin_daily(daily)
            self.setFocusProxy(self.view)
            self.stack.setCurrentWidget(self.view)
            self.view.board.setFocus()
            self._save_soon()

        # Pending writes must finish before reading: files share one thread.
        def think(_: None) -> None:
            self._thoughts.run(load, show, self._failed)

        if needs:
            self._files.run(lambda: None, think)
        else:
            self._files.run(load, show, self._failed)

    def _is_in_front(self, name: str, hard: bool) -> bool:
        session = self.view.session
        is_same = session and (session.spec.name, session.slot.hard) == (name, hard)
        return bool(is_same) and self.stack.currentWidget() is self.view

    def _begin_daily(self, begins: bool) -> None:
        session = self.view.session
        if begins and session and session.run.day != session.today().isoformat():
            self.view.begin("daily")

    def _choose(self, name: str) -> None:
        """Open a variant; a fresh run of the daily game is the one of the day."""
        state = self.gallery.state_of(name)
        is_daily = name == daily_game(self._today())
        self.open_game(name, daily=is_daily and not (state.has_run or state.daily_done))

    def open_daily(self) -> None:
        """Show the daily run, after a confirmation if another one is in play."""
        self.open_game(daily_game(self._today()), daily=True)

    def _today(self) -> date:
        now = self._now()
        return day_of(now, self._settings.get("day.begins"), now.tzinfo)

    def save(self) -> None:
        """Write pending changes and wait for it; raise WriteError."""
        self._timer.stop()
        if work := self._unsaved():
            work()

    def close_page(self) -> None:
        self.view.pause()
        self.save()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self._save()

    def _focus_card(self) -> None:
        if self.stack.currentWidget() is self.front:
            session = self.view.session
            self.gallery.focus_card(session.spec.name if session else None)

    def _change_mode(self, hard: bool) -> None:
        self._settings.state.set("minigames.hard", hard)
        self._read()

    def _read(self) -> None:
        hard, today = self.gallery.is_hard, self._today()
        self._files.run_latest(
            "minigames.cards",
            lambda: read_cards(self._folder, hard, self._now, today),
            self._show_cards,
            self._failed,
        )

    def _show_cards(self, read: Cards) -> None:
        cards, problems = read
        self.gallery.show_records(cards)
        for text in problems:
            self.banners.show_message("warning", text)

    def _save_soon(self) -> None:
        if not self._timer.isActive():
            self._timer.start()

    def _save(self) -> None:
        self._timer.stop()
        if work := self._unsaved():

            def saved(_: None) -> None:
                for banners in (self.banners, self.view.banners):
                    banners.remove("files")

            self._files.run(work, saved, self._failed)

    def _unsaved(self) -> Callable[[], None] | None:
        session, folder, now = self.view.session, self._folder, self._now
        if session is None or folder is None:
            return None
        slot, finished = session.take_unsaved()
        if slot is None and not finished:
            return None
        path = slot_path(folder, session.slot.game, session.slot.hard)
        data = slot_bytes(slot) if slot else b""

        def write() -> None:
            try:
                for replay in finished:
                    save_replay(folder, replay, now)
                if data:
                    write_slot(path, data)
            except AppError:
                session.put_back(finished)
                raise

        return write

    def _failed(self, error: BaseException) -> None:
        self.banners.remove("loading")
        is_front = self.stack.currentWidget() is self.front
        banners = self.banners if is_front else self.view.banners
        banners.show_message("bad", sentence(str(error)), key="files")
