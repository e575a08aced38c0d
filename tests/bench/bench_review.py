"""How long Review keeps the window from the next key, with a game of 30,000 moves.

``python -m tests.bench.bench_review [--moves 30000] [--repeat 5]`` with QT_QPA_PLATFORM=offscreen:
the calls that a person's click makes on the GUI thread, painting not included.
"""

import argparse
import statistics
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QApplication

from coach.record.user_database import UserDatabase
from coach.recordings.comparison import compare
from coach.recordings.recording import Recording
from engine.formats.replay import Replay
from gui.play.services import PlayServices
from gui.review.page import ReviewPage
from gui.settings_model.settings import Settings
from gui.work.tasks import TaskRunner
from tests.coach.games import NamedTable, random_game


def long_recording(n: int) -> Recording:
    """Return a recording of `n` moves: many short games of random moves, one after the other."""
    positions, moves, seed = [], [], 0
    while len(moves) <= n:
        seed += 1
        game = random_game(200, seed=seed)
        positions += list(game.positions())[: len(game.moves)]
        moves += game.moves
    replay = Replay(positions[0], tuple(moves[:n]))
    rates = (*(move.rates for move in replay.moves), None)
    return Recording("Game", replay, tuple(positions[: n + 1]), rates).judge_all()


def ms(work: Callable[[], object], repeat: int) -> str:
    """Return the first and the median time of a call, events between them not counted."""
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        times.append((time.perf_counter() - start) * 1000)
        QApplication.processEvents()
    return f"first {times[0]:6.1f} ms, median {statistics.median(times):6.1f} ms"


def main() -> None:
    """Print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=30_000)
    parser.add_argument("--repeat", type=int, default=5)
    args = parser.parse_args()
    app, tasks = QApplication([]), TaskRunner(None, "bench")
    settings, table = Settings(None), NamedTable(rate="uint32")
    services = PlayServices(settings, lambda _: table, tasks, tasks, Path())
    page = ReviewPage(services, UserDatabase(Path("tests")), dict)
    page.resize(1280, 860)
    page.show()
    app.processEvents()
    recording = long_recording(args.moves)
    mark = page.panel.marked.least_loss_chosen.emit
    for name, work in (
        ("open a game", lambda: page.review(recording)),
        ("mark all", partial(mark, 0.0)),
        ("mark from 1 %", partial(mark, 0.01)),
        ("another position", lambda: page.go_to(page.game.position + 7)),
        ("compare (on the worker)", lambda: compare(recording, recording)),
    ):
        print(f"  {name:26}{ms(work, args.repeat)}")
    tasks.close()
    settings.close()


if __name__ == "__main__":
    main()
