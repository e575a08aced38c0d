"""The card of a minigame: its cover, the best result, the progress to the next trophy."""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

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
    QTextLayout,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy

from engine.platform.language import mark, sentences, tr
from gui.board.board_paint import mixed
from gui.minigames.cover import draw_cover
from gui.minigames.medals import draw_medal
from gui.minigames.rules_text import level_text, summary
from gui.style.icons import draw_icon
from gui.style.theme import (
    BODY,
    CAPTION,
    CARD_RADIUS,
    STRONG,
    Theme,
    app_theme,
    resized,
    smooth_painter,
    theme_source,
)
from gui.text.numbers import format_whole
from gui.work.chunked_work import ChunkedWork
from minigames.parameters import GameSpec
from minigames.records import MinigameRecord
from minigames.registry import GAMES

_PAD = 12
_CARD_WIDTH, _MAX_COVER = 15.6, 10  # in heights of the font
_KEPT_WIDTHS = 8
_COVER_SHARE = 0.5  # of the card's width
_WITH_TROPHY = (
    mark("{game}, no trophy"),
    mark("{game}, bronze trophy"),
    mark("{game}, silver trophy"),
    mark("{game}, gold trophy"),
    mark("{game}, grand trophy"),
)
_TO_NEXT_TROPHY = (
    mark("{progress} for bronze."),
    mark("{progress} for silver."),
    mark("{progress} for gold."),
    mark("{progress} for grand."),
)


@dataclass(frozen=True)
class CardState:
    """The data of a card in the chosen mode."""

    record: MinigameRecord = field(default_factory=MinigameRecord)
    has_run: bool = False  # whether there is a run in play
    run_score: int = 0  # of that run
    daily_done: bool = False  # whether today's run was finished


class CoverImages(QObject):
    """The pictures of all games as pixmaps, drawn one per event loop iteration.

    Until a picture with the right size and colors is ready, an older one is returned.
    """

    drawn = Signal(str)

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._font = QFont()
        self._key: tuple[int, int, float] | None = None
        self._theme: Theme | None = None  # that the pictures are in
        self._images: dict[str, QPixmap] = {}
        self._work = ChunkedWork(self)

    @property
    def is_done(self) -> bool:
        return self._theme is app_theme() and self._work.is_done

    def image(self, game: str, size: QSize, ratio: float) -> QPixmap | None:
        key = (size.width(), size.height(), ratio)
        if key != self._key or self._theme is not app_theme():
            self._key, self._theme = key, app_theme()
            self._work.do([partial(self._draw, name, size, ratio) for name in GAMES])
        return self._images.get(game)

    def _draw(self, game: str, size: QSize, ratio: float) -> None:
        image = QPixmap(size * ratio)
        image.setDevicePixelRatio(ratio)
        image.fill(Qt.GlobalColor.transparent)
        rect = QRectF(0, 0, size.width(), size.height())
        corners = QPainterPath()  # round at the top, where the card is
        radius = CARD_RADIUS - 1
        corners.addRoundedRect(rect.adjusted(0, 0, 0, CARD_RADIUS), radius, radius)
        painter = smooth_painter(image)
        painter.setFont(self._font)
        painter.setClipPath(corners)
        draw_cover(painter, rect, game, app_theme())
        painter.end()
        self._images[game] = image
        self.drawn.emit(game)


def _sized(font: QFont, pixels: int, weight: QFont.Weight = QFont.Weight.Normal) -> QFont:
    base = font.pixelSize() if font.pixelSize() > 0 else QFontMetrics(font).ascent()
    return resized(font, max(1, round(base * pixels / BODY)), weight)


def _fitting(font: QFont, room: int) -> QFont:
    """Return the largest font in which the titles of all games fit."""
    while (
        max(QFontMetrics(font).horizontalAdvance(spec.title) for spec in GAMES.values()) > room
        and font.pixelSize() > 1
    ):
        font.setPixelSize(font.pixelSize() - 1)
    return font


def _wrapped(text: str, font: QFont, width: int) -> list[str]:
    layout = QTextLayout(text, font)
    layout.beginLayout()
    lines = []
    while (line := layout.createLine()).isValid():
        line.setLineWidth(width)
        lines.append(text[line.textStart() : line.textStart() + line.textLength()].strip())
    layout.endLayout()
    return lines


class CardLayout:
    """The layout of a card; the same for all cards of a width, so that rows are even."""

    def __init__(self, font: QFont) -> None:
        self.text_font, self.caption_font = _sized(font, BODY), _sized(font, CAPTION)
        self.least_width = round(self.text_font.pixelSize() * _CARD_WIDTH)
        self.medal_side = QFontMetrics(self.text_font).height() - 1
        room = self.least_width - 2 * _PAD - self.medal_side - 6
        self.title_font = _fitting(_sized(font, STRONG, QFont.Weight.DemiBold), room)
        self.title_height = QFontMetrics(self.title_font).height()
        self.text_height = QFontMetrics(self.text_font).height()
        self.caption_height = QFontMetrics(self.caption_font).height()
        self.badge_font = _sized(font, CAPTION, QFont.Weight.DemiBold)
        self.badge_height = self.caption_height + 6
        self._most_cover = self.text_font.pixelSize() * _MAX_COVER
        self._summaries: dict[int, dict[str, list[str]]] = {}  # by the width of the card
        self._heights: dict[int, int] = {}

    def summaries(self, width: int) -> dict[str, list[str]]:
        self._measure(width)
        return self._summaries[width]

    def cover_height(self, width: int) -> int:
        return min(round(width * _COVER_SHARE), self._most_cover)

    def badge_width(self, text: str) -> int:
        return QFontMetrics(self.badge_font).horizontalAdvance(text) + self.caption_height + 17

    def summary_height(self, width: int) -> int:
        return max(map(len, self.summaries(width).values())) * self.text_height

    def height(self, width: int) -> int:
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
        progress = 8 + self.caption_height
        self._heights[width] = self.cover_height(width) + _PAD + text + progress + _PAD


class Card(QAbstractButton):
    """A game: its picture, its summary, the best result.

    `walk` takes a key and returns whether it leads to another card; with False as second argument
    it doesn't go there.
    """

    entered = Signal()

    def __init__(
        self,
        spec: GameSpec,
        covers: CoverImages,
        layout: CardLayout,
        walk: Callable[[QKeyEvent, bool], bool],
    ) -> None:
        super().__init__()
        self.spec, self.state, self.is_daily = spec, CardState(), False
        self._covers, self._layout, self._walk = covers, layout, walk
        theme_source().changed.connect(self.update)
        self.setText(spec.title)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self._describe()

    @property
    def best_text(self) -> str:
        record = self.state.record
        if self.spec.track == "tile" and record.best:
            return tr("Best tile {tile}", tile=1 << record.best)
        if self.spec.track == "pattern" and record.best_figure:
            return tr("Best level {level}", level=record.best_figure)
        if self.spec.track == "score" and record.best_score:
            return tr("Best {score}", score=format_whole(record.best_score))
        return ""

    @property
    def progress(self) -> tuple[int, int]:
        """The result so far and the requirement of the next trophy, or of the last one."""
        record = self.state.record
        level = self.spec.levels[min(record.trophy, len(self.spec.levels) - 1)]
        reached = level if record.trophy == len(self.spec.levels) else record.best_figure
        return min(reached, level), level

    @property
    def progress_text(self) -> str:
        if self.state.record.trophy == len(self.spec.levels):
            return self.best_text
        if not self.progress[0]:
            return ""
        reached, level = (level_text(self.spec, level) for level in self.progress)
        return tr("{reached} of {level}", reached=reached, level=level)

    @property
    def daily_text(self) -> str:
        return tr("Done today") if self.state.daily_done else tr("Today")

    def show_state(self, state: CardState, is_daily: bool) -> None:
        if (state, is_daily) != (self.state, self.is_daily):
            self.state, self.is_daily = state, is_daily
            self._describe()
            self.update()

    def _describe(self) -> None:
        trophy = self.state.record.trophy
        words, run = [summary(self.spec)], ""
        if self.best_text:
            words.append(tr("{best}.", best=self.best_text))
        if trophy == len(self.spec.levels):
            words.append(tr("You have all the trophies."))
        elif self.progress_text:
            words.append(tr(_TO_NEXT_TROPHY[trophy], progress=self.progress_text))
        if self.state.has_run:
            score = format_whole(self.state.run_score)
            run = tr("Continue your run with {score} points.", score=score)
            words.append(run)
        self.setToolTip(run)
        if self.is_daily:
            words.append(tr("Done today.") if self.state.daily_done else tr("Today's game."))
        self.setAccessibleName(tr(_WITH_TROPHY[trophy], game=self.spec.title))
        self.setAccessibleDescription(sentences(*words))

    def sizeHint(self) -> QSize:  # noqa: N802
        width = self._layout.least_width
        return QSize(width, self._layout.height(width))

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        return QSize(self._layout.least_width * 3 // 4, self.sizeHint().height())

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        return True

    def heightForWidth(self, width: int) -> int:  # noqa: N802
        return self._layout.height(width)

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
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
        elif event.key() == Qt.Key.Key_Space:
            super().keyPressEvent(event)
        elif not self._walk(event, True):
            event.ignore()

    def focusInEvent(self, event: QFocusEvent) -> None:  # noqa: N802
        super().focusInEvent(event)
        self.entered.emit()

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = smooth_painter(self)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        theme, layout, width = app_theme(), self._layout, self.width()
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
        theme, right = app_theme(), cover.right() - 7
        if self.is_daily:
            name = "check" if self.state.daily_done else "calendar"
            corner = QPointF(right, cover.top() + 8)
            self._draw_badge(painter, corner, name, self.daily_text, theme.raised)
        if self.state.has_run:
            corner = QPointF(right, cover.bottom() - 7 - self._layout.badge_height)
            self._draw_badge(painter, corner, "play", tr("Continue"), theme.accent)

    def _draw_badge(
        self, painter: QPainter, corner: QPointF, icon_name: str, text: str, ground: QColor
    ) -> None:
        """Draw a badge with a text; `corner` is its top right corner."""
        theme, layout = app_theme(), self._layout
        side, height = layout.caption_height, layout.badge_height
        width = layout.badge_width(text)
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
        painter.drawText(rect.adjusted(8 + side, 0, 0, 0), int(flags), text)

    def _draw_words(self, painter: QPainter, top: int) -> int:
        theme, layout, room = app_theme(), self._layout, self.width() - 2 * _PAD
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
        theme, layout, room = app_theme(), self._layout, self.width() - 2 * _PAD
        text, height = self.progress_text, layout.caption_height
        if not text:
            return
        right = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)
        painter.setFont(layout.caption_font)
        text_width = QFontMetrics(layout.caption_font).horizontalAdvance(text) + 2
        painter.setPen(theme.text_muted)
        painter.drawText(QRect(_PAD, top, room, height), right, text)
        trophy, n = self.state.record.trophy, len(self.spec.levels)
        medal = QRectF(_PAD, top, height, height)
        draw_medal(painter, medal, min(trophy + 1, n), theme, is_earned=trophy == n)
        bar = QRectF(medal.right() + 8, top + height / 2 - 2, 0, 4)
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
