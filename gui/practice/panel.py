"""The side panel of the practice board: rates or a notice, first hints, playing options."""

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QFrame, QGridLayout, QHBoxLayout, QLabel, QStackedWidget, QWidget

from coach.grading.grade import Grade
from engine.platform.language import sentences, tr, trc, trn
from gui.board.announcer import announce_verdict
from gui.board.grade_mark import GradeMark
from gui.board.hex_field import HexField
from gui.practice.history_list import GradeOf, HistoryPanel
from gui.practice.session import SpawnMode
from gui.practice.tile_effects_view import TileEffectsPanel
from gui.style.layout import STRETCH, column, grid_layout, laid_out, placed, row
from gui.style.theme import theme_source
from gui.widgets.buttons import button, focus_by_tab, tool_button
from gui.widgets.chips import ChipGroup, Choice
from gui.widgets.elided import WrappingCheckBox
from gui.widgets.folder_field import FolderEdit
from gui.widgets.labels import field, label, reserve_lines, show_text
from gui.widgets.notice import Message, Notice
from gui.widgets.rate_cross import RateCross
from gui.widgets.slider import Slider


class FirstHints(QFrame):
    """A line to read once and close permanently."""

    def __init__(self) -> None:
        super().__init__()
        self.setProperty("card", True)
        self.label = label("", wraps=True)
        self.close_button = tool_button("close", tr("Got it"))
        row(
            placed(self.label, stretch=1),
            placed(self.close_button, align=Qt.AlignmentFlag.AlignTop),
            margins=(12, 6, 6, 6),
            parent=self,
        )
        self.hide()

    def explain(self, goal: str, n_large: int, walls: bool) -> None:
        text = tr("Figures are your chances of {target}.", target=goal)
        if walls:
            text = sentences(tr("Striped cells are walls."), text)
        elif n_large:
            text = sentences(tr("Locked tiles are your large ones."), text)
        self.label.setText(text)
        self.show()


MIN_SPEED, MAX_SPEED = 1, 30
_TABS = ("play", "why", "line")


class PracticePanel(QWidget):
    """The side panel of the practice page."""

    folder_dropped = Signal()  # typing one was canceled
    tab_chosen = Signal(str)

    def __init__(self, grade_of: GradeOf) -> None:
        super().__init__()
        self.cross, self.notice = RateCross(), Notice()
        self.stack = QStackedWidget()
        self.stack.addWidget(self.cross)
        self.stack.addWidget(self.notice)
        self.source_label = label("", "caption")
        self.source_label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.source_label.hide()
        self.cross.sentence.hide()  # what it says follows the verdict
        self.mark, self.verdict, self.links = GradeMark(), QLabel(), QLabel()
        self.guess_box = WrappingCheckBox(tr("Guess first: hide the rates"))
        self.asks_box = WrappingCheckBox(tr("Ask before a move that breaks the formation"))
        self.hints = FirstHints()
        self.speed_slider, self.speed_label = Slider(), QLabel()
        self.spawn_chips = ChipGroup(tr("New tiles"))
        self.spawn_chips.set_choices(_spawn_choices())
        self.hex_field = HexField(
            "1000 0000 1fff 2fff",  # no text
            tr("16 hex digits, row by row from the top left; Enter sets the board"),
        )
        self.folder_edit = FolderEdit()
        self.folder_button = button(tr("Choose…"), tip=tr("Choose a table folder"), by_tab=True)
        self.content_label = QLabel()
        self.why, self.history = TileEffectsPanel(), HistoryPanel(grade_of)
        self.tab_chips, self.tab = ChipGroup(tr("What the panel shows")), _TABS[0]
        self.tab_chips.set_choices(
            [
                Choice("play", trc("tab", "Options"), tip=tr("New tiles, speed, position")),
                Choice("why", tr("Why"), tip=tr("What the next tile can do")),
                Choice("line", tr("History"), tip=tr("All moves, and recordings")),
            ]
        )
        # No stack of widgets, which would be as tall as its tallest.
        self._tabs = dict(zip(_TABS, (self._controls(), self.why, self.history), strict=True))
        for part in (self.why, self.history):
            part.hide()
        self.tab_chips.chosen.connect(lambda tab: self.show_tab(str(tab)))
        column(
            self._answers(),
            self.hints,
            self.tab_chips,
            *(placed(part, stretch=1) for part in self._tabs.values()),
            space=12,
            parent=self,
        )

    def show_tab(self, tab: str) -> None:
        self.tab_chips.choose(tab)
        if tab != self.tab:
            self.tab = tab
            for name, part in self._tabs.items():
                part.setVisible(name == tab)
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

    def show_verdict(self, grade: Grade | None, text: str, is_explained: bool = False) -> None:
        """Show a text on the last move or the position; a move that lost has links to reasons."""
        self.mark.show_grade(grade)
        self.mark.setVisible(grade is not None)
        self.links.setVisible(is_explained)
        self.verdict.setText(text)
        announce_verdict(self.verdict, grade, text)

    def show_notice(self, message: Message) -> None:
        self.notice.show_message(message)
        self.stack.setCurrentWidget(self.notice)
        self.source_label.hide()

    @property
    def note(self) -> str:
        """What is said of the figures in sight, if anything is."""
        return self.cross.sentence.text() if self.stack.currentWidget() is self.cross else ""

    def show_cross(self, source: str = "") -> None:
        self.stack.setCurrentWidget(self.cross)
        show_text(self.source_label, source)

    def show_speed(self, moves_per_second: int) -> None:
        """Set the slider without emitting the signal."""
        with QSignalBlocker(self.speed_slider):
            self.speed_slider.setValue(moves_per_second)
        self.speed_label.setText(_speed_text(moves_per_second))

    def _answers(self) -> QWidget:
        self.verdict.setWordWrap(True)
        reserve_lines(self.verdict)
        self._show_links()
        theme_source().changed.connect(self._show_links)
        self.links.setTextInteractionFlags(Qt.TextInteractionFlag.LinksAccessibleByMouse)
        self.links.setFixedHeight(self.verdict.minimumHeight())  # what is below stays in place
        self.verdict.setAccessibleName(tr("Last move"))
        self.show_verdict(None, "")
        return laid_out(
            column(
                self.source_label,
                self.stack,
                row(
                    placed(self.mark, align=Qt.AlignmentFlag.AlignTop),
                    placed(self.verdict, stretch=1, align=Qt.AlignmentFlag.AlignTop),
                    placed(self.links, align=Qt.AlignmentFlag.AlignTop),
                ),
            )
        )

    def _show_links(self) -> None:
        """Write the links anew: what is written keeps the colors of its theme."""
        links = {"why": tr("Explain"), "compare": tr("Compare")}
        self.links.clear()
        self.links.setText("<br>".join(map('<a href="{0[0]}">{0[1]}</a>'.format, links.items())))

    def _controls(self) -> QWidget:
        self.folder_edit.setAccessibleName(tr("Table folder"))
        self.folder_edit.setPlaceholderText(tr("Paste a folder and press Enter"))
        escape = QShortcut(Qt.Key.Key_Escape, self.folder_edit)
        escape.setContext(Qt.ShortcutContext.WidgetShortcut)
        escape.activated.connect(self.folder_dropped)
        focus_by_tab(self.asks_box, self.guess_box, self.speed_slider)
        return laid_out(
            column(
                field(tr("New tiles"), self.spawn_chips),
                field(tr("Speed"), self._speed_row()),
                field(tr("Position"), self.hex_field),
                field(tr("Table folder"), self._folder_row()),
                column(self.guess_box, self.asks_box, space=4),
                STRETCH,
                space=16,
            )
        )

    def _folder_row(self) -> QGridLayout:
        self.content_label.setProperty("role", "caption")
        self.content_label.setWordWrap(True)
        grid = grid_layout(space=8)
        grid.addWidget(self.folder_edit, 0, 0)
        grid.addWidget(self.folder_button, 0, 1)
        grid.addWidget(self.content_label, 1, 0, 1, 2)
        return grid

    def _speed_row(self) -> QHBoxLayout:
        self.speed_slider.setRange(MIN_SPEED, MAX_SPEED)
        self.speed_slider.setAccessibleName(tr("Speed in moves per second"))
        self.speed_slider.valueChanged.connect(self.show_speed)
        self.speed_label.setMinimumWidth(
            self.speed_label.fontMetrics().horizontalAdvance(_speed_text(MAX_SPEED))
        )
        return row(placed(self.speed_slider, stretch=1), self.speed_label, space=12)


def _speed_text(moves_per_second: int) -> str:
    return trn("{n} move/s", "{n} moves/s", moves_per_second)


def _spawn_choices() -> list[Choice]:
    return [
        Choice(
            SpawnMode.RANDOM,
            trc("new tiles", "Fair"),
            tip=tr("As in the game: a 2 or a 4 on any empty cell"),
        ),
        Choice(
            SpawnMode.BEST,
            trc("new tiles", "Kind"),
            tip=tr("Always the tile that helps most, however unlikely"),
        ),
        Choice(
            SpawnMode.WORST,
            trc("new tiles", "Cruel"),
            tip=tr("Always the tile that hurts most: see what can go wrong"),
        ),
        Choice(
            SpawnMode.MANUAL,
            trc("new tiles", "By hand"),
            tip=tr("You place each tile: click for a 2, right click for a 4"),
        ),
    ]
