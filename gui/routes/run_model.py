"""Runs along routes as rows of a table."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt

from coach.routes.code import code_of
from coach.routes.results import KeptRun
from coach.routes.words import describe_route, length_text, route_title
from engine.language import sentences, tr, trc
from gui.routes.text import figure_text, outcome_text, pace_text, who_text
from gui.text.dates import format_moment

Index = QModelIndex | QPersistentModelIndex
_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_LEFT = Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter


@dataclass(frozen=True)
class Column:
    """A column: its heading, what it shows, whether it holds numbers."""

    title: str
    text: Callable[[KeptRun], str]
    is_number: bool = False


def _columns() -> tuple[Column, ...]:
    return (
        Column(tr("Date"), lambda run: format_moment(run.played)),
        Column(tr("Route"), lambda run: route_title(run.result.route)),
        Column(tr("Length"), lambda run: length_text(run.result.route)),
        Column(tr("By"), lambda run: who_text(run.result.who)),
        Column(tr("Result"), lambda run: figure_text(run.result), is_number=True),
        Column(trc("in a route", "Mistakes"), _mistakes, is_number=True),
        Column(tr("Moves"), lambda run: f"{run.result.n_moves:,}", is_number=True),
        Column(tr("Time"), lambda run: pace_text(run.result), is_number=True),
        Column(tr("End"), lambda run: outcome_text(run.result)),
    )


def _mistakes(run: KeptRun) -> str:
    return "" if run.result.route.is_game else f"{run.result.n_mistakes:,}"


class RunModel(QAbstractTableModel):
    """The list for a QTableView."""

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[KeptRun] = []
        self._columns = _columns()

    def set_runs(self, runs: Sequence[KeptRun]) -> None:
        """Show other runs."""
        self.beginResetModel()
        self.runs = list(runs)
        self.endResetModel()

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        """Return the number of runs."""
        return 0 if parent.isValid() else len(self.runs)

    def columnCount(self, parent: Index = QModelIndex()) -> int:  # noqa: N802, B008
        """Return the number of columns."""
        return 0 if parent.isValid() else len(self._columns)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        """Return what a cell shows."""
        run, column = self.runs[index.row()], self._columns[index.column()]
        if role == Qt.ItemDataRole.DisplayRole:
            return column.text(run)
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_RIGHT if column.is_number else _LEFT)
        if role == Qt.ItemDataRole.ToolTipRole:
            route = run.result.route
            return sentences(f"{describe_route(route)}.", code_of(route))
        return None

    def headerData(  # noqa: N802
        self,
        section: int,
        orientation: Qt.Orientation,
        role: int = Qt.ItemDataRole.DisplayRole,
    ) -> object:
        """Return the heading of a column."""
        if orientation != Qt.Orientation.Horizontal:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return self._columns[section].title
        if role == Qt.ItemDataRole.TextAlignmentRole:
            return int(_RIGHT if self._columns[section].is_number else _LEFT)
        return None
