"""Whether Practice keeps up with a fast typist.

python -m tests.bench.bench_practice TABLE [--moves 300] [--rate 30] [--tab play|why|line] [--show]

The whole window runs, hidden unless --show, on the table in a folder. Keys are pressed so often
a second, each the direction of a legal move. Prints: the work of the GUI thread for one key press
(all that happens before the next event can be handled), for any one event (painting, answers of the
worker, timers), in wall time and in the thread's own time, which counts on a machine with other
users; and the time from the last key until its own rates are on the page.
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QEvent, QEventLoop, QObject, Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from gui.practice.page import PracticePage
from gui.shell.app import Program

_LIMIT_MS = 16.0
_KEYS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
Spent = tuple[float, float]  # ms by the clock, ms at work


class TimedApplication(QApplication):
    """Records the cost of each event; nested events count only for the outer one."""

    def __init__(self) -> None:
        super().__init__([])
        self.events: list[tuple[str, Spent]] = []
        self._depth = 0

    def notify(self, receiver: QObject, event: QEvent) -> bool:
        """Deliver an event and note the time."""
        kind = event.type()
        clock, cpu = time.perf_counter(), time.thread_time()
        self._depth += 1
        try:
            return super().notify(receiver, event)
        finally:
            self._depth -= 1
            if self._depth == 0:
                spent = (1000 * (time.perf_counter() - clock), 1000 * (time.thread_time() - cpu))
                self.events.append((kind.name, spent))


class Typist(QObject):
    """Presses a key at every tick and times it.

    A tick that comes late because the machine was busy is not made up for.
    """

    def __init__(self, page: PracticePage, moves: int, rate: float) -> None:
        super().__init__()
        self._page, self._left = page, moves
        self.presses: list[Spent] = []
        self.is_done = False
        self._timer = QTimer(self)
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._press)
        self._timer.start(round(1000 / rate))

    def _press(self) -> None:
        session = self._page.game.session
        if session is None:
            return
        legal = session.legal_moves()
        key = _KEYS[legal[len(self.presses) % len(legal)]] if legal else Qt.Key.Key_Home
        if self._page.game.is_reached:
            key = Qt.Key.Key_Home
        answer = self._page.game.answer
        if answer and answer.best is not None and key is not Qt.Key.Key_Home:
            key = _KEYS[answer.best]
        clock, cpu = time.perf_counter(), time.thread_time()
        QTest.keyClick(self._page.board_view, key)
        self.presses.append(
            (1000 * (time.perf_counter() - clock), 1000 * (time.thread_time() - cpu))
        )
        self._left -= 1
        if self._left == 0:
            self._timer.stop()
            self.is_done = True


def wait_until(is_done: Callable[[], bool], seconds: float) -> bool:
    """Run the event loop until a condition holds; return whether it did in time."""
    loop, until = QEventLoop(), time.monotonic() + seconds
    timer = QTimer()
    timer.timeout.connect(lambda: loop.quit() if is_done() or time.monotonic() > until else None)
    timer.start(1)
    loop.exec()
    return is_done()


def report(name: str, spent: list[Spent]) -> None:
    """Print the costs of events."""
    for column, what in enumerate(("by the clock", "at work")):
        ordered = sorted(one[column] for one in spent)
        over = sum(one > _LIMIT_MS for one in ordered)
        print(
            f"{name}, {what}: median {statistics.median(ordered):.2f} ms, "
            f"99 % below {ordered[int(len(ordered) * 0.99)]:.2f} ms, max {ordered[-1]:.2f} ms, "
            f"{over} of {len(ordered)} over {_LIMIT_MS:.0f} ms"
        )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--moves", type=int, default=300)
    parser.add_argument("--rate", type=float, default=30)
    parser.add_argument("--tab", choices=("play", "why", "line"), default="play")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    if not args.show:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = TimedApplication()
    with tempfile.TemporaryDirectory() as folder:
        program = Program(app, Path(folder))
        window, page = program.window, program.pages["Practice"]
        window.resize(1280, 860)
        window.show()
        program.request("practice_requested", args.table)
        assert wait_until(lambda: page.game.answer is not None, 30), "the table does not open"
        page.panel.show_tab(args.tab)
        wait_until(lambda: False, 0.5)
        app.events.clear()
        typist = Typist(page, args.moves, args.rate)
        assert wait_until(lambda: typist.is_done, 60 + args.moves / args.rate)
        ended = time.perf_counter()
        assert wait_until(lambda: page.game.answer is not None, 30)
        print(f"rates of the last position: {1000 * (time.perf_counter() - ended):.1f} ms later")
        report(f"key press ({args.tab})", typist.presses)
        report("any event", [spent for _, spent in app.events])
        slowest = sorted(app.events, key=lambda one: one[1][1])[-3:]
        print("slowest events, ms at work:", [(k, round(s[1], 1)) for k, s in slowest])
        program.close()


if __name__ == "__main__":
    main()
