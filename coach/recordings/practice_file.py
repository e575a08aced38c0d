"""Recordings of Practice as JSON: what a person or a script can read, and nothing is lost.

``{"format": "endgame2048-practice", "version": 1, "table": "L3_512", "spawn4": 0.1,
"walls": false, "merge_32768": false, "start": [16 tiles], "moves": [{"move": "left", "cell": 5,
"tile": 2, "rates": {"left": 0.99, ...}}, ...]}``; cells count from the top left, 0 to 15; tiles
are face values, 0 is an empty cell. ``rates`` are those before the move; a move without a rate is
illegal or leaves the formation, and a position without ``rates`` is not known.
"""

import json
import math
from dataclasses import dataclass
from typing import Any, TypeGuard

from engine.bitboard import DIRECTIONS, N_CELLS
from engine.formats.replay import Cells, Rates, Replay, ReplayError, ReplayMove

FORMAT = "endgame2048-practice"
VERSION = 1
MOST_BYTES = 256 << 20
_LARGEST_EXPONENT = 17


@dataclass(frozen=True)
class PracticeRecording:
    """A recorded line of play and the table that it was played on.

    Attributes
    ----------
    replay : Replay
    table : str
        The table's name, such as "L3_512"; "" where it is not known.
    spawn4 : float
        The probability of a 4.
    """

    replay: Replay
    table: str = ""
    spawn4: float = 0.1


def is_practice_file(data: bytes) -> bool:
    """Tell whether these bytes say of themselves that they are such a recording."""
    return data[:1] in (b"{", b" ", b"\n", b"\r", b"\t") and FORMAT.encode() in data[:4096]


def write_practice(recording: PracticeRecording) -> str:
    """Return the text of a recording."""
    replay = recording.replay
    data = {
        "format": FORMAT,
        "version": VERSION,
        "table": recording.table,
        "spawn4": recording.spawn4,
        "walls": replay.walls,
        "merge_32768": replay.merge_32768,
        "start": [1 << exponent if exponent else 0 for exponent in replay.start],
    }
    moves = ",\n".join(json.dumps(_move_out(move)) for move in replay.moves)
    head = json.dumps(data, indent=1).rstrip("\n}")
    return f'{head},\n "moves": [\n{moves}\n]\n}}\n'


def read_practice(data: bytes) -> PracticeRecording:
    """Return the recording in the bytes of a file.

    Raises
    ------
    ReplayError
        It is none; the message says what is wrong. Moves that cannot be played are no such
        error: they end the recording, and `Replay.problem` says why.
    """
    if len(data) > MOST_BYTES:
        raise ReplayError(f"the file has {len(data):,} bytes, more than any recording")
    try:
        found = json.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise ReplayError(f"the file is not JSON: {error}") from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ReplayError(f'the file is not a recording of Practice: expected "format": "{FORMAT}"')
    if found.get("version") != VERSION:
        raise ReplayError(
            f"the recording has version {found.get('version')!r}, this program reads {VERSION}: "
            "update the program"
        )
    table, spawn4 = found.get("table", ""), found.get("spawn4", 0.1)
    if not isinstance(table, str) or not _is_share(spawn4):
        raise ReplayError("the recording names no table, or an impossible spawn4")
    return PracticeRecording(_replay(found), table, float(spawn4))


def _replay(found: dict[str, Any]) -> Replay:
    walls, merges = found.get("walls", False), found.get("merge_32768", False)
    rows = found.get("moves")
    if not isinstance(walls, bool) or not isinstance(merges, bool) or not isinstance(rows, list):
        raise ReplayError("the recording lacks its moves, or walls are not true or false")
    start = _start(found.get("start"))
    moves: list[ReplayMove] = []
    problem = ""
    for number, row in enumerate(rows, 1):
        try:
            moves.append(_move_in(row, number))
        except ReplayError as error:
            problem = str(error)
            break
    return _playable(Replay(start, tuple(moves), walls, merges, problem=problem))


def _playable(replay: Replay) -> Replay:
    """Return the part of a replay that can be played, and why it is no more."""
    n_played = -1
    try:
        for _ in replay.positions():
            n_played += 1
    except ReplayError as error:
        return Replay(
            replay.start,
            replay.moves[:n_played],
            replay.walls,
            replay.merge_32768,
            problem=str(error),
        )
    return replay


def _start(tiles: Any) -> Cells:
    if not isinstance(tiles, list) or len(tiles) != N_CELLS:
        raise ReplayError("the recording's start is not a list of 16 tiles")
    return tuple(_exponent(tile, "the start") for tile in tiles)


def _move_in(row: Any, number: int) -> ReplayMove:
    if not isinstance(row, dict):
        raise ReplayError(f"move {number} is not an object with move, cell and tile")
    name, cell, tile = row.get("move"), row.get("cell"), row.get("tile")
    if name not in DIRECTIONS or not _is_whole(cell) or not 0 <= cell < N_CELLS:
        raise ReplayError(f"move {number} has no direction, or no cell from 0 to 15")
    if tile not in (2, 4) or not _is_whole(tile):
        raise ReplayError(f"the new tile of move {number} is {tile!r}: expected 2 or 4")
    rates = _rates_in(row.get("rates"), number)
    return ReplayMove(DIRECTIONS.index(name), cell, tile // 2, rates)


def _rates_in(rates: Any, number: int) -> Rates | None:
    if rates is None:
        return None
    if not isinstance(rates, dict) or not all(
        name in DIRECTIONS and _is_share(rate) for name, rate in rates.items()
    ):
        raise ReplayError(f"the rates of move {number} are not numbers from 0 to 1 by direction")
    left, right, up, down = (rates.get(name) for name in DIRECTIONS)
    return left, right, up, down


def _move_out(move: ReplayMove) -> dict[str, Any]:
    row: dict[str, Any] = {
        "move": DIRECTIONS[move.direction],
        "cell": move.cell,
        "tile": 1 << move.exponent,
    }
    if move.rates is not None:
        named = zip(DIRECTIONS, move.rates, strict=True)
        row["rates"] = {name: rate for name, rate in named if rate is not None}
    return row


def _exponent(tile: Any, where: str) -> int:
    if tile == 0 and _is_whole(tile):
        return 0
    is_tile = _is_whole(tile) and 2 <= tile <= 1 << _LARGEST_EXPONENT and not tile & (tile - 1)
    if not is_tile:
        raise ReplayError(f"{tile!r} in {where} is not a tile: expected 0, 2, 4, 8 ...")
    return int(tile).bit_length() - 1


def _is_whole(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_share(value: Any) -> bool:
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    return is_number and math.isfinite(value) and 0 <= value <= 1
