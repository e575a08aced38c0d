"""Home's cards: what each says of a record, its widget, and their grid."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import pairwise
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QFrame, QLayoutItem, QWidget

from coach.analysis.analyses import StoredAnalysis
from coach.days import day_of
from coach.exam.history import FinishedTest
from coach.grading.grade import GRADES, Grade
from coach.grading.names import PERFECT_MOVES
from coach.puzzles.puzzles import DailyPuzzle
from coach.recordings.heading import heading_in_name
from coach.routes.daily import DailyRecord
from coach.routes.words import route_title
from engine.platform.language import mark, sentences, tr, trn
from gui.board.board_paint import Grid, draw_ground, draw_tile
from gui.board.formation_view import FormationView
from gui.charts.chart_series import MEAN_OF
from gui.charts.line_chart import LineChart, Series, mean_series
from gui.home.records import Daily, LastGame, Records
from gui.style.layout import STRETCH, column, placed, row
from gui.style.theme import Theme, app_theme, smooth_painter, theme_source
from gui.text.answers import table_title
from gui.text.boards import describe_cells
from gui.text.numbers import (
    NBSP,
    format_bytes,
    format_percent,
    format_percentage,
    format_table,
    format_whole,
)
from gui.text.rates import match_text
from gui.text.recordings import recording_title
from gui.text.routes import figure_text
from gui.widgets.buttons import button
from gui.widgets.flow_layout import RowLayout
from gui.widgets.labels import Figure, label, set_property
from gui.widgets.state_mark import StateMark
from gui.work.chunked_work import ChunkedWork
from minigames.registry import GAMES

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.plan.purpose import NextTable

_HEAD_PX = 34  # with or without a button, so that the headings of a row are aligned
BOARD_PX, COVER_PX, FORMATION_PX = 140, 72, 64
_COVER_RADIUS = 8
DrawCover = Callable[[QPainter, QRectF, str, Theme], None]
_MISTAKES = tuple(grade.value for grade in GRADES[GRADES.index(Grade.MISTAKE) :])
_MIN_WIDTH, _MAX_COLUMNS, CARD_SPACE = 280, 3, 12
_LATEST = 60  # tests in the chart
_TREND_PX = 116


@dataclass(frozen=True)
class Content:
    """What a card says."""

    title: str
    text: str
    button: str
    is_done: bool = False  # today
    has_missed: bool = False  # done, but wrong


class Card(QFrame):
    """A heading with a button, below it a picture, if any, a title and a sentence."""

    def __init__(self, heading: str, picture: QWidget | None = None) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setAccessibleName(heading)
        self.done_mark = StateMark("good")
        self.button = button("", "quiet row")  # no room beside its text
        self.title_label = label("", "strong", wraps=True)
        self.text_label = label("", "muted", wraps=True)
        head = row(label(heading, "caption"), self.done_mark, STRETCH, self.button)
        texts = column(self.title_label, self.text_label, STRETCH, space=2)
        self.content = row(placed(texts, stretch=1), space=16, margins=(0, 0, 8, 0))
        if picture:
            self.content.insertWidget(0, picture, 0, Qt.AlignmentFlag.AlignTop)
        self.button.setMinimumHeight(_HEAD_PX)
        column(head, placed(self.content, stretch=1), space=2, margins=(16, 4, 8, 14), parent=self)

    def show_content(self, content: Content) -> None:
        self.title_label.setText(content.title)
        self.text_label.setText(content.text)
        self.button.setText(content.button)
        self.button.setAccessibleName(f"{content.button}: {self.accessibleName()}")
        self.done_mark.set_state("bad" if content.has_missed else "good")
        self.done_mark.setVisible(content.is_done)


class Picture(QWidget):
    """A square picture that follows the theme."""

    def __init__(self, side: int) -> None:
        super().__init__()
        self._draw: Callable[[QPainter, QRectF], None] | None = None
        self.setFixedSize(side, side)
        theme_source().changed.connect(self.update)

    def show_drawing(self, draw: Callable[[QPainter, QRectF], None]) -> None:
        self._draw = draw
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        if self._draw:
            self._draw(smooth_painter(self), QRectF(self.rect()))


def show_board(picture: Picture, exponents: tuple[int, ...]) -> None:
    def draw(painter: QPainter, rect: QRectF) -> None:
        ratio = picture.devicePixelRatioF()
        grid = Grid.fit(round(rect.width()), round(rect.height()), ratio)
        draw_ground(painter, grid, app_theme(), ())
        for cell, exponent in enumerate(exponents):
            if exponent:
                place = QRectF(grid.rect(cell))
                draw_tile(painter, place, exponent, app_theme(), str(1 << exponent))

    picture.setAccessibleName(describe_cells(exponents, False))
    picture.show_drawing(draw)


def show_cover(picture: Picture, draw_cover: DrawCover, game: str) -> None:
    def draw(painter: QPainter, rect: QRectF) -> None:
        corners = QPainterPath()
        corners.addRoundedRect(rect, _COVER_RADIUS, _COVER_RADIUS)
        painter.setClipPath(corners)
        draw_cover(painter, rect, game, app_theme())

    picture.show_drawing(draw)


def game_content(game: LastGame) -> Content:
    largest = trn(
        "Largest tile {tile} after {n} move.",
        "Largest tile {tile} after {n:,} moves.",
        game.n_moves,
        tile=1 << game.largest,
    )
    text = sentences(tr("No moves left."), largest) if game.is_over else largest
    title = tr("{score} points", score=format_whole(game.score))
    return Content(title, text, _button(True, is_over=game.is_over))


def daily_content(daily: Daily) -> Content:
    title, result = tr(GAMES[daily.name].title), daily.result
    if result is None:
        return Content(title, tr("The same for everyone today."), _button(False))
    score = format_whole(result.score)
    text = tr("{score} points so far.", score=score)
    if result.is_over:
        text = tr("{score} points, largest tile {tile}.", score=score, tile=1 << result.best)
    return Content(title, text, _button(True, is_over=result.is_over), result.is_over)


def puzzle_content(daily: DailyPuzzle) -> Content:
    if daily.stored is None or daily.is_right is None:
        return Content(tr("One move is right"), tr("It isn't the obvious one."), tr("Solve"))
    title = tr("You solved it") if daily.is_right else tr("Not solved")
    return Content(
        title, table_title(daily.stored.puzzle.key), tr("Show"), True, not daily.is_right
    )


def route_content(record: DailyRecord) -> Content:
    own = record.own
    if own is None:
        title, text = tr("The same tiles for everyone"), tr("Compare your moves with the AI's.")
    else:
        title, text = _route_result(record), route_title(own.route)
        if n := 0 if own.outcome else own.route.n_moves:
            text = tr("{route}: {done:,} of {n:,} moves made.", route=text, done=own.n_moves, n=n)
    if record.n_days > 1:
        is_done = record.is_done
        days = mark("{n:,} days in a row.") if is_done else mark("{n:,} days in a row so far.")
        text = sentences(f"{text.rstrip('.')}.", tr(days, n=record.n_days))
    return Content(title, text, _button(own is not None, is_over=record.is_done), record.is_done)


def _route_result(record: DailyRecord) -> str:
    assert record.own
    own = figure_text(record.own)
    if record.ai is None or not record.is_done:
        return tr("You: {figure}", figure=own)
    return tr("You: {own}. The AI: {ai}", own=own, ai=figure_text(record.ai))


def next_content(table: "NextTable") -> Content:
    size = format_bytes(table.n_bytes)
    title = tr("{table}, {size}", table=format_table(table.pattern, table.target), size=size)
    return Content(title, table.purpose, tr("Build"))


def analysis_content(analysis: StoredAnalysis, now: datetime) -> Content:
    heading = replace(heading_in_name(analysis.path), points=analysis.points)
    return Content(recording_title(heading, now), _analysis_text(analysis), tr("Open"))


def _analysis_text(analysis: StoredAnalysis) -> str:
    if not analysis.segments:
        return tr("No table covers this game.")
    n = sum(part.grades.get(grade, 0) for part in analysis.segments for grade in _MISTAKES)
    return trn(
        "{n} mistake in {all} moves.",
        "{n:,} mistakes in {all} moves.",
        n,
        all=format_whole(sum(part.judged for part in analysis.segments)),
    )


def _button(is_begun: bool, *, is_over: bool = False) -> str:
    if is_over:
        return tr("Show")
    return tr("Continue") if is_begun else tr("Play")


class TrendCard(Card):
    """Shares of perfect moves in the latest tests: the current value and a chart."""

    def __init__(self) -> None:
        super().__init__(tr(PERFECT_MOVES))
        self.mean = Figure("", "title")
        self.tests, self.drilled = Figure(tr("Tests this week")), Figure(tr("Drilled this week"))
        self.mean.note_label.setToolTip(tr("Compared with the {n} tests before", n=MEAN_OF))
        self.chart = LineChart(tr(PERFECT_MOVES), tr("Test"), first=1)
        self.chart.setMinimumHeight(_TREND_PX)
        figures = column(self.mean, self.tests, self.drilled, STRETCH, space=6)
        self.content.insertLayout(0, figures)
        self.content.setStretch(1, 0)
        self.content.addWidget(self.chart, 1)
        self.show_content(Content("", "", tr("All tests")))
        self.show_drilled(0, 0)

    def show_tests(self, tests: Sequence[FinishedTest], now: datetime, begins: int) -> None:
        """Show tests, newest first; at least two."""
        rates = [test.perfect_share for test in reversed(tests)]
        latest = rates[-MEAN_OF:]
        self.mean.caption_label.setText(tr("Last {n} tests", n=len(latest)))
        change, tone = _change(rates)
        self.mean.show_value(match_text(_mean(latest)), change)
        set_property(self.mean.note_label, "tone", tone)
        week = day_of(now, begins, now.tzinfo) - timedelta(days=6)
        recent = sum(day_of(test.ended, begins, now.tzinfo) >= week for test in tests)
        self.tests.show_value(format_whole(recent))
        name, shown = tr(PERFECT_MOVES), rates[-_LATEST:]
        self.chart.show_series(
            [
                Series(name, shown, "accent", figure=match_text, tick=format_percentage),
                *mean_series(rates, "text_muted", match_text, n_shown=_LATEST),
            ]
        )

    def show_drilled(self, n_right: int, n_wrong: int) -> None:
        n = n_right + n_wrong
        self.drilled.setVisible(n > 0)
        if n:
            note = tr("{share} correct", share=format_percent(n_right / n))
            self.drilled.show_value(format_whole(n), note)


def _change(rates: Sequence[float]) -> tuple[str, str]:
    before = rates[-2 * MEAN_OF : -MEAN_OF]
    if not before:
        return "", ""
    points = (_mean(rates[-MEAN_OF:]) - _mean(before)) * 100
    if abs(points) < 0.05:
        return tr("as before"), ""
    sign, tone = ("+", "good") if points > 0 else ("\N{MINUS SIGN}", "")
    return tr("{points} pts", points=f"{sign}{abs(points):.1f}").replace(" ", NBSP), tone


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


class CardGrid(RowLayout):
    """Cards in rows filled from edge to edge; hidden ones take no space."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, CARD_SPACE)
        self.spans: dict[QWidget, int] = {}

    def add_card(self, card: QWidget, span: int = 1) -> None:
        self.spans[card] = span
        self.addWidget(card)

    def _arrange(self, rect: QRect, is_trial: bool) -> int:
        space, y = self.spacing(), rect.y()
        seen = [item for item in self._items if not _widget_of(item).isHidden()]
        n_units = sum(self._span(item) for item in seen)
        fitting = (rect.width() + space) // (_MIN_WIDTH + space)
        n_columns = max(1, min(_MAX_COLUMNS, fitting, n_units))
        stride = (rect.width() + space) / n_columns  # whole pixels at both ends of a row
        for cards in self._rows(seen, n_columns):
            spans = [min(self._span(item), n_columns) for item in cards]
            spans[-1] += n_columns - sum(spans)  # no hole at the end of a row
            edges = [round(sum(spans[:i]) * stride) for i in range(len(spans) + 1)]
            places = [(left, right - left - space) for left, right in pairwise(edges)]
            both = list(zip(cards, places, strict=True))
            height = max(_height(item, width) for item, (_, width) in both)
            for item, (left, width) in both:
                if not is_trial:
                    item.setGeometry(QRect(rect.x() + left, y, width, height))
            y += height + space
        return max(0, y - rect.y() - space)

    def _rows(self, seen: list[QLayoutItem], n_columns: int) -> list[list[QLayoutItem]]:
        rows: list[list[QLayoutItem]] = []
        left = 0
        for item in seen:
            span = min(self._span(item), n_columns)
            if span > left:
                rows.append([])
                left = n_columns
            rows[-1].append(item)
            left -= span
        return rows

    def _span(self, item: QLayoutItem) -> int:
        return self.spans.get(_widget_of(item), 1)


def _widget_of(item: QLayoutItem) -> QWidget:
    widget = item.widget()
    assert widget
    return widget


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


class Cards(QWidget):
    """All cards; each is seen once it has something to show."""

    def __init__(self, draw_cover: DrawCover) -> None:
        super().__init__()
        self._draw_cover, self._steps = draw_cover, ChunkedWork(self)
        self._records = Records()
        self.next_table: NextTable | None = None
        self.board, self.cover = Picture(BOARD_PX), Picture(COVER_PX)
        self.formation_view = FormationView(FORMATION_PX)
        self.trend, self.game = TrendCard(), Card(tr("Your game"), self.board)
        self.daily = Card(tr("Today's minigame"), self.cover)
        self.puzzle, self.route = Card(tr("Puzzle of the day")), Card(tr("Today's route"))
        self.next = Card(tr("The next larger table"), self.formation_view)
        self.analysis = Card(tr("Last analyzed game"))
        self._grid = CardGrid(self)
        of_the_day = (self.daily, self.puzzle, self.route)
        for card in (self.trend, self.game, *of_the_day, self.next, self.analysis):
            self._grid.add_card(card, 2 if card in (self.trend, self.next) else 1)

    def choose(self, has_tables: bool, is_building: bool) -> None:
        """Hide the cards that have nothing to show; a minigame shortens the first build."""
        records = self._records
        has_played = bool(records.game or (records.daily and records.daily.result))
        for card, is_seen in (
            (self.trend, len(records.tests) > 1),
            (self.game, records.game is not None),
            (self.daily, has_tables or has_played or is_building),
            (self.puzzle, has_tables),
            (self.route, has_tables),
            (self.next, has_tables and self.next_table is not None),
            (self.analysis, records.analysis is not None),
        ):
            card.setVisible(is_seen)
        # Without a game beside it, it has the row: those of the day stand in one of their own.
        self._grid.spans[self.trend] = 2 if records.game else _MAX_COLUMNS
        self._grid.invalidate()

    def show_next(self, table: "NextTable | None", formation: "Formation | None") -> None:
        self.next_table = table
        if table:
            self.next.show_content(next_content(table))
        if formation:
            self.formation_view.show_formation(formation)

    def show_records(self, records: Records, now: datetime, begins: int) -> None:
        """Show them card by card: all at once would cause a noticeable delay."""
        self._records = records
        puzzle, route = records.puzzle or DailyPuzzle(), records.route or DailyRecord()
        steps: list[Callable[[], object]] = [
            lambda: self.puzzle.show_content(puzzle_content(puzzle)),
            lambda: self.route.show_content(route_content(route)),
        ]
        if daily := records.daily:
            steps.append(lambda: self.daily.show_content(daily_content(daily)))
            steps.append(lambda: show_cover(self.cover, self._draw_cover, daily.name))
        if len(records.tests) > 1:
            steps.append(lambda: self.trend.show_tests(records.tests, now, begins))
        if game := records.game:
            steps.append(lambda: self.game.show_content(game_content(game)))
            steps.append(lambda: show_board(self.board, game.exponents))
        if analysis := records.analysis:
            steps.append(lambda: self.analysis.show_content(analysis_content(analysis, now)))
        self._steps.do(steps)
