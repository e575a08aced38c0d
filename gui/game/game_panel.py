"""The side panel of the Game page: the chance, the AI and its move, options, statistics."""

from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QDoubleSpinBox, QGridLayout, QLabel, QStackedWidget, QWidget

from ai.chances.goal import REPORTED_TILE
from ai.choice import Choice, ValueKind
from coach.grading.names import move_title
from coach.grading.rated import LOWER_BOUNDS
from engine.game import Game
from engine.platform.language import listed, mark, sentences, tr, trn
from engine.spawn import is_same_spawn4
from gui.board.hex_field import HexField
from gui.charts.line_chart import LineChart, Series, mean_series
from gui.game.ai_choice import AiChoice
from gui.game.records import Summary
from gui.settings_model.settings_of_games import SPEEDS, TOP_SPEED
from gui.style.layout import STRETCH, bring_into_sight, column, grid_layout, laid_out, row
from gui.text.numbers import NBSP, format_percent, format_seconds, format_whole, table_title
from gui.text.rates import CHANCE_SCALE, POINT_SCALE, RATE_SCALE, VALUE_SCALE, format_chance
from gui.widgets.buttons import focus_by_tab
from gui.widgets.disclosure import Disclosure
from gui.widgets.fields import number_field
from gui.widgets.labels import label, reserve_lines, show_text
from gui.widgets.notice import ANSWER_KEYS, KEEP, Message, Notice
from gui.widgets.rate_cross import RateCross
from gui.widgets.slider import Slider

if TYPE_CHECKING:
    from ai.chances.chance_search import ChanceEstimate

_HARD_TIP = mark(
    "How many new tiles are placed where they hurt most, by a search five plies deep.\n"
    "For human play. The AI assumes random tiles."
)
_FOURS_TIP = mark(
    "How many new tiles are fours, from the next game on. Standard 2048 has 10 %.\n"
    "The AI skips tables that were built for another share."
)
_SCALES = {
    ValueKind.RATES: RATE_SCALE,
    ValueKind.BOUNDS: RATE_SCALE,
    ValueKind.CHANCES: CHANCE_SCALE,
    ValueKind.POINTS: POINT_SCALE,
}


_GAMES, _SCORE, _MOVES, _TIME, _FOURS = _ROWS = (
    mark("Games played"),
    mark("Score"),
    mark("Moves"),
    mark("Time"),
    mark("Share of 4s"),
)
_CHART_PX = 132


class GameStatistics(QWidget):
    """A small table, and below it the tiles and scores of the finished games."""

    def __init__(self) -> None:
        super().__init__()
        self.this_labels = {name: _value() for name in _ROWS}
        self.all_labels = {name: _value() for name in _ROWS}
        self.reached_label = label("", "caption", wraps=True)
        self.score_chart = LineChart(tr("Scores of the finished games"), tr("Game"), first=1)
        self.score_chart.setFixedHeight(_CHART_PX)
        self._of_all = [label(tr("Finished games"), "caption"), label(tr(_GAMES), "caption")]
        column(self._table(), self.reached_label, self.score_chart, space=12, parent=self)
        self.show_summary(Summary())

    def show_game(self, game: Game) -> None:
        share = game.n_fours / game.n_moves if game.n_moves else None
        self.this_labels[_SCORE].setText(format_whole(game.score))
        _show(self.this_labels, game.n_moves, game.played_ms, share)
        self.this_labels[_FOURS].setToolTip(tr("Expected: {share}", share=_percent(game.spawn4)))

    def show_summary(self, summary: Summary) -> None:
        self.n_games = summary.games
        for part in (*self._of_all, self.this_labels[_GAMES], *self.all_labels.values()):
            part.setVisible(summary.games > 0)
        games = format_whole(summary.games)
        if summary.helped:
            games = tr(
                "{games} ({helped} with help)", games=games, helped=format_whole(summary.helped)
            )
        self.all_labels[_GAMES].setText(games)
        mean = format_whole(round(summary.mean))
        self.all_labels[_SCORE].setText(tr("{score} on average", score=mean))
        _show(self.all_labels, summary.moves, summary.ms, summary.four_share)
        show_text(self.reached_label, _reached_text(summary.tile_rates))
        scores = Series(tr("Score"), summary.scores, "accent", figure=_points)
        means = mean_series(summary.scores, "text_muted", _points)
        self.score_chart.setVisible(summary.games > 1)
        self.score_chart.show_series([scores, *means])

    def _table(self) -> QGridLayout:
        grid = grid_layout(space=(12, 4), wide=(1, 2))
        right = Qt.AlignmentFlag.AlignRight
        finished, games = self._of_all
        grid.addWidget(label(tr("This game"), "caption"), 0, 1, right)
        grid.addWidget(finished, 0, 2, right)
        for at, name in enumerate(_ROWS, 1):
            grid.addWidget(games if name == _GAMES else label(tr(name), "caption"), at, 0)
            grid.addWidget(self.this_labels[name], at, 1)
            grid.addWidget(self.all_labels[name], at, 2)
            of_this = tr("{quantity} of this game", quantity=tr(name))
            of_all = tr("{quantity} of the finished games", quantity=tr(name))
            self.this_labels[name].setAccessibleName(of_this)
            self.all_labels[name].setAccessibleName(of_all)
        return grid


def _reached_text(rates: tuple[tuple[int, float], ...]) -> str:
    words = [
        tr("{tile} ({share})", tile=1 << exponent, share=format_percent(share))
        for exponent, share in rates
    ]
    return tr("Tiles reached: {tiles}", tiles=listed(words)) if words else ""


def _points(score: float) -> str:
    return format_whole(round(score))


def _value() -> QLabel:
    return QLabel(alignment=Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)


def _show(labels: dict[str, QLabel], moves: int, ms: int, four_share: float | None) -> None:
    labels[_MOVES].setText(format_whole(moves))
    labels[_TIME].setText(format_seconds(ms / 1000) if ms else "")
    labels[_FOURS].setText("" if four_share is None else _percent(four_share))


def _percent(share: float) -> str:
    return f"{100 * share:.1f}{NBSP}%"


class GamePanel(QWidget):
    """What one looks at during a game at the top, what one sets once at the bottom."""

    def __init__(self) -> None:
        super().__init__()
        self.chance_caption, self.chance_label = label("", "caption"), label("", "figure")
        self.ai, self.cross, self.notice = AiChoice(), RateCross(), Notice()
        self.cross.sentence.hide()
        self.source_label, self.reason_label = QLabel(), label("", wraps=True)
        self.speed_slider, self.speed_label = Slider(), QLabel()
        self.hard_slider, self.hard_label = Slider(), QLabel()
        self.fours_spin, self.fours_label = _fours_spin(), label("", "caption")
        self.hex_field = HexField(
            "1000 0000 1fff 2fff",  # no text
            tr("16 digits, row by row from the top left: hexadecimal, g is 65536; Enter sets it"),
        )
        self.options = Disclosure(tr("Options"), self._options())
        self.statistics = GameStatistics()
        self.statistics_fold = Disclosure(tr("Statistics"), self.statistics)
        self._figures = laid_out(column(self.cross, self.source_label, self.reason_label))
        self._message = laid_out(column(self.notice, STRETCH))
        self.stack = QStackedWidget()
        self.stack.addWidget(self._message)
        self.stack.addWidget(self._figures)
        self.stack.hide()
        self._set_up()
        column(
            self.ai,
            row(label(tr("Speed"), "caption"), self.speed_slider, self.speed_label, space=12),
            column(self.chance_caption, self.chance_label, space=0),
            self.stack,
            STRETCH,
            column(self.options, self.statistics_fold, space=0),
            space=12,
            parent=self,
        )

    @property
    def has_notice(self) -> bool:
        return self.stack.isVisibleTo(self) and self.stack.currentWidget() is self._message

    def lay_flat(self, flat: bool) -> None:
        self.cross.lay_flat(flat)

    def shows(self, message: Message) -> bool:
        return self.has_notice and self.notice.title_label.text() == tr(message.title)

    def show_chance(self, estimate: "ChanceEstimate | None", cells: tuple[int, ...]) -> None:
        """Show the chance of the next large tile, or nothing."""
        self.chance_label.setText(format_chance(estimate.best) if estimate else "")
        caption = ""
        if estimate:
            tile = estimate.goal.leads_to(cells)
            tile = 1 << (tile if tile <= REPORTED_TILE else estimate.goal.exponent)
            caption = tr("Chance of reaching {tile}", tile=tile)
        self.chance_caption.setText(caption)
        self.chance_label.setAccessibleDescription(caption)

    def show_choice(self, choice: Choice, reason: str) -> None:
        doubt = LOWER_BOUNDS if choice.kind is ValueKind.BOUNDS else None
        self.cross.show_rates(choice.values, _SCALES.get(choice.kind, VALUE_SCALE), doubt)
        source = ": ".join(map(table_title, choice.source.split(": ")))
        has_values = any(value is not None for value in choice.values)
        if choice.direction is not None and not has_values:
            source = f"{move_title(choice.direction)} \N{MIDDLE DOT} {source}"
        self.source_label.setText(source)
        self.reason_label.setText(reason)
        self.cross.setVisible(has_values)
        self._show(self._figures)

    def show_notice(self, message: Message) -> None:
        self.notice.show_message(message)
        self._show(self._message)
        if message.remedies:
            bring_into_sight(self.notice)

    def show_rest(self, game: Game) -> None:
        """Show nothing of a move, and before the first one how to play it."""
        if game.n_moves or game.can_undo:
            self.stack.hide()
        else:
            self.show_notice(FIRST_MOVE)

    def show_statistics(self, game: Game) -> None:
        self.statistics.show_game(game)
        self.statistics_fold.setVisible(game.n_moves + self.statistics.n_games > 0)

    def _show(self, part: QWidget) -> None:
        self.stack.setCurrentWidget(part)
        self.stack.show()

    def take_position(self) -> None:
        self.options.set_open(True)
        self.hex_field.take_keys()

    def show_speed(self, speed: int) -> None:
        with QSignalBlocker(self.speed_slider):
            self.speed_slider.setValue(SPEEDS.index(speed))
        if speed == TOP_SPEED:
            self.speed_label.setText(tr("as fast as possible"))
        else:
            self.show_tempo(speed)

    def show_tempo(self, moves_per_s: int) -> None:
        self.speed_label.setText(trn("{n} move/s", "{n} moves/s", moves_per_s))

    def show_difficulty(self, percent: int) -> None:
        with QSignalBlocker(self.hard_slider):
            self.hard_slider.setValue(percent)
        self.hard_label.setText(f"{percent} %")

    def show_spawn4(self, chosen: float, of_game: float) -> None:
        with QSignalBlocker(self.fours_spin):
            self.fours_spin.setValue(100 * chosen)
        is_other = not is_same_spawn4(chosen, of_game)
        self.fours_label.setText(tr("next game") if is_other else "")
        share = f"{100 * of_game:.4g} %"
        self.fours_label.setToolTip(tr("This game has {share}.", share=share) if is_other else "")

    def _set_up(self) -> None:
        focus_by_tab(self.speed_slider, self.hard_slider)
        self.speed_slider.setAccessibleName(tr("Moves a second"))
        self.speed_slider.setRange(0, len(SPEEDS) - 1)
        widest = self.speed_label.fontMetrics().horizontalAdvance(tr("as fast as possible"))
        self.speed_label.setMinimumWidth(widest)
        self.source_label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.source_label.setAccessibleName(tr("Source of the move"))
        self.chance_label.setMinimumHeight(self.chance_label.sizeHint().height())
        reserve_lines(self.reason_label, 3)
        self.reason_label.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.reason_label.setAccessibleName(tr("Why this move"))

    def _options(self) -> QWidget:
        self.hard_slider.setAccessibleName(tr("Difficulty"))
        self.hard_slider.setRange(0, 100)
        self.hard_slider.setToolTip(tr(_HARD_TIP))
        self.hard_label.setMinimumWidth(self.hard_label.fontMetrics().horizontalAdvance("100 %"))
        grid = grid_layout(space=(12, 8), wide=(1,))
        grid.addWidget(label(tr("Difficulty"), "caption"), 0, 0)
        grid.addWidget(self.hard_slider, 0, 1)
        grid.addWidget(self.hard_label, 0, 2)
        grid.addWidget(label(tr("Chance of a 4"), "caption"), 1, 0)
        grid.addWidget(self.fours_spin, 1, 1)
        grid.addWidget(self.fours_label, 1, 2)
        grid.addWidget(label(tr("Position"), "caption"), 2, 0)
        grid.addWidget(self.hex_field, 2, 1, 1, 2)
        return laid_out(grid)


class _PercentSpin(QDoubleSpinBox):
    """A spin box without trailing zeros."""

    def textFromValue(self, value: float) -> str:  # noqa: N802
        return f"{value:g}"


def _fours_spin() -> QDoubleSpinBox:
    spin = _PercentSpin()
    spin.setMaximum(100)
    spin.setKeyboardTracking(False)  # not while a number is being typed
    spin.setToolTip(tr(_FOURS_TIP))
    return number_field(spin, tr("Chance of a 4"), suffix=" %")


NEW_GAME = "new_game_now"
FIRST_MOVE = Message(mark("Move with the arrow keys"), mark("Space lets the AI play."))
LOADING = Message(
    mark("Loading the AI\N{HORIZONTAL ELLIPSIS}"),
    mark("This takes a few seconds, the first time up to a minute."),
)
PAUSED = Message(
    mark("AI paused"), mark("It stopped when you left this page."), {"auto": mark("Continue")}
)


def over(game: Game) -> Message:
    text = tr(
        "{score} points, largest tile {tile}.",
        score=format_whole(game.score),
        tile=1 << game.max_exponent,
    )
    buttons = {NEW_GAME: tr("New"), "review": tr("Review"), "undo": tr("Undo")}
    if not game.n_moves:  # set like this
        del buttons["review"]
    return Message(tr("No moves left"), text, buttons)


def ask_new(game: Game) -> Message:
    text = tr(
        "A new game replaces this one, which has {score} points so far.",
        score=format_whole(game.score),
    )
    buttons = {NEW_GAME: tr("New game"), KEEP: tr("Keep playing")}
    return Message(tr("Start a new game?"), sentences(text, tr(ANSWER_KEYS)), buttons)
