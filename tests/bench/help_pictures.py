"""The pictures of the help: pages of the real window, in English and Chinese, light and dark.

    python -m tests.bench.help_pictures [--out DIR] [--only NAME ...]

Builds 442 -> 128, practices, takes a test with mistakes, plays a route and a situation, analyzes a
game, and takes a picture of each page in each language, or of some. Writes
gui/help/pictures/NAME.png, dark/NAME.png, zh_CN/NAME.png and zh_CN/dark/NAME.png there, made
small, unless another folder is named.
"""

import argparse
import os
import shutil
import tempfile
from collections.abc import Sequence
from contextlib import closing
from datetime import timedelta
from itertools import product
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import Qt
from PySide6.QtGui import QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from coach.exam.history import FOLDER as TESTS
from coach.exam.history import FinishedTest, History
from coach.grading.grade import Tolerance, judge
from coach.old_files.opening import open_user_database
from coach.play.player import Player
from engine.platform import language
from gui.help.contents import DARK, FOLDER
from gui.minigames.page import MinigamesPage
from tablebase.library.opening import open_table
from tests.bench.new_user import ARROWS, User, build, practice
from tests.gui.waiting import rest

WIDTH, COLORS, MAX_BYTES = 960, (256, 128, 64), 60_000
LONG_GAME = Path(__file__).parents[1] / "engine" / "formats" / "long_game.txt"
N_GAME_MOVES, N_PRACTICE, N_TEST_MOVES = 110, 8, 1000  # the last: to the end
N_TAKEN_BACK = 14
N_WEEKS, N_ATTEMPTS, ROUTE_SLIPS = 5, 4, (9, 22, 41, 56)


class Photographer(User):
    """Somebody who takes pictures for the help, in whatever language is in force."""

    def __init__(self, data: Path, out: Path, only: Sequence[str] = ()) -> None:
        super().__init__(data, "light", None)
        self._out, self._only = out, only
        self.window.resize(1280, 800)

    def picture(self, name: str) -> None:
        """Leave out the pictures of the new user's first hour."""

    def take(self, name: str, what: QWidget | None = None) -> None:
        """Keep what is seen of the window, or of another, small."""
        rest(600)  # animations end, answers come
        if self._only and name not in self._only:
            return
        folder = self._out if language.in_force() == "en" else self._out / language.in_force()
        folder = folder / DARK if self.program.services.settings.get("theme") == DARK else folder
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / f"{name}.png"
        smooth = Qt.TransformationMode.SmoothTransformation
        image = (what or self.window).grab().toImage().scaledToWidth(WIDTH, smooth)
        for n_colors in COLORS:
            indexed(image, n_colors).save(str(path), quality=0)  # 0: packed as tightly as it goes
            if path.stat().st_size <= MAX_BYTES:
                break
        print(f"{path.relative_to(self._out)}: {path.stat().st_size:,} bytes, {n_colors} colors")

    def speak(self, code: str) -> None:
        """Change the language, and wait for the window to be made again."""
        before = self.program.home
        self.program.services.settings.set("language", code)
        if language.in_force() != code:
            self.wait(f"the window in {code}", lambda: self.program.home is not before)
            self.wait("its picture", lambda: not self.window.is_held)
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
    program.services.settings.state.set("practice.has_seen_hints", True)
    practice(user, table)
    player = open_test(user)
    for _ in range(3):
        take_moves(user, player, N_TEST_MOVES, slips=(6, 15, 24, 33))
        session = player.run
        act(program.pages["Test"], "restart")
        user.wait("another test", lambda s=session: player.run not in (None, s))
    user.wait("the test", lambda: tests_of(user))
    spread_over_weeks(user)
    play_route(user, table)
    play_situation(user)
    user.go_to(program.pages["Games"])
    program.pages["Games"].analyze([LONG_GAME])
    user.wait("the analysis", lambda: program.services.analyses.is_running)
    user.wait("its end", lambda: not program.services.analyses.is_running, 300)
    user.go_to(program.pages["Game"])
    game = program.pages["Game"]
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
    user.go_to(program.pages["Game"])
    user.wait("the game", lambda: program.pages["Game"].session is not None)
    user.take("game")
    page = program.pages["Practice"]
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
    take_moves(user, open_test(user), 18, slips=(7,))
    user.take("test")
    review = program.pages["Review"]
    user.go_to(review)
    for test in sorted(tests_of(user), key=lambda test: -test.n_moves):
        review.files.open(user.data / TESTS / test.name)
        rest(1500)
        review.go_to(0)  # it is where one left it
        if review.game.marks:
            break
    rest(800)
    act(review, "next_mark")
    user.take("review")
    act(review, "compare")
    comparison = program.pages.comparison
    user.wait("both sides", lambda: comparison.isVisible() and comparison.facts.text(), 60)
    comparison.resize(960, 720)
    user.take("compare", comparison)
    comparison.close()
    user.go_to(program.pages["Mistakes"])
    program.pages["Mistakes"].show_view("list")
    user.wait("the list", lambda: len(program.pages["Mistakes"].list.model.ids) > 0)
    user.take("mistakes")
    solve_puzzle(user)
    user.take("puzzles")
    user.go_to(program.pages["Progress"])
    page = program.pages["Progress"]
    user.wait("the profile", lambda: page.curve.isVisible(), 60)
    user.take("progress")
    user.go_to(program.pages["Games"])
    rest(800)
    program.pages["Games"].choose(1)
    user.take("games")
    user.go_to(program.pages["Routes"])
    program.pages["Routes"].play_today()
    user.wait("the route", program.pages["Routes"].panel.result.isVisible)
    user.take("routes")
    user.go_to(program.pages["Situations"])
    page = program.pages["Situations"]
    page.show_list(True)
    kept = page.start_view.list
    user.wait("the situations", lambda: bool(kept.model.rows))
    kept.action_requested.emit("play_situation", kept.model.rows[0])
    user.wait("its board", lambda: page.board_view.isVisible() and page.player.answer)
    rest(300)
    take_moves(user, page.player, 3)
    user.take("situations")
    user.go_to(program.pages["Minigames"])
    wait_for_covers(user, program.pages["Minigames"])
    user.take("minigames")
    user.go_to(program.pages["Tables"])
    program.pages["Tables"].form_action.trigger()
    rest(1500)
    user.take("tables")
    user.go_to(program.pages["Settings"])
    user.take("settings")


def solve_puzzle(user: Photographer) -> None:
    """Show the Puzzles page with a puzzle that was answered as most people would."""
    page = user.program.pages["Puzzles"]
    user.go_to(page)
    user.wait("the puzzles", lambda: not page.run.is_waiting)
    if page.run.question is None:
        page.find_puzzles()
        user.wait("a puzzle", lambda: page.run.question is not None)
    while page.banners.banners:
        page.banners.banners[0].dismissed.emit()
    user.wait("its line", lambda: bool(page.line))
    page.run.answer(page.run.question.item.puzzle.natural)


def open_test(user: Photographer) -> Player:
    """Show the Test page and wait for its first position."""
    player = user.program.pages["Test"].player
    user.go_to(user.program.pages["Test"])
    user.wait("the test", lambda: player.run is not None and player.answer)
    return player


def tests_of(user: Photographer) -> list[FinishedTest]:
    """Return the tests that are over."""
    with closing(History(open_user_database(user.data))) as history:
        return history.tests()


def spread_over_weeks(user: Photographer) -> None:
    """Keep the tests once more for each of some weeks before: progress has more than a day."""
    with closing(History(open_user_database(user.data))) as history:
        for test in history.tests():
            session = history.session(test.name)
            started = session.started
            for weeks in range(1, N_WEEKS):
                ago = timedelta(weeks=weeks)
                session.started = started - ago
                history.add_file(f"{Path(test.name).stem}-{weeks}.json", session, test.ended - ago)


def play_route(user: Photographer, table: Path) -> None:
    """Go along today's route, mostly by the best moves, and have the AI do so."""
    page = user.program.pages["Routes"]
    user.go_to(page)
    page.play_today()
    user.wait("the route", lambda: page.player.is_playing)
    with closing(open_table(table)) as opened:
        while page.player.is_playing:
            run = page.player.run
            assert run
            rates, n = opened.probe(run.board).rates, run.n_moves
            known = [d for d in range(4) if rates[d] is not None]
            key = (min if n in ROUTE_SLIPS else max)(known, key=lambda d: rates[d] or 0.0)
            user.press(ARROWS[key])
            user.wait("the move", lambda k=n, r=run: r.n_moves > k)
            act(page, "go_on")
    user.wait("the AI", lambda: page.panel.result.ranking_label.text().count("\n") == 1, 180)


def play_situation(user: Photographer) -> None:
    """Play a position of a test again and again."""
    page = user.program.pages["Situations"]
    longest = max(tests_of(user), key=lambda test: test.n_moves)
    with closing(History(open_user_database(user.data))) as history:
        test = history.session(longest.name)
    user.go_to(page)
    page.ask(test.moves[-min(len(test.moves), 20)].before)
    for i in range(N_ATTEMPTS):
        user.wait("the attempt", lambda: page.player.is_playing and page.player.answer, 60)
        take_moves(user, page.player, 1000, slips=(2,) if i % 2 else ())
        act(page, "next")
    user.wait("the next attempt", lambda: page.player.answer is not None)


def take_moves(user: Photographer, player: Player, n: int, slips: tuple[int, ...] = ()) -> None:
    """Play the best moves of a test, but after `slips` of them the worst."""
    tolerance = Tolerance.of_type("uint32")
    while player.is_playing and player.run.n_moves < n:
        session, done = player.run, player.run.n_moves
        user.wait("rates", lambda: player.answer is not None or not player.is_playing)
        if not player.is_playing:
            break
        moves = [judge(player.answer.rates, d, tolerance) for d in range(4)]
        found = sorted(filter(None, moves), key=lambda one: one.ratio)
        chosen = found[0 if done in slips else -1]
        user.press(ARROWS[chosen.direction])
        user.wait("the move", lambda s=session, k=done: s.n_moves > k or not player.is_playing)


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
    parser.add_argument("--only", nargs="*", default=(), metavar="NAME")
    given = parser.parse_args()
    data = Path(tempfile.gettempdir()) / "endgame2048"  # one that may be seen
    shutil.rmtree(data, ignore_errors=True)
    user = Photographer(data, given.out, given.only)
    user.program.services.settings.set("animation_ms", 0)
    user.speak("en")
    prepare(user)
    for theme, code in product(("light", DARK), language.LANGUAGES):
        user.program.services.settings.set("theme", theme)
        user.speak(code)
        take_all(user)
    user.close()
    shutil.rmtree(data)


if __name__ == "__main__":
    main()
