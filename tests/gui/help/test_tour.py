"""The tour: shown to newcomers, led by keys, left for good, found again."""

import pytest
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from engine.platform import language
from gui.help.tour import card_place
from tests.gui.window_fakes import table_info

N_STEPS = 6


def press(*keys: Qt.Key) -> None:
    for key in keys:
        QTest.keyClick(QApplication.focusWidget(), key)


@pytest.mark.thorough
def test_it_shows_the_real_controls_of_its_pages(program, qtbot):
    running = program()
    window = running.window
    window.resize(1280, 800)
    window.activateWindow()
    qtbot.waitUntil(running.home.hero.button.isVisible)  # it waits for the next step
    running.show_tour()
    tour = running.tour
    targets = []
    for page in ("Home", "Tables", "Practice", "Test", "Mistakes", "Help"):
        QApplication.processEvents()
        assert window.page.title == page
        assert not tour.target.isEmpty(), page
        assert window.rect().contains(tour.target)
        assert not tour.card.geometry().intersects(tour.target)
        assert window.rect().contains(tour.card.geometry())
        targets.append(tour.target)
        press(Qt.Key.Key_Return)
    button = running.home.hero.button
    assert targets[0].size() == button.size()
    assert len({(t.x(), t.y()) for t in targets}) == N_STEPS
    assert running.tour is None
    assert window.focusWidget() is not None


def test_escape_leaves_it_for_good_and_the_board_has_its_keys(program, qtbot):
    running = program()
    running.window.activateWindow()
    running.window.show_page(running.pages["Game"])
    qtbot.waitUntil(lambda: running.pages["Game"].session is not None)
    running.show_tour()
    press(Qt.Key.Key_Return, Qt.Key.Key_Escape)
    assert running.tour is None
    assert running.services.settings.state.get("help.is_tour_over")
    running.window.show_page(running.pages["Game"])
    n_before = running.pages["Game"].session.game.n_moves
    for key in (Qt.Key.Key_Left, Qt.Key.Key_Down, Qt.Key.Key_Right):
        press(key)
    assert running.pages["Game"].session.game.n_moves > n_before


def test_it_comes_by_itself_only_to_somebody_new(program, qtbot):
    running = program()
    running.start()
    QApplication.processEvents()
    assert running.tour is None, "nobody asked"
    qtbot.waitUntil(lambda: running.services.library.is_known)
    running.offer_tour()
    assert running.tour is not None
    running.tour.leave()
    running.offer_tour()
    assert running.tour is None, "left once"


def test_it_does_not_come_to_somebody_with_tables(program, qtbot, monkeypatch, data_dir):
    running = program()
    running.offer_tour()
    table = table_info(data_dir / "tables" / "442_128")
    monkeypatch.setattr(running.services.tables, "scan", lambda: [table])
    with qtbot.waitSignal(running.services.library.changed):
        running.services.library.refresh()
    assert running.tour is None
    running.pages["Help"].tour_action.trigger()
    assert running.tour is not None, "it is found again"


@pytest.mark.thorough
def test_it_goes_on_in_another_language_and_in_other_colors(program, qtbot):
    running = program()
    running.show_tour()
    running.tour.card.next_button.click()
    before, title = running.home, running.tour.card.title_label.text()
    running.services.settings.set("theme", "dark")
    running.services.settings.set("language", language.PSEUDO)
    qtbot.waitUntil(lambda: running.home is not before and running.tour is not None)
    assert running.tour.at == 1
    assert running.tour.card.title_label.text() not in ("", title)
    running.tour.card.back_button.click()
    assert running.tour.at == 0
    assert not running.tour.card.back_button.isEnabled()


@pytest.mark.parametrize(
    ("target", "corner"),
    [
        (QRect(10, 10, 100, 40), "right"),
        (QRect(600, 300, 180, 40), "left"),
        (QRect(10, 10, 780, 40), "below"),
        (QRect(10, 500, 780, 40), "above"),
        (QRect(10, 10, 780, 580), "inside"),
        (QRect(), "inside"),
    ],
)
def test_the_card_is_beside_what_it_is_about(target, corner):
    window = QRect(0, 0, 800, 600)
    place = card_place(window, target, QSize(300, 150))
    assert window.contains(place)
    where = {
        "right": place.left() > target.right(),
        "left": place.right() < target.left(),
        "below": place.top() > target.bottom(),
        "above": place.bottom() < target.top(),
        "inside": place.bottomRight().x() > 700,
    }
    assert where[corner]
    assert corner == "inside" or not place.intersects(target)
