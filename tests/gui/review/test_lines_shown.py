"""The best line beside what was played: asked for when one stays, off the GUI thread."""

from dataclasses import replace

from PySide6.QtCore import QTimer

from coach.recordings.recording import SEARCH, WHOLE_GAME, Rater
from coach.whole_game.rating import ALIKE
from gui.review.lines import N_PLIES, SETTLE_MS, line_text, lines_from
from tablebase.probe.probes import Probe
from tests.coach.games import NamedTable
from tests.gui.review.conftest import TABLE_PATH


def test_where_one_stays_the_best_line_stands_beside_what_was_played(game, qtbot):
    shown, recording = game.page.panel.lines, game.page.game.recording
    for position in (3, 7, recording.n_moves - 2):
        game.page.go_to(position)
        assert shown.best_label.text() == "", "no line of another position is seen"
        qtbot.waitUntil(lambda: bool(shown.played_label.text()))
        best, played = lines_from(NamedTable(rate="uint32"), recording, position)
        n_left = min(N_PLIES, recording.n_moves - position)
        assert len(played.directions) == n_left
        assert shown.played_label.text() == line_text(played)
        is_same = best.directions == played.directions
        assert shown.best_label.text() == ("as played" if is_same else line_text(best))
    game.page.go_to(recording.n_moves)
    assert not shown.isVisible()


def test_who_walks_on_asks_for_nothing_and_an_answer_that_is_late_is_dropped(game, qtbot):
    shown = game.page.panel.lines
    qtbot.waitUntil(lambda: bool(shown.played_label.text()))
    game.table.asked.clear()
    for position in range(1, 20):
        game.page.go_to(position)
    assert game.table.asked == []
    game.tasks.at_once = False
    qtbot.waitUntil(lambda: bool(game.tasks.waiting))
    assert game.table.asked == [], "the GUI thread looks nothing up itself"
    assert len(game.tasks.waiting) == 1
    game.page.go_to(30)
    game.tasks.work_off(1)
    assert shown.played_label.text() == ""


def test_the_table_is_let_go_of_when_the_page_is_left_or_the_table_goes(game, qtbot):
    shown = game.page.panel.lines
    qtbot.waitUntil(lambda: bool(shown.played_label.text()))
    assert not game.table.is_closed
    game.page.hide()
    assert game.table.is_closed
    game.table.is_closed = False
    game.page.show()
    qtbot.waitUntil(lambda: bool(shown.played_label.text()))
    game.page.close_table(TABLE_PATH)
    assert game.table.is_closed
    assert not shown.isVisible()


def test_no_line_has_a_best_rate_that_is_not_certain(game):
    class Unsure(NamedTable):
        def probe(self, board: int, comes_up: bool = False) -> Probe:
            return replace(super().probe(board, comes_up), best=None, unknown=(2,))

    best, played = lines_from(Unsure(), game.page.game.recording, 3)
    assert best.directions == ()
    assert set(played.rates) == {None}


def test_the_line_of_a_lost_game_ends_at_nothing(game):
    recording = replace(game.page.game.recording, end_rate=0.0)
    ended = NamedTable(outside={recording.boards[-1]})
    _, played = lines_from(ended, recording, recording.n_moves - 1)
    assert line_text(played).endswith(" \N{RIGHTWARDS ARROW} 0 %")
    of_another = NamedTable("442_128", outside={recording.boards[-1]})
    _, played = lines_from(of_another, recording, recording.n_moves - 1)
    assert played.rates[-1] is None, "the end is known for the game's own target only"


def test_where_search_rates_or_the_table_knows_nothing_no_captions_stand_alone(game, qtbot):
    page, shown = game.page, game.page.panel.lines
    qtbot.waitUntil(lambda: bool(shown.played_label.text()))
    page.go_to(3)
    assert shown.isVisible()
    recording = page.game.recording
    game.table.outside = set(recording.boards)
    page.go_to(5)
    qtbot.waitUntil(lambda: not shown.isVisible())
    raters = (Rater(SEARCH, ALIKE),) * len(recording.positions)
    page.review(replace(recording, source=WHOLE_GAME, raters=raters), 3)
    assert not shown.isVisible()


def test_without_a_table_of_the_game_there_is_no_line(desk, qtbot):
    desk.page.files.open(desk.folder / "442_128_b.rpl")  # its table is not complete
    settling = [t for t in desk.page.findChildren(QTimer) if t.interval() == SETTLE_MS]
    assert settling
    qtbot.waitUntil(lambda: not any(timer.isActive() for timer in settling))
    assert not desk.page.panel.lines.isVisible()
