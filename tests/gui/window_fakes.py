"""Fake tables and services for the tests of the window."""

import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from gui.table_work.requests import BuildRequest
from gui.table_work.table_service import Cost, TablesService
from tablebase.formation.formation import Formation
from tablebase.library.table_info import TableInfo

FAKE_CHILD = Path(__file__).parent / "fake_child.py"


def child(what: str) -> list[str]:
    """Return the command line of the fake child process."""
    return [sys.executable, str(FAKE_CHILD), what]


def table_info(path: Path, state: str = "complete", **fields: object) -> TableInfo:
    """Return a table as `catalog.scan` describes it; its folder is named PATTERN_TARGET."""
    pattern, target = path.name.split("_")
    info = TableInfo(
        path=path,
        name=path.name,
        pattern=pattern,
        target=int(target),
        state=state,
        layers_done=112 if state == "complete" else 40,
        layers=112,
        boards=1_200_000,
        stored=900_000,
        bytes=4_000_000,
        spawn4=0.1,
        rate="uint32",
        message="" if state != "damaged" else "a file is missing",
    )
    return replace(info, **fields)  # type: ignore[arg-type]


class FakeService(TablesService):
    """A service whose list of tables and costs a test sets."""

    def __init__(
        self, home: Path, tables: Sequence[TableInfo] = (), own_formations: Path | None = None
    ) -> None:
        super().__init__(home, own_formations=own_formations)
        self.tables = list(tables)
        self.cost_of: Cost | Exception = Cost(98_500_000, 10**9, 10**9, 12.0, 10**11, 10**10)
        self.asked: list[tuple[BuildRequest, int]] = []
        self.drawn: list[tuple[Formation, int]] = []

    def scan(self) -> list[TableInfo]:
        return list(self.tables)

    def cost(self, request: BuildRequest, threads: int) -> Cost:
        self.asked.append((request, threads))
        return self._told()

    def cost_to_build(
        self,
        formation: Formation,
        request: BuildRequest,
        threads: int,  # noqa: ARG002
        watch: Callable[[float], None] | None = None,
    ) -> Cost:
        if watch:
            watch(0.5)
        self.drawn.append((formation, request.target))
        return self._told()

    def _told(self) -> Cost:
        if isinstance(self.cost_of, Exception):
            raise self.cost_of
        return self.cost_of
