"""How long the Mistakes page takes with 50,000 mistakes: to open, to name the next one of a drill.

``python -m tests.bench.bench_mistakes [--n 50000] [--repeat 5]`` with QT_QPA_PLATFORM=offscreen.
Opening is from the click to the first painted frame with rows in it, or with a board; the window
process does nothing else meanwhile, and the file was written before.
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from pathlib import Path

import numpy as np
from PySide6.QtCore import QCoreApplication
from PySide6.QtWidgets import QApplication

from coach.days import Today
from coach.grading.grade import grade_of
from coach.mistakes.drill import Drill, Weighting
from coach.mistakes.mistake import Attempt, TableKey
from coach.mistakes.mistakes import Mistakes
from coach.mistakes.query import Query
from coach.mistakes.record import Record, add_records
from coach.record.user_database import UserDatabase
from engine.bitboard import parse_board
from engine.spawn import Rng
from gui.mistakes.layout import DRILL, LIST, PROGRESS
from gui.mistakes.page import MistakesPage
from gui.play.services import PlayServices
from gui.settings_model.settings import Settings
from gui.work.mistake_service import MistakeService
from gui.work.tasks import TaskRunner
from tablebase.library.opening import open_table

NOW = datetime(2026, 6, 1, 12, tzinfo=timezone.utc)
TABLES = ("L3_512", "442_512", "t_512", "4432_2048")


def fill(path: Path, n: int) -> None:
    """Write a database of `n` mistakes, a third of them drilled."""
    rng = np.random.default_rng(5)
    mistakes = Mistakes(UserDatabase(path.parent))
    boards = rng.integers(0, 1 << 63, 2 * n, dtype=np.uint64)
    records = []
    for at, board in enumerate(boards):
        loss = float(rng.random() ** 3)
        attempts = tuple(
            Attempt(NOW - timedelta(days=float(rng.random() * 300)), 1, loss, grade_of(1 - loss),
                    f"test {at % 900}", int(rng.integers(1, 300)))
            for _ in range(int(rng.integers(1, 4)))
        )  # fmt: skip
        key = TableKey(TABLES[at % len(TABLES)], 0.1)
        total = loss * len(attempts)
        records.append(
            Record(key, int(board), (0,), len(attempts), total, loss, rates=(0.9, 0.8, 0.7, None),
                   attempts=attempts, grade=grade_of(1 - loss))
        )  # fmt: skip
        if len(records) == n:
            break
    add_records(mistakes, records)
    drill = Drill(mistakes, new_per_day=10**9)
    with mistakes.writing() as db:  # as if drilled: all at once, which `answer` would not do
        card = drill_card()
        due = int((NOW - timedelta(days=10)).timestamp() * 1e6)
        db.execute("UPDATE mistake SET card = ?, due = ? + id * 30000000 WHERE id % 3 = 0",
                   (card, due))  # fmt: skip
    assert mistakes.count() >= n * 0.99, mistakes.count()
    assert drill.next_due(Today(NOW, NOW)) is not None
    mistakes.close()


def drill_card() -> str:
    """Return a card that was answered once."""
    import fsrs

    card = fsrs.Card(card_id=1, due=NOW)
    after, _ = fsrs.Scheduler(enable_fuzzing=False).review_card(
        card, fsrs.Rating.Good, NOW - timedelta(days=20)
    )
    return after.to_json()


def ms(work: Callable[[], object], repeat: int) -> str:
    """Return the median and the largest time of a call, and the median of what it computed."""
    walls, cpus = [], []
    for _ in range(repeat):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        walls.append((time.perf_counter() - wall) * 1000)
        cpus.append((time.process_time() - cpu) * 1000)
    wall_ms, cpu_ms = statistics.median(walls), statistics.median(cpus)
    return f"{wall_ms:7.1f} ms   (largest {max(walls):.1f}; computing {cpu_ms:.1f})"


def wait(until: Callable[[], bool]) -> None:
    """Let Qt work until a condition holds."""
    while not until():
        QCoreApplication.processEvents()
        time.sleep(0.0005)  # a loop that never sleeps would keep the worker from its work


def make_page(
    store: MistakeService, settings: Settings, tasks: TaskRunner, folder: Path
) -> MistakesPage:
    """Return a page on a database; it opens no table."""
    services = PlayServices(settings, open_table, tasks, tasks, folder, rng=Rng(1), now=lambda: NOW)
    return MistakesPage(services, store)


def open_page(path: Path, view: str) -> None:
    """Make the page on a database, show a view, wait until it is filled and painted."""
    tasks = TaskRunner(None, "bench")
    settings, book = Settings(None), MistakeService(UserDatabase(path.parent), tasks)
    page = make_page(book, settings, tasks, path.parent)
    page.resize(1100, 760)
    page.show_view(view)
    page.show()
    page.page_shown()
    filled = {
        LIST: lambda: page.list.mistake is not None,
        DRILL: lambda: page.run.question is not None,
        PROGRESS: lambda: page.progress.figures["Positions"].value_label.text() != "\u2013",
    }[view]
    wait(filled)
    page.grab()
    tasks.close()
    book.close()
    settings.close()
    page.deleteLater()
    QCoreApplication.processEvents()


def bench_core(path: Path, repeat: int) -> None:
    """Time the questions that the page asks, without the page."""
    mistakes = Mistakes(UserDatabase(path.parent))
    drill, today = Drill(mistakes), Today(NOW, NOW - timedelta(hours=12))
    some = mistakes.ids()[:100]
    board = parse_board(f"{mistakes.get(some[:1])[some[0]].board:016x}")
    one = mistakes.get(some[:1])[some[0]]
    rng = np.random.default_rng(1)
    clock = iter(NOW + timedelta(seconds=i) for i in range(10_000))
    for name, work in (
        ("all ids, latest first", lambda: mistakes.ids()),
        ("all ids, by grade and loss", lambda: mistakes.ids(Query(sort="grade"))),
        ("a position by hex", lambda: mistakes.ids(Query(board=f"{board:016x}"))),
        ("some digits", lambda: mistakes.ids(Query(board="1a2"))),
        ("a hundred rows", lambda: mistakes.get(some)),
        ("next that is due", lambda: mistakes.get([drill.next_due(today) or 0])),
        ("how many are due", lambda: drill.count_due(today)),
        ("an answer", lambda: drill.answer(one.id, 0, next(clock), 2.0)),
        ("a weighted queue of 1,000", lambda: drill.queue(Weighting.BOTH, rng)),
        ("progress by table", lambda: drill.progress(today)),
    ):
        print(f"  {name:28}{ms(work, repeat)}")
    mistakes.close()


def bench_next(path: Path, repeat: int) -> None:
    """Time from the key for the next board to that board, through the page and its thread."""
    tasks = TaskRunner(None, "bench")
    settings, book = Settings(None), MistakeService(UserDatabase(path.parent), tasks)
    page = make_page(book, settings, tasks, path.parent)
    page.show_view(DRILL)
    page.show()
    for mode in ("due", "both"):
        page.drill_panel.mode_chosen.emit(mode)
        wait(lambda: page.run.question is not None and not page.run.is_waiting)

        def go_on() -> None:
            before = page.run.question
            page.drill.next_question()
            wait(lambda: page.run.question is not before)

        print(f"  next mistake, mode {mode:10}{ms(go_on, repeat)}")
    tasks.close()
    book.close()
    settings.close()


def main() -> None:
    """Fill a database, then time."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--n", type=int, default=50_000)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    app = QApplication.instance() or QApplication([])
    assert app
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "user.db"
        started = time.perf_counter()
        fill(path, args.n)
        print(f"{args.n:,} mistakes, {path.stat().st_size / 1e6:.0f} MB, written in "
              f"{time.perf_counter() - started:.1f} s")  # fmt: skip
        print("questions")
        bench_core(path, args.repeat)
        print("the page, made anew and shown")
        for view in (LIST, DRILL, PROGRESS):
            print(f"  {view:28}{ms(lambda view=view: open_page(path, view), args.repeat)}")
        bench_next(path, 4 * args.repeat)


if __name__ == "__main__":
    main()
