"""The gallery: a card for each minigame, and the trophies of the mode."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cache, partial

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPen,
    QPixmap,
    QPolygonF,
    QResizeEvent,
    QTextLayout,
)
from PySide6.QtWidgets import (
    QAbstractButton,
    QButtonGroup,
    QHBoxLayout,
    QPushButton,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from gui.board.board_paint import mixed
from gui.core.chunked_work import ChunkedWork
from gui.minigames.cover import draw_cover
from gui.minigames.rules_text import format_whole, summary
from gui.style.icons import draw_icon, icon
from gui.style.theme import BODY, CAPTION, CARD_RADIUS, STRONG, Theme
from gui.widgets.flow_layout import FlowLayout
from minigames.parameters import GameSpec
from minigames.records import Record
from minigames.registry import GAMES

TROPHY_NAMES = ("No trophy", "Bronze", "Silver", "Gold", "Grand")
_MEDALS = {  # on a light and on a dark window; grand has the accent
    1: ("#a35a22", "#dc9c69"),
    2: ("#66737b", "#c2ccd3"),
    3: ("#b07c00", "#f0c859"),
}
_PAD, _SPACE = 12, 16
_CARD_WIDTH, _MOST_COVER = 15.6, 10  # in heights of the font
_KEPT_WIDTHS = 8
_COVER_SHARE = 0.5  # of the card's width
_STRIDE = 7  # from one day's game to the next; has no divisor in common with how many there are


@dataclass(frozen=True)
class CardState:
    """What a card shows of a game in the mode that is chosen.

    Attributes
    ----------
    record : Record
    has_run : bool
        Whether a run goes on.
    run_score : int
        Of that run.
    daily_done : bool
        Whether today's run was finished.
    """

    record: Record = field(default_factory=Record)
    has_run: bool = False
    run_score: int = 0
    daily_done: bool = False


def daily_game(day: date) -> str:
    """Return the game of a day: the same for everybody, each one once until all had their turn."""
    names = list(GAMES)
    return names[day.toordinal() * _STRIDE % len(names)]


def draw_medal(
    painter: QPainter, rect: QRectF, level: int, theme: Theme, *, is_earned: bool = True
) -> None:
    """Draw the medal of a trophy: a disc, a hexagon, a star or a crown; outlined until earned.

    Parameters
    ----------
    painter : QPainter
    rect : QRectF
        Filled as far as a square can.
    level : int
        1 bronze, 2 silver, 3 gold, 4 grand.
    theme : Theme
    is_earned : bool
    """
    side = min(rect.width(), rect.height())
    color = QColor(_MEDALS[level][theme.is_dark]) if level in _MEDALS else theme.accent
    painter.save()
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    painter.translate(rect.center())
    painter.scale(side / 20, side / 20)
    join = Qt.PenJoinStyle.RoundJoin
    if is_earned:
        painter.setPen(QPen(color, 1.6, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, join))
        painter.setBrush(color)
    else:
        ink = theme.text_muted
        painter.setPen(QPen(ink, 1.8, Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, join))
        painter.setBrush(Qt.BrushStyle.NoBrush)
    if level == 1:
        painter.drawEllipse(QPointF(0, 0), 7.2, 7.2)
    else:
        painter.drawPolygon(_outline(level))
    painter.restore()


@cache
def _outline(level: int) -> QPolygonF:
    """Return the shape of a medal round the origin, on a square of 20."""
    if level == 2:
        turns = [math.radians(60 * i - 90) for i in range(6)]
        return QPolygonF([QPointF(8.1 * math.cos(t), 8.1 * math.sin(t)) for t in turns])
    if level == 3:
        spikes = [(8.8 if i % 2 == 0 else 4.0, math.radians(36 * i - 90)) for i in range(10)]
        return QPolygonF([QPointF(r * math.cos(t), 0.6 + r * math.sin(t)) for r, t in spikes])
    crown = ((-8, -5), (-4, -0.5), (0, -7.5), (4, -0.5), (8, -5), (6.6, 6.8), (-6.6, 6.8))
    return QPolygonF([QPointF(x, y) for x, y in crown])


class CoverImages(QObject):
    """The pictures of all games as pixmaps, drawn one each time round the event loop.

    Until a picture of the right size and colors is there, an older one is handed out.

    Signals
    -------
    drawn : str
        The game whose picture is new.
    """

    drawn = Signal(str)

    def __init__(self, theme: Theme, parent: QObject) -> None:
        super().__init__(parent)
        self._theme, self._font = theme, QFont()
        self._key: tuple[int, int, float] | None = None
        self._images: dict[str, QPixmap] = {}
        self._work = ChunkedWork(self)

    @property
    def is_done(self) -> bool:
        """Whether all pictures are as they were asked for last."""
        return self._key is not None and self._work.is_done

    def set_theme(self, theme: Theme) -> None:
        """Draw everything anew in other colors."""
        self._theme, self._key = theme, None

    def image(self, game: str, size: QSize, ratio: float) -> QPixmap | None:
        """Return a picture; None when there is none yet."""
        key = (size.width(), size.height(), ratio)
        if key != self._key:
            self._key = key
            self._work.do([partial(self._draw, name, size, ratio) for name in GAMES])
        return self._images.get(game)

    def _draw(self, game: str, size: QSize, ratio: float) -> None:
        image = QPixmap(size * ratio)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        rect = QRectF(0, 0, size.width(), size.height())
        corners = QPainterPath()  # round at the top, where the card is
        corners.addRoundedRect(
            rect.adjusted(0, 0, 0, CARD_RADIUS), CARD_RADIUS - 1, CARD_RADIUS - 1
        )
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self._font)
        painter.setClipPath(corners)
        draw_cover(painter, rect, game, self._theme)
        painter.end()
        self._images[game] = image
        self.drawn.emit(game)


def _sized(font: QFont, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    """Return a font in a role of the type scale; the scale grows with the font of the window."""
    other = QFont(font)
    base = font.pixelSize() if font.pixelSize() > 0 else QFontMetrics(font).ascent()
    other.setPixelSize(max(1, round(base * pixels / BODY)))
    other.setWeight(weight)
    return other


def _wrapped(text: str, font: QFont, width: int) -> list[str]:
    """Return the lines of a text at a width."""
    layout = QTextLayout(text, font)
    layout.beginLayout()
    lines = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        lines.append(text[line.textStart() : line.textStart() + line.textLength()].strip())
    layout.endLayout()
    return lines


class CardLayout:
    """Where the parts of a card are; the same for all cards of a width, so that rows are even.

    Parameters
    ----------
    font : QFont
        Of the window.
    """

    def __init__(self, font: QFont) -> None:
        self.title_font = _sized(font, STRONG, QFont.Weight.DemiBold)
        self.text_font, self.caption_font = _sized(font, BODY), _sized(font, CAPTION)
        self.title_height = QFontMetrics(self.title_font).height()
        self.text_height = QFontMetrics(self.text_font).height()
        self.caption_height = QFontMetrics(self.caption_font).height()
        self.medal_side = self.text_height - 1
        self.badge_font = _sized(font, CAPTION, QFont.Weight.DemiBold)
        self.badge_height = self.caption_height + 6
        self.least_width = round(self.text_font.pixelSize() * _CARD_WIDTH)
        self._most_cover = self.text_font.pixelSize() * _MOST_COVER
        self._summaries: dict[int, dict[str, list[str]]] = {}  # by the width of the card
        self._heights: dict[int, int] = {}

    def summaries(self, width: int) -> dict[str, list[str]]:
        """Return the lines of all summaries on cards of a width."""
        self._measure(width)
        return self._summaries[width]

    def cover_height(self, width: int) -> int:
        """Return the height of the picture."""
        return min(round(width * _COVER_SHARE), self._most_cover)

    def summary_height(self, width: int) -> int:
        """Return the room for the longest summary."""
        return max(map(len, self.summaries(width).values())) * self.text_height

    def height(self, width: int) -> int:
        """Return the height of a card of a width."""
        self._measure(width)
        return self._heights[width]

    def _measure(self, width: int) -> None:
        if width in self._heights:
            return
        if len(self._heights) >= _KEPT_WIDTHS:
            self._heights.clear()
            self._summaries.clear()
        room = width - 2 * _PAD
        self._summaries[width] = {
            name: _wrapped(summary(spec), self.text_font, room) for name, spec in GAMES.items()
        }
        n_lines = max(map(len, self._summaries[width].values()))
        text = self.title_height + 4 + n_lines * self.text_height
        progress = 8 + self.badge_height + 6 + self.caption_height
        self._heights[width] = self.cover_height(width) + _PAD + text + progress + _PAD


class Card(QAbstractButton):
    """A game: its picture, what it is about, what was reached in it.

    Parameters
    ----------
    spec : GameSpec
    theme : Theme
    covers : CoverImages
    layout : CardLayout
    walk : callable
        Takes a key and returns whether it leads to another card; with False as second argument
        it only tells.

    Signals
    -------
    entered : it has the keyboard now
    """

    entered = Signal()

    def __init__(
        self,
        spec: GameSpec,
        theme: Theme,
        covers: CoverImages,
        layout: CardLayout,
        walk: Callable[[QKeyEvent, bool], bool],
    ) -> None:
        super().__init__()
        self.spec, self.state, self.is_daily = spec, CardState(), False
        self._theme, self._covers, self._layout, self._walk = theme, covers, layout, walk
        self.setText(spec.title)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._say()

    # What it shows ------------------------------------------------------------------------------

    @property
    def best_text(self) -> str:
        """The best that was reached, in words."""
        record = self.state.record
        if self.spec.track == "tile" and record.best:
            return f"Best tile {format_whole(1 << record.best)}"
        if self.spec.track == "pattern" and record.best_figure:
            return f"Best level {format_whole(record.best_figure)}"
        if self.spec.track == "pattern" and record.n_runs:
            return "No level yet"
        if self.spec.track == "score" and record.best_score:
            return f"Best {format_whole(record.best_score)}"
        return "In your first run" if self.state.has_run else "Not played yet"

    @property
    def progress(self) -> tuple[int, int]:
        """What was reached of what the next trophy takes; of the last one when all are won."""
        record = self.state.record
        level = self.spec.levels[min(record.trophy, len(self.spec.levels) - 1)]
        reached = level if record.trophy == len(self.spec.levels) else record.best_figure
        return min(reached, level), level

    @property
    def progress_text(self) -> str:
        """The progress in words."""
        reached, level = self.progress
        if self.state.record.trophy == len(self.spec.levels):
            return "All trophies"
        return f"{format_whole(reached)} of {format_whole(level)}"

    @property
    def daily_text(self) -> str:
        """What is said of the game of the day."""
        return "Done today" if self.state.daily_done else "Today"

    def show_state(self, state: CardState, is_daily: bool) -> None:
        """Show what was reached, and whether it is the game of the day."""
        if (state, is_daily) != (self.state, self.is_daily):
            self.state, self.is_daily = state, is_daily
            self._say()
            self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take other colors."""
        self._theme = theme
        self.update()

    def _say(self) -> None:
        """Say to a screen reader what the picture shows."""
        trophy = self.state.record.trophy
        words, run = [summary(self.spec), f"{self.best_text}."], ""
        if trophy == len(self.spec.levels):
            words.append("You have all the trophies.")
        else:
            reached = self.progress_text
            words.append(f"{reached} for {TROPHY_NAMES[trophy + 1].lower()}.")
        if self.state.has_run:
            run = f"Continue your run with {format_whole(self.state.run_score)} points."
            words.append(run)
        self.setToolTip(run)
        if self.is_daily:
            words.append("Done today." if self.state.daily_done else "Today's game.")
        name = TROPHY_NAMES[trophy].lower()
        self.setAccessibleName(f"{self.spec.title}, {name}{' trophy' if trophy else ''}")
        self.setAccessibleDescription(" ".join(words))

    # Size ---------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the least size."""
        width = self._layout.least_width
        return QSize(width, self._layout.height(width))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return a width at which everything can still be read."""
        return QSize(self._layout.least_width * 3 // 4, self.sizeHint().height())

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Return that the height follows from the width."""
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        """Return the height at a width."""
        return self._layout.height(width)

    # Keys ---------------------------------------------------------------------------------------

    def event(self, event: QEvent) -> bool:
        """Claim the keys of the gallery before shortcuts of the page take them."""
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent):
            is_ours = event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space)
            is_plain = event.modifiers() in (
                Qt.KeyboardModifier.NoModifier,
                Qt.KeyboardModifier.KeypadModifier,
            )
            if (is_ours and is_plain) or self._walk(event, False):
                event.accept()
                return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:  # noqa: N802
        """Open the game, or go to another card."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
        elif event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        elif not self._walk(event, True):
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        """Say that it has the keyboard."""
        super().focusInEvent(event)
        self.entered.emit()

    # Painting -----------------------------------------------------------------------------------

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw the card."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        theme, layout, width = self._theme, self._layout, self.width()
        ground = theme.raised if self.underMouse() and self.isEnabled() else theme.surface
        if self.isDown():
            ground = mixed(ground, theme.text, 0.06)
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(frame, CARD_RADIUS, CARD_RADIUS)
        cover = QRect(1, 1, width - 2, layout.cover_height(width))
        self._draw_cover(painter, cover)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.setPen(QPen(theme.text_muted if self.underMouse() else theme.border, 1))
        painter.drawRoundedRect(frame, CARD_RADIUS, CARD_RADIUS)
        if self.hasFocus():
            painter.setPen(QPen(theme.focus, 3))
            painter.drawRoundedRect(frame.adjusted(1, 1, -1, -1), CARD_RADIUS - 1, CARD_RADIUS - 1)
        bottom = self._draw_words(painter, cover.bottom() + 1 + _PAD)
        self._draw_progress(painter, bottom + 8)

    def _draw_cover(self, painter: QPainter, cover: QRect) -> None:
        image = self._covers.image(self.spec.name, cover.size(), self.devicePixelRatioF())
        if image is not None:
            painter.drawPixmap(cover, image)
        if self.is_daily:
            name = "check" if self.state.daily_done else "calendar"
            corner = QPointF(cover.right() - 7, cover.top() + 8)
            self._draw_badge(painter, corner, name, self.daily_text, self._theme.raised)

    def _draw_badge(
        self, painter: QPainter, corner: QPointF, icon_name: str, text: str, ground: QColor
    ) -> None:
        """Draw a few words on a ground of their own; `corner` is its top right one."""
        theme, layout = self._theme, self._layout
        side, height = layout.caption_height, layout.badge_height
        width = QFontMetrics(layout.badge_font).horizontalAdvance(text) + side + 17
        rect = QRectF(corner.x() - width, corner.y(), width, height)
        is_plain = ground == theme.raised
        painter.setPen(QPen(theme.border, 1) if is_plain else Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        painter.drawRoundedRect(rect, height / 2, height / 2)
        ink = theme.text if is_plain else theme.accent_text
        mark = QRectF(rect.left() + 6, rect.top() + (height - side) / 2, side, side)
        draw_icon(painter, icon_name, mark, ink)
        painter.setFont(layout.badge_font)
        painter.setPen(ink)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(rect.adjusted(6 + side + 2, 0, 0, 0), int(flags), text)

    def _draw_words(self, painter: QPainter, top: int) -> int:
        """Draw title, medal and summary; return where they end."""
        theme, layout, room = self._theme, self._layout, self.width() - 2 * _PAD
        trophy, medal = self.state.record.trophy, layout.medal_side
        painter.setFont(layout.title_font)
        painter.setPen(theme.text)
        width = room - (medal + 6 if trophy else 0)
        title = QFontMetrics(layout.title_font).elidedText(
            self.spec.title, Qt.TextElideMode.ElideRight, width
        )
        flags = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        painter.drawText(QRect(_PAD, top, width, layout.title_height), flags, title)
        if trophy:
            middle = (layout.title_height - medal) / 2
            place = QRectF(_PAD + room - medal, top + middle, medal, medal)
            draw_medal(painter, place, trophy, theme)
        painter.setFont(layout.text_font)
        painter.setPen(theme.text_muted)
        lines = layout.summaries(self.width())
        y = top + layout.title_height + 4
        for i, line in enumerate(lines[self.spec.name]):
            rect = QRect(_PAD, y + i * layout.text_height, room, layout.text_height)
            painter.drawText(rect, flags, line)
        return y + layout.summary_height(self.width())

    def _draw_progress(self, painter: QPainter, top: int) -> None:
        theme, layout, room = self._theme, self._layout, self.width() - 2 * _PAD
        left = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        right = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        if self.state.has_run:
            corner = QPointF(_PAD + room, top)
            self._draw_badge(painter, corner, "play", "Continue", theme.accent)
        painter.setFont(layout.caption_font)
        painter.setPen(theme.text)
        painter.drawText(QRect(_PAD, top, room, layout.badge_height), left, self.best_text)
        y, height = top + layout.badge_height + 6, layout.caption_height
        text = self.progress_text
        text_width = QFontMetrics(layout.caption_font).horizontalAdvance(text) + 2
        painter.setPen(theme.text_muted)
        painter.drawText(QRect(_PAD, y, room, height), right, text)
        trophy, n = self.state.record.trophy, len(self.spec.levels)
        medal = QRectF(_PAD, y, height, height)
        draw_medal(painter, medal, min(trophy + 1, n), theme, is_earned=trophy == n)
        bar = QRectF(medal.right() + 8, y + height / 2 - 2, 0, 4)
        bar.setRight(_PAD + room - text_width - 10)
        if bar.width() < 8:
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(mixed(theme.border, theme.text_muted, 0.08))
        painter.drawRoundedRect(bar, 2, 2)
        reached, level = self.progress
        if reached:
            painter.setBrush(theme.accent)
            done = QRectF(bar)
            done.setWidth(max(4.0, bar.width() * reached / level))
            painter.drawRoundedRect(done, 2, 2)


class TrophyTotal(QWidget):
    """A medal, and how many games have it or a better one.

    Parameters
    ----------
    level : int
        1 bronze, 2 silver, 3 gold, 4 grand.
    theme : Theme
    """

    def __init__(self, level: int, theme: Theme) -> None:
        super().__init__()
        self._level, self._theme = level, theme
        self.count, self._is_short = 0, False
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.show_count(0)

    @property
    def text(self) -> str:
        """What is written beside the medal."""
        return self.short_text if self._is_short else self.full_text

    @property
    def short_text(self) -> str:
        """The number alone."""
        return f"{self.count} of {len(GAMES)}"

    @property
    def full_text(self) -> str:
        """The name of the trophy, and the number."""
        return f"{TROPHY_NAMES[self._level]} {self.short_text}"

    def width_of(self, text: str) -> int:
        """Return the room that it takes with a text."""
        metrics = self.fontMetrics()
        return metrics.height() + 6 + metrics.horizontalAdvance(text) + 2

    def show_short(self, is_short: bool) -> None:
        """Leave the name to the tool tip, where room is scarce."""
        if is_short != self._is_short:
            self._is_short = is_short
            self.updateGeometry()
            self.update()

    def show_count(self, count: int) -> None:
        """Show how many games there are."""
        self.count = count
        self.setAccessibleName(self.full_text)
        self.setToolTip(f"{TROPHY_NAMES[self._level]} or better: {self.short_text} games")
        self.updateGeometry()
        self.update()

    def set_theme(self, theme: Theme) -> None:
        """Take other colors."""
        self._theme = theme
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the room for medal and text, as high as a button."""
        return QSize(self.width_of(self.text), self.fontMetrics().height() + 10)

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        """Return the same."""
        return self.sizeHint()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw medal and text."""
        painter, side = QPainter(self), self.fontMetrics().height()
        medal = QRectF(0, (self.height() - side) / 2, side, side)
        draw_medal(painter, medal, self._level, self._theme, is_earned=self.count > 0)
        painter.setPen(self._theme.text if self.count else self._theme.text_muted)
        flags = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.drawText(self.rect().adjusted(side + 6, 0, 0, 0), int(flags), self.text)


class TrophyTotals(QWidget):
    """The four totals in a row.

    Parameters
    ----------
    theme : Theme
    """

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self.parts = tuple(TrophyTotal(level, theme) for level in (1, 2, 3, 4))
        self._flow = FlowLayout(self, space=_SPACE)
        for part in self.parts:
            self._flow.addWidget(part)

    def show_trophies(self, trophies: Sequence[int]) -> None:
        """Count the trophies of all games."""
        for level, part in enumerate(self.parts, start=1):
            part.show_count(sum(trophy >= level for trophy in trophies))
        self.updateGeometry()

    def set_theme(self, theme: Theme) -> None:
        """Take other colors."""
        for part in self.parts:
            part.set_theme(theme)

    def fit(self, width: int) -> None:
        """Leave names out where they do not fit into one row."""
        full = sum(part.width_of(part.full_text) for part in self.parts)
        is_short = full + (len(self.parts) - 1) * _SPACE > width
        for part in self.parts:
            part.show_short(is_short)
        self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the room for all in one row."""
        hints = [part.sizeHint() for part in self.parts]
        width = sum(hint.width() for hint in hints) + (len(hints) - 1) * _SPACE
        return QSize(width, hints[0].height())


class Gallery(QWidget):
    """All games as cards, in normal or hard mode.

    The arrows go from card to card, Home and End to the first and the last one, a letter to the
    next game that begins with it. Tab reaches the card where one was last.

    Parameters
    ----------
    theme : Theme

    Signals
    -------
    chosen : str
        The name of the game that was opened.
    mode_changed : bool
        Whether hard mode was chosen.
    daily_asked : the game of the day is to be played
    """

    chosen = Signal(str)
    mode_changed = Signal(bool)
    daily_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme, self._day_game = theme, ""
        self._states: dict[str, CardState] = {}
        self._layout = CardLayout(self.font())
        self.covers = CoverImages(theme, self)
        self.totals = TrophyTotals(theme)
        self.daily_button = QPushButton(icon("calendar"), "")
        self.daily_button.setProperty("chip", True)
        self.daily_button.hide()
        self.daily_button.clicked.connect(self.daily_asked)
        self._make_modes()
        content, grid = QWidget(), QWidget()
        self._flow = FlowLayout(grid, space=_SPACE, column_width=self._layout.least_width)
        column = QVBoxLayout(content)
        column.setContentsMargins(0, 0, 0, _SPACE)
        column.addWidget(grid)
        column.addStretch()
        self.cards = {name: self._make_card(spec) for name, spec in GAMES.items()}
        self._current = next(iter(self.cards.values()))
        self.scroller = QScrollArea()
        self.scroller.setWidgetResizable(True)
        self.scroller.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.scroller.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.scroller.setWidget(content)
        self._lay_out()
        self._mark_current(self._current)
        self.covers.drawn.connect(lambda name: self.cards[name].update())

    @property
    def is_hard(self) -> bool:
        """Whether hard mode is chosen."""
        return self.hard_button.isChecked()

    def set_hard(self, hard: bool) -> None:
        """Choose a mode as if clicked but without the signal."""
        (self.hard_button if hard else self.normal_button).setChecked(True)
        self._was_hard = hard

    def show_records(self, states: Mapping[str, CardState]) -> None:
        """Show what was reached in the mode; games that are not named have nothing yet."""
        self._states = dict(states)
        self._show_states()
        trophies = [self._state(name).record.trophy for name in GAMES]
        self.totals.show_trophies(trophies)

    def show_day(self, day: date) -> None:
        """Offer the game of a day."""
        self._day_game = daily_game(day)
        self._show_states()
        self.daily_button.show()

    def set_theme(self, theme: Theme) -> None:
        """Take other colors."""
        self._theme = theme
        self.covers.set_theme(theme)
        self.totals.set_theme(theme)
        for one in self.cards.values():
            one.set_theme(theme)

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        """Fit the totals into the header."""
        super().resizeEvent(event)
        self.totals.fit(event.size().width())

    def focus_card(self, game: str | None = None) -> None:
        """Give the keyboard to the card of a game, or to the one that had it last."""
        (self.cards[game] if game else self._current).setFocus(Qt.FocusReason.OtherFocusReason)

    # Building -----------------------------------------------------------------------------------

    def _make_modes(self) -> None:
        self._modes = QButtonGroup(self)
        self.normal_button, self.hard_button = QPushButton("Normal"), QPushButton("Hard")
        for button in (self.normal_button, self.hard_button):
            button.setCheckable(True)
            button.setProperty("chip", True)
            self._modes.addButton(button)
        self.normal_button.setChecked(True)
        self.normal_button.setToolTip("Scores and trophies of normal mode")
        self.hard_button.setToolTip("Harder rules, with scores and trophies of their own")
        self._modes.buttonClicked.connect(self._on_mode)
        self._was_hard = False

    def _on_mode(self) -> None:
        if self.is_hard != self._was_hard:
            self._was_hard = self.is_hard
            self.mode_changed.emit(self.is_hard)

    def _make_card(self, spec: GameSpec) -> Card:
        one = Card(spec, self._theme, self.covers, self._layout, self._walk)
        one.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        one.clicked.connect(lambda: self.chosen.emit(spec.name))
        one.entered.connect(lambda: self._mark_current(one))
        self._flow.addWidget(one)
        return one

    def _lay_out(self) -> None:
        modes = QWidget()
        modes.setAccessibleName("Mode")
        row = QHBoxLayout(modes)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        row.addWidget(self.normal_button)
        row.addWidget(self.hard_button)
        header = QWidget()
        flow = FlowLayout(header, space=_PAD)
        for part in (modes, self.daily_button, self.totals):
            flow.addWidget(part)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(_PAD)
        column.addWidget(header)
        column.addWidget(self.scroller, 1)

    # Records ------------------------------------------------------------------------------------

    def _state(self, game: str) -> CardState:
        return self._states.get(game, CardState())

    def _show_states(self) -> None:
        for name, one in self.cards.items():
            one.show_state(self._state(name), name == self._day_game)
        if self._day_game:
            is_done = self._state(self._day_game).daily_done
            self.daily_button.setText(f" Daily: {GAMES[self._day_game].title}")
            self.daily_button.setIcon(icon("check" if is_done else "calendar"))
            said = "Done today" if is_done else "The same game for everybody, today only"
            self.daily_button.setToolTip(said)
            self.daily_button.setAccessibleDescription(said)

    # Keys ---------------------------------------------------------------------------------------

    def _mark_current(self, one: Card) -> None:
        """Make a card the one that Tab reaches, and bring it into view."""
        self._current.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self._current = one
        one.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.scroller.ensureWidgetVisible(one, 0, _SPACE)

    def _walk(self, event: QKeyEvent, goes: bool) -> bool:
        """Go where a key leads; return whether it leads anywhere."""
        if event.modifiers() & ~(
            Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier
        ):
            return False
        cards = list(self.cards.values())
        place = cards.index(self._current)
        step = self._step(event.key(), place, cards)
        if step is None:
            letter = event.text()[:1].casefold()
            later = [*range(place + 1, len(cards)), *range(place + 1)]
            if not letter.isalpha():
                return False
            step = next((i for i in later if cards[i].spec.title.casefold()[0] == letter), None)
            if step is None:
                return False
        if goes:
            cards[step].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def _step(self, key: int, place: int, cards: list[Card]) -> int | None:
        """Return which card an arrow, Home or End leads to; None of other keys."""
        last = len(cards) - 1
        columns = max(1, sum(one.y() == cards[0].y() for one in cards))
        if key == Qt.Key.Key_Up:
            return place - columns if place >= columns else place
        if key == Qt.Key.Key_Down:
            has_below = place // columns < last // columns
            return min(place + columns, last) if has_below else place
        steps = {
            Qt.Key.Key_Left: max(0, place - 1),
            Qt.Key.Key_Right: min(last, place + 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: last,
        }
        return steps.get(Qt.Key(key))
