"""Puzzles as text: what is written is read again, what mail does is undone, the rest is noticed."""

import random
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from coach.mistakes.mistake import TableKey
from coach.puzzles.puzzle import Puzzle, puzzle_of
from coach.puzzles.text_line import PuzzleTextError, checked, read_line, read_text, to_line, to_text
from engine.bitboard import DIRECTIONS, parse_board
from engine.platform.errors import AppError
from engine.platform.files.checked_line import MAX_BYTES
from engine.platform.files.input_file import read_text as read_file
from tablebase.errors import ProbeError
from tablebase.probe.probes import Probe
from tests.coach.games import probed

KEY = TableKey("L3_512", 0.1)


def made(
    board: str = "1000 0001 0005 0128",
    rates: tuple[float | None, ...] = (0.9, 0.5, 1 / 3, None),
    key: TableKey = KEY,
    symmetry: str = "full",
) -> Puzzle:
    puzzle = puzzle_of(key, parse_board(board), symmetry, rates)
    assert puzzle
    return puzzle


PUZZLE = made()
OTHERS = (
    made(rates=(0.9, 1e-12, None, None)),
    made(key=TableKey("3x3_sum1800", 0.25)),
    made("100f 001f 128f ffff", (0.2, 0.1, 0.15, None), TableKey("3x3_256", 0.1), "square3x3"),
)


def line_of(**changes: str) -> str:
    """Return the line of PUZZLE with other values, and the check that belongs to them."""
    body, _, _ = to_line(PUZZLE).partition(" check=")
    fields = dict(word.split("=") for word in body.split()[1:]) | changes
    text = " ".join(f"{name}={value}" for name, value in fields.items())
    return f"2048-puzzle/1 {text} check={zlib.crc32(text.encode()):08x}"


def test_a_puzzle_is_one_readable_line():
    words = to_line(PUZZLE).split()
    assert words[:5] == [
        "2048-puzzle/1",
        "formation=L3",
        "target=512",
        "spawn4=0.1",
        "symmetry=full",
    ]
    assert [word.split("=")[0] for word in words[5:]] == [
        "board", "best", "left", "right", "up", "down", "check",
    ]  # fmt: skip
    assert line_of() == to_line(PUZZLE), "the check is that of the documents"


@pytest.mark.parametrize("puzzle", [PUZZLE, *OTHERS])
def test_what_is_written_is_read_again(puzzle):
    assert read_line(to_line(puzzle)) == puzzle


def test_a_file_has_one_puzzle_a_line():
    text = to_text([PUZZLE, *OTHERS])
    assert text.count("\n") == 4
    reading = read_text(f"# from a friend\n\n{text}")
    assert reading.problems == ()
    assert reading.found == tuple(enumerate((PUZZLE, *OTHERS), 3))


@pytest.mark.parametrize(
    "spoil",
    [
        lambda line: f"  > > {line}  ",
        lambda line: line.replace(" ", "   \t "),
        lambda line: line.replace("=", " = "),
        lambda line: line.replace(" ", "\N{NO-BREAK SPACE}"),
        lambda line: line.replace(" best", "\n> best").replace(" check", "\r\n check"),
        lambda line: line.replace("board=", "board=\n"),
        lambda line: line.replace("check=", "check =\n"),
        lambda line: "\ufeff" + line,
        lambda line: "> 2048-puzzle/1\n" + line.removeprefix("2048-puzzle/1"),
        lambda line: " ".join(
            [line[: line.index("board=") + 10], line[line.index("board=") + 10 :]]
        ),
    ],
)
def test_what_mail_does_to_a_line_is_undone(spoil):
    text = spoil(to_line(PUZZLE)) + "\n\n" + spoil(to_line(OTHERS[0])) + "\n-- \nA friend\n"
    reading = read_text(text)
    assert [puzzle for _, puzzle in reading.found] == [PUZZLE, OTHERS[0]]
    assert len(reading.problems) == 2, "what is no puzzle is named"
    assert all("is not a puzzle" in problem for problem in reading.problems)


def test_the_number_of_a_line_is_told_with_what_is_wrong():
    good = to_line(PUZZLE)
    text = f"{good}\n{good[:-30]}\n\n{good.replace('0.5', '0.4')}\n{good}\nnonsense"
    reading = read_text(text)
    assert [number for number, _ in reading.found] == [1, 5]
    assert [problem.partition(":")[0] for problem in reading.problems] == [
        "line 2", "line 4", "line 6",
    ]  # fmt: skip
    assert "missing" in reading.problems[0]
    assert "changed on its way" in reading.problems[1]
    assert "not a puzzle" in reading.problems[2]


# Boards are written in the one form of their images, so these are the directions there.
BEST, SECOND, THIRD = (DIRECTIONS[one] for one in PUZZLE.moves)
FOURTH = next(one for one in DIRECTIONS if one not in (BEST, SECOND, THIRD))


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"formation": "../../etc"}, "not a table"),
        ({"formation": "L-3"}, "not a table"),
        ({"formation": ""}, "missing"),
        ({"target": "500"}, "not a table"),
        ({"target": "0512"}, "not a table"),
        ({"spawn4": "1.5"}, "from 0 to 1"),
        ({"spawn4": "nan"}, "from 0 to 1"),
        ({BEST: "inf"}, "from 0 to 1"),
        ({BEST: "1_0e-1"}, "from 0 to 1"),
        ({BEST: "\N{FULLWIDTH DIGIT ONE}"}, "from 0 to 1"),
        ({BEST: "1e999"}, "from 0 to 1"),
        ({BEST: "-0.5"}, "from 0 to 1"),
        ({"symmetry": "round"}, "expected one of"),
        ({"best": "north"}, "expected one of"),
        ({"best": SECOND}, "not a puzzle"),
        ({"best": FOURTH}, "not a puzzle"),
        ({SECOND: "0.89"}, "not a puzzle"),
        ({SECOND: "-", THIRD: "-"}, "not a puzzle"),
        ({"board": "123"}, "16 hexadecimal digits"),
        ({"board": "x" * 16}, "hexadecimal"),
        ({"board": "0" * 16}, "nothing moves that way"),
    ],
)
def test_a_line_with_a_right_check_must_make_sense_too(changes, said):
    line = line_of(**changes)
    with pytest.raises(AppError, match=said):
        read_line(line)
    reading = read_text(line)
    assert not reading.found
    assert [said in problem for problem in reading.problems] == [True]


def test_another_version_is_named():
    with pytest.raises(PuzzleTextError, match=r"version '2'.*reads version 1"):
        read_line(to_line(PUZZLE).replace("/1", "/2"))


def test_a_field_twice_or_unknown_is_refused():
    with pytest.raises(PuzzleTextError, match="twice"):
        read_line(to_line(PUZZLE).replace(" best", " symmetry=full best"))
    with pytest.raises(PuzzleTextError, match="doesn't belong"):
        read_line(to_line(PUZZLE).replace(" best", " color=red best"))


def test_what_is_no_list_of_puzzles_is_not_read_to_its_end():
    reading = read_text(to_line(PUZZLE) + "\nno puzzle" * 1_000_000 + "\n" + to_line(PUZZLE))
    assert [number for number, _ in reading.found] == [1]
    assert len(reading.problems) == 101
    assert reading.problems[-1].startswith("line 101: too many")
    fine = read_text("no puzzle\n" * 99 + to_line(PUZZLE))
    assert len(fine.found) == 1


def test_endless_lines_are_refused_at_once():
    for text in ("2048-puzzle/1 " + "a" * 5_000_000, "2048-puzzle/1 board=1\n" * 20_000):
        reading = read_text(text)
        assert not reading.found
        assert reading.problems
        assert max(map(len, reading.problems)) < 400


CHARACTERS = "0123456789abcdefghijklmnoprstuvwxyzEF=-./ \n>#\N{FULLWIDTH DIGIT ONE}\x00\N{SNOWMAN}"


@given(st.integers(0, 1 << 32))
def test_no_mutated_line_is_taken_for_another_puzzle(seed):
    """Up to four characters changed, removed or added anywhere: refused, or read as it was."""
    rng = random.Random(seed)
    line = list(to_line(rng.choice([PUZZLE, *OTHERS])))
    original = read_line("".join(line))
    for _ in range(rng.randint(1, 4)):
        at = rng.randrange(len(line))
        kind = rng.randrange(3)
        if kind == 0:
            line[at] = rng.choice(CHARACTERS)
        elif kind == 1:
            del line[at]
        else:
            line.insert(at, rng.choice(CHARACTERS))
    reading = read_text("".join(line))
    assert {puzzle for _, puzzle in reading.found} <= {original}
    assert reading.found or reading.problems or "".join(line).lstrip().startswith("#")


@given(st.text(max_size=300))
def test_any_text_is_read_or_refused(text):
    assert not read_text(text).found
    assert not read_text(f"2048-puzzle/1 {text}").found


class FakeTable:
    """A table that says the same of every position."""

    name, spawn4, is_thinned, is_limited = "L3_512", 0.1, False, False

    def __init__(self, rates: tuple[float | None, ...] | None) -> None:
        self.rates, self.n_closed = rates, 0

    def probe(self, board: int, comes_up: bool = False) -> Probe:  # noqa: ARG002
        if self.rates is None:
            raise ProbeError("the large tiles are not where L3 has them")
        known = [rate for rate in self.rates if rate is not None]
        return probed(board, self.rates, self.rates.index(max(known)))

    def close(self) -> None:
        self.n_closed += 1


def test_imported_puzzles_get_the_rates_of_tables_that_are_here():
    other = OTHERS[1]
    reading = read_text(to_text([PUZZLE, other]))
    own = tuple(rate and rate * 0.999 for rate in PUZZLE.rates)
    table = FakeTable(own)
    found = checked(reading, {KEY: table}.get)
    assert [puzzle.rates for puzzle in found.kept] == [own, other.rates]
    assert (found.problems, found.n_unchecked, table.n_closed) == ((), 1, 1)


def test_a_table_of_lower_bounds_neither_confirms_nor_denies():
    table = FakeTable(tuple(rate and 0.5 for rate in PUZZLE.rates))
    table.is_limited = True
    found = checked(read_text(to_line(PUZZLE)), {KEY: table}.get)
    assert (found.kept, found.problems, found.n_unchecked) == ((PUZZLE,), (), 1)
    assert table.n_closed == 1


def test_a_puzzle_that_the_table_here_denies_is_left_out():
    reading = read_text("# mine\n" + to_text([PUZZLE, OTHERS[1]]))
    wrong = list(PUZZLE.rates)
    wrong[PUZZLE.best], wrong[PUZZLE.moves[1]] = wrong[PUZZLE.moves[1]], wrong[PUZZLE.best]
    for rates, said in ((tuple(wrong), "one right move"), (None, "large tiles")):
        table = FakeTable(rates)
        found = checked(reading, {KEY: table}.get)
        assert found.kept == (OTHERS[1],)
        assert len(found.problems) == 1
        assert found.problems[0].startswith("line 2: ")
        assert said in found.problems[0]
        assert table.n_closed == 1


def test_a_file_that_is_no_text_is_refused(tmp_path):
    path = tmp_path / "puzzles.txt"
    path.write_bytes(b"\xff\xfe\x00\x01" * 10)
    with pytest.raises(AppError):
        read_file(path, "a file of puzzles", MAX_BYTES)
