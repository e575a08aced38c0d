"""Compiling the kernels ahead of time.

The kernels and their types are not listed anywhere: each step does on a small scale what the window
does (builds a tiny table of each kind, probes it, lets each AI move), and the machine code stays in
the cache. The compiler works on one kernel at a time in a process, so two share the steps.
"""

from collections import deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from ai.choice import CHOOSERS, make_adversary
from ai.errors import PreparationError
from ai.parent_watch import end_with_parent
from engine.moves import move
from engine.platform.language import mark, tr
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
_N_OF_ALL_RATES = 3  # formations: kernels for types of rates are the same for all of them
_VARIANTS = (
    TableOptions(),
    TableOptions(optimal_only=True, threshold=0.05),
    TableOptions(sparse=3),
)
_N_SAMPLES, _N_MOVES = 20, 8
_MIDGAME = (7, 6, 5, 2, 4, 3, 2, 1, 1, 2, 1, 0, 0, 1, 0, 0)
_STOPPED = mark("stopped: what is ready stays ready")
_STOP = "stop"  # the file that tells other processes to end


@dataclass(frozen=True)
class CompileStep:
    """A step that needs kernels."""

    name: str  # for logs
    work: Callable[[], object]
    needs_first: bool = False  # whether it works with the table of the first step


def prepare(
    on_step: Callable[[int, int], None], is_cancelled: Callable[[], bool], jobs: int = 1
) -> None:
    """Compile all kernels that are not compiled yet.

    `on_step` is called at first and after each step with the steps done and the total;
    `is_cancelled` now and then, also from within a step. Each of the `jobs` processes takes some
    300 MB of memory. Raises BuildCancelledError, when compiled kernels are kept, and
    PreparationError if another process ended early, for example for lack of memory.
    """
    with TemporaryDirectory(prefix="endgame2048-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        steps = tuple(_steps(folder, is_cancelled))
        n_reported = 0
        on_step(n_reported, len(steps))
        way = _in_processes(steps, folder, jobs) if jobs > 1 else _one_by_one(steps)
        try:
            with closing(way) as numbers:
                for n_done in numbers:
                    if n_done > n_reported:
                        on_step(n_done, len(steps))
                        n_reported = n_done
                    if is_cancelled():
                        raise BuildCancelledError(tr(_STOPPED))
        except BrokenProcessPool as error:
            raise PreparationError(
                tr("a process that compiles ended early; what is ready stays ready, so try again")
            ) from error


def prepared_formations() -> list[Formation]:
    walled: dict[str, Formation] = {}
    for formation in load_formations().values():
        if formation.walls:
            walled.setdefault(formation.symmetry, formation)
    return [
        *_FORMATIONS,
        *(replace(formation, extra_steps=_N_WALLED_LAYERS) for formation in walled.values()),
    ]


def _one_by_one(steps: Sequence[CompileStep]) -> Generator[int, None, None]:
    for n_done, step in enumerate(steps, start=1):
        step.work()
        yield n_done


def _in_processes(
    steps: Sequence[CompileStep], folder: Path, jobs: int
) -> Generator[int, None, None]:
    import multiprocessing  # slow to import, and --help needs the rest of this module

    context = multiprocessing.get_context("spawn")  # a fork would inherit threads and locks
    waiting, running = deque(range(len(steps))), dict[Future[None], int]()
    n_done, has_first = 0, False
    in_order: Future[None] | None = None
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=end_with_parent) as pool:
        try:
            while waiting or running:
                # One process goes on from the first step, the others from the last: the steps
                # that one does at the same time as another have few kernels in common.
                if waiting and in_order not in running:
                    i = waiting.popleft()
                    in_order = pool.submit(_work, folder, i)
                    running[in_order] = i
                while waiting and len(running) < jobs:
                    if steps[waiting[-1]].needs_first and not has_first:
                        break
                    i = waiting.pop()
                    running[pool.submit(_work, folder, i)] = i
                finished, _ = wait(running, 0.2, FIRST_COMPLETED)
                for future in finished:
                    future.result()
                    has_first |= running.pop(future) == 0
                    n_done += 1
                    yield n_done
                if not finished:
                    yield n_done
        finally:
            (folder / _STOP).touch()


def _work(folder: Path, i: int) -> None:
    steps = tuple(_steps(folder, (folder / _STOP).exists))
    steps[i].work()


def _steps(folder: Path, is_cancelled: Callable[[], bool]) -> Iterator[CompileStep]:
    """Yield the steps, those needed soonest first."""

    def use_table(formation: Formation, options: TableOptions, place: str) -> None:
        name = f"{formation.name}_{_TARGET}"
        plan = BuildPlan(formation, _TARGET, folder / place / name, options)
        build(plan, is_cancelled=is_cancelled)
        _ask(plan.folder)
        verify(plan.folder, _N_SAMPLES, is_cancelled=is_cancelled)

    def choose(kind: str, folders: Sequence[Path]) -> None:
        chooser = CHOOSERS[kind].make(folders, 0.1)
        chooser.choose(_MIDGAME, ms=5.0)
        chooser.release()

    default, *others = _VARIANTS
    first, *_ = _FORMATIONS
    yield CompileStep("table", lambda: use_table(first, default, "first"))
    for kind in CHOOSERS:
        yield CompileStep(f"AI {kind}", partial(choose, kind, [folder / "first"]), needs_first=True)
    yield CompileStep("tiles that hurt", lambda: make_adversary()(_MIDGAME))  # no text
    for i, formation in enumerate(prepared_formations()):
        options_of = [(f"v{n}", options) for n, options in enumerate(others)]
        if i < _N_OF_ALL_RATES:
            options_of += [(rate, TableOptions(rate=rate)) for rate in _RATES]
        for place, options in options_of:
            work = partial(use_table, formation, options, place)
            yield CompileStep(f"{formation.name} {place}", work)


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
        table.keep_layers(BlockCache(1 << 20))
        table.rates_of(afters)
