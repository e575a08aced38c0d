"""Recordings of Practice as JSON: lossless, and readable by people and scripts.

``{"format": "endgame2048-practice", "version": 1, "table": "L3_512", "spawn4": 0.1,
"walls": false, "merge_32768": false, "start": [16 tiles], "moves": [{"move": "left", "cell": 5,
"tile": 2, "rates": {"left": 0.99, ...}}, ...]}``; cells count from the top left, 0 to 15; tiles
are face values, 0 is an empty cell. ``rates`` are those before the move; a move without a rate is
illegal or leaves the formation, and a position without ``rates`` is unknown.
"""

import json
from dataclasses import dataclass, replace
from typing import Any

from engine.bitboard import DIRECTIONS
from engine.formats.replay import Replay, ReplayError, ReplayMove
from engine.platform.files.input_file import parse_json
from engine.platform.files.json_struct import as_struct, check_format
from engine.platform.language import mark, tr

FORMAT = "endgame2048-practice"
VERSION = 1
MAX_BYTES = 256 << 20


@dataclass(frozen=True)
class PracticeRecording:
    """A recorded line of play and the table that it was played on."""

    replay: Replay
    table: str = ""  # the table's name, such as "L3_512"; "" if unknown
    spawn4: float = 0.1  # the probability of a 4


def is_practice_file(data: bytes) -> bool:
    return data[:1] in (b"{", b" ", b"\n", b"\r", b"\t") and FORMAT.encode() in data[:4096]


def write_practice(recording: PracticeRecording) -> str:
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
    rows = []
    for move in replay.moves:
        row: dict[str, Any] = {
            "move": DIRECTIONS[move.direction],
            "cell": move.cell,
            "tile": 1 << move.exponent,
        }
        if move.rates is not None:
            named = zip(DIRECTIONS, move.rates, strict=True)
            row["rates"] = {name: rate for name, rate in named if rate is not None}
        rows.append(json.dumps(row))
    moves = ",\n".join(rows)
    head = json.dumps(data, indent=1).rstrip("\n}")
    return f'{head},\n "moves": [\n{moves}\n]\n}}\n'


def read_practice(data: bytes) -> PracticeRecording:
    """Return the recording in the bytes of a file; raise ReplayError if there is none.

    Illegal moves don't raise: they end the recording, and `Replay.problem` says why.
    """
    from coach.recordings.practice_fields import MoveFields, PracticeFields

    if len(data) > MAX_BYTES:
        text = mark("the file has {n:,} bytes, more than any recording")
        raise ReplayError(text, n=len(data))
    found = parse_json(data, tr("the file"), ReplayError)
    check_format(found, tr("a recording of Practice"), FORMAT, VERSION, ReplayError)
    fields = as_struct(found, PracticeFields, ReplayError)
    start = tuple(tile.bit_length() - 1 if tile else 0 for tile in fields.start)
    moves: list[ReplayMove] = []
    problem = ""
    try:
        for row in fields.moves:
            moves.append(as_struct(row, MoveFields, ReplayError).replay_move())
    except ReplayError as error:
        problem = tr("move {number}: {problem}", number=len(moves) + 1, problem=error)
    replay = Replay(start, tuple(moves), fields.walls, fields.merge_32768, problem=problem)
    return PracticeRecording(_playable(replay), fields.table, fields.spawn4)


def _playable(replay: Replay) -> Replay:
    n_played = -1
    try:
        for _ in replay.positions():
            n_played += 1
    except ReplayError as error:
        return replace(replay, moves=replay.moves[:n_played], problem=str(error))
    return replay
