"""The whole window with something on each page, and each thing that can be looked at there."""

import shutil
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from coach.grading.grade import UINT32, judge
from coach.mistakes.mistake import NotedMove, TableKey
from coach.routes.code import Route
from engine.bitboard import cells
from engine.spawn import Rng
from gui.settings_model.settings_table import SECTIONS
from gui.shell.app import Program
from tablebase.library.opening import open_table
from tests.gui.practice_fakes import NOON

_ARROWS = (Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Right, Qt.Key.Key_Up)
_RATES = (0.8, None, 0.4, None)
_BOARDS = (0x0000_0000_0000_0123, 0x0000_0000_0000_0124)


def add_table(table: Path, data_dir: Path) -> Path:
    """Put a table where the program finds it, and return its folder."""
    return Path(shutil.copytree(table, data_dir / "tables" / table.name))


class Furnished:
    """A program that has been used for a while.

    Parameters
    ----------
    program : Program
        Just made; its window is shown.
    table : Path
        A table in its data folder.
    """

    def __init__(self, program: Program, qtbot: QtBot, table: Path) -> None:
        self.program, self._qtbot, self._table = program, qtbot, table
        self.window = program.window
        QApplication.processEvents()
        self.window.activateWindow()
        qtbot.waitUntil(self.window.isActiveWindow)
        program.start()
        qtbot.waitUntil(lambda: program.services.library.is_known)

    def views(self) -> Iterator[tuple[str, QWidget]]:
        """Yield every view: its name, and the page in front."""
        for name, go in self._ways().items():
            go()
            self._settle()
            assert self.window.page
            yield name, self.window.page

    def _ways(self) -> dict[str, Callable[[], object]]:
        program, show = self.program, self.window.show_page
        return {
            "home": lambda: show(program.home),
            "game": self._play,
            "practice": self._practice,
            "practice, editing": lambda: self._do(program.pages["Practice"], "edit"),
            "test": self._test,
            "test, its end": self._end_test,
            "test, history": lambda: program.pages["Test"].show_list(True),
            "review": self._review,
            "mistakes": self._mistakes,
            "mistakes, drill": lambda: program.pages["Mistakes"].show_view("drill"),
            "mistakes, progress": lambda: program.pages["Mistakes"].show_view("progress"),
            "puzzles, none": lambda: show(program.pages["Puzzles"]),
            "puzzles": self._puzzle,
            "puzzles, answered": self._answer_puzzle,
            "profile": lambda: show(program.pages["Progress"]),
            "analysis": lambda: show(program.pages["Games"]),
            "routes": lambda: show(program.pages["Routes"]),
            "route": self._route,
            "route, its end": self._end_route,
            "situations, none": lambda: show(program.pages["Situations"]),
            "situation": self._situation,
            "situation, its end": self._end_situation,
            "situations": lambda: program.pages["Situations"].show_list(True),
            "minigames": lambda: show(program.pages["Minigames"]),
            "minigame": program.pages["Minigames"].open_daily,
            "tables": lambda: show(program.pages["Tables"]),
            **{f"settings, {one.key}": partial(self._set, one.key) for one in SECTIONS},
            "help": lambda: show(program.pages["Help"]),
        }

    def _play(self) -> None:
        game = self.program.pages["Game"]
        self.window.show_page(game)
        self._qtbot.waitUntil(lambda: game.session is not None)
        for key in _ARROWS:
            QTest.keyClick(game.board_view, key)

    def _practice(self) -> None:
        self.program.request("practice_requested", self._table)
        practice = self.program.pages["Practice"]
        self._qtbot.waitUntil(lambda: practice.game.session is not None)
        for key in _ARROWS:
            QTest.keyClick(practice.board_view, key)

    def _test(self) -> None:
        self._do(self.program.pages["Practice"], "edit")
        self.program.request("test_requested", self._table)

    def _end_test(self) -> None:
        """Press whatever is taken until the test is over, mistakes and all."""
        test = self.program.pages["Test"]
        test.board_view.setFocus()
        self._qtbot.waitUntil(lambda: test.player.run is not None)

        def is_over() -> bool:
            for key in _ARROWS:
                QTest.keyClick(test.board_view, key)
            return not test.player.is_playing

        self._qtbot.waitUntil(is_over)

    def _review(self) -> None:
        self.program.pages["Test"].show_list(False)
        self.window.show_page(self.program.pages["Practice"])
        self._do(self.program.pages["Practice"], "review")
        self._qtbot.waitUntil(lambda: self.program.pages["Review"].game.recording is not None)

    def _route(self) -> None:
        routes = self.program.pages["Routes"]
        self.window.show_page(routes)
        self._do(routes, "daily")
        self._qtbot.waitUntil(lambda: routes.player.run is not None)
        for key in _ARROWS:
            QTest.keyClick(routes.board_view, key)

    def _end_route(self) -> None:
        """Press whatever is taken until a route of whole games is over."""
        routes = self.program.pages["Routes"]
        routes.play(Route("", "", 5, 12, is_corrected=False))
        while routes.player.is_playing:
            for key in _ARROWS:
                QTest.keyClick(routes.board_view, key)

    def _situation(self) -> None:
        with closing(open_table(self._table)) as table:
            start = tuple(cells(table.start_board(Rng(5))))
        self.program.request("situation_requested", start, self._table)
        player = self.program.pages["Situations"].player
        self._qtbot.waitUntil(lambda: player.is_playing)

    def _end_situation(self) -> None:
        """Press whatever is taken until the attempt is over."""
        situations = self.program.pages["Situations"]
        situations.board_view.setFocus()

        def is_over() -> bool:
            for key in _ARROWS:
                QTest.keyClick(situations.board_view, key)
            return not situations.player.is_playing

        self._qtbot.waitUntil(is_over)

    def _mistakes(self) -> None:
        mistakes, name = self.program.pages["Mistakes"], self._table.name
        judgement = judge(_RATES, 2, UINT32)
        assert judgement
        for board in _BOARDS:
            move = NotedMove(TableKey(name, 0.1), board, judgement, _RATES, NOON, "test", 0)
            self.program.services.mistake_store.note(move)
        self.window.show_page(mistakes)
        mistakes.show_view("list")

    def _puzzle(self) -> None:
        puzzles = self.program.pages["Puzzles"]
        puzzles.find_puzzles()
        self._qtbot.waitUntil(lambda: puzzles.run.question is not None)

    def _answer_puzzle(self) -> None:
        run = self.program.pages["Puzzles"].run
        assert run.question
        run.answer(run.question.item.puzzle.natural)

    def _set(self, section: str) -> None:
        page = self.program.pages["Settings"]
        self.window.show_page(page)
        page.view(section).finish()
        page.show_section(section)

    def _settle(self) -> None:
        """Wait until all requests so far are answered, with their consequences."""
        program = self.program
        runners = (
            *(
                program.services.tasks,
                program.services.lookups,
                program.services.thoughts,
                program.services.reviews,
            ),
            *(
                program.services.questions,
                program.services.notes,
                program.services.filing,
                program.services.drawings,
                program.services.estimates,
            ),
            *(program.services.walks, program.services.seeking, program.services.counting),
        )
        for _ in range(2):
            answered: list[object] = []
            for runner in runners:
                runner.run(lambda: None, answered.append, answered.append)
            self._qtbot.waitUntil(lambda answered=answered: len(answered) == len(runners))
            QApplication.processEvents()

    def _do(self, page: QWidget, name: str) -> None:
        next(a for a in page.actions() if a.objectName() == name).trigger()
