"""Analyzed games and their parts as a tree: games at the top, what tables cover of them below."""

from collections.abc import Sequence
from pathlib import Path

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from coach.analysis.analyses import KeptAnalysis, KeptSegment
from coach.analysis.segments import End
from coach.analysis.text import luck_text
from engine.wording import rate_text
from gui.text.numbers import format_percent
from gui.text.reviews import format_match_rate

HEADS = ("Game", "Moves", "Success", "Match rate", "Points lost", "Luck", "Result")
NAME, MOVES, SUCCESS, MATCH, LOST, LUCK, RESULT = range(len(HEADS))
_NUMBERS = (MOVES, SUCCESS, MATCH, LOST, LUCK)
_TIPS = {
    SUCCESS: "The success rate at the beginning and at the end",
    MATCH: "The share of the success rate that the moves kept, tiles apart",
    LOST: "What the moves gave away, in points of the success rate",
    LUCK: "What the new tiles gave, as a logarithm: below 0 is bad luck",
}
_NBSP, _MINUS = "\u00a0", "\N{MINUS SIGN}"
_NARROW = 820  # pixels in which not all columns can be read


class GameItem(QTreeWidgetItem):
    """A game: waiting, being analyzed, analyzed, or not to be read.

    Attributes
    ----------
    path : Path
    analysis : KeptAnalysis or None
    problem : str
    """

    def __init__(self, path: Path) -> None:
        super().__init__([path.name])
        self.path, self.problem = path, ""
        self.analysis: KeptAnalysis | None = None
        self.setToolTip(NAME, str(path))
        _align(self)

    def show_waiting(self) -> None:
        """Show that it has not begun."""
        self.setText(RESULT, "Waiting")

    def show_progress(self, fraction: float) -> None:
        """Show how much of it is done."""
        self.setText(RESULT, f"Analysing, {format_percent(min(fraction, 0.99))}")

    def show_problem(self, problem: str) -> None:
        """Show why it could not be analyzed."""
        self.problem = problem
        self.setText(RESULT, f"Not analyzed: {problem}")
        self.setToolTip(RESULT, problem)

    def show_analysis(self, one: KeptAnalysis) -> None:
        """Show what was found; the parts are made when they are opened."""
        self.analysis, self.path = one, one.path
        self.setText(MOVES, f"{one.moves:,}")
        self.setText(RESULT, _result(one))
        self.setToolTip(RESULT, "\n".join([f"{one.at.astimezone():%Y-%m-%d %H:%M}", *one.problems]))
        policy = QTreeWidgetItem.ChildIndicatorPolicy
        has_parts = bool(one.segments)
        self.setChildIndicatorPolicy(
            policy.ShowIndicator if has_parts else policy.DontShowIndicator
        )

    def make_parts(self) -> None:
        """Make the items of the parts, if that was not done before."""
        if self.analysis and not self.childCount():
            self.addChildren([PartItem(one) for one in self.analysis.segments])


class PartItem(QTreeWidgetItem):
    """A stretch of a game that one table covers."""

    def __init__(self, segment: KeptSegment) -> None:
        super().__init__(_part_texts(segment))
        self.segment = segment
        _align(self)
        if segment.recording is None:
            self.setToolTip(NAME, "This part could not be written as a recording")


class AnalysisTree(QTreeWidget):
    """All games.

    Signals
    -------
    part_opened : KeptSegment (as object)
        A part was double-clicked, or Enter pressed on it.
    """

    part_opened = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName("Analyzed games")
        self.setColumnCount(len(HEADS))
        head = QTreeWidgetItem(list(HEADS))
        self.setHeaderItem(head)
        _align(head)
        for column, tip in _TIPS.items():
            head.setToolTip(column, tip)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(True)
        self.setMinimumHeight(220)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._set_widths()
        self.itemExpanded.connect(lambda item: item.make_parts())
        self.itemActivated.connect(self._activate)

    @property
    def games(self) -> list[GameItem]:
        """The items of the games, in the order shown."""
        items = [self.topLevelItem(i) for i in range(self.topLevelItemCount())]
        return [item for item in items if isinstance(item, GameItem)]

    @property
    def chosen_game(self) -> GameItem | None:
        """The game that is chosen, or a part of which is."""
        item = self.currentItem()
        if isinstance(item, PartItem):
            item = item.parent()
        return item if isinstance(item, GameItem) else None

    @property
    def chosen_part(self) -> KeptSegment | None:
        """The part that is chosen; of a game with one part alone that one."""
        item = self.currentItem()
        if isinstance(item, PartItem):
            return item.segment
        if isinstance(item, GameItem) and item.analysis and len(item.analysis.segments) == 1:
            return item.analysis.segments[0]
        return None

    def show_kept(self, analyses: Sequence[KeptAnalysis]) -> None:
        """Show the games of earlier times below what is there already."""
        items = []
        for one in analyses:
            item = GameItem(one.path)
            item.show_analysis(one)
            items.append(item)
        self.addTopLevelItems(items)

    def add_waiting(self, paths: Sequence[Path]) -> None:
        """Put games that are to be analyzed at the top, in their order."""
        items: list[QTreeWidgetItem] = []
        for path in paths:
            item = GameItem(path)
            item.show_waiting()
            items.append(item)
        self.insertTopLevelItems(0, items)

    def under_way(self, path: Path) -> GameItem | None:
        """Return the item of a game that is being analyzed or waits for it."""
        for item in self.games:
            if item.path == path and item.analysis is None and not item.problem:
                return item
        return None

    def drop(self, item: GameItem) -> None:
        """Take a game out of the list; the one below it is chosen then."""
        at = self.indexOfTopLevelItem(item)
        self.takeTopLevelItem(at)
        if left := self.games:
            self.setCurrentItem(left[min(at, len(left) - 1)])

    def put_back(self, one: KeptAnalysis, at: int) -> None:
        """Show a game again where it was."""
        item = GameItem(one.path)
        item.show_analysis(one)
        self.insertTopLevelItem(min(at, self.topLevelItemCount()), item)
        self.setCurrentItem(item)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Leave out what can be spared where room is scarce."""
        super().resizeEvent(event)
        is_narrow = event.size().width() < _NARROW
        if is_narrow != self.isColumnHidden(SUCCESS):
            self.setColumnHidden(SUCCESS, is_narrow)
            self._set_widths(is_narrow)

    def _activate(self, item: QTreeWidgetItem) -> None:
        if isinstance(item, PartItem):
            self.part_opened.emit(item.segment)

    def _set_widths(self, is_narrow: bool = False) -> None:
        metrics = self.fontMetrics()
        samples = ("a game of someone.txt", "20,493\u201320,512", "99.3780 % \u2192 99.3780 %",
                   "Match rate", "Points lost", "+0.0000 ")  # fmt: skip
        for column, sample in enumerate(samples):
            if is_narrow:
                sample = sample[:13]
            extra = 40 if column == NAME else 20
            self.header().resizeSection(column, metrics.horizontalAdvance(sample) + extra)


def _align(item: QTreeWidgetItem) -> None:
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    for column in _NUMBERS:
        item.setTextAlignment(column, right)


def _result(one: KeptAnalysis) -> str:
    parts = len(one.segments)
    if not parts:
        text = "No table covers a part of it"
    else:
        text = f"{parts} part{'' if parts == 1 else 's'}, {one.covered:,} positions"
    text = text if one.is_complete else f"{text}; canceled"
    return f"{text}; {one.problems[0]}" if one.problems else text


def _part_texts(one: KeptSegment) -> list[str]:
    luck = luck_text(-float("inf") if one.luck_log is None else one.luck_log)
    luck = luck.replace("-", _MINUS)
    try:
        end = End[one.ended.upper()].value
    except KeyError:  # kept by a later version
        end = one.ended
    return [
        one.table,
        f"{one.first_move:,}\u2013{one.last_move:,}",
        f"{rate_text(one.start_rate)} \u2192 {rate_text(one.end_rate)}".replace(" %", f"{_NBSP}%"),
        format_match_rate(one.match_rate),
        f"{one.points_lost * 100:.2f}",
        luck,
        end[0].upper() + end[1:],
    ]
