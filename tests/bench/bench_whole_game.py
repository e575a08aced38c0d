"""Whether a long game is analyzed in the background during practice.

    python -m tests.bench.bench_whole_game TABLES... [--seed 3] [--ms 3] [--in analysis|review]

The AI plays the game of a seed with all of the tables; it is kept for the next time. The whole
window runs, hidden. First keys are pressed on Practice, on the first table, with nothing else
running; then while the game is analyzed. The output is the cost of one event for the GUI thread, in
wall time and in the thread's own time. Halfway through, the analyzing process is killed (kill -9),
and the game is analyzed again, which resumes from there. At the end the command analyzes the game
in one go, in another data folder: the two reports must be the same.

In Review the work is done by a thread of the window; nothing is killed there.
"""

import argparse
import json
import os
import signal
import sqlite3
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from coach.whole_game.stored_chances import CHANCES_NAME
from engine.formats.verse2048 import write_new
from gui.shell.app import Program
from tests.bench.bench_practice import TimedApplication, Typist, report, wait_until
from tests.bench.recorded_games import Player, recorded_game
from tests.child import command

_RATE = 10.0  # keys a second
_ALONE = 200  # keys
_MAX_S = 3000.0


def _write_game(folder: Path, tables: list[Path], seed: int) -> tuple[Path, int]:
    """Return the file of a game, and its number of moves."""
    game = recorded_game(seed, Player(3000, tuple(tables), 0.0))
    path = folder / f"seed {seed}.txt"
    path.write_text(write_new(game), encoding="utf-8")
    print(f"a game of {len(game.moves):,} moves, seed {seed}")
    return path, len(game.moves)


def _children() -> set[int]:
    """Return the processes that this one has started (Linux)."""
    found = [path.read_text() for path in Path("/proc/self/task").glob("*/children")]
    return {int(number) for text in found for number in text.split()}


def _n_kept(path: Path) -> int:
    """Return the number of positions searched in full."""
    if not path.exists():
        return 0
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as chances:
        return int(chances.execute("SELECT count(*) FROM chances").fetchone()[0])


def _seldom(is_done: Callable[[], bool]) -> Callable[[], bool]:
    """Return `is_done`, called only twice a second: `wait_until` asks all the time."""
    asked, answer = 0.0, False

    def ask() -> bool:
        nonlocal asked, answer
        if time.monotonic() >= asked + 0.5:
            asked, answer = time.monotonic(), is_done()
        return answer

    return ask


def _practice(program: Program, table: Path) -> None:
    program.request("practice_requested", table)
    assert wait_until(lambda: program.pages["Practice"].game.answer is not None, 60), (
        "it does not open"
    )
    program.pages["Practice"].panel.show_tab("play")
    wait_until(lambda: False, 1.0)


def _tell(app: TimedApplication, typist: Typist, what: str) -> None:
    print(what)
    report(f"  {len(typist.presses)} key presses", typist.presses)
    report(f"  {len(app.events)} events", [spent for _, spent in app.events])
    longest = sorted(app.events, key=lambda event: event[1][1])[-3:]
    print("  longest at work:", ", ".join(f"{kind} {spent[1]:.1f} ms" for kind, spent in longest))
    app.events.clear()


def _analyze(program: Program, game: Path, n_moves: int, data: Path) -> Path:
    """Analyze the game, killed once half way; return the report as JSON."""
    page, runs = program.pages["Games"], program.services.analyses
    before, kept = _children(), data / CHANCES_NAME
    page.analyze([game])
    assert wait_until(lambda: runs.is_running, 60)
    half = n_moves // 2
    # Positions that tables rate are never searched: most of a covered game is finished at once.
    assert wait_until(_seldom(lambda: _n_kept(kept) > half or not runs.is_running), _MAX_S)
    for process in _children() - before:
        os.kill(process, signal.SIGKILL)
    assert wait_until(lambda: not runs.is_running, 60)
    print(f"  killed when {_n_kept(kept):,} positions were searched in full")
    began = time.monotonic()
    page.analyze([game])
    assert wait_until(lambda: runs.is_running, 60)
    assert wait_until(lambda: not runs.is_running, _MAX_S)
    wait_until(lambda: any(item.analysis for item in page.tree.games), 60)
    print(f"  went on for {time.monotonic() - began:.0f} s")
    (one,) = [item.analysis for item in page.tree.games if item.analysis]
    return Path(one.reports["json"])


def _review(program: Program, game: Path) -> None:
    """Have Review analyze the whole game."""
    program.pages["Review"].review(game)
    assert wait_until(lambda: program.pages["Review"].game.recording is not None, 60)
    program.pages["Review"].rater.rate("game")
    assert wait_until(lambda: bool(program.pages["Review"].work.rating_tables), 60)
    assert wait_until(lambda: not program.pages["Review"].work.rating_tables, _MAX_S)


def _told(path: Path) -> object:
    """Return the part of a report about the whole game."""
    return json.loads(path.read_text("utf-8"))["game"]


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tables", type=Path, nargs="+")
    parser.add_argument("--seed", type=int, default=3)
    parser.add_argument("--ms", type=float, default=3.0)
    parser.add_argument("--in", dest="where", choices=("analysis", "review"), default="analysis")
    args = parser.parse_args()
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    app = TimedApplication()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        game, n_moves = _write_game(folder, args.tables, args.seed)
        (folder / "data" / "tables").mkdir(parents=True)
        for table in args.tables:
            (folder / "data" / "tables" / table.name).symlink_to(table.resolve())
        program = Program(app, folder / "data")
        program.services.settings.set("whole_game.ms", args.ms)
        program.services.settings.set("analysis.whole_games", True)
        program.window.resize(1280, 860)
        program.window.show()
        _practice(program, args.tables[0])
        app.events.clear()
        typist = Typist(program.pages["Practice"], _ALONE, _RATE)
        assert wait_until(lambda: typist.is_done, 600)
        _tell(app, typist, "practice alone")
        typist = Typist(program.pages["Practice"], 10**9, _RATE)
        began = time.monotonic()
        if args.where == "review":
            _review(program, game)
        else:
            found = _told(_analyze(program, game, n_moves, folder / "data"))
        _tell(app, typist, f"practice beside {args.where}, {time.monotonic() - began:.0f} s")
        typist.deleteLater()
        if args.where == "analysis":
            words = ["analyze", game, "--tables", *args.tables, "--engine", "--ms", args.ms]
            words += ["--out", folder / "again", "--data-dir", folder / "other"]
            subprocess.run(command(*words), check=True, capture_output=True)
            assert found == _told(folder / "again" / f"{game.stem}.json"), "not the same twice"
            print("the same report twice: killed and resumed, and in one go")
        program.close()


if __name__ == "__main__":
    main()
