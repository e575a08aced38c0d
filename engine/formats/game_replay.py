"""Conversion of a game in play to a recorded one."""

from engine.formats.replay import Replay, ReplayMove
from engine.game import Game


def replay_of(game: Game) -> Replay:
    """Return the moves from the last position that was set, usually the start, to the present.

    Undone moves are left out, and so are their times.
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
