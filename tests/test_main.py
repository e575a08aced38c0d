"""The command line before any table exists: quick help, mistakes in one line, bugs in the log."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from child import python

from tablebase.store.options import RATES
from tablebase.store.rates import RATE_TYPES
from tests import child

ROOT = Path(__file__).parent.parent
COMMANDS = (
    "demo",
    "build",
    "probe",
    "verify",
    "tables",
    "estimate",
    "patterns",
    "play",
    "prepare",
    "train",
)


def run(
    *arguments: object, stdin: str = "", **variables: str | None
) -> subprocess.CompletedProcess[str]:
    """Run main.py with environment variables added, or removed where None."""
    environment = {**os.environ, **variables}
    return subprocess.run(
        [sys.executable, str(ROOT / "main.py"), *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=600,
        env={name: value for name, value in environment.items() if value is not None},
        check=False,
    )


def assert_told(result: subprocess.CompletedProcess[str], *words: str) -> None:
    """The user's mistake: status 2 and one line on stderr with all `words`."""
    assert result.returncode == 2, result
    (line,) = result.stderr.splitlines()
    assert line.startswith("error: ")
    assert all(word in line for word in words), line
    assert result.stdout == ""


def test_help_names_every_command():
    result = run("--help")
    assert result.returncode == 0
    assert all(command in result.stdout for command in COMMANDS)


def cpu_seconds_of_children() -> float:
    return sum(os.times()[2:4])


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="Windows does not tell what children used")
def test_help_comes_within_a_third_of_a_second():
    times = []
    for _ in range(5):
        began = cpu_seconds_of_children()
        run("--help", PYTHONDONTWRITEBYTECODE=None)  # as with the people who wait for it
        times.append(cpu_seconds_of_children() - began)
    assert min(times) < 0.3, times


def test_no_help_imports_numba_or_qt():
    script = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import main
for command in ([], *([name] for name in {COMMANDS!r})):
    try:
        main.main([*command, "--help"])
    except SystemExit as end:
        assert not end.code
    heavy = {{"msgspec", "numba", "numpy", "PySide6", "psutil", "zstandard"}} & set(sys.modules)
    if heavy:
        sys.exit(f"{{command}} imported {{heavy}}")
"""
    python(script)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["fly"], ["fly", "build", "probe"]),
        (["--fly"], ["--fly"]),
        (["build"], ["PATTERN", "TARGET"]),
        (["build", "442", "128", "--spawn", "0.1"], ["--spawn"]),
        (["build", "442", "128", "--spawn4", "1"], ["'1'", "above 0 and below 1"]),
        (["build", "442", "128", "--spawn4", "-0.5"], ["'-0.5'"]),
        (["build", "442", "128", "--memory", "some"], ["'some'", "bytes"]),
        (["build", "442", "128", "--memory", "0"], ["'0'"]),
        (["build", "442", "128", "--threads", "1.5"], ["'1.5'", "whole number"]),
        (["verify", "442_128", "--sample", "-1"], ["'-1'"]),
        (["probe"], ["TABLE"]),
        (["tables", "no-such-folder"], ["no-such-folder"]),
        (["patterns", "L4"], ["'L4'"]),
    ],
)
def test_a_mistake_is_told_in_one_line(arguments, words, tmp_path):
    options = ["--data-dir", str(tmp_path)] if arguments[0] in COMMANDS else []
    assert_told(child.run(*arguments, *options), *words)


def test_the_data_folder_may_stand_before_the_command(tmp_path):
    result = run("--data-dir", tmp_path, "tables")
    assert result.returncode == 0
    assert str(tmp_path) in result.stderr


def test_the_rate_types_are_those_of_the_tables():
    """Written down twice because the tables' list needs numpy, and ``--help`` must not."""
    assert set(RATES) == set(RATE_TYPES)


@pytest.mark.thorough
def test_patterns_as_json_is_one_object_a_line(tmp_path):
    result = run("patterns", "--json", "--data-dir", tmp_path)
    assert result.returncode == 0
    names = [json.loads(line)["name"] for line in result.stdout.splitlines()]
    assert {"L3", "442", "2x4"} <= set(names)


def test_a_file_that_cannot_exist_is_no_bug(tmp_path):
    for words in ([f"{'a' * 300}.rpl"], ["--open", "a" * 300]):
        told = run("--data-dir", tmp_path, *words, QT_QPA_PLATFORM="offscreen")
        assert_told(told, "no file can be called")


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="others always have a display")
def test_without_a_display_the_window_is_refused(tmp_path):
    none = dict.fromkeys(("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))
    assert_told(run("--data-dir", tmp_path, **none), "display", "demo")


BROKEN = """
import sys
sys.path.insert(0, {root!r})
import main, tablebase.formation.patterns_file

def load_formations(*files, **more):
    return 1 // 0

tablebase.formation.patterns_file.load_formations = load_formations
sys.exit(main.main(["patterns", "--data-dir", {data!r}]))
"""


def test_a_bug_is_one_line_and_a_traceback_in_the_log(tmp_path):
    script = BROKEN.format(root=str(ROOT), data=str(tmp_path))
    result = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    assert result.returncode == 1
    (line,) = result.stderr.splitlines()
    log = tmp_path / "logs" / "patterns.log"
    assert str(log) in line
    assert "ZeroDivisionError" in line
    text = log.read_text(encoding="utf-8")
    assert "Traceback" in text
    assert "1 // 0" in text or "load_formations" in text


@pytest.mark.skipif(os.name == "nt", reason="permissions work otherwise there")
def test_a_log_that_cannot_be_written_hinders_nothing(tmp_path):
    (tmp_path / "logs").write_text("in the way")
    assert_told(run("patterns", "L4", "--data-dir", tmp_path), "'L4'")


@pytest.mark.skipif(os.name == "nt", reason="no such pipes there")
def test_a_reader_that_leaves_early_is_no_bug(tmp_path):
    """As in ``main.py patterns | head -1``."""
    command = [sys.executable, str(ROOT / "main.py"), "patterns", "--json", "--data-dir", tmp_path]
    reading, writing = os.pipe()
    os.close(reading)
    result = subprocess.run(
        command, stdout=writing, stderr=subprocess.PIPE, text=True, timeout=600, check=False
    )
    os.close(writing)
    assert (result.returncode, result.stderr) == (3, "")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_while_it_is_loaded_ends_it_quietly(number):
    """Sent by what is imported last, before any command has begun."""
    code = (
        (
            "import os, runpy, sys; sys.path.insert(0, ROOT); sys.argv = ['main.py', 'tables'];"
            "import web.cli as late; late.add_commands = lambda _: os.kill(os.getpid(), NUMBER);"
            "runpy.run_path(ROOT + '/main.py', run_name='__main__')"
        )
        .replace("ROOT", repr(str(ROOT)))
        .replace("NUMBER", str(int(number)))
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=False
    )
    assert (done.returncode, done.stdout, done.stderr) == (3, "", "canceled\n")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("door", ["main.py", "endgame2048/__main__.py"])
def test_ctrl_c_before_anything_is_loaded_ends_it_as_a_shell_expects(door):
    """Sent by the first import that takes time: that of what handles signals from then on."""
    code = (
        "import os, runpy, signal, sys\n"
        "class Sender:\n"
        "    def find_spec(self, name, path, target=None):\n"
        "        if name == 'engine.platform.interrupts':\n"
        "            os.kill(os.getpid(), signal.SIGINT)\n"
        "sys.meta_path.insert(0, Sender())\n"
        f"sys.path.insert(0, {str(ROOT)!r})\n"
        f"sys.argv = [{door!r}, 'tables']\n"
        f"runpy.run_path({str(ROOT / door)!r}, run_name='__main__')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=600, check=False
    )
    # A shell calls this 130: the program was ended by the signal, and says nothing about it.
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGINT, "", "")


@pytest.mark.thorough
@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
def test_a_request_to_end_is_a_cancellation(tmp_path):
    words = ("play", "--player", "random", "--games", 10_000_000, "--json")
    process = child.start(*words, "--data-dir", tmp_path)
    assert process.stdout
    assert process.stdout.readline(), "it plays"
    process.terminate()
    _, errors = process.communicate(timeout=600)
    assert process.returncode == 3
    assert errors.splitlines()[-1] == "canceled"
