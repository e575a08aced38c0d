"""Files made on purpose: their checksums are right, their contents are not.

Each is put before its readers within bounds of memory and time: an answer or an error message.
"""

import json
import lzma
import os
import random
import resource
import signal
import sqlite3
import struct
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import numpy as np
import zstandard

from coach.analysis.analyses import Analyses
from coach.exam.history import History
from coach.exam.session_file import read_session
from coach.mistakes.mistakes import Mistakes
from coach.play.rules import End
from coach.puzzles.puzzles import Puzzles
from coach.record.database import DatabaseFile
from coach.record.schema import MIGRATIONS, SOUND
from engine.game import Game
from engine.game_log import GameLog, read_log
from engine.platform.errors import AppError
from tablebase.foreign.packed import CompressedLayer
from tablebase.foreign.plain_layer import PlainLayer
from tablebase.foreign.rates import STORED_RATES
from tablebase.probe.reader import Tablebase
from tablebase.store.layer_file import LayerFile, pack_layer
from tablebase.store.manifest import load_manifest
from tablebase.store.rates import RATE_TYPES
from tests.coach.made_sessions import STARTED, played, write_session

from .campaign import Campaign
from .signing import sign_layer
from .tally import Tally

_MAX_S = 5.0
_MORE_MEMORY_BYTES = 1 << 30
_N_SLOTS = 3 << 17
_HEADER = struct.Struct("<8sIIQQQdII")  # see tablebase.store.layer_file
_CRC_BYTES, _ENTRY_BYTES = 4, 24
_HUGE = (1 << 63, (1 << 64) - 1, 1 << 40, 1 << 32, (1 << 32) - 1, 0, 1)


class TooLongError(BaseException):
    """A reader took too long; nothing may catch it."""


@contextmanager
def bounds() -> Iterator[None]:
    """Let what follows take no more than a gibibyte and five seconds."""

    def ring(*_: object) -> None:
        raise TooLongError

    pages = int(Path("/proc/self/statm").read_text().split()[0])
    soft, hard = resource.getrlimit(resource.RLIMIT_AS)
    limit = pages * resource.getpagesize() + _MORE_MEMORY_BYTES
    before = signal.signal(signal.SIGALRM, ring)
    resource.setrlimit(resource.RLIMIT_AS, (limit, hard))
    signal.setitimer(signal.ITIMER_REAL, _MAX_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        resource.setrlimit(resource.RLIMIT_AS, (soft, hard))
        signal.signal(signal.SIGALRM, before)


def judge(tally: Tally, what: str, read: Callable[[], object]) -> bool:
    """Count a reader's result for a file; return whether it refused it."""
    began = time.monotonic()
    try:
        with bounds():
            read()
        tally.count("answered")
        return False
    except AppError as error:
        tally.expect(len(str(error).splitlines()) == 1, f"{what}: {error!r}")
        tally.count("refused")
        return True
    except OSError:
        tally.count("could not be read")
        return True
    except TooLongError:
        tally.wrong(f"{what}: took longer than {_MAX_S} s")
    except BaseException as error:  # noqa: BLE001  whatever else comes is what we look for
        tally.wrong(f"{what}: {type(error).__name__}: {error}")
    finally:
        seconds = time.monotonic() - began
        tally.counts["slowest, ms"] = max(tally.counts["slowest, ms"], round(1000 * seconds))
    return True


def hostile_layers(campaign: Campaign, tally: Tally) -> None:
    """Bombs in zstd, directories that lie, numbers that overflow; every checksum is right."""
    rng = campaign.rng("layers")
    with campaign.room() as room:
        sound = [_layer(room, rng, rate) for rate in ("uint32", "uint16", "float64")]
        for name, data in _made_up(sound[: 1 if campaign.mutations < 500 else None]):
            _read_layer(tally, room, name, data, must_refuse=True)
        for i in range(campaign.mutations // 4):
            name, data = _lie(rng, rng.choice(sound))
            _read_layer(tally, room, f"lie {i} ({name})", data)


def _layer(room: Path, rng: random.Random, rate: str) -> bytes:
    """Return a sound layer file of three blocks."""
    kind = RATE_TYPES[rate]
    words = np.array([rng.getrandbits(64) for _ in range(_N_SLOTS // 64)], np.uint64)
    words[: len(words) // 3] &= words[::-1][: len(words) // 3]
    n = int(np.bitwise_count(words).sum())
    rates = np.array([rng.random() for _ in range(n)])
    layer = pack_layer(5, kind, _N_SLOTS, n + 7, words, kind.encode(rates)).write(room)
    return (room / layer.file).read_bytes()


def _fields(data: bytes) -> list[Any]:
    return list(_HEADER.unpack_from(data))


def _with_fields(data: bytes, fields: list[Any]) -> bytes:
    return _HEADER.pack(*fields) + data[_HEADER.size :]


def _directory_at(data: bytes) -> tuple[int, int]:
    return _HEADER.size + _CRC_BYTES, int(_fields(data)[7])


def _made_up(sound: list[bytes]) -> Iterator[tuple[str, bytes]]:
    """Yield files that must be refused."""
    bomb = zstandard.ZstdCompressor().compress(bytes(1 << 28))  # 256 MiB in a few KB
    unsized = zstandard.ZstdCompressor(write_content_size=False).compress(bytes(1 << 28))
    liar = bytearray(zstandard.ZstdCompressor().compress(os.urandom(1 << 14)))
    for data in sound:
        for kind, packed in (("bomb", bomb), ("unsized bomb", unsized), ("liar", bytes(liar))):
            yield f"{kind} for keys", _with_block(data, packed, keys=len(packed))
            value = struct.pack("<II", 0, len(packed)) + packed
            yield f"{kind} for values", _with_values(data, value)
        for size in _HUGE[:5]:
            fields = _fields(data)
            for at, what in ((3, "slots"), (5, "stored")):
                other = [*fields[:at], size, *fields[at + 1 :]]
                yield f"{what} {size}", _with_fields(data, other)
        at, n = _directory_at(data)
        for i in range(n + 1):
            for offset, form, what in ((0, "<Q", "offset"), (8, "<Q", "before")):
                for value in (1 << 63, (1 << 64) - 1):
                    new = bytearray(data)
                    struct.pack_into(form, new, at + i * _ENTRY_BYTES + offset, value)
                    yield f"{what} {i} is {value}", bytes(new)


def _with_block(data: bytes, packed: bytes, keys: int) -> bytes:
    """Return a layer whose last block is `packed`, everything recorded as it is."""
    at, n = _directory_at(data)
    last = at + (n - 1) * _ENTRY_BYTES
    (start,) = struct.unpack_from("<Q", data, last)
    new = bytearray(data[:start] + packed)
    struct.pack_into("<I", new, last + 16, keys)
    struct.pack_into("<Q", new, at + n * _ENTRY_BYTES, len(new))
    return bytes(new)


def _with_values(data: bytes, values: bytes) -> bytes:
    at, n = _directory_at(data)
    last = at + (n - 1) * _ENTRY_BYTES
    (start,) = struct.unpack_from("<Q", data, last)
    (keys,) = struct.unpack_from("<I", data, last + 16)
    return _with_block(data, data[start : start + keys] + values, keys)


def _lie(rng: random.Random, data: bytes) -> tuple[str, bytes]:
    """Return a file with one number of its header or directory exchanged, or bytes of a block."""
    at, n = _directory_at(data)
    new, kind = bytearray(data), rng.randrange(4)
    value = rng.choice((*_HUGE, rng.getrandbits(64), rng.getrandbits(16)))
    if kind == 0:
        place = rng.choice((8, 12, 16, 24, 32, 40, 48, 52))
        form = "<Q" if place in (16, 24, 32, 40) else "<I"
        struct.pack_into(form, new, place, value & (2 ** (8 * struct.calcsize(form)) - 1))
        return f"header {place}", bytes(new)
    if kind == 1:
        place = at + rng.randrange(n + 1) * _ENTRY_BYTES + rng.choice((0, 8, 16))
        struct.pack_into("<Q", new, place, value)
        return f"directory {place}", bytes(new)
    if kind == 2:
        return "mutated", _overwritten(rng, data)
    body = at + (n + 1) * _ENTRY_BYTES
    place = rng.randrange(body, len(new) - 8)
    struct.pack_into("<Q", new, place, value)
    return f"block byte {place}", bytes(new)


def _read_layer(
    tally: Tally, room: Path, what: str, data: bytes, must_refuse: bool = False
) -> None:
    path = room / "layer-0005.tbl"
    path.write_bytes(sign_layer(data))

    def read() -> None:
        layer = LayerFile(path)
        try:
            for i in range(layer.n_blocks):
                layer.block(i)
                layer.slots_and_values(i)
            layer.values_at(np.array([-1, 0, 5, _N_SLOTS - 1, _N_SLOTS, 1 << 40]))
        finally:
            layer.close()

    is_refused = judge(tally, what, read)
    tally.expect(is_refused or not must_refuse, f"{what}: was not refused")


def hostile_references(campaign: Campaign, tally: Tally) -> None:
    """Bombs in xz, streams and trees that lie, giants and pipes instead of books."""
    rng = campaign.rng("references")
    rate = STORED_RATES["uint32"]
    with campaign.room() as room:
        sources = [one for folder in campaign.references for one in folder.glob("*.z")]
        books = [one for folder in campaign.references for one in folder.glob("*.book")]
        name = sources[0].name
        whole = {path.suffix: path.read_bytes() for path in sources[len(sources) // 2].iterdir()}
        bomb = lzma.compress(bytes(1 << 29), preset=1)
        _read_packed(tally, room / name, {**whole, ".z": bomb}, "bomb", rate)
        ends = struct.pack("<IQ", 0, 0) + struct.pack("<IQ", 1, len(bomb))
        made_up = {".z": bomb, ".s": ends, ".ii": bytes(3) + b"\1\0\0"}
        _read_packed(tally, room / name, {**whole, **made_up}, "bomb in one stream", rate)
        for i in range(campaign.mutations // 8):
            suffix = rng.choice(sorted(whole))
            other = _overwritten(rng, whole[suffix])
            _read_packed(tally, room / name, {**whole, suffix: other}, f"{suffix} {i}", rate)
        book = room / "x_64_3.book"
        for i in range(campaign.mutations // 8):
            book.write_bytes(_overwritten(rng, rng.choice(books).read_bytes()))
            _read_book(tally, book, f"book {i}", rate)
        with book.open("wb") as file:
            file.truncate(12 << 40)
        judge(tally, "a sparse book of 12 TiB", lambda: PlainLayer(book, rate).find(5))
        book.unlink()
        os.mkfifo(book)
        _read_book(tally, book, "a pipe", rate)


def _overwritten(rng: random.Random, data: bytes) -> bytes:
    new = bytearray(data)
    for _ in range(rng.randrange(1, 4)):
        at = rng.randrange(max(1, len(new)))
        value = rng.choice((b"\xff" * 8, bytes(8), rng.randbytes(8), b"\xff" * 3))
        new[at : at + len(value)] = value
    return bytes(new)


def _read_packed(tally: Tally, folder: Path, files: dict[str, bytes], what: str, rate: Any) -> None:
    folder.mkdir(exist_ok=True)
    for suffix, data in files.items():
        (folder / f"{folder.stem}{suffix}").write_bytes(data)

    def read() -> None:
        layer = CompressedLayer(folder, rate)
        try:
            layer.count()
            for board in layer.specimens():
                layer.find(int(board))
            for _ in layer.chunks():
                pass
        finally:
            layer.close()

    judge(tally, what, read)


def _read_book(tally: Tally, path: Path, what: str, rate: Any) -> None:
    def read() -> None:
        book = PlainLayer(path, rate)
        try:
            for board in (0, 1 << 40, (1 << 64) - 1, *book.specimens().tolist()):
                book.find(board)
            for _ in book.chunks():
                pass
        finally:
            book.close()

    judge(tally, what, read)


def hostile_saves(campaign: Campaign, tally: Tally) -> None:
    """Saved games, the test in play and databases, mutated byte by byte and value by value."""
    rng = campaign.rng("saves")
    with campaign.room() as room:
        session = played(60)
        write_session(room / "current.json", session)
        session.finish(End.LOST, STARTED)
        with closing(History(DatabaseFile(room / "user.db", MIGRATIONS, SOUND))) as history:
            history.add_file("a_test.json", session, STARTED)
        _read_user_database(room / "user.db")
        _write_log(room / "current.log", rng)
        readers: dict[str, Callable[[Path], object]] = {
            "current.log": read_log,
            "current.json": read_session,
            "user.db": _read_user_database,
        }
        whole = {name: (room / name).read_bytes() for name in readers}
        for i in range(campaign.mutations):
            name = rng.choice(sorted(readers))
            path = room / name
            for beside in (f"{name}-wal", f"{name}-shm"):
                (room / beside).unlink(missing_ok=True)
            path.write_bytes(_spoiled(rng, name, whole[name]))
            if name.endswith(".db") and rng.random() < 0.5:
                path.write_bytes(whole[name])
                _spoil_database(rng, path)
            judge(tally, f"{name} {i}", lambda n=name, p=path: readers[n](p))  # type: ignore[misc]


def _write_log(path: Path, rng: random.Random) -> None:
    game, log = Game.new(5), GameLog(path)
    log.begin(game, 0)
    for _ in range(200):
        if result := game.move(rng.randrange(4)):
            log.move(result, False, 5)
    log.close()


def _spoiled(rng: random.Random, name: str, data: bytes) -> bytes:
    if name.endswith(".db") or rng.random() < 0.5:
        return _overwritten(rng, data)
    head, newline, rest = data.partition(b"\n") if name.endswith(".log") else (data, b"", b"")
    body = json.loads(head)
    _spoil_value(rng, body)
    return json.dumps(body).encode() + newline + rest


_STRANGE: tuple[Any, ...] = (
    10**400, -1, 1e308, float("nan"), "", "\ud800", "\0", "x" * 100_000, None, True, [], {},
    [[[]]], 1 << 64, 0.5, "2026-13-45", "9999-12-31T23:59:59+23:59", "0001-01-01T00:00:00",
)  # fmt: skip


def _spoil_value(rng: random.Random, value: Any) -> None:
    """Exchange one value somewhere in a JSON value."""
    while True:
        keys = list(value) if isinstance(value, dict) else list(range(len(value)))
        key = rng.choice(keys)
        inside = value[key]
        if isinstance(inside, (dict, list)) and inside and rng.random() < 0.7:
            value = inside
            continue
        value[key] = rng.choice(_STRANGE)
        return


def _spoil_database(rng: random.Random, path: Path) -> None:
    """Change a value, a table or the version, as a valid database."""
    with closing(sqlite3.connect(path)) as db:
        tables = [row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")]
        table = rng.choice(tables)
        column = rng.choice([row[1] for row in db.execute(f"PRAGMA table_info({table})")])
        version = rng.choice((-1, 0, 1, 99, 1 << 30))
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n"
        changes = (
            (f"UPDATE {table} SET {column} = ?", (rng.choice((b"\0\xff", "x", 1 << 62, 9e999)),)),
            (f"ALTER TABLE {table} RENAME COLUMN {column} TO other", ()),
            (f"ALTER TABLE {table} RENAME TO other", ()),
            (f"PRAGMA user_version = {version}", ()),
            (f"CREATE VIEW endless AS {endless}", ()),
            (f"CREATE TRIGGER t AFTER INSERT ON {table} BEGIN DELETE FROM {table}; END", ()),
        )
        sql, values = rng.choice(changes)
        try:
            db.execute(sql, values)
            db.commit()
        except (sqlite3.Error, OverflowError):
            pass


def _read_user_database(path: Path) -> None:
    file = DatabaseFile(path, MIGRATIONS, SOUND)
    with closing(History(file)) as history:
        history.tests()
        history.tables()
    with closing(Mistakes(file)) as mistakes:
        mistakes.get(mistakes.ids())
        mistakes.tables()
    with closing(Analyses(file)) as analyses:
        analyses.latest()
    with closing(Puzzles(file)) as puzzles:
        puzzles.get(puzzles.ids())
        puzzles.tables()


def beside(campaign: Campaign, tally: Tally) -> None:
    """Cut, delete, exchange and rewrite the files of an open table: the truth or a message."""
    rng = campaign.rng("beside")
    subject = next(one for one in campaign.subjects if one.plan and one.arguments)
    assert subject.plan
    with campaign.room(subject) as room:
        subject.start(room).wait()
        folder = subject.plan(room).folder
        files = {path.name: path.read_bytes() for path in folder.glob("layer-*.tbl")}
        boards = _boards(folder, rng)
        with Tablebase.open(folder) as table:
            truth = {board: table.rate_of(board) for board in boards}
        manifest = load_manifest(folder)
        for i in range(campaign.steps):
            is_large = i % 2 == 1  # then nothing is read before it is asked for
            with Tablebase(folder, manifest) if is_large else Tablebase.open(folder) as table:
                for _ in range(3):
                    _change(rng, folder, files)
                    for board in rng.sample(boards, min(8, len(boards))):
                        _probe_beside(tally, table, board, truth[board], f"step {i}")
            for name, data in files.items():
                (folder / name).unlink(missing_ok=True)
                (folder / name).write_bytes(data)


def _boards(folder: Path, rng: random.Random) -> list[int]:
    with Tablebase(folder, load_manifest(folder)) as table:
        found = []
        for i in range(3, table.n_layers - 2, 3):
            boards = table.layer_boards(i)[0]
            found += [int(boards[rng.randrange(boards.size)])] if boards.size else []
    return found


def _change(rng: random.Random, folder: Path, files: dict[str, bytes]) -> None:
    name, other = rng.sample(sorted(files), 2)
    path, data = folder / name, files[name]
    how = rng.randrange(5)
    path.unlink(missing_ok=True)
    if how == 0:
        return
    if how == 4:
        os.mkfifo(path)
        return
    changed = (data[: rng.randrange(len(data))], files[other], _overwritten(rng, data))[how - 1]
    path.write_bytes(changed)


def _probe_beside(tally: Tally, table: Tablebase, board: int, truth: float, what: str) -> None:
    found: list[float] = []
    judge(tally, what, lambda: found.append(table.rate_of(board)))
    for rate in found:
        tally.expect(rate == truth, f"{what}: {board:016x} has {truth}, not {rate}")
