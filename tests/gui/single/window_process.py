"""The real program in its own processes, on an offscreen display."""

import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[3]
PATIENCE_S = 60
SHOW = """
import sys
sys.path.insert(0, {root!r})
from PySide6.QtCore import QTimer
import gui.shell.app
import main

class Program(gui.shell.app.Program):
    def start(self, *what):
        super().start(*what)
        QTimer.singleShot(0, lambda: print("open", self.window.page.title, flush=True))

    def show_again(self, request):
        super().show_again(request)
        print("again", self.window.page.title, request.table, *request.parts, flush=True)

    def close(self):
        is_first = not self._is_closed
        super().close()
        if is_first:
            print("closed", flush=True)

gui.shell.app.Program = Program
{more}
sys.exit(main.main({words!r}))
"""


class WindowProcess:
    """A window; what it does is printed line by line.

    Parameters
    ----------
    data_dir : Path
    *words : object
        More of the command line.
    more : str
        Code that runs before the window is made, with the class `Program` at hand.
    """

    def __init__(self, data_dir: Path, *words: object, more: str = "") -> None:
        arguments = ["--data-dir", str(data_dir), *map(str, words)]
        code = SHOW.format(root=str(ROOT), words=arguments, more=more)
        self.process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        )

    def read(self) -> str:
        assert self.process.stdout
        return self.process.stdout.readline().rstrip("\n")

    def send(self, number: int) -> None:
        self.process.send_signal(number)

    def end(self) -> tuple[int, str]:
        """Return its exit status and its stderr, once it has ended."""
        _, said = self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode, said

    def stop(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream:
                stream.close()
        self.process.wait()


def start_again(data_dir: Path, *words: object) -> tuple[int, str]:
    """Start the program where a window is open; return its exit status and output."""
    done = subprocess.run(
        [sys.executable, str(ROOT / "main.py"), "--data-dir", str(data_dir), *map(str, words)],
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        check=False,
    )
    return done.returncode, done.stderr


def wait_until(is_true: Callable[[], bool]) -> None:
    until = time.monotonic() + PATIENCE_S
    while not is_true():
        assert time.monotonic() < until
        time.sleep(0.02)
