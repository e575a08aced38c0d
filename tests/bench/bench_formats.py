"""100,000 damaged recordings through all codecs: no crash, no hang, no silent wrong read.

python -m tests.bench.bench_formats [--files 100000] [--seed 1] [--limit-ms 250]

Recordings of every format and board are damaged (bits, bytes, rows, pieces of other files, nothing
but random bytes) and given to `read_replay` and to each codec. Whatever comes back

* is a game, or a ReplayError with a message; anything else counts as a crash;
* was there within the limit;
* can be played to the end, by the slow rules of tests/oracle.py;
* is what the file says: a witness that knows the formats but nothing of the codecs goes through the
  bytes and compares every move, new tile, time, rate and position that the game claims to have
  read. A game without a `problem` must account for the file to its last byte.

Then a figure that no check within a file can give: how often damage left a complete game other than
the original. In formats that store every position (.rpl, histories) a few flipped bits must never
do that, except in what is stored once: rates, marks, times, and in a history the last new tile.
"""

import argparse
import base64
import random
import sys
import time
import zlib
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

TESTS = Path(__file__).parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "engine" / "formats")]

import slow_codecs as slow  # noqa: E402
from recorded_games import WALLS_OF, random_game, table_game, with_random_rates  # noqa: E402

from engine.bitboard import cells  # noqa: E402
from engine.formats.history_dump import read_history  # noqa: E402
from engine.formats.reading import read_replay  # noqa: E402
from engine.formats.rec import read_rec, write_rec  # noqa: E402
from engine.formats.replay import Replay, ReplayError  # noqa: E402
from engine.formats.rpl import read_rpl, write_rpl  # noqa: E402
from engine.formats.rpl1 import read_rpl1  # noqa: E402
from engine.formats.verse2048 import read_new, read_old, write_new, write_old  # noqa: E402
from tests.bench.faults.mutations import BYTE_CHANGES, flip_bits  # noqa: E402

READERS: dict[str, Callable[[bytes], Replay]] = {
    "rpl": read_rpl,
    "rec": read_rec,
    "verse-old": read_old,
    "verse-new": read_new,
    "history": read_history,
    "2048next": read_rpl1,
}
ROW_BYTES = {"rpl": 25, "rec": 17, "verse-old": 1, "verse-new": 3, "history": 13, "2048next": 3}
FORMATIONS = [0x1120_0000_0FFF_0FFF, 0x1100_0000_0000_FFFF, 0x1000_0000_12FF_FFFF]


class Original(NamedTuple):
    """A file before the damage."""

    name: str
    data: bytes
    positions: list[list[int]]


def originals(rng: random.Random) -> list[Original]:
    """Return short games of all formats and boards, some from formations, in all encodings."""
    found = []
    for board in sorted(WALLS_OF) * 3:
        game = random_game(rng, board, rng.choice((10, 40, 90)), largest_ms=10_000)
        rated = with_random_rates(rng, game)
        old, new = write_old(game).decode(), write_new(game)
        rules = {"walls": game.walls, "merge_32768": game.merge_32768}
        files = [
            ("rpl", write_rpl(rated)),
            ("rpl", write_rpl(game)),
            ("rec", write_rec(rated)),
            ("verse-old", old.encode(rng.choice(("utf-8", "cp850")))),
            ("verse-new", new.encode(rng.choice(("utf-8", "latin-1", "utf-16")))),
            ("history", slow.history(game.start, slow.moves_of(game), **rules)),
            ("2048next", next_file(game, board)),
        ]
        positions = [list(position) for position in game.positions()]
        found += [Original(name, data, positions) for name, data in files]
    for formation in FORMATIONS * 2:
        game = table_game(rng, tuple(cells(formation)), 40)
        positions = [list(position) for position in game.positions()]
        found += [Original("rpl", write_rpl(game), positions)]
        found += [Original("rec", write_rec(game), positions)]
    return found


def next_file(game: Replay, board: str) -> bytes:
    """Return a game as 2048next keeps it."""
    moves = [(d, slow.own_cell(board, cell), e) for d, cell, e in slow.moves_of(game)]
    tiles = [(slow.own_cell(board, cell), exponent) for cell, exponent in game.start_tiles]
    return slow.rpl1(board, tiles, slow.rpl1_records(moves, [move.ms for move in game.moves]))


def damage(rng: random.Random, original: Original, others: list[Original]) -> tuple[str, bytes]:
    """Return the name of a kind of damage, and the damaged file."""
    data = original.data
    for _ in range(100):
        kind = rng.random()
        if kind < 0.65:
            change = rng.choice(BYTE_CHANGES)
            name, new = change.__name__, change(rng, data)
        elif kind < 0.85:
            name, new = "rows", change_rows(rng, data, ROW_BYTES[original.name])
        elif kind < 0.95:
            name, new = "splice", splice(rng, data, rng.choice(others).data)
        else:
            head = data[: rng.choice((0, 0, 6, 7, 17, 25))]
            name, new = "random", head + rng.randbytes(rng.choice((1, 13, 50, 425, 3315)))
        if new != data:
            return name, new
    raise AssertionError("no damage was done")


def change_rows(rng: random.Random, data: bytes, size: int) -> bytes:
    """Swap, shuffle, double or remove whole rows."""
    rows = [data[at : at + size] for at in range(0, len(data), size)]
    i, j = sorted(rng.sample(range(len(rows) + 1), 2))
    how = rng.randrange(4)
    if how == 0:
        part = rows[i:j]
        rng.shuffle(part)
        rows[i:j] = part
    elif how == 1:
        rows[j:j] = rows[i:j]
    elif how == 2:
        del rows[i : min(j, i + rng.choice((1, 1, 2, 10)))]
    else:
        rows[i], rows[j - 1] = rows[j - 1], rows[i]
    return b"".join(rows)


def splice(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Continue with the bytes of another file."""
    return data[: rng.randrange(len(data))] + other[rng.randrange(len(other)) :]


def whole(data: bytes, at: int, n_bytes: int) -> int:
    """Return a little-endian number."""
    return int.from_bytes(data[at : at + n_bytes], "little")


def same_rates(move, stored: list[int], legal: list[bool]) -> bool:
    """Return whether rates are the numbers stored, as engine/formats/rates.py promises."""
    is_odd = max(stored) > 4 * 10**9 or any(
        n and not ok for n, ok in zip(stored, legal, strict=True)
    )
    if not any(stored) or is_odd:
        return move.rates is None
    zeros = [None if move.is_forced or not ok else 0.0 for ok in legal]
    want = [n / 4e9 if n else zero for n, zero in zip(stored, zeros, strict=True)]
    return list(move.rates) == want


def witness_rpl(data: bytes, game: Replay, positions: list, legal: list) -> bool:
    def says(at: int, i: int) -> bool:
        """Whether the row at an offset is move i."""
        move, code = game.moves[i], data[at + 8]
        is_last_of_file = data[at + 33 : at + 50] == slow.rpl([0] * 16, [], [])[8:]
        told = (code // 32 % 4, code // 2 % 16, code % 2 + 1)
        is_told = told == (move.direction, move.cell, move.exponent)
        was_corrected = is_last_of_file and "was believed" in game.problem
        is_there = whole(data, at, 8) == slow.number(positions[i])
        stored = [whole(data, at + 9 + 4 * k, 4) for k in range(4)]
        return (
            code // 128 == move.is_forced
            and same_rates(move, stored, legal[i])
            and (is_told or was_corrected)
            and (is_there or "were believed" in game.problem)
        )

    at, may_skip = 0, bool(game.gaps) or "left out" in game.problem
    for i in range(len(game.moves)):
        while not says(at, i):
            at += 25
            if not may_skip or at + 25 > len(data):
                return False
        at += 25
    final = whole(data, at, 8)
    if game.problem and "was believed" not in game.problem:
        return True
    if final not in (0, slow.number(positions[-1])):
        return False
    return len(data) == 25 * (len(game.moves) + 1) or game.problem != ""


def witness_rec(data: bytes, game: Replay, positions: list, legal: list) -> bool:
    if sum(whole(data, 1 + 4 * k, 4) << 16 * k for k in range(4)) != slow.number(positions[0]):
        return False
    n_rows = len(data) // 17
    stored = [[whole(data, 17 * i + 1 + 4 * k, 4) for k in (2, 3, 0, 1)] for i in range(1, n_rows)]
    has_rates = any(max(four) > 1 for four in stored)
    for i, move in enumerate(game.moves):
        code = data[17 * (i + 1)]
        told = ((2, 3, 0, 1)[code % 4], code // 4 % 16, code // 64 + 1)
        if told != (move.direction, move.cell, move.exponent):
            return False
        if not same_rates(move, stored[i] if has_rates else [0] * 4, legal[i]):
            return False
    return len(data) == 17 * (len(game.moves) + 1) or game.problem != ""


def witness_history(data: bytes, game: Replay, positions: list, _legal: list) -> bool:
    points = 0
    for i, position in enumerate(positions):
        if whole(data, 13 * i, 8) != slow.number(position):
            return False
        points_before, points = points, whole(data, 13 * i + 8, 4)
        if not game.problem and points < points_before:
            return False
        if i and data[13 * i + 12] != game.moves[i - 1].direction + 1:
            return False
    return len(data) == 13 * len(positions) or game.problem != ""


def texts(data: bytes) -> list[str]:
    """Return a file in all encodings."""
    names = ("utf-8-sig", "cp850", "cp1252", "latin-1", "utf-16")
    return [data.decode(name, "replace").strip("\r\n\ufeff") for name in names]


def size_of(game: Replay) -> str:
    """Return the size of a board by its walls."""
    where = [cell if exponent == 15 else -1 for cell, exponent in enumerate(game.start)]
    known = {tuple(c if w else -1 for c, w in enumerate(walls)): n for n, walls in WALLS_OF.items()}
    return known[tuple(where)] if game.walls else "4x4"


def witness_old(data: bytes, game: Replay, _positions: list, _legal: list) -> bool:
    body = slow.old(size_of(game), game.start_tiles, slow.moves_of(game)).split("_", 1)[1]

    def says(text: str) -> bool:
        text = text.lstrip()
        for n_head in (7, 10, 11):  # start tiles may have any direction
            told = text[n_head : n_head + len(body)]
            is_start = all(
                any(slow.old_char(slow_value(want) + 32 * k) == got for k in range(4))
                for want, got in zip(body[:2], told[:2], strict=False)
            )
            if len(told) == len(body) and is_start and told[2:] == body[2:]:
                return bool(game.problem) or len(text) == n_head + len(body)
        return False

    return any(map(says, texts(data)))


def slow_value(letter: str) -> int:
    """Return the number of a letter of the older format."""
    return [slow.old_char(value) for value in range(128)].index(letter)


def witness_new(data: bytes, game: Replay, _positions: list, _legal: list) -> bool:
    times = [TIMES[move.ms] for move in game.moves]
    want = slow.new(size_of(game), game.start_tiles, slow.moves_of(game), times)

    def says(text: str) -> bool:
        text = text.strip()
        if len(text) < len(want) or text[:6] != want[:6] or text[12 : len(want)] != want[12:]:
            return False
        # Of a start tile only the place and the kind count: its direction and time may be any.
        starts = [text[6:9], text[9:12]]
        for told, (cell, exponent) in zip(starts, game.start_tiles, strict=True):
            bits = sum(NEW_VALUES.get(c, 1 << 30) << 7 * (2 - i) for i, c in enumerate(told))
            row, column = cell // 4 - slow.SIZES[size_of(game)][2], cell % 4
            if bits >> 2 & 255 != (exponent - 1) | column << 2 | row << 5:
                return False
        return bool(game.problem) or len(text) == len(want)

    return any(map(says, texts(data)))


def witness_next(data: bytes, game: Replay, _positions: list, _legal: list) -> bool:
    """Go through the records with a clock; the game must be what stands after one of them."""
    if not data.startswith(b"RPL1"):
        data = base64.b64decode(b"".join(data.split())[17:].rstrip(b"=") + b"===")
    body, at = data[:-4], 7
    is_turned = body[4] >> 4 > body[4] & 15

    def number() -> int:
        nonlocal at
        found = shift = 0
        while True:
            at += 1
            found += (body[at - 1] & 127) << shift
            shift += 7
            if body[at - 1] < 128:
                return found

    def tile(index: int, is_four: int) -> tuple[int, int]:
        row, column = divmod(index, body[4] & 15)
        row, column = (column, row) if is_turned else (row, column)
        return 4 * (row + slow.SIZES[size_of(game)][2]) + column, 1 + is_four

    if body[5] & 1:
        number()
    tiles = []
    for _ in range(body[6]):
        if body[5] & 8:
            value = number()
            tiles.append(tile(value >> 1, value & 1))
        else:
            at += 1
            tiles.append(tile(body[at - 1] & 15, body[at - 1] >> 4 & 1))
    want = [(m.direction, m.cell, m.exponent, m.ms) for m in game.moves]
    kept: list[tuple] = []  # a move, and the clock after it: milliseconds, unknown times
    clock, n_unknown, was_there = 0, 0, False
    order = (0, 3, 1, 2) if is_turned else (2, 1, 3, 0)

    def tick(ms: int) -> None:
        nonlocal clock, n_unknown
        clock, n_unknown = (clock, n_unknown + 1) if ms >= 2**32 - 1 else (clock + ms, n_unknown)

    def told() -> list[tuple]:
        found, before = [], (0, 0)
        for move, after in kept:
            ms = after[0] - before[0] if after[1] == before[1] else None
            found.append((*move, ms))
            before = after
        return found

    if list(game.start_tiles) != tiles:
        return False
    try:
        while True:
            now = len(kept) == len(want) and told() == want
            was_there = was_there or now
            if at >= len(body) or body[at] == 0x84:
                is_whole = at >= len(body) - 1 and slow.little(zlib.crc32(body), 4) == data[-4:]
                return was_there if game.problem else now and is_whole
            code, at = body[at], at + 1
            if code < 0x80 or code == 0x85:
                direction, index, four = code & 3, code >> 2 & 15, code >> 6
                if code == 0x85:
                    direction, at = body[at], at + 1
                    index, four, at = number(), body[at], at + 1
                tick(number())
                move = (order[direction], *tile(index, four))
                kept.append((move, (clock, n_unknown)))
            elif code in (0x80, 0x81):
                n = number() if code == 0x81 else 1
                tick(number())
                kept = kept[: len(kept) - n] if n else kept
            elif code == 0x82:
                at += -(-(body[4] & 15) * (body[4] >> 4) * 5 // 8)
            elif code == 0x83:
                number()
                at += number()
            else:
                return was_there and bool(game.problem)
    except IndexError:
        return was_there and bool(game.problem)


TIMES = {slow.BASE[s] + slow.STEP[s] * c: (s, c) for s in range(8) for c in range(256)}
TIMES = {**TIMES, slow.BASE[7] + slow.STEP[7] * 255: None, None: (7, 255)}
NEW_VALUES = {slow.new_char(value): value for value in range(128)}
WITNESSES = {
    "rpl": witness_rpl,
    "rec": witness_rec,
    "verse-old": witness_old,
    "verse-new": witness_new,
    "history": witness_history,
    "2048next": witness_next,
}


def play(game: Replay) -> tuple[list, list]:
    """Return all positions and, before each move, which directions are legal: by slow rules."""
    import oracle

    board, positions, legal = list(game.start), [list(game.start)], []
    for number, move in enumerate(game.moves, 1):
        after = [oracle.move(board, d, game.walls, game.merge_32768)[0] for d in range(4)]
        legal.append([one != board for one in after])
        assert legal[-1][move.direction], f"move {number} of the game read is illegal"
        board = after[move.direction]
        assert board[move.cell] == 0, f"the tile of move {number} lies on another"
        assert move.exponent in (1, 2)
        board[move.cell] = move.exponent
        board = list(dict(game.gaps).get(number, board))
        positions.append(board)
    return positions, legal


class Campaign:
    """What happened so far."""

    def __init__(self, limit_ms: float) -> None:
        self.limit_ms = limit_ms
        self.outcomes: dict[str, Counter] = {name: Counter() for name in READERS}
        self.failures: list[str] = []
        self.slowest_ms = 0.0
        self.n_reads = self.n_moves = 0

    def read(self, name: str, reader: Callable[[bytes], object], data: bytes) -> object:
        """Return the result of a reader, None if it refuses."""
        self.n_reads += 1
        began = time.perf_counter()
        try:
            return reader(data)
        except ReplayError as error:
            if len(str(error)) < 20:
                self.failures.append(f"{name}: says only {error}")
            return None
        except Exception as error:  # noqa: BLE001, that is the question
            self.failures.append(f"{name}: {error!r} for {data[:80]!r}")
            return None
        finally:
            ms = 1000 * (time.perf_counter() - began)
            self.slowest_ms = max(self.slowest_ms, ms)
            if ms > self.limit_ms:
                self.failures.append(f"{name}: {ms:.0f} ms for {len(data)} bytes")

    def judge(self, name: str, data: bytes, game: Replay) -> list[list[int]] | None:
        """Return the positions of a game that was read, once they are what the file says."""
        self.n_moves += len(game.moves)
        try:
            positions, legal = play(game)
            if WITNESSES[name](data, game, positions, legal):
                return positions
            why = "is not what the file says"
        except (AssertionError, LookupError, ValueError) as error:
            why = repr(error)
        self.failures.append(f"{name}: {why}: {game.problem!r} {len(game.moves)} {data[:60].hex()}")
        return None

    def try_file(self, original: Original, kind: str, data: bytes) -> None:
        """Give one damaged file to all readers."""
        name, outcome, read_as, game = original.name, "refused", "", None
        found = self.read("any", read_replay, data)
        if isinstance(found, tuple):
            read_as, game = found
            positions = self.judge(read_as, data, game)
            outcome = "in part" if game.problem else "whole"
            if read_as != name:
                outcome = f"as another format, {outcome}"
            elif not game.problem and positions != original.positions:
                outcome = f"whole, another game ({kind})"
                n_same = len(original.positions) - (name == "history")
                if (
                    kind == flip_bits.__name__
                    and name in ("rpl", "history")
                    and positions
                    and positions[:n_same] != original.positions[:n_same]
                ):
                    self.failures.append(f"{name}: flipped bits made another game")
        self.outcomes[name][outcome] += 1
        for codec, reader in READERS.items():
            again = self.read(codec, reader, data)
            if isinstance(again, Replay) and (codec, again) != (read_as, game):
                self.judge(codec, data, again)


def main() -> int:
    """Run the campaign; return 1 when anything failed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit-ms", type=float, default=250.0)
    options = parser.parse_args()
    rng = random.Random(options.seed)
    files = originals(rng)
    campaign, kinds, began = Campaign(options.limit_ms), Counter(), time.perf_counter()
    for _ in range(options.files):
        original = rng.choice(files)
        kind, data = damage(rng, original, files)
        kinds[kind] += 1
        campaign.try_file(original, kind, data)
    seconds = time.perf_counter() - began
    print(f"{options.files} damaged files of {len(files)}, seed {options.seed}, {seconds:.0f} s")
    print("damage:", ", ".join(f"{name} {n}" for name, n in kinds.most_common()))
    for name, outcomes in campaign.outcomes.items():
        print(f"{name:10}", ", ".join(f"{what} {n}" for what, n in outcomes.most_common()))
    print(f"{campaign.n_reads} reads, {campaign.n_moves} moves compared with their file")
    print(f"slowest read {campaign.slowest_ms:.1f} ms, limit {options.limit_ms:.0f} ms")
    print(f"failures: {len(campaign.failures)}")
    for failure in campaign.failures[:20]:
        print(" ", failure)
    return bool(campaign.failures)


if __name__ == "__main__":
    sys.exit(main())
