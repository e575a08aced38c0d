"""Child processes to disturb: main.py as a new process, or a fork of this process when it is warm.

A fork costs a hundredth of a start, because Python, numba and the kernels are loaded already; for a
kill it is as good as any process.
"""

import os
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from .wound import Wound, inflict, words

ROOT = Path(__file__).parents[3]
KILLED = -signal.SIGKILL
TOO_LONG = 1000  # a status no process has
_POLL_S = 0.001
_TIMEOUT_S = 120.0


@dataclass
class Child:
    """A running command.

    Attributes
    ----------
    status : int or None
        Its exit status, the negative number of the signal that killed it, None while it runs.
    """

    pid: int
    output_path: Path
    errors_path: Path
    status: int | None = None

    def poll(self) -> int | None:
        """Return the status if it has ended."""
        if self.status is None:
            pid, code = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(code)
        return self.status

    def wait(self, seconds: float = _TIMEOUT_S) -> int:
        """Wait for the end; kill it after so many seconds and return TOO_LONG."""
        if self.lasts(seconds):
            self.kill()
            return TOO_LONG
        assert self.status is not None
        return self.status

    def lasts(self, seconds: float) -> bool:
        """Return whether it still runs after so many seconds."""
        end = time.monotonic() + seconds
        while self.poll() is None:
            if time.monotonic() >= end:
                return True
            time.sleep(_POLL_S)
        return False

    def kill(self) -> None:
        """Kill it, at once."""
        if self.poll() is None:
            os.kill(self.pid, signal.SIGKILL)
            _, code = os.waitpid(self.pid, 0)
            self.status = os.waitstatus_to_exitcode(code)

    @property
    def output(self) -> str:
        """Return its output on stdout."""
        return self.output_path.read_text(encoding="utf-8", errors="replace")

    @property
    def errors(self) -> str:
        """Return its output on stderr."""
        return self.errors_path.read_text(encoding="utf-8", errors="replace")


def start_program(arguments: Sequence[str], wound: Wound, room: Path) -> Child:
    """Start main.py with `arguments` in a process of its own."""
    output, errors = _outputs(room)
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(ROOT)}
    with output.open("wb") as out, errors.open("wb") as err:
        process = subprocess.Popen(
            [*words(wound), *arguments],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            cwd=ROOT,
            env=environment,
        )
    child = Child(process.pid, output, errors)
    process.returncode = 0  # we wait for it ourselves
    return child


def start_fork(action: Callable[[], int], wound: Wound, room: Path) -> Child:
    """Call `action` in a fork of this process; its result is the status."""
    output, errors = _outputs(room)
    sys.stdout.flush()
    sys.stderr.flush()
    pid = os.fork()
    if pid:
        return Child(pid, output, errors)
    status = 70
    try:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        for path, number in ((output, 1), (errors, 2)):
            os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        survived = inflict(wound)
        status = action()
        survived()
    except BaseException:  # noqa: BLE001  the child must never return into the campaign
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _outputs(room: Path) -> tuple[Path, Path]:
    number = time.monotonic_ns()
    folder = room / "said"
    folder.mkdir(parents=True, exist_ok=True)
    paths = folder / f"{number}.out", folder / f"{number}.err"
    for path in paths:
        path.touch()
    return paths
