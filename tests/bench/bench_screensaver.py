"""How much of a processor the screen saver takes.

python -m tests.bench.bench_screensaver [--seconds 30] [--speed 5] [--size 1920x1080] [--idle]

It runs on an offscreen display of that size, after the player is loaded and has made a few
moves, and the CPU time of the whole process is taken. The goal is below 15 % of one core at
5 moves a second. With --idle a newer instance in the same process takes the lease first, so that
what is left is the cost of standing still.
"""

import argparse
import json
import os
import tempfile
import time
from pathlib import Path

import psutil

GOAL = 0.15


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--speed", type=int, default=5)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--ratio", type=float, default=1.0, help="device pixels a pixel")
    parser.add_argument("--idle", action="store_true", help="another instance holds the lease")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        width, height = map(int, args.size.split("x"))
        screen = {
            "name": "one",
            "x": 0,
            "y": 0,
            "width": width,
            "height": height,
            "dpr": args.ratio,
        }
        config = Path(folder) / "screens.json"
        config.write_text(json.dumps({"screens": [screen]}))
        os.environ["QT_QPA_PLATFORM"] = f"offscreen:configfile={config}"
        measure(Path(folder), args.speed, args.seconds, args.idle)


def measure(folder: Path, speed: int, seconds: float, is_idle: bool) -> None:
    """Run the screen saver and print what it took."""
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication

    from gui.screensaver.saver_game import Lease
    from gui.screensaver.show import LEASE_NAME, ScreenSaver
    from gui.settings_model.settings import Settings

    app = QApplication([])
    settings = Settings()
    settings.set("screensaver.speed", speed)
    saver = ScreenSaver(folder, settings)
    newer = Lease(folder / LEASE_NAME)
    moves = [0]
    saver.play.moved.connect(lambda _: moves.__setitem__(0, moves[0] + 1))
    if is_idle:
        assert newer.is_mine()
    saver.show()

    def run_for(limit_s: float) -> None:
        QTimer.singleShot(round(1000 * limit_s), lambda: app.exit(0))
        app.exec()

    while moves[0] < 5 and not is_idle:
        run_for(0.5)
    run_for(2)
    moves[0] = 0
    process, began, cpu = psutil.Process(), time.monotonic(), psutil.Process().cpu_times()
    run_for(seconds)
    passed, now = time.monotonic() - began, process.cpu_times()
    share = (now.user - cpu.user + now.system - cpu.system) / passed
    window = saver.windows[0]
    print(
        f"screen {window.width()} x {window.height()}, board {saver.windows[0].board.width()} px, "
        f"{moves[0]} moves in {passed:.1f} s: {100 * share:.1f} % of one core "
        f"(goal: below {100 * GOAL:.0f} %), {process.memory_info().rss >> 20} MB"
    )
    saver.close()
    settings.close()


if __name__ == "__main__":
    main()
