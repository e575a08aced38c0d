"""A game as a picture to share: its result, its course, and the costliest move.

For a game judged as a whole, the graph is divided into its phases, with the loss of the moves in
each below, and the costliest moments next to it.

Texts are laid out first, so that each is known to fit before it is drawn.
"""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QImage, QPainter, QPen, QPolygonF

from coach.analysis.game_facts import CostlyMove, GameFacts
from coach.grading.grade import GRADES
from coach.grading.names import (
    PERFECT_MOVES,
    POINTS_LOST,
    grade_count,
    move_title,
    move_word,
    perfect_text,
)
from engine.platform.language import listed, mark, tr
from engine.platform.quantities import points_text, rate_text, rate_texts
from gui.board.board_paint import Grid, draw_ground, draw_tile, mixed
from gui.board.grade_mark import draw_grade, grade_color
from gui.charts.chart_scale import thinned
from gui.style.theme import Theme, body_font, smooth_painter
from gui.text.numbers import table_title

WIDTH, HEIGHT = 1200, 630
"""Size of pictures that sites show when shared."""
_MARGIN, _GAP = 44.0, 24.0
_BOARD = QRectF(WIDTH - _MARGIN - 348, 176, 348, 348)
_LEFT_WIDTH = _BOARD.left() - _GAP * 1.5 - _MARGIN
_CHART = QRectF(_MARGIN, 214, _LEFT_WIDTH - 92, 214)
_WHOLE_BOARD = QRectF(_BOARD.center().x() - 110, 176, 220, 220)
_WHOLE_CHART = QRectF(_CHART.left(), _CHART.top(), _CHART.width(), 120)
_BARS = QRectF(_CHART.left(), 372, _CHART.width(), 44)
_MOMENTS = QRectF(_BOARD.left(), 466, _BOARD.width(), 24)
"""Of the first of them; the others follow below."""
_N_MOMENTS = 4
_CHANGE_WIDTH = 168.0
_MIN_BAR = 2.0  # pixels: so that a phase that cost something can be seen
_MIN_SCALE = 0.72  # of its size, before a text is shortened
_MAX_TABLES = 4
_N_PER_ROW = 4


class CardText(NamedTuple):
    """A text of the card."""

    place: QRectF
    text: str
    font: QFont
    color: QColor
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft


def draw_card(facts: GameFacts, theme: Theme) -> QImage:
    """Return the card of a game, WIDTH x HEIGHT pixels.

    The same facts and theme give the same pixels.
    """
    image = QImage(WIDTH, HEIGHT, QImage.Format.Format_RGB32)
    image.fill(theme.background)
    painter = smooth_painter(image)
    painter.setPen(QPen(theme.border, 1))
    painter.setBrush(theme.surface)
    painter.drawRoundedRect(QRectF(16.5, 16.5, WIDTH - 33, HEIGHT - 33), 18, 18)
    for text in card_texts(facts, theme):
        painter.setFont(text.font)
        painter.setPen(text.color)
        painter.drawText(text.place, text.align | Qt.AlignmentFlag.AlignVCenter, text.text)
    _draw_phases(painter, facts, theme)
    _draw_chart(painter, facts, theme)
    _draw_grades(painter, facts, theme)
    _draw_board(painter, facts, theme)
    painter.end()
    return image


def card_texts(facts: GameFacts, theme: Theme) -> list[CardText]:
    """Return all texts on the card, except the numbers on tiles."""
    return [
        *_heading(facts, theme),
        *_scale(facts, theme),
        *_figures(facts, theme),
        *_grade_counts(facts, theme),
        *_phases(facts, theme),
        *_worst(facts, theme),
        *_moments(facts, theme),
        *_footer(facts, theme),
    ]


def _fitted(
    place: QRectF,
    text: str,
    pixels: int,
    color: QColor,
    is_bold: bool = False,
    align: Qt.AlignmentFlag = Qt.AlignmentFlag.AlignLeft,
) -> CardText:
    """Return a text as large as fits its place, elided in the middle if too small."""
    text = " ".join(text.split())
    for size in range(pixels, int(pixels * _MIN_SCALE) - 1, -1):
        font = body_font(size)
        if is_bold:
            font.setWeight(QFont.Weight.Bold)
        if QFontMetricsF(font).horizontalAdvance(text) <= place.width():
            return CardText(place, text, font, color, align)
    room = place.width() - 1
    shown = QFontMetricsF(font).elidedText(text, Qt.TextElideMode.ElideMiddle, room)
    return CardText(place, shown, font, color, align)


def _heading(facts: GameFacts, theme: Theme) -> Iterator[CardText]:
    width = WIDTH - 2 * _MARGIN
    yield _fitted(QRectF(_MARGIN, 36, width, 54), facts.name, 38, theme.text, is_bold=True)
    text = tr(
        "{points:,} points, largest tile {tile}, {moves:,} moves",
        points=facts.points,
        tile=facts.largest_tile,
        moves=facts.n_moves,
    )
    yield _fitted(QRectF(_MARGIN, 92, width, 38), text, 25, theme.text_muted)


def _scale(facts: GameFacts, theme: Theme) -> Iterator[CardText]:
    chart = _chart_of(facts)
    title = tr("Success rate before each move")
    if facts.is_whole:
        title = tr("Chance of the next large tile, and what moves lost in each phase")
    if not facts.has_course:
        title = tr("No table rates the moves of this game.")
    place = QRectF(_MARGIN, chart.top() - 38, _LEFT_WIDTH, 28)
    yield _fitted(place, title, 19, theme.text_muted)
    if not facts.has_course:
        return
    low, high = facts.bounds
    for top, rate in ((chart.top() - 13, min(1.0, high)), (chart.bottom() - 13, max(0.0, low))):
        place = QRectF(chart.right() + 10, top, 82, 26)
        yield _fitted(place, rate_text(rate), 17, theme.text_muted)
    first, last = facts.span
    bottom = _BARS.bottom() if facts.is_whole else chart.bottom()
    under = QRectF(chart.left(), bottom + 6, chart.width() / 2, 24)
    yield _fitted(under, tr("move {number:,}", number=first), 17, theme.text_muted)
    right = Qt.AlignmentFlag.AlignRight
    under = under.translated(under.width(), 0)
    yield _fitted(under, f"{last:,}", 17, theme.text_muted, align=right)


def _chart_of(facts: GameFacts) -> QRectF:
    return _WHOLE_CHART if facts.is_whole else _CHART


def _draw_chart(painter: QPainter, facts: GameFacts, theme: Theme) -> None:
    if not facts.has_course:
        return
    (low, high), chart = facts.bounds, _chart_of(facts)

    def place(x: float, rate: float) -> QPointF:
        return QPointF(
            chart.left() + x * chart.width(),
            chart.top() + (high - rate) / (high - low) * chart.height(),
        )

    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(QPen(mixed(theme.surface, theme.text, 0.16), 1))
    for y in (chart.top(), chart.center().y(), chart.bottom()):
        painter.drawLine(QPointF(chart.left(), y), QPointF(chart.right(), y))
    painter.setPen(QPen(theme.accent, 1 if facts.is_whole else 2.5))  # Qt draws 1 many times faster
    for stretch, across in zip(facts.stretches, facts.across(), strict=True):
        n_columns = max(1, int((across[-1] - across[0]) * chart.width()))
        indices, rates = thinned(np.array(stretch.best_rates), n_columns)
        places = np.interp(indices, np.arange(len(across)), across)
        points = [place(x, rate) for x, rate in zip(places.tolist(), rates.tolist(), strict=True)]
        painter.drawPolyline(QPolygonF(points))
    for move, x, rate in reversed(facts.marks()):  # the worst on top
        middle = place(x, rate)
        square = QRectF(middle.x() - 8, middle.y() - 8, 16, 16)
        draw_grade(painter, square, move.grade, theme)


def _bar_places(facts: GameFacts) -> list[QRectF]:
    """Return the bar of each phase: below its moves, with a height by their loss."""
    first, last = facts.span
    step = _BARS.width() / max(1, last - first + 1)
    most = max([phase.points_lost for phase in facts.phases], default=0.0)
    bars = []
    for phase in facts.phases:
        share = phase.points_lost / most if most else 0.0
        height = max(_MIN_BAR, share * _BARS.height()) if phase.points_lost else 0.0
        left = _BARS.left() + (phase.first - first) * step
        width = (phase.last - phase.first + 1) * step
        bars.append(QRectF(left, _BARS.bottom() - height, width, height))
    return bars


def _phases(facts: GameFacts, theme: Theme) -> Iterator[CardText]:
    most = max([phase.points_lost for phase in facts.phases], default=0.0)
    if most > 0:
        place = QRectF(_BARS.right() + 10, _BARS.top() - 13, 82, 26)
        yield _fitted(place, points_text(most), 17, theme.text_muted)


def _draw_phases(painter: QPainter, facts: GameFacts, theme: Theme) -> None:
    if not facts.is_whole:
        return
    line, ground = mixed(theme.surface, theme.text, 0.16), mixed(theme.surface, theme.text, 0.04)
    for i, bar in enumerate(_bar_places(facts)):
        if i % 2:
            band = QRectF(bar.left(), _WHOLE_CHART.top(), bar.width(), _WHOLE_CHART.height())
            painter.fillRect(band, ground)
        gap = min(2.0, bar.width() / 4)
        painter.fillRect(bar.adjusted(gap / 2, 0, -gap / 2, 0), theme.bad)
    painter.setPen(QPen(line, 1))
    painter.drawLine(_BARS.bottomLeft(), _BARS.bottomRight())


def _figures(facts: GameFacts, theme: Theme) -> Iterator[CardText]:
    if not facts.n_judged:
        return
    lost = (tr(POINTS_LOST), points_text(facts.points_lost))
    if facts.is_whole:  # all losses of a game may be hundreds of points
        lost = (tr("Lost per move"), points_text(facts.mean_loss))
    named = (
        (tr(PERFECT_MOVES), perfect_text(facts.counts)),
        lost,
        (tr("Longest streak"), f"{facts.longest_streak:,}"),
    )
    width = _LEFT_WIDTH / len(named)
    for i, (name, value) in enumerate(named):
        left = _MARGIN + i * width
        yield _fitted(QRectF(left, 463, width - 8, 24), name, 17, theme.text_muted)
        yield _fitted(QRectF(left, 485, width - 8, 34), value, 26, theme.text, is_bold=True)


def _grade_places() -> list[QRectF]:
    width = _LEFT_WIDTH / _N_PER_ROW
    return [
        QRectF(_MARGIN + i % _N_PER_ROW * width, 528 + 28 * (i // _N_PER_ROW), width, 26)
        for i in range(len(GRADES))
    ]


def _grade_counts(facts: GameFacts, theme: Theme) -> Iterator[CardText]:
    if not facts.n_judged:
        return
    for place, grade, n in zip(_grade_places(), GRADES, facts.counts, strict=True):
        text = grade_count(grade, n, f"{n:,}")
        yield _fitted(place.adjusted(24, 0, -6, 0), text, 17, theme.text if n else theme.text_muted)


def _draw_grades(painter: QPainter, facts: GameFacts, theme: Theme) -> None:
    if not facts.n_judged:
        return
    for place, grade, n in zip(_grade_places(), GRADES, facts.counts, strict=True):
        color = grade_color(theme, grade) if n else theme.text_muted
        draw_grade(painter, QRectF(place.left(), place.top() + 4, 18, 18), grade, theme, color)


def _worst(facts: GameFacts, theme: Theme) -> Iterator[CardText]:
    board = _board_of(facts)
    above = QRectF(_BOARD.left(), board.top() - 38, _BOARD.width(), 30)
    if not facts.worst:
        text = tr("No mistake in {n:,} moves", n=facts.n_judged) if facts.n_judged else ""
        yield _fitted(above, text, 19, theme.text_muted)
        return
    worst = facts.worst[0]
    text = tr("What cost most: move {number:,}", number=worst.number)
    yield _fitted(above, text, 19, theme.text_muted)
    below = QRectF(_BOARD.left(), board.bottom() + 8, _BOARD.width(), 28)
    yield _fitted(below, _what_was_left(worst), 19, theme.text)


def _board_of(facts: GameFacts) -> QRectF:
    return _WHOLE_BOARD if facts.is_whole else _BOARD


def _moments(facts: GameFacts, theme: Theme) -> Iterator[CardText]:
    shown = facts.worst[0].number if facts.worst else None
    costly = [moment for moment in facts.moments if moment.change < 0]
    others = [moment for moment in costly if moment.is_tile or moment.number != shown]
    others = sorted(others, key=lambda moment: (moment.change, moment.number))[:_N_MOMENTS]
    if not others:
        return
    title = _MOMENTS.translated(0, -28)
    yield _fitted(title, tr("What else cost most"), 17, theme.text_muted)
    for i, moment in enumerate(others):
        place = _MOMENTS.translated(0, 26 * i)
        if moment.is_tile:
            what = tr("{number:,}: a new {tile}", number=moment.number, tile=moment.tile)
        else:
            played = move_word(moment.played)
            what = tr("{number:,}: {move}", number=moment.number, move=played)
            if moment.best:
                best = move_word(moment.best[0])
                text = mark("{number:,}: {move}, not {best}")
                what = tr(text, number=moment.number, move=played, best=best)
        left, right = place.adjusted(0, 0, -_CHANGE_WIDTH - 8, 0), QRectF(place)
        right.setLeft(place.right() - _CHANGE_WIDTH)
        yield _fitted(left, what, 17, theme.text)
        change = " \u2192 ".join(rate_texts((moment.before, moment.after)))
        yield _fitted(right, change, 17, theme.text, align=Qt.AlignmentFlag.AlignRight)


def _what_was_left(move: CostlyMove) -> str:
    best_rate, rate = rate_texts((move.best_rate, move.rate))
    return tr(
        "{move}: {rate}, {best}: {best_rate}",
        move=move_title(move.direction),
        rate=rate,
        best=move_word(move.best[0]),
        best_rate=best_rate,
    )


def _draw_board(painter: QPainter, facts: GameFacts, theme: Theme) -> None:
    if not facts.worst:
        return
    board = _board_of(facts)
    fitted = Grid.fit(board.width(), board.height(), 1.0)
    grid = Grid(board.left(), board.top(), fitted.side, fitted.gap, fitted.cell)
    painter.setFont(body_font())
    draw_ground(painter, grid, theme, ())
    for cell, exponent in enumerate(facts.worst[0].cells):
        if exponent:
            draw_tile(painter, grid.rect(cell), exponent, theme, str(1 << exponent))


def _footer(facts: GameFacts, theme: Theme) -> Iterator[CardText]:
    names = [table_title(name) for name in facts.tables[:_MAX_TABLES]]
    if len(facts.tables) > _MAX_TABLES:
        names.append("\N{HORIZONTAL ELLIPSIS}")
    place = QRectF(_MARGIN, HEIGHT - 46, _LEFT_WIDTH, 24)
    if facts.is_whole:
        names.append(tr("search"))
    if names:
        yield _fitted(place, tr("Rated by {tables}", tables=listed(names)), 16, theme.text_muted)
    place = QRectF(_BOARD.left(), HEIGHT - 46, _BOARD.width(), 24)
    right = Qt.AlignmentFlag.AlignRight
    yield _fitted(place, "Endgame 2048", 16, theme.text_muted, align=right)  # no text
