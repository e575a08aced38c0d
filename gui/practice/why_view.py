"""Why a move is worth what it is, on the practice page: the map on the board and its panel."""

from PySide6.QtCore import QObject, Signal

from coach.grading.names import move_title
from engine.bitboard import cells
from engine.language import tr
from gui.board.board_view import BoardView
from gui.board.heat_paint import HeatCell
from gui.practice.explainer import Explainer
from gui.practice.game import PracticeGame
from gui.practice.why import Why
from gui.practice.why_panel import WhyPanel
from gui.text.rates import (
    bar_fraction,
    describe_loss,
    format_bound,
    format_rate,
    relative_loss,
)


class WhyView(QObject):
    """Shows a move's map on the board and its words in the panel, as long as they are wanted.

    The map belongs to one position: it goes with the next move, and the panel goes on with the new
    position as long as it is in sight.

    Signals
    -------
    toggled : bool
        Whether the map is on the board.
    """

    toggled = Signal(bool)

    def __init__(self, game: PracticeGame, view: BoardView, panel: WhyPanel) -> None:
        super().__init__(panel)
        self._game, self._view, self.panel = game, view, panel
        self._explainer = Explainer(game.lookup)
        self._board: int | None = None  # which the chosen direction belongs to
        self._direction: int | None = None
        self._exponent, self._plies = 1, 1
        self.why: Why | None = None
        self.is_on = False
        panel.direction_chosen.connect(self.explain)
        panel.exponent_chosen.connect(self._choose_exponent)
        panel.plies_chosen.connect(self.look)
        panel.shown_toggled.connect(self._show_or_hide)

    # What the person does ------------------------------------------------------------------

    def toggle(self) -> None:
        """Put the map of the chosen move, else of the best one, on the board, or take it away."""
        self._show_or_hide(not self.is_on)

    def explain(self, direction: int) -> None:
        """Explain one move and show its map."""
        if self._prepare() and direction in self._legal():
            self._direction = direction
            self._turn_on()

    def look(self, plies: int) -> None:
        """Look one tile ahead, or two."""
        self._plies = plies
        self.panel.depths.choose(plies)
        self._ask()

    def swap_plies(self) -> None:
        """Look two tiles ahead instead of one, or the other way round."""
        self.look(3 - self._plies)

    def swap_tile(self) -> None:
        """Draw the map for a 4 instead of a 2, or the other way round."""
        self._choose_exponent(3 - self._exponent)

    @property
    def asked(self) -> tuple[int, int] | None:
        """The position and the move that are explained; None where nothing is."""
        is_seen = self.is_on or self.panel.isVisible()
        if not is_seen or self._board is None or self._direction is None:
            return None
        return self._board, self._direction

    # What the page tells --------------------------------------------------------------------

    def end(self) -> None:
        """Take the map away before another position is shown: the board is as it was."""
        self._explainer.forget()
        if self.is_on and self._board is not None:
            self._show_plain(self._board)
        self._set_on(False)
        self.why = None

    def follow(self) -> None:
        """The position has its rates now: explain its best move if the panel is in sight."""
        if not (self.is_on or self.panel.isVisible()):
            return
        if self._prepare():
            self._ask()
        elif self.panel.isVisible():
            self.panel.show_why(None)

    # Inside ---------------------------------------------------------------------------------

    def _show_or_hide(self, wanted: bool) -> None:
        if wanted == self.is_on:
            return
        if wanted and self._prepare():
            self._turn_on()
            return
        if self.is_on and self._board is not None:
            self._show_plain(self._board)
        self._set_on(False)

    def _prepare(self) -> bool:
        """Choose the best move of a new position; return whether there is a move to explain."""
        step, answer = self._game.step, self._game.answer
        if step is None or step.needs_spawn:
            self._board = self._direction = None
            self.panel.offer((), None)
            return False
        legal = self._legal()
        if step.board != self._board or self._direction is None:
            best = answer.best if answer else None
            self._board = step.board
            self._direction = best if best is not None else next(iter(legal), None)
        self.panel.offer(legal, self._direction)
        return self._direction is not None

    def _legal(self) -> tuple[int, ...]:
        session = self._game.session
        return tuple(session.legal_moves()) if session else ()

    def _turn_on(self) -> None:
        self._set_on(True)
        self._ask()

    def _set_on(self, on: bool) -> None:
        if on == self.is_on:
            return
        self.is_on = on
        if not on:
            self._view.show_heat({})
        self.panel.shown_box.blockSignals(True)
        self.panel.shown_box.setChecked(on)
        self.panel.shown_box.blockSignals(False)
        self.toggled.emit(on)

    def _choose_exponent(self, exponent: int) -> None:
        self._exponent = exponent
        self.panel.exponents.choose(exponent)
        if self.why:
            self._show(self.why)

    def _ask(self) -> None:
        if self._board is None or self._direction is None:
            return
        self.panel.offer(self._legal(), self._direction)
        self._explainer.ask(self._board, self._direction, self._plies, self._show)

    def _show(self, why: Why) -> None:
        self.why = why
        self.panel.show_why(why)
        if self.is_on:
            game, view = self._game, self._view
            view.show_hint(None)
            view.show_board(cells(why.after), game.locked(why.after), game.walls(why.after))
            view.show_heat(heat_of(why, self._exponent))
            told = tr(
                "After {move}. {explanation}",
                move=move_title(why.direction),
                explanation=self.panel.sentence.text(),
            )
            view.setAccessibleDescription(told)

    def _show_plain(self, board: int) -> None:
        self._view.show_heat({})
        self._view.show_board(cells(board), self._game.locked(board), self._game.walls(board))


def heat_of(why: Why, exponent: int) -> dict[int, HeatCell]:
    """Return the map of one size of tile: heat is the loss against the kindest of all tiles."""
    harmful = why.by_harm()
    kindest = why.figure(harmful[-1]) if harmful else None
    mine = [spawn for spawn in harmful if spawn.exponent == exponent]
    heat = {}
    for spawn in mine:
        rate = why.figure(spawn)
        if rate is None or kindest is None:
            continue
        if why.are_bounds:  # nobody knows what it loses
            heat[spawn.cell] = HeatCell(0.0, format_bound(rate), "")
            continue
        heat[spawn.cell] = HeatCell(
            bar_fraction(relative_loss(rate, kindest)),
            format_rate(rate),
            describe_loss(rate, kindest),
            is_framed=spawn is mine[0] and rate < kindest,
        )
    return heat
