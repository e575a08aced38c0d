"""Measurable facts about a mistake, and how much of the loss each accounts for.

The loss of a move is the mean of what its new tiles lose against the best move::

    loss = chance of the best move - mean of what the tiles leave
         = sum of probability * (chance of the best move - what the tile leaves)

so each tile, and each set of tiles, has a *share*: its part of that sum. Facts are listed by share,
largest first; those without a set of tiles come last.

For a table this is the loss in the position itself. For search it is the loss found one step
deeper, where the chances differ from those of the position: as everywhere in the program, the loss
shown is that of the position, and the deeper search only says which tiles account for it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from coach.explanations.lines import Line, merges
from coach.explanations.outcomes import AfterMove, Outcome
from coach.explanations.source import Source
from coach.reasons.reason import (
    KeepsCorner,
    LeavesFree,
    MayEnd,
    MayUproot,
    Merges,
    Reason,
    differences,
)
from engine.bitboard import LARGEST_NIBBLE
from engine.formats.replay import Cells

_LARGE = 7  # a 128, as in coach.reasons
_MIN_MAIN_SHARE = 0.8  # of a loss
_FEW = 0.5  # of the new tiles: a loss spread over more of them doesn't depend on a few
_LESS = 1 - 1e-6  # sums and table rates are rounded, so a smaller excess may be none
_MIN_MERGE = 4  # two 16s: smaller tiles merge all the time
_TRUE_OF_LARGE = (MayEnd, Merges, LeavesFree)  # any tile that F stands for


@dataclass(frozen=True)
class Spoilers:
    """The fewest new tiles that cause most of the loss, each worse than any after the best move."""

    move: int
    best: int
    # Number of such tiles, and of all possible tiles.
    n: int
    n_all: int
    # Probability that one of them spawns; at most one half unless there is only one.
    probability: float
    worst: Outcome  # the tile that leaves the lowest chance
    least: float  # the lowest chance that a tile after the best move leaves
    share: float  # share of the whole loss; above 1 if other tiles help


@dataclass(frozen=True)
class Costliest:
    """The tile that costs most after the move: the largest probability times loss."""

    move: int
    outcome: Outcome
    share: float  # share of the whole loss; above 1 if other tiles help


@dataclass(frozen=True)
class Everywhere:
    """After every tile the move leaves less than the best one: no single tile is to blame."""

    move: int
    best: int
    most: float  # the highest chance that a tile after the move leaves
    chance: float  # the chance of the best move, computed from its tiles


@dataclass(frozen=True)
class LeavesPlace:
    """The move takes a large tile from its cell, and the best one does not."""

    move: int
    best: int
    # The tile, and the cell it left.
    exponent: int
    cell: int


@dataclass(frozen=True)
class Delayed:
    """A merge comes later after the move, with typical tiles that are the same where possible."""

    move: int
    best: int
    exponent: int  # exponent of the two tiles that merge
    # Number of moves until the merge; None if it is not in sight.
    n_moves: int | None
    n_best_moves: int
    in_sight: int  # number of moves in the line of the move


Fact = Spoilers | Costliest | Everywhere | LeavesPlace | Delayed | Reason


@dataclass(frozen=True)
class Weighed:
    """A fact with its share of the loss, in [0, 1]; None if it can't be measured."""

    fact: Fact
    share: float | None


@dataclass(frozen=True)
class Pair:
    """A position, the move played there and the best one, with the results for both."""

    cells: Cells
    played: AfterMove
    best: AfterMove
    # The lines after both moves with typical tiles.
    played_line: Line
    best_line: Line

    @property
    def chance(self) -> float:
        """The chance of the best move by the source's look at the position; 0 if unknown."""
        return self.best.rate or 0.0

    @property
    def loss(self) -> float:
        return self.chance - (self.played.rate or 0.0)

    @property
    def chance_by_tiles(self) -> float:
        """The chance of the best move as the mean over its tiles, if all are known."""
        return _chance_by_tiles(self.best)

    @property
    def loss_by_tiles(self) -> float:
        """The loss of the move by its tiles: the total that the shares refer to."""
        return self.chance_by_tiles - _chance_by_tiles(self.played)

    def share(self, is_in: Callable[[Outcome], bool]) -> float | None:
        """Return the share of the loss by tiles that a set of tiles after the move accounts for.

        None if nothing is lost or a tile of the set is unknown.
        """
        if self.loss_by_tiles <= 0.0:
            return None
        chosen = [one for one in self.played.outcomes if is_in(one)]
        if any(one.rate is None for one in chosen):
            return None
        return sum(_cost(self, one) for one in chosen) / self.loss_by_tiles


def _chance_by_tiles(after: AfterMove) -> float:
    return (after.rate or 0.0) if after.mean is None else after.mean


def find_facts(source: Source, pair: Pair) -> tuple[Weighed, ...]:
    """Return the facts about a mistake, those with the largest share of the loss first."""
    found = [*_of_tiles(pair), *_of_the_board(source, pair), *_of_merges(pair)]
    fatal = {(one.cell, one.exponent) for one in _fatal(found)}

    def is_new(fact: Fact) -> bool:
        return not (isinstance(fact, MayEnd) and (fact.cell, fact.exponent) in fatal)

    weighed = [one for one in found if (one.share is None or one.share > 0.0) and is_new(one.fact)]
    return tuple(sorted(weighed, key=lambda one: 1.0 if one.share is None else -one.share))


def _fatal(found: Sequence[Weighed]) -> list[Outcome]:
    """Return the tiles already mentioned that leave no chance."""
    facts = [one.fact for one in found]
    tiles = [one.worst for one in facts if isinstance(one, Spoilers)]
    tiles += [one.outcome for one in facts if isinstance(one, Costliest)]
    return [one for one in tiles if not one.rate]


def _weighed(fact: Fact, share: float | None) -> Weighed:
    return Weighed(fact, None if share is None else min(1.0, share))


def _of_tiles(pair: Pair) -> list[Weighed]:
    played, best = pair.played, pair.best
    rates = [one.rate for one in played.outcomes]
    if not any(rates) or any(rate is None for rate in rates) or pair.loss_by_tiles <= 0.0:
        return []  # unknown, nothing lost, or everything lost with every tile
    by_cost = sorted(played.outcomes, key=lambda one: -_cost(pair, one))
    spoilers = _spoilers(pair, by_cost)
    if spoilers and by_cost[0] is spoilers.worst:
        return [_weighed(spoilers, spoilers.share)]
    share = _cost(pair, by_cost[0]) / pair.loss_by_tiles
    costliest = _weighed(Costliest(played.direction, by_cost[0], share), share)
    if spoilers:
        return [_weighed(spoilers, spoilers.share), costliest]
    most = max(rate or 0.0 for rate in rates)
    if most >= pair.chance_by_tiles * _LESS:
        return [costliest]
    everywhere = Everywhere(played.direction, best.direction, most, pair.chance_by_tiles)
    return [_weighed(everywhere, 1.0), costliest]


def _cost(pair: Pair, outcome: Outcome) -> float:
    return outcome.probability * (pair.chance_by_tiles - (outcome.rate or 0.0))


def _spoilers(pair: Pair, by_cost: Sequence[Outcome]) -> Spoilers | None:
    best = pair.best
    if best.mean is None or best.worst is None or best.worst.rate is None:
        return None
    least, found, share = best.worst.rate, list[Outcome](), 0.0
    for one in by_cost:
        if one.rate is not None and one.rate < least:
            found.append(one)
            share += _cost(pair, one) / pair.loss_by_tiles
        if share >= _MIN_MAIN_SHARE:
            break
    probability = sum(one.probability for one in found)
    if share < _MIN_MAIN_SHARE or (len(found) > 1 and probability > _FEW):
        return None
    return Spoilers(
        pair.played.direction,
        best.direction,
        len(found),
        len(by_cost),
        probability,
        min(found, key=lambda one: one.rate or 0.0),
        least,
        share,
    )


def _of_the_board(source: Source, pair: Pair) -> list[Weighed]:
    better, worse = pair.best.direction, pair.played.direction
    reasons = differences(pair.cells, better, worse, source.spawn4, source.slide)
    if LARGEST_NIBBLE in pair.cells:  # a wall, or any large tile of a table
        reasons = tuple([one for one in reasons if isinstance(one, _TRUE_OF_LARGE)])
    facts = [_weighed(one, _share_of(source, pair, one)) for one in reasons]
    is_of_corner = any(isinstance(one, KeepsCorner) for one in reasons)
    if not is_of_corner and (place := _left_place(pair)):
        facts.append(_weighed(place, _share_away(source, pair, place.cell, place.exponent)))
    return facts


def _share_of(source: Source, pair: Pair, reason: Reason) -> float | None:
    match reason:
        case MayEnd(cell=cell, exponent=exponent) | MayUproot(cell=cell, exponent=exponent):
            return pair.share(lambda one: (one.cell, one.exponent) == (cell, exponent))
        case KeepsCorner(largest=largest):
            return _share_away(source, pair, pair.cells.index(largest), largest)
        case Merges(exponent=exponent):
            return pair.share(lambda one: not _merges_next(source, pair, one, exponent))
    return None


def _share_away(source: Source, pair: Pair, cell: int, exponent: int) -> float | None:
    """Return the share of the tiles after which the best reply doesn't bring a tile back."""

    def is_away(one: Outcome) -> bool:
        board = one.on(pair.played.cells)
        if one.reply is not None:
            board = source.slide(board, one.reply).cells
        return board[cell] != exponent

    return pair.share(is_away)


def _merges_next(source: Source, pair: Pair, one: Outcome, exponent: int) -> bool:
    if one.reply is None:
        return False
    slides = source.slide(one.on(pair.played.cells), one.reply).slides
    return any(slide.merged and slide.exponent == exponent for slide in slides)


def _left_place(pair: Pair) -> LeavesPlace | None:
    """Return the largest tile that the move takes from its cell and the best move does not."""
    played, best = pair.played.cells, pair.best.cells
    cells = pair.cells
    moved = [
        (exponent, cell)
        for cell, exponent in enumerate(cells)
        if exponent >= _LARGE
        and exponent != LARGEST_NIBBLE
        and cells.count(exponent) == 1
        and best[cell] == exponent != played[cell]
        and exponent in played  # it moved without merging
    ]
    if not moved:
        return None
    exponent, cell = max(moved)
    return LeavesPlace(pair.played.direction, pair.best.direction, exponent, cell)


def _of_merges(pair: Pair) -> list[Weighed]:
    """Return the largest merge of the best line that comes later in the other line."""
    exponents: set[int] = set()
    for step in pair.best_line.steps:
        exponents.update(step.merged)
    for exponent in sorted(exponents, reverse=True):
        if exponent < _MIN_MERGE:
            break
        n_best, n = (line.first_merge(exponent) for line in (pair.best_line, pair.played_line))
        if n_best is None or (n is not None and n <= n_best):
            continue
        n_seen = len(pair.played_line.steps)
        if exponent in merges(pair.best) or (n is None and n_seen < n_best):
            return []  # the board shows the first, and nothing is known of the second
        directions = pair.played.direction, pair.best.direction
        return [Weighed(Delayed(*directions, exponent, n, n_best, n_seen), None)]
    return []
