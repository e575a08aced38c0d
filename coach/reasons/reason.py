"""Why an AI's move is better than the next best one: a fact about the board, or the AI's figures.

A reason compares the move with its *rival*, the best of the others, and claims nothing that cannot
be checked by looking at the board, at the possible new tiles, or at the AI's figures.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from ai.choice import Choice, ValueKind
from coach.grading.grade import UINT32
from engine.bitboard import N_CELLS
from engine.trace import Motion, slide_cells

Cells = Sequence[int]
"""16 exponents, row by row from the top left; 0 is an empty cell."""

Slide = Callable[[Cells, int], Motion]
"""Given a board and a direction, returns what the move does."""

_CORNERS = (0, 3, 12, 15)
_DIRECTIONS = range(4)
_LARGE = 7  # a 128: which smaller tile is in a corner doesn't matter
_WORTH_MERGING = 5  # two 32s: smaller ones merge all the time
_ABOUT_EQUAL = 0.0005  # of estimated chances, which are shown in tenths of a percent


@dataclass(frozen=True)
class OnlyMove:
    """No other move is legal."""

    move: int


@dataclass(frozen=True)
class EquallyGood:
    """The AI rates the move and some others as equally good, in this order.

    `is_exact` is False if the figures differ by less than the digits shown.
    """

    moves: tuple[int, ...]
    is_exact: bool = True


@dataclass(frozen=True)
class TablePrefers:
    """A table rates the move and some others as equal, and search chose among them."""

    move: int
    alike: tuple[int, ...]


@dataclass(frozen=True)
class _OverRival:
    move: int
    rival: int


@dataclass(frozen=True)
class MayEnd(_OverRival):
    """After the rival a new tile in some cell leaves no legal move; after the move none does."""

    cell: int
    exponent: int


@dataclass(frozen=True)
class MayUproot(_OverRival):
    """After the rival a new tile leaves one legal move, which takes `largest` out of its corner.

    After the move no new tile does so, and none ends the game.
    """

    cell: int
    exponent: int
    largest: int


@dataclass(frozen=True)
class Keeps:
    """The chances of the move and of its rival, in [0, 1]: from a table, or estimated."""

    move: int
    chance: float
    rival: int
    rival_chance: float
    is_estimate: bool


@dataclass(frozen=True)
class OnlyKnown:
    """A table knows the rate of the move, and of no other legal move."""

    move: int
    rate: float


@dataclass(frozen=True)
class AtLeast:
    """The table only knows lower bounds for the move and for the others."""

    move: int
    rate: float


@dataclass(frozen=True)
class Earns(_OverRival):
    """The move is expected to score more points than its rival, by this many on average."""

    points: float


@dataclass(frozen=True)
class KeepsCorner(_OverRival):
    """The largest tile stays in its corner; the rival, or a move after it, would take it out."""

    largest: int


@dataclass(frozen=True)
class Merges(_OverRival):
    """The move merges two tiles of this exponent, and the rival merges none that large."""

    exponent: int


@dataclass(frozen=True)
class _LeavesMore:
    move: int
    n: int
    rival: int
    rival_n: int


class LeavesFree(_LeavesMore):
    """More cells are free after the move than after its rival."""


class LeavesOrder(_LeavesMore):
    """More rows and columns are in order after the move than after its rival.

    A line is in order if its tiles never rise, or never fall, along it; free cells do not count.
    """


class LeavesPairs(_LeavesMore):
    """More pairs of equal tiles touch each other after the move than after its rival."""


class Highest(_OverRival):
    """The AI values the move highest, and the rival next; the board shows no simple reason."""


Reason = (
    OnlyMove
    | EquallyGood
    | TablePrefers
    | MayEnd
    | MayUproot
    | Keeps
    | OnlyKnown
    | Earns
    | KeepsCorner
    | Merges
    | LeavesFree
    | LeavesOrder
    | LeavesPairs
    | Highest
    | AtLeast
)


def find_reason(cells: Cells, choice: Choice, spawn4: float = 0.1) -> Reason | None:
    """Return the reason why a move was chosen; None if there is none to give.

    It is the first that holds of: it is the only move; others are as good; the rival may end the
    game, or force the largest tile out of its corner; the chances or points of both; the rival
    takes the largest tile out of its corner; the move merges larger tiles; it leaves more free
    cells, more lines in order, more pairs to merge; yet another move takes the largest tile out of
    its corner; the AI's value is higher.
    """
    move = choice.direction
    motions = {d: m for d in _DIRECTIONS if (m := _slid(cells, d)).cells != tuple(cells)}
    if move is None or move not in motions or move not in choice.among:
        return None
    if len(motions) == 1:
        return OnlyMove(move)
    value, compared = choice.values[move], _compared(choice, motions)
    if value is None:
        return None
    at_least = AtLeast(move, value) if choice.kind is ValueKind.BOUNDS and value > 0 else None
    if not compared:
        is_rate = choice.kind is ValueKind.RATES and value > 0
        return OnlyKnown(move, value) if is_rate else at_least
    rival = max(compared, key=lambda one: (compared[one], -one))
    two = _Two(tuple(cells), move, rival, motions[move], motions[rival])
    if at_least:  # such figures say nothing about a rival
        return _danger(two, _spawned(spawn4)) or at_least
    if equal := _equal(choice.kind, value, compared):
        is_exact = choice.kind is not ValueKind.CHANCES or all(compared[d] == value for d in equal)
        return EquallyGood((move, *equal), is_exact)
    if compared[rival] >= value:  # the AI doesn't decide by these values, or all are 0
        return None
    return (
        _danger(two, _spawned(spawn4))
        or _preferred(choice, two, motions)
        or _by_figures(choice.kind, value, two, compared[rival])
        or _keeps_corner(two)
        or _merges(two)
        or _leaves_more(two)
        or _least_of_corner(two, motions, compared)
        or Highest(move, rival)
    )


def _slid(cells: Cells, direction: int) -> Motion:
    return slide_cells(cells, direction, merge_32768=True)


def differences(
    cells: Cells, move: int, rival: int, spawn4: float = 0.1, slide: Slide = _slid
) -> tuple[Reason, ...]:
    """Return all facts on the board in favor of a legal move against another, not sorted by weight.

    Tables slide differently from a game.
    """
    two = _Two(tuple(cells), move, rival, slide(cells, move), slide(cells, rival), slide)
    found = (_danger(two, _spawned(spawn4)), _keeps_corner(two), _merges(two), _leaves_more(two))
    return tuple([one for one in found if one])


@dataclass(frozen=True)
class _Two:
    """A board, a move and its rival, and the effect of each."""

    cells: tuple[int, ...]
    move: int
    rival: int
    moved: Motion
    rivaled: Motion
    slide: Slide = _slid


def _spawned(spawn4: float) -> list[int]:
    return [exponent for exponent, share in ((1, 1 - spawn4), (2, spawn4)) if share > 0]


def _compared(choice: Choice, legal: Collection[int]) -> dict[int, float]:
    others = [d for d in legal if d != choice.direction and d in choice.among]
    return {d: value for d in others if (value := choice.values[d]) is not None}


def _equal(kind: ValueKind, value: float, compared: dict[int, float]) -> tuple[int, ...]:
    """Return the moves that are as good as this value; none if the value is 0."""
    if kind in (ValueKind.RATES, ValueKind.CHANCES) and value <= 0:
        return ()
    slack = {ValueKind.RATES: UINT32.slack(value), ValueKind.CHANCES: _ABOUT_EQUAL}.get(kind, 0.0)
    if max(compared.values()) - value > slack:
        return ()
    return tuple([d for d, other in compared.items() if abs(value - other) <= slack])


def _preferred(choice: Choice, two: _Two, legal: Collection[int]) -> Reason | None:
    alike = tuple(d for d in choice.among if d in legal)
    return TablePrefers(two.move, alike) if len(alike) < len(legal) else None


def _by_figures(kind: ValueKind, value: float, two: _Two, rival_value: float) -> Reason | None:
    if kind in (ValueKind.RATES, ValueKind.CHANCES):
        return Keeps(two.move, value, two.rival, rival_value, kind is ValueKind.CHANCES)
    if kind is ValueKind.POINTS and value - rival_value >= 1:
        return Earns(two.move, two.rival, value - rival_value)
    return None


def _danger(two: _Two, exponents: Sequence[int]) -> Reason | None:
    """Return the harm that a new tile can do after the rival, but not after the move."""
    ends, move_ends = (_first_end(m.cells, exponents, two.slide) for m in (two.rivaled, two.moved))
    if ends and not move_ends:
        return MayEnd(two.move, two.rival, *ends)
    corner = _corner(two.cells)
    if corner is None or move_ends:
        return None
    largest = two.cells[corner]

    def uproots(board: Cells) -> bool:
        legal = _legal(board, two.slide)
        return len(legal) == 1 and two.slide(board, legal[0]).cells[corner] != largest

    if not two.moved.cells[corner] == largest == two.rivaled.cells[corner]:
        return None
    tile = _first_tile(two.rivaled.cells, exponents, uproots)
    if tile and not _first_tile(two.moved.cells, exponents, uproots):
        return MayUproot(two.move, two.rival, *tile, largest)
    return None


def _first_end(after: Cells, exponents: Sequence[int], slide: Slide) -> tuple[int, int] | None:
    if after.count(0) > 1:
        return None  # if a cell is free, something can move
    return _first_tile(after, exponents, lambda board: not _legal(board, slide))


def _first_tile(
    after: Cells, exponents: Sequence[int], is_bad: Callable[[Cells], bool]
) -> tuple[int, int] | None:
    """Return the (cell, exponent) of a new tile that makes a board bad, a 2 before a 4."""
    for exponent in exponents:
        for cell in range(N_CELLS):
            if after[cell] == 0 and is_bad([*after[:cell], exponent, *after[cell + 1 :]]):
                return cell, exponent
    return None


def _legal(board: Cells, slide: Slide) -> list[int]:
    return [d for d in _DIRECTIONS if slide(board, d).cells != tuple(board)]


def _keeps_corner(two: _Two) -> Reason | None:
    corner = _corner(two.cells)
    if corner is None or two.moved.cells[corner] != two.cells[corner]:
        return None
    if two.rivaled.cells[corner] == two.cells[corner]:
        return None
    return KeepsCorner(two.move, two.rival, two.cells[corner])


def _least_of_corner(
    two: _Two, motions: Mapping[int, Motion], compared: Mapping[int, float]
) -> Reason | None:
    """Return the best of the other moves that takes the largest tile out of its corner."""
    for other in sorted(compared, key=lambda one: (-compared[one], one)):
        if reason := _keeps_corner(replace(two, rival=other, rivaled=motions[other])):
            return reason
    return None


def _merges(two: _Two) -> Reason | None:
    merged = _largest_merged(two.moved)
    is_larger = merged >= _WORTH_MERGING and merged > _largest_merged(two.rivaled)
    return Merges(two.move, two.rival, merged) if is_larger else None


def _leaves_more(two: _Two) -> Reason | None:
    after, rival_after = two.moved.cells, two.rivaled.cells
    for kind, count in ((LeavesFree, _free), (LeavesOrder, _in_order), (LeavesPairs, _pairs)):
        n, rival_n = count(after), count(rival_after)
        if n > rival_n:
            return kind(two.move, n, two.rival, rival_n)
    return None


def _free(cells: Cells) -> int:
    return cells.count(0)


def _corner(cells: Cells) -> int | None:
    """Return the corner of the largest tile if that tile is large and unique."""
    largest = max(cells)
    at = [cell for cell in range(N_CELLS) if cells[cell] == largest]
    return at[0] if largest >= _LARGE and len(at) == 1 and at[0] in _CORNERS else None


def _largest_merged(motion: Motion) -> int:
    return max((slide.exponent for slide in motion.slides if slide.merged), default=0)


def _in_order(cells: Cells) -> int:
    """Return the number of rows and columns that never rise, or never fall."""
    lines = [cells[4 * at : 4 * at + 4] for at in range(4)] + [cells[at::4] for at in range(4)]
    tiles = [[exponent for exponent in line if exponent] for line in lines]
    return sum(line in (sorted(line), sorted(line, reverse=True)) for line in tiles)


def _pairs(cells: Cells) -> int:
    across = [(cell, cell + 1) for cell in range(N_CELLS) if cell % 4 < 3]
    down = [(cell, cell + 4) for cell in range(N_CELLS - 4)]
    return sum(cells[one] == cells[other] != 0 for one, other in across + down)
