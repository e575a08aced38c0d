"""What the Game page says in place of the values: a title, a sentence, what to do."""

from engine.game import Game
from gui.widgets.notice import Message
from gui.widgets.score_figure import spaced

OPENING = Message("Opening your game")
YOUR_MOVE = Message(
    "Your move",
    "Arrows, W A S D, H J K L, or a swipe. Enter lets the player make one move, P lets it play on.",
)
_NEW = "new_game_now"


def over(game: Game) -> Message:
    """Return what to say when no move is left."""
    text = f"{spaced(game.score)} points, largest tile {1 << game.max_exponent}."
    buttons = {_NEW: "New game", "review": "Review", "undo": "Undo"}
    if not game.n_moves:  # set like this
        del buttons["review"]
    return Message("Game over", text, buttons)


def ask_new(game: Game) -> Message:
    """Return the question before a game that goes on is given up."""
    text = f"This one goes on, with {spaced(game.score)} points. A new one replaces it."
    return Message("Start a new game?", text, {_NEW: "New game", "keep": "Keep playing"})
