"""Home's cards: a heading with a link to everything, the content; their grid; tiles of tables."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPixmap
from PySide6.QtWidgets import QFrame, QLayoutItem, QSizePolicy, QWidget

from coach.analysis.analyses import StoredAnalysis
from coach.days import day_of
from coach.exam.history import FinishedTest
from coach.grading.grade import GRADES, Grade
from coach.puzzles.puzzles import DailyPuzzle
from coach.recordings.heading import heading_in_name
from coach.routes.daily import DailyRecord
from coach.routes.words import route_title
from engine.platform.language import mark, sentences, tr, trn
from gui.board.board_paint import Grid, draw_ground, draw_tile
from gui.board.formation_view import FormationView
from gui.charts.chart_series import MEAN_OF
from gui.charts.line_chart import LineChart, Series, mean_series
from gui.home.records import MAX_ANALYSES, Daily, LastGame
from gui.style.layout import STRETCH, clear_layout, column, placed, row
from gui.style.theme import Theme, app_theme, smooth_painter, theme_source
from gui.text.answers import table_title
from gui.text.boards import describe_cells
from gui.text.numbers import NBSP, format_bytes, format_percentage, format_table, format_whole
from gui.text.rates import match_text
from gui.text.recordings import recording_title
from gui.text.routes import figure_text
from gui.widgets.buttons import button
from gui.widgets.flow_layout import FlowLayout, RowLayout
from gui.widgets.labels import ElidedLabel, Figure, label, set_property
from gui.work.profile_service import ProfileAndAdvice
from minigames.registry import GAMES

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.library.table_info import TableInfo
    from tablebase.plan.next_table import NextTable

MARGIN = 16
_HEAD_PX = 34  # with or without a button, so that the headings of a row are aligned
_BOARD_PX = 160
_EXAMPLE_BOARD = (0, 1, 0, 0, 2, 1, 0, 1, 3, 4, 5, 2, 9, 8, 7, 6)  # shown if there is no game yet
DrawCover = Callable[[QPainter, QRectF, str, Theme], None]
_COVER_PX, _COVER_RADIUS = 128, 8
_MISTAKES = tuple(grade.value for grade in GRADES[GRADES.index(Grade.MISTAKE) :])
NO_ANALYSES = mark(
    "Recorded games are compared with all your tables: every move is graded, and luck is "
    "separated from skill."
)
_MIN_WIDTH, _MAX_COLUMNS, _GRID_SPACE = 280, 3, 12
_LATEST = 60  # tests in the chart
_TREND_PX = 116
NO_TESTS = mark(
    "A test judges every move against perfect play. Your match rate appears here after the first "
    "one, and a trend after the second."
)


class HomeCard(QFrame):
    """A card with its heading, and to its right the button `more`, which leads to everything."""

    def __init__(self, heading: str, more: str = "") -> None:
        super().__init__()
        self.setProperty("card", True)
        self.setAccessibleName(heading)
        self.more_button = button(more, "quiet row")  # no room beside its text
        if not more:
            self.more_button.hide()
        heading_label = label(heading, "caption")
        heading_label.setMinimumHeight(_HEAD_PX)
        self.content = column()
        column(
            row(placed(heading_label, stretch=1), self.more_button, space=4),
            placed(self.content, stretch=1),
            space=4,
            margins=(MARGIN, 6, MARGIN, MARGIN),
            parent=self,
        )


class TextCard(HomeCard):
    """A result, if there is one, a text, and a button."""

    def __init__(self, heading: str, more: str = "") -> None:
        super().__init__(heading, more)
        self.result_label = label("", "strong", wraps=True)
        self.text_label = label("", "muted", wraps=True)
        self.button = button()
        self.content.addWidget(self.result_label)
        self.content.addWidget(self.text_label)
        self.content.addStretch()
        self.content.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.result_label.hide()


class PictureCard(HomeCard):
    """A picture, beside it texts and a button."""

    def __init__(self, heading: str, picture: QWidget, *texts: QWidget) -> None:
        super().__init__(heading)
        self.button = button()
        left = placed(self.button, align=Qt.AlignmentFlag.AlignLeft)
        beside = row(
            placed(picture, align=Qt.AlignmentFlag.AlignTop),
            placed(column(*texts, STRETCH, 4, left, space=4), stretch=1),
            space=MARGIN,
        )
        self.content.addLayout(beside)


class NextCard(PictureCard):
    """A table worth building next, or a link to advice."""

    def __init__(self) -> None:
        self.view = FormationView(72)
        self.name_label, self.size_label = label("", "strong"), label("", "caption")
        super().__init__(tr("Build next"), self.view, self.name_label, self.size_label)
        self.table: NextTable | None = None
        self.text_label = label("", "muted", wraps=True)
        self.advice_button = button(tr("Get suggestions"))
        self.button.setText(tr("Build"))
        self.content.addWidget(self.text_label)
        self.content.addWidget(self.advice_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.content.addStretch()
        self.show_next(None, None)

    def show_next(self, table: "NextTable | None", formation: "Formation | None") -> None:
        self.table = table
        for part in (self.view, self.name_label, self.size_label, self.button):
            part.setVisible(table is not None)
        self.advice_button.setVisible(table is None)
        if table is None:
            self.text_label.setText(
                tr(
                    "The Tables page works out which tables fit this computer and are worth "
                    "building."
                )
            )
            return
        if formation:
            self.view.show_formation(formation)
        self.name_label.setText(format_table(table.pattern, table.target))
        self.size_label.setText(tr("{size} on disk", size=format_bytes(table.n_bytes)))
        self.text_label.setText(table.purpose)


class ProfileCard(TextCard):
    """Where moves lose most, and a link to train that."""

    def __init__(self) -> None:
        super().__init__(tr("What to train"), tr("Progress"))
        self.show_profile(None)

    def show_profile(self, latest: ProfileAndAdvice | None) -> None:
        self.button.setVisible(latest is not None)
        if latest is None:
            self.text_label.setText(
                tr("After a test or two, you see here where your moves lose most.")
            )
            return
        from coach.profile.advice import n_moves_missing  # not needed before the window is drawn

        n_missing = n_moves_missing(latest.profile)
        self.button.setText(tr("Train for 10 minutes") if n_missing else tr("Train this (10 min)"))
        if n_missing:
            text = tr(
                "After about {n:,} more moves, you see here where you lose most.", n=n_missing
            )
            self.text_label.setText(text)
        elif latest.advice:
            from coach.profile.words import advice_text

            self.text_label.setText(advice_text(latest.advice[0]))
        else:
            self.text_label.setText(
                tr("Nothing stands out yet. Train what's due and your costliest mistakes.")
            )


class PuzzleCard(TextCard):
    """A link to the daily puzzle."""

    def __init__(self) -> None:
        super().__init__(tr("Puzzle of the day"))
        self.show_daily(DailyPuzzle())

    def show_daily(self, daily: DailyPuzzle) -> None:
        is_done = daily.stored is not None and daily.is_right is not None
        self.result_label.setText(tr("You solved it") if daily.is_right else tr("You missed it"))
        self.result_label.setVisible(is_done)
        self.button.setText(tr("Show") if is_done else tr("Solve"))
        if daily.stored and is_done:
            table = table_title(daily.stored.puzzle.key)
            self.text_label.setText(tr("{table}, done today.", table=table))
        else:
            text = tr(
                "One position from your tables. One move is right, and the natural one is wrong."
            )
            self.text_label.setText(text)


class BoardPicture(QWidget):
    """A small board without animation.
    """

    def __init__(self) -> None:
        super().__init__()
        theme_source().changed.connect(self.update)
        self._exponents: tuple[int, ...] = (0,) * 16
        self.setFixedSize(_BOARD_PX, _BOARD_PX)

    def show_board(self, exponents: tuple[int, ...]) -> None:
        if exponents != self._exponents:
            self._exponents = exponents
            self.setAccessibleName(describe_cells(exponents, False))
            self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(_BOARD_PX, _BOARD_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = smooth_painter(self)
        grid = Grid.fit(self.width(), self.height(), self.devicePixelRatioF())
        draw_ground(painter, grid, app_theme(), ())
        for cell, exponent in enumerate(self._exponents):
            if exponent:
                rect = QRectF(grid.rect(cell))
                draw_tile(painter, rect, exponent, app_theme(), str(1 << exponent))


class GameCard(PictureCard):
    """The last game."""

    def __init__(self) -> None:
        self.picture = BoardPicture()
        self.score_label, self.text_label = label("", "title"), label("", "muted", wraps=True)
        super().__init__(tr("Your game"), self.picture, self.score_label, self.text_label)
        self.content.addStretch()
        self.show_game(None)

    def show_game(self, game: LastGame | None) -> None:
        self.picture.show_board(game.exponents if game else _EXAMPLE_BOARD)
        if game is None:
            self.score_label.setText("2048")
            self.text_label.setText(tr("Play it yourself, or watch the AI."))
            self.button.setText(tr("Play"))
            return
        self.score_label.setText(format_whole(game.score))
        largest = trn(
            "Largest tile {tile} after {n} move.",
            "Largest tile {tile} after {n:,} moves.",
            game.n_moves,
            tile=1 << game.largest,
        )
        ended = tr("Game over.") if game.is_over else tr("Still going.")
        self.text_label.setText(sentences(ended, largest))
        self.button.setText(tr("Look back") if game.is_over else tr("Resume"))


class CoverPicture(QWidget):
    """The picture of a minigame, drawn once for a size and a set of colors."""

    def __init__(self, draw: DrawCover) -> None:
        super().__init__()
        self._draw, self._game = draw, ""
        self._image: QPixmap | None = None
        self.setFixedSize(_COVER_PX, _COVER_PX)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme_source().changed.connect(self._redraw)

    def show_game(self, game: str) -> None:
        if game != self._game:
            self._game, self._image = game, None
            self.update()

    def _redraw(self) -> None:
        self._image = None
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(_COVER_PX, _COVER_PX)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        if not self._game:
            return
        ratio = self.devicePixelRatioF()
        if self._image is None or self._image.devicePixelRatio() != ratio:
            self._image = self._drawn(ratio)
        QPainter(self).drawPixmap(0, 0, self._image)

    def _drawn(self, ratio: float) -> QPixmap:
        image = QPixmap(self.size() * ratio)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        rect = QRectF(self.rect())
        corners = QPainterPath()
        corners.addRoundedRect(rect, _COVER_RADIUS, _COVER_RADIUS)
        painter = smooth_painter(image)
        painter.setFont(self.font())
        painter.setClipPath(corners)
        self._draw(painter, rect, self._game, app_theme())
        painter.end()
        return image


class DailyCard(PictureCard):
    """The daily minigame, and its result."""

    def __init__(self, draw_cover: DrawCover) -> None:
        self.cover = CoverPicture(draw_cover)
        self.name_label = label("", "strong", wraps=True)
        self.text_label = label("", "muted", wraps=True)
        super().__init__(tr("Today's minigame"), self.cover, self.name_label, self.text_label)
        self.content.addStretch()

    def show_daily(self, daily: Daily) -> None:
        self.cover.show_game(daily.name)
        self.name_label.setText(tr(GAMES[daily.name].title))
        result = daily.result
        if result is None:
            self.text_label.setText(tr("The same for everybody, today only."))
            self.button.setText(tr("Play"))
            return
        score, tile = format_whole(result.score), 1 << result.best
        if result.is_over:
            text = tr("Done today: {score} points, largest tile {tile}.", score=score, tile=tile)
        else:
            text = tr("{score} points so far.", score=score)
        self.text_label.setText(text)
        self.button.setText(tr("Show") if result.is_over else tr("Continue"))


class AnalysisRow(QWidget):
    """One game: its name, its result, Open."""

    def __init__(self) -> None:
        super().__init__()
        self.number = 0  # of the analysis
        self.title_label, self.text_label = ElidedLabel(), ElidedLabel("", "caption")
        self.button = button(tr("Open"))
        row(
            placed(column(self.title_label, self.text_label, space=0), stretch=1),
            self.button,
            parent=self,
        )

    def show_analysis(self, analysis: StoredAnalysis, now: datetime) -> None:
        self.number = analysis.id
        title = recording_title(
            replace(heading_in_name(analysis.path), points=analysis.points), now
        )
        self.title_label.setText(title)
        self.text_label.setText(_analysis_text(analysis))
        self.button.setAccessibleName(tr("Open {name}", name=title))


class AnalysesCard(HomeCard):
    """The latest analyses, or an introduction; `opened` has a number, 0 for the page alone."""

    opened = Signal(int)

    def __init__(self) -> None:
        super().__init__(tr("Analyzed games"), tr("All games"))
        self._rows = [AnalysisRow() for _ in range(MAX_ANALYSES)]
        self.empty_label = label(tr(NO_ANALYSES), "muted", wraps=True)
        self.content.addWidget(self.empty_label)
        for analysis_row in self._rows:
            analysis_row.button.clicked.connect(
                lambda _=False, row=analysis_row: self.opened.emit(row.number)
            )
            analysis_row.hide()
            self.content.addWidget(analysis_row)
        self.button = button(tr("Analyze a game"))
        self.content.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeft)
        self.content.addStretch()
        for link in (self.button, self.more_button):
            link.clicked.connect(lambda: self.opened.emit(0))

    @property
    def rows(self) -> list[AnalysisRow]:
        return [row for row in self._rows if not row.isHidden()]

    def show_analyses(self, analyses: Sequence[StoredAnalysis], now: datetime) -> None:
        for analysis_row, analysis in zip(self._rows, analyses, strict=False):
            analysis_row.show_analysis(analysis, now)
        for i, analysis_row in enumerate(self._rows):
            analysis_row.setVisible(i < len(analyses))
        self.empty_label.setVisible(not analyses)
        self.button.setVisible(not analyses)
        self.more_button.setVisible(bool(analyses))


def _analysis_text(analysis: StoredAnalysis) -> str:
    if not analysis.segments:
        return tr("No table covers this game")
    n = sum(part.grades.get(grade, 0) for part in analysis.segments for grade in _MISTAKES)
    return trn(
        "{n} mistake in {all} positions",
        "{n:,} mistakes in {all} positions",
        n,
        all=format_whole(analysis.covered),
    )


class CardGrid(RowLayout):
    """Cards in rows filled from edge to edge; hidden ones take no space."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent, _GRID_SPACE)
        self._spans: dict[QWidget, int] = {}

    def add_card(self, card: QWidget, span: int = 1) -> None:
        self._spans[card] = span
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
        return self._spans.get(_widget_of(item), 1)


def _widget_of(item: QLayoutItem) -> QWidget:
    widget = item.widget()
    assert widget
    return widget


def _height(item: QLayoutItem, width: int) -> int:
    return item.heightForWidth(width) if item.hasHeightForWidth() else item.sizeHint().height()


class RouteCard(TextCard):
    """A link to the daily route."""

    def __init__(self) -> None:
        super().__init__(tr("Today's route"))
        self.show_record(DailyRecord())

    def show_record(self, record: DailyRecord) -> None:
        self.result_label.setText(_result_text(record))
        self.result_label.setVisible(record.is_done)
        self.text_label.setText(sentences(_about_text(record), _days_text(record)))
        if record.is_done:
            self.button.setText(tr("Show"))
        else:
            self.button.setText(tr("Go on") if record.own else tr("Play"))


def _result_text(record: DailyRecord) -> str:
    if record.own is None:
        return ""
    own = figure_text(record.own)
    if record.ai is None:
        return tr("You: {figure}", figure=own)
    return tr("You: {own}. The AI: {ai}", own=own, ai=figure_text(record.ai))


def _about_text(record: DailyRecord) -> str:
    own = record.own
    if own is None:
        return tr("The same new tiles for everyone with that table, today only.")
    title = route_title(own.route)
    if own.outcome:
        return tr("{route}, done today.", route=title)
    n = own.route.n_moves
    if n:
        return tr("{route}: {done:,} of {n:,} moves made.", route=title, done=own.n_moves, n=n)
    return trn("{route}: {n} move made.", "{route}: {n:,} moves made.", own.n_moves, route=title)


def _days_text(record: DailyRecord) -> str:
    if record.n_days < 2:
        return ""
    text = mark("{n:,} days in a row.") if record.is_done else mark("{n:,} days in a row so far.")
    return tr(text, n=record.n_days)


class TableTile(QFrame):
    """A complete table as a tile: its picture, its name, Practice."""

    def __init__(self, table: "TableInfo", formation: "Formation | None") -> None:
        super().__init__()
        self.setProperty("card", True)
        view = FormationView(72)
        if formation:
            view.show_formation(formation)
        self.button = button(tr("Practice"))
        row(
            placed(view, align=Qt.AlignmentFlag.AlignTop),
            placed(
                column(
                    label(format_table(table.pattern, table.target), "strong"),
                    ElidedLabel(format_bytes(table.bytes), "caption"),
                    STRETCH,
                    placed(self.button, align=Qt.AlignmentFlag.AlignLeft),
                    space=2,
                ),
                stretch=1,
            ),
            space=16,
            margins=16,
            parent=self,
        )


class TableTiles(QWidget):
    """All tiles under a heading."""

    practice_requested = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.tiles: dict[Path, TableTile] = {}
        self._shown: tuple[object, object] = ((), None)
        tiles = QWidget()
        self._flow = FlowLayout(tiles, space=12, column_width=280)
        column(label(tr("Your tables"), "strong"), tiles, space=12, parent=self)

    def show_tables(
        self, tables: "Sequence[TableInfo]", formations: "Mapping[str, Formation]"
    ) -> None:
        if self._shown == (list(tables), formations):
            return
        self._shown = (list(tables), formations)
        clear_layout(self._flow)
        self.tiles = {}
        for table in tables:
            tile = TableTile(table, formations.get(table.pattern))
            tile.button.clicked.connect(
                lambda _=False, path=table.path: self.practice_requested.emit(path)
            )
            self._flow.addWidget(tile)
            self.tiles[table.path] = tile


class TrendCard(HomeCard):
    """Match rates of the latest tests: the current value and a chart."""

    def __init__(self) -> None:
        super().__init__(tr("Match rate"), tr("All tests"))
        self.empty_label = label(tr(NO_TESTS), "muted", wraps=True)
        self.figures = {
            "mean": Figure(_latest_text(MEAN_OF)),
            "best": Figure(tr("Best of these")),
            "tests": Figure(tr("Tests this week")),
            "drilled": Figure(tr("Drilled this week")),
        }
        self._figures = QWidget()
        self.figures["mean"].note_label.setToolTip(
            tr("Compared with the {n} tests before", n=MEAN_OF)
        )
        flow = FlowLayout(self._figures, space=12, column_width=112)
        for figure in self.figures.values():
            flow.addWidget(figure)
        self.chart = LineChart(tr("Match rate, test by test"), tr("Test"), first=1)
        self.chart.setMinimumHeight(_TREND_PX)
        self.content.addWidget(self.empty_label)
        self.content.addWidget(self._figures)
        self.content.addWidget(self.chart, 10)
        self.test_button = button(tr("Take a test"))
        self.content.addWidget(self.test_button, 0, Qt.AlignmentFlag.AlignLeft)
        self.content.addStretch()
        self.show_tests((), datetime.now().astimezone(), 0)
        self.show_drilled(0, 0)

    def show_tests(self, tests: Sequence[FinishedTest], now: datetime, begins: int) -> None:
        rates = [test.match_rate for test in reversed(tests)]
        has_tests = bool(tests)
        self.empty_label.setVisible(not has_tests)
        self.test_button.setVisible(not has_tests)
        for part in (self._figures, self.more_button):
            part.setVisible(has_tests)
        self.chart.setVisible(len(tests) > 1)
        if not has_tests:
            return
        latest = rates[-MEAN_OF:]
        caption = _latest_text(len(latest)) if len(latest) > 1 else tr("Your first test")
        mean = self.figures["mean"]
        mean.caption_label.setText(caption)
        change, tone = _change(rates)
        mean.show_value(match_text(_mean(latest)), change)
        set_property(mean.note_label, "tone", tone)
        self.figures["best"].show_value(match_text(max(latest)))
        week = day_of(now, begins, now.tzinfo) - timedelta(days=6)
        recent = sum(day_of(test.ended, begins, now.tzinfo) >= week for test in tests)
        self.figures["tests"].show_value(format_whole(recent))
        color = "accent"  # as in the history of tests
        name, figure = tr("Match rate"), match_text
        self.chart.show_series(
            [
                Series(name, rates[-_LATEST:], color, figure=figure, tick=format_percentage),
                *mean_series(rates, "text_muted", figure, n_shown=_LATEST),
            ]
        )

    def show_drilled(self, n_right: int, n_wrong: int) -> None:
        n = n_right + n_wrong
        note = tr("{share} correct", share=f"{100 * n_right // n}{NBSP}%") if n else ""
        self.figures["drilled"].show_value(format_whole(n), note)


def _change(rates: Sequence[float]) -> tuple[str, str]:
    before = rates[-2 * MEAN_OF : -MEAN_OF]
    if not before:
        return "", ""
    points = (_mean(rates[-MEAN_OF:]) - _mean(before)) * 100
    if abs(points) < 0.005:
        return tr("as before"), ""
    sign, tone = ("+", "good") if points > 0 else ("\N{MINUS SIGN}", "")
    return tr("{points} pts", points=f"{sign}{abs(points):.2f}").replace(" ", NBSP), tone


def _latest_text(n: int) -> str:
    return tr("Last {n} tests", n=n)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
