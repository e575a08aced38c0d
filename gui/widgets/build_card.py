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

from engine.language import mark, tr
from gui.core.build_request import BuildRequest, Request
from gui.core.builds import BuildProgress, Builds
from gui.text.numbers import format_bytes, format_count, format_percent, format_seconds
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import Figure, label

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
    """Shows `builds`; hidden while nothing is built."""

    def __init__(self, builds: Builds) -> None:
        super().__init__()
        self._builds = builds
        self.setProperty("card", True)
        self.setProperty("emphasis", True)
        self.title_label = label("", "strong")
        self.phase_label = label("", "muted", wraps=True)
        self.cancel_button = QPushButton(tr("Cancel"))
        self.cancel_button.setToolTip(tr("Stop. You can resume later where it stopped"))
        self.cancel_button.clicked.connect(builds.cancel)
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
            self.title_label.setText(request.work_title)
            self._show_progress(self._builds.progress)
            self._show_waiting()

    def _show_progress(self, progress: BuildProgress) -> None:
        is_stopping = self._builds.is_cancelling
        self.cancel_button.setEnabled(not is_stopping)
        phase = tr(PHASES.get(progress.phase, progress.phase))
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
            "boards": format_count(progress.boards) if progress.layers else "\u2013",
            "layer": layer,
            "bytes": format_bytes(progress.n_bytes) if progress.n_bytes else "\u2013",
        }
        for name, text in texts.items():
            self.figures[name].show_value(text)
        is_move = progress.phase == "relocate"  # which counts bytes, not boards
        self.figures["bytes"].caption_label.setText(tr("Moved") if is_move else tr("On disk"))
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
            button = QPushButton(tr("Remove"))
            button.setProperty("quiet", True)
            button.clicked.connect(lambda _=False, r=request: self._builds.remove(r))
            row.addWidget(button)
            self._waiting.addWidget(line)


def _then(request: Request) -> str:
    if isinstance(request, BuildRequest):
        return tr("Then {what}", what=request.title)
    return tr("Then {what}", what=request.work)
