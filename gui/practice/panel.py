"""The side panel of the practice board: rates or a notice, first hints, playing options."""

from PySide6.QtCore import QSignalBlocker, QSize, Qt, Signal
from PySide6.QtGui import QAction, QShortcut
from PySide6.QtWidgets import (
    QButtonGroup,
    QFrame,
    QLabel,
    QPushButton,
    QStackedWidget,
    QWidget,
)

from coach.grading.grade import Grade
from engine.platform.language import tr, trc, trn
from gui.board.announcer import announce_verdict
from gui.board.grade_mark import GradeMark
from gui.board.hex_field import HexField
from gui.practice.demo import Demo
from gui.practice.game import PracticeGame
from gui.practice.history_list import GradeOf
from gui.practice.history_view import HistoryPanel
from gui.practice.remembered import RememberedPractice
from gui.practice.session import SpawnMode
from gui.practice.tile_effects_view import TileEffectsPanel, TileEffectsView
from gui.settings_model.settings import Settings
from gui.style.layout import STRETCH, column, grid_layout, laid_out, placed, row
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.elided import WrappingCheckBox
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.folder_field import FolderEdit
from gui.widgets.labels import label, show_text
from gui.widgets.notice import Message, Notice
from gui.widgets.rate_cross import RateCross
from gui.widgets.slider import Slider
from tablebase.formation.goal import Goal, goal_of


class FirstHints(QFrame):
    """A card to read once and close permanently."""

    closed = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.tiles_label = label("", wraps=True)
        self.figures_label = label("", wraps=True)
        self.close_button = QPushButton(tr("Got it"))
        self.close_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.close_button.clicked.connect(self.closed)
        column(
            label(tr("New here?"), "strong"),
            self.tiles_label,
            self.figures_label,
            placed(self.close_button, align=Qt.AlignmentFlag.AlignRight),
            space=6,
            margins=(12, 10, 12, 10),
            parent=self,
        )
        self.hide()

    def explain(self, target: Goal | int, n_large: int, walls: bool) -> None:
        goal = goal_of(target)
        text = _tiles_text(goal, n_large, walls) if goal.tile else _sum_text(goal, n_large, walls)
        self.tiles_label.setText(text)
        self.figures_label.setText(
            tr(
                "The four figures are your chances of reaching {target} after each move, if you "
                "play perfectly from then on. The star marks the best move.",
                target=goal.words(),
            )
        )
        self.show()


def _sum_text(goal: Goal, n_large: int, walls: bool) -> str:
    if walls:
        return tr(
            "The striped cells are walls. The tiles in the others count together: reach the {sum}.",
            sum=goal.words(),
        )
    return trn(
        "The tile with a lock stands for your large tiles, whatever their values; 32768 is only a "
        "label. It stays where the formation needs them. The other tiles count together: reach "
        "the {sum}.",
        "The {n} locked tiles stand for your large tiles, whatever their values; 32768 is only a "
        "label. They stay where the formation needs them. The other tiles count together: reach "
        "the {sum}.",
        n_large,
        sum=goal.words(),
    )


def _tiles_text(target: Goal, n_large: int, walls: bool) -> str:
    if walls:
        return tr("The striped cells are walls. Build a {target} in the others.", target=target)
    if not n_large:
        return tr("Build a {target}.", target=target)
    return trn(
        "The tile with a lock stands for your large tiles, whatever their values; 32768 is only a "
        "label. It stays where the formation needs them while you build a {target} in the free "
        "cells.",
        "The {n} locked tiles stand for your large tiles, whatever their values; 32768 is only a "
        "label. They stay where the formation needs them while you build a {target} in the free "
        "cells.",
        n_large,
        target=target,
    )


class CurrentSizeStack(QStackedWidget):
    """A stack of widgets that has the size of the current one."""

    def __init__(self) -> None:
        super().__init__()
        self.currentChanged.connect(lambda _: self.updateGeometry())

    def sizeHint(self) -> QSize:  # noqa: N802
        widget = self.currentWidget()
        return widget.sizeHint() if widget else super().sizeHint()

    def minimumSizeHint(self) -> QSize:  # noqa: N802
        widget = self.currentWidget()
        return widget.minimumSizeHint() if widget else super().minimumSizeHint()


SLOWEST, FASTEST = 1, 30
_TABS = ("play", "why", "line")


class PracticePanel(QWidget):
    """The side panel of the practice page."""

    speed_changed = Signal(int)  # moves a second
    spawn_mode_chosen = Signal(object)  # SpawnMode
    hex_entered = Signal(str)
    hex_dropped = Signal()
    guess_toggled = Signal(bool)
    asks_toggled = Signal(bool)
    folder_entered = Signal(str)
    folder_dropped = Signal()  # typing one was canceled
    tab_chosen = Signal(str)

    def __init__(self, grade_of: GradeOf = lambda _: None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cross, self.notice = RateCross(), Notice()
        self.stack = QStackedWidget()
        self.stack.addWidget(self.cross)
        self.stack.addWidget(self.notice)
        self.source_label = QLabel()
        self.source_label.setProperty("role", "caption")
        self.source_label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.source_label.hide()
        self.mark, self.verdict = GradeMark(), QLabel()
        self.guess_box = WrappingCheckBox(tr("Guess first: hide the rates"))
        self.asks_box = WrappingCheckBox(tr("Ask before a move that breaks the formation"))
        self.hints = FirstHints()
        self.speed_slider = Slider()
        self.speed_label = QLabel()
        self.spawn_buttons = QButtonGroup(self)
        self.hex_field = HexField(
            "1000 0000 1fff 2fff",  # no text
            tr("16 hex digits, row by row from the top left; Enter sets the board"),
        )
        self.hex_edit, self.hex_error = self.hex_field.edit, self.hex_field.error_label
        self.copy_button = self.hex_field.copy_button
        self.hex_field.entered.connect(self.hex_entered)
        self.hex_field.dropped.connect(self.hex_dropped)
        self.folder_edit, self.folder_button = FolderEdit(), QPushButton(tr("Choose…"))
        self.content_label = QLabel()
        self.why, self.history = TileEffectsPanel(), HistoryPanel(grade_of)
        self.tab_chips, self.tabs = ChipGroup(tr("What the panel shows")), CurrentSizeStack()
        self.tab_chips.set_choices(
            [Choice(tab, text, tip=tip) for tab, (text, tip) in _tab_names().items()]
        )
        for part in (self._controls(), self.why, self.history):
            self.tabs.addWidget(part)
        self.tab_chips.chosen.connect(lambda tab: self.show_tab(str(tab)))
        column(
            self._answers(),
            self.hints,
            self.tab_chips,
            placed(self.tabs, stretch=1),
            space=12,
            parent=self,
        )

    @property
    def tab(self) -> str:
        return _TABS[self.tabs.currentIndex()]

    def show_tab(self, tab: str) -> None:
        self.tab_chips.choose(tab)
        if tab != self.tab:
            self.tabs.setCurrentIndex(_TABS.index(tab))
            self.tab_chosen.emit(tab)

    def show_folder(self, folder: str) -> None:
        """Show the folder of the open table, unless the user is typing another one."""
        if not (self.folder_edit.hasFocus() and self.folder_edit.isModified()):
            self.folder_edit.setText(folder)
            self.folder_edit.setToolTip(
                folder or tr("Type or paste a table folder, then press Enter")
            )

    def lay_flat(self, flat: bool) -> None:
        self.cross.lay_flat(flat)

    def show_verdict(self, grade: Grade | None, text: str) -> None:
        self.mark.show_grade(grade)
        self.mark.setVisible(grade is not None)
        self.verdict.setText(text)
        announce_verdict(self.verdict, grade, text)

    def show_notice(self, message: Message) -> None:
        self.notice.show_message(message)
        self.stack.setCurrentWidget(self.notice)

    def show_cross(self, source: str = "") -> None:
        self.stack.setCurrentWidget(self.cross)
        show_text(self.source_label, source)

    def show_content(self, text: str) -> None:
        self.content_label.setText(text)

    def show_hex(self, text: str) -> None:
        """Show the position as hex digits, unless the user is typing another one."""
        self.hex_field.show_position(text)

    def show_hex_error(self, text: str) -> None:
        self.hex_field.show_error(text)

    def show_speed(self, moves_per_second: int) -> None:
        """Set the slider without emitting the signal."""
        with QSignalBlocker(self.speed_slider):
            self.speed_slider.setValue(moves_per_second)
        self.speed_label.setText(_speed_text(moves_per_second))

    def show_spawn_mode(self, mode: SpawnMode) -> None:
        self.spawn_buttons.button(list(SpawnMode).index(mode)).setChecked(True)

    def _answers(self) -> QWidget:
        self.verdict.setWordWrap(True)
        self.verdict.setAlignment(Qt.AlignmentFlag.AlignTop)
        self.verdict.setMinimumHeight(2 * self.verdict.fontMetrics().lineSpacing())
        self.verdict.setAccessibleName(tr("Last move"))
        self.show_verdict(None, "")
        return laid_out(
            column(
                self.source_label,
                self.stack,
                row(
                    placed(self.mark, align=Qt.AlignmentFlag.AlignTop),
                    placed(self.verdict, stretch=1, align=Qt.AlignmentFlag.AlignTop),
                ),
            )
        )

    def _controls(self) -> QWidget:
        self.folder_edit.setAccessibleName(tr("Table folder"))
        self.folder_edit.setPlaceholderText(tr("Paste a folder and press Enter"))
        self.folder_edit.returnPressed.connect(
            lambda: self.folder_entered.emit(self.folder_edit.text())
        )
        escape = QShortcut(Qt.Key.Key_Escape, self.folder_edit)
        escape.setContext(Qt.ShortcutContext.WidgetShortcut)
        escape.activated.connect(self.folder_dropped)
        self.asks_box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.asks_box.toggled.connect(self.asks_toggled)
        self.guess_box.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.guess_box.toggled.connect(self.guess_toggled)
        return laid_out(
            column(
                label(tr("New tiles"), "caption"),
                self._spawn_row(),
                8,
                label(tr("Demo"), "caption"),
                self._speed_row(),
                8,
                label(tr("Position"), "caption"),
                self.hex_field,
                8,
                label(tr("Table folder"), "caption"),
                self._folder_row(),
                8,
                self.guess_box,
                self.asks_box,
                STRETCH,
                space=4,
            )
        )

    def _folder_row(self) -> QWidget:
        self.folder_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.folder_button.setToolTip(tr("Choose a table folder"))
        self.content_label.setProperty("role", "caption")
        self.content_label.setWordWrap(True)
        row = QWidget()
        grid = grid_layout(space=8, parent=row)
        grid.addWidget(self.folder_edit, 0, 0)
        grid.addWidget(self.folder_button, 0, 1)
        grid.addWidget(self.content_label, 1, 0, 1, 2)
        return row

    def _spawn_row(self) -> QWidget:
        row = QWidget()
        layout = FlowLayout(row, space=6)
        for mode, (name, tip) in _spawn_names().items():
            button = QPushButton(name)
            button.setCheckable(True)
            button.setToolTip(tip)
            button.setProperty("chip", True)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            self.spawn_buttons.addButton(button, list(SpawnMode).index(mode))
            layout.addWidget(button)
        self.spawn_buttons.idClicked.connect(
            lambda i: self.spawn_mode_chosen.emit(list(SpawnMode)[i])
        )
        return row

    def _speed_row(self) -> QWidget:
        self.speed_slider.setRange(SLOWEST, FASTEST)
        self.speed_slider.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.speed_slider.setAccessibleName(tr("Demo speed in moves per second"))
        self.speed_slider.valueChanged.connect(self.show_speed)
        self.speed_slider.valueChanged.connect(self.speed_changed)
        self.speed_label.setMinimumWidth(
            self.speed_label.fontMetrics().horizontalAdvance(_speed_text(FASTEST))
        )
        return laid_out(row(placed(self.speed_slider, stretch=1), self.speed_label, space=12))


def _speed_text(moves_per_second: int) -> str:
    return trn("{n} move/s", "{n} moves/s", moves_per_second)


def _tab_names() -> dict[str, tuple[str, str]]:
    return {
        "play": (trc("tab", "Play"), tr("New tiles, demo, position")),
        "why": (tr("Why"), tr("What the next tile can do")),
        "line": (tr("History"), tr("All moves, and recordings")),
    }


def _spawn_names() -> dict[SpawnMode, tuple[str, str]]:
    return {
        SpawnMode.RANDOM: (
            trc("new tiles", "Fair"),
            tr("As in the game: a 2 or a 4 on any empty cell"),
        ),
        SpawnMode.BEST: (
            trc("new tiles", "Kind"),
            tr("Always the tile that helps most, however unlikely"),
        ),
        SpawnMode.WORST: (
            trc("new tiles", "Cruel"),
            tr("Always the tile that hurts most: see what can go wrong"),
        ),
        SpawnMode.MANUAL: (
            trc("new tiles", "By hand"),
            tr("You place each tile: click for a 2, right click for a 4"),
        ),
    }


class PanelChoices:
    """Applies the choices in the panel, and remembers them."""

    def __init__(
        self,
        panel: PracticePanel,
        game: PracticeGame,
        demo: Demo,
        why: TileEffectsView,
        remembered: RememberedPractice,
        guess: QAction,
        settings: Settings,
    ) -> None:
        self._panel, self._game, self._demo, self._why = panel, game, demo, why
        self._remembered, self._guess_action = remembered, guess
        panel.asks_toggled.connect(self._ask_before_breaking)
        panel.guess_toggled.connect(self._guess)
        panel.speed_changed.connect(self._set_speed)
        panel.tab_chosen.connect(self._show_tab)
        settings.changed.connect(self._follow_setting)

    def recall(self) -> None:
        remembered, panel = self._remembered, self._panel
        panel.show_speed(remembered.speed)
        self._demo.set_speed(remembered.speed)
        self._game.set_spawn_mode(remembered.spawn_mode)
        panel.show_spawn_mode(remembered.spawn_mode)
        panel.guess_box.setChecked(remembered.is_guessing)
        self._guess(remembered.is_guessing)
        panel.asks_box.setChecked(remembered.asks_before_breaking)
        panel.show_tab(remembered.tab)

    def _ask_before_breaking(self, asks: bool) -> None:
        self._remembered.asks_before_breaking = asks

    def _guess(self, hidden: bool) -> None:
        self._remembered.is_guessing = hidden
        self._guess_action.setChecked(hidden)
        self._panel.cross.hide_figures(hidden)

    def _set_speed(self, moves_per_second: int) -> None:
        self._remembered.speed = moves_per_second

    def _show_tab(self, tab: str) -> None:
        self._remembered.tab = tab
        if tab != "why":
            self._why.end()  # the board is that of the rates again
        self._why.follow()

    def _follow_setting(self, name: str, _value: object = None) -> None:
        if name == "practice.asks_before_breaking":
            self._panel.asks_box.setChecked(self._remembered.asks_before_breaking)
        elif name == "practice.speed":
            self._demo.set_speed(self._remembered.speed)
            self._panel.show_speed(self._remembered.speed)
