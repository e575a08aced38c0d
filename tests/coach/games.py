"""Recorded games made by a random player, for the tests of what looks back on them."""

from dataclasses import dataclass, field, replace

from coach.situations.situation import free_board
from engine.bitboard import from_cells
from engine.formats.replay import Cells, Rates, Replay, ReplayMove
from engine.spawn import Rng, draw_spawn
from engine.trace import slide_cells
from tablebase.errors import ProbeError
from tablebase.formation.formation import Formation
from tablebase.probe.probes import Probe

START: Cells = (1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0)


def random_game(n_moves: int, seed: int = 1, with_rates: bool = True) -> Replay:
    rng, position, moves = Rng(seed), START, []
    for _ in range(n_moves):
        afters = [slide_cells(position, one, merge_32768=True).cells for one in range(4)]
        legal = [one for one in range(4) if afters[one] != position]
        if not legal:
            break
        direction = legal[rng.below(len(legal))]
        rates = random_rates(rng, legal) if with_rates else None
        after = list(afters[direction])
        cell, exponent = draw_spawn([i for i in range(16) if not after[i]], rng)
        after[cell] = exponent
        position = tuple(after)
        moves.append(ReplayMove(direction, cell, exponent, rates))
    return Replay(START, tuple(moves))


def random_rates(rng: Rng, legal: list[int]) -> Rates:
    four = [round(rng.random(), 2) if one in legal else None for one in range(4)]
    return four[0], four[1], four[2], four[3]


def probed(
    board: int, rates: Rates, best: int | None = None, unknown: tuple[int, ...] = ()
) -> Probe:
    """Return the answer of a made-up table."""
    return Probe(board, "made up", rates, best, masked=board, unknown=unknown)


_NEVER_REACHED = free_board(16)  # with more large tiles than any game


@dataclass
class NamedTable:
    """Rates that follow from the board; outside of `inside` it does not answer."""

    name: str = "L3_512"
    rate: str = "float64"
    outside: set[int] = field(default_factory=set)
    asked: list[int] = field(default_factory=list)
    follows: list[bool] = field(default_factory=list)
    is_closed: bool = False
    is_thinned: bool = False
    is_limited: bool = False
    target: int = 512
    n_large: int = 6
    spawn4: float = 0.1
    formation: Formation = _NEVER_REACHED

    def probe(self, board: int, comes_up: bool = False) -> Probe:
        self.asked.append(board)
        self.follows.append(comes_up)
        if board in self.outside:
            raise ProbeError("outside")
        return probed(board, self.rates_at(board))

    def close(self) -> None:
        self.is_closed = True

    @staticmethod
    def rates_at(board: int) -> Rates:
        rng, position = Rng(board), [(board >> 60 - 4 * i) & 15 for i in range(16)]
        afters = [list(slide_cells(position, one).cells) for one in range(4)]
        return random_rates(rng, [one for one in range(4) if afters[one] != position])


def board_of(position: Cells) -> int:
    return from_cells(position)


def with_gap(replay: Replay, first: int, last: int) -> Replay:
    """Return a recording without the moves from index first to last, like a file with a gap."""
    positions = list(replay.positions())
    moves = replay.moves[:first] + replay.moves[last:]
    return replace(replay, moves=moves, gaps=((first, positions[last]),))


@dataclass
class FixedTable(NamedTable):
    """Says the same of every position inside."""

    rates: Rates = (0.5, 0.4, 0.3, 0.2)
    unknown: tuple[int, ...] = ()
    best: int | None = None

    def probe(self, board: int, comes_up: bool = False) -> Probe:
        super().probe(board, comes_up)
        return probed(board, self.rates, self.best, self.unknown)
