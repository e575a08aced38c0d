"""Compiling the kernels ahead of time.

The kernels and their types are not listed anywhere: each step does on a small scale what the window
does (builds a tiny table of each kind, probes it, lets each AI move), and the machine code stays in
the cache.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ai.choice import CHOOSERS, make_adversary
from engine.language import mark, tr
from engine.moves import move
from engine.spawn import Rng, spawn
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import BuildCancelledError
from tablebase.formation.formation import Formation
from tablebase.formation.patterns_file import load_formations
from tablebase.library.opening import open_table
from tablebase.probe.verify import verify
from tablebase.store.block_cache import BlockCache
from tablebase.store.options import TableOptions

_TARGET = 64


def _small(name: str, masks: tuple[int, ...], symmetry: str, seed: int) -> Formation:
    every_cell = 0xFFFF_FFFF_FFFF_FFFF
    return Formation(name, "others", masks, every_cell, symmetry, (seed,), _N_LAYERS, walls=False)


_N_WALLED_LAYERS = 2  # after the first that can hold the target
_N_LAYERS = 12  # after that of the seed
# Small ones of each kind with kernels of its own: large tiles that are fixed, that may be in
# several rows, that may be anywhere; each with and without mirror images.
_FORMATIONS = (
    _small("fixed", (0x0000_F00F_FFFF_FFFF,), "identity", 0x1000_F00F_FFFF_FFFF),
    _small("mirrored", (0x0000_F00F_FFFF_FFFF,), "horizontal", 0x1000_F00F_FFFF_FFFF),
    _small("corner", (0x000F_00FF_0FFF_FFFF,), "diagonal", 0x000F_01FF_0FFF_FFFF),
    _small("rows", (0x0000_0F00_FFFF_FFFF, 0x0F00_0000_FFFF_FFFF), "identity",
           0x0000_1F00_FFFF_FFFF),
    _small("rowsmirrored", (0x0000_000F_FFFF_FFFF, 0x0000_F000_FFFF_FFFF), "horizontal",  # no text
           0x1000_001F_FFFF_FFFF),
    _small("square", (0x000F_000F_000F_FFFF,), "diagonal", 0x1F0F_0F0F_000F_FFFF),
    _small("locked", (0x0000_0000_FFFF_FFFF,), "identity", 0x100F_000F_FFFF_FFFF),
    _small("loose", (0x0000_000F_FFFF_FFFF,), "identity", 0x1000_F01F_FFFF_FFFF),
    _small("anywhere", (), "full", 0x1334_01FF_FFFF_FFFF),
)  # fmt: skip
_RATES = ("uint32", "uint64", "uint16", "float32", "float64")
_VARIANTS = (
    TableOptions(),
    TableOptions(optimal_only=True, threshold=0.05),
    TableOptions(sparse=3),
)
_N_SAMPLES, _N_MOVES = 20, 8
_KEPT_BYTES = 1 << 20
_MOVE_MS = 5.0
_MIDGAME = (7, 6, 5, 2, 4, 3, 2, 1, 1, 2, 1, 0, 0, 1, 0, 0)
_STOPPED = mark("stopped: what is ready stays ready")


@dataclass(frozen=True)
class Step:
    """A step that needs kernels.

    Attributes
    ----------
    name : str
        For logs.
    work : callable
    """

    name: str
    work: Callable[[], object]


def prepare(on_step: Callable[[int, int], None], is_cancelled: Callable[[], bool]) -> None:
    """Compile all kernels that are not compiled yet.

    Parameters
    ----------
    on_step : callable
        Called before each step and at the end with the steps done and the total.
    is_cancelled : callable
        Called now and then, also from within a step.

    Raises
    ------
    BuildCancelledError
        It was canceled; compiled kernels are kept.
    """
    with TemporaryDirectory(prefix="endgame2048-", ignore_cleanup_errors=True) as name:
        steps = tuple(_steps(Path(name), is_cancelled))
        for i, step in enumerate(steps):
            on_step(i, len(steps))
            if is_cancelled():
                raise BuildCancelledError(tr(_STOPPED))
            step.work()
        on_step(len(steps), len(steps))


def prepared_formations() -> list[Formation]:
    """Return formations of each kind: small ones, and one between walls for each symmetry."""
    walled: dict[str, Formation] = {}
    for one in load_formations().values():
        if one.walls:
            walled.setdefault(one.symmetry, one)
    return [*_FORMATIONS, *(replace(one, extra_steps=_N_WALLED_LAYERS) for one in walled.values())]


def _steps(folder: Path, is_cancelled: Callable[[], bool]) -> Iterator[Step]:
    """Yield the steps, those needed soonest first."""

    def use_table(formation: Formation, options: TableOptions, place: str) -> None:
        name = f"{formation.name}_{_TARGET}"
        plan = BuildPlan(formation, _TARGET, folder / place / name, options)
        build(plan, is_cancelled=is_cancelled)
        _ask(plan.folder)
        verify(plan.folder, _N_SAMPLES, is_cancelled=is_cancelled)

    def choose(kind: str, folders: Sequence[Path]) -> None:
        chooser = CHOOSERS[kind].make(folders, 0.1)
        chooser.choose(_MIDGAME, _MOVE_MS)
        chooser.let_go()

    default, *others = _VARIANTS
    first, *_ = _FORMATIONS
    yield Step("table", lambda: use_table(first, default, "first"))
    for kind in CHOOSERS:
        yield Step(f"AI {kind}", partial(choose, kind, [folder / "first"]))
    yield Step("tiles that hurt", lambda: make_adversary()(_MIDGAME))  # no text
    options_of = [(f"v{i}", options) for i, options in enumerate(others)]
    options_of += [(rate, TableOptions(rate=rate)) for rate in _RATES]
    for formation in prepared_formations():
        for place, options in options_of:
            work = partial(use_table, formation, options, place)
            yield Step(f"{formation.name} {place}", work)


def _ask(path: Path) -> None:
    """Probe a table as Practice, Test, Review, Analysis and the AI do, over a short game."""
    rng = Rng(1)
    with open_table(path) as table:
        board = table.start_board(rng)
        afters = []
        for _ in range(_N_MOVES):
            answer = table.get(board)
            if answer is None or answer.best is None:
                break
            after = move(board, answer.best)
            afters.append(after)
            board = spawn(after, rng, table.spawn4)[0]
        table.rates_of(afters)
        table.many_rates(np.array(afters, np.uint64))
        table.keep_layers(BlockCache(_KEPT_BYTES))
        table.rates_of(afters)
