"""Failed lookups: reported for the requested board, and over when the drive is back."""

import errno
from datetime import datetime, timezone
from pathlib import Path

import pytest

from coach.grading.grade import Tolerance, judge
from coach.grading.rated import Rated
from coach.mistakes.mistake import NotedMove, TableKey
from coach.old_files.opening import open_user_database
from coach.play.judge import Lookup
from engine.platform.errors import AppError
from gui.mistakes.rates import MissingRates
from gui.practice.tile_effects import Explainer
from gui.work.mistake_service import MistakeService
from tablebase.errors import DamagedTableError, ProbeError
from tests.gui.practice_fakes import L3_START, TABLE_PATH, FakeTable, FakeTasks

A, B = L3_START, 0x11000000_0FFF0FFF
FAILURES = [
    OSError(errno.EIO, "Input/output error"),
    DamagedTableError("layer 17 does not match its checksum"),
    ZeroDivisionError("a bug"),
]


class BadDrive(FakeTable):
    """A table whose drive fails for some boards, for as long as a test wants."""

    def __init__(self) -> None:
        super().__init__()
        self.failing: dict[int, Exception] = {}

    def probe(self, board, comes_up=False):
        if board in self.failing:
            self.probed.append(board)
            raise self.failing[board]
        return super().probe(board, comes_up)


@pytest.fixture
def tasks():
    return FakeTasks()


@pytest.fixture
def table():
    return BadDrive()


@pytest.fixture
def lookup(table, tasks):
    lookup = Lookup(lambda _: table, tasks)
    lookup.open(TABLE_PATH, lambda _: None, pytest.fail)
    return lookup


def asked(lookup: Lookup, *boards: int) -> list[Rated | None]:
    """Return the answers for some boards that the page sees when it is notified."""
    seen: list[Rated | None] = []
    lookup.ask(boards, lambda: seen.extend(lookup.answer(board) for board in boards))
    return seen


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_is_told_and_over_when_the_drive_is_back(lookup, table, failure):
    table.failing[A] = failure
    (answer,) = asked(lookup, A)
    assert isinstance(answer.error, AppError)
    assert answer.rates == (None,) * 4
    table.failing.clear()
    (answer,) = asked(lookup, A)
    assert answer.error is None
    assert answer.rates[2] == 0.9931


def test_what_the_system_says_of_the_drive_is_told_with_the_table(lookup, table):
    table.failing[A] = FAILURES[0]
    (answer,) = asked(lookup, A)
    text = "cannot read L3_256: Input/output error; is its drive connected?"
    assert str(answer.error) == text


def test_a_board_outside_the_table_is_asked_for_once(lookup, table):
    table.outside.add(A)
    for _ in range(3):
        (answer,) = asked(lookup, A)
        assert isinstance(answer.error, ProbeError)
    assert table.probed == [A]


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_belongs_to_the_question_that_failed(lookup, table, tasks, failure):
    table.failing[A] = failure
    tasks.at_once = False
    of_a, of_b = asked(lookup, A), asked(lookup, B)
    tasks.work_off()
    assert of_a == [], "the latest question wins"
    (answer,) = of_b
    assert answer.error is None
    assert answer.best == 0


def test_a_failure_that_came_with_something_else_is_not_kept(lookup):
    lookup.keep({A: Rated(error=DamagedTableError("x")), B: Rated(error=ProbeError("y"))})
    assert lookup.answer(A) is None
    assert lookup.answer(B) is not None


def test_a_table_that_another_one_was_opened_after_is_closed(tasks):
    tables = {Path("a"): FakeTable(), Path("b"): FakeTable()}
    lookup, opened = Lookup(tables.__getitem__, tasks), []
    tasks.at_once = False
    lookup.open(Path("a"), opened.append, pytest.fail)
    lookup.open(Path("b"), opened.append, pytest.fail)
    tasks.work_off()
    assert opened == [tables[Path("b")]]
    assert tables[Path("a")].is_closed
    assert not tables[Path("b")].is_closed


def test_an_adversary_that_cannot_read_leaves_it_to_chance(lookup, table):
    chosen = []
    after = 0x01000000_0FFF0FFF
    for cell in range(16):
        for exponent in (1, 2):
            table.failing[after | exponent << (60 - 4 * cell)] = FAILURES[0]
    lookup.choose_spawn(after, False, chosen.append)
    assert chosen == [None]


def test_an_explanation_with_a_failure_in_it_is_made_anew(lookup, table):
    explainer, shown = Explainer(lookup), []
    assert asked(lookup, A)
    table.probed.clear()
    explainer.ask(A, 1, 1, shown.append)
    boards = set(table.probed)
    assert boards
    again = Explainer(lookup)
    table.failing = dict.fromkeys(boards, FAILURES[0])
    assert again.ask(A, 1, 1, shown.append)
    table.failing = {}
    table.probed.clear()
    again.ask(A, 1, 1, shown.append)
    assert set(table.probed) == boards


def test_rates_are_filled_in_at_the_next_time_when_the_drive_failed(tmp_path, table):
    tasks, failed = FakeTasks(), []
    book = MistakeService(open_user_database(tmp_path), tasks)
    book.failed.connect(failed.append)
    rates = (0.9, None, 0.5, None)
    judgement = judge(rates, 2, Tolerance.of_type("uint32"))
    note = book.note(
        NotedMove(
            *(TableKey("L3_256", 0.1), A, judgement, rates, datetime.now(timezone.utc), "x", 1)
        )
    )
    assert note
    book.ask(
        lambda mistakes: mistakes.connection.execute(
            "UPDATE mistake SET rate_left = NULL, rate_right = NULL, rate_up = NULL, "
            "rate_down = NULL"
        ),
        lambda _: None,
    )
    key = TableKey("L3_256", 0.1)
    missing = MissingRates(book, lambda _: table, tasks)
    listed = [type("Info", (), {"name": "L3_256", "spawn4": 0.1, "path": tmp_path})()]
    (board,) = {board for _, board in _without_rates(book, key)}
    table.failing[board] = FAILURES[0]
    missing.fill([key], listed)
    assert [type(error) for error in failed] == [OSError]
    table.failing.clear()
    missing.fill([key], listed)
    assert _without_rates(book, key) == []
    book.close()


def _without_rates(book, key):
    found = []
    book.ask(lambda mistakes: mistakes.without_rates(key, 10), found.extend)
    return found
