"""Games, played or analyzed, as a tree: games at the top, phases and parts of tables below.

There are phases if a game was judged as a whole, and parts where tables cover it.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTreeWidget, QTreeWidgetItem

from coach.analysis.analyses import GameSummary, StoredAnalysis, StoredSegment
from coach.analysis.course import CoursePhase, done_word, judged_by, phase_line, phase_title
from coach.analysis.segments import END_TITLES, End
from coach.grading.grade import Grade
from coach.grading.names import CHANCE_KEPT, CHANCE_KEPT_TIP
from coach.recordings.heading import Heading, heading_in_name
from engine.platform.language import mark, tr, trn
from engine.platform.quantities import points_text, rate_text
from gui.text.lists import fact_list
from gui.text.numbers import format_percent, format_whole, moves_text, table_title
from gui.text.rates import match_text, points_lost
from gui.text.recordings import format_day, recording_title
from gui.text.reviews import format_luck
from tablebase.formation.goal import read_goal

HEADS = (mark("Game"), mark("Moves"), mark("Perfect"), mark("Lost"), mark("Luck"), mark("Result"))
NAME, MOVES, PERFECT, LOST, LUCK, RESULT = range(len(HEADS))
_NUMBERS = (MOVES, PERFECT, LOST, LUCK)
_TIPS = {
    PERFECT: mark("How many of the moves with a known rate were best or as good"),
    LOST: mark("What the moves lost, in percentage points of the success rate"),
    LUCK: mark("What the new tiles changed, in percentage points of the success rate"),
}
_MIN_PX, _NBSP = 132, "\u00a0"
_NAME = "Game, today 11:52, 122,340"  # no text
_SAMPLES = {
    MOVES: "20,493\u201320,512",
    PERFECT: "> 99.9 %",
    RESULT: mark("12 parts, 12,345 moves"),
}


class GameItem(QTreeWidgetItem):
    """A game: played, waiting, being analyzed, analyzed, or unreadable."""

    def __init__(self, path: Path, now: datetime) -> None:
        super().__init__([recording_title(heading_in_name(path), now)])
        self.path, self.problem = path, ""
        self.analysis: StoredAnalysis | None = None
        self.heading: Heading | None = None
        self.setToolTip(NAME, str(path))
        _align(self)

    def show_waiting(self) -> None:
        self.setText(RESULT, tr("Waiting"))

    def show_progress(self, fraction: float) -> None:
        self.setText(RESULT, tr("Analyzing, {share}", share=format_percent(min(fraction, 0.99))))

    def show_problem(self, problem: str) -> None:
        self.problem = problem
        self.setText(RESULT, tr("Not analyzed: {problem}", problem=problem))
        self.setToolTip(RESULT, problem)

    def show_analysis(self, analysis: StoredAnalysis, now: datetime) -> None:
        self.analysis, self.path = analysis, analysis.path
        heading = replace(heading_in_name(analysis.path), points=analysis.points)
        self.setText(NAME, recording_title(heading, now))
        self.setText(MOVES, format_whole(analysis.moves))
        self.setText(RESULT, _result(analysis))
        self._show_no_luck()
        when = tr("Analyzed {day}", day=format_day(analysis.at, now))
        self.setToolTip(RESULT, "\n".join([_result(analysis), when, *analysis.problems[1:]]))
        policy = QTreeWidgetItem.ChildIndicatorPolicy
        has_parts = bool(analysis.segments or analysis.game)
        judged = [analysis.game] if analysis.game else analysis.segments
        if judged:
            self.setText(PERFECT, _perfect(sum((Counter(one.grades) for one in judged), Counter())))
            self.setText(LOST, _points(sum(one.points_lost for one in judged)))
        self.setChildIndicatorPolicy(
            policy.ShowIndicator if has_parts else policy.DontShowIndicator
        )

    def show_heading(self, heading: Heading, now: datetime) -> None:
        """Show a game that was played or opened, as far as it is known without an analysis."""
        self.heading, share, lost = heading, heading.perfect_share, heading.points_lost
        title = recording_title(replace(heading, perfect_share=None, n_moves=None), now)
        self.setText(NAME, fact_list((heading.name if heading.table else "", title)))
        self.setText(MOVES, "" if heading.n_moves is None else format_whole(heading.n_moves))
        self.setText(PERFECT, "" if share is None else match_text(share))
        self.setText(LOST, "" if lost is None else _points(lost))
        self.setText(RESULT, _reached(heading))
        self._show_no_luck()

    def _show_no_luck(self) -> None:
        self.setText(LUCK, "\u2013")
        self.setToolTip(LUCK, tr("Analyze a game to see the luck in each of its parts"))

    def make_parts(self) -> None:
        """Create the items of the parts, if not done yet."""
        if self.analysis and not self.childCount():
            phases = self.analysis.game.phases if self.analysis.game else ()
            self.addChildren([PhaseItem(phase) for phase in phases])
            self.addChildren([PartItem(segment) for segment in self.analysis.segments])


class PhaseItem(QTreeWidgetItem):
    """A phase of a game that was judged as a whole."""

    def __init__(self, phase: CoursePhase) -> None:
        super().__init__(_phase_texts(phase))
        self.phase = phase
        _align(self)
        self.setToolTip(NAME, phase_line(phase))
        self.setToolTip(RESULT, phase_line(phase))


class PartItem(QTreeWidgetItem):
    """A stretch of a game that one table covers."""

    def __init__(self, segment: StoredSegment) -> None:
        super().__init__(_part_texts(segment))
        self.segment = segment
        _align(self)
        self.setToolTip(NAME, _rates(segment.start_rate, segment.end_rate))
        kept = tr("{name}: {value}", name=tr(CHANCE_KEPT), value=match_text(segment.match_rate))
        self.setToolTip(PERFECT, f"{kept}\n{tr(CHANCE_KEPT_TIP)}")
        if segment.rpl is None:
            self.setToolTip(NAME, tr("This part couldn't be saved as a recording"))


class AnalysisTree(QTreeWidget):
    """All games.

    `part_opened` has the part (StoredSegment) or phase (CoursePhase) that was double-clicked, or
    None for a game that was played and not analyzed.
    """

    part_opened = Signal(object)

    def __init__(self, now: Callable[[], datetime] = datetime.now) -> None:
        super().__init__()
        self._now = now
        self.setAccessibleName(tr("Games"))
        self.setColumnCount(len(HEADS))
        head = QTreeWidgetItem([tr(head) for head in HEADS])
        self.setHeaderItem(head)
        _align(head)
        for column, tip in _TIPS.items():
            head.setToolTip(column, tr(tip))
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setUniformRowHeights(True)
        self.setExpandsOnDoubleClick(True)
        self.setMinimumHeight(_MIN_PX)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        header = self.header()
        header.setStretchLastSection(True)
        header.setSectionResizeMode(QHeaderView.ResizeMode.Interactive)
        self._result_px = 0  # the largest width of a result so far
        self._widths_timer = QTimer(self, singleShot=True, interval=0)
        self._widths_timer.timeout.connect(self._set_widths)
        self._set_widths()
        self.itemChanged.connect(lambda *_: self._widths_timer.start())
        self.model().rowsInserted.connect(lambda *_: self._widths_timer.start())
        self.itemExpanded.connect(lambda item: item.make_parts())
        self.itemActivated.connect(self._activate)

    @property
    def is_settling(self) -> bool:
        """Whether the column widths are about to change."""
        return self._widths_timer.isActive()

    @property
    def games(self) -> list[GameItem]:
        items = [self.topLevelItem(i) for i in range(self.topLevelItemCount())]
        return [item for item in items if isinstance(item, GameItem)]

    @property
    def chosen_game(self) -> GameItem | None:
        item = self.currentItem()
        if isinstance(item, PartItem | PhaseItem):
            item = item.parent()
        return item if isinstance(item, GameItem) else None

    @property
    def chosen_part(self) -> StoredSegment | None:
        """The selected part; for a game with a single part, that one."""
        item = self.currentItem()
        if isinstance(item, PartItem):
            return item.segment
        analysis = item.analysis if isinstance(item, GameItem) else None
        is_alone = analysis and len(analysis.segments) == 1 and analysis.game is None
        return analysis.segments[0] if analysis and is_alone else None

    @property
    def chosen_phase(self) -> CoursePhase | None:
        item = self.currentItem()
        return item.phase if isinstance(item, PhaseItem) else None

    def show_stored(self, analyses: Sequence[StoredAnalysis]) -> None:
        items = []
        for analysis in analyses:
            item = GameItem(analysis.path, self._now())
            item.show_analysis(analysis, self._now())
            items.append(item)
        self.addTopLevelItems(items)

    def show_played(self, games: Sequence[tuple[Path, Heading]]) -> None:
        """List these games between the analyses, newest first, and no others without one."""
        rows = self.games
        analyzed = {item.path for item in rows if not item.heading}
        wanted = {path: heading for path, heading in games if path not in analyzed}
        if wanted == {item.path: item.heading for item in rows if item.heading}:
            return
        chosen = self.currentItem()
        chosen_path = chosen.path if isinstance(chosen, GameItem) and chosen.heading else None
        for old in [item for item in rows if item.heading]:
            self.takeTopLevelItem(self.indexOfTopLevelItem(old))
        rows = self.games  # once: to ask for all of them again and again takes long
        for path, heading in wanted.items():
            item = GameItem(path, self._now())
            item.show_heading(heading, self._now())
            older = (i for i, one in enumerate(rows) if _is_older(one, heading.played_at))
            at = next(older, len(rows))
            rows.insert(at, item)
            self.insertTopLevelItem(at, item)
            if path == chosen_path:
                self.setCurrentItem(item)

    def add_waiting(self, paths: Sequence[Path]) -> None:
        items: list[QTreeWidgetItem] = []
        for path in paths:
            item = GameItem(path, self._now())
            item.show_waiting()
            items.append(item)
        self.insertTopLevelItems(0, items)

    def under_way(self, path: Path) -> GameItem | None:
        for item in self.games:
            is_waiting = not (item.analysis or item.problem or item.heading)
            if item.path == path and is_waiting:
                return item
        return None

    def drop(self, item: GameItem) -> None:
        at = self.indexOfTopLevelItem(item)
        self.takeTopLevelItem(at)
        if left := self.games:
            self.setCurrentItem(left[min(at, len(left) - 1)])

    def put_back(self, analysis: StoredAnalysis, at: int) -> None:
        item = GameItem(analysis.path, self._now())
        item.show_analysis(analysis, self._now())
        self.insertTopLevelItem(min(at, self.topLevelItemCount()), item)
        self.setCurrentItem(item)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self._set_widths()

    def _activate(self, item: QTreeWidgetItem) -> None:
        if isinstance(item, PartItem):
            self.part_opened.emit(item.segment)
        elif isinstance(item, PhaseItem):
            self.part_opened.emit(item.phase)
        elif isinstance(item, GameItem) and item.heading:
            self.part_opened.emit(None)

    def _set_widths(self) -> None:
        metrics, room = self.fontMetrics(), self.viewport().width()
        samples = _SAMPLES | {LOST: f"0{_points(0.000086)}", LUCK: format_luck(-0.00063)}
        needed = {
            column: max(map(metrics.horizontalAdvance, (tr(HEADS[column]), tr(sample)))) + 18
            for column, sample in sorted(samples.items())
        }
        least = metrics.horizontalAdvance(_NAME) + 40
        is_narrow = room < least + sum(needed.values())
        self.setColumnHidden(LUCK, is_narrow)
        others = sum(needed.values()) - (needed[LUCK] if is_narrow else 0)
        shortest = metrics.horizontalAdvance(_NAME[:13]) + 40
        for spared in (LOST, MOVES):  # only in the smallest windows
            is_left_out = shortest + others > room
            self.setColumnHidden(spared, is_left_out)
            others -= needed[spared] if is_left_out else 0
        if is_narrow:
            least = max(shortest, min(least, room - others))
        for column, px in needed.items():
            if column == RESULT:  # the last one: as wide as its content, if there is room
                self._result_px = max(self._result_px, self.sizeHintForColumn(RESULT))
                px = max(px, min(self._result_px, room - least))
            room -= 0 if self.isColumnHidden(column) else px
            self.header().resizeSection(column, px)
        self.header().resizeSection(NAME, max(least, room))


def _is_older(item: GameItem, when: datetime | None) -> bool:
    of_played = item.heading.played_at if item.heading else None
    at = item.analysis.at if item.analysis else of_played
    return at is not None and (when is None or at < when)


def _reached(heading: Heading) -> str:
    goal = read_goal(heading.table.rpartition("_")[2]) if heading.table else None
    if goal is None or not heading.outcome:
        return ""
    text = (
        mark("{target} reached") if heading.outcome == "reached" else mark("{target} not reached")
    )
    return tr(text, target=goal.words())


def _result(analysis: StoredAnalysis) -> str:
    parts = len(analysis.segments)
    rated = sum(part.last_move - part.first_move + 1 for part in analysis.segments)
    if analysis.game:
        text = _whole_result(analysis.game)
    elif not parts:
        text = tr("No table covers this game")
    else:
        text = trn("{n} part, {moves}", "{n} parts, {moves}", parts, moves=moves_text(rated))
    is_done = analysis.is_complete and (analysis.game is None or analysis.game.is_done)
    text = text if is_done else tr("{result}; canceled", result=text)
    return f"{text}; {analysis.problems[0]}" if analysis.problems else text


def _whole_result(game: GameSummary) -> str:
    phases = trn("{n} phase", "{n} phases", len(game.phases))
    by_tables = game.judged - game.by_search
    if not by_tables:
        return tr("{phases}, analyzed by search", phases=phases)
    return trn(
        "{phases}, {n:,} move analyzed by tables, {others:,} by search",
        "{phases}, {n:,} moves analyzed by tables, {others:,} by search",
        by_tables,
        phases=phases,
        others=game.by_search,
    )


def _phase_texts(phase: CoursePhase) -> list[str]:
    title = phase_title(phase)
    mean = ""
    if phase.mean_loss is not None:
        mean = tr("{lost} per move", lost=points_text(phase.mean_loss))
    result = "; ".join(filter(None, (mean, judged_by(phase), done_word(phase))))
    return [
        f"{title[:1].upper()}{title[1:]}",
        _moves(phase.first, phase.last),
        "",
        _points(phase.points_lost),
        "",
        f"{result[:1].upper()}{result[1:]}",
    ]


def _moves(first: int, last: int) -> str:
    return f"{first:,}\u2013{last:,}"


def _rates(first: float, second: float) -> str:
    return f"{rate_text(first)} \u2192 {rate_text(second)}".replace(" %", f"{_NBSP}%")


def _perfect(grades: Mapping[str, int]) -> str:
    n = sum(grades.values())
    return match_text(grades.get(Grade.PERFECT.value, 0) / n) if n else ""


def _points(lost: float) -> str:
    """Return a loss; that of a whole game may be many hundred points."""
    return points_lost(lost) or "0"


def _part_texts(segment: StoredSegment) -> list[str]:
    try:
        end = tr(END_TITLES[End[segment.end.upper()]])
    except KeyError:  # stored by a later version
        end = segment.end
    return [
        table_title(segment.table),
        _moves(segment.first_move, segment.last_move),
        _perfect(segment.grades),
        _points(segment.points_lost),
        # What is left is the start, less what moves lost, plus what tiles gave.
        format_luck(segment.end_rate - segment.start_rate + segment.points_lost),
        end,
    ]


def _align(item: QTreeWidgetItem) -> None:
    right = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
    for column in _NUMBERS:
        item.setTextAlignment(column, right)
