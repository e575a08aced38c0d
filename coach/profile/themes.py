"""Themes of puzzles: what makes the wrong move look right, what the right one is for, how late."""

from functools import lru_cache

from coach.profile.position import MoveKind, Phase, Position
from coach.profile.profile import Cut
from coach.profile.words import NAMES
from coach.puzzles.puzzle import Puzzle
from engine.moves import move_score
from engine.platform.language import mark

_DONT_MERGE, _WHICH = mark("Don't merge yet"), mark("Which merge first")
_OTHER_SIDE = mark("Away from the heavy tiles")
_KINDS = (MoveKind.DANGER, MoveKind.MERGE, MoveKind.ROOM, MoveKind.ORDER, MoveKind.DEEP)
THEMES = (
    *(_DONT_MERGE, _WHICH, _OTHER_SIDE),
    *(NAMES[Cut.KIND, kind.value] for kind in _KINDS),
    *(NAMES[Cut.PHASE, phase.value] for phase in Phase),
)
"""In English, marked."""


@lru_cache(4096)
def themes_of(puzzle: Puzzle) -> tuple[str, str, str]:
    """Return the themes of a puzzle, of `THEMES`: the trap, the purpose, the phase."""
    natural, best = (
        move_score(puzzle.board, one, puzzle.walls) for one in (puzzle.natural, puzzle.best)
    )
    trap = _OTHER_SIDE if natural <= best else _WHICH if best else _DONT_MERGE
    key, walls = puzzle.key, puzzle.walls
    position = Position(key.name, puzzle.board, puzzle.rates, (puzzle.best,), walls)
    kind, phase = position.kind.value, position.phase.value
    return trap, NAMES[Cut.KIND, kind], NAMES[Cut.PHASE, phase]
