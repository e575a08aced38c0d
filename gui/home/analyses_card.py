"""The latest analyzed games."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from coach.analysis.analyses import StoredAnalysis
from coach.grading.grade import GRADES, Grade
from coach.recordings.heading import heading_in_name
from engine.platform.language import mark, tr, trn
from gui.home.card import HomeCard
from gui.home.records import MAX_ANALYSES
from gui.style.layout import column, placed, row
from gui.text.numbers import format_whole
from gui.text.recordings import recording_title
from gui.widgets.labels import ElidedLabel, label

_MISTAKES = tuple(grade.value for grade in GRADES[GRADES.index(Grade.MISTAKE) :])
NO_ANALYSES = mark(
    "Recorded games are compared with all your tables: every move is graded, and luck is "
    "separated from skill."
)


class AnalysisRow(QWidget):
    """One game: its name, its result, Open.

    Signals
    -------
    opened : int
        The number of its analysis, to be shown.
    """

    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__()
        self._number = 0
        self.title_label, self.text_label = ElidedLabel(), ElidedLabel("", "caption")
        self.button = QPushButton(tr("Open"))
        self.button.clicked.connect(lambda: self.opened.emit(self._number))
        row(
            placed(column(self.title_label, self.text_label, space=0), stretch=1),
            self.button,
            parent=self,
        )

    def show_analysis(self, one: StoredAnalysis, now: datetime) -> None:
        """Show a game."""
        self._number = one.id
        title = recording_title(replace(heading_in_name(one.path), points=one.points), now)
        self.title_label.setText(title)
        self.text_label.setText(_found(one))
        self.button.setAccessibleName(tr("Open {name}", name=title))


class AnalysesCard(HomeCard):
    """The latest analyses, or an introduction.

    Signals
    -------
    opened : int
        The number of the analysis to show; 0 for the page alone.
    """

    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__(tr("Analyzed games"), tr("All games"))
        self._rows = [AnalysisRow() for _ in range(MAX_ANALYSES)]
        self.empty_label = label(tr(NO_ANALYSES), "muted", wraps=True)
        self.content.addWidget(self.empty_label)
        for analysis_row in self._rows:
            analysis_row.opened.connect(self.opened)
            analysis_row.hide()
            self.content.addWidget(analysis_row)
        self.button = QPushButton(tr("Analyze a game"))
        self.content.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.content.addStretch()
        for button in (self.button, self.more_button):
            button.clicked.connect(lambda: self.opened.emit(0))

    @property
    def rows(self) -> list[AnalysisRow]:
        """The rows that are shown."""
        return [row for row in self._rows if not row.isHidden()]

    def show_analyses(self, analyses: Sequence[StoredAnalysis], now: datetime) -> None:
        """Show analyses, newest first."""
        for analysis_row, one in zip(self._rows, analyses, strict=False):
            analysis_row.show_analysis(one, now)
        for i, analysis_row in enumerate(self._rows):
            analysis_row.setVisible(i < len(analyses))
        self.empty_label.setVisible(not analyses)
        self.button.setVisible(not analyses)
        self.more_button.setVisible(bool(analyses))


def _found(one: StoredAnalysis) -> str:
    if not one.segments:
        return tr("No table covers this game")
    n = sum(part.grades.get(grade, 0) for part in one.segments for grade in _MISTAKES)
    return trn(
        "{n} mistake in {all} positions",
        "{n:,} mistakes in {all} positions",
        n,
        all=format_whole(one.covered),
    )
