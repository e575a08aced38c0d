"""Conversion of a game, with its whole history, to plain data for JSON and back.

``{"version": 1, "seed": ..., "spawn4": ..., "walls": ..., "merge_32768": ..., "at": ...,
"board": ..., "score": ..., "parts": [{"board": ..., "score": ..., "rng_state": ...,
"moves": "...", "ms": [...]}]}``

A part begins where the board was set. The moves after it are letters, since the generator's state
reproduces their spawns; a tile that was chosen follows its letter: the cell as a capital
hexadecimal digit, and the exponent. ``ms`` lists the times of the moves, null where unknown; games
saved before times were kept have none.
"""

import re
import reprlib
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from engine.game import Game
from engine.history import GameHistory, HistoryEntry
from engine.platform.files.json_struct import as_struct
from engine.platform.language import tr
from engine.saved_game import SavedGameError, cells_from_text, cells_to_text

if TYPE_CHECKING:
    from engine.game_fields import GameFields, PartFields

_LETTERS = "lrud"
_MOVE = re.compile(r"([lrud])(?:([0-9A-F])([12]))?")
_VERSION = 1


def game_to_dict(game: Game) -> dict[str, Any]:
    return {
        "version": _VERSION,
        "seed": game.seed,
        "spawn4": game.spawn4,
        "walls": game.walls,
        "merge_32768": game.merge_32768,
        "at": game.history.at,
        "board": game.text,
        "score": game.score,
        "parts": _parts(game.history.steps),
    }


def _parts(steps: list[HistoryEntry]) -> list[dict[str, Any]]:
    parts: list[dict[str, Any]] = []
    for step in steps:
        if step.direction is None:
            parts.append(
                {
                    "board": cells_to_text(step.cells),
                    "score": step.score,
                    "rng_state": step.rng_state,
                    "moves": "",
                    "ms": [],
                }
            )
            continue
        parts[-1]["moves"] += _LETTERS[step.direction]
        parts[-1]["ms"].append(step.ms)
        if step.is_chosen and step.spawned:
            parts[-1]["moves"] += "{:X}{}".format(*step.spawned)
    return parts


def game_from_dict(data: object) -> Game:
    """Replay the game; SavedGameError if it does not lead to the saved position."""
    from engine.game_fields import GameFields

    version = data.get("version", _VERSION) if isinstance(data, Mapping) else _VERSION
    if version != _VERSION:
        raise SavedGameError(
            "saved game has version {version}; this program reads {known}",
            version=reprlib.repr(version),
            known=_VERSION,
        )
    saved = as_struct(data, GameFields, _damaged)
    if not saved.parts:
        raise SavedGameError(tr("saved game has no position: 'parts' is empty"))
    first, *others = saved.parts
    game = _game_at(first, saved)
    _play(game, first)
    for part in others:
        board = cells_from_text(part.board)
        try:
            game.set_board(board, part.score)
        except ValueError as error:
            raise _damaged(error) from error
        game.history.steps[-1] = replace(game.history.now, rng_state=part.rng_state)
        _play(game, part)
    at, n_steps = saved.at, len(game.history.steps)
    if not 0 <= at < n_steps:
        raise SavedGameError("saved game is at step {at} of {n}", at=at, n=n_steps)
    game.history.at = at
    reached = (game.text, game.score)
    wanted = (saved.board, saved.score)
    if reached != wanted:
        raise SavedGameError(
            "saved game is damaged: it leads to {reached}, not to {wanted}",
            reached=reached,
            wanted=wanted,
        )
    return game


def _game_at(part: "PartFields", saved: "GameFields") -> Game:
    board = cells_from_text(part.board)
    try:
        game = Game(
            board,
            seed=saved.seed,
            spawn4=saved.spawn4,
            walls=saved.walls,
            merge_32768=saved.merge_32768,
        )
    except ValueError as error:
        raise _damaged(error) from error
    now = replace(game.history.now, score=part.score, rng_state=part.rng_state)
    game.history = GameHistory(now)
    return game


def _damaged(problem: object) -> SavedGameError:
    return SavedGameError("saved game is damaged: {problem}", problem=problem)


def _play(game: Game, part: "PartFields") -> None:
    moves, times, at, n_made = part.moves, part.ms, 0, 0
    while at < len(moves):
        match, ms = _MOVE.match(moves, at), times[n_made] if n_made < len(times) else None
        if match is None or not _move(game, match, ms):
            raise SavedGameError(
                "saved game is damaged: move {number} from board {board} is "
                "{move!r}, which is illegal; expected {expected}",
                number=n_made + 1,
                board=part.board,
                move=moves[at],
                expected=" ".join(_LETTERS),
            )
        at, n_made = match.end(), n_made + 1


def _move(game: Game, match: re.Match[str], ms: int | None) -> bool:
    letter, cell, exponent = match.groups()
    spawned = (int(cell, 16), int(exponent)) if cell else None
    try:
        return game.move(_LETTERS.index(letter), spawned, ms) is not None
    except ValueError:
        return False
