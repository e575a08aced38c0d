"""Checking items imported as lines of text by the local tables, each opened once."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from typing import Generic, TypeVar

from coach.mistakes.mistake import TableKey
from engine.platform.errors import AppError
from engine.platform.files.checked_line import ReadItems
from engine.platform.language import tr
from tablebase.probe.table import Table

T = TypeVar("T")


@dataclass(frozen=True)
class Checked(Generic[T]):
    """The items of a text that can be kept."""

    # Items as the local tables have them; those of other tables unchanged; in the order of the
    # text.
    kept: tuple[T, ...]
    problems: tuple[str, ...]  # a sentence for each line that is left out
    n_unchecked: int  # number of items whose tables are not here


def checked_by_tables(
    reading: ReadItems[T],
    key_of: Callable[[T], TableKey | None],
    open_table: Callable[[TableKey], Table | None],
    by_table: Callable[[Table, T], T],
) -> Checked[T]:
    """Return the items of a text as the local tables have them.

    Parameters
    ----------
    key_of : callable
        Returns the table key of an item; None if no table can check it.
    open_table : callable
        Returns None if the table is not here or proves nothing.
    by_table : callable
        Returns an item as the table has it; raises AppError if the table disagrees.
    """
    lines: dict[TableKey | None, list[tuple[int, T]]] = {}
    for number, one in reading.found:
        lines.setdefault(key_of(one), []).append((number, one))
    kept = dict(lines.pop(None, ()))
    problems: dict[int, str] = {}
    n_unchecked = 0
    for key, some in lines.items():
        table = open_table(key) if key else None
        if table is None:
            kept.update(some)
            n_unchecked += len(some)
            continue
        with closing(table):
            for number, one in some:
                try:
                    kept[number] = by_table(table, one)
                except AppError as error:
                    problems[number] = tr("line {number}: {problem}", number=number, problem=error)
    return Checked(_in_order(kept), (*reading.problems, *_in_order(problems)), n_unchecked)


def _in_order(lines: dict[int, T]) -> tuple[T, ...]:
    return tuple(lines[number] for number in sorted(lines))
