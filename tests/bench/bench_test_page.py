"""Whether the test page answers keys within a frame: python -m tests.bench.bench_test_page TABLE

TABLE is the folder of a table. Moves are played, most of them the best ones; then a long test ends,
and a history of 3,000 tests is opened. All figures are the GUI thread's own processor time,
as wall time on a busy machine includes other programs.
"""

import argparse
import json
import os
import random
import sqlite3
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from pathlib import Path

from PySide6.QtCore import QEventLoop, QTimer
from PySide6.QtWidgets import QApplication

from coach.exam.history import FinishedTest, History, summary_of
from coach.play.rules import End
from coach.play.run import Run
from coach.play.setup import Setup
from coach.record.user_database import UserDatabase
from engine.bitboard import cells
from gui.shell.app import Program
from tests.coach.made_sessions import list_test

_N_TESTS, _LONG = 3000, 4000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--moves", type=int, default=600)
    args = parser.parse_args()
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    app = QApplication([])
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        values = {"table_folders": [str(args.table.parent)], "test.last_table": str(args.table)}
        (data / "settings.json").write_text(json.dumps({"version": 1, "values": values}))
        fill_history(data)
        program = Program(app, data)
        program.window.resize(1280, 860)
        program.window.show()
        program.start()
        program.window.show_page(program.pages["Test"])
        measure(app, program, args.moves)
        program.close()


def measure(app: QApplication, program: Program, n_moves: int) -> None:
    page, chance = program.pages["Test"], random.Random(1)
    wait_until(lambda: page.player.answer is not None)
    presses, frames, waits = [], [], []
    for _ in range(n_moves):
        if not page.player.is_playing:
            page.starts.restart()
        asked = time.perf_counter()
        wait_until(lambda: page.player.answer is not None)
        waits.append(1000 * (time.perf_counter() - asked))
        answer = page.player.answer
        if answer is None or answer.best is None or not page.player.is_playing:
            continue
        legal = [d for d in range(4) if answer.rates[d] is not None]
        direction = answer.best if chance.random() < 0.95 else chance.choice(legal)
        presses.append(at_work(lambda d=direction: page.press(d)))
        frames.append(at_work(app.processEvents))
    report("a key", presses)
    report("the frame after it", frames)
    report("waiting for the table, by the clock", waits)
    long = long_test()
    print(f"result of {_LONG} moves: {at_work(lambda: page.panel.result.show_result(long)):.1f} ms")
    shown = page.history.show_tests
    page.history.show_tests = lambda *a: print(  # type: ignore[method-assign]
        f"list of {_N_TESTS} tests: {at_work(lambda: shown(*a)):.1f} ms"
    )
    print(f"turning to the history: {at_work(lambda: page.show_list(True)):.1f} ms")
    wait_until(lambda: bool(page.history.list.model.rows))


def at_work(do: Callable[[], object]) -> float:
    before = time.thread_time()
    do()
    return 1000 * (time.thread_time() - before)


def report(name: str, times_ms: list[float]) -> None:
    ordered = sorted(times_ms)
    middle, high = ordered[len(ordered) // 2], ordered[int(len(ordered) * 0.99)]
    print(f"{name}: median {middle:.2f} ms, 99 % below {high:.2f} ms, most {ordered[-1]:.2f} ms")


def wait_until(is_done: Callable[[], bool]) -> None:
    loop, timer = QEventLoop(), QTimer()
    timer.timeout.connect(lambda: loop.quit() if is_done() else None)
    timer.start(1)
    if not is_done():
        loop.exec()


def long_test() -> Run:
    now, start = datetime.now(timezone.utc), 0x1100_0000_0000_0000
    session = Run(Setup("L3_512", 512, 0.1, "uint32", 1, start), now)
    while session.n_moves < _LONG:
        rates = tuple((0.499, 0.5, 0.5, 0.5)[d] if session.is_legal(d) else None for d in range(4))
        if any(rates):
            session.play(next(d for d in range(4) if rates[d]), rates)
        else:
            session._positions[-1] = tuple(cells(start))
    session.finish(End.LOST, now)
    return session


def fill_history(data: Path) -> None:
    session = long_test()
    one = summary_of(session, "x", datetime.now(timezone.utc))
    history = History(UserDatabase(data))
    connection: sqlite3.Connection = history.connection
    connection.execute("PRAGMA synchronous = OFF")
    for i in range(_N_TESTS):
        list_test(history, numbered(one, i))
    history.close()


def numbered(test: FinishedTest, i: int) -> FinishedTest:
    return replace(test, name=f"{i}.json", ended=test.ended - timedelta(hours=i), seed=i)


if __name__ == "__main__":
    main()
