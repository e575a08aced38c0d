"""A cache of search results: an analysis resumes where it stopped, or is available at once.

Everything here can be recomputed, so there is no backup of it, and the oldest games are dropped.
"""

import hashlib
import struct
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from coach.record.database import DatabaseFile, Store
from engine.formats.replay import Rates, Replay

MIGRATIONS = (
    """
    CREATE TABLE games (
        id INTEGER PRIMARY KEY,
        digest TEXT NOT NULL,         -- of the start and the moves, see digest_of
        nodes INTEGER NOT NULL,       -- positions searched for each move
        version INTEGER NOT NULL,     -- of search and model, see VERSION
        at TEXT NOT NULL,             -- when it was last looked into, ISO 8601, UTC
        UNIQUE (digest, nodes, version)
    );
    CREATE TABLE chances (
        game INTEGER NOT NULL REFERENCES games (id) ON DELETE CASCADE,
        position INTEGER NOT NULL,    -- moves made before it
        chances BLOB NOT NULL,        -- four float32, little-endian, by direction; below 0: no move
        PRIMARY KEY (game, position)
    ) WITHOUT ROWID;
    """,
)
SOUND = {
    "games": "nodes BETWEEN 1 AND 1 << 40 AND version >= 0 AND datetime(at) IS NOT NULL",
    "chances": "position BETWEEN 0 AND 1 << 31 AND length(chances) = 16",
}
VERSION = 1
"""Counted up when the same position and budget would give other chances than before."""

CHANCES_NAME = "chances.db"
"""In the data folder."""

MAX_GAMES = 200
_FOUR = struct.Struct("<4f")
_NO_MOVE = -1.0


@dataclass(frozen=True)
class Key:
    """The key: a game and its search budget."""

    digest: str
    nodes: int


def digest_of(replay: Replay) -> str:
    found = hashlib.blake2b(bytes(replay.start), digest_size=16)
    found.update(bytes((replay.walls, replay.merge_32768)))
    for move in replay.moves:
        found.update(bytes((move.direction, move.cell, move.exponent)))
    for number, position in replay.gaps:
        found.update(number.to_bytes(4, "little") + bytes(position))
    return found.hexdigest()


class StoredChances(Store):
    """The chances of a person's games, in a file of their own."""

    def __init__(self, path: Path) -> None:
        super().__init__(DatabaseFile(path, MIGRATIONS, SOUND))

    def known(self, key: Key) -> dict[int, Rates]:
        with self.reading():
            rows = self.connection.execute(
                "SELECT position, chances FROM chances JOIN games ON games.id = chances.game "
                "WHERE digest = ? AND nodes = ? AND version = ?",
                (key.digest, key.nodes, VERSION),
            )
            return {int(position): _unpacked(packed) for position, packed in rows}

    def keep(self, key: Key, found: Mapping[int, Rates], now: datetime) -> None:
        """Store chances of a game by position, all or none; existing ones are kept."""
        rows = [(position, _packed(chances)) for position, chances in found.items()]
        with self.writing():
            execute = self.connection.execute
            game = (key.digest, key.nodes, VERSION, now.isoformat())
            execute(
                "INSERT INTO games (digest, nodes, version, at) VALUES (?, ?, ?, ?) "
                "ON CONFLICT DO UPDATE SET at = excluded.at",
                game,
            )
            (number,) = execute(
                "SELECT id FROM games WHERE digest = ? AND nodes = ? AND version = ?", game[:3]
            ).fetchone()
            self.connection.executemany(
                "INSERT OR IGNORE INTO chances VALUES (?, ?, ?)", ((number, *row) for row in rows)
            )
            execute(
                "DELETE FROM games WHERE id NOT IN "
                "(SELECT id FROM games ORDER BY at DESC, id DESC LIMIT ?)",
                (MAX_GAMES,),
            )


def stored(chances: Iterable[float | None]) -> Rates:
    """Return chances as stored: rounded to float32."""
    return _unpacked(_packed(chances))


def _packed(chances: Iterable[float | None]) -> bytes:
    return _FOUR.pack(*(_NO_MOVE if one is None else one for one in chances))


def _unpacked(packed: bytes) -> Rates:
    left, right, up, down = (
        min(one, 1.0) if one >= 0.0 else None for one in _FOUR.unpack(packed)
    )  # this also rejects damaged values
    return left, right, up, down
