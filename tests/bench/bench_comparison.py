"""How long opening Compare keeps the window: ``python -m tests.bench.bench_comparison``.

A move is compared by search, again and again, in the whole window. Prints the median and the
95th percentile in ms of processor time of the window's own thread, for work without a pause: from
the request to the picture of the comparison without an answer, and the longest stretch after that,
which includes the answer. The search itself runs elsewhere and does not count.
"""

import argparse
import os
import statistics
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtWidgets import QApplication

from gui.comparison.request import ComparisonRequest
from gui.shell.app import Program

_REQUEST = ComparisonRequest((11, 3, 1, 0, 2, 1, 1, 0) + (0,) * 8, 1, None)


def main() -> None:
    """Open and close, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=30)
    args = parser.parse_args()
    app = QApplication(sys.argv[:1])
    times: dict[str, list[float]] = {"to the first picture": [], "the longest stretch after": []}
    with tempfile.TemporaryDirectory() as folder:
        program = Program(app, Path(folder))
        program.window.resize(1280, 800)
        program.window.show()
        _longest_ms(app, 1.0)
        for _ in range(args.rounds):
            began = time.thread_time()
            program.pages.comparison.compare(_REQUEST)
            program.pages.comparison.repaint()
            times["to the first picture"].append((time.thread_time() - began) * 1000)
            longest = 0.0
            while program.pages.comparison.session is None:
                longest = max(longest, _longest_ms(app, 0.0))
            times["the longest stretch after"].append(max(longest, _longest_ms(app, 0.3)))
            program.pages.comparison.close()
            _longest_ms(app, 0.2)
        program.close()
    for name, found in times.items():
        ordered = sorted(found)
        p95 = ordered[min(len(ordered) - 1, len(ordered) * 95 // 100)]
        median = statistics.median(found)
        print(f"{name}: once {found[0]:.1f}, median {median:.1f}, p95 {p95:.1f}")


def _longest_ms(app: QApplication, seconds: float) -> float:
    """Let the window run for a while; return its longest work without a pause."""
    ends, longest = time.monotonic() + seconds, 0.0
    while True:
        began = time.thread_time()
        app.processEvents()
        longest = max(longest, (time.thread_time() - began) * 1000)
        if time.monotonic() >= ends:
            return longest
        time.sleep(0.001)


if __name__ == "__main__":
    main()
