"""The side panel of the Game page: the AI's move, playing options, statistics; its remarks."""

from collections.abc import Collection, Sequence

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QLabel,
    QSizePolicy,
    QStackedWidget,
    QWidget,
)

from ai.chances.goal import REPORTED_TILE, goal_of
from ai.choice import CHOOSERS, Choice, ValueKind
from coach.grading.names import move_title
from coach.grading.rated import LOWER_BOUNDS
from engine.game import Game
from engine.platform.language import listed, mark, sentences, tr, trn
from gui.board.hex_field import HexField
from gui.game.game_statistics import GameStatistics
from gui.settings_model.settings_of_games import SPEEDS
from gui.style.layout import STRETCH, column, grid_layout, laid_out
from gui.text.numbers import NBSP, format_whole, table_title
from gui.text.rates import CHANCE_SCALE, RATE_SCALE, SCORE_SCALE, VALUE_SCALE, best_rate
from gui.widgets.buttons import button, focus_by_tab
from gui.widgets.labels import label
from gui.widgets.notice import ANSWER_KEYS, KEEP, Message, Notice
from gui.widgets.rate_cross import RateCross
from gui.widgets.slider import Slider

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
    ValueKind.POINTS: SCORE_SCALE,
    ValueKind.VALUES: VALUE_SCALE,
}
_UNITS = {
    ValueKind.RATES: mark("Success rates from the table"),
    ValueKind.BOUNDS: mark("Lower bounds of success rates from the table"),
    ValueKind.CHANCES: mark("Estimated chances of reaching the next large tile"),
    ValueKind.POINTS: mark("Points still to come, on average"),
    ValueKind.VALUES: mark("Difference from the best move"),
}


_UNIT_OF_TOLD = mark("Estimated chances of reaching the next large tile, and with it {large}")
_BLANK = "\N{NO-BREAK SPACE}"  # keeps the room of a line
_LINES, _WIDE_LINES, _WIDE_PX = 3, 2, 440


class GamePanel(QWidget):
    """The side panel of the Game page."""

    builds_requested = Signal(object)  # formations and targets that the AI lacks

    def __init__(self) -> None:
        super().__init__()
        self.cross, self.notice = RateCross(), Notice()
        self.cross.sentence.hide()
        self.source_label = QLabel()
        self.unit_label = label(_BLANK, "caption", wraps=True)
        self.unit_label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.player_combo, self.player_label = QComboBox(), label("", "caption", wraps=True)
        self.tables_label = label("", "caption", wraps=True)
        self.tables_button = button(tr("Build the rest"))
        self._built: frozenset[str] | None = None  # not known yet
        self._missing: list[str] = []
        self.speed_slider, self.speed_label = Slider(), QLabel()
        self.hard_slider, self.hard_label = Slider(), QLabel()
        self.hex_field = HexField(
            "1000 0000 1fff 2fff",  # no text
            tr("16 digits, row by row from the top left: hexadecimal, g is 65536; Enter sets it"),
        )
        self.fours_spin, self.fours_label = _fours_spin(), label("", "caption")
        self.statistics = GameStatistics()
        self.stack = QStackedWidget()  # figures and their words, or a notice as high as both
        self.stack.addWidget(self.notice)
        self.source_label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.source_label.setAccessibleName(tr("Source of the move"))
        self.source_label.setMinimumHeight(self.source_label.fontMetrics().lineSpacing())
        self._figures = laid_out(column(self.cross, self.source_label, self.unit_label))
        self.stack.addWidget(self._figures)
        column(self.stack, self._controls(), 8, self.statistics, STRETCH, space=16, parent=self)

    @property
    def has_notice(self) -> bool:
        return self.stack.currentWidget() is self.notice

    def lay_flat(self, flat: bool) -> None:
        self.cross.lay_flat(flat)

    def show_choice(self, choice: Choice, cells: Sequence[int]) -> None:
        values, best = choice.values, best_rate(choice.values)
        if choice.kind is ValueKind.VALUES and best is not None:
            values = tuple(None if value is None else value - best for value in values)
        doubt = LOWER_BOUNDS if choice.kind is ValueKind.BOUNDS else None
        self.cross.show_rates(values, _SCALES[choice.kind], doubt)
        unit = _UNITS[choice.kind]
        if choice.kind is ValueKind.CHANCES and goal_of(cells).leads_to(cells) == REPORTED_TILE:
            unit = _UNIT_OF_TOLD
        self.unit_label.setText(tr(unit, large=1 << REPORTED_TILE))
        source = choice.source
        if choice.direction is not None:
            source = f"{move_title(choice.direction)} \N{MIDDLE DOT} {source}"
        self.source_label.setText(source)
        if any(value is not None for value in choice.values):
            self.stack.setCurrentWidget(self._figures)
        else:
            self.show_notice(Message(source, tr("This AI doesn't compare its moves.")))

    def show_notice(self, message: Message) -> None:
        self.notice.show_message(message)
        self.stack.setCurrentWidget(self.notice)

    def show_player(self, name: str) -> None:
        with QSignalBlocker(self.player_combo):
            self.player_combo.setCurrentIndex(max(0, self.player_combo.findData(name)))
        self.player_label.setText(CHOOSERS[self.player_combo.currentData()].about)
        self._show_tables()

    def show_built(self, names: Collection[str]) -> None:
        self._built = frozenset(names)
        self._show_tables()

    def _show_tables(self) -> None:
        needed = CHOOSERS[self.player_combo.currentData()].tables
        is_shown = self._built is not None and bool(needed)
        self._missing = [name for name in needed if name not in (self._built or ())]
        self.tables_label.setText(_tables_text(len(needed), self._missing))
        self.tables_label.setVisible(is_shown)
        self.tables_button.setVisible(is_shown and bool(self._missing))

    def _ask_for_tables(self) -> None:
        parts = [name.rpartition("_") for name in self._missing]
        self.builds_requested.emit([(pattern, int(target)) for pattern, _, target in parts])

    def show_speed(self, speed: int) -> None:
        with QSignalBlocker(self.speed_slider):
            self.speed_slider.setValue(SPEEDS.index(speed))
        self.speed_label.setText(trn("{n} move/s", "{n} moves/s", speed))

    def show_difficulty(self, percent: int) -> None:
        with QSignalBlocker(self.hard_slider):
            self.hard_slider.setValue(percent)
        self.hard_label.setText(_difficulty_text(percent))

    def show_spawn4(self, chosen: float, of_game: float) -> None:
        with QSignalBlocker(self.fours_spin):
            self.fours_spin.setValue(100 * chosen)
        is_other = abs(chosen - of_game) > 1e-9
        self.fours_label.setText(tr("next game") if is_other else "")
        share = f"{100 * of_game:.4g} %"
        self.fours_label.setToolTip(tr("This game has {share}.", share=share) if is_other else "")

    def _controls(self) -> QWidget:
        for name, kind in CHOOSERS.items():
            self.player_combo.addItem(tr(kind.title), name)
            at = self.player_combo.count() - 1
            self.player_combo.setItemData(at, kind.about, Qt.ItemDataRole.ToolTipRole)
        self.player_combo.setAccessibleName(tr("AI"))
        focus_by_tab(self.player_combo, self.tables_button, self.speed_slider, self.hard_slider)
        self.tables_button.clicked.connect(self._ask_for_tables)
        self.tables_button.hide()
        self.tables_label.hide()
        self.speed_slider.setAccessibleName(tr("Moves a second"))
        self.hard_slider.setAccessibleName(tr("Difficulty"))
        self.speed_slider.setRange(0, len(SPEEDS) - 1)
        self.hard_slider.setRange(0, 100)
        self.hard_slider.setToolTip(tr(_HARD_TIP))
        box = QWidget()
        grid = grid_layout(space=(12, 8), wide=(1,), parent=box)
        rows = (
            (tr("AI"), self.player_combo, None),
            ("", self.player_label, None),
            ("", self.tables_label, self.tables_button),
            (tr("Speed"), self.speed_slider, self.speed_label),
            (tr("Difficulty"), self.hard_slider, self.hard_label),
            (tr("Fours"), self.fours_spin, self.fours_label),
            (tr("Position"), self.hex_field, None),
        )
        for row, (name, widget, value) in enumerate(rows):
            top = Qt.AlignmentFlag.AlignTop if widget is self.hex_field else Qt.AlignmentFlag(0)
            caption = label(name, "caption")
            caption.setMinimumHeight(32 if widget is self.hex_field else 0)
            grid.addWidget(caption, row, 0, top)
            grid.addWidget(widget, row, 1, 1, 1 if value else 2)
            if value:
                value.setMinimumWidth(value.fontMetrics().horizontalAdvance(_difficulty_text(100)))
                grid.addWidget(value, row, 2)
        return box


def _tables_text(n_needed: int, missing: Sequence[str]) -> str:
    if not missing:
        return trn("Its table is built.", "All its {n} tables are built.", n_needed)
    return tr(
        "{n} of its {all} tables built. Missing: {tables}.",
        n=n_needed - len(missing),
        all=n_needed,
        tables=listed([table_title(table).replace(" ", NBSP) for table in missing]),
    )


class _PercentSpin(QDoubleSpinBox):
    """A spin box without trailing zeros."""

    def textFromValue(self, value: float) -> str:  # noqa: N802
        return f"{value:g}"


def _fours_spin() -> QDoubleSpinBox:
    spin = _PercentSpin()
    spin.lineEdit().setTextMargins(6, 0, 0, 0)
    spin.setRange(0, 100)
    spin.setDecimals(2)
    spin.setSuffix(" %")
    spin.setKeyboardTracking(False)  # not while a number is being typed
    spin.setAccessibleName(tr("Fours among the new tiles"))
    spin.setToolTip(tr(_FOURS_TIP))
    return spin


def _difficulty_text(percent: int) -> str:
    return tr("{percent} % hard", percent=percent) if percent else tr("fair")


class RemarkLabel(QLabel):
    """A short text with a fixed height, at a place that may be empty.

    A message takes precedence over the reason for a move.
    """

    def __init__(self) -> None:
        super().__init__()
        self._reason = self._message = ""
        self._has_reasons = True
        self.setWordWrap(True)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.setAccessibleName(tr("Why this move"))
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)  # the board keeps the keys
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_reason(self, text: str) -> None:
        self._reason = text
        self._show()

    def show_message(self, text: str) -> None:
        self._message = text
        self._show()

    def keep_room_for_reasons(self, has_reasons: bool) -> None:
        """Reserve space for reasons, or for one line only."""
        self._has_reasons = has_reasons
        self.updateGeometry()

    def sizeHint(self) -> QSize:  # noqa: N802
        """Return the size for any text, with fewer lines if they are longer."""
        lines = _LINES if self.width() < _WIDE_PX else _WIDE_LINES
        line_px = self.fontMetrics().lineSpacing() + 1
        return QSize(0, (lines if self._has_reasons else 1) * line_px)

    minimumSizeHint = sizeHint  # noqa: N815

    def hasHeightForWidth(self) -> bool:  # noqa: N802
        """Return False: a fixed height keeps the page from requesting its preferred size."""
        return False

    def resizeEvent(self, event: QResizeEvent) -> None:  # noqa: N802
        super().resizeEvent(event)
        self.updateGeometry()

    def _show(self) -> None:
        self.setText(self._message or self._reason)


NEW_GAME = "new_game_now"
OPENING = Message(mark("Opening your game"))
YOUR_MOVE = Message(
    mark("Your move"),
    mark("Use the arrow keys, WASD or HJKL, or swipe. Enter: one AI move. Space: let the AI play."),
)
LOADING = Message(
    mark("Loading the AI\N{HORIZONTAL ELLIPSIS}"), mark("Its first move takes a few seconds.")
)
PAUSED = Message(
    mark("AI paused"), mark("It stopped when you left this page."), {"auto": mark("Resume AI")}
)


def over(game: Game) -> Message:
    text = tr(
        "{score} points, largest tile {tile}.",
        score=format_whole(game.score),
        tile=1 << game.max_exponent,
    )
    buttons = {NEW_GAME: tr("New game"), "review": tr("Review"), "undo": tr("Undo")}
    if not game.n_moves:  # set like this
        del buttons["review"]
    return Message(tr("Game over"), text, buttons)


def ask_new(game: Game) -> Message:
    text = tr(
        "A new game replaces this one, which has {score} points so far.",
        score=format_whole(game.score),
    )
    buttons = {NEW_GAME: tr("New game"), KEEP: tr("Keep playing")}
    return Message(tr("Start a new game?"), sentences(text, tr(ANSWER_KEYS)), buttons)
