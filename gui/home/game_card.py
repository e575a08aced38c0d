"""The last played game: a small board, the score, a link to it."""

from PySide6.QtCore import QRectF, QSize, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QPushButton, QWidget

from engine.platform.language import sentences, tr, trn
from gui.board.board_paint import Grid, draw_ground, draw_tile
from gui.home.card import HomeCard, beside
from gui.home.records import LastGame
from gui.style.theme import app_theme, theme_source
from gui.text.boards import describe_cells
from gui.text.numbers import format_whole
from gui.widgets.labels import label

_SIDE = 160
_EXAMPLE = (0, 1, 0, 0, 2, 1, 0, 1, 3, 4, 5, 2, 9, 8, 7, 6)  # shown if there is no game yet


class BoardPicture(QWidget):
    """A small board without animation.

    Parameters
    ----------
    """

    def __init__(self) -> None:
        super().__init__()
        theme_source().changed.connect(self.update)
        self._exponents: tuple[int, ...] = (0,) * 16
        self.setFixedSize(_SIDE, _SIDE)

    def show_board(self, exponents: tuple[int, ...]) -> None:
        """Show a position, as exponents."""
        if exponents != self._exponents:
            self._exponents = exponents
            self.setAccessibleName(describe_cells(exponents, False))
            self.update()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return its fixed size."""
        return QSize(_SIDE, _SIDE)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        """Draw the board."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        grid = Grid.fit(self.width(), self.height(), self.devicePixelRatioF())
        draw_ground(painter, grid, app_theme(), ())
        for cell, exponent in enumerate(self._exponents):
            if exponent:
                rect = QRectF(grid.rect(cell))
                draw_tile(painter, rect, exponent, app_theme(), str(1 << exponent))


class GameCard(HomeCard):
    """The last game.

    Parameters
    ----------

    Signals
    -------
    requested : the user wants to play
    """

    requested = Signal()

    def __init__(self) -> None:
        super().__init__(tr("Your game"))
        self.picture = BoardPicture()
        self.score_label = label("", "title")
        self.text_label = label("", "muted", wraps=True)
        self.button = QPushButton(tr("Play"))
        texts = (self.score_label, self.text_label)
        self.content.addLayout(beside(self.picture, *texts, button=self.button))
        self.content.addStretch()
        self.button.clicked.connect(self.requested)
        self.show_game(None)

    def show_game(self, game: LastGame | None) -> None:
        """Show the last game; None if there is none yet."""
        self.picture.show_board(game.exponents if game else _EXAMPLE)
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
