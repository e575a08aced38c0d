"""Count what one key in Practice costs: ``python -m tests.bench.count_key_press TABLE``.

From the key to the rates on the screen, in the real window, with a real table: calls of Python
functions, of ours by thread, and the files that ours are in. Counting is exact where timing is not;
the time is the median of the moves without counting.
"""

import argparse
import os
import sys
import tempfile
import threading
import time
from collections import Counter
from pathlib import Path
from statistics import median
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

ROOT = Path(__file__).parents[2]
OURS = tuple(f"{ROOT / name}{os.sep}" for name in ("engine", "tablebase", "coach", "ai", "gui"))


class Calls:
    """Calls of functions of ours, by file and function, in all threads."""

    def __init__(self) -> None:
        self.gui: Counter[tuple[str, str]] = Counter()
        self.elsewhere: Counter[tuple[str, str]] = Counter()
        self.n_python = 0  # of any Python code
        self.is_asking = False  # the GUI thread now does the bench's own work
        self._thread = threading.get_ident()

    def note(self, frame: Any, event: str, _arg: Any) -> None:
        """Take note of a call."""
        is_gui = threading.get_ident() == self._thread
        if event != "call" or (is_gui and self.is_asking):
            return
        self.n_python += 1
        if frame.f_code.co_filename.startswith(OURS):
            where = self.gui if is_gui else self.elsewhere
            where[frame.f_code.co_filename.removeprefix(f"{ROOT}/"), frame.f_code.co_name] += 1


def main() -> int:
    """Play the best moves by the arrow keys; print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--moves", type=int, default=30)
    parser.add_argument("--list", action="store_true", help="print the calls of the last move")
    args = parser.parse_args()

    from PySide6.QtCore import QEventLoop, QTimer
    from PySide6.QtTest import QTest
    from PySide6.QtWidgets import QApplication

    from gui.play.page_actions import MOVES
    from gui.shell.app import Program

    app = QApplication(sys.argv[:1])
    counted: list[Calls] = []
    now: list[Calls | None] = [None]

    def profile(frame: Any, event: str, arg: Any) -> None:
        if now[0] is not None:
            now[0].note(frame, event, arg)

    threading.setprofile(profile)
    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    program = Program(app, Path(folder.name))
    program.window.resize(1200, 800)
    program.window.show()
    page = program.pages["Practice"]
    program.window.show_page(page)
    page.open_table(args.table)

    def wait(ready: Any) -> None:
        loop, timer = QEventLoop(), QTimer()
        timer.timeout.connect(lambda: loop.quit() if ready() else None)
        timer.start(0)
        loop.exec()

    def is_answered(other_than: int | None = None) -> bool:
        """Return whether a board has its rates; this check does not count."""
        if now[0]:
            now[0].is_asking = True
        step = page.game.step
        is_new = step is not None and not step.needs_spawn and step.board != other_than
        answered = is_new and page.game.answer is not None
        if now[0]:
            now[0].is_asking = False
        return answered

    wait(is_answered)
    is_quiet: list[bool] = []  # the window's background work after its start is over
    program.services.tasks.run(lambda: None, lambda _: is_quiet.append(True))
    wait(lambda: is_quiet)
    names = dict(zip(MOVES.values(), MOVES, strict=True))
    keys = {name: page.actions_by_name[name].shortcut()[0].key() for name in names.values()}
    seconds = []
    sys.setprofile(profile)
    for i in range(2 * args.moves):
        answer = page.game.answer
        if answer is None or answer.best is None or page.game.is_over or page.game.is_reached:
            page.playing.new_start()
            wait(is_answered)
            app.processEvents()
            continue
        board = page.game.step.board if page.game.step else 0
        is_counted = i % 2 == 0
        if is_counted:
            now[0] = Calls()
            counted.append(now[0])
        sys.setprofile(profile if is_counted else None)
        began = time.perf_counter()
        QTest.keyClick(page.board_view, keys[names[answer.best]])
        # no timer of ours in between: only what the window does by itself
        while not is_answered(board):
            app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        if not is_counted:
            seconds.append(time.perf_counter() - began)
        now[0] = None
        app.processEvents()
    sys.setprofile(None)
    totals = [(sum(c.gui.values()), sum(c.elsewhere.values())) for c in counted]
    files = [len({file for file, _ in (*c.gui, *c.elsewhere)}) for c in counted]
    gui, elsewhere = (median(part) for part in zip(*totals, strict=True))
    print(f"{median(c.n_python for c in counted):.0f} calls")
    print(f"of ours {gui:.0f} on the GUI thread, {elsewhere:.0f} elsewhere")
    print(f"{median(files):.0f} files")
    print(f"{median(seconds) * 1000:.2f} ms from key to rates")
    if args.list:
        last = counted[-1]
        for (file, name), n in (last.gui + last.elsewhere).most_common(80):
            print(f"{n:5} {file} {name}")
    program.close()
    folder.cleanup()
    return 0


if __name__ == "__main__":
    sys.exit(main())
