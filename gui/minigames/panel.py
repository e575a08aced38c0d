"""The side panel of a minigame: what happens next, tools, results, rules."""

from collections.abc import Collection, Mapping, Sequence

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
    NONE_USABLE,
    TOOLS_HINT,
    goal_text,
    gravity_text,
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
    "tile": mark("next at {level} (tile)"),
    "pattern": mark("next at {level} (pattern)"),
    "score": mark("next at {level} (points)"),
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
        self._tool_text, self._has_tools, self._has_use = "", True, True
        self.notice = Notice()
        self._notices = QStackedWidget()  # the notice, and hidden ones that reserve its space
        self._notices.addWidget(self.notice)
        self._longest: list[Notice] = []
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
                ("best", tr("Best tile")),
                ("trophy", tr("Trophy")),
                ("runs", tr("Runs")),
                ("median", tr("Median score")),
            )
        }
        self._rules, self._runs = column(margins=_BOX_MARGINS), column(margins=_BOX_MARGINS)
        self.rules_box, self.runs_box = laid_out(self._rules), laid_out(self._runs)
        self.rules = Disclosure(tr("Rules"), self.rules_box)
        self.history = Disclosure(tr("Latest runs"), self.runs_box)
        self._lay_out()
        self.peek_button.pressed.connect(lambda: self.peek_held.emit(True))
        self.peek_button.released.connect(lambda: self.peek_held.emit(False))

    def lay_flat(self, _flat: bool) -> None:
        """Do nothing: it looks the same under the board and next to it."""

    def show_game(self, spec: GameSpec, hard: bool) -> None:
        self._shown_best = None
        clear_layout(self._rules)
        for text in rules_text.rules(spec, hard):
            self._rules.addWidget(label(text, wraps=True))
        for title, texts in (
            (tr("Hard mode"), rules_text.hard_changes(spec)),
            (tr("Trophies"), [rules_text.trophy_text(spec)]),
            (trc("in a minigame", "Tools"), rules_text.tool_rules(spec, hard)),
        ):
            self._rules.addWidget(label(title, "strong"))
            for text in texts:
                self._rules.addWidget(label(text, wraps=True))

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
        self._has_tools = any(view.tools)
        self._show_tool_text()

    def show_usable(self, names: Collection[str]) -> None:
        self._has_use = bool(names)
        for name, tool in self.tool_buttons.items():
            tool.show_usable(name in names)
        self._show_tool_text()

    def show_time(self, left_ms: int | None) -> None:
        if left_ms is not None:
            self.clock_label.setText(spoken_clock(left_ms))
            set_property(self.clock_label, "tone", "bad" if left_ms < _HURRY_MS else "")

    def show_tool(self, name: str | None, text: str) -> None:
        for each, tool in self.tool_buttons.items():
            tool.setChecked(each == name)
        self._tool_text = text
        self._show_tool_text()

    def keep_room(self, messages: Sequence[Message]) -> None:
        """Make the notice as high as the highest of these messages."""
        while len(self._longest) < len(messages):
            self._longest.append(Notice())
            self._notices.addWidget(self._longest[-1])
            self._longest[-1].ensurePolished()  # as high as with the fonts of the theme
        for notice, message in zip(self._longest, messages, strict=True):
            notice.show_message(message)

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
        figures = self.figures
        figures["best"].show_value(str(1 << record.best) if record.best else "\N{EN DASH}")
        name = tr(TROPHY_NAMES[record.trophy]) if record.trophy else tr("None yet")
        rest = spec.levels[record.trophy :]
        goal = tr(_NEXT[spec.track], level=rules_text.level_text(spec, rest[0])) if rest else ""
        figures["trophy"].show_value(name, goal)
        figures["runs"].show_value(format_whole(record.n_runs))
        median = format_whole(record.median_score) if record.runs else "\N{EN DASH}"
        figures["median"].show_value(median)

    def _show_tool_text(self) -> None:
        hint = (TOOLS_HINT if self._has_use else NONE_USABLE) if self._has_tools else NONE_LEFT
        self.tool_label.setText(self._tool_text or tr(hint))

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
        self.tool_label.setMinimumHeight(3 * self.tool_label.fontMetrics().lineSpacing())
        grid = QGridLayout()
        for i, figure in enumerate(self.figures.values()):
            grid.addWidget(figure, i // 2, i % 2, Qt.AlignmentFlag.AlignTop)
        column(
            self._notices,
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
            self.rules,
            self.history,
            placed(STRETCH, stretch=1),  # otherwise the notice would take half of what is left
            space=12,
            parent=self,
        )
