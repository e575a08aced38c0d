"""A new user's first hour, by keys and clicks in the real window, with real tables and files.

    python -m tests.bench.new_user [--theme light|dark] [--pictures DIR]

Builds 442 -> 128 from Home, practices, takes a test of 60 moves with three deliberate blunders,
finds exactly these in Mistakes, drills them, reviews the test from one mark to the next, exports
mistakes and test, analyses a whole game, and imports mistakes and test on another computer (an
empty data folder). Prints what it did
and exits with 1 if anything is not as it should be. QT_SCALE_FACTOR=1.5 shows it at 150 %.
"""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from unittest.mock import patch

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget

from coach.exam.history import History
from coach.grading.grade import Judgement, Tolerance, judge
from coach.old_files.opening import open_user_database
from engine.bitboard import format_board, parse_board
from engine.symmetry import canonical
from gui.shell.app import Program
from gui.widgets.file_dialogs import FileDialogs
from tests.coach.made_sessions import write_session
from tests.gui.waiting import rest

ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down)
N_MOVES, BLUNDER_AT, BLUNDER = 60, (12, 27, 44), 0.97  # a ratio below this counts as one
MAX_TESTS = 20


class User:
    """Somebody at the keyboard of one program."""

    def __init__(self, data: Path, theme: str, pictures: Path | None) -> None:
        self.app = QApplication.instance() or QApplication(sys.argv[:1])
        self.data, self.pictures, self.theme = data, pictures, theme
        self.program = Program(self.app, data)  # type: ignore[arg-type]
        self.program.services.settings.set("theme", theme)
        self.window = self.program.window
        self.window.resize(1280, 860)
        self.window.show()
        self.program.start()
        self.activate()

    def activate(self) -> None:
        """Give the window the keyboard focus, as a click on it does."""
        if not self.window.isActiveWindow():
            self.window.activateWindow()
            self.wait("the keyboard", self.window.isActiveWindow)
            self.window.page.setFocus()

    def wait(self, what: str, is_so: Callable[[], object], seconds: float = 20) -> None:
        """Let the program work until a condition holds."""
        end = time.monotonic() + seconds
        while not is_so():
            if time.monotonic() > end:
                raise SystemExit(f"waited {seconds} s in vain for {what}")
            rest(10)

    def go_to(self, page: QWidget) -> None:
        """Show a page by the key of its door, and the one that goes from tab to tab."""
        doors, entry = list(self.window.doors.all), self.window.doors.of(page)
        key = Qt.Key(Qt.Key.Key_0 + (doors.index(entry.door) + 1) % 10)
        QTest.keyClick(self.window, key, Qt.KeyboardModifier.AltModifier)
        for _ in entry.door.entries:
            if self.window.page is not page:
                QTest.keyClick(self.window, Qt.Key.Key_Tab, Qt.KeyboardModifier.ControlModifier)
        if self.window.page is not page:  # offscreen windows do not get all shortcuts
            self.window.show_page(page)
        rest(50)

    def press(self, *keys: Qt.Key) -> None:
        """Press keys where the keyboard goes."""
        self.activate()
        for key in keys:
            page = self.window.page
            QTest.keyClick(self.app.focusWidget() or page.focusProxy() or page, key)

    def picture(self, name: str) -> None:
        """Keep what is seen."""
        rest(400)  # animations end
        if self.pictures:
            scale = round(100 * float(os.environ.get("QT_SCALE_FACTOR", "1")))
            self.pictures.mkdir(parents=True, exist_ok=True)
            self.window.grab().save(str(self.pictures / f"{name}-{self.theme}-{scale}.png"))

    def close(self) -> None:
        self.window.close()
        self.program.close()


def check(is_so: object, what: str) -> None:
    print(f"{'ok  ' if is_so else 'NOT '} {what}", flush=True)
    if not is_so:
        raise SystemExit(1)


def build(user: User) -> Path:
    """Build the first table from Home, in a process of its own."""
    home, library = user.program.home, user.program.services.library
    user.wait("Home", lambda: home.hero.isVisible() and home.hero.button.isEnabled())
    user.picture("home-first")
    began = time.monotonic()
    QTest.mouseClick(home.hero.button, Qt.MouseButton.LeftButton)
    user.wait("the table", lambda: any(t.state == "complete" for t in library.tables), 400)
    (table,) = library.tables
    seconds = time.monotonic() - began
    check(table.path.name == "442_128", f"442 -> 128 was built from Home in {seconds:.0f} s")
    user.picture("home")
    return Path(table.path)


def practice(user: User, table: Path) -> None:
    """Play best moves by Enter, one by hand, and take it back."""
    page = user.program.pages["Practice"]
    user.program.request("practice_requested", table)
    user.wait("rates in Practice", lambda: page.game.answer is not None)
    for _ in range(12):
        board = page.game.session.board
        user.press(Qt.Key.Key_Return)
        user.wait("the next position", lambda b=board: page.game.session.board != b)
        user.wait("its rates", lambda: page.game.answer is not None)
    board = page.game.session.board
    legal = next(d for d in range(4) if page.game.answer.rates[d] is not None)
    user.press(ARROWS[legal])
    user.wait("the move", lambda: page.game.session.board != board)
    user.press(Qt.Key.Key_Backspace)
    user.wait("the undo", lambda: page.game.session.board == board)
    check(True, "Practice: 12 best moves, one by hand, one taken back")
    user.picture("practice")


def take_test(user: User, made: list[tuple[int, int]]) -> None:
    """Take a test of 60 moves, the best but for three; start over if it ends before that."""
    page = user.program.pages["Test"]
    user.go_to(page)
    player = page.player
    user.wait("the test", lambda: player.run is not None and player.answer)
    for _ in range(MAX_TESTS):
        if _one_test(user, page, made):
            user.picture("test")
            user.press(Qt.Key.Key_N)  # keeps it
            return
        session = player.run
        user.press(Qt.Key.Key_N)
        user.wait("another start", lambda s=session: player.run not in (None, s))
    raise SystemExit(f"no test of {N_MOVES} moves in {MAX_TESTS}")


def _one_test(user: User, page: QWidget, made: list[tuple[int, int]]) -> bool:
    player, due = page.player, list(BLUNDER_AT)
    tolerance = Tolerance.of_type("uint32")
    while player.is_playing and player.run.n_moves < N_MOVES:
        session = player.run
        user.wait("rates", lambda: player.answer is not None or not player.is_playing)
        if not player.is_playing:
            break
        n, board, rates = session.n_moves, session.board, player.answer.rates
        judgements = [judge(rates, d, tolerance) for d in range(4)]
        best = next(j for j in judgements if j and j.is_perfect)
        bad = _worst(judgements)
        direction = best.direction
        if due and n >= due[0] and bad and 0 < bad.ratio < BLUNDER:
            direction = bad.direction
            due.pop(0)
            made.append((player.masked(board), direction))
        user.press(ARROWS[direction])
        user.wait("the move", lambda s=session, k=n: s.n_moves > k or not player.is_playing)
    return not due and player.run.n_moves >= N_MOVES


def _worst(judgements: list[Judgement | None]) -> Judgement | None:
    found = [one for one in judgements if one and not one.is_forced]
    return min(found, key=lambda one: one.ratio, default=None)


def find_mistakes(user: User, made: list[tuple[int, int]]) -> None:
    """Compare the list of mistakes with the blunders made."""
    page = user.program.pages["Mistakes"]
    user.go_to(page)
    page.show_view("list")
    user.wait("the list", lambda: len(page.list.model.ids) > 0)
    found: list = []
    user.program.services.mistake_store.ask(
        lambda book: list(book.get(book.ids()).values()), found.append
    )
    user.wait("the mistakes", lambda: found)
    boards = sorted(mistake.board for mistake in found[0])
    want = sorted({canonical(board, "full") for board, _ in made})
    check(boards == want, f"Mistakes has exactly the {len(want)} positions blundered in")
    user.picture("mistakes")


def drill(user: User, n: int) -> None:
    """Answer all of today's mistakes, by the rates that the book has of them."""
    page = user.program.pages["Mistakes"]
    page.show_view("drill")
    user.wait("the drill", lambda: page.run.question is not None)
    user.picture("drill")
    for i in range(n):
        question = page.run.question
        rates = question.rates
        best = max(range(4), key=lambda d: -1.0 if rates[d] is None else rates[d])
        user.press(ARROWS[best])
        user.wait("the verdict", lambda k=i: page.run.tally.right == k + 1)
        user.press(Qt.Key.Key_Return)
        user.wait("the next one", lambda q=question: page.run.question is not q)
    check(page.run.tally.right == n and page.run.tally.wrong == 0, f"the drill asked all {n}")
    user.picture("drill-done")


def review(user: User, made: list[tuple[int, int]]) -> Path:
    """Open the latest test and walk from mark to mark."""
    page = user.program.pages["Review"]
    user.go_to(page)
    user.press(Qt.Key.Key_Home)
    page.actions_by_name["latest"].trigger()
    user.wait("the test in Review", lambda: page.game.n_moves >= N_MOVES)
    page.go_to(0)
    seen = []
    for _ in BLUNDER_AT:
        user.press(Qt.Key.Key_Period)
        rest(50)
        seen.append(page.game.position)
    recording = page.game.recording
    losses = [recording.judgements[i] for i in seen]
    want = [direction for _, direction in made[-len(BLUNDER_AT) :]]
    check(
        [one.direction for one in losses if one] == want,
        f"Review walks to the three blunders, moves {', '.join(str(i + 1) for i in seen)}",
    )
    user.picture("review")
    return Path(recording.path)


def export(user: User, folder: Path) -> tuple[Path, Path]:
    """Write the mistakes and the test to files for another computer."""
    mistakes, test = folder / "mistakes.json", folder
    page = user.program.pages["Mistakes"]
    user.go_to(page)
    page.show_view("list")
    with patch.object(FileDialogs, "ask_save", return_value=mistakes):
        page.actions_by_name["export"].trigger()
    user.wait("the export", mistakes.is_file)
    with closing(History(open_user_database(user.data))) as history:
        name = history.tests()[0].name
        write_session(test := folder / name, history.session(name))
    return mistakes, test


def analyze(user: User, game: Path) -> None:
    """Analyze a whole game, of 30,000 moves, with the one table that there is."""
    page = user.program.pages["Games"]
    user.go_to(page)
    page.analyze([game])
    user.wait("the analysis", lambda: user.program.services.analyses.is_running)
    user.wait("its end", lambda: not user.program.services.analyses.is_running, 300)
    kept: list = []
    user.program.services.analysis_store.read(kept.append, lambda error: sys.exit(str(error)))
    user.wait("what is kept", lambda: kept)
    check(len(kept[0]) == 1, "Games keeps what it found in a game of 30,000 moves")
    user.picture("analysis")


def import_elsewhere(user: User, mistakes: Path, test: Path, n: int) -> None:
    """Open both on a computer that has nothing."""
    page = user.program.pages["Mistakes"]
    user.go_to(page)
    with patch.object(FileDialogs, "ask_open", return_value=mistakes):
        page.actions_by_name["import"].trigger()
    page.show_view("list")
    user.wait("the import", lambda: len(page.list.model.ids) == n)
    check(True, f"another computer imported the {n} mistakes")
    user.go_to(user.program.pages["Review"])
    user.program.pages["Review"].files.open(test)
    user.wait("the test in Review", lambda: user.program.pages["Review"].game.n_moves >= N_MOVES)
    check(True, "and opens the test in Review")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--theme", choices=("light", "dark"), default="light")
    parser.add_argument("--pictures", type=Path)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        made: list[tuple[int, int]] = []
        user = User(Path(name) / "data", given.theme, given.pictures)
        table = build(user)
        practice(user, table)
        take_test(user, made)
        blundered = ", ".join(format_board(board) for board, _ in made[-3:])
        check(parse_board(blundered[:16]), f"Test: {N_MOVES} moves, blunders at {blundered}")
        find_mistakes(user, made)
        n = len({canonical(board, "full") for board, _ in made})
        drill(user, n)
        review(user, made)
        files = export(user, Path(name))
        analyze(user, Path(__file__).parents[1] / "engine" / "formats" / "long_game.txt")
        user.close()
        other = User(Path(name) / "other", given.theme, None)
        import_elsewhere(other, *files, n)
        other.close()


if __name__ == "__main__":
    main()
