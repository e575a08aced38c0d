"""The cost of a drawing's table: a choice of targets, four figures, and their progress."""

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from engine.platform.errors import AppError
from engine.platform.language import tr, trn
from gui.formations.target_field import TargetField
from gui.settings_model.settings import Settings
from gui.style.layout import column, grid_layout, laid_out, placed, row
from gui.table_work.requests import BuildRequest
from gui.table_work.table_service import Cost, TablesService
from gui.text.numbers import format_bytes, format_count, format_seconds
from gui.widgets.buttons import button
from gui.widgets.fields import progress_bar
from gui.widgets.labels import Figure, label, set_property, show_text
from gui.work.tasks import TaskRunner, cpu_count
from tablebase.formation.goal import Goal

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation

_UNKNOWN = "\u2013"

_ESTIMATE = "cost of a drawing"  # the name of a task, no text
PAUSE_MS = 500  # delay without drawing before an estimate begins


def cost_figures() -> dict[str, Figure]:
    return {
        "boards": Figure(tr("Boards")),
        "bytes": Figure(tr("On disk")),
        "memory": Figure(tr("Memory")),
        "time": Figure(tr("Time")),
    }


class _StoppedError(AppError):
    """The answer is no longer wanted."""


class _Job:
    """One estimate, which runs until stopped."""

    def __init__(self, on_progress: Callable[[float], None]) -> None:
        self.is_stopped = False
        self._on_progress = on_progress

    def watch(self, fraction: float) -> None:
        """Report the progress; called on the worker thread."""
        if self.is_stopped:
            raise _StoppedError
        self._on_progress(fraction)


class Costs(QObject):
    """Estimates one table at a time; a newer request ends the older one."""

    changed = Signal()  # the state changed: see `cost`, `fraction`, `problem`
    _progressed = Signal(object, float)

    def __init__(
        self, service: TablesService, tasks: TaskRunner, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._service, self._tasks = service, tasks
        self._estimated_table: tuple[Formation, Goal] | None = None
        self._job: _Job | None = None
        self.cost: Cost | None = None
        self.fraction: float | None = None  # None: nothing is running
        self.problem = ""
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._begin)
        self._progressed.connect(self._on_progress)

    def ask(self, formation: "Formation", target: Goal) -> None:
        """Estimate a table once there has been no request for a while."""
        if self._estimated_table == (formation, target) and not self.problem:
            return
        self.stop()
        self._estimated_table, self.cost, self.problem = (formation, target), None, ""
        self.fraction = 0.0
        self._pause.start()
        self.changed.emit()

    def forget(self) -> None:
        self.stop()
        self._estimated_table, self.cost, self.problem = None, None, ""
        self.changed.emit()

    def stop(self) -> None:
        self._pause.stop()
        if self._job:
            self._job.is_stopped = True
            self._job = None
        if self.fraction is not None:
            self.fraction, self._estimated_table = None, None
            self.changed.emit()

    def _begin(self) -> None:
        if self._estimated_table is None:
            return
        formation, target = self._estimated_table
        request = BuildRequest(formation.name, target, self._service.home)
        job = self._job = _Job(lambda fraction: self._progressed.emit(job, fraction))
        service = self._service
        self._tasks.run_latest(
            _ESTIMATE,
            lambda: service.cost_to_build(formation, request, cpu_count(), job.watch),
            lambda cost: self._end(job, cost=cost),
            lambda error: self._end(job, problem=str(error)),
        )

    def _on_progress(self, job: object, fraction: float) -> None:
        if job is self._job:
            self.fraction = fraction
            self.changed.emit()

    def _end(self, job: _Job, cost: Cost | None = None, problem: str = "") -> None:
        if job is self._job:
            self._job, self.fraction = None, None
            self.cost, self.problem = cost, problem
            self.changed.emit()


class CostView(QWidget):
    """Estimates a drawing automatically whenever it changes."""

    changed = Signal()  # the estimate appeared or is no longer valid

    def __init__(self, service: TablesService, tasks: TaskRunner, settings: Settings) -> None:
        super().__init__()
        self._formation: Formation | None = None
        self.costs = Costs(service, tasks, self)
        self.caption_label = label(tr("Estimate for target"), "caption")
        self.target_field = TargetField(settings)
        self.figures = cost_figures()
        grid = grid_layout(space=12, wide=(0, 1))
        for i, figure in enumerate(self.figures.values()):
            grid.addWidget(figure, i // 2, i % 2, Qt.AlignmentFlag.AlignTop)
        self._figures = laid_out(grid)
        self.problem_label = label("", "caption", wraps=True)
        set_property(self.problem_label, "tone", "bad")
        self.bar = progress_bar(tr("Estimating"))
        self.stop_button = button(
            tr("Stop"), "chip", name=tr("Stop the estimate"), work=self._stop_or_ask
        )
        for part in (self.bar, self.stop_button):
            policy = part.sizePolicy()
            policy.setRetainSizeWhenHidden(True)  # nothing moves when it appears or disappears
            part.setSizePolicy(policy)
        column(
            # The progress is shown where it is visible without scrolling.
            row(self.caption_label, placed(self.bar, stretch=1), self.stop_button),
            self.target_field,
            4,
            self._figures,
            self.problem_label,
            parent=self,
        )
        self.problem_label.hide()
        self.target_field.changed.connect(self._ask)
        self.costs.changed.connect(self._show)

    @property
    def target(self) -> Goal | None:
        return self.target_field.target if self._formation else None

    @property
    def cost(self) -> Cost | None:
        return self.costs.cost

    def show_formation(self, formation: "Formation | None") -> None:
        # An estimate is the same under every name.
        self._formation = formation and replace(formation, name="drawing", category="")
        for part in (self.caption_label, self.target_field, self._figures):
            part.setVisible(formation is not None)
        if formation:
            self.target_field.set_formation(formation)
        self._ask()

    @property
    def tab_stops(self) -> list[QWidget]:
        return [self.stop_button, *self.target_field.stops]

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self._ask()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self.costs.stop()

    def _ask(self) -> None:
        if self._formation and self.target and self.isVisible():
            self.costs.ask(self._formation, self.target)
        else:
            self.costs.forget()

    def _stop_or_ask(self) -> None:
        if self.costs.fraction is None:
            self._ask()
        else:
            self.costs.stop()

    def _show(self) -> None:
        cost, fraction, problem = self.costs.cost, self.costs.fraction, self.costs.problem
        is_on = fraction is not None
        self.bar.setVisible(is_on)
        self.bar.setValue(int((fraction or 0.0) * 1000))
        self.stop_button.setText(tr("Stop") if is_on else tr("Estimate"))
        self.stop_button.setVisible(is_on or (self._formation is not None and cost is None))
        show_text(self.problem_label, problem)
        if cost:
            self._show_figures(cost)
        else:
            for figure in self.figures.values():
                figure.show_value(_UNKNOWN, " ")
        self.changed.emit()

    def _show_figures(self, cost: Cost) -> None:
        figures = self.figures
        is_known = cost.boards > 0 or cost.is_hopeless  # otherwise it is too large to examine
        boards, n_bytes = format_count(cost.boards), format_bytes(cost.n_bytes)
        figures["boards"].show_value(boards if is_known else _UNKNOWN, " ")
        note = _free(cost.free_bytes, cost.fits_disk)
        figures["bytes"].show_value(n_bytes if is_known else _UNKNOWN, *note)
        note = _free(cost.free_memory_bytes, cost.fits_memory)
        figures["memory"].show_value(format_bytes(cost.memory_bytes), *note)
        threads = trn("with {n} thread", "with {n} threads", cost.threads)
        time = format_seconds(cost.seconds) if is_known else _UNKNOWN
        figures["time"].show_value(time, threads)


def _free(n_bytes: int | None, fits: bool) -> tuple[str, str]:
    if n_bytes is None:
        return " ", ""
    return tr("{size} free", size=format_bytes(n_bytes)), "" if fits else "warning"
