"""An AI that plays by itself: it thinks on a thread of its own, moves in its rhythm, and stops.

While one move is shown the next is computed, so the rhythm holds as long as a choice takes no
longer than the time between two moves. After `stop` no more moves arrive, even if the thread is
still working.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Qt, QTimer, Signal

from ai.choice import CHOOSERS, Choice, Chooser, ChooserKind
from gui.settings_model.settings_of_games import SPEEDS
from gui.work.garbage import without_collection
from gui.work.tasks import TaskRunner

_MIN_MS, _MAX_MS, _STEP_MS = 1.0, 250.0, 70.0  # a step must feel like a key press
_LEARNING, _MAX_OVERRUN = 0.05, 8.0
DEFAULT_SHARE = 0.5  # share of the time between two moves for thinking: the window needs some, too

_Which = tuple[str, float, tuple[Path, ...]]  # a player, the share of fours, folders of tables


class AutoPlayer(QObject):
    """Chooses one move on request, or move after move until stopped.

    `kinds` are sorted, the strongest first. Its task runner is its own; `share` is that of the time
    between two moves for thinking.
    """

    chosen = Signal(object)  # Choice, to be played by the receiver
    advised = Signal(object)  # Choice, just for display
    toggled = Signal(bool)
    loading = Signal(bool)  # the player must be created first, which takes seconds
    failed = Signal(object)  # Exception

    def __init__(
        self,
        tasks: TaskRunner,
        position: Callable[[], Sequence[int] | None],
        parent: QObject | None = None,
        kinds: Mapping[str, ChooserKind] = CHOOSERS,
        table_folders: Callable[[], Sequence[Path]] = tuple,
        share: float = DEFAULT_SHARE,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        super().__init__(parent)
        self._clock = clock
        self._tasks, self._position, self._kinds = tasks, position, kinds
        self._table_folders, self._share = table_folders, share
        self._choosers: dict[_Which, Chooser] = {}
        self.kind, self.speed, self.spawn4 = next(iter(kinds)), SPEEDS[0], 0.1
        self.is_running = self.is_loading = False
        self._is_advice = False  # the awaited move is only shown
        self._asked: object | None = None  # the request whose answer counts
        self._ready: Choice | None = None
        self._next_s = 0.0
        self._overrun = 1.0  # mean ratio of actual to requested time of a choice
        self._due = QTimer(self, singleShot=True, timerType=Qt.TimerType.PreciseTimer)
        self._due.timeout.connect(self._deliver)

    @property
    def mover(self) -> str:
        """The kind that chooses now; for one move, called the best, a weak one gives way."""
        is_strong = self.is_running or bool(self._kinds[self.kind].tables)
        return self.kind if is_strong else next(iter(self._kinds))

    @property
    def is_busy(self) -> bool:
        return self._asked is not None

    def start(self) -> None:
        if not self.is_running and self._position() is not None:
            self.stop()
            self.is_running = True
            self._next_s = 0.0
            self.toggled.emit(True)
            self._ask()

    def step(self) -> None:
        """Choose one move, unless one is awaited already."""
        self._ask_once(is_advice=False)

    def advise(self) -> None:
        """Request the move it would make, unless a move is awaited already."""
        self._ask_once(is_advice=True)

    def _ask_once(self, is_advice: bool) -> None:
        if self._is_advice and not is_advice:
            self.stop()  # a move has priority over advice
        if not self.is_busy and self._position() is not None:
            self._next_s = 0.0
            self._ask(is_advice)

    def stop(self) -> None:
        self._due.stop()
        is_thinking = self._asked is not None
        self._asked = self._ready = None  # first: a chooser that has not begun yet checks this
        if is_thinking:
            for chooser in tuple(self._choosers.values()):
                chooser.stop()
        self._show_loading(False)
        if self.is_running:
            self.is_running = False
            self.toggled.emit(False)

    def release(self) -> None:
        """Stop, and close the open tables until a move is requested again."""
        self.stop()
        self._tasks.run(self._close_files, lambda _: None)

    def _close_files(self) -> None:
        """Run on the thread."""
        for chooser in self._choosers.values():
            chooser.release()

    def _ask(self, is_advice: bool = False) -> None:
        cells = self._position()
        if cells is None:
            self.stop()
            return
        self._asked, self._is_advice = (question := object()), is_advice
        which = self.mover, self.spawn4, tuple(self._table_folders())
        ms = self._think_ms()
        self._show_loading(which not in self._choosers)
        self._tasks.run(
            lambda: self._choose(which, tuple(cells), ms, lambda: self._asked is not question),
            lambda choice: self._take(question, choice),
            lambda error: self._give_up(question, error),
        )

    def _show_loading(self, is_loading: bool) -> None:
        if is_loading != self.is_loading:
            self.is_loading = is_loading
            self.loading.emit(is_loading)

    def _think_ms(self) -> float:
        if not self.is_running:
            return _STEP_MS
        return min(_MAX_MS, max(_MIN_MS, self._share * 1000 / self.speed))

    def _choose(
        self, which: _Which, cells: Sequence[int], ms: float, is_cancelled: Callable[[], bool]
    ) -> Choice:
        """Run on the thread."""
        chooser = self._choosers.get(which)
        if chooser is None:
            kind, spawn4, folders = which
            self._forget_others(which)
            with without_collection():
                chooser = self._kinds[kind].make(folders, spawn4)
            self._choosers[which] = chooser
        began = self._clock()
        choice = chooser.choose(cells, ms / max(1.0, self._overrun), is_cancelled)
        taken = 1000 * (self._clock() - began) * max(1.0, self._overrun) / ms
        self._overrun += _LEARNING * (min(taken, _MAX_OVERRUN) - self._overrun)
        return choice

    def _forget_others(self, which: _Which) -> None:
        """Drop players of another game or other tables: they are large."""
        for other in [one for one in self._choosers if one[1:] != which[1:]]:
            self._choosers.pop(other).release()

    def _take(self, question: object, choice: Choice) -> None:
        if question is not self._asked:
            return
        self._show_loading(False)
        self._ready = choice
        wait_s = self._next_s - self._clock()
        if wait_s > 0.001:
            self._due.start(round(wait_s * 1000))
        else:
            self._deliver()

    def _deliver(self) -> None:
        choice, self._ready, self._asked = self._ready, None, None
        if choice is None:
            return
        if self._is_advice:
            self.advised.emit(choice)
            return
        # Counted from the due time, so that delays don't add up; but never catch up for one.
        now, interval = self._clock(), 1 / self.speed
        late_s = now - self._next_s
        self._next_s = (self._next_s if late_s < interval else now) + interval
        self.chosen.emit(choice)
        if self.is_running and self._asked is None:
            self._ask()

    def _give_up(self, question: object, error: BaseException) -> None:
        if question is self._asked:
            self.stop()
            self.failed.emit(error)
