"""The comparison: why a move is worse than the best one, and both continuations side by side."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import zip_longest
from pathlib import Path

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QCloseEvent, QResizeEvent
from PySide6.QtWidgets import QApplication, QBoxLayout, QDialog, QSizePolicy, QWidget

from coach.explanations.course import Course, Place, chances, extended, play
from coach.explanations.explanation import Explanation
from coach.explanations.source import EstimateChances, Source
from coach.explanations.words import (
    AT_ONCE,
    decimals_in,
    headline,
    refutation_text,
    sentences_of,
    split_text,
)
from coach.grading.names import move_title
from coach.grading.rated import LOWER_BOUNDS, breaking_moves
from coach.reasons.words import chance_text, place_text
from engine.bitboard import LARGEST_NIBBLE
from engine.formats.replay import bitboard
from engine.platform.language import mark, tr, trc
from engine.platform.project_files import APP_TITLE
from engine.platform.tasks import Tasks
from gui.board.board_view import BoardView
from gui.charts.line_chart import LineChart, Series
from gui.comparison.request import ComparisonRequest
from gui.comparison.work import ComparisonStart, ComparisonWork, begun
from gui.play.page_actions import PageAction, PageActions, move_actions, walk_actions
from gui.settings_model.settings import Settings
from gui.style.layout import column, fitting_size, placed, row
from gui.text.boards import describe_cells
from gui.text.messages import message_of
from gui.text.numbers import format_percentage
from gui.text.rates import (
    CHANCE_SCALE,
    RATE_SCALE,
    Scale,
    format_beside,
    format_bound,
    format_chance,
)
from gui.widgets.board_layout import scroll_area
from gui.widgets.buttons import button
from gui.widgets.disclosure import Disclosure
from gui.widgets.labels import label
from gui.widgets.rate_cross import RateCross
from tablebase.probe.table import Table

PLAYED, BEST = 0, 1
_SIZE = QSize(1120, 840)
_ROW_OF_RATES_PX, _SIDE_BY_SIDE_PX = 1090, 590
_CHART_PX, _TICK_MS = 120, 600
_PATIENCE_MS = 300
_FIRST_SEED = 1
_MIN_BOARD_PX = 180
_LINES = 2


class ComparisonSession:
    """Two courses that are stepped through together; the shorter one waits at its end.

    The first is that of the move, the second of the best one; both share the seed of the new tiles.
    """

    def __init__(self, start: ComparisonStart, seed: int) -> None:
        self.courses, self.source, self.seed = list(start.courses), start.source, seed
        pair, decimals = start.explanation.pair, decimals_in(start.explanation)
        how = start.source.is_estimate, start.source.is_bound, decimals
        self.splits = [split_text(split, *how) for split in (pair.played, pair.best)]
        exact = replace(RATE_SCALE, decimals=decimals)
        self.scale = CHANCE_SCALE if start.source.is_estimate else exact
        self.at = 0

    @property
    def n_moves(self) -> int:
        return max(map(len, self.courses)) - 1

    @property
    def is_at_end(self) -> bool:
        return self.at >= self.n_moves

    @property
    def is_over(self) -> bool:
        """Whether neither course can go on."""
        return all(course[-1].is_over for course in self.courses)

    def place(self, side: int) -> Place:
        course = self.courses[side]
        return course[min(self.at, len(course) - 1)]

    def up_to_here(self, side: int) -> Course:
        return self.courses[side][: self.at + 1]

    def next_move(self, side: int) -> int | None:
        """Return the next move of the course, or the best one at its end."""
        course = self.courses[side]
        if self.at + 1 < len(course):
            return course[self.at + 1].direction
        return course[-1].look.certain_best

    def go_to(self, at: int) -> bool:
        at = max(0, min(self.n_moves, at))
        is_other, self.at = at != self.at, at
        return is_other


class ComparisonWindow(QDialog):
    """Two boards, a few sentences and a chart; Esc closes it and restores the keyboard focus.

    Tables are opened and the search is made on the worker thread. If there is nothing to compare,
    the window stays closed and `refused` says why.
    """

    refused = Signal(str)

    def __init__(
        self,
        open_table: Callable[[Path], Table],
        tasks: Tasks,
        make_search: Callable[[], EstimateChances],
        settings: Settings,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"{tr('Compare')} \N{EN DASH} {APP_TITLE}")
        self.work = ComparisonWork(open_table, tasks, make_search)
        self.session: ComparisonSession | None = None
        self._request: ComparisonRequest | None = None
        self._is_asking = False
        self._focus_before: QWidget | None = None
        self.headline, self.facts = label("", "strong", wraps=True), label("", wraps=True)
        self.more_label = label("", wraps=True)
        self.more = Disclosure(tr("More"), self.more_label)
        self.sides = (
            ComparisonSide(tr("Board after the move")),
            ComparisonSide(tr("Board after the best move")),
        )
        for side in self.sides:
            side.board_view.follow_settings(settings)
        self.chart = LineChart(tr("Chances of both"), trc("chart", "New tiles"))
        self.chart.setFixedHeight(_CHART_PX)
        self.tiles_label = label("", "caption", wraps=True)
        board = self.sides[BEST].board_view
        self.actions_by_name = PageActions(self._declared(), self, board)
        for action in self.actions_by_name.values():
            self.sides[PLAYED].board_view.addAction(action)
        self.action_bar = self.actions_by_name.bar()
        self.action_bar.follow_settings(settings)
        self.close_button = button(tr("Close"), work=self.close)
        self.close_button.setAutoDefault(False)  # Enter plays the best move
        self._timer = QTimer(self, interval=_TICK_MS)
        self._patience = QTimer(self, singleShot=True, interval=_PATIENCE_MS)
        self._lay_out()
        self._connect()
        self.resize(_SIZE)

    def actions(self) -> list[QAction]:
        return list(self.actions_by_name.values())

    def compare(self, request: ComparisonRequest) -> None:
        """Show the comparison of a move with the best one, if there is something to compare.

        The window opens with the answer, or before it if that takes a while.
        """
        self._stop()
        self._request, self.session = request, None
        self._is_asking = False
        self.headline.setText(tr("Looking…"))
        for text in (self.facts, self.more_label):
            text.setText("")
        self.more.hide()
        self.tiles_label.setText("")
        self.chart.show_series(())
        large = [i for i, exponent in enumerate(request.cells) if exponent == LARGEST_NIBBLE]
        for side in self.sides:
            side.title.setText("")
            side.board_view.masks_large = request.table is not None
            side.board_view.show_board(request.cells, large if request.table else ())
            side.board_view.show_hint(None)
            side.cross.show_rates((None,) * 4)
            side.text_label.setText("")
        self.actions_by_name.enable()
        self._patience.start()
        self.work.start(request, _FIRST_SEED, self._show_start, self._refuse)

    def close_table(self, path: Path) -> None:
        if self._request and self._request.table == path:
            self.close()
            self.work.stop()

    def done(self, result: int) -> None:
        self._stop()
        self._patience.stop()
        self.work.stop()
        super().done(result)
        if self._focus_before and self._focus_before.isVisible():
            self._focus_before.activateWindow()
            self._focus_before.setFocus()
        self._focus_before = None

    def closeEvent(self, event: QCloseEvent) -> None:  # noqa: N802
        if not self.isVisible():  # Qt does the rest only for what is visible
            self.done(0)
        super().closeEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        is_narrow = event.size().width() < _SIDE_BY_SIDE_PX
        way = QBoxLayout.Direction.TopToBottom if is_narrow else QBoxLayout.Direction.LeftToRight
        self._boards.setDirection(way)
        self._crosses.setDirection(way)
        for side in self.sides:
            side.cross.lay_flat(event.size().width() >= _ROW_OF_RATES_PX)

    def _appear(self) -> None:
        self._patience.stop()
        if not self.isVisible():  # the main window outlives this one
            before, below = QApplication.focusWidget(), self.parentWidget()
            is_below = below and before and below.isAncestorOf(before)
            self._focus_before = before if is_below else None
        self.resize(fitting_size(self, self.size()))
        self.open()
        self.sides[BEST].board_view.setFocus()

    def _refuse(self, error: BaseException) -> None:
        self.done(0)
        self.refused.emit(message_of(error))

    def _show_start(self, start: ComparisonStart) -> None:
        self.session = ComparisonSession(start, _FIRST_SEED)
        self._show_words(start.explanation)
        self._show()
        self._appear()

    def _show_words(self, explanation: Explanation) -> None:
        pair = explanation.pair
        facts = sentences_of(explanation)
        self.headline.setText(headline(explanation))
        self.facts.setText(_as_list(facts[:AT_ONCE]))
        self.facts.setVisible(bool(facts))
        more = [*facts[AT_ONCE:], *filter(None, [refutation_text(explanation)])]
        self.more_label.setText(_as_list(more))
        self.more.setVisible(bool(more))
        played, best = move_title(pair.played.direction), move_title(pair.best.direction)
        self.sides[PLAYED].title.setText(tr("Played: {move}", move=played))
        text = mark("Best: {move}") if explanation.is_mistake else mark("Compared with: {move}")
        self.sides[BEST].title.setText(tr(text, move=best))

    def _show(self, in_motion: bool = False) -> None:
        session = self.session
        if session is None:
            return
        tiles = tr(
            "Both boards get the same new tiles: draw {n}, not the game's own.", n=session.seed
        )
        self.tiles_label.setText(tiles)
        for side, shown in enumerate(self.sides):
            place = session.place(side)
            is_there = session.at < len(session.courses[side])
            shown.show_place(
                place,
                session.next_move(side),
                session.source,
                session.scale,
                frozenset(self.work.locked(place.cells)),
                frozenset(self.work.walled(place.cells)),
                in_motion and is_there,
                session.splits[side],
            )
        self.sides[BEST].cross.setVisible(session.at > 0)  # before the move, they are the same
        self._draw_chart(session)
        self.actions_by_name.enable()

    def _draw_chart(self, session: ComparisonSession) -> None:
        source = session.source
        courses = [chances(course) for course in session.courses]
        pairs = zip_longest(*courses)
        beside = format_beside(pairs, source.tolerance, session.scale.decimals)
        exact = format_bound if source.is_bound else beside
        figure = format_chance if source.is_estimate else exact
        names = (tr("Played"), trc("move", "Best"))
        series = [
            Series(name, course, color, figure=figure, tick=format_percentage)
            for name, course, color in zip(names, courses, ("warning", "good"), strict=True)
        ]
        self.chart.show_series(series)
        self.chart.set_cursor(session.at)

    def _declared(self) -> list[PageAction]:
        def place() -> tuple[int, int]:
            return (self.session.at, self.session.n_moves) if self.session else (0, 0)

        def can_play() -> bool:
            session = self.session
            return session is not None and not (session.is_at_end and session.is_over)

        def can_run() -> bool:
            return can_play() or (self._has_session() and self._timer.isActive())

        back = (tr("Back one move"), "undo", tr("Back"))
        forward = (tr("Forward one move"), "redo", trc("move", "Next"))
        return [
            *walk_actions(self._go_to, place, back, forward),
            PageAction(
                "step",
                tr("Best move on both boards"),
                self._play_best,
                can_play,
                "best",
                1,
                "best",
                repeats=True,
            ),
            PageAction(
                "run", tr("Play on"), self._toggle_run, can_run, "play", 1, stop_text=tr("Stop")
            ),
            PageAction(
                "tiles",
                tr("Other new tiles, the same on both boards"),
                self._other_tiles,
                self._has_session,
                "dice",
                2,
                "new",
                tr("Other tiles"),
            ),
            *move_actions(self._play_in_focus, self._has_session),
        ]

    def _has_session(self) -> bool:
        return self.session is not None

    def _fail(self, error: BaseException) -> None:
        self._is_asking = False
        self._stop()
        self.headline.setText(message_of(error))

    def _go_to(self, at: int) -> None:
        self._stop()
        self._walk(at)

    def _walk(self, at: int) -> None:
        session = self.session
        if session:
            is_next = at == session.at + 1
            if session.go_to(at):
                self._show(in_motion=is_next)

    def _step(self) -> None:
        session = self.session
        if session is None or self._is_asking:
            return
        if not session.is_at_end:
            self._walk(session.at + 1)
            return
        if session.is_over:
            self._stop()
            self.actions_by_name.enable()
            return
        n, seed, courses = session.at + 1, session.seed, tuple(session.courses)
        self._change(lambda source: [extended(source, course, n, seed) for course in courses], n)

    def play(self, side: int, direction: int) -> None:
        session = self.session
        if session is None or self._is_asking:
            return
        self._stop()
        seed, courses = session.seed, list(session.courses)
        here = session.up_to_here(side)
        if len(here) <= session.at or session.place(side).look.rates[direction] is None:
            return  # the course has already ended, or the move is illegal

        def work(source: Source) -> list[Course]:
            courses[side] = play(source, here, direction, seed)
            return courses

        self._change(work, session.at + 1)

    def _other_tiles(self) -> None:
        session, request = self.session, self._request
        if session is None or request is None or self._is_asking:
            return
        self._stop()
        seed, n = session.seed + 1, session.n_moves
        firsts = [course[1].direction for course in session.courses]

        def work(source: Source) -> list[Course]:
            return [begun(source, request, first, n, seed) for first in firsts if first is not None]

        session.seed = seed
        self._change(work, 0)

    def _change(self, work: Callable[[Source], Sequence[Course]], at: int) -> None:
        def done(courses: Sequence[Course]) -> None:
            self._is_asking = False
            if self.session:
                self.session.courses = list(courses)
                is_next = at == self.session.at + 1
                self.session.go_to(at)
                self._show(in_motion=is_next)

        self._is_asking = True  # before the answer, which may come at once
        if not self.work.change(work, done, self._fail):
            self._is_asking = False

    def _toggle_run(self) -> None:
        if self._timer.isActive():
            self._stop()
        else:
            self._timer.start()
            self.actions_by_name.show_running("run", True)
            self._step()

    def _stop(self) -> None:
        self._timer.stop()
        self.actions_by_name.show_running("run", False)

    def _lay_out(self) -> None:
        self._boards = row(*(placed(side, stretch=1) for side in self.sides), space=24)
        self._crosses = row(*(placed(side.cross, stretch=1) for side in self.sides), space=24)
        content = _Content()
        column(
            self.headline,
            self.facts,
            self.more,
            placed(column(placed(self._boards, stretch=1), self._crosses), stretch=1),
            column(self.tiles_label, self.chart, space=4),
            space=12,
            margins=(24, 16, 24, 8),
            parent=content,
        )
        column(
            placed(scroll_area(content), stretch=1),
            row(
                placed(self.action_bar, stretch=1),
                self.close_button,
                space=6,
                margins=(24, 0, 24, 12),
            ),
            space=6,
            parent=self,
        )

    def _connect(self) -> None:
        for number, side in enumerate(self.sides):
            side.cross.move_clicked.connect(partial(self.play, number))
            side.board_view.swiped.connect(partial(self.play, number))
        self.chart.picked.connect(self._go_to)
        self._timer.timeout.connect(self._step)
        self._patience.timeout.connect(self._appear)

    def _play_best(self) -> None:
        self._stop()
        self._step()

    def _play_in_focus(self, direction: int) -> None:
        side = PLAYED if self.sides[PLAYED].board_view.hasFocus() else BEST
        self.play(side, direction)


class _Content(QWidget):
    """The scrolled content: never lower than the text and the smallest boards need at its width."""

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """Return that height; the boards take the remaining space and request none."""
        layout = self.layout()
        assert layout is not None
        return max(layout.heightForWidth(width), layout.minimumHeightForWidth(width))


def _as_list(sentences: Sequence[str]) -> str:
    return "\n".join(f"•  {sentence}" for sentence in sentences)


class ComparisonSide(QWidget):
    """A title, the board, the move that led to it, and four chances that stand apart."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.title = label("", "strong", wraps=True)
        self.text_label = label("", "muted", wraps=True)
        self.board_view, self.cross = BoardView(), RateCross()
        self.board_view.setAccessibleName(name)
        self.board_view.setMinimumSize(_MIN_BOARD_PX, _MIN_BOARD_PX)
        # As large as fits, but no larger: the text and the chart need room, too.
        self.board_view.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Ignored)
        self.cross.lay_flat(True)
        self.cross.sentence.hide()
        self.cross.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        # Nothing below may jump when the text changes.
        self.text_label.setMinimumHeight(_LINES * self.text_label.fontMetrics().lineSpacing())
        self.text_label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        column(self.title, placed(self.board_view, stretch=1), self.text_label, parent=self)

    def show_place(
        self,
        place: Place,
        next_move: int | None,
        source: Source,
        scale: Scale,
        locked: frozenset[int],
        walls: frozenset[int],
        in_motion: bool,
        split: str,
    ) -> None:
        """Show the current place of the course.

        `next_move` is marked among the chances and drawn on the board; `split` is a text about the
        first move before it is made; `in_motion` says whether the position before is shown.
        """
        view = self.board_view
        if in_motion and place.motion:
            view.animate(place.motion.slides, place.tile, place.cells, locked, walls)
        else:
            view.show_board(place.cells, locked, walls)
        view.show_hint(next_move)
        view.setAccessibleDescription(describe_cells(place.cells, bool(walls)))
        doubt = LOWER_BOUNDS if source.is_bound else None
        is_exact = place.look.is_whole and not source.is_estimate
        board, rates = bitboard(place.cells), place.look.rates
        breaking = breaking_moves(board, rates, bool(walls)) if is_exact else ()
        self.cross.show_rates(rates, scale, doubt, source.tolerance, breaking=breaking)
        self.cross.show_played(next_move)
        self.text_label.setText(
            move_sentence(place, source, scale) if place.direction is not None else split
        )


def move_sentence(place: Place, source: Source, scale: Scale) -> str:
    """Return what led to a place and the chance there, with the figure of the best move."""
    rate = place.chance
    assert place.direction is not None, "a move led there"
    move = move_title(place.direction)
    if place.tile is None:
        return tr("{move}: nothing can go wrong any more.", move=move)
    cell, exponent = place.tile
    values = {"move": move, "tile": 1 << exponent, "place": place_text(cell)}
    if rate is None:
        return tr("{move}, then a {tile} in {place}. From here on nothing is known.", **values)
    if not rate:
        return tr("{move}, then a {tile} in {place}: nothing is left to win.", **values)
    shown = chance_text(rate, source.is_estimate, source.is_bound)
    if scale.is_graded and not source.is_bound and place.look.certain_best is not None:
        shown = scale.figures(place.look.rates, source.tolerance)[place.look.certain_best]
    return tr("{move}, then a {tile} in {place}: {rate}.", rate=shown, **values)
