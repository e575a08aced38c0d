"""Games played over the service: kept in memory; those unused longest are dropped first."""

import secrets
from collections import OrderedDict
from typing import Any

from engine.bitboard import DIRECTIONS
from engine.formats.board_text import read_board
from engine.game import Game
from engine.platform.language import tr
from engine.saved_game import cells_to_text
from web.service.refusals import RequestError
from web.service.requests import GameRequest

MAX_GAMES = 256
MAX_MOVES = 131_070
"""No game on 4x4 cells has more; undone ones count as well, to bound the history."""
MAX_MOVES_TOGETHER = 400_000
"""Of all games: a move takes a few hundred bytes."""


class Games:
    """The games in progress, by name."""

    def __init__(self) -> None:
        self._games: OrderedDict[str, Game] = OrderedDict()
        self._n_made: dict[str, int] = {}
        self._n_together = 0

    def begin(self, request: GameRequest) -> dict[str, Any]:
        seed = secrets.randbits(63) if request.seed is None else request.seed
        if request.board is None:
            game = Game.new(seed, spawn4=request.spawn4)
        else:
            cells = read_board(request.board).cells
            if not any(cells):
                raise RequestError(422, tr("the board is empty: expected one with a tile"))
            game = Game(cells, seed=seed, spawn4=request.spawn4)
        name = secrets.token_urlsafe(12)
        self._games[name], self._n_made[name] = game, 0
        self._make_room()
        return game_event(name, game)

    def find(self, name: str) -> Game:
        if name not in self._games:
            raise RequestError(
                404, tr("there is no such game: it was ended, or many others were started after it")
            )
        self._games.move_to_end(name)
        return self._games[name]

    def move(self, name: str, direction: int) -> dict[str, Any]:
        game = self.find(name)
        if self._n_made[name] >= MAX_MOVES:
            raise RequestError(409, tr("this game is too long: start a new one"))
        result = game.move(direction)
        if result is None:
            legal = ", ".join(DIRECTIONS[direction] for direction in game.legal_moves())
            text = tr(
                "{move} is not legal here; expected one of {moves}",
                move=DIRECTIONS[direction],
                moves=legal or tr("none"),
            )
            raise RequestError(409, text)
        self._n_made[name] += 1
        self._n_together += 1
        self._make_room()
        cell, exponent = result.spawned
        event = game_event(name, game)
        return {**event, "new_tile": [cell, 1 << exponent], "gained": result.gained}

    def undo(self, name: str) -> dict[str, Any]:
        game = self.find(name)
        if not game.undo():
            raise RequestError(409, tr("there is no move to undo"))
        return game_event(name, game)

    def end(self, name: str) -> None:
        self.find(name)
        self._forget(name)

    def __len__(self) -> int:
        return len(self._games)

    def _make_room(self) -> None:
        """Forget games while there are too many moves, but never the game used last."""
        while len(self._games) > 1 and (
            len(self._games) > MAX_GAMES or self._n_together > MAX_MOVES_TOGETHER
        ):
            self._forget(next(iter(self._games)))

    def _forget(self, name: str) -> None:
        del self._games[name]
        self._n_together -= self._n_made.pop(name)


def game_event(name: str, game: Game) -> dict[str, Any]:
    return {
        "id": name,
        "seed": game.seed,
        "board": cells_to_text(game.cells),
        "score": game.score,
        "moves": game.n_moves,
        "max_tile": 1 << game.max_exponent,
        "legal": [DIRECTIONS[direction] for direction in game.legal_moves()],
        "over": game.is_over,
    }
