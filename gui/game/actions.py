"""The actions of the Game page: what they do, and when they apply."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtGui import QGuiApplication

from engine.platform.language import tr
from gui.game.files import NEW, OLD, RECORDING, Form
from gui.game.session import GameSession
from gui.play.page_actions import PageAction, move_actions
from gui.widgets.banner import Remedy
from gui.widgets.file_dialogs import open_folder

if TYPE_CHECKING:
    from gui.game.page import GamePage

_SAVED, UNSAVED = "export", "unsaved"  # keys of banners


class GameActions:
    """What one can do on the page."""

    def __init__(self, page: "GamePage") -> None:
        self._page, self._auto = page, page.auto

    def _has_game(self) -> bool:
        return self._page.session is not None

    def _can_play(self) -> bool:
        return self._page.live_position() is not None

    def _can_undo(self) -> bool:
        session = self._page.session
        return self._auto.is_running or (session is not None and session.game.can_undo)

    def _can_redo(self) -> bool:
        session = self._page.session
        return session is not None and session.game.can_redo and not self._auto.is_running

    def _has_moves(self) -> bool:
        return self._page.session is not None and self._page.session.game.n_moves > 0

    def _can_step(self) -> bool:
        return self._can_play() and not self._page.is_asking

    def _can_ask(self) -> bool:
        return self._can_play() and not self._auto.is_running

    def declared(self) -> list[PageAction]:
        page, has_game, can_play = self._page, self._has_game, self._can_play
        undo, redo = partial(page.walk, GameSession.undo), partial(page.walk, GameSession.redo)
        return [
            PageAction("undo", tr("Undo"), undo, self._can_undo, "undo", 0, repeats=True),
            PageAction("redo", tr("Redo"), redo, self._can_redo, "redo", 0, repeats=True),
            PageAction(
                "new_game", tr("New game"), page.ask_new_game, has_game, "refresh", 0, "new"
            ),
            PageAction(
                "step",
                tr("Play one AI move"),
                self._step,
                self._can_step,
                "best",
                1,
                "best",
                repeats=True,
            ),
            PageAction(
                "auto",
                tr("Start AI"),
                self._toggle,
                can_play,
                "play",
                1,
                "run",
                stop_text=tr("Stop AI"),
            ),
            PageAction("hint", tr("Show the AI's move"), self._hint, self._can_ask, "hint", 1),
            PageAction("go_to", tr("Go to a position"), page.panel.hex_field.take_keys, has_game),
            PageAction("copy", tr("Copy the position"), self._copy, has_game, "copy", 2),
            PageAction("paste", tr("Paste a position"), page.pasting.paste, has_game, "paste"),
            PageAction(
                "export",
                tr("Export for 2048verse"),
                partial(self._export, OLD),
                has_game,
                "save",
                2,
                "save",
            ),
            PageAction(
                "export_new",
                tr("Export for 2048verse (new format)"),
                partial(self._export, NEW),
                has_game,
                key="save_other",
            ),
            PageAction("review", tr("Review this game"), self.review, self._has_moves, "review", 2),
            PageAction(
                "situation",
                tr("Play this position ten times"),
                self._play_situation,
                can_play,
                "situations",
                2,
            ),
            *move_actions(page.press, can_play),
        ]

    def _step(self) -> None:
        if self._auto.is_running:
            self._auto.stop()
        else:
            self._auto.step()

    def _toggle(self) -> None:
        if self._auto.is_running:
            self._auto.stop()
        else:
            self._auto.start()

    def _hint(self) -> None:
        if self._page.board_view.hint is not None:
            self._page.board_view.show_hint(None)
        else:
            self._auto.advise()

    def _copy(self) -> None:
        if session := self._page.session:
            QGuiApplication.clipboard().setText(session.game.text)
            self._page.remark.show_message(tr("Position copied."))

    def _export(self, form: Form) -> None:
        if session := self._page.session:
            self._page.files.export(session.game, form)

    def show_exported(self, path: Path) -> None:
        page = self._page
        remedies: list[Remedy] = [
            (tr("Show in folder"), lambda: open_folder(path)),
            (tr("Review"), lambda: page.review_requested.emit(path)),
            (tr("Analyze"), lambda: page.game_analysis_requested.emit(path)),
        ]
        text = tr("Game saved as {name}.", name=path.name)
        if path.suffix == RECORDING[1]:
            text = tr(
                "Game saved as {name}, which Review opens. 2048verse takes only games that begin "
                "with two new tiles.",
                name=path.name,
            )
        page.banners.remove(UNSAVED)
        page.banners.show_message("good", text, remedies, _SAVED)

    def show_not_saved(self, text: str) -> None:
        self._page.banners.remove(_SAVED)
        self._page.banners.show_message("bad", text, key=UNSAVED)

    def review(self) -> None:
        self._auto.stop()
        if (session := self._page.session) and session.game.can_undo:
            self._page.files.review(session.game)

    def _play_situation(self) -> None:
        self._auto.stop()
        if cells := self._page.live_position():
            self._page.situation_requested.emit(cells, None)
