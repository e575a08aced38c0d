"""Try a package: ``python .ci/package/check.py PROGRAM [--hide DIR ...]``.

Starts PROGRAM with an empty environment, in an empty folder: its version, a build, a lookup in the
table, a game, the service, and the window, which a second start asks to open a recording. With
``--hide`` (Linux) these folders are empty and no Python can be started.
"""

import argparse
import json
import os
import shlex
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path

PATIENCE_S = 900
_KEPT = ("SYSTEMROOT", "TEMP", "TMP", "WINDIR", "NUMBER_OF_PROCESSORS", "PROCESSOR_ARCHITECTURE")
_PYTHONS = "/usr/bin /usr/local/bin /bin"
_VERSE = b"replay_ !1Q"  # the two start tiles and two moves, as 2048verse writes them


class Check:
    """Runs one program in its own home folder.

    Parameters
    ----------
    hidden : sequence of Path
        Folders that it must not see.
    """

    def __init__(self, program: Path, home: Path, hidden: Sequence[Path] = ()) -> None:
        self._program, self._home, self._before = program, home, list[str]()
        if hidden:
            seen = home / "program"
            seen.mkdir()
            self._program = seen / program.name
            self._before = _hiding(program.parent, seen, hidden)
        kept = {name: os.environ[name] for name in _KEPT if name in os.environ}
        homes = dict.fromkeys(("HOME", "USERPROFILE", "LOCALAPPDATA", "APPDATA"), str(home))
        self._environment = {**kept, **homes, "QT_QPA_PLATFORM": "offscreen"}

    def command(self, *words: str) -> list[str]:
        """Return the command that runs the program with these words."""
        return [*self._before, str(self._program), *words]

    def start(self, *words: str, stdin: int = subprocess.DEVNULL) -> "subprocess.Popen[str]":
        return subprocess.Popen(
            self.command(*words),
            cwd=self._home,
            env=self._environment,
            stdin=stdin,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def run(self, *words: str, said: str, status: int = 0) -> None:
        """Run the program; it must end with `status` and print `said`."""
        began = time.monotonic()
        child = self.start(*words)
        out, err = child.communicate(timeout=PATIENCE_S)
        if child.returncode != status or said not in out + err:
            raise SystemExit(f"{words}: status {child.returncode}\n{out}{err}")
        print(f"{time.monotonic() - began:6.1f} s  {' '.join(words)}", flush=True)

    def service(self, board: str, said: bytes) -> None:
        """Start the service and look up a board; the answer must contain `said`."""
        began = time.monotonic()
        words = ("serve", "--port", "0", "--json", "--stdin-control")
        with self.start(*words, stdin=subprocess.PIPE) as child:
            assert child.stdout
            ready = json.loads(child.stdout.readline() or "{}")
            try:
                asked = urllib.request.Request(
                    f"{ready['base']}v1/probe",
                    json.dumps({"board": board}).encode(),
                    {"Authorization": f"Bearer {ready['token']}"},
                )
                for request, words_of_it in ((asked, said), (ready["base"], b"page.js")):
                    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
                        if words_of_it not in answer.read():
                            raise SystemExit(f"the service does not answer with {words_of_it!r}")
            finally:
                _, err = child.communicate(timeout=PATIENCE_S)
        if child.returncode:
            raise SystemExit(f"the service ended with {child.returncode}: {err}")
        print(f"{time.monotonic() - began:6.1f} s  the service, asked", flush=True)

    def window(self, recording: Path) -> None:
        """Open the window; once it answers a second start, end it as the system would."""
        began = time.monotonic()
        window = self.start()
        while True:
            second = self.start(str(recording))
            _, err = second.communicate(timeout=PATIENCE_S)
            if window.poll() is not None or second.returncode:
                raise SystemExit(f"the window: {window.communicate()} {err}")
            if "shows it" in err:
                break
        print(f"{time.monotonic() - began:6.1f} s  the window, and a recording in it", flush=True)
        window.terminate()
        _, err = window.communicate(timeout=PATIENCE_S)
        if window.returncode and sys.platform != "win32":
            raise SystemExit(f"the window ended with {window.returncode}: {err}")


def _hiding(folder: Path, seen: Path, hidden: Sequence[Path]) -> list[str]:
    """Return words that run a command in a mount namespace without Python and `hidden`.

    The program's `folder` is `seen` there.
    """
    lines = ["set -e", f"mount --bind {shlex.quote(str(folder))} {shlex.quote(str(seen))}"]
    lines += [f"mount -t tmpfs none {shlex.quote(str(path))}" for path in hidden]
    lines.append(f"for f in $(cd /; ls -d $(printf '%s/python* ' {_PYTHONS}) 2>/dev/null); do")
    lines.append('  [ ! -x "$f" ] || mount --bind /dev/null "$f"; done')
    lines.append("! python3 -c '' 2>/dev/null || { echo Python is here >&2; exit 99; }")
    lines.append('exec "$0" "$@"')
    return ["unshare", "--mount", "--map-root-user", "sh", "-c", "\n".join(lines)]


def main() -> None:
    """Check the program that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program", type=Path)
    parser.add_argument("--hide", type=Path, nargs="*", default=[], metavar="DIR")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as place:
        home = Path(place)
        (home / "a game.vrs").write_bytes(_VERSE)
        check = Check(args.program.resolve(), home, [path.resolve() for path in args.hide])
        check.run("--version", said="endgame2048 ")
        check.run("nothing.rpl", said="error: there is no file", status=2)
        check.run("build", "44", "64", said="built in")
        check.run("probe", "44_64", "--board", "01001000ffffffff", said="best")
        check.run("verify", "44_64", "--sample", "20", said="is sound")
        check.run("play", "--games", "2", "--ms", "1", "--jobs", "2", "--no-tables", said="mean")
        check.service("01001000ffffffff", said=b'"best":')
        check.window(home / "a game.vrs")


if __name__ == "__main__":
    main()
