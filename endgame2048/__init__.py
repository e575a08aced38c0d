"""Exact answers for 2048 endgames: open and build tables, probe boards, play games.

>>> import endgame2048 as eg
>>> board = eg.parse_board("1120 0000 0000 0000")
>>> eg.format_board(eg.moves(board)[eg.LEFT])
'2200000000000000'

A board is an `int`: 16 nibbles, the top left cell in the highest one, each the exponent of a tile
(3 is the tile 8, 0 an empty cell). In arrays boards are ``numpy.uint64``. A direction is `LEFT`,
`RIGHT`, `UP` or `DOWN`, numbers from 0 to 3. An *after-state* is a board after a move, before the
new tile; a success rate is the probability that perfect play reaches the target from there.

What is wrong with boards, tables, files and builds is raised as `Error`, or one of its kinds, with
a message that says what to do. Other arguments that make no sense are a `ValueError`.

Importing this package loads next to nothing: each name loads what it needs when it is first used,
and the compiler of the kernels only where something is computed. Installed, all parts of the
program lie in here; what is not in ``__all__`` is no promise and may change.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from endgame2048.boards import canonical, moves, parse_board, spawns, symmetries
    from endgame2048.builds import build
    from endgame2048.tables import Table, formations, open_table
    from engine.bitboard import (
        DIRECTIONS,
        DOWN,
        LEFT,
        RIGHT,
        UP,
        cells,
        draw_board,
        format_board,
        from_cells,
    )
    from engine.game import Game, MoveResult
    from engine.platform.errors import AppError as Error
    from engine.platform.errors import InvalidBoardError
    from tablebase.build.progress import BuildResult, Progress
    from tablebase.errors import (
        BuildCancelledError,
        BuildError,
        ChangedTableError,
        FormationError,
        MissingTableError,
        ProbeError,
        TableError,
    )
    from tablebase.formation.formation import Formation
    from tablebase.probe.probes import Probe, Probes

__all__ = [
    "DIRECTIONS",
    "DOWN",
    "LEFT",
    "RIGHT",
    "UP",
    "BuildCancelledError",
    "BuildError",
    "BuildResult",
    "ChangedTableError",
    "Error",
    "Formation",
    "FormationError",
    "Game",
    "InvalidBoardError",
    "MissingTableError",
    "MoveResult",
    "Probe",
    "ProbeError",
    "Probes",
    "Progress",
    "Table",
    "TableError",
    "build",
    "canonical",
    "cells",
    "draw_board",
    "format_board",
    "formations",
    "from_cells",
    "moves",
    "open_table",
    "parse_board",
    "spawns",
    "symmetries",
]

__version__ = "0.1.0"

# Where the names are, for the imports above are never run. Type checkers must not see
# __getattr__: they would take any name for one that is there.
if not TYPE_CHECKING:
    _HOMES = {
        "endgame2048.boards": ("canonical", "moves", "parse_board", "spawns", "symmetries"),
        "endgame2048.builds": ("build",),
        "endgame2048.tables": ("Table", "formations", "open_table"),
        "engine.bitboard": (
            *("DIRECTIONS", "DOWN", "LEFT", "RIGHT", "UP"),
            *("cells", "draw_board", "format_board", "from_cells"),
        ),
        "engine.platform.errors": ("Error", "InvalidBoardError"),
        "engine.game": ("Game", "MoveResult"),
        "tablebase.build.progress": ("BuildResult", "Progress"),
        "tablebase.errors": (
            *("BuildCancelledError", "BuildError", "ChangedTableError", "FormationError"),
            *("MissingTableError", "ProbeError", "TableError"),
        ),
        "tablebase.formation.formation": ("Formation",),
        "tablebase.probe.probes": ("Probes",),
        "tablebase.probe.reader": ("Probe",),
    }
    _HOME_OF = {name: home for home, names in _HOMES.items() for name in names}
    _NAMES_THERE = {"Error": "AppError"}

    def __getattr__(name: str) -> object:
        """Load a public name where it is, when it is first used."""
        if name not in _HOME_OF:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        exported = getattr(import_module(_HOME_OF[name]), _NAMES_THERE.get(name, name))
        globals()[name] = exported  # from now on found without this function
        return exported

    def __dir__() -> list[str]:
        return sorted({*globals(), *__all__})
