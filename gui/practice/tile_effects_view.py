"""The rates after every new tile: in words, as a list, and switches for the heat map."""

from html import escape
from typing import Any

from PySide6.QtCore import QObject, QRectF, QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QShowEvent
from PySide6.QtWidgets import QCheckBox, QLabel, QSizePolicy, QWidget

from coach.grading.grade import UINT32
from coach.grading.names import move_title, move_word
from coach.grading.rated import LOWER_BOUNDS
from coach.reasons.words import chance_texts
from engine.bitboard import cells
from engine.moves import move
from engine.platform.language import mark, sentences, tr
from engine.platform.quantities import at_least_text
from gui.board.board_view import BoardView
from gui.board.heat_paint import HeatCell, draw_scale
from gui.practice.game import PracticeGame
from gui.practice.tile_effects import Explainer, Spawn, TileEffects
from gui.style.layout import STRETCH, column, placed, row
from gui.style.theme import app_theme, theme_source
from gui.text.rates import (
    RATE_SCALE,
    bar_fraction,
    best_rate,
    describe_unknown,
    format_points,
    format_rates,
    relative_loss,
)
from gui.widgets.buttons import button, focus_by_tab
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.labels import label

_LISTED = 6
ASK = mark("Choose a move to see what the next tile can do.")
NOTHING_KNOWN = mark("The table doesn't cover any position after this move.")
LOOKING = mark("Looking \N{HORIZONTAL ELLIPSIS}")


class HeatScale(QWidget):
    """The legend of the heat map."""

    def __init__(self) -> None:
        super().__init__()
        theme_source().changed.connect(self.update)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Light cells are harmless, dark cells hurt"))

    def sizeHint(self) -> QSize:  # noqa: N802
        return QSize(80, 12)

    def paintEvent(self, _event: QPaintEvent) -> None:  # noqa: N802
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        draw_scale(painter, QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), app_theme())


class TileEffectsPanel(QWidget):
    """The explained move, the tiles after it, and the options of the heat map."""

    shown = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.directions = ChipGroup(tr("Move to explain"))
        self.exponents, self.depths = ChipGroup(tr("New tile")), ChipGroup(tr("How far to look"))
        self.directions.set_choices(
            [Choice(direction, move_title(direction)) for direction in range(4)]
        )
        self.exponents.set_choices([Choice(1, tr("A 2")), Choice(2, tr("A 4"))])
        self.depths.set_choices(
            [
                Choice(1, tr("Next tile"), tip=tr("What the best reply to each tile keeps")),
                Choice(
                    2,
                    tr("Two tiles"),
                    tip=tr("The worst case after the best reply and one more tile"),
                ),
            ]
        )
        self.shown_box = QCheckBox(tr("Map on the board"))
        self.shown_box.setToolTip(
            tr("Show the board after the move, darkest where a tile hurts most")
        )
        focus_by_tab(self.shown_box)
        self.subject_label = label("", "caption")
        self.sentence = label(tr(ASK), wraps=True)
        self.sentence.setAccessibleName(tr("Explanation"))
        self.list_label = QLabel()
        self.list_label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.list_label.setTextFormat(Qt.TextFormat.RichText)
        self.list_label.setAccessibleName(tr("Tiles that hurt most"))
        self.scale = HeatScale()
        self.compare_button = button(tr("Compare with the best move"), by_tab=True)
        column(
            self.subject_label,
            self.directions,
            self.sentence,
            self.shown_box,
            row(placed(self.exponents, stretch=2), placed(self.depths, stretch=3), space=8),
            row(
                label(tr("harmless"), "caption"),
                placed(self.scale, stretch=1),
                label(tr("harmful"), "caption"),
            ),
            self.list_label,
            placed(self.compare_button, align=Qt.AlignmentFlag.AlignLeft),
            STRETCH,
            parent=self,
        )

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.shown.emit()

    def offer(self, legal: tuple[int, ...], chosen: int | None, is_before: bool) -> None:
        """Offer the moves of a position: the one on the board, or that before the last move."""
        self.subject_label.setText(
            tr("The position before your last move")
            if is_before
            else tr("The position on the board")
        )
        self.directions.forbid(
            {d: "" if d in legal else tr("This move isn't possible.") for d in range(4)}
        )
        self.directions.choose(chosen)
        text = tr("Map on the board")
        if chosen is not None:
            text = tr("Map on the board, after {move}", move=move_title(chosen))
        self.shown_box.setText(text)
        self.shown_box.setEnabled(chosen is not None)
        self.compare_button.setEnabled(chosen is not None and len(legal) > 1)

    def show_effects(self, effects: TileEffects | None) -> None:
        if effects is None or not effects.n_known:
            self.sentence.setText(tr(ASK if effects is None else LOOKING))
            self.list_label.setText("")
            return
        self.sentence.setText(describe(effects))
        self.list_label.setText(_table(effects))


def describe(effects: TileEffects) -> str:
    harmful = effects.by_harm()
    if not harmful:
        return tr(NOTHING_KNOWN if effects.is_complete else LOOKING)
    first = _so_far(effects)
    if effects.are_bounds:  # of two bounds, the lower one may have the higher true rate
        return sentences(first, describe_unknown(LOWER_BOUNDS))
    worst, best = effects.figure(harmful[0]), effects.figure(harmful[-1])
    assert worst is not None
    assert best is not None
    if worst == best:
        return sentences(first, tr("No tile makes a difference."))
    values = {
        **_places(harmful[0]),
        "rate": _rate_text(effects, worst),
        "points": format_points(best - worst),
    }
    if effects.plies == 2:
        second = tr(
            "At worst a {tile} at row {row}, column {column} and the next one can leave {rate}, "
            "{points} below the best.",
            **values,
        )
    else:
        second = tr(
            "At worst a {tile} at row {row}, column {column} leaves {rate}, {points} below "
            "the best.",
            **values,
        )
    return sentences(first, second)


def _so_far(effects: TileEffects) -> str:
    """Return the text on a move's mean rate, or on how much of it is known."""
    move = move_title(effects.direction)
    if not effects.is_complete:
        n_all = len(effects.spawns)
        return tr(
            "{move}: {n_known} of {n_all} tiles checked.",
            move=move,
            n_known=effects.n_known,
            n_all=n_all,
        )
    if effects.expected is None:
        return move
    rate = (
        at_least_text(effects.expected)
        if effects.are_bounds
        else _rate_text(effects, effects.expected)
    )
    return tr("{move} keeps {rate} on average.", move=move, rate=rate)


def _rate_text(effects: TileEffects, rate: float) -> str:
    """Return the mean or a single rate as text, with enough digits to differ."""
    harmful = effects.by_harm()
    rates = [rate for rate in (effects.expected, effects.figure(harmful[0])) if rate is not None]
    return dict(zip(rates, chance_texts(rates), strict=True))[rate]


def _places(spawn: Spawn) -> dict[str, Any]:
    row, column = divmod(spawn.cell, 4)
    return {"tile": 1 << spawn.exponent, "row": row + 1, "column": column + 1}


def _table(effects: TileEffects) -> str:
    rows, listed = [], effects.by_harm()[:_LISTED]
    figures = format_rates(
        [effects.figure(spawn) or 0.0 for spawn in listed], are_bounds=effects.are_bounds
    )
    for spawn, figure in zip(listed, figures, strict=True):
        reply = tr("then no move")
        if spawn.reply is not None:
            reply = tr("then {move}", move=move_word(spawn.reply))
        cells = (tr("{tile} at row {row}, column {column}", **_places(spawn)), figure, reply)
        rows.append("".join(f"<td style='padding: 2px 10px 2px 0'>{escape(c)}</td>" for c in cells))
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


class TileEffectsView(QObject):
    """Shows a move's heat map on the board and its text in the panel, while enabled.

    The map belongs to one position: it is removed with the next move, and the panel continues with
    the new position while visible.
    """

    toggled = Signal(bool)

    def __init__(self, game: PracticeGame, view: BoardView, panel: TileEffectsPanel) -> None:
        super().__init__(panel)
        self._game, self._view, self.panel = game, view, panel
        self._explainer = Explainer(game.lookup)
        self._board: int | None = None  # the position of the chosen direction
        self._direction: int | None = None
        self._exponent, self._plies = 1, 1
        self._is_here = False
        self.effects: TileEffects | None = None
        self.is_on = False
        panel.shown.connect(self.follow)  # what has happened out of sight was not looked up
        panel.directions.chosen.connect(self.explain)
        panel.exponents.chosen.connect(self._choose_exponent)
        panel.depths.chosen.connect(self.look)
        panel.shown_box.toggled.connect(self._show_or_hide)

    def toggle(self) -> None:
        self._show_or_hide(not self.is_on)

    def explain(self, direction: int) -> None:
        """Explain another move of the position that is explained."""
        if self._prepare() and direction in self._legal():
            self._direction = direction
            self._turn_on()

    def explain_here(self, direction: int) -> None:
        """Explain a move of the position on the board, even after a move that lost."""
        self._is_here = True
        self.explain(direction)

    def look(self, plies: int) -> None:
        self._plies = plies
        self.panel.depths.choose(plies)
        self._ask()

    def swap_plies(self) -> None:
        self.look(3 - self._plies)

    def swap_tile(self) -> None:
        self._choose_exponent(3 - self._exponent)

    @property
    def explained_move(self) -> tuple[int, int] | None:
        is_seen = self.is_on or self.panel.isVisible()
        if not is_seen or self._board is None or self._direction is None:
            return None
        return self._board, self._direction

    def end(self) -> None:
        self._explainer.forget()
        self._is_here = False
        self._turn_off()
        self.effects = None

    def follow(self) -> None:
        """Explain the move that just lost, or the best one here, if the panel is visible."""
        if not (self.is_on or self.panel.isVisible()):
            return
        if self._prepare():
            self._ask()
        elif self.panel.isVisible():
            self.panel.show_effects(None)

    def _show_or_hide(self, is_shown: bool) -> None:
        if is_shown == self.is_on:
            return
        if is_shown and self._prepare():
            self._turn_on()
            return
        self._turn_off()

    def _turn_off(self) -> None:
        if self.is_on and self._game.step:
            self._show_plain(self._game.step.board)
        self._set_on(False)

    def _prepare(self) -> bool:
        board, direction = self._subject()
        if board != self._board or self._direction is None:
            self._board, self._direction = board, direction
        self.panel.offer(self._legal(), self._direction, self._is_before())
        return self._direction is not None

    def _subject(self) -> tuple[int | None, int | None]:
        """Return the position to explain and its move."""
        step, answer, last = self._game.step, self._game.answer, self._game.last_move
        if last and last.has_lost and not self._is_here:
            return last.board, last.direction
        if step is None or step.needs_spawn:
            return None, None
        best = answer.best if answer else None
        return step.board, next(iter(self._legal_on(step.board)), None) if best is None else best

    def _is_before(self) -> bool:
        step = self._game.step
        return step is not None and self._board not in (None, step.board)

    def _legal(self) -> tuple[int, ...]:
        return () if self._board is None else self._legal_on(self._board)

    def _legal_on(self, board: int) -> tuple[int, ...]:
        session = self._game.session
        walls = session is not None and session.walls
        return tuple(d for d in range(4) if move(board, d, walls) != board)

    def _turn_on(self) -> None:
        self._set_on(True)
        self._ask()

    def _set_on(self, on: bool) -> None:
        if on == self.is_on:
            return
        self.is_on = on
        if not on:
            self._view.show_heat({})
        with QSignalBlocker(self.panel.shown_box):
            self.panel.shown_box.setChecked(on)
        self.toggled.emit(on)

    def _choose_exponent(self, exponent: int) -> None:
        self._exponent = exponent
        self.panel.exponents.choose(exponent)
        if self.effects:
            self._show(self.effects)

    def _ask(self) -> None:
        if self._board is None or self._direction is None:
            return
        self.panel.offer(self._legal(), self._direction, self._is_before())
        self._explainer.ask(self._board, self._direction, self._plies, self._show)

    def _show(self, effects: TileEffects) -> None:
        self.effects = effects
        self.panel.show_effects(effects)
        if self.is_on:
            self._view.show_hint(None)
            self._show_plain(effects.after)
            self._view.show_heat(heat_of(effects, self._exponent))
            description = tr(
                "After {move}. {explanation}",
                move=move_title(effects.direction),
                explanation=self.panel.sentence.text(),
            )
            self._view.setAccessibleDescription(description)

    def _show_plain(self, board: int) -> None:
        lookup = self._game.lookup
        self._view.show_heat({})
        self._view.show_board(cells(board), lookup.locked(board), lookup.walls(board))


def heat_of(effects: TileEffects, exponent: int) -> dict[int, HeatCell]:
    """Return the map for one tile value: heat is the loss against the best of all tiles."""
    harmful = effects.by_harm()
    rates, is_bound = [effects.figure(spawn) for spawn in harmful], effects.are_bounds
    figures = format_rates(rates, UINT32, is_bound)
    losses = RATE_SCALE.losses(rates, UINT32, is_bound)  # of bounds they are unknown
    harmless = RATE_SCALE.winners(rates, UINT32)
    heat: dict[int, HeatCell] = {}
    for i, spawn in enumerate(harmful):
        if spawn.exponent != exponent or rates[i] is None:
            continue
        hurts = i not in harmless and not is_bound
        share = bar_fraction(relative_loss(rates[i], best_rate(rates))) if hurts else 0.0
        is_framed = hurts and not heat  # the worst comes first
        heat[spawn.cell] = HeatCell(share, figures[i], losses[i] if hurts else "", is_framed)
    return heat
