"""The side panel of a minigame: rules or a message, tools, results."""

from collections.abc import Collection, Mapping

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QGridLayout, QSizePolicy, QStackedWidget, QToolButton, QWidget

from engine.platform.language import mark, tr, trc
from gui.keys.key_bindings import keys_of
from gui.minigames import rules_text
from gui.minigames.medals import TROPHY_NAMES
from gui.minigames.text import (
    NO_USE,
    NONE_LEFT,
    goal_text,
    gravity_text,
    longest_message,
    period_text,
    run_text,
    spoken_clock,
)
from gui.style.layout import STRETCH, card, clear_layout, column, laid_out, placed, row
from gui.style.theme import CAPTION, resized
from gui.text.numbers import format_whole
from gui.widgets.buttons import button
from gui.widgets.disclosure import Disclosure
from gui.widgets.labels import Figure, label, set_property
from gui.widgets.notice import Message, Notice
from minigames.parameters import GameSpec
from minigames.records import FinishedRun, MinigameRecord
from minigames.state import TOOLS
from minigames.view import View

_SHOWN_RUNS = 8
_HURRY_MS = 20_000
_BOX_MARGINS = (8, 0, 0, 8)
_NEXT = {
    "tile": mark("next: {level} tile"),
    "pattern": mark("next: pattern of {level}"),
    "score": mark("next: {level} points"),
}


class ToolButton(QToolButton):
    """A tool: its icon, name and key, and the number left."""

    def __init__(self, action: QAction) -> None:
        super().__init__()
        self.setDefaultAction(action)
        self.setProperty("quiet", True)
        self.setCheckable(True)
        self.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextUnderIcon)
        self.setIconSize(QSize(24, 24))
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setFont(resized(self.font(), CAPTION))
        self._n, self._is_usable = 0, True
        action.changed.connect(self._name)

    def show_count(self, n: int) -> None:
        self._n = n
        self._name()

    def show_usable(self, is_usable: bool) -> None:
        self._is_usable = is_usable
        self._name()

    def _name(self) -> None:
        action = self.defaultAction()
        keys = keys_of(action)
        self.setText(f"{action.iconText()} \N{MULTIPLICATION SIGN}{self._n}")
        tip = f"{action.toolTip()} ({keys})" if keys else action.toolTip()
        if not self._n:
            tip = tr(NONE_LEFT)
        elif not self._is_usable:
            tip = tr(NO_USE)
        self.setToolTip(tip)
        self.setAccessibleName(tr("{tool}, {n} left", tool=action.iconText(), n=self._n))


class MinigamePanel(QWidget):
    """The side panel of a minigame."""

    peek_held = Signal(bool)
    watch_requested = Signal(object)

    def __init__(self, actions: Mapping[str, QAction]) -> None:
        super().__init__()
        self._shown_best: tuple[int, int, int] | None = None
        self.notice, room = Notice(), Notice()
        room.show_message(longest_message())  # never seen: it keeps the room of others
        room.ensurePolished()
        self._rules, self._more = column(), column(margins=_BOX_MARGINS)
        self.rules_box = laid_out(column(self._rules, STRETCH))
        self._top = QStackedWidget()
        for page in (self.rules_box, self.notice, room):
            self._top.addWidget(page)
        self.clock_label = label("", "figure")
        self.clock_label.setAccessibleName(tr("Time left"))
        self.next_label = label("", "strong", wraps=True)
        tip = tr("Hold to look under the cover ({keys})", keys=keys_of(actions["peek"]))
        self.peek_button = button(picture="peek", tip=tip, by_tab=True)
        self.tool_buttons = {name: ToolButton(actions[name]) for name in TOOLS}
        self.tool_label = label("", "caption", wraps=True)
        self.figures = {
            name: Figure(caption)
            for name, caption in (
                ("trophy", tr("Trophy")),
                ("best", tr("Best tile")),
                ("runs", tr("Runs")),
                ("median", tr("Median score")),
            )
        }
        self._runs = column(margins=_BOX_MARGINS)
        self.runs_box = laid_out(self._runs)
        self.more = Disclosure(tr("Trophies and tools"), laid_out(self._more))
        self.history = Disclosure(tr("Latest runs"), self.runs_box)
        self._lay_out()
        self.peek_button.pressed.connect(lambda: self.peek_held.emit(True))
        self.peek_button.released.connect(lambda: self.peek_held.emit(False))

    def lay_flat(self, _flat: bool) -> None:
        """Do nothing: it looks the same under the board and next to it."""

    def show_game(self, spec: GameSpec, hard: bool) -> None:
        self._shown_best = None
        sections = (
            (tr("Trophies"), [rules_text.trophy_text(spec)]),
            (trc("in a minigame", "Tools"), rules_text.tool_rules(spec, hard)),
            (tr("In normal mode") if hard else tr("In hard mode"), rules_text.changes(spec, hard)),
        )
        for box in (self._rules, self._more):
            clear_layout(box)
        for text in rules_text.rules(spec, hard):
            self._rules.addWidget(label(text, wraps=True))
        for title, texts in sections:
            self._more.addWidget(label(title, "strong"))
            for text in texts:
                self._more.addWidget(label(text, wraps=True))

    def show_message(self, message: Message | None) -> None:
        """Show a message in place of the rules; None brings them back."""
        self.notice.show_message(message or Message(""))
        self._top.setCurrentWidget(self.notice if message else self.rules_box)

    def show_view(self, view: View) -> None:
        texts = [
            goal_text(view),
            gravity_text(view.gravity) if view.gravity is not None else "",
            period_text(view),
        ]
        self.next_label.setText("\n".join(filter(None, texts)))
        self.next_label.setVisible(any(texts))
        self.clock_label.setVisible(view.time_left_ms is not None)
        self.peek_button.setVisible(view.peeks_left is not None)
        if view.peeks_left is not None:
            n = view.peeks_left
            text = tr("Hold to look") if n < 0 else tr("Hold to look ({n} left)", n=n)
            self.peek_button.setText(text)
            self.peek_button.setEnabled(view.peeks_left != 0 and not view.over)
        for name, n in zip(TOOLS, view.tools, strict=True):
            self.tool_buttons[name].show_count(n)

    def show_usable(self, names: Collection[str]) -> None:
        for name, tool in self.tool_buttons.items():
            tool.show_usable(name in names)

    def show_time(self, left_ms: int | None) -> None:
        if left_ms is not None:
            self.clock_label.setText(spoken_clock(left_ms))
            set_property(self.clock_label, "tone", "bad" if left_ms < _HURRY_MS else "")

    def show_tool(self, name: str | None) -> None:
        for each, tool in self.tool_buttons.items():
            tool.setChecked(each == name)

    def show_record(self, spec: GameSpec, record: MinigameRecord) -> None:
        self.show_best(spec, record)
        clear_layout(self._runs)
        for run in record.runs[: -_SHOWN_RUNS - 1 : -1]:
            self._runs.addWidget(self._row(run))
        self.history.setVisible(bool(record.runs))

    def show_best(self, spec: GameSpec, record: MinigameRecord) -> None:
        shown = (record.best, record.trophy, record.n_runs)
        if shown == self._shown_best:
            return
        self._shown_best = shown
        rest = spec.levels[record.trophy :]
        goal = tr(_NEXT[spec.track], level=rules_text.level_text(spec, rest[0])) if rest else ""
        name = tr(TROPHY_NAMES[record.trophy]) if record.trophy else tr("None yet")
        self.figures["trophy"].show_value(name, goal)
        for key, text in (
            ("best", str(1 << record.best) if record.best else ""),
            ("runs", format_whole(record.n_runs) if record.runs else ""),
            ("median", format_whole(record.median_score) if record.runs else ""),
        ):
            self.figures[key].show_value(text)
            self.figures[key].setVisible(bool(text))

    def _row(self, run: FinishedRun) -> QWidget:
        watch = button(
            tr("Watch"),
            "quiet",
            picture="play",
            name=tr("Watch the run of {run}", run=run_text(run)),
            by_tab=True,
            work=lambda: self.watch_requested.emit(run),
        )
        text = label(run_text(run), "caption", wraps=True)
        return laid_out(row(placed(text, stretch=1), watch, space=6))

    def _lay_out(self) -> None:
        self.tool_label.setMinimumHeight(self.tool_label.fontMetrics().lineSpacing())
        grid = QGridLayout()
        for i, figure in enumerate(self.figures.values()):
            grid.addWidget(figure, i // 2, i % 2, Qt.AlignmentFlag.AlignTop)
        column(
            self._top,
            card(
                placed(self.clock_label, align=Qt.AlignmentFlag.AlignHCenter),
                self.next_label,
                self.peek_button,
                row(*self.tool_buttons.values(), space=4),
                self.tool_label,
                space=8,
                margins=12,
            ),
            card(grid, space=8, margins=12),
            self.more,
            self.history,
            placed(STRETCH, stretch=1),  # otherwise the notice would take half of what is left
            space=12,
            parent=self,
        )
