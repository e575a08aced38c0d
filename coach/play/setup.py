"""The setup of a run: together with the moves it determines everything else."""

from dataclasses import dataclass, replace
from enum import Enum

from coach.grading.grade import Tolerance
from coach.play.rules import TARGET, ExamGoal
from engine.spawn import Rng
from engine.symmetry import SYMMETRIES, transform
from tablebase.formation.goal import Goal as TableGoal


class Kind(Enum):
    """What is played."""

    EXAM = "exam"  # a test: a formation without help
    SITUATION = "situation"  # an attempt at a situation, with the tiles of a test
    ROUTE = "route"  # with the same tiles for everyone, on a table or as a whole game


@dataclass(frozen=True)
class Setup:
    """What a run begins with, and its rules."""

    table: str  # name of the table, such as "L3_512"; "" for a whole game, which is not judged
    target: TableGoal | int  # what to reach: a bare number is the face value of a tile
    spawn4: float  # the probability of a 4
    rate: str  # the type in which the table stores rates: it decides which of them count as equal
    seed: int  # of the new tiles, 0 to 2**64 - 1
    start: int  # the first position, after turning
    walls: bool = False  # whether nibble F is a wall
    symmetry: str = "identity"  # how the start was turned, one of `engine.symmetry.SYMMETRIES`
    is_given: bool = False  # whether the start was typed rather than drawn
    allows_undo: bool = False  # whether moves may be taken back; the result shows if any were
    leaves_out_forced: bool = False  # whether forced moves are left out of the score
    seconds_per_move: int = 0  # how long a move may take, 0 without a limit
    # Percentage points that a move may lose and still be perfect; 0 for none.
    perfect_within: float = 0.0
    goal: ExamGoal = TARGET
    kind: Kind = Kind.EXAM
    is_corrected: bool = False  # whether the best move replaces a mistake
    code: str = ""  # the code of a route

    @property
    def is_judged(self) -> bool:
        return bool(self.table)

    @property
    def tolerance(self) -> Tolerance:
        """The tolerance for equal rates, from the table and the rules; all grades use it."""
        exact = Tolerance.of_type(self.rate) if self.rate else Tolerance(0.0)
        return exact.allowing(self.perfect_within / 100)


PLAIN_FIELDS = (
    *("walls", "symmetry", "is_given", "allows_undo", "leaves_out_forced"),
    *("seconds_per_move", "perfect_within"),
)
"""The fields of a setup that files and rows keep as they are, in the order of the files."""


def symmetries(walls: bool) -> tuple[str, ...]:
    """Return the symmetries in which a table answers: all of them, or only "id" with walls."""
    return ("identity",) if walls else SYMMETRIES


def turned_start(setup: Setup, rng: Rng) -> Setup:
    names = symmetries(setup.walls)
    name = names[rng.below(len(names))]
    return replace(setup, start=transform(setup.start, name), symmetry=name)
