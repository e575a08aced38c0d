"""Estimating the cost of a drawing's table in the background, with progress and cancellation."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from engine.platform.errors import AppError
from gui.table_work.build_request import BuildRequest
from gui.table_work.table_service import Cost, TablesService
from gui.work.tasks import TaskRunner, cpu_count
from tablebase.formation.goal import Goal

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation

_ESTIMATE = "cost of a drawing"  # the name of a task, no text
PAUSE_MS = 500  # delay without drawing before an estimate begins


class _StoppedError(AppError):
    """The answer is no longer wanted."""


class _Job:
    """One estimate, which runs until stopped."""

    def __init__(self, tell: Callable[[float], None]) -> None:
        self.is_stopped = False
        self._tell = tell

    def watch(self, fraction: float) -> None:
        """Report the progress; called on the worker thread."""
        if self.is_stopped:
            raise _StoppedError("stopped")
        self._tell(fraction)


class Costs(QObject):
    """Estimates one table at a time; a newer request ends the older one.

    Signals
    -------
    changed : the state changed: see `cost`, `fraction`, `problem`
    """

    changed = Signal()
    _told = Signal(object, float)

    def __init__(
        self, service: TablesService, tasks: TaskRunner, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._service, self._tasks = service, tasks
        self._asked: tuple[Formation, Goal] | None = None
        self._job: _Job | None = None
        self.cost: Cost | None = None
        self.fraction: float | None = None  # None: nothing is running
        self.problem = ""
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(PAUSE_MS)
        self._pause.timeout.connect(self._begin)
        self._told.connect(self._on_told)

    def ask(self, formation: "Formation", target: Goal) -> None:
        """Estimate a table once there has been no request for a while."""
        if self._asked == (formation, target) and not self.problem:
            return
        self.stop()
        self._asked, self.cost, self.problem = (formation, target), None, ""
        self.fraction = 0.0
        self._pause.start()
        self.changed.emit()

    def forget(self) -> None:
        """Stop estimating: there is no formation now."""
        self.stop()
        self._asked, self.cost, self.problem = None, None, ""
        self.changed.emit()

    def stop(self) -> None:
        """Stop the running estimate."""
        self._pause.stop()
        if self._job:
            self._job.is_stopped = True
            self._job = None
        if self.fraction is not None:
            self.fraction, self._asked = None, None
            self.changed.emit()

    def _begin(self) -> None:
        if self._asked is None:
            return
        formation, target = self._asked
        request = BuildRequest(formation.name, target, self._service.home)
        job = self._job = _Job(lambda fraction: self._told.emit(job, fraction))
        service = self._service
        self._tasks.run_latest(
            _ESTIMATE,
            lambda: service.cost_to_build(formation, request, cpu_count(), job.watch),
            lambda cost: self._end(job, cost=cost),
            lambda error: self._end(job, problem=str(error)),
        )

    def _on_told(self, job: object, fraction: float) -> None:
        if job is self._job:
            self.fraction = fraction
            self.changed.emit()

    def _end(self, job: _Job, cost: Cost | None = None, problem: str = "") -> None:
        if job is self._job:
            self._job, self.fraction = None, None
            self.cost, self.problem = cost, problem
            self.changed.emit()
