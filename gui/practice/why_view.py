"""The explanation of a move on the practice page: the heat map and its panel."""

from PySide6.QtCore import QObject, Signal

from coach.grading.names import move_title
from engine.bitboard import cells
from engine.platform.language import tr
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
    """Shows a move's heat map on the board and its text in the panel, while enabled.

    The map belongs to one position: it is removed with the next move, and the panel continues with
    the new position while visible.

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
        self._board: int | None = None  # the position of the chosen direction
        self._direction: int | None = None
        self._exponent, self._plies = 1, 1
        self.why: Why | None = None
        self.is_on = False
        panel.direction_chosen.connect(self.explain)
        panel.exponent_chosen.connect(self._choose_exponent)
        panel.plies_chosen.connect(self.look)
        panel.shown_toggled.connect(self._show_or_hide)

    # User input ------------------------------------------------------------------

    def toggle(self) -> None:
        """Show the map of the chosen or best move on the board, or remove it."""
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
        """Toggle between looking one and two tiles ahead."""
        self.look(3 - self._plies)

    def swap_tile(self) -> None:
        """Toggle the map between a 2 and a 4."""
        self._choose_exponent(3 - self._exponent)

    @property
    def asked(self) -> tuple[int, int] | None:
        """The explained position and move; None if there is none."""
        is_seen = self.is_on or self.panel.isVisible()
        if not is_seen or self._board is None or self._direction is None:
            return None
        return self._board, self._direction

    # Called by the page --------------------------------------------------------------------

    def end(self) -> None:
        """Remove the map before another position is shown."""
        self._explainer.forget()
        if self.is_on and self._board is not None:
            self._show_plain(self._board)
        self._set_on(False)
        self.why = None

    def follow(self) -> None:
        """Explain the best move of a position that has its rates now, if the panel is visible."""
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
    """Return the map for one tile value: heat is the loss against the best of all tiles."""
    harmful = why.by_harm()
    kindest = why.figure(harmful[-1]) if harmful else None
    mine = [spawn for spawn in harmful if spawn.exponent == exponent]
    heat = {}
    for spawn in mine:
        rate = why.figure(spawn)
        if rate is None or kindest is None:
            continue
        if why.are_bounds:  # its loss is unknown
            heat[spawn.cell] = HeatCell(0.0, format_bound(rate), "")
            continue
        heat[spawn.cell] = HeatCell(
            bar_fraction(relative_loss(rate, kindest)),
            format_rate(rate),
            describe_loss(rate, kindest),
            is_framed=spawn is mine[0] and rate < kindest,
        )
    return heat
