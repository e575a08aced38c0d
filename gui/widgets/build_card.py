"""The running build, conversion or move: bar, phase, figures; and the queue.

Rows of the queue live as long as their requests, so a moved row keeps the focus.
"""

from collections.abc import Callable
from itertools import pairwise

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QFrame, QProgressBar, QPushButton, QWidget

from engine.platform.language import mark, tr, trn
from gui.style.layout import column, placed, row
from gui.table_work.builds import BuildProgress, Builds
from gui.table_work.queue_file import Failure
from gui.table_work.requests import Request
from gui.text.lists import fact_list
from gui.text.numbers import format_bytes, format_count, format_percent, format_seconds
from gui.widgets.buttons import button, tool_button
from gui.widgets.disclosure import Disclosure
from gui.widgets.flow_layout import flowing
from gui.widgets.labels import Figure, label
from gui.widgets.state_mark import StateMark

_OF_BUILDS = ("speed", "boards")
_STEPS = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
PHASES = {
    "": mark("Starting"),
    "expand": mark("Step 1: finding all positions"),
    "solve": mark("Step 2: computing success rates"),
    "thin": mark("Step 3: keeping best play only"),
    "finish": mark("Finishing"),
    "import": mark("Importing"),
    "convert": mark("Converting"),
    "relocate": mark("Moving"),
}


class BuildCard(QFrame):
    """Shows `builds`, without charts in brief; hidden while nothing runs or waits."""

    def __init__(
        self, builds: Builds, charts: QWidget | None = None, shows_failed: bool = False
    ) -> None:
        super().__init__()
        self._builds, self._shows_failed = builds, shows_failed
        self.setProperty("card", True)
        self.setProperty("emphasis", True)
        self.title_label = label("", "strong")
        self.phase_label = label("", "muted", wraps=True)
        tip = tr("Stop. You can resume later where it stopped")
        self.cancel_button = button(tr("Cancel"), tip=tip, work=builds.cancel)
        self.pause_button = button(work=self.pause_or_resume)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.percent_label = label("", "muted")
        self.figures = {
            name: Figure(caption)
            for name, caption in (
                ("left", tr("Time left")),
                ("speed", tr("Boards per second")),
                ("boards", tr("Boards")),
                ("layer", tr("Layer")),
                ("bytes", tr("On disk")),
                ("memory", tr("Memory")),
            )
        }
        self.rows = QueueRows(builds, shows_failed)
        self.charts = Disclosure(tr("Charts"), charts) if charts else None
        self._lay_out()
        builds.changed.connect(self._show_state)
        builds.progressed.connect(self._show_progress)
        self._show_state()

    def _lay_out(self) -> None:
        self._work = QWidget()
        bar = row(placed(self.bar, stretch=1), self.percent_label, space=12)
        figures = flowing(*self.figures.values(), space=12, column_width=118)
        work = column(bar, figures, space=12, parent=self._work)
        figures.setVisible(self.charts is not None)
        if self.charts:
            work.addWidget(self.charts)
        column(
            row(
                placed(column(self.title_label, self.phase_label, space=2), stretch=1),
                self.pause_button,
                self.cancel_button,
                space=6,
            ),
            self._work,
            self.rows,
            space=12,
            margins=16,
            parent=self,
        )

    @property
    def has_focus(self) -> bool:
        focus = QApplication.focusWidget()
        return focus is not None and (focus is self or self.isAncestorOf(focus))

    def pause_or_resume(self) -> None:
        if self._builds.is_paused:
            self._builds.resume()
        else:
            self._builds.pause()

    def _show_state(self) -> None:
        builds = self._builds
        request, waiting = builds.current, builds.waiting
        self.rows.show_line()
        self._work.setVisible(request is not None)
        self.cancel_button.setVisible(request is not None)
        self.pause_button.setVisible(bool(request or waiting))
        self.pause_button.setText(tr("Resume") if builds.is_paused else tr("Pause"))
        self.pause_button.setToolTip(
            tr("Go on with the queue")
            if builds.is_paused
            else tr("Stop, and start nothing new until you resume. What is finished is kept")
        )
        self.pause_button.setProperty("primary", builds.is_paused and request is None)
        self.pause_button.style().polish(self.pause_button)
        self.phase_label.show()
        if request:
            self.title_label.setText(request.work_title)
            self._show_progress(builds.progress)
        elif waiting:
            self.title_label.setText(tr("The queue is paused"))
            self.phase_label.setText(_waiting_text(builds))
        elif builds.failed:
            n = len(builds.failed)
            self.title_label.setText(trn("{n} table is not done", "{n} tables are not done", n))
            self.phase_label.hide()
        is_failed_shown = self._shows_failed and bool(builds.failed)
        self.setVisible(bool(request or waiting or is_failed_shown))

    def _show_progress(self, progress: BuildProgress) -> None:
        is_stopping = self._builds.is_cancelling
        if is_stopping and self.cancel_button.hasFocus():
            self.setFocus()  # else Qt would look for another place, which is in the rail
        self.cancel_button.setEnabled(not is_stopping)
        phase = tr(PHASES.get(progress.phase, progress.phase))
        if progress.eta_s is not None and not self.charts:
            time = format_seconds(progress.eta_s)
            phase = fact_list([phase, tr("{time} left", time=time)])
        self.phase_label.setText(tr("Stopping. You can resume later") if is_stopping else phase)
        self.bar.setValue(int(progress.fraction * 1000))
        self.percent_label.setText(format_percent(min(progress.fraction, 0.99)))
        left = "\u2013" if progress.eta_s is None else format_seconds(progress.eta_s)
        speed = format_count(progress.boards_per_s) if progress.boards_per_s else "\u2013"
        layer = "\u2013"
        if progress.layers:
            layer = tr("{number} of {all}", number=progress.layer, all=progress.layers)
        texts = {
            "left": left,
            "speed": speed,
            "boards": format_count(progress.boards) if progress.boards else "\u2013",
            "layer": layer,
            "bytes": format_bytes(progress.n_bytes) if progress.n_bytes else "\u2013",
            "memory": format_bytes(progress.rss_bytes) if progress.rss_bytes else "\u2013",
        }
        notes = {}
        if progress.scratch_bytes:
            notes["bytes"] = tr("working files: {size}", size=format_bytes(progress.scratch_bytes))
        if progress.peak_rss_bytes:
            notes["memory"] = tr("at most {size}", size=format_bytes(progress.peak_rss_bytes))
        is_move = progress.phase == "relocate"  # which counts bytes, not boards
        for name, text in texts.items():
            self.figures[name].show_value(text)
            self.figures[name].setToolTip(notes.get(name, ""))
            self.figures[name].setVisible(text != "\u2013" and not (is_move and name in _OF_BUILDS))
        self.figures["bytes"].caption_label.setText(tr("Moved") if is_move else tr("On disk"))


def _waiting_text(builds: Builds) -> str:
    first, n = builds.waiting[0], len(builds.waiting)
    return trn(
        "{first} waits for you to resume. What is finished is kept.",
        "{n} tables wait for you to resume, {first_inside} first. What is finished is kept.",
        n,
        first=first.work_title,
        first_inside=first.work,
    )


class QueueRows(QWidget):
    """One row for each request that waits, and one for each that failed."""

    def __init__(self, builds: Builds, shows_failed: bool = True) -> None:
        super().__init__()
        self._builds, self._shows_failed = builds, shows_failed
        self.rows: list[WaitingRow | FailedRow] = []
        self.caption_label = label(tr("In the queue"), "caption")
        self._column = column(self.caption_label, space=4, parent=self)
        self.show_line()

    def show_line(self) -> None:
        builds = self._builds
        requested: list[Request | Failure] = [*builds.waiting]
        if self._shows_failed:
            requested += builds.failed
        rows = {queued.content: queued for queued in self.rows}
        for content, queued in rows.items():
            if content not in requested:
                self._column.removeWidget(queued)
                queued.hide()
                queued.deleteLater()
        self.rows = []
        for content in requested:
            kind = FailedRow if isinstance(content, Failure) else WaitingRow
            self.rows.append(rows.get(content) or kind(content, builds))  # type: ignore[arg-type]
        for i, queued in enumerate(self.rows, start=1):
            if self._column.indexOf(queued) != i:
                self._column.insertWidget(i, queued)
        waiting = [queued for queued in self.rows if isinstance(queued, WaitingRow)]
        for i, queued in enumerate(waiting):
            queued.show_place(i == 0, i == len(waiting) - 1)
        self.caption_label.setVisible(bool(waiting))
        self.setVisible(bool(self.rows))
        buttons = [widget for queued in self.rows for widget in queued.buttons]
        for before, after in pairwise(buttons):
            QWidget.setTabOrder(before, after)


class WaitingRow(QWidget):
    """A request that waits: earlier, later, or not at all."""

    def __init__(self, request: Request, builds: Builds) -> None:
        super().__init__()
        self.content, self._builds = request, builds
        what = request.work
        up, down = tr("Move {what} up", what=what), tr("Move {what} down", what=what)
        self.up_button = tool_button(
            "arrow_up", tr("Earlier (Alt+Up)"), name=up, work=lambda: builds.move(request, -1)
        )
        self.down_button = tool_button(
            "arrow_down", tr("Later (Alt+Down)"), name=down, work=lambda: builds.move(request, 1)
        )
        self.remove_button = _remove_button(what, lambda: builds.remove(request))
        self.buttons = (self.up_button, self.down_button, self.remove_button)
        box = row(placed(label(request.work_title, wraps=True), stretch=1), space=4, parent=self)
        for widget in self.buttons:
            box.addWidget(widget)
            widget.installEventFilter(self)

    def show_place(self, is_first: bool, is_last: bool) -> None:
        has_focus = self.up_button.hasFocus() or self.down_button.hasFocus()
        self.up_button.setEnabled(not is_first or has_focus)
        self.down_button.setEnabled(not is_last or has_focus)
        if self.up_button.hasFocus() and is_first:  # before Qt lets the keyboard go anywhere
            self.down_button.setFocus()
        elif self.down_button.hasFocus() and is_last:
            self.up_button.setFocus()
        self.up_button.setEnabled(not is_first)
        self.down_button.setEnabled(not is_last)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802
        """Move with Alt and an arrow; a button alone would go to its neighbor."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            step = _STEPS.get(Qt.Key(event.key()))
            if step and event.modifiers() & Qt.KeyboardModifier.AltModifier:
                self._builds.move(self.content, step)
                return True
        return super().eventFilter(watched, event)


class FailedRow(QWidget):
    """A request that failed, why, and what can be done."""

    def __init__(self, failure: Failure, builds: Builds) -> None:
        super().__init__()
        self.content = failure
        what = failure.request
        text = tr("{what} stopped: {why}.", what=what.work_title, why=failure.message.rstrip("."))
        self.text_label = label(text, wraps=True)
        retry = tr("Try again: {what}", what=what.work)
        self.retry_button = button(tr("Try again"), name=retry, work=lambda: builds.retry(failure))
        self.remove_button = _remove_button(what.work, lambda: builds.dismiss(failure))
        self.buttons = (self.retry_button, self.remove_button)
        row(StateMark("bad"), placed(self.text_label, stretch=1), *self.buttons, parent=self)


def _remove_button(what: str, work: Callable[[], None]) -> QPushButton:
    return button(tr("Remove"), "quiet", name=tr("Remove {what}", what=what), work=work)
