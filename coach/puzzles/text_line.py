"""Puzzles as lines of text, to mail, post and store: one puzzle per line.

    2048-puzzle/1 formation=L3 target=512 spawn4=0.1 symmetry=full board=1230ffff0000ffff
        best=left left=0.93 right=- up=0.8 down=- check=5f3a90c1

(on one line). ``2048-puzzle/1`` is the format and its version. A target is a tile, or ``sum1800``.
A board is 16 hex digits, row by row from the top left, each the exponent of a tile; large tiles and
walls are f. A rate is a decimal number in [0, 1], ``-`` for a move that is illegal or breaks the
formation. For the rest see `engine.platform.files.checked_line`. It must be a puzzle by its own
rates: `coach.puzzles.puzzle`; `checked` asks the local tables, too.
"""

from collections.abc import Callable, Iterable

from coach.mistakes.checked_by_tables import Checked, checked_by_tables
from coach.mistakes.mistake import TableKey, table_key
from coach.puzzles.finder import as_the_table_says
from coach.puzzles.puzzle import Puzzle, illegal_rates, puzzle_of
from engine.bitboard import DIRECTIONS, format_board, parse_board
from engine.geometry import MODES
from engine.platform.errors import AppError
from engine.platform.files.checked_line import LineFormat, ReadItems, shortened
from engine.platform.language import mark, tr
from tablebase.probe.table import Table


class PuzzleTextError(AppError, ValueError):
    """A line is not a puzzle."""


_FORMAT = LineFormat(
    "2048-puzzle",
    "1",
    ("formation", "target", "spawn4", "symmetry", "board", "best", *DIRECTIONS),
    PuzzleTextError,
    mark("{text!r} is not a puzzle; one begins with {head}"),
    mark("too many lines are not puzzles; nothing after this one was read"),
)


def to_line(puzzle: Puzzle) -> str:
    formation, _, target = puzzle.key.name.rpartition("_")
    rates = ["-" if rate is None else repr(float(rate)) for rate in puzzle.rates]
    return _FORMAT.write(
        {
            "formation": formation,
            "target": target,
            "spawn4": repr(float(puzzle.key.spawn4)),
            "symmetry": puzzle.symmetry,
            "board": format_board(puzzle.board),
            "best": DIRECTIONS[puzzle.best],
            **dict(zip(DIRECTIONS, rates, strict=True)),
        }
    )


def to_text(puzzles: Iterable[Puzzle]) -> str:
    return "".join(f"{to_line(puzzle)}\n" for puzzle in puzzles)


def read_text(text: str) -> ReadItems[Puzzle]:
    return _FORMAT.read_all(text, read_line)


def read_line(line: str) -> Puzzle:
    """Return the puzzle of a line; PuzzleTextError says why it is invalid."""
    fields = _FORMAT.read(line)
    key = table_key(
        fields["formation"], fields["target"], _FORMAT.share("spawn4", fields["spawn4"])
    )
    if key is None:
        raise PuzzleTextError(
            "{name!r} is not a table; expected a formation and a target, as in L3_512",
            name=shortened(f"{fields['formation']}_{fields['target']}"),
        )
    symmetry = _FORMAT.one_of("symmetry", fields["symmetry"], MODES)
    board = parse_board(fields["board"])
    rates = tuple(
        None if fields[one] == "-" else _FORMAT.share(one, fields[one]) for one in DIRECTIONS
    )
    best = DIRECTIONS.index(_FORMAT.one_of("best", fields["best"], DIRECTIONS))
    if illegal := illegal_rates(board, rates, symmetry != "full"):
        text = tr("{move} has a rate, but nothing moves that way", move=DIRECTIONS[illegal[0]])
        raise PuzzleTextError(text)
    puzzle = puzzle_of(key, board, symmetry, rates)
    top = max((rate for rate in rates if rate is not None), default=None)
    if puzzle is None or rates[best] != top:
        raise PuzzleTextError(
            tr(
                "by its rates this is not a puzzle: one move must be best by far, and it must not "
                "be the one that looks natural"
            )
        )
    return puzzle


def checked(
    reading: ReadItems[Puzzle], open_table: Callable[[TableKey], Table | None]
) -> Checked[Puzzle]:
    """Return the puzzles of a text with local rates; see `coach.mistakes.checked_by_tables`."""

    def proving(key: TableKey) -> Table | None:
        table = open_table(key)
        if table and table.is_limited:  # lower bounds prove nothing either way
            table.close()
            return None
        return table

    return checked_by_tables(reading, lambda puzzle: puzzle.key, proving, _rated_by)


def _rated_by(table: Table, puzzle: Puzzle) -> Puzzle:
    """Return a puzzle with the table's rates; raise PuzzleTextError if it isn't one."""
    found = as_the_table_says(table, puzzle)
    if found is None or found.best != puzzle.best:
        raise PuzzleTextError(
            "your {table} table doesn't say that {move} is the one right move",
            table=table.name,
            move=DIRECTIONS[puzzle.best],
        )
    return found
