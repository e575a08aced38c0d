"""How fast the window changes its looks: ``python -m tests.bench.bench_switching [--rounds 20]``.

Light and dark, palettes of tiles, pages, languages: how long a key would have to wait at most,
until the picture of the page in front is there. Prints the least, the median and the 95th
percentile in ms of the thread's processor time, which a busy machine changes little.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication

from gui.shell.app import Program
from gui.shell.main_window import MainWindow

_PAUSE_MS = 1000  # until the pages behind have their new colors, too


def longest(app: QApplication, window: MainWindow, work: Callable[[], object]) -> float:
    """Return the ms of the longest turn of the event loop from the choice to the picture."""
    turns = [work, app.processEvents, app.processEvents]  # the first ones start what follows
    most = 0.0
    while turns or window.is_held:
        turn = turns.pop(0) if turns else app.processEvents
        began = time.thread_time()
        turn()
        most = max(most, (time.thread_time() - began) * 1000)
    began = time.thread_time()
    window.repaint()
    return max(most, (time.thread_time() - began) * 1000)


def main() -> None:
    """Switch, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=20)
    args = parser.parse_args()
    app = QApplication(sys.argv[:1])
    with tempfile.TemporaryDirectory() as folder:
        program = Program(app, Path(folder))
        window, settings = program.window, program.services.settings
        window.resize(1280, 800)
        window.show()
        pages = [window.stack.widget(i).title for i in range(window.stack.count())]
        palettes = list(program.services.themes.palettes)
        steps: list[tuple[str, Callable[[], object]]] = []
        for i in range(args.rounds + 1):
            shade = ("dark", "light")[i % 2]
            steps.append(("light and dark", lambda s=shade: settings.set("theme", s)))
            palette = palettes[i % len(palettes)]
            steps.append(("palette", lambda p=palette: settings.set("tile_palette", p)))
            page = pages[i % len(pages)]
            steps.append(("page", lambda p=page: window.show_page_named(p)))
            code = ("zh_CN", "en")[i % 2]
            steps.append(("language", lambda c=code: settings.set("language", c)))
        times: dict[str, list[float]] = {}

        def step() -> None:
            if not steps:
                app.exit(0)
                return
            name, work = steps.pop(0)
            times.setdefault(name, []).append(longest(app, window, work))
            QTimer.singleShot(_PAUSE_MS, step)

        QTimer.singleShot(1000, step)
        app.exec()  # only then do other colors reach all widgets
        program.close()
    for name, found in times.items():
        later = sorted(found[1:])
        p95 = later[min(len(later) - 1, len(later) * 95 // 100)]
        print(f"{name}: least {later[0]:.0f}, median {statistics.median(later):.0f}, p95 {p95:.0f}")


if __name__ == "__main__":
    main()
