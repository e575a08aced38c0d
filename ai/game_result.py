"""The result of one game."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engine.saved_game import cells_to_text


@dataclass(frozen=True)
class GameResult:
    """One finished game.

    Attributes
    ----------
    max_exponent : int
        Exponent of the largest tile at the end, which is the largest ever.
    final : str
        The last position: 16 digits, hexadecimal and beyond (g is 65536).
    nodes, depths : int
        Summed over all moves.
    sources : mapping of str to int
        Number of moves by source: see `ai.dispatch.dispatcher.Decision`.
    source_s : mapping of str to float
        Total CPU seconds by source; empty if not measured.
    """

    seed: int
    score: int
    moves: int
    max_exponent: int
    final: str
    cpu_s: float
    nodes: int
    depths: int
    sources: Mapping[str, int]
    source_s: Mapping[str, float] = field(default_factory=dict)


def cells_text(cells: npt.NDArray[np.uint8]) -> str:
    """Return 16 exponents in the format of `GameResult.final`."""
    return cells_to_text(cells.tolist())
