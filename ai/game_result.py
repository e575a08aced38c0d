"""The result of one game."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from engine.saved_game import cells_to_text


@dataclass(frozen=True)
class GameResult:
    """One finished game."""

    seed: int
    score: int
    moves: int
    max_exponent: int  # exponent of the largest tile at the end, which is the largest ever
    final: str  # the last position: 16 digits, hexadecimal and beyond (g is 65536)
    cpu_s: float
    # Summed over all moves.
    nodes: int
    depths: int
    sources: Mapping[str, int]  # number of moves by source: see `ai.dispatch.dispatcher.Decision`
    # Total CPU seconds by source; empty if not measured.
    source_s: Mapping[str, float] = field(default_factory=dict)


def cells_text(cells: npt.NDArray[np.uint8]) -> str:
    return cells_to_text(cells.tolist())
