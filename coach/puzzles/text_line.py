"""Puzzles as lines of text, to be mailed, posted and kept: one puzzle, one line.

    2048-puzzle/1 formation=L3 target=512 spawn4=0.1 symmetry=full board=1230ffff0000ffff
        best=left left=0.93 right=- up=0.8 down=- check=5f3a90c1

(in one line). ``2048-puzzle/1`` is the format and its version. A target is a tile, or ``sum1800``.
A board is 16 hex digits, row by row from the top left, each the exponent of a tile; large tiles and
walls are f. A rate is a decimal number in [0, 1], ``-`` for a move that is illegal or breaks the
formation. ``check`` is the CRC-32 of the fields before it, in this order, one space between them.

What mail does to a line is undone: signs of quoting in front, more or fewer spaces, also around
``=`` and inside the board, and line breaks, up to the check. What else was changed is noticed. The
puzzle must be one by its own rates: `coach.puzzles.puzzle`. Lines that begin with # are skipped.
"""

import re
import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import isfinite

from coach.mistakes.mistake import TableKey
from coach.puzzles.puzzle import Puzzle, illegal_rates, puzzle_of
from engine.bitboard import DIRECTIONS, format_board, parse_board
from engine.errors import AppError
from engine.geometry import MODES
from engine.language import listed, tr, trn
from tablebase.formation.goal import read_goal

MOST_BYTES = 16 << 20
"""Of a file: some 80,000 puzzles."""

MOST_PROBLEMS = 100
"""After so many lines that are none a text is no list of puzzles."""

_NAME, _VERSION = "2048-puzzle", "1"
_HEAD = f"{_NAME}/{_VERSION}"
_FIELDS = ("formation", "target", "spawn4", "symmetry", "board", "best", *DIRECTIONS)
_CHECK = "check"
_MOST_CHARACTERS = 1000  # of one puzzle, however mail has broken its line
_MOST_SHOWN = 40
_QUOTED = re.compile(r"^[\s>|\ufeff]+")
_EQUALS = re.compile(r"\s*=\s*")
_FORMATION = re.compile(r"[A-Za-z0-9]{1,32}")
_NUMBER = re.compile(r"[0-9]{1,3}(\.[0-9]{1,25})?([eE][+-]?[0-9]{1,3})?")
_DIGITS = re.compile(r"[0-9a-fA-F]{8}")


class PuzzleTextError(AppError, ValueError):
    """A line that is no puzzle."""


@dataclass(frozen=True)
class Reading:
    """What was read of a text.

    Attributes
    ----------
    puzzles : tuple of (int, Puzzle)
        Each with the number of its line, from 1.
    problems : tuple of str
        A sentence for each line that is no puzzle, with its number.
    """

    puzzles: tuple[tuple[int, Puzzle], ...]
    problems: tuple[str, ...]


def to_line(puzzle: Puzzle) -> str:
    """Return the line of a puzzle."""
    formation, _, target = puzzle.key.name.rpartition("_")
    rates = ["-" if rate is None else repr(float(rate)) for rate in puzzle.rates]
    values = (
        *(formation, target, repr(float(puzzle.key.spawn4)), puzzle.symmetry),
        *(format_board(puzzle.board), DIRECTIONS[puzzle.best], *rates),
    )
    body = _body(dict(zip(_FIELDS, values, strict=True)))
    return f"{_HEAD} {body} {_CHECK}={_checksum(body)}"


def to_text(puzzles: Iterable[Puzzle]) -> str:
    """Return a file of puzzles."""
    return "".join(f"{to_line(puzzle)}\n" for puzzle in puzzles)


def read_text(text: str) -> Reading:
    """Return the puzzles in a text, and what is wrong with the rest of it."""
    puzzles: list[tuple[int, Puzzle]] = []
    problems: list[str] = []
    for number, line in _records(text):
        try:
            puzzles.append((number, read_line(line)))
        except AppError as error:
            problems.append(tr("line {number}: {problem}", number=number, problem=error))
        if len(problems) == MOST_PROBLEMS:
            text = tr("too many lines are no puzzles; nothing after this one was read")
            problems.append(tr("line {number}: {problem}", number=number, problem=text))
            break
    return Reading(tuple(puzzles), tuple(problems))


def read_line(line: str) -> Puzzle:
    """Return the puzzle of a line.

    Raises
    ------
    PuzzleTextError
        It is none; the message says what is wrong with it.
    """
    fields = _fields(line)
    name = f"{fields['formation']}_{fields['target']}"
    goal = read_goal(fields["target"])
    is_goal = goal is not None and goal.is_possible and str(goal) == fields["target"]
    if not _FORMATION.fullmatch(fields["formation"]) or not is_goal:
        raise PuzzleTextError(
            tr(
                "{name!r} is no table; expected a formation and a target, as in L3_512",
                name=_short(name),
            )
        )
    spawn4, symmetry = _share("spawn4", fields["spawn4"]), fields["symmetry"]
    if symmetry not in MODES:
        modes = listed(MODES)
        raise _wrong("symmetry", symmetry, tr("one of {names}", names=modes))
    board = parse_board(fields["board"])
    rates = tuple(None if fields[one] == "-" else _share(one, fields[one]) for one in DIRECTIONS)
    if fields["best"] not in DIRECTIONS:
        raise _wrong("best", fields["best"], tr("one of {names}", names=listed(DIRECTIONS)))
    if illegal := illegal_rates(board, rates, symmetry != "full"):
        text = tr("{move} has a rate, but nothing moves that way", move=DIRECTIONS[illegal[0]])
        raise PuzzleTextError(text)
    puzzle = puzzle_of(TableKey(name, spawn4), board, symmetry, rates)
    best = DIRECTIONS.index(fields["best"])
    top = max((rate for rate in rates if rate is not None), default=None)
    if puzzle is None or rates[best] != top:
        raise PuzzleTextError(
            tr(
                "by its rates this is no puzzle: one move must be best by far, and not the one "
                "that looks natural"
            )
        )
    return puzzle


def _records(text: str) -> Iterator[tuple[int, str]]:
    """Yield each puzzle with the number of its first line; lines that mail has broken are joined.

    A line that belongs to no puzzle is yielded by itself.
    """
    begun: list[str] = []
    first = 0
    for number, raw in enumerate(re.split(r"\r\n|\r|\n", text), 1):
        line = _QUOTED.sub("", raw).rstrip()
        if not line or line.startswith("#"):
            continue
        is_head = line.startswith(_NAME)
        if begun and (is_head or _is_whole(begun)):
            yield first, " ".join(begun)
            begun = []
        if not begun:
            first = number
        begun.append(line[: _MOST_CHARACTERS + 1])
        if not (is_head or begun[0].startswith(_NAME)):
            yield first, begun[0]
            begun = []
    if begun:
        yield first, " ".join(begun)


def _is_whole(lines: list[str]) -> bool:
    """Tell whether a puzzle needs no more lines: it has its check, or is too long to be one."""
    joined = _EQUALS.sub("=", " ".join(lines))
    return bool(re.search(rf"\b{_CHECK}=[0-9a-fA-F]{{8}}\s*$", joined)) or (
        len(joined) > _MOST_CHARACTERS
    )


def _fields(line: str) -> dict[str, str]:
    """Return the values of a line by name; all are there, and the check is right."""
    head, rest = (*_QUOTED.sub("", line).split(None, 1), "", "")[:2]
    name, _, version = head.partition("/")
    if name != _NAME:
        raise PuzzleTextError(
            tr("{text!r} is no puzzle; it should begin with {head}", text=_short(line), head=_HEAD)
        )
    if version != _VERSION:
        raise PuzzleTextError(
            tr(
                "it is in version {version!r} of the format; this program reads version {known}",
                version=_short(version),
                known=_VERSION,
            )
        )
    if len(line) > _MOST_CHARACTERS:
        raise PuzzleTextError(
            trn(
                "it is longer than {n} character",
                "it is longer than {n:,} characters",
                _MOST_CHARACTERS,
            )
        )
    found = _values(rest)
    missing = [one for one in (*_FIELDS, _CHECK) if one not in found]
    if missing:
        raise PuzzleTextError(
            tr("{name} is missing; the line may have been cut off", name=missing[0])
        )
    if not _DIGITS.fullmatch(found[_CHECK]):
        raise _wrong(_CHECK, found[_CHECK], tr("8 hexadecimal digits"))
    if _checksum(_body(found)) != found[_CHECK].lower():
        raise PuzzleTextError(
            tr("it was changed on its way: its check doesn't fit; ask for the line again")
        )
    return found


def _values(text: str) -> dict[str, str]:
    found: dict[str, str] = {}
    name = ""
    for word in _EQUALS.sub("=", text).split():
        before, sign, value = word.partition("=")
        if not sign and name == "board":  # its digits in groups
            found[name] += word
            continue
        name = before.lower()
        if not sign or name not in (*_FIELDS, _CHECK):
            raise PuzzleTextError(
                tr(
                    "{text!r} doesn't belong there; expected {names}",
                    text=_short(word),
                    names=listed([*_FIELDS, _CHECK]),
                )
            )
        if name in found:
            raise PuzzleTextError(tr("{name} is there twice", name=name))
        found[name] = value
    return found


def _share(name: str, text: str) -> float:
    number = float(text) if _NUMBER.fullmatch(text) else -1.0
    if not (isfinite(number) and 0 <= number <= 1):
        raise _wrong(name, text, tr("a number from 0 to 1, or - for no rate"))
    return number


def _wrong(name: str, value: str, expected: str) -> PuzzleTextError:
    return PuzzleTextError(
        tr("{name}={value}: expected {expected}", name=name, value=_short(value), expected=expected)
    )


def _body(fields: Mapping[str, str]) -> str:
    return " ".join(f"{name}={fields[name]}" for name in _FIELDS)


def _checksum(body: str) -> str:
    return f"{zlib.crc32(body.encode('utf-8', 'surrogatepass')):08x}"


def _short(text: str) -> str:
    return text if len(text) <= _MOST_SHOWN else text[:_MOST_SHOWN] + "..."
