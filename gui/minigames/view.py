"""One minigame: the board, its actions, the panel, and a finished run to watch."""

from functools import partial
from pathlib import Path

from PySide6.QtCore import QSignalBlocker, Qt, QTimer, Signal
from PySide6.QtGui import QHideEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from engine.platform.language import listed, tr, trc
from gui.minigames.aim import Aim
from gui.minigames.board import MinigameBoard
from gui.minigames.panel import MinigamePanel
from gui.minigames.session import MinigameSession, MinigameStep
from gui.minigames.text import (
    WATCHING,
    WON,
    ask_new,
    board_text,
    cell_text,
    over_message,
    trophy_message,
)
from gui.play.page_actions import PageAction, PageActions, move_actions
from gui.settings_model.settings import Settings
from gui.style.icons import icon
from gui.style.layout import column, laid_out, placed, row
from gui.text.messages import sentence
from gui.widgets.banner import BannerStack
from gui.widgets.board_layout import BoardLayout
from gui.widgets.buttons import button, focus_by_tab
from gui.widgets.labels import TITLE_PX, label
from gui.widgets.notice import KEEP, Message
from gui.widgets.score_figure import ScoreFigure
from gui.widgets.slider import Slider
from gui.work.tasks import TaskRunner
from minigames.records import FinishedRun
from minigames.rules import Outcome
from minigames.run import MinigameRun, play_again
from minigames.state import TOOLS, Action, State, move
from minigames.store import find_replay, load_replay
from minigames.turn import Adversary
from minigames.view import View

KINDS = ("new_run", "same_run", "daily")
"""The actions that start a run."""
_CLOCK_MS = 50
_PRAISE_MS = 10_000  # how long a new trophy is in the place of the rules
_WATCH_MS = 160  # between two steps of a watched run


class MinigameView(QWidget):
    """One variant to play."""

    left = Signal()
    changed = Signal()

    def __init__(
        self, folder: Path | None, thoughts: TaskRunner, settings: Settings, page: QWidget
    ) -> None:
        super().__init__()
        self._folder, self._thoughts = folder, thoughts
        self.session: MinigameSession | None = None
        self._adversary: Adversary | None = None
        self._is_busy = False
        self._waiting: Action | None = None  # pressed while the adversary thinks
        self._watched: list[State] = []
        self._watched_run: MinigameRun | None = None
        self.board = MinigameBoard()
        self.aim = Aim(self.board, self)
        self.actions_by_name = PageActions(self._declared(), page, self.board)
        self.panel = MinigamePanel(self.actions_by_name)
        self.score = ScoreFigure(tr("Score"), is_main=True)
        self.best = ScoreFigure(trc("score", "Best"))
        self.action_bar = self.actions_by_name.bar()
        self.slider = Slider()
        self.watch_button = button(
            trc("a recording", "Play"), picture="play", by_tab=True, work=self._toggle_watch
        )
        self.leave_button = button(tr("Back to your run"), by_tab=True, work=self._back)
        self.watch_label = label("", "caption")
        self._strip = self._make_strip()
        self.banners = BannerStack()
        under = laid_out(column(self._strip, self.action_bar, space=6))
        self.frame = BoardLayout("", self.board, self.panel, self.action_bar, under)
        self.mode_label = label("", "muted")
        self._clock = QTimer(self, interval=_CLOCK_MS)
        self._watch_timer = QTimer(self, interval=_WATCH_MS)
        self._praise = QTimer(self, singleShot=True, interval=_PRAISE_MS)
        self._lay_out()
        self._connect()
        self.board.set_slide_ms(settings.get("animation_ms"))
        settings.changed.connect(self._follow_setting)
        self._enable()

    @property
    def is_watching(self) -> bool:
        return bool(self._watched)

    def show_session(self, session: MinigameSession, adversary: Adversary | None) -> None:
        self._leave_watching()
        self.session, self._adversary = session, adversary
        self._waiting = None
        spec, hard = session.spec, session.slot.hard
        self.frame.title.label.setText(spec.title)
        self.panel.show_game(spec, hard)
        for key in ("problem", "files"):
            self.banners.remove(key)
        if session.slot.problem:
            self.banners.show_message("warning", session.slot.problem, key="problem")
        self._show_position()
        self.frame.scroll_to_top()

    def pause(self) -> None:
        self.aim.put_away()
        self._watch_timer.stop()
        self._name_watch()
        self._stop_time()

    def _stop_time(self) -> None:
        self._clock.stop()
        if self.session:
            self.session.pause()
            self.changed.emit()

    def showEvent(self, event: QShowEvent) -> None:  # noqa: N802
        super().showEvent(event)
        self.board.setFocus()
        self._enable()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self.pause()
        self._enable()

    def _move(self, direction: int) -> None:
        if self.is_watching:
            self._step_watched({0: -1, 1: 1}.get(direction, 0))
        elif self.aim.tool:
            self.aim.move_cursor(direction)
        else:
            self._do(move(direction))

    def _do(self, action: Action) -> None:
        session = self.session
        if session is None or self.is_watching:
            return
        if self._is_busy:
            self._waiting = action  # the latest one counts, as everywhere
        elif self._adversary is None:
            self._show_step(session.do(action))
        else:
            self._is_busy = True
            run = session.run  # nothing else changes it while the view is busy
            self._thoughts.run(
                lambda: run.think(action),
                lambda outcome: self._show_thought(session, action, outcome),
                self._failed,
            )

    def _show_thought(self, session: MinigameSession, action: Action, outcome: Outcome) -> None:
        self._is_busy = False
        if session is self.session:
            self._show_step(session.do(action, outcome))
        waiting, self._waiting = self._waiting, None
        if waiting:
            self._do(waiting)

    def _failed(self, error: BaseException) -> None:
        self._is_busy, self._waiting = False, None
        self.banners.show_message("bad", sentence(str(error)), key="problem")

    def _undo(self) -> None:
        if self.session and not self._is_busy and not self.is_watching:
            self.aim.put_away()
            self.session.undo()
            self._show_position()
            self.changed.emit()

    def begin(self, kind: str) -> None:
        """Begin a new_run, same_run or daily, after a confirmation if that ends one in play."""
        if self.session and self.session.would_lose:
            self.aim.put_away()
            self._show_message(ask_new(kind, self.session.run.state.score))
        else:
            self._begin_now(kind)

    def _begin_now(self, kind: str) -> None:
        session = self.session
        if session is None or self._is_busy:
            return
        self._leave_watching()
        self.aim.put_away()
        if kind == "daily":
            session.new_run(day=session.today())
        else:
            session.new_run(seed=session.run.seed if kind == "same_run" else None)
        self._show_position()
        self.changed.emit()

    def _remedy(self, name: str) -> None:
        if name in KINDS:
            self._begin_now(name)
        elif name == "undo":
            self._undo()
        else:
            self._show_position()
        self.board.setFocus()

    def _confirm(self) -> None:
        """Use the selected tool, or press the first button of the message."""
        if self.aim.tool:
            self.aim.confirm()
        elif self.panel.notice.buttons and not self.is_watching:
            self.panel.notice.buttons[0].click()

    def _take_tool(self, name: str) -> None:
        session = self.session
        if session is None or self._is_busy or not self._can_take(name):
            return
        if self.aim.tool == name:
            self.aim.put_away()
            return
        self.aim.take(name, session.run.rules, session.run.state)

    def _back(self) -> None:
        if self.aim.tool:
            self.aim.put_away()
        elif self.is_watching:
            self._leave_watching()
            self._show_position()
        elif self.panel.notice.offers(KEEP):
            self._show_message(None)
        else:
            self.left.emit()

    def _peek(self, holds: bool) -> None:
        session = self.session
        if session is None or self.is_watching or self._is_busy:
            return
        if not holds:
            self.board.show_view(session.view())
        elif session.do(Action("peek")).is_done:
            self.board.show_view(session.view(peeks=True))
            self.panel.show_view(session.view())
            self.changed.emit()

    def _show_step(self, step: MinigameStep) -> None:
        session = self.session
        if session is None or not step.is_done:
            return
        self.board.animate(step)
        self._show_figures(step.after, step.after.score - step.before.score)
        won = [event.what for event in step.events if event.kind == "award"]
        bonus_ms = sum(event.amount for event in step.events if event.kind == "bonus")
        text = tr("{n} more seconds.", n=bonus_ms // 1000) if bonus_ms else ""
        self.panel.tool_label.setText(tr(WON[won[0]]) if won else text)
        if session.run.state.over:
            self._show_over()
        elif step.trophy:
            self._show_message(trophy_message(session.spec, step.trophy))
            self._praise.start()
        elif not self._praise.isActive():
            self._show_message(None)
        self.changed.emit()

    def _show_message(self, message: Message | None) -> None:
        self.panel.show_message(message)
        if message:
            self.frame.scroll_to_top()
        self._enable()

    def _show_over(self) -> None:
        session = self.session
        if session:
            self._clock.stop()
            run = session.run
            may_use = any(run.rules.tool_cells(run.state, name) for name in TOOLS)
            text = over_message(session.spec, run.state, run.is_assisted, may_use_tool=may_use)
            self._show_message(text)
            self.panel.show_record(session.spec, session.slot.record)

    def _show_position(self) -> None:
        session = self.session
        if session is None:
            return
        view = session.view()
        self.board.show_view(view)
        self._show_figures(view, None)
        self.panel.show_record(session.spec, session.slot.record)
        mode = trc("mode", "Hard") if session.slot.hard else trc("mode", "Normal")
        self.mode_label.setText(listed([mode, tr("today's run")]) if session.run.day else mode)
        self._show_state()

    def _show_state(self) -> None:
        """Show that the run is over, or else the rules."""
        if self.session and self.session.run.state.over:
            self._show_over()
        else:
            self._show_message(None)

    def _end_praise(self) -> None:
        if not (self.is_watching or self.aim.tool or self.panel.notice.offers(KEEP)):
            self._show_state()

    def _show_figures(self, view: View, gained: int | None) -> None:
        session = self.session
        if session is None:
            return
        self.score.show_value(view.score, gained)
        best = session.slot.record.best_score
        self.best.show_value(best)
        self.best.setVisible(best > view.score)
        self.panel.show_best(session.spec, session.slot.record)
        self.panel.show_view(view)
        self._show_time()
        if view.time_left_ms is not None and not self._clock.isActive() and self.isVisible():
            self._clock.start()
        self.board.setAccessibleDescription(board_text(view))
        self._enable()

    def _show_time(self) -> None:
        session = self.session
        if session is None:
            return
        step = session.tick()
        self.panel.show_time(session.time_left_ms())
        if step:
            self._show_step(step)

    def _show_aim(self) -> None:
        tool = self.aim.tool
        self.panel.show_tool(tool)
        self.actions_by_name["back"].setIconText(tr("Put away") if tool else tr("Go back"))
        if tool:
            self._show_message(Message(self.actions_by_name[tool].iconText(), self.aim.text))
        else:
            self._show_state()
        cursor, view = self.board.cursor_cell, self.board.view
        if cursor is not None and view:
            self.board.setAccessibleDescription(cell_text(view, cursor))
        self._enable()

    def _enable(self) -> None:
        self.actions_by_name.enable()
        self.panel.show_usable([name for name in TOOLS if self.actions_by_name[name].isEnabled()])
        self._strip.setVisible(self.is_watching)

    def _declared(self) -> list[PageAction]:
        def is_playing() -> bool:
            # From another page the command palette first shows this page, from the gallery not.
            return self.session is not None and not self.is_watching and not self.isHidden()

        def can_move() -> bool:
            return is_playing() and self.session is not None and not self.session.run.state.over

        def has_arrows() -> bool:
            return can_move() or self.is_watching or self.aim.tool is not None

        def can_undo() -> bool:
            return is_playing() and self.session is not None and self.session.run.can_undo

        def can_peek() -> bool:
            view = self.board.view
            return can_move() and view is not None and view.peeks_left is not None

        def can_use() -> bool:
            has_button = is_playing() and bool(self.panel.notice.buttons)
            return self.aim.tool is not None or has_button

        def kind(name: str, text: str, icon_name: str, key: str) -> PageAction:
            return PageAction(name, text, partial(self.begin, name), is_playing, icon_name, 1, key)

        def tool(name: str, text: str, icon_name: str) -> PageAction:
            take, can_take = partial(self._take_tool, name), partial(self._can_take, name)
            return PageAction(name, text, take, can_take, icon_name)

        return [
            PageAction("undo", tr("Undo"), self._undo, can_undo, "undo", 1, repeats=True),
            kind("new_run", tr("New"), "refresh", "new"),
            kind("same_run", tr("Again"), "repeat", "again"),
            kind("daily", tr("Today's run"), "calendar", "daily"),
            tool("bomb", tr("Bomb: remove a tile"), "bomb"),
            tool("glove", tr("Glove: move a tile to an empty cell"), "glove"),
            tool("twist", tr("Twist: turn four tiles clockwise"), "twist"),
            PageAction(
                "peek", tr("Look under the cover"), lambda: self._peek(True), can_peek, "peek"
            ),
            PageAction(
                "use", tr("Use the tool here, or confirm"), self._confirm, can_use, key="best"
            ),
            PageAction(
                "watch",
                tr("Play or stop the run"),
                self._toggle_watch,
                lambda: self.is_watching,
                "play",
                key="run",
            ),
            PageAction(
                "back",
                tr("Put the tool away, or go back"),
                self._back,
                lambda: not self.isHidden(),
                "back",
                0,
                "stop",
                tr("Go back"),  # "Back" is a step back in a game
            ),
            *move_actions(self._move, has_arrows),
        ]

    def _can_take(self, tool: str) -> bool:
        session = self.session
        if session is None or self.is_watching or not self.isVisible():
            return False
        run = session.run
        return run.state.over != "time" and bool(run.rules.tool_cells(run.state, tool))

    def _ask_to_watch(self, run: FinishedRun) -> None:
        session, folder = self.session, self._folder
        if session is None or self._is_busy or folder is None:
            return
        game, hard, adversary = session.spec.name, session.slot.hard, self._adversary

        def play() -> tuple[MinigameRun, list[State]] | None:
            path = find_replay(folder, game, hard, run)
            return play_again(load_replay(path), adversary) if path else None

        self._is_busy = True
        self._thoughts.run(play, lambda replayed: self._watch(session, replayed), self._failed)

    def _watch(
        self, session: MinigameSession, replayed: tuple[MinigameRun, list[State]] | None
    ) -> None:
        self._is_busy, self._waiting = False, None  # what was pressed meanwhile is not for later
        if session is not self.session or not self.isVisible():
            return
        if replayed is None:
            self.banners.show_message("warning", tr("The file of this run is gone."), key="problem")
            return
        self.aim.put_away()
        self._stop_time()
        self._watched_run, self._watched = replayed
        with QSignalBlocker(self.slider):
            self.slider.setRange(0, len(self._watched) - 1)
            self.slider.setValue(0)
        self._show_message(WATCHING)
        self._show_watched(0)
        self._toggle_watch()

    def _show_watched(self, place: int) -> None:
        run = self._watched_run
        if run and self._watched:
            view = run.rules.view(self._watched[place])
            self.board.show_view(view)
            self.panel.show_view(view)
            self.panel.show_time(view.time_left_ms)
            self.score.show_value(view.score)
            last = len(self._watched) - 1
            self.watch_label.setText(tr("{place:,} of {last:,}", place=place, last=last))

    def _step_watched(self, by: int) -> None:
        self.slider.setValue(self.slider.value() + by)

    def _toggle_watch(self) -> None:
        if not self.is_watching:
            return
        if self._watch_timer.isActive():
            self._watch_timer.stop()
        else:
            if self.slider.value() == self.slider.maximum():
                self.slider.setValue(0)
            self._watch_timer.start()
        self._name_watch()

    def _name_watch(self) -> None:
        runs = self._watch_timer.isActive()
        self.watch_button.setText(tr("Stop") if runs else trc("a recording", "Play"))
        self.watch_button.setIcon(icon("stop" if runs else "play"))

    def _watch_on(self) -> None:
        self._step_watched(1)
        if self.slider.value() == self.slider.maximum():
            self._watch_timer.stop()
            self._name_watch()

    def _leave_watching(self) -> None:
        self._watch_timer.stop()
        self._watched, self._watched_run = [], None
        self._enable()

    def _make_strip(self) -> QWidget:
        self.slider.setAccessibleName(tr("Move of the run"))
        focus_by_tab(self.slider)
        parts = self.watch_button, placed(self.slider, 1), self.watch_label, self.leave_button
        strip = laid_out(row(*parts, space=6))
        strip.hide()
        return strip

    def _lay_out(self) -> None:
        self.setFocusProxy(self.board)
        header = self.frame.header
        self.mode_label.setMinimumHeight(TITLE_PX)
        header.insertWidget(1, self.mode_label, 0, Qt.AlignmentFlag.AlignTop)
        for figure in (self.score, self.best):
            header.addWidget(figure, 0, Qt.AlignmentFlag.AlignTop)
        header.setSpacing(24)
        policy = self.best.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        self.best.setSizePolicy(policy)
        column(self.frame, parent=self)
        self.frame.take_banners(self.banners)

    def _connect(self) -> None:
        self.board.swiped.connect(self._move)
        self.board.clicked_at.connect(lambda _: self.board.setFocus())
        self.board.key_released.connect(self._end_peek)
        self.panel.peek_held.connect(self._peek)
        self.panel.peek_held.connect(lambda _: self.board.setFocus())
        self.panel.notice.remedy_clicked.connect(self._remedy)
        self.panel.watch_requested.connect(self._ask_to_watch)
        self.aim.chosen.connect(self._do)
        self.aim.changed.connect(self._show_aim)
        self.slider.valueChanged.connect(self._show_watched)
        for widget in (self.watch_button, self.leave_button):
            widget.clicked.connect(self.board.setFocus)
        self._clock.timeout.connect(self._show_time)
        self._watch_timer.timeout.connect(self._watch_on)
        self._praise.timeout.connect(self._end_praise)

    def _end_peek(self) -> None:
        session, view = self.session, self.board.view
        has_cover = view is not None and view.peeks_left is not None
        if session and has_cover and not self.is_watching and not self.board.is_moving:
            self.board.show_view(session.view())

    def _follow_setting(self, name: str, value: object) -> None:
        if name == "animation_ms" and isinstance(value, int | float):
            self.board.set_slide_ms(value)
