"""Situations as lines of text: one per line, without the attempts.

    2048-situation/1 formation=442 target=512 spawn4=0.1 rate=uint32 walls=no board=10ff...
        chance=0.91 nodes=0 check=5f3a90c1

(on one line). The formation is ``search`` if no table rates the moves; then ``nodes`` is the number
of search nodes per move; it is 0 on a table. ``rate`` is the type of the table's rates, a board is
16 hex digits, ``chance`` that of the goal with best play. For the rest see
`engine.platform.files.checked_line`; `checked` asks the local tables.
"""

from collections.abc import Callable, Iterable

from coach.mistakes.checked_by_tables import Checked, checked_by_tables
from coach.mistakes.mistake import TableKey, table_key
from coach.recordings.recording import SEARCH
from coach.situations.situation import Situation, given_situation, situation_on
from engine.bitboard import cells, format_board, parse_board
from engine.platform.errors import AppError
from engine.platform.files.checked_line import LineFormat, ReadItems, shortened
from engine.platform.language import mark, tr
from tablebase.formation.goal import goal_of, read_goal
from tablebase.probe.table import Table
from tablebase.store.rates import RATE_TYPES

_YES, _NO = "yes", "no"  # no text
_MAX_NODES = 1 << 40
_ANY = "ANY"  # no text


class SituationTextError(AppError, ValueError):
    """A line is not a situation."""


_FORMAT = LineFormat(
    "2048-situation",
    "1",
    ("formation", "target", "spawn4", "rate", "walls", "board", "chance", "nodes"),
    SituationTextError,
    mark("{text!r} is not a situation; one begins with {head}"),
    mark("too many lines are not situations; nothing after this one was read"),
)


def to_line(situation: Situation) -> str:
    setup = situation.setup
    formation = setup.table.rpartition("_")[0] if situation.is_exact else SEARCH
    return _FORMAT.write(
        {
            "formation": formation,
            "target": str(goal_of(setup.target)),
            "spawn4": repr(float(setup.spawn4)),
            "rate": setup.rate,
            "walls": _YES if setup.walls else _NO,
            "board": format_board(setup.start),
            "chance": repr(float(situation.chance)),
            "nodes": str(situation.nodes),
        }
    )


def to_text(situations: Iterable[Situation]) -> str:
    return "".join(f"{to_line(one)}\n" for one in situations)


def read_text(text: str) -> ReadItems[Situation]:
    return _FORMAT.read_all(text, read_line)


def has_lines(text: str) -> bool:
    """Return whether any line of a text begins like a situation, damaged or not."""
    return _FORMAT.is_in(text)


def read_line(line: str) -> Situation:
    """Return the situation of a line; SituationTextError says why it is invalid."""
    fields = _FORMAT.read(line)
    is_searched = fields["formation"] == SEARCH
    spawn4 = _FORMAT.share("spawn4", fields["spawn4"])
    formation = _ANY if is_searched else fields["formation"]
    key, goal = table_key(formation, fields["target"], spawn4), read_goal(fields["target"])
    if key is None or goal is None:
        raise SituationTextError(
            "{name!r} is not a table; expected a formation and a target, as in L3_512",
            name=shortened(f"{fields['formation']}_{fields['target']}"),
        )
    _FORMAT.one_of("rate", fields["rate"], [*RATE_TYPES, *(f"1-{name}" for name in RATE_TYPES)])
    _FORMAT.one_of("walls", fields["walls"], [_YES, _NO])
    nodes = fields["nodes"]
    is_number = nodes.isascii() and nodes.isdigit() and len(nodes) <= len(str(_MAX_NODES))
    if not is_number or int(nodes) > _MAX_NODES or bool(int(nodes)) is not is_searched:
        expected = tr("a number above 0 for search, and 0 for a table")
        raise _FORMAT.wrong("nodes", nodes, expected)
    chance = _FORMAT.share("chance", fields["chance"])
    if not chance:
        raise _FORMAT.wrong("chance", fields["chance"], tr("a number above 0"))
    return given_situation(
        table=SEARCH if is_searched else key.name,
        goal=goal,
        spawn4=spawn4,
        rate=fields["rate"],
        board=parse_board(fields["board"]),
        walls=fields["walls"] == _YES,
        chance=chance,
        nodes=int(nodes),
    )


def checked(
    reading: ReadItems[Situation], open_table: Callable[[TableKey], Table | None]
) -> Checked[Situation]:
    """Return the situations of a text with the chances of the local tables; search's unchanged.

    See `coach.mistakes.checked_by_tables`.
    """
    return checked_by_tables(
        reading,
        lambda one: TableKey(one.setup.table, one.setup.spawn4) if one.is_exact else None,
        open_table,
        lambda table, one: situation_on(table, tuple(cells(one.setup.start))),
    )
