"""The actions of the Game page."""

from typing import TYPE_CHECKING

from engine.platform.language import tr
from gui.game.files import NEW, OLD
from gui.game.session import GameSession
from gui.play.page_actions import PageAction, move_actions

if TYPE_CHECKING:
    from gui.game.page import GamePage


def game_actions(page: "GamePage") -> list[PageAction]:
    """Return what one can do on the page."""

    def has_game() -> bool:
        return page.session is not None

    def can_play() -> bool:
        return page.live_position() is not None

    def can_undo() -> bool:
        return page.auto.is_running or (page.session is not None and page.session.game.can_undo)

    def can_redo() -> bool:
        has_next = page.session is not None and page.session.game.can_redo
        return has_next and not page.auto.is_running

    def has_moves() -> bool:
        return page.session is not None and page.session.game.n_moves > 0

    def can_step() -> bool:
        return can_play() and not page.is_asking

    def can_ask() -> bool:
        return can_play() and not page.auto.is_running

    return [
        PageAction(
            "undo",
            tr("Undo"),
            lambda: page.walk(GameSession.undo),
            can_undo,
            "undo",
            0,
            repeats=True,
        ),
        PageAction(
            "redo",
            tr("Redo"),
            lambda: page.walk(GameSession.redo),
            can_redo,
            "redo",
            0,
            repeats=True,
        ),
        PageAction("new_game", tr("New game"), page.ask_new_game, has_game, "refresh", 0, "new"),
        PageAction(
            "step",
            tr("Play one AI move"),
            page.step,
            can_step,
            "best",
            1,
            "best",
            repeats=True,
        ),
        PageAction(
            "auto",
            tr("Start AI"),
            page.toggle_auto,
            can_play,
            "play",
            1,
            "run",
            stop_text=tr("Stop AI"),
        ),
        PageAction("hint", tr("Show the AI's move"), page.toggle_hint, can_ask, "hint", 1),
        PageAction("go_to", tr("Go to a position"), page.panel.hex_field.take_keys, has_game),
        PageAction("copy", tr("Copy the position"), page.copy, has_game, "copy", 2),
        PageAction("paste", tr("Paste a position"), page.pasting.paste, has_game, "paste"),
        PageAction(
            "export",
            tr("Export for 2048verse"),
            lambda: page.export(OLD),
            has_game,
            "save",
            2,
            "save",
        ),
        PageAction(
            "export_new",
            tr("Export for 2048verse (new format)"),
            lambda: page.export(NEW),
            has_game,
            key="save_other",
        ),
        PageAction("review", tr("Review this game"), page.review, has_moves, "review", 2),
        PageAction(
            "situation",
            tr("Play this position ten times"),
            page.play_situation,
            can_play,
            "situations",
            2,
        ),
        *move_actions(page.press, can_play),
    ]
