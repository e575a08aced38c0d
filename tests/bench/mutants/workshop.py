"""A copy of the checkout to run tests with a mutant, and the functions that each test calls."""

import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from contextlib import suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from .nearby import functions_at
from .operators import Mutant, functions_of

HOOKS = Path(__file__).parent / "hooks"
_TRACE_S = 300
_LARGEST_FILE = 4 << 30  # a mutant must not fill the drive


@dataclass(frozen=True)
class Known:
    """A test, how long it takes, and what it calls: "path::function", and "path::" for any."""

    name: str
    seconds: float
    called: frozenset[str]


@dataclass(frozen=True)
class Verdict:
    """The verdict on a mutant: "killed", "timeout", "survived" or "not run" (no test calls it)."""

    result: str
    seconds: float
    by: str = ""
    n_tests: int = 0

    def after(self, before: "Verdict") -> "Verdict":
        """Return the verdict of this and an earlier try that did not kill."""
        seconds, n_tests = self.seconds + before.seconds, self.n_tests + before.n_tests
        result = before.result if self.result == "not run" else self.result
        return Verdict(result, seconds, self.by, n_tests)


class Workshop:
    """Runs tests in the copy at ``folder/tree``; several threads may.

    Parameters
    ----------
    root : Path
        The checkout, which is only read.
    folder : Path
        Kept from run to run, with compiled kernels and the calls of tests.
    marks : str
        Which tests there are, as pytest's ``-m``.
    """

    def __init__(self, root: Path, folder: Path, marks: str) -> None:
        self._marks = marks
        self.tree, self._folder, self._python = folder / "tree", folder, sys.executable
        self._traces = folder / "traces"
        self._traces.mkdir(parents=True, exist_ok=True)
        (folder / "home").mkdir(exist_ok=True)
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()
        self._unknown: set[str] = set()
        _copy(root, self.tree)
        self._functions = {
            path.relative_to(self.tree).as_posix(): functions_of(path.read_text(encoding="utf-8"))
            for path in self.tree.rglob("*.py")
            if "tests" not in path.relative_to(self.tree).parts
        }

    def tests_of(self, path: str) -> list[Known]:
        """Return the tests of a test file that pass without a mutant; found out only once."""
        with self._lock:
            lock = self._locks.setdefault(path, threading.Lock())
        with lock:
            content = (self.tree / path).read_bytes() + self._marks.encode()
            digest = sha256(content).hexdigest()[:12]
            kept = self._traces / f"{path.replace('/', '+')}-{digest}.json"
            if path in self._unknown:
                return []
            if not kept.exists():
                traced = self._trace(path)
                if not traced:  # stopped, or too slow: another run may try again
                    self._unknown.add(path)
                    return []
                kept.write_text(json.dumps(traced))
            found = json.loads(kept.read_text())
        return [Known(name, seconds, frozenset(called)) for name, seconds, called in found]

    def _trace(self, path: str) -> list[tuple[str, float, list[str]]]:
        with tempfile.TemporaryDirectory(dir=self._folder) as scratch:
            env = {"MUTANTS_TRACE": scratch, "MUTANTS_ROOT": str(self.tree)}
            self._pytest(["-p", "mutants_trace", path], Path(scratch), env, _TRACE_S)
            try:
                tests = json.loads((Path(scratch) / "tests.json").read_text())
            except OSError:
                return []
        return [
            (name, one["seconds"], sorted(functions_at(one["called"], self._functions)))
            for name, one in tests.items()
        ]

    def judge(self, mutant: Mutant, tests: list[Known]) -> Verdict:
        """Run tests in the given order until one fails."""
        if not tests:
            return Verdict("not run", 0.0)
        with tempfile.TemporaryDirectory(dir=self._folder) as name:
            scratch = Path(name)
            source = (self.tree / mutant.path).read_text(encoding="utf-8")
            (scratch / "source.py").write_text(mutant.apply(source), encoding="utf-8")
            (scratch / "names.json").write_text(json.dumps([one.name for one in tests]))
            env = {
                "MUTANT_MODULE": mutant.path.removesuffix(".py").replace("/", "."),
                "MUTANT_FILE": str(self.tree / mutant.path),
                "MUTANT_SOURCE": str(scratch / "source.py"),
                "MUTANT_TESTS": str(scratch / "names.json"),
            }
            files = dict.fromkeys(one.name.partition("::")[0] for one in tests)
            limit = 60 + 6 * sum(one.seconds for one in tests)
            words = ["-x", "--timeout=60", "-p", "mutants_select", *files]
            began = time.monotonic()
            status, output = self._pytest(words, scratch, env, limit)
            seconds = time.monotonic() - began
        if status == 0:
            return Verdict("survived", seconds, n_tests=len(tests))
        if status is None:
            return Verdict("timeout", seconds, n_tests=len(tests))
        told = [line for line in output.splitlines() if line.startswith(("FAILED", "ERROR", "E  "))]
        return Verdict(
            "killed", seconds, told[-1][:200] if told else f"status {status}", len(tests)
        )

    def _pytest(
        self, words: list[str], scratch: Path, env: dict[str, str], limit_s: float
    ) -> tuple[int | None, str]:
        """Return the status, None at the end of the time, and what pytest said."""
        home = str(self._folder / "home")
        command = [
            *(self._python, "-m", "pytest", "-q", "-n", "0", "-m", self._marks),
            *("-o", f"cache_dir={self._folder / 'cache'}", f"--basetemp={scratch / 'tmp'}", *words),
        ]
        whole = {
            **os.environ,
            "PYTHONPATH": f"{HOOKS}",
            "QT_QPA_PLATFORM": "offscreen",
            "HOME": home,
            "XDG_DATA_HOME": f"{home}/data",
            "XDG_CONFIG_HOME": f"{home}/config",
            "TMPDIR": str(scratch),
            **env,
        }
        output = scratch / "output.txt"
        with output.open("wb") as file:
            process = subprocess.Popen(
                command, cwd=self.tree, env=whole, stdout=file, stderr=file,
                stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=_limit_files,
            )  # fmt: skip
            try:
                status: int | None = process.wait(limit_s)
            except subprocess.TimeoutExpired:
                status = None
            finally:
                with suppress(ProcessLookupError):
                    os.killpg(process.pid, signal.SIGKILL)  # its children, too
                process.wait()
        return status, output.read_text(encoding="utf-8", errors="replace")


def _limit_files() -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (_LARGEST_FILE, _LARGEST_FILE))
    os.nice(5)


def _copy(root: Path, tree: Path) -> None:
    """Bring a copy up to date, times of files included: numba goes by them."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "-co", "--exclude-standard"],
        cwd=root, capture_output=True, text=True, check=True,
    ).stdout.split("\0")  # fmt: skip
    names = {name for name in listed if name and (root / name).is_file()}
    for name in names:
        source, target = root / name, tree / name
        if target.exists() and target.stat().st_mtime_ns == source.stat().st_mtime_ns:
            continue
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(source, target)
    for path in list(tree.rglob("*.py")):
        if path.relative_to(tree).as_posix() not in names:
            path.unlink()
