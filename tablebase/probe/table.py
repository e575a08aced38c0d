"""The interface of a table: what may be asked of one, whatever is behind it."""

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from engine.spawn import Rng
    from tablebase.formation.formation import Formation
    from tablebase.formation.goal import Goal
    from tablebase.probe.probes import Probe


class Table(Protocol):
    """A table: files of this program or of another one, a cache of answers, or search."""

    @property
    def name(self) -> str: ...

    @property
    def target(self) -> "Goal": ...

    @property
    def spawn4(self) -> float:
        """The share of fours among the new tiles."""

    @property
    def rate(self) -> str:
        """The type in which rates are stored: it decides which of them count as equal."""

    @property
    def formation(self) -> "Formation": ...

    @property
    def n_large(self) -> int: ...

    @property
    def is_thinned(self) -> bool: ...

    @property
    def is_limited(self) -> bool: ...

    def probe(self, board: int, comes_up: bool = False) -> "Probe":
        """`comes_up`: the board is known to come up; raise ProbeError outside the table."""

    def start_board(self, rng: "Rng") -> int: ...

    def close(self) -> None: ...
