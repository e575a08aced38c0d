"""How long the window takes to be seen: ``python -m tests.bench.bench_start [--runs 10] [--cold]``.

From the start of the process to the end of the first painting, on an empty data folder that has
been used once: wall and processor time; the smallest counts. With ``--cold`` the
files of the program, of Python and of its libraries are put out of the system's memory before each
start, as far as no other process has them mapped. ``QT_QPA_PLATFORM`` says where it is painted.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
ROOT = Path(__file__).parents[2]

# Ends with the first picture, and prints the time until then.
CHILD = """
import os, resource, sys, time
import main
import gui.widgets.application as place
from PySide6.QtCore import QEvent, QObject, QTimer

class Watch(QObject):
    is_seen = False
    def eventFilter(self, who, event):
        if event.type() == QEvent.Type.UpdateRequest and not self.is_seen:
            self.is_seen = True
            QTimer.singleShot(0, self.tell)
        return False
    def tell(self):
        now = time.monotonic()
        used = resource.getrusage(resource.RUSAGE_SELF)
        print(now, used.ru_utime + used.ru_stime, len(sys.modules), "numba" in sys.modules)
        sys.stdout.flush()
        os._exit(0)

make = place.application
def application():
    app = make()
    if not hasattr(app, "watch"):
        app.watch = Watch()
        app.installEventFilter(app.watch)
    return app
place.application = application
sys.argv = ["main.py", "--data-dir", os.environ["BENCH_DATA"]]
sys.exit(main.main())
"""


def start(data: Path) -> tuple[float, float, str]:
    """Start the window once; return wall time, processor time and what was imported."""
    environment = os.environ | {"BENCH_DATA": str(data), "PYTHONPATH": str(ROOT)}
    environment |= {"PYTHONPYCACHEPREFIX": str(data / "bytecode")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # whoever measures may have it
    began = time.monotonic()
    command = [sys.executable, "-c", CHILD]
    answer = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    seen, used, n_modules, has_numba = answer.stdout.split()
    return float(seen) - began, float(used), f"{n_modules} modules, numba: {has_numba}"


def forget_files() -> None:
    """Have the system drop what it keeps in memory of our files and of those of Python."""
    for folder in {ROOT, Path(sys.prefix).resolve(), Path(sys.base_prefix).resolve() / "lib"}:
        for path in folder.rglob("*"):
            if path.is_file() and not path.is_symlink():
                try:
                    number = os.open(path, os.O_RDONLY)
                except OSError:
                    continue
                os.posix_fadvise(number, 0, 0, os.POSIX_FADV_DONTNEED)
                os.close(number)


def main() -> None:
    """Start it again and again, and print the times."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--cold", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        start(data)
        times = []
        for _ in range(args.runs):
            if args.cold:
                forget_files()
            times.append(start(data))
    walls, used = sorted(t[0] for t in times), sorted(t[1] for t in times)
    kind = "cold" if args.cold else "warm"
    print(f"{kind}: first picture after {walls[0]:.2f} s (median {walls[len(walls) // 2]:.2f}),")
    print(
        f"      {used[0]:.2f} s of processor time (median {used[len(used) // 2]:.2f});", times[0][2]
    )


if __name__ == "__main__":
    main()
