"""Building tables from a program."""

import os
from collections.abc import Callable
from pathlib import Path

from engine.platform.default_callbacks import ignore_progress, never_cancelled
from engine.platform.user_folders import user_folders
from tablebase.build import builder
from tablebase.build.progress import BuildResult, Progress
from tablebase.formation.extra_steps import with_extra_steps
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal, check_target, typed_goal
from tablebase.formation.patterns_file import find_formation, load_formations
from tablebase.probe.continuation import chained_to
from tablebase.store.options import TableOptions


def build(
    pattern: str | Formation,
    target: int | str,
    folder: Path | str,
    *,
    progress: Callable[[Progress], None] | None = None,
    cancel: Callable[[], bool] | None = None,
    spawn4: float = 0.1,
    rate: str = "uint32",
    threshold: float = 0.0,
    optimal_only: bool = False,
    sparse: int = 1,
    most_equal: int = 0,
    small_sum: int = 0,
    large_from: int = 64,
    extra_steps: int | str | None = None,
    threads: int | None = None,
    memory_bytes: int | None = None,
    level: str = "fast",
    then: Path | str | None = None,
) -> BuildResult:
    """Build a table; go on with one that was interrupted; return soon when it is complete.

    It can be stopped at any moment, even by a power cut: the same call goes on from there. Same
    arguments, same bytes, whatever the number of threads. It works in this process, on threads of
    its own.

    Parameters
    ----------
    pattern : str or Formation
        The name of one of the program's `formations` or of your own in the data folder, or any
        formation.
    target : int or str
        The tile to reach, in face value: 64, 128, ... 16384. Or what all tiles but walls and large
        ones are to add up to, such as "sum1800".
    folder : Path or str
        The table's own folder, made if missing; what `open_table` is given later.
    progress : callable, optional
        Called from this thread with a `Progress`, a few times a second at most.
    cancel : callable, optional
        Asked several times a second, from any thread; True stops the build.
    spawn4 : float
        The probability that a new tile is a 4.
    rate : str
        How rates are stored: "uint32" (to 1.25e-10), "uint16" (compact), "uint64", "float32" or
        "float64".
    threshold : float
        Boards of a rate at or below it are not stored.
    optimal_only : bool
        Whether only boards are stored that optimal play comes to.
    sparse : int
        Of so many layers two are stored, from which lookups work out the others; 1 stores all.
    most_equal, small_sum : int
        Limits for giant tables: boards are left out that hold more than `most_equal` equal large
        tiles, or whose other tiles add up to more than `small_sum` beside a large one (what other
        programs call the advanced algorithm, and its STSL); 0 for no limit. What is left out counts
        as lost, so all rates of such a table are lower bounds.
    large_from : int
        The least tile that these limits call large.
    extra_steps : int or "full", optional
        Layers beyond half the target tile, by default what the formation says. Boards left in the
        last two count as lost; "full" is as many as it takes until no board is left, so that all
        rates are exact.
    threads : int, optional
        All cores by default.
    memory_bytes : int, optional
        What to stay within; by default most of what the machine has.
    level : str
        How hard the files are packed: "fast", "normal" or "small".
    then : Path or str, optional
        The folder, beside `folder`, of a finished table whose formation has one large tile more.
        The target then counts only in the cells that lead there, and is worth what that table says
        of the board that is left: rates are the chance of both targets.

    Returns
    -------
    BuildResult
        What was built, and what it took.

    Raises
    ------
    FormationError
        There is no such formation, or it has no table for this target.
    BuildCancelledError
        `cancel` said so; what is finished stays.
    BuildError
        The folder holds a table of other parameters, another build is at work there, the drive is
        full, or an option is none.

    Examples
    --------
    >>> import endgame2048 as eg
    >>> result = eg.build("2x4", 64, "tables/2x4_64")
    >>> result.layers, result.stored
    (80, 120410)
    >>> eg.build("2x4", 64, "tables/2x4_64").was_complete
    True
    """
    formation = pattern if isinstance(pattern, Formation) else _formation_called(pattern)
    goal = _goal(target)
    formation = with_extra_steps(formation, goal, extra_steps)
    then = Path(then) if then is not None else None
    plan = builder.BuildPlan(
        formation if then is None else chained_to(formation, goal, then, spawn4),
        goal,
        Path(folder),
        TableOptions(
            spawn4, rate, threshold, optimal_only, sparse, most_equal, small_sum, large_from
        ),
        threads=(os.cpu_count() or 1) if threads is None else threads,
        memory_bytes=memory_bytes,
        level=level,
        then=then,
    )
    return builder.build(plan, progress or ignore_progress, cancel or never_cancelled)


def _goal(target: int | str) -> Goal:
    """Return a tile or a sum as a goal; refuse what there are no tables for."""
    goal = typed_goal(target) if isinstance(target, str) else None
    return check_target(target if goal is None else goal)


def _formation_called(name: str) -> Formation:
    """Return a formation of the program, or one that this user has drawn in the window."""
    shipped = load_formations()
    if name in shipped:
        return shipped[name]
    return find_formation(name, load_formations(own=user_folders().patterns))
