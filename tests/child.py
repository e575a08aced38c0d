"""The command line: in its own process, as a user or the window would start it, or in ours.

Starting Python and loading the kernels takes longer than most commands, so `run` uses this process.
Tests that need a separate process have `start` or `run_apart`.
"""

import io
import json
import os
import subprocess
import sys
from collections.abc import Sequence
from contextlib import ExitStack, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any
from unittest import mock

ROOT = Path(__file__).parent.parent
MAIN = ROOT / "main.py"

# Runs main.py with no file allowed to grow beyond argv[1] bytes: what a full disk looks like,
# without a file system of one's own. Python ignores SIGXFSZ, so the write fails instead.
SMALL_FILES_ONLY = """
import resource, runpy, sys
limit = int(sys.argv[1])
sys.path.insert(0, sys.argv[2].rpartition("/")[0])
sys.argv = sys.argv[2:]
resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
runpy.run_path(sys.argv[0], run_name="__main__")
"""


def environment() -> dict[str, str]:
    """The tests' own environment without a display, so that nothing can open a window."""
    return {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONIOENCODING": "utf-8"}


def command(*arguments: object, file_limit: int | None = None) -> list[str]:
    """Return the command line that runs main.py with `arguments`."""
    words = [str(MAIN), *map(str, arguments)]
    if file_limit is None:
        return [sys.executable, *words]
    return [sys.executable, "-c", SMALL_FILES_ONLY, str(file_limit), *words]


def start(*arguments: object) -> subprocess.Popen[str]:
    """Start a command whose input, output and errors are pipes."""
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command(*arguments), stdin=pipe, stdout=pipe, stderr=pipe, text=True, env=environment()
    )


def run(*arguments: object, stdin: str = "") -> subprocess.CompletedProcess[str]:
    """Run a command to its end in this process; standard input may not be read by its number."""
    from main import main

    words = list(map(str, arguments))
    typed, said, told = _text_file(stdin), _text_file(), _text_file()
    with ExitStack() as ours:
        ours.enter_context(mock.patch.multiple(sys, argv=[str(MAIN), *words], stdin=typed))
        ours.enter_context(redirect_stdout(said))
        ours.enter_context(redirect_stderr(told))
        try:
            status = main()
        except SystemExit as end:
            status = int(end.code or 0)
    return subprocess.CompletedProcess(words, status, _written(said), _written(told))


def _text_file(text: str = "") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(text.encode()), encoding="utf-8")


def _written(file: io.TextIOWrapper) -> str:
    file.seek(0)
    return file.read()


def run_apart(
    *arguments: object, stdin: str = "", file_limit: int | None = None
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command(*arguments, file_limit=file_limit),
        input=stdin,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
        env=environment(),
        check=False,
    )


def python(code: str, *words: str, cwd: Path = ROOT) -> str:
    """Return the output of a fresh interpreter."""
    done = subprocess.run(
        [sys.executable, "-c", code, *words], cwd=cwd, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


def json_lines(output: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in output.splitlines()]


def assert_refused(result: subprocess.CompletedProcess[str], *words: str) -> None:
    """The user's mistake: status 2, one line on stderr that says all `words`, nothing else."""
    assert result.returncode == 2, result
    lines = result.stderr.strip().splitlines()
    assert len(lines) == 1, result.stderr
    assert "Traceback" not in result.stderr
    for word in words:
        assert word in lines[0], lines[0]
    assert result.stdout == ""


def written_at(folder: Path) -> dict[str, int]:
    """Return when every file of a table was last written."""
    return {
        path.name: path.stat().st_mtime_ns for path in folder.iterdir() if path.name != "build.lock"
    }


def contents(folder: Path) -> dict[str, bytes]:
    """Return every file below `folder` by its relative path, but not the builders' lock.

    The lock isn't part of a table: it names the process that built last.
    """
    files: Sequence[Path] = sorted(
        path for path in folder.rglob("*") if path.is_file() and path.name != "build.lock"
    )
    return {str(path.relative_to(folder)): path.read_bytes() for path in files}
