"""The build, conversion or move under way: bar, phase, figures, Cancel; and those that wait."""

from PySide6.QtWidgets import (
    QApplication,
    QFrame,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from gui.core.build_request import BuildRequest, Request
from gui.core.builds import BuildProgress, Builds
from gui.text.numbers import format_bytes, format_count, format_percent, format_seconds
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import Figure, label

PHASES = {
    "": "Starting",
    "expand": "Step 1: finding all positions",
    "solve": "Step 2: computing success rates",
    "thin": "Step 3: keeping best play only",
    "finish": "Finishing",
    "import": "Importing",
    "convert": "Converting",
    "relocate": "Moving",
}


class BuildCard(QFrame):
    """Shows `builds`; hidden while nothing is built."""

    def __init__(self, builds: Builds) -> None:
        super().__init__()
        self._builds = builds
        self.setProperty("card", True)
        self.setProperty("emphasis", True)
        self.title_label = label("", "strong")
        self.phase_label = label("", "muted", wraps=True)
        self.cancel_button = QPushButton("Cancel")
        self.cancel_button.setToolTip("Stop. You can resume later where it stopped")
        self.cancel_button.clicked.connect(builds.cancel)
        self.bar = QProgressBar()
        self.bar.setRange(0, 1000)
        self.bar.setTextVisible(False)
        self.percent_label = label("", "muted")
        self.figures = {
            name: Figure(caption)
            for name, caption in (
                ("left", "Time left"),
                ("speed", "Boards per second"),
                ("boards", "Boards"),
                ("layer", "Layer"),
                ("bytes", "On disk"),
            )
        }
        self._waiting = QVBoxLayout()
        self._lay_out()
        builds.changed.connect(self._show_state)
        builds.progressed.connect(self._show_progress)
        self._show_state()

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 16, 16, 16)
        column.setSpacing(12)
        head = QHBoxLayout()
        titles = QVBoxLayout()
        titles.setSpacing(2)
        titles.addWidget(self.title_label)
        titles.addWidget(self.phase_label)
        head.addLayout(titles, 1)
        head.addWidget(self.cancel_button)
        column.addLayout(head)
        bar = QHBoxLayout()
        bar.setSpacing(12)
        bar.addWidget(self.bar, 1)
        bar.addWidget(self.percent_label)
        column.addLayout(bar)
        figures = QWidget()
        flow = FlowLayout(figures, space=12, column_width=118)
        for figure in self.figures.values():
            flow.addWidget(figure)
        column.addWidget(figures)
        column.addLayout(self._waiting)

    @property
    def has_focus(self) -> bool:
        """Whether the keyboard is on the card or something in it."""
        focus = QApplication.focusWidget()
        return focus is not None and (focus is self or self.isAncestorOf(focus))

    def _show_state(self) -> None:
        request = self._builds.current
        self.setVisible(bool(request))
        if request:
            self.title_label.setText(f"{request.doing} {request.title}")
            self._show_progress(self._builds.progress)
            self._show_waiting()

    def _show_progress(self, progress: BuildProgress) -> None:
        is_stopping = self._builds.is_cancelling
        self.cancel_button.setEnabled(not is_stopping)
        phase = PHASES.get(progress.phase, progress.phase)
        self.phase_label.setText("Stopping. You can resume later" if is_stopping else phase)
        self.bar.setValue(int(progress.fraction * 1000))
        self.percent_label.setText(format_percent(min(progress.fraction, 0.99)))
        left = "\u2013" if progress.eta_s is None else format_seconds(progress.eta_s)
        speed = format_count(progress.boards_per_s) if progress.boards_per_s else "\u2013"
        layer = f"{progress.layer} of {progress.layers}" if progress.layers else "\u2013"
        texts = {
            "left": left,
            "speed": speed,
            "boards": format_count(progress.boards) if progress.layers else "\u2013",
            "layer": layer,
            "bytes": format_bytes(progress.n_bytes) if progress.n_bytes else "\u2013",
        }
        for name, text in texts.items():
            self.figures[name].show_value(text)
        is_move = progress.phase == "relocate"  # which counts bytes, not boards
        self.figures["bytes"].caption_label.setText("Moved" if is_move else "On disk")
        for name in ("speed", "boards"):
            self.figures[name].setVisible(not is_move)

    def _show_waiting(self) -> None:
        while (item := self._waiting.takeAt(0)) is not None:
            if widget := item.widget():
                widget.hide()
                widget.deleteLater()
        for request in self._builds.waiting:
            line = QWidget()
            row = QHBoxLayout(line)
            row.setContentsMargins(0, 0, 0, 0)
            row.addWidget(label(_then(request), "muted"), 1)
            button = QPushButton("Remove")
            button.setProperty("quiet", True)
            button.clicked.connect(lambda _=False, r=request: self._builds.remove(r))
            row.addWidget(button)
            self._waiting.addWidget(line)


def _then(request: Request) -> str:
    if isinstance(request, BuildRequest):
        return f"Then {request.title}"
    return f"Then {request.doing.lower()} {request.title}"
