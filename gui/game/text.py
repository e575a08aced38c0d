"""Messages on the Game page, in place of the AI's figures."""

from engine.game import Game
from engine.platform.language import mark, sentences, tr
from gui.text.numbers import format_whole
from gui.widgets.notice import ANSWER_KEYS, KEEP, Message

NEW_GAME = "new_game_now"
OPENING = Message(mark("Opening your game"))
YOUR_MOVE = Message(
    mark("Your move"),
    mark("Use the arrow keys, WASD or HJKL, or swipe. Enter: one AI move. Space: let the AI play."),
)
LOADING = Message(
    mark("Loading the AI\N{HORIZONTAL ELLIPSIS}"), mark("Its first move takes a few seconds.")
)
PAUSED = Message(
    mark("AI paused"), mark("It stopped when you left this page."), {"auto": mark("Resume AI")}
)


def over(game: Game) -> Message:
    text = tr(
        "{score} points, largest tile {tile}.",
        score=format_whole(game.score),
        tile=1 << game.max_exponent,
    )
    buttons = {NEW_GAME: tr("New game"), "review": tr("Review"), "undo": tr("Undo")}
    if not game.n_moves:  # set like this
        del buttons["review"]
    return Message(tr("Game over"), text, buttons)


def ask_new(game: Game) -> Message:
    text = tr(
        "A new game replaces this one, which has {score} points so far.",
        score=format_whole(game.score),
    )
    buttons = {NEW_GAME: tr("New game"), KEEP: tr("Keep playing")}
    return Message(tr("Start a new game?"), sentences(text, tr(ANSWER_KEYS)), buttons)
