"""Which actions of the Review page do something now."""

from collections.abc import Mapping

from PySide6.QtGui import QAction

from gui.pages.review.actions import WITHOUT_GAME
from gui.review.game import ReviewGame


def enable_actions(actions: Mapping[str, QAction], game: ReviewGame) -> None:
    """Let only those actions be chosen that do something now."""
    has_game = game.recording is not None
    for name, action in actions.items():
        action.setEnabled(has_game or name in WITHOUT_GAME)
    for name in ("first", "back", "back_ten"):
        actions[name].setEnabled(has_game and game.position > 0)
    for name in ("last", "forward", "forward_ten"):
        actions[name].setEnabled(has_game and not game.is_at_end)
    actions["next_mark"].setEnabled(game.next_mark() is not None)
    actions["previous_mark"].setEnabled(game.previous_mark() is not None)
