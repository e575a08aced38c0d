"""The panel of one mistake: the position, the rates of its moves, all attempts, its tags."""

from collections.abc import Mapping, Sequence
from html import escape

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QLabel, QLineEdit, QPushButton, QWidget

from coach.days import Today
from coach.grading.grade import Tolerance
from coach.grading.rated import breaking_moves
from coach.mistakes.mistake import Attempt, Mistake
from engine.bitboard import format_board
from engine.platform.language import mark, tr
from gui.board.board_view import BoardView
from gui.board.grade_mark import GradeMark
from gui.keys.key_bindings import add_key_tip
from gui.mistakes.sources import is_test
from gui.mistakes.text import attempt_text, history_text, lost_text, times_text
from gui.style.layout import STRETCH, column, laid_out, placed, row
from gui.style.theme import mono_font
from gui.text.answers import directions_text, table_title
from gui.widgets.buttons import button, more_button
from gui.widgets.flow_layout import FlowLayout
from gui.widgets.labels import label
from gui.widgets.rate_cross import RateCross

_BOARD_PX, _MAX_ATTEMPTS = 208, 8
NOTHING = mark("Select a mistake to see it here.")
# The buttons by the name of the action that they trigger, with text and tip.
_BUTTONS = (
    (
        "compare",
        mark("Compare"),
        mark("See this mistake beside the best move, and how each continues"),
    ),
    ("practice", mark("Practice"), mark("Open this position in Practice")),
    ("review", mark("Review"), mark("Open the latest test with this mistake")),
    ("drill_chosen", mark("Drill"), mark("Drill the selected mistakes")),
)
_MORE = ("retire", "delete", "situation")


class MistakePanel(QWidget):
    """Shows one mistake, or the number of selected ones."""

    tags_entered = Signal(object)
    attempt_chosen = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self.mistake: Mistake | None = None
        self.title_label, self.mark = label("", "strong", wraps=True), GradeMark()
        self.hint_label = label(tr(NOTHING), "muted", wraps=True)
        self.board_view, self.cross = BoardView(), RateCross()
        self.cross.sentence.hide()  # the figures say it
        self.board_view.setFixedHeight(_BOARD_PX)
        self.board_view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.board_view.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.cross.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        for cell in self.cross.cells:
            cell.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hex_label, self.history_label = QLabel(), label("", wraps=True)
        self.hex_label.setFont(mono_font())
        self.hex_label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.attempts_label = label("", "caption", wraps=True)
        flags = Qt.TextInteractionFlag
        self.attempts_label.setTextInteractionFlags(
            flags.LinksAccessibleByMouse | flags.LinksAccessibleByKeyboard
        )
        self.attempts_label.setTextFormat(Qt.TextFormat.RichText)
        self.attempts_label.setProperty("links", True)
        self.attempts_label.linkActivated.connect(
            lambda at: self.attempt_chosen.emit(self._attempts[int(at)])
        )
        self._attempts: list[Attempt] = []
        self.tags_edit = QLineEdit(placeholderText=tr("Tags, separated by commas"))
        self.tags_edit.setAccessibleName(tr("Tags"))
        self.buttons: dict[str, QPushButton] = {}
        self._buttons_row = FlowLayout(space=4)
        for name, text, tip in _BUTTONS:
            small = self.buttons[name] = button(tr(text), "chip", tip=tr(tip), by_tab=True)
            self._buttons_row.addWidget(small)
        self.details = laid_out(
            column(
                self.board_view,
                placed(self.hex_label, align=Qt.AlignmentFlag.AlignHCenter),
                self.cross,
                self.history_label,
                self.attempts_label,
                self.tags_edit,
            )
        )
        column(
            row(
                placed(self.mark, align=Qt.AlignmentFlag.AlignTop),
                placed(self.title_label, stretch=1),
            ),
            self._buttons_row,
            self.hint_label,
            self.details,
            STRETCH,
            space=12,
            parent=self,
        )
        self.tags_edit.editingFinished.connect(self._enter_tags)
        self.show_choice(None, 0)

    def show_choice(
        self, mistake: Mistake | None, n_chosen: int, today: Today | None = None
    ) -> None:
        is_other = mistake is None or self.mistake is None or mistake.id != self.mistake.id
        self.mistake = mistake
        self.details.setVisible(mistake is not None)
        self.hint_label.setVisible(mistake is None)
        self.mark.show_grade(mistake.grade if mistake else None)
        self.mark.setVisible(mistake is not None)
        for name, small in self.buttons.items():
            small.setEnabled(n_chosen > 0 if name == "drill_chosen" else mistake is not None)
        if mistake is None or today is None:
            chosen = tr("{n} selected", n=n_chosen) if n_chosen else tr("Nothing selected")
            self.title_label.setText(chosen)
            return
        self.title_label.setText(table_title(mistake.key))
        self._show_position(mistake)
        self.history_label.setText(
            tr(
                "{history} Largest loss: {loss}. {drills}",
                history=history_text(mistake, today),
                loss=lost_text(mistake, mistake.worst_loss),
                drills=_drilled(mistake),
            )
        )
        if is_other or not self.tags_edit.hasFocus():
            self.tags_edit.setText(", ".join(mistake.tags))
        if is_other:
            self.attempts_label.setText("")

    def show_attempts(self, attempts: Sequence[Attempt]) -> None:
        self._attempts = list(attempts[:_MAX_ATTEMPTS])
        mistake = self.mistake
        lines = [escape(attempt_text(one, mistake)) for one in self._attempts if mistake]
        for at, attempt in enumerate(self._attempts):
            if is_test(attempt):
                lines[at] = f'<a href="{at}">{lines[at]}</a>'
        more = len(attempts) - len(lines)
        if more > 0:
            lines.append(tr("and {n} earlier", n=more))
        text = "<br>".join(lines)
        self.attempts_label.setText(text)
        policy = Qt.FocusPolicy  # without a link there is nothing for Tab to reach
        self.attempts_label.setFocusPolicy(policy.StrongFocus if "<a " in text else policy.NoFocus)

    def _show_position(self, mistake: Mistake) -> None:
        self.board_view.show_position(mistake.board, mistake.symmetry != "full")
        self.hex_label.setText(format_board(mistake.board))
        self.cross.setVisible(mistake.has_rates)
        if mistake.has_rates:
            walls_stand = mistake.symmetry != "full"
            breaking = breaking_moves(mistake.board, mistake.rates, walls_stand)
            tolerance = Tolerance.of_best(mistake.rates, mistake.best)
            self.cross.show_rates(mistake.rates, tolerance=tolerance, breaking=breaking)
            self.board_view.show_hint(None)
        else:  # the arrow shows what the figures can't
            self.board_view.show_hint(mistake.best[0])

    def take_actions(self, actions: Mapping[str, QAction]) -> None:
        for name, small in self.buttons.items():
            small.clicked.connect(actions[name].trigger)
            add_key_tip(small, actions[name])
        self._buttons_row.addWidget(more_button(tr("More"), [actions[name] for name in _MORE]))

    def _enter_tags(self) -> None:
        tags = [tag.strip() for tag in self.tags_edit.text().replace(";", ",").split(",")]
        if self.mistake and sorted({*tags} - {""}) != list(self.mistake.tags):
            self.tags_entered.emit(tags)


def _drilled(mistake: Mistake) -> str:
    if mistake.is_new:
        return tr("Never drilled.")
    return tr(
        "Drilled {times}, {right} correct ({best} is best).",
        times=times_text(mistake.n_right + mistake.n_wrong),
        right=mistake.n_right,
        best=directions_text(mistake.best),
    )
