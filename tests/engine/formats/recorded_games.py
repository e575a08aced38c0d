"""Games to record, played at random on any board; the long one is a file."""

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from engine.formats.replay import Cells, Replay, ReplayMove, place
from engine.formats.replay_rules import LOCKED, PLAY, WALLS, MergeRules
from engine.formats.sliding import slide

LONG_GAME = Path(__file__).parent / "long_game.txt"
"""A game by the rules of play, beyond 65536, in the older format of 2048verse. Searches played it,
and of a few random new tiles they took what suited them: all is legal, but nobody is so lucky.
"""

WALLS_OF = {
    "4x4": (0,) * 16,
    "2x4": (15,) * 4 + (0,) * 8 + (15,) * 4,
    "3x3": (0, 0, 0, 15) * 3 + (15,) * 4,
    "3x4": (0,) * 12 + (15,) * 4,
}


def random_game(
    rng: random.Random, board: str = "4x4", n_moves: int = 200, largest_ms: int = -1
) -> Replay:
    """Return a game from two tiles; with times, some missing, where `largest_ms` is given."""
    walls = WALLS_OF[board]
    cells = rng.sample([cell for cell in range(16) if not walls[cell]], 2)
    tiles = tuple((cell, rng.choice((1, 1, 2))) for cell in cells)
    start = tuple(dict(tiles).get(cell, walls[cell]) for cell in range(16))
    rules = PLAY if board == "4x4" else WALLS
    moves = [move for _, move in _random_moves(rng, start, rules, n_moves)]
    if largest_ms >= 0:
        times = (rng.choice((None, rng.randint(0, largest_ms))) for _ in moves)
        moves = [replace(move, ms=ms) for move, ms in zip(moves, times, strict=True)]
    return Replay(start, tuple(moves), *rules, start_tiles=tiles)


def with_random_rates(rng: random.Random, replay: Replay) -> Replay:
    """Return a game with rates, units of 1/4e9, of all legal moves; forced moves are marked."""
    moves = []
    for position, move in zip(replay.positions(), replay.moves, strict=False):
        legal = [one for one in range(4) if slide(position, one, *rules_of(replay)) != position]
        rates = [rng.randint(1, 4 * 10**9) / 4e9 if one in legal else None for one in range(4)]
        moves.append(replace(move, rates=tuple(rates), is_forced=len(legal) == 1))
    return replace(replay, moves=tuple(moves))


def table_game(
    rng: random.Random, start: Cells, n_moves: int = 60, rules: MergeRules = LOCKED
) -> Replay:
    """Return a game from any position, with rates."""
    moves = tuple(move for _, move in _random_moves(rng, start, rules, n_moves))
    return with_random_rates(rng, Replay(start, moves, *rules))


def rules_of(replay: Replay) -> MergeRules:
    return MergeRules(replay.walls, replay.merge_32768)


def _random_moves(
    rng: random.Random, position: Cells, rules: MergeRules, n_moves: int
) -> Iterator[tuple[Cells, ReplayMove]]:
    for number in range(1, n_moves + 1):
        legal = [one for one in range(4) if slide(position, one, *rules) != position]
        if not legal:
            return
        direction = rng.choice(legal)
        after = slide(position, direction, *rules)
        cell = rng.choice([cell for cell in range(16) if not after[cell]])
        move = ReplayMove(direction, cell, rng.choice((1, 1, 1, 2)))
        yield position, move
        position = place(after, cell, move.exponent, number)
