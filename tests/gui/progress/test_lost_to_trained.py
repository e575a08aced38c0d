"""From "I lost a game" to "I train what lost it": by real clicks, and not many of them."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from coach.grading.grade import UINT32, judge
from coach.mistakes.mistake import NotedMove, TableKey
from coach.mistakes.mistakes import Mistakes
from gui.shell.app import Program
from tests.coach.made_sessions import played, write_session
from tests.gui.furnished_window import add_table
from tests.gui.page_driver import ARROWS

RATES = (0.4, 0.8, None, None)
JUDGEMENT = judge(RATES, 0, UINT32)
MAX_CLICKS = 4


class Clicker:
    """Clicks on what a person sees, and counts that."""

    def __init__(self, program: Program, qtbot: QtBot) -> None:
        self.program, self.qtbot = program, qtbot
        self.n = 0

    def click(self, page: QWidget, text: str) -> None:

        def buttons() -> list[QAbstractButton]:
            found = page.findChildren(QAbstractButton)
            return [b for b in found if b.isEnabled() and says(b, text) and is_seen(b)]

        self.qtbot.waitUntil(lambda: bool(buttons()))
        QTest.mouseClick(buttons()[0], Qt.MouseButton.LeftButton)
        self.n += 1


def is_seen(button: QAbstractButton) -> bool:
    """Return whether a person can click on it without scrolling."""
    return button.isVisible() and button.visibleRegion().contains(button.rect().center())


def says(button: QAbstractButton, text: str) -> bool:
    return text in (button.text(), button.accessibleName())


@pytest.fixture
def program(qtbot, qapp, data_dir) -> Iterator[Program]:
    program = Program(qapp, data_dir)
    qtbot.addWidget(program.window)
    program.services.settings.set("whole_game.ms", 1.0)
    program.window.resize(1200, 860)
    program.window.show()
    yield program
    program.close()


def lose(program: Program, qtbot: QtBot) -> None:
    """Play a game on the Game page until nothing can be moved."""
    game = program.pages["Game"]
    program.window.show_page(game)
    qtbot.waitUntil(lambda: game.session is not None)
    session = game.session
    assert session
    for _ in range(1000):
        if session.game.is_over:
            break
        for key in ARROWS:
            QTest.keyClick(game.board_view, key)
    assert session.game.is_over


@pytest.mark.thorough
def test_a_lost_game_is_trained_after_four_clicks_at_most(program, qtbot):
    lose(program, qtbot)
    person = Clicker(program, qtbot)
    person.click(program.pages["Game"], "Review")
    qtbot.waitUntil(lambda: program.window.page is program.pages["Review"])
    review = program.pages["Review"]
    person.click(review, "Analyze the whole game")
    qtbot.waitUntil(lambda: review.game.recording.n_judged > 0)
    QTest.keyClick(review.board_view, Qt.Key.Key_End)  # the whole game
    person.click(review, "Train this (10 min)")
    mistakes = program.pages["Mistakes"]
    qtbot.waitUntil(lambda: program.window.page is mistakes)
    qtbot.waitUntil(lambda: mistakes.run.question is not None)
    assert person.n <= MAX_CLICKS
    question = mistakes.run.question
    assert question
    assert question.item.key.name == "search"
    (banner,) = mistakes.banners.banners
    assert "from this game" in banner.text_label.text()
    # A key answers every question; the page says what went wrong, and what comes next.
    program.services.settings.set("mistakes.advance", False)
    n = mistakes.run.tally.left
    for _ in range(n or 0):
        question = mistakes.run.question
        assert question
        QTest.keyClick(mistakes.board_view, ARROWS[question.best[0]])
        qtbot.waitUntil(lambda: mistakes.run.verdict is not None)
        QTest.keyClick(mistakes.board_view, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda: not mistakes.run.is_waiting)
    notice = mistakes.drill_place.notice
    assert notice.title_label.text() == "Session done"
    assert notice.text_label.text().startswith(f"{n} of {n} correct.")
    assert not mistakes.banners.banners
    person.click(mistakes, "See your progress")
    progress = program.pages["Progress"]
    assert program.window.page is progress
    qtbot.waitUntil(lambda: is_seen(progress.button))


@pytest.mark.thorough
def test_a_test_is_trained_from_review_with_what_was_filed_of_it(program, qtbot, data_dir):
    session = played(40)
    path = data_dir / "tests" / "L3_256_20260501-120000-000.json"
    write_session(path, session)
    wrong = next(m for m in session.moves if m.judgement.ratio < 0.9)

    def file(book: Mistakes) -> object:
        return book.note(
            NotedMove(
                TableKey("L3_256", 0.1),
                wrong.board,
                wrong.judgement,
                wrong.rates,
                session.started,
                path.name,
                1,
            )
        )

    program.services.mistake_store.change(file)
    program.request("review_requested", path)
    person = Clicker(program, qtbot)
    review = program.pages["Review"]
    qtbot.waitUntil(lambda: review.game.recording is not None)
    QTest.keyClick(review.board_view, Qt.Key.Key_End)  # the whole game
    person.click(review, "Train this (10 min)")
    mistakes = program.pages["Mistakes"]
    qtbot.waitUntil(lambda: mistakes.run.question is not None)
    assert program.window.page is mistakes
    assert mistakes.run.tally.left == 1
    assert person.n == 1


@pytest.mark.thorough
def test_with_nothing_to_train_the_profile_says_so(program, qtbot):
    program.request("training_requested")
    qtbot.waitUntil(lambda: program.window.page is program.pages["Progress"])
    (banner,) = program.pages["Progress"].banners.banners
    assert banner.text_label.text().startswith("Nothing to train yet")
    person = Clicker(program, qtbot)
    person.click(program.pages["Progress"], "Take a test")
    assert program.window.page is program.pages["Test"]


@pytest.mark.thorough
def test_home_begins_a_session_about_what_costs_most(qtbot, qapp, data_dir, table):
    add_table(table("2x4", 64), data_dir)
    for i in range(20):
        session = played(60, by=i, table=("L3_256", "442_256")[i % 2])
        write_session(data_dir / "tests" / f"{i}.json", session)
    program = Program(qapp, data_dir)
    qtbot.addWidget(program.window)
    program.window.resize(1200, 1400)
    program.window.show()
    program.start()
    program.services.mistake_store.note(
        NotedMove(TableKey("L3_256", 0.1), 0x1230, JUDGEMENT, RATES, session.started, "a game", 1)
    )
    try:
        train = next(one for one in program.home.actions() if one.objectName() == "train")
        train.trigger()
        mistakes = program.pages["Mistakes"]
        qtbot.waitUntil(lambda: mistakes.run.question is not None)
        assert program.window.page is mistakes
    finally:
        program.close()
