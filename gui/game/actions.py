"""The actions and choices on the Game page: what they do, and when they apply."""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtGui import QGuiApplication

from ai.choice import SpawnChooser
from engine.formats.replay import Replay, ReplayError, replay_of
from engine.formats.rpl import write_rpl
from engine.formats.verse2048 import write_new, write_old
from engine.game import Game
from engine.platform.files.atomic_file import write_file
from engine.platform.language import tr
from gui.board.pasting import Pasting
from gui.game.game_panel import GamePanel
from gui.game.session import GameSession
from gui.play.auto_player import AutoPlayer
from gui.play.board_page import BoardPage
from gui.play.page_actions import PageAction, move_actions, situation_action
from gui.settings_model.settings_of_games import SPEEDS
from gui.text.messages import sentence
from gui.widgets.banner import Remedy
from gui.widgets.file_dialogs import open_folder
from gui.widgets.notice import KEEP
from gui.work.garbage import without_collection

_SAVED, UNSAVED = "export", "unsaved"  # keys of banners


Write = Callable[[Replay], bytes | str]
Form = tuple[Write, str]
"""A function that writes a game, and the suffix of its files."""
OLD: Form = (write_old, ".txt")
NEW: Form = (write_new, ".vrs")
RECORDING: Form = (write_rpl, ".rpl")


def why_not_saved(error: BaseException, folder: Path) -> str:
    """Return a sentence: why a game could not be written."""
    if isinstance(error, OSError):
        reason, place = error.strerror or str(error), error.filename or folder
        return tr("Couldn't save the game to {place}: {reason}.", place=place, reason=reason)
    return tr("Couldn't save the game. {reason}", reason=sentence(str(error)))


def write_first(game: Game, forms: Sequence[tuple[Write, Path]]) -> Path:
    """Write a game in the first form that can hold it; return the file."""
    replay = replay_of(game)
    for at, (write, path) in enumerate(forms):
        try:
            content = write(replay)
        except ReplayError:
            if at + 1 == len(forms):
                raise
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        write_file(path, [content.encode("utf-8") if isinstance(content, str) else content])
        return path
    raise AssertionError("there is no form to try")


class GameActions(BoardPage):
    """A page with a game: what one can do there."""

    situation_requested = Signal(object, object)  # 16 exponents, None
    review_requested = Signal(object)  # the file of the game
    game_analysis_requested = Signal(object)  # the file of the game
    session: GameSession | None = None
    auto: AutoPlayer
    panel: GamePanel
    pasting: Pasting
    # Creates the adversary, which places tiles where they hurt; on first use, off the GUI thread.
    _load_adversary: Callable[[], SpawnChooser]
    _has_adversary = False

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
        save, save_new = partial(self._export, OLD), partial(self._export, NEW)
        action = PageAction
        return [
            action("undo", tr("Undo"), undo, self._can_undo, "undo", 0, repeats=True),
            action("redo", tr("Redo"), redo, self._can_redo, "redo", 0, repeats=True),
            action("new_game", tr("New game"), self.ask_new_game, has_game, "refresh", 0, "new"),
            action(
                *("step", tr("Play the best move"), self._step, self._can_step, "best", 1, "best"),
                repeats=True,
            ),
            action(
                *("auto", tr("Let the AI play"), self._toggle, can_play, "play", 1, "run"),
                stop_text=tr("Stop the AI"),
            ),
            action("hint", tr("Show the best move"), self._hint, self._can_ask, "hint", 1),
            action("review", tr("Review this game"), self._review, self._has_moves, "review", 2),
            action("copy", tr("Copy the position"), self._copy, has_game, "copy"),
            action("paste", tr("Paste a position"), self.pasting.paste, has_game, "paste"),
            action("go_to", tr("Go to a position"), self.panel.take_position, has_game),
            action("export", tr("Save for 2048verse"), save, has_game, "save", key="save"),
            action(
                *("export_new", tr("Save for 2048verse (new format)"), save_new, has_game),
                key="save_other",
            ),
            situation_action(self._play_situation, can_play, None),
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
            self.banners.show_message("good", tr("Position copied."), key=_SAVED)

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

    def _review_when_loaded(self) -> None:
        self._services.files.run(lambda: None, lambda _: self._review())

    def _play_situation(self) -> None:
        self.auto.stop()
        if cells := self.live_position():
            self.situation_requested.emit(cells, None)

    def _show_position(self) -> None:
        raise NotImplementedError

    def _show_built(self) -> None:
        raise NotImplementedError

    def _show_failure(self, error: BaseException) -> None:
        raise NotImplementedError

    def _make_choices(self) -> None:
        settings, panel, auto = self._settings, self.panel, self.auto
        auto.kind, auto.speed = settings.get("game.player"), settings.get("game.speed")
        panel.ai.show_ai(auto.kind)
        panel.show_speed(auto.speed)
        panel.show_difficulty(settings.get("game.difficulty"))
        self._show_spawn4()
        panel.ai.chosen.connect(partial(settings.set, "game.player"))
        panel.speed_slider.valueChanged.connect(lambda at: settings.set("game.speed", SPEEDS[at]))
        panel.hard_slider.valueChanged.connect(partial(settings.set, "game.difficulty"))
        panel.fours_spin.valueChanged.connect(
            lambda percent: settings.set("game.spawn4", round(percent / 100, 6))
        )
        settings.changed.connect(self._follow_choice)

    def _apply_choices(self) -> None:
        self._use_difficulty(self._settings.get("game.difficulty"))
        self._show_spawn4()

    def _show_spawn4(self) -> None:
        """Show the probability of fours, and set the player to that of the game."""
        chosen = of_game = self._settings.get("game.spawn4")
        if self.session:
            of_game = self.session.game.spawn4
        self.auto.spawn4 = of_game
        self.panel.show_spawn4(chosen, of_game)
        self._show_built()

    def _follow_choice(self, name: str, value: Any) -> None:
        if name == "game.player":
            self.auto.kind = value
            self.panel.ai.show_ai(value)
        elif name == "game.speed":
            self.auto.speed = value
            self.panel.show_speed(value)
        elif name == "game.difficulty":
            self.panel.show_difficulty(value)
            self._use_difficulty(value)
        elif name == "game.spawn4":
            self._use_spawn4(value)

    def _use_difficulty(self, percent: int) -> None:
        if self.session is None:
            return
        self.session.difficulty = percent
        if percent and not self._has_adversary:
            self._has_adversary = True
            self._services.files.run(self._make_adversary, self._take_adversary, self._show_failure)

    def _make_adversary(self) -> SpawnChooser:
        with without_collection():
            return self._load_adversary()

    def _take_adversary(self, adversary: SpawnChooser) -> None:
        if self.session:
            self.session.adversary = adversary

    def _use_spawn4(self, spawn4: float) -> None:
        if self.session is None:
            self._show_spawn4()
            return
        before = self.session.game
        self.session.set_spawn4(spawn4)
        self._show_spawn4()
        if self.session.game is not before:
            self._show_position()
