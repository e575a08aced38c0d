"""A game in play as a recorded one."""

from engine.formats.replay import Replay, ReplayMove
from engine.game import Game


def replay_of(game: Game) -> Replay:
    """Return the moves from the last position that was set, mostly the start, to the one shown.

    What was undone is left out; times are those of the moves that stand.
    """
    start, moves = game.played()
    return Replay(
        start,
        tuple(
            ReplayMove(direction, *tile, ms=ms)
            for (direction, tile), ms in zip(moves, game.times(), strict=True)
        ),
        walls=game.walls,
        merge_32768=game.merge_32768,
    )
