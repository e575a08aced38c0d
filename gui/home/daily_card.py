"""The minigame of the day."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPixmap
from PySide6.QtWidgets import QPushButton, QSizePolicy, QWidget

from engine.platform.language import tr
from gui.home.card import HomeCard, beside
from gui.home.records import Daily
from gui.style.theme import Theme, app_theme, theme_source
from gui.text.numbers import format_whole
from gui.widgets.labels import label
from minigames.registry import GAMES

DrawCover = Callable[[QPainter, QRectF, str, Theme], None]
_WIDTH, _HEIGHT, _RADIUS = 128, 128, 8


class CoverPicture(QWidget):
    """The picture of a minigame, drawn once for a size and a set of colors.

    Parameters
    ----------
    draw : callable
        Draws the picture of a game so that it fills a rectangle.
    """

    def __init__(self, draw: DrawCover) -> None:
        super().__init__()
        self._draw, self._game = draw, ""
        self._image: QPixmap | None = None
        self.setFixedSize(_WIDTH, _HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme_source().changed.connect(self._redraw)

    def show_game(self, game: str) -> None:
        """Show another game."""
        if game != self._game:
            self._game, self._image = game, None
            self.update()

    def _redraw(self) -> None:
        self._image = None
        self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return its fixed size."""
        return QSize(_WIDTH, _HEIGHT)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw the picture."""
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
        corners.addRoundedRect(rect, _RADIUS, _RADIUS)
        painter = QPainter(image)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setFont(self.font())
        painter.setClipPath(corners)
        self._draw(painter, rect, self._game, app_theme())
        painter.end()
        return image


class DailyCard(HomeCard):
    """The daily minigame, and its result.

    Parameters
    ----------
    draw_cover : callable
        See `CoverPicture`.

    Signals
    -------
    requested : the user wants to play it
    """

    requested = Signal()

    def __init__(self, draw_cover: DrawCover) -> None:
        super().__init__(tr("Today's minigame"))
        self.cover = CoverPicture(draw_cover)
        self.name_label = label("", "strong", wraps=True)
        self.text_label = label("", "muted", wraps=True)
        self.button = QPushButton(tr("Play"))
        texts = (self.name_label, self.text_label)
        self.content.addLayout(beside(self.cover, *texts, button=self.button))
        self.content.addStretch()
        self.button.clicked.connect(self.requested)

    def show_daily(self, daily: Daily) -> None:
        """Show the game of a day."""
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
