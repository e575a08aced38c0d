"""A game on disk while it is played: a file that grows by one line per move.

line 1     ``{"version": 2, "best": 1234, "game": {...}}``, game as in `engine.game_data`
then       ``l41``   a move and its new tile: letter l r u d, cell as hex digit, exponent
           ``l41!``  the same, with a tile that was chosen rather than drawn
           ``l41 850``  the same, with its time in milliseconds (from version 2 on)
           ``u`` ``r``   undo, redo
           ``= 0123000000000000 480``   another position was set, with its score
           ``+ name``   from here on someone other than the user makes moves

Each line is written immediately and in one piece, in a few microseconds, so if the program is
killed at most the current line is lost. An incomplete last line is ignored. Lines that a full drive
refuses are written with the next line, see `engine.platform.files.line_file`.
"""

import json
import re
import reprlib
from dataclasses import dataclass
from pathlib import Path

from engine.bitboard import DIRECTIONS
from engine.game import Game, MoveResult
from engine.game_data import game_from_dict, game_to_dict
from engine.platform.files.atomic_file import write_file
from engine.platform.files.input_file import read_limited
from engine.platform.files.json_struct import as_struct
from engine.platform.files.line_file import LineFile
from engine.platform.language import tr
from engine.saved_game import SavedGameError, cells_from_text

VERSION = 2
MAX_BYTES = 64 << 20  # many times the longest game, even with every move undone and redone
_READ = (1, VERSION)
_LETTERS = "".join(name[0] for name in DIRECTIONS)
# A window may stand open for weeks before a move: its milliseconds have more than nine digits.
_MOVE = re.compile(r"([lrud])([0-9a-f])([12])(!?)(?: ([0-9]{1,15}))?")


@dataclass
class LoggedGame:
    """The content of a game's log."""

    game: Game
    # The highest score ever: that of this game too, even if undone, but not a score reached from a
    # position that was set.
    best: int
    helper: str = ""  # who made moves for the user; "" for nobody
    # What was wrong with the log; the game is the one before it. "" if nothing was wrong.
    problem: str = ""
    # Whether the log has a bad line: it cannot be continued and must be rewritten.
    is_torn: bool = False


def read_log(path: Path) -> LoggedGame:
    """Raise SavedGameError if not even the first line can be used."""
    *lines, rest = read_limited(path, MAX_BYTES).split(b"\n")
    if not lines:
        raise SavedGameError(
            "{path}: the first line has no end; expected the start of a game", path=path
        )
    from engine.game_fields import LogFields

    try:
        data = json.loads(lines[0])
    except (ValueError, RecursionError) as error:
        raise SavedGameError(f"{path}: {error}") from error
    version = data.get("version", VERSION) if isinstance(data, dict) else VERSION
    if version not in _READ:
        raise SavedGameError(
            "{path} has version {version}; this program reads {known}",
            path=path,
            version=reprlib.repr(version),
            known=VERSION,
        )
    fields = as_struct(data, LogFields, lambda problem: SavedGameError(f"{path}: {problem}"))
    game = game_from_dict(fields.game)
    logged = LoggedGame(game, fields.best, is_torn=bool(rest))
    for number, line in enumerate(lines[1:], 2):
        try:
            _follow(logged, line.decode("ascii"))
        except ValueError as error:  # from a character, a number, a board, a tile
            logged.problem = tr(
                "line {number} of {all} cannot be followed: {problem}",
                number=number,
                all=len(lines),
                problem=error,
            )
            logged.is_torn = True
            break
        if not (game.is_from_set_board or logged.helper):
            logged.best = max(logged.best, game.score)
    return logged


def _follow(logged: LoggedGame, line: str) -> None:
    game = logged.game
    if line == "u":
        done = game.undo()
    elif line == "r":
        done = game.redo()
    elif line.startswith("= "):
        _, board, score = line.split(" ")
        game.set_board(cells_from_text(board), int(score))
        done = True
    elif line.startswith("+ "):
        logged.helper, done = line[2:], True
    else:
        done = _follow_move(game, line)
    if not done:
        raise SavedGameError("{line!r} is not possible there", line=line)


def _follow_move(game: Game, line: str) -> bool:
    match = _MOVE.fullmatch(line)
    if match is None:
        raise SavedGameError("{line!r} is not a move", line=line)
    letter, cell, exponent, chosen, ms = match.groups()
    tile = (int(cell, 16), int(exponent))
    time = int(ms) if ms else None
    move = game.move(_LETTERS.index(letter), tile if chosen else None, time)
    if move and move.spawned != tile:
        game.undo()
        raise SavedGameError(
            "the new tile of {line!r} should be {tile}", line=line, tile=move.spawned
        )
    return move is not None


class GameLog:
    """Writes a log; the file is replaced as a whole by `begin` and then only grows."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._file: LineFile | None = None

    def begin(self, game: Game, best: int, helper: str = "") -> None:
        self.close()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        head = json.dumps({"version": VERSION, "best": best, "game": game_to_dict(game)})
        lines = f"{head}\n+ {helper}\n" if helper else f"{head}\n"
        write_file(self.path, [lines.encode("ascii")])
        self.resume()

    def resume(self) -> None:
        self.close()
        self._file = LineFile(self.path)

    @property
    def is_open(self) -> bool:
        return self._file is not None

    def move(
        self, result: MoveResult, is_chosen: bool, ms: int | None = None, helper: str = ""
    ) -> None:
        """Record a move, its time if known, and who makes the moves from this one on."""
        cell, exponent = result.spawned
        end = ("!" if is_chosen else "") + ("" if ms is None else f" {ms}")
        start = f"+ {helper}\n" if helper else ""  # in one piece: a full drive takes both or none
        self._write(f"{start}{_LETTERS[result.direction]}{cell:x}{exponent}{end}")

    def undo(self) -> None:
        self._write("u")

    def redo(self) -> None:
        self._write("r")

    def set_board(self, game: Game) -> None:
        self._write(f"= {game.text} {game.score}")

    def flush(self) -> None:
        """Write lines that could not be written before; raise OSError if they still cannot be."""
        if self._file:
            self._file.flush()

    def close(self) -> None:
        """May be called twice."""
        if self._file:
            self._file.close()
        self._file = None

    def _write(self, line: str) -> None:
        if self._file:
            self._file.append(line)
