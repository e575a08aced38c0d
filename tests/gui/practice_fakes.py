"""A table that answers at once, a runner that answers on request: no disk, no threads, no time."""

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from engine.bitboard import cells, from_cells
from engine.platform.errors import AppError
from engine.spawn import Rng
from engine.trace import slide_cells
from gui.play.services import PlayServices
from gui.settings_model.settings import Settings
from gui.widgets.file_dialogs import FileDialogs
from tablebase.errors import ProbeError
from tablebase.probe.probes import Probe
from tests.coach.games import probed

L3_START = 0x10000000_1FFF2FFF
WALLED_START = 0x100F_010F_000F_FFFF
TABLE_PATH = Path("tables") / "L3_256"
NOON = datetime(2026, 3, 1, 12, tzinfo=timezone.utc)
TABLES = [
    SimpleNamespace(
        path=TABLE_PATH,
        name="L3_256",
        pattern="L3",
        target=256,
        state="complete",
        then="",
        spawn4=0.1,
        is_limited=False,
    ),
    SimpleNamespace(
        path=Path("tables/442_128"),
        name="442_128",
        pattern="442",
        target=128,
        state="partial",
        then="",
        spawn4=0.1,
        is_limited=True,
    ),
]


@dataclass(frozen=True)
class FakeFormation:
    masks: tuple[int, ...] = (0x00000000_0FFF0FFF,)
    target_cells: int = (1 << 64) - 1
    n_large: int = 6
    walls: bool = False
    symmetry: str = "full"


WALLED = FakeFormation(masks=(0x000F_000F_000F_FFFF,), n_large=7, walls=True)


@dataclass
class FakeTable:
    """Rates that prefer left, then up, right, down; `rates` overrides them for a board."""

    path: Path = TABLE_PATH
    formation: FakeFormation = field(default_factory=FakeFormation)
    start: int = L3_START
    name: str = "L3_256"
    pattern: str = "L3"
    target: int = 256
    spawn4: float = 0.1
    rate: str = "uint32"
    rates: dict[int, tuple[float | None, ...]] = field(default_factory=dict)
    outside: set[int] = field(default_factory=set)
    probed: list[int] = field(default_factory=list)
    is_closed: bool = False
    is_thinned: bool = False
    is_limited: bool = False

    def probe(self, board: int, comes_up: bool = False) -> Probe:  # noqa: ARG002
        self.probed.append(board)
        if board in self.outside:
            raise ProbeError("the large tiles are not where L3 has them")
        before = cells(board)
        preferred = (0.99378, 0.98, 0.9931, 0.7)
        rates = self.rates.get(board) or tuple(
            None if list(slide_cells(before, d, self.formation.walls).cells) == before else rate
            for d, rate in enumerate(preferred)
        )
        legal = [rate for rate in rates if rate is not None]
        return probed(board, rates, rates.index(max(legal)) if legal else None)

    def start_board(self, rng: Rng) -> int:
        rng.next_u64()
        return self.start

    def close(self) -> None:
        self.is_closed = True


@dataclass
class FakeOpener:
    """Opens what a test set: a table, or the reason why there is none."""

    gives: FakeTable | AppError
    asked: list[Path] = field(default_factory=list)

    def __call__(self, path: Path) -> FakeTable:
        self.asked.append(path)
        if isinstance(self.gives, AppError):
            raise self.gives
        return self.gives


@dataclass
class FakeTasks:
    """Jobs wait until `work_off`; with `at_once` each is done when it is run."""

    at_once: bool = True
    waiting: list[tuple[Callable[[], Any], Callable[[Any], None], Any]] = field(
        default_factory=list
    )

    def run(self, work: Callable[[], Any], done: Callable[[Any], None], failed: Any = None) -> None:
        self.waiting.append((work, done, failed))
        if self.at_once:
            self.work_off()

    def release(self, let_go: Callable[[], Any]) -> None:
        self.run(let_go, lambda _: None)

    def work_off(self, count: int = 1000) -> None:
        for _ in range(count):
            if not self.waiting:
                return
            work, done, failed = self.waiting.pop(0)
            try:
                result = work()
            except Exception as error:  # noqa: BLE001 - as the real runner does
                failed(error)
            else:
                done(result)


class FakeClock:
    """Seconds that a test lets pass, and the date that goes with them."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def __call__(self) -> float:
        return self.seconds

    def now(self) -> datetime:
        self.seconds += 0.001  # no two things happen at the same time
        return NOON + timedelta(seconds=self.seconds)


class FakeDialogs(FileDialogs):
    """Answers at once with `path`; records the requests."""

    def __init__(self) -> None:
        self.path: Path | None = None
        self.offered: list[Path] = []

    def ask_save(self, _parent: object, _title: str, path: Path, _filters: str) -> Path | None:
        self.offered.append(path)
        return self.path

    def ask_folder(self, _parent: object, _title: str, folder: Path) -> Path | None:
        self.offered.append(folder)
        return self.path

    def ask_open(self, _parent: object, _title: str, folder: Path, _filters: str) -> Path | None:
        self.offered.append(folder)
        return self.path


def board_of(*rows: str) -> int:
    """Return the board of four rows of face values: "2 4 . ."."""
    values = " ".join(rows).split()
    return from_cells(0 if v == "." else int(v).bit_length() - 1 for v in values)


def play_services(
    open_table: Callable[[Path], Any],
    tasks: Any,
    settings: Settings,
    rng: Rng | None = None,
    **more: Any,
) -> PlayServices:
    """Return what a page needs; lookups and files have one thread."""
    if rng:
        more["rng"] = rng
    return PlayServices(settings, open_table, tasks, tasks, **more)
