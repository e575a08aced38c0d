"""One of the two boards, with the moves played on it and the chances of its moves."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSizePolicy, QWidget

from coach.explanations.course import Place
from coach.explanations.source import Source
from coach.grading.names import move_title
from coach.grading.rated import LOWER_BOUNDS, breaking_moves
from coach.reasons.words import chance_text, place_text
from engine.formats.replay import bitboard
from engine.platform.language import tr
from gui.board.board_view import BoardView
from gui.style.layout import column, placed
from gui.text.boards import describe_cells
from gui.text.rates import CHANCE_SCALE, RATE_SCALE
from gui.widgets.labels import label
from gui.widgets.rate_cross import RateCross

_MIN_BOARD_PX = 180
_LINES = 3


class ComparisonSide(QWidget):
    """A title, the board, the move that led to it, and four chances.

    Parameters
    ----------
    name : str
        Name of the board for screen readers.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.title, self.text_label = (
            label("", "strong", wraps=True),
            label("", "muted", wraps=True),
        )
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
        column(
            self.title, placed(self.board_view, stretch=1), self.text_label, self.cross, parent=self
        )

    def show_place(
        self,
        place: Place,
        next_move: int | None,
        source: Source,
        locked: frozenset[int],
        walls: frozenset[int],
        in_motion: bool,
        split: str,
    ) -> None:
        """Show the current place of the course.

        Parameters
        ----------
        next_move : int or None
            Marked among the chances, and drawn on the board.
        source : Source
            Gives the chances, and which of them count as equal.
        locked, walls : frozenset of int
            Cells drawn as such.
        in_motion : bool
            Whether the position before is currently shown.
        split : str
            Text about the first move before it is made.
        """
        view = self.board_view
        if in_motion and place.motion:
            view.animate(place.motion.slides, place.tile, place.cells, locked, walls)
        else:
            view.show_board(place.cells, locked, walls)
        view.show_hint(next_move)
        view.setAccessibleDescription(describe_cells(place.cells, bool(walls)))
        scale = CHANCE_SCALE if source.is_estimate else RATE_SCALE
        doubt = LOWER_BOUNDS if source.is_bound else None
        is_exact = place.look.is_whole and not source.is_estimate
        board, rates = bitboard(place.cells), place.look.rates
        breaking = breaking_moves(board, rates, bool(walls)) if is_exact else ()
        self.cross.show_rates(rates, scale, doubt, source.tolerance, breaking=breaking)
        self.cross.show_played(next_move)
        self.text_label.setText(
            move_sentence(place, source) if place.direction is not None else split
        )


def move_sentence(place: Place, source: Source) -> str:
    """Return the text on the move that led to a place (not the start) and the chance there."""
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
    return tr("{move}, then a {tile} in {place}: {rate}.", rate=shown, **values)
