"""The pictures of the help: every page of the real window, in use, in English and in Chinese.

    python -m tests.bench.help_pictures [--out DIR]

Builds 442 -> 128, practices, takes a test with mistakes, analyzes a game, and takes a picture of
each page in each language. Writes gui/help/pictures/NAME.png and gui/help/pictures/zh_CN/NAME.png,
made small, unless another folder is named.
"""

import argparse
import os
import shutil
import tempfile
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest

from coach.grading.grade import Tolerance, judge
from engine import language
from gui.exam.controller import ExamController
from gui.help.contents import FOLDER
from gui.minigames.page import MinigamesPage
from tests.bench.new_user import ARROWS, User, build, practice
from tests.gui.waiting import rest

WIDTH, COLORS, MOST_BYTES = 960, (256, 128, 64), 60_000
LONG_GAME = Path(__file__).parents[1] / "engine" / "formats" / "long_game.txt"
N_GAME_MOVES, N_PRACTICE, N_TEST_MOVES = 110, 8, 50
N_TAKEN_BACK = 14


class Photographer(User):
    """Somebody who takes pictures for the help, in whatever language is in force."""

    def __init__(self, data: Path, out: Path) -> None:
        super().__init__(data, "light", None)
        self._out = out
        self.window.resize(1280, 800)

    def picture(self, name: str) -> None:
        """Leave out the pictures of the new user's first hour."""

    def take(self, name: str) -> None:
        """Keep what is seen, small."""
        rest(600)  # animations end, answers come
        folder = self._out if language.in_force() == "en" else self._out / language.in_force()
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.png"
        smooth = Qt.TransformationMode.SmoothTransformation
        image = self.window.grab().toImage().scaledToWidth(WIDTH, smooth)
        for n_colors in COLORS:
            indexed(image, n_colors).save(str(path), quality=0)  # 0: packed as tightly as it goes
            if path.stat().st_size <= MOST_BYTES:
                break
        print(f"{path.relative_to(self._out)}: {path.stat().st_size:,} bytes, {n_colors} colors")

    def speak(self, code: str) -> None:
        """Change the language, and wait for the window to be made again."""
        before = self.program.home
        self.program.settings.set("language", code)
        if language.in_force() != code:
            self.wait(f"the window in {code}", lambda: self.program.home is not before)
        self.window.show()
        self.window.activateWindow()
        rest(300)


def indexed(image: QImage, n_colors: int) -> QImage:
    """Return an image in its most frequent colors, every other one in the nearest of them."""
    image = image.convertToFormat(QImage.Format.Format_RGB32)
    counts: dict[int, int] = {}
    for y in range(image.height()):
        for pixel in memoryview(image.constScanLine(y)).cast("I")[: image.width()]:
            key = pixel & 0x00F8F8F8 if n_colors < COLORS[0] else pixel & 0x00FCFCFC
            counts[key] = counts.get(key, 0) + 1
    common = sorted(counts, key=lambda key: -counts[key])[:n_colors]
    table = [0xFF000000 | color for color in common]
    return image.convertToFormat(
        QImage.Format.Format_Indexed8, table, Qt.ImageConversionFlag.ThresholdDither
    )


def prepare(user: Photographer) -> None:
    """Do what the pictures show: a table, a test with mistakes, an analysis, games."""
    program = user.program
    table = build(user)
    program.settings.state.set("practice.has_seen_hints", True)
    practice(user, table)
    examiner = open_test(user)
    for _ in range(3):
        take_moves(user, N_TEST_MOVES, slips=(6, 15, 24, 33))
        session = examiner.session
        act(program.test, "restart")
        user.wait("another test", lambda s=session: examiner.session not in (None, s))
    user.wait("the test's file", lambda: any((user.data / "tests").glob("*.json")))
    user.go_to(program.analysis)
    program.analysis.analyze([LONG_GAME])
    user.wait("the analysis", lambda: program.analyses.is_running)
    user.wait("its end", lambda: not program.analyses.is_running, 300)
    user.go_to(program.game)
    game = program.game
    user.wait("the game", lambda: game.session is not None)
    for i in range(N_GAME_MOVES):
        QTest.keyClick(game.board_view, ARROWS[(0, 3, 0, 3, 1, 3, 0, 2)[i % 8]])
    for _ in range(N_TAKEN_BACK):  # it may be over
        QTest.keyClick(game.board_view, Qt.Key.Key_Backspace)


def take_all(user: Photographer) -> None:
    """Take a picture of each page."""
    program = user.program
    user.go_to(program.home)
    rest(1500)
    user.take("home")
    user.go_to(program.game)
    user.wait("the game", lambda: program.game.session is not None)
    user.take("game")
    page = program.practice
    user.go_to(page)
    user.wait("rates in Practice", lambda: page.game.answer is not None)
    before = page.game.answer
    act(page, "new_start")
    user.wait("another start", lambda: page.game.answer not in (None, before))
    for i in range(4 * N_PRACTICE):
        if i >= N_PRACTICE and sum(rate is not None for rate in page.game.answer.rates) > 2:
            break
        board = page.game.session.board
        user.press(Qt.Key.Key_Return)
        user.wait("the next position", lambda b=board: page.game.session.board != b)
        user.wait("its rates", lambda: page.game.answer is not None)
    user.take("practice")
    open_test(user)
    take_moves(user, 18, slips=(7,))
    user.take("test")
    review = program.review
    user.go_to(review)
    for path in sorted((user.data / "tests").glob("*.json"), key=lambda one: -one.stat().st_size):
        review.open_file(path)
        rest(1500)
        review.go_to(0)  # it is where one left it
        if review.game.marks:
            break
    rest(800)
    act(review, "next_mark")
    user.take("review")
    user.go_to(program.mistakes)
    program.mistakes.show_view("list")
    user.wait("the list", lambda: len(program.mistakes.list.model.ids) > 0)
    user.take("mistakes")
    solve_puzzle(user)
    user.take("puzzles")
    user.go_to(program.analysis)
    rest(800)
    program.analysis.choose(1)
    user.take("analysis")
    user.go_to(program.minigames)
    wait_for_covers(user, program.minigames)
    user.take("minigames")
    user.go_to(program.tables)
    rest(1500)
    user.take("tables")
    user.go_to(program.settings_page)
    user.take("settings")


def solve_puzzle(user: Photographer) -> None:
    """Show the Puzzles page with a puzzle that was answered as most people would."""
    page = user.program.puzzles
    user.go_to(page)
    user.wait("the puzzles", lambda: not page.session.is_waiting)
    if page.session.question is None:
        page.find_puzzles()
        user.wait("a puzzle", lambda: page.session.question is not None)
    while page.banners.banners:
        page.banners.banners[0].dismissed.emit()
    user.wait("its line", lambda: bool(page.session.line))
    page.session.answer(page.session.question.stored.puzzle.natural)


def open_test(user: Photographer) -> ExamController:
    """Show the Test page and wait for its first position."""
    examiner = user.program.test.examiner
    user.go_to(user.program.test)
    user.wait("the test", lambda: examiner.session is not None and examiner.answer)
    return examiner


def take_moves(user: Photographer, n: int, slips: tuple[int, ...]) -> None:
    """Play the best moves of a test, but after `slips` of them the worst."""
    examiner, tolerance = user.program.test.examiner, Tolerance.of_type("uint32")
    while examiner.is_playing and examiner.session.n_moves < n:
        session, done = examiner.session, examiner.session.n_moves
        user.wait("rates", lambda: examiner.answer is not None or not examiner.is_playing)
        if not examiner.is_playing:
            break
        moves = [judge(examiner.answer.rates, d, tolerance) for d in range(4)]
        found = sorted(filter(None, moves), key=lambda one: one.ratio)
        chosen = found[0 if done in slips else -1]
        user.press(ARROWS[chosen.direction])
        user.wait("the move", lambda s=session, k=done: s.n_moves > k or not examiner.is_playing)


def wait_for_covers(user: Photographer, page: MinigamesPage) -> None:
    """Wait until the gallery is painted."""
    user.wait("the gallery", page.isVisible)
    rest(2000)


def act(page: object, name: str) -> None:
    """Trigger an action of a page by its name."""
    next(one for one in page.actions() if one.objectName() == name).trigger()  # type: ignore[attr-defined]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=FOLDER / "pictures")
    given = parser.parse_args()
    data = Path(tempfile.gettempdir()) / "endgame2048"  # one that may be seen
    shutil.rmtree(data, ignore_errors=True)
    user = Photographer(data, given.out)
    user.program.settings.set("animation_ms", 0)
    user.speak("en")
    prepare(user)
    for code in language.LANGUAGES:
        user.speak(code)
        take_all(user)
    user.close()
    shutil.rmtree(data)


if __name__ == "__main__":
    main()
