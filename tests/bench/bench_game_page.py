"""Whether the window stays smooth while the player plays, and stops when asked.

python -m tests.bench.bench_game_page [--moves 2000] [--speed 30] [--difficulty 0] [--show]
                                      [--tables DIR] [--position HEX]

The whole window runs, hidden unless --show. A timer that is due every 5 ms shows for how long the
window could not draw; the time of a frame is the longest such gap around it. A gap consists of
work of the window's thread, of waiting for a processor that other programs use (Linux reports how
much), and of waiting for the rest of this program; "of our own" is all but the second: the gap on
an idle machine. Gaps over 50 ms are printed one by one.

After the moves the player is stopped ten times in the middle of a long thought, and the time until
it is silent and its thread is free is measured. Everything is warmed up before; the first
start is printed separately. With --tables the player "tables" has those in the folder DIR; with a
--position that they cover it looks up every move (the position is set again after the game).
"""

import argparse
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from PySide6.QtCore import QEventLoop, Qt, QTimer
from PySide6.QtWidgets import QApplication

from gui.settings_model.settings_of_games import SPEEDS
from gui.shell.app import Program

SCHEDULER = Path("/proc/self/schedstat")  # of the window's thread, which is the first
_BEAT_MS = 5
_LIMIT_MS = 50.0


class Gap(NamedTuple):
    """How long the event loop was blocked: in all, working, waiting for a processor; in ms."""

    clock: float
    work: float
    queue: float

    @property
    def own(self) -> float:
        """The gap without other programs."""
        return self.clock - self.queue


class Pulse:
    """Records how long the event loop was blocked, and why."""

    def __init__(self) -> None:
        self.gaps: list[Gap] = []
        self._last = self._now()
        self._timer = QTimer()
        self._timer.setTimerType(Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start(_BEAT_MS)

    def take(self) -> list[Gap]:
        """Return the gaps since the last call, and start over."""
        taken, self.gaps = self.gaps, []
        return taken

    def _now(self) -> Gap:
        queue_ns = 0
        if SCHEDULER.exists():
            queue_ns = int(SCHEDULER.read_text().split()[1])
        return Gap(1000 * time.perf_counter(), 1000 * time.thread_time(), queue_ns / 1e6)

    def _beat(self) -> None:
        now, last = self._now(), self._last
        self.gaps.append(Gap(*(a - b for a, b in zip(now, last, strict=True))))
        self._last = now


def wait_until(is_done: Callable[[], bool], seconds: float) -> bool:
    """Run the event loop until a condition holds; return whether it did in time."""
    loop, until = QEventLoop(), time.monotonic() + seconds
    timer = QTimer()
    timer.timeout.connect(lambda: loop.quit() if is_done() or time.monotonic() > until else None)
    timer.start(2)
    loop.exec()
    return is_done()


def report(name: str, gaps: list[Gap]) -> None:
    """Print the sums of the gaps: wall time, our own, and work."""
    kinds = {"by the clock": "clock", "of our own": "own", "at work": "work"}
    for words, kind in kinds.items():
        ordered = sorted(getattr(gap, kind) for gap in gaps)
        over = sum(gap > _LIMIT_MS for gap in ordered)
        p999 = ordered[int(len(ordered) * 0.999)]
        print(
            f"{name}, {words}: longest gap {ordered[-1]:.1f} ms, 99.9 % below {p999:.1f} ms, "
            f"{over} over {_LIMIT_MS:.0f} ms"
        )
    for gap in gaps:
        if gap.own > _LIMIT_MS:
            blocked = gap.own - gap.work
            print(
                f"  {gap.own:.0f} ms: {gap.work:.0f} at work, {blocked:.0f} waiting for ourselves"
            )


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=2000)
    parser.add_argument("--speed", type=int, default=30, choices=SPEEDS)
    parser.add_argument("--difficulty", type=int, default=0)
    parser.add_argument("--show", action="store_true")
    parser.add_argument("--tables", type=Path)
    parser.add_argument("--position")
    args = parser.parse_args()
    if not args.show:
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        if args.tables:
            (Path(folder) / "tables").symlink_to(args.tables.resolve(), target_is_directory=True)
        program = Program(app, Path(folder))
        window, page = program.window, program.pages["Game"]
        window.resize(1280, 860)
        window.show()
        window.show_page(page)
        pulse = Pulse()
        assert wait_until(lambda: page.session is not None, 10)
        if args.position:
            page._set_hex(args.position)
        page.panel.speed_slider.setValue(SPEEDS.index(args.speed))
        page.panel.hard_slider.setValue(args.difficulty)
        pulse.take()
        page.auto.step()
        assert wait_until(lambda: not page.auto.is_busy, 120)
        report("first move (loads the player)", pulse.take())
        wait_until(lambda: False, 10)
        report("while nothing happens", pulse.take())
        made = 0
        began = time.monotonic()
        while made < args.moves:
            page.auto.start()
            before, wanted = page.session.game.n_moves, args.moves - made
            wait_until(
                lambda b=before, w=wanted: (
                    page.session.game.n_moves - b >= w or not page.auto.is_running
                ),
                600,
            )
            page.auto.stop()
            made += page.session.game.n_moves - before
            if page.session.is_over:
                page._new_game()
                if args.position:
                    page._set_hex(args.position)
        seconds = time.monotonic() - began
        print(f"{made} moves in {seconds:.1f} s: {made / seconds:.1f} a second")
        report("while it plays", pulse.take())
        print(f"score {page.session.game.score}, {page.session.game.n_moves} moves")
        page._new_game()
        stops = [time_a_stop(page) for _ in range(10)]
        print(f"stop: median {statistics.median(stops):.1f} ms, longest {max(stops):.1f} ms")
        program.close()


def time_a_stop(page) -> float:  # type: ignore[no-untyped-def]
    """Return the ms from stopping a thought of a minute to the thread being free."""
    page.auto._think_ms = lambda: 60_000.0
    page.auto.start()
    wait_until(lambda: False, 0.3)
    freed: list[float] = []
    began = time.perf_counter()
    page.auto.stop()
    assert not page.auto.is_busy
    page._tasks.run(lambda: None, lambda _: freed.append(time.perf_counter()))
    assert wait_until(lambda: bool(freed), 30)
    return 1000 * (freed[0] - began)


if __name__ == "__main__":
    main()
