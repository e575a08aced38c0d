"""Today's session: what is due in the drill, then a test where most is lost. No Qt."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from coach.exam.history import FinishedTest
from coach.exam.weak_spot import Evidence, WeakSpot, weak_spot
from coach.mistakes.mistake import TableKey
from gui.text.numbers import format_table, format_whole
from gui.text.reviews import format_share

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo


@dataclass(frozen=True)
class DailySession:
    """What there is to do today.

    Attributes
    ----------
    n_due : int
        Moves to drill first.
    table : TableInfo
        What to take a test on then.
    why : str
        Why on that one, for the end of a sentence; "" where there is no choice.
    n_tests : int
        Tests that were finished today.
    """

    n_due: int
    table: "TableInfo"
    why: str
    n_tests: int

    @property
    def is_done(self) -> bool:
        """Whether all of it was done."""
        return self.n_tests > 0 and not self.n_due

    @property
    def table_title(self) -> str:
        """The table as people read it."""
        return format_table(self.table.pattern, self.table.target)

    @property
    def title(self) -> str:
        """What it is called."""
        return "Today's session is done" if self.is_done else "Today's session"

    @property
    def button(self) -> str:
        """What begins it."""
        return "Take another test" if self.is_done else "Start today's session"

    @property
    def text(self) -> str:
        """What it is, in a sentence."""
        test = f"a test on {self.table_title}{self.why}"
        if self.n_due:
            return f"Drill {moves_due(self.n_due)}, then take {test}."
        if self.is_done:
            n = "1 test" if self.n_tests == 1 else f"{format_whole(self.n_tests)} tests"
            another = test.removeprefix("a ")
            return f"{n} today, and nothing is due. If you want more, take another {another}."
        return f"Nothing is due, so take {test}."


def moves_due(n: int) -> str:
    """Return how many moves are due: `the move that's due`, `the 12 moves that are due`."""
    return "the move that's due" if n == 1 else f"the {format_whole(n)} moves that are due"


def todays_session(
    usable: "Sequence[TableInfo]",
    tests: Sequence[FinishedTest],
    losses: Mapping[TableKey, float],
    last_table: str,
    n_due: int,
    now: datetime,
) -> DailySession | None:
    """Return what to do today; None without a table.

    Parameters
    ----------
    usable : sequence of TableInfo
        The tables that a test can be taken on.
    tests : sequence of FinishedTest
        The newest first.
    losses : mapping of TableKey to float
        What recent mistakes gave away.
    last_table : str
        The folder of the table in use last.
    n_due : int
    now : datetime
        With the time zone in which a day begins.
    """
    if not usable:
        return None
    tables = {_key(table): table for table in reversed(usable)}
    spot = weak_spot(tests, tables, losses)
    if spot:
        table, why = tables[spot.key], _why(spot) if len(tables) > 1 else ""
    else:
        last = next((one for one in usable if str(one.path) == last_table), None)
        table = last or usable[0]
        why = ", the table you used last" if last and len(tables) > 1 else ""
    today = now.date()
    n_tests = sum(
        test.outcome != "" and test.ended.astimezone(now.tzinfo).date() == today for test in tests
    )
    return DailySession(n_due, table, why, n_tests)


def _key(table: "TableInfo") -> TableKey:
    return TableKey(table.name, table.spawn4)


def _why(spot: WeakSpot) -> str:
    if spot.evidence is Evidence.TESTS:
        return f", where you lose the most: {format_share(spot.loss)} of your chance a move"
    return ", where your recent mistakes cost the most"
