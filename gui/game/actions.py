"""The actions of the Game page: what they do, and when they apply."""

from collections.abc import Callable
from datetime import datetime
from functools import partial
from pathlib import Path

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication

from engine.platform.language import tr
from gui.board.pasting import Pasting
from gui.game.files import NEW, OLD, RECORDING, Form, why_not_saved, write_first
from gui.game.game_panel import GamePanel, RemarkLabel
from gui.game.session import GameSession
from gui.play.auto_player import AutoPlayer
from gui.play.board_page import BoardPage
from gui.play.page_actions import PageAction, move_actions
from gui.widgets.banner import Remedy
from gui.widgets.file_dialogs import open_folder
from gui.widgets.notice import KEEP

_SAVED, UNSAVED = "export", "unsaved"  # keys of banners


class GameActions(BoardPage):
    """A page with a game: what one can do there.

    Signals
    -------
    situation_requested : tuple of 16 int, None (as objects)
        Make this position a situation.
    review_requested, game_analysis_requested : Path (as object)
        Show the game that is in this file in Review, or analyze it.
    """

    situation_requested = Signal(object, object)
    review_requested = Signal(object)
    game_analysis_requested = Signal(object)
    session: GameSession | None = None
    auto: AutoPlayer
    panel: GamePanel
    pasting: Pasting
    remark: RemarkLabel

    def walk(self, step: Callable[[GameSession], bool]) -> None:
        raise NotImplementedError

    def ask_new_game(self) -> None:
        raise NotImplementedError

    def live_position(self) -> tuple[int, ...] | None:
        session = self.session
        return None if session is None or session.is_over else session.game.cells

    @property
    def is_asking(self) -> bool:
        return self.panel.has_notice and self.panel.notice.offers(KEEP)

    def _has_game(self) -> bool:
        return self.session is not None

    def _can_play(self) -> bool:
        return self.live_position() is not None

    def _can_undo(self) -> bool:
        session = self.session
        return self.auto.is_running or (session is not None and session.game.can_undo)

    def _can_redo(self) -> bool:
        session = self.session
        return session is not None and session.game.can_redo and not self.auto.is_running

    def _has_moves(self) -> bool:
        return self.session is not None and self.session.game.n_moves > 0

    def _can_step(self) -> bool:
        return self._can_play() and not self.is_asking

    def _can_ask(self) -> bool:
        return self._can_play() and not self.auto.is_running

    def _declared(self) -> list[PageAction]:
        has_game, can_play = self._has_game, self._can_play
        undo, redo = partial(self.walk, GameSession.undo), partial(self.walk, GameSession.redo)
        return [
            PageAction("undo", tr("Undo"), undo, self._can_undo, "undo", 0, repeats=True),
            PageAction("redo", tr("Redo"), redo, self._can_redo, "redo", 0, repeats=True),
            PageAction(
                "new_game", tr("New game"), self.ask_new_game, has_game, "refresh", 0, "new"
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
            PageAction("go_to", tr("Go to a position"), self.panel.hex_field.take_keys, has_game),
            PageAction("copy", tr("Copy the position"), self._copy, has_game, "copy", 2),
            PageAction("paste", tr("Paste a position"), self.pasting.paste, has_game, "paste"),
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
            PageAction(
                "review", tr("Review this game"), self._review, self._has_moves, "review", 2
            ),
            PageAction(
                "situation",
                tr("Play this position ten times"),
                self._play_situation,
                can_play,
                "situations",
                2,
            ),
            *move_actions(self.press, can_play),
        ]

    def _step(self) -> None:
        if self.auto.is_running:
            self.auto.stop()
        else:
            self.auto.step()

    def _toggle(self) -> None:
        if self.auto.is_running:
            self.auto.stop()
        else:
            self.auto.start()

    def _hint(self) -> None:
        if self.board_view.hint is not None:
            self.board_view.show_hint(None)
        else:
            self.auto.advise()

    def _copy(self) -> None:
        if session := self.session:
            QGuiApplication.clipboard().setText(session.game.text)
            self.remark.show_message(tr("Position copied."))

    def _export(self, form: Form) -> None:
        """Write the game so far for 2048verse, or as a recording if its start doesn't fit."""
        if session := self.session:
            name = f"{session.game.score}_{datetime.now():%Y%m%d_%H%M%S}"  # no text
            self._write(self._services.folder / "replays" / name, form, self._show_exported)

    def _write(self, path: Path, form: Form, done: Callable[[Path], None]) -> None:
        if session := self.session:
            game = session.game.snapshot()
            forms = [(write, Path(f"{path}{suffix}")) for write, suffix in (form, RECORDING)]
            self._services.files.run(lambda: write_first(game, forms), done, self._show_not_saved)

    def _show_exported(self, path: Path) -> None:
        remedies: list[Remedy] = [
            (tr("Show in folder"), lambda: open_folder(path)),
            (tr("Review"), lambda: self.review_requested.emit(path)),
            (tr("Analyze"), lambda: self.game_analysis_requested.emit(path)),
        ]
        text = tr("Game saved as {name}.", name=path.name)
        if path.suffix == RECORDING[1]:
            text = tr(
                "Game saved as {name}, which Review opens. 2048verse takes only games that begin "
                "with two new tiles.",
                name=path.name,
            )
        self.banners.remove(UNSAVED)
        self.banners.show_message("good", text, remedies, _SAVED)

    def _show_not_saved(self, error: BaseException) -> None:
        self.banners.remove(_SAVED)
        text = why_not_saved(error, self._services.folder / "replays")
        self.banners.show_message("bad", text, key=UNSAVED)

    def _review(self) -> None:
        self.auto.stop()
        if (session := self.session) and session.game.can_undo:
            # With times if its start allows that format.
            self._write(self._services.folder / "game" / "game", NEW, self.review_requested.emit)

    def _play_situation(self) -> None:
        self.auto.stop()
        if cells := self.live_position():
            self.situation_requested.emit(cells, None)
