"""A table of brute force to play routes on, and a route gone along by the rules alone."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timezone
from functools import cached_property

import brute_force
from brute_force import Moves, Rules, Solution
from small_formations import rules_of

from coach.grading.formation_cells import has_reached
from coach.grading.grade import Rates
from coach.play.run import Run
from coach.routes.code import Route
from coach.routes.setup import setup_of
from tablebase.errors import ProbeError
from tablebase.formation.formation import Formation
from tablebase.probe.probes import Probe
from tablebase.probe.table import Table
from tests import oracle
from tests.coach.routes import route_twin as twin

STARTED = datetime(2026, 5, 1, 12, 0, tzinfo=timezone.utc)
TURNS = (
    *("identity", "mirror", "flip", "transpose"),
    *("anti_transpose", "rotate_180", "rotate_left", "rotate_right"),
)


@dataclass
class BruteTable:
    """Answers from a solution by brute force, however the board is turned."""

    formation: Formation
    solution: Solution
    target: int = 64
    spawn4: float = 0.1
    rate: str = "float64"
    is_thinned: bool = False
    is_limited: bool = False
    unknown: tuple[int, ...] = ()  # moves of any board that it claims not to know
    outside: set[int] = field(default_factory=set)
    asked: list[int] = field(default_factory=list)

    @property
    def name(self) -> str:
        return f"{self.formation.name}_{self.target}"

    @cached_property
    def rules(self) -> Rules:
        return rules_of(self.formation, self.target)

    @cached_property
    def moves(self) -> Moves:
        return Moves(self.rules)

    def probe(self, board: int, comes_up: bool = False) -> Probe:  # noqa: ARG002
        self.asked.append(board)
        if board in self.outside:
            raise ProbeError("no answer for this board")
        rates = [self.rate_after(board, direction) for direction in range(4)]
        for direction in self.unknown:
            rates[direction] = None
        legal = [rate for rate in rates if rate is not None]
        best = rates.index(max(legal)) if legal else None
        return Probe(board, self.name, tuple(rates), best, board, self.unknown)

    def rate_after(self, board: int, direction: int) -> float | None:
        """The rate of a move; None if it is illegal or breaks the formation."""
        before = brute_force.cells_of(board)
        after, _ = oracle.move(before, direction)
        if after == before:
            return None
        rules, moves = self.rules, self.moves
        found = [
            rates[board_of]
            for image in oracle.images(after, "full")
            for board_of in [moves.canonical(brute_force.board_of(list(image)))]
            if moves.is_inside(board_of)
            for rates in [self.layer(rules, board_of)]
            if board_of in rates
        ]
        return max(found) if found else None

    def layer(self, rules: Rules, board: int) -> dict[int, float]:
        def total(one: int) -> int:
            return sum(2**value for value in brute_force.cells_of(one) if value not in (0, 15))

        layer = (total(board) - total(rules.seeds[0])) // 2
        return self.solution.rates[layer] if layer < rules.n_layers else {}


def new_run(route: Route, table: Table | None = None) -> Run:
    return Run(setup_of(route, table), STARTED)


def is_over(run: Run, rates: Rates | None = None, table: Table | None = None) -> bool:
    """End a run if it is over, and return whether it is; `rates` are those of its position."""
    is_target = bool(table and has_reached(run.board, table.target, table.formation))
    if end := run.goal_end(is_target) or run.conclude(rates):
        run.finish(end, STARTED)
    return end is not None


@dataclass
class Walk:
    """The course of a route: the boards, the moves made, and the tiles."""

    boards: list[list[int]]
    made: list[int]
    tiles: list[tuple[int, int]]
    match_rate: float
    points_lost: float
    points: int


def walk(
    table: BruteTable | None,
    seed: int,
    n_moves: int,
    is_corrected: bool,
    press: Callable[[list[int], Sequence[float | None]], int],
    fours: int = 100,
) -> Walk:
    """Go along a route: `press` chooses a move by the board and the rates."""
    numbers = twin.stream(seed, 10 + 2 * n_moves)
    empty = list(range(16))
    board = [0] * 16
    if table:
        seeds = table.formation.seeds
        board = brute_force.cells_of(seeds[twin.below(numbers[0], len(seeds))])
        empty = [cell for cell in range(16) if not board[cell]]
    cell, exponent = twin.tile(empty, numbers[2:4], fours)
    board[cell] = exponent
    if table:
        board = list(oracle.transform(board, TURNS[twin.below(numbers[1], 8)]))
    else:
        empty.remove(cell)
        cell, exponent = twin.tile(empty, numbers[4:6], fours)
        board[cell] = exponent
    found = Walk([board], [], [], 1.0, 0.0, 0)
    for k in range(n_moves):
        rates: Sequence[float | None] = (None,) * 4
        if table:
            rates = table.probe(brute_force.board_of(board)).rates
        direction = made = press(board, rates)
        if table:
            best = max(rate for rate in rates if rate is not None)
            rate = rates[direction]
            assert rate is not None
            if rate < best * (1 - 1e-11):
                found.match_rate *= rate / best
                found.points_lost += best - rate
            made = rates.index(best) if is_corrected and rate < 0.999 * best else direction
        after, gained = oracle.move(board, made, merge_32768=table is None)
        empty = [cell for cell in range(16) if not after[cell]]
        cell, exponent = twin.tile(empty, numbers[8 + 2 * k : 10 + 2 * k], fours)
        board = list(after)
        board[cell] = exponent
        found.boards.append(board)
        found.made.append(made)
        found.tiles.append((cell, exponent))
        found.points += gained
    return found
