"""Judging a whole game on the Review page: roughly at once, in full later, and on from there."""

import math
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timezone

import pytest

from coach.old_files.opening import open_user_database
from coach.recordings.recording import SEARCH, WHOLE_GAME
from coach.whole_game.analysis import WholeGameAnalysis
from coach.whole_game.stored_chances import CHANCES_NAME, StoredChances, stored
from engine.platform.quantities import points_text
from gui.comparison.request import ComparisonRequest
from gui.play.services import PlayServices
from gui.review.charts import LOSS, LUCK, MATCH
from gui.review.game import WHOLE_GAME as WHOLE_GAME_CHOICE
from gui.review.page import ReviewPage
from gui.review.work import WholeGames
from gui.text.numbers import NBSP
from gui.text.reviews import describe_tile, summary_lines
from tests.coach.whole_game.test_game_search import NODES, Looks
from tests.gui.practice_fakes import FakeTasks
from tests.gui.review.conftest import TABLES, Desk, formations, write_games

NOW = datetime(2026, 5, 1, tzinfo=timezone.utc)


class Searched:
    """A desk whose page can search."""

    def __init__(self, qtbot, settings, folder, desk):
        self.looks, self.asked_ms, self.tasks = Looks(), [], FakeTasks()
        self.stop_after = None
        self.desk = desk

        @contextmanager
        def analysis(ms):
            self.asked_ms.append(ms)
            kept = StoredChances(folder / CHANCES_NAME)
            yield WholeGameAnalysis(self.look, NODES, kept, lambda: NOW)
            kept.close()

        self.page = ReviewPage(
            PlayServices(
                settings,
                lambda path: desk.opened.get(path, desk.table),
                FakeTasks(),
                FakeTasks(),
                folder,
            ),
            open_user_database(folder),
            formations,
            whole_games=WholeGames(self.tasks, analysis),
        )
        self.shown = []
        self.page.work.roughly_rated.connect(lambda _, roughly: self.shown.append(roughly))
        self.page.resize(1200, 860)
        qtbot.addWidget(self.page)
        self.page.show()
        self.page.files.open(folder / "verse.txt")

    def look(self, cells, nodes):
        if self.stop_after is not None and len(self.looks.asked) >= self.stop_after:
            self.page.work.cancel()
        return self.looks(cells, nodes)

    @property
    def recording(self):
        return self.page.game.recording


@pytest.fixture
def searched(qtbot, settings, tmp_path, desk: Desk):
    write_games(tmp_path)
    return Searched(qtbot, settings, tmp_path, desk)


@pytest.mark.thorough
def test_the_whole_game_is_offered_without_any_table(searched):
    page = searched.page
    assert page.panel.notice.title_label.text() == "No success rates in this recording"
    (button,) = page.panel.notice.buttons
    assert button.text() == "Analyze the whole game"
    button.click()
    recording = searched.recording
    assert recording.source == WHOLE_GAME
    assert recording.n_judged == recording.n_moves == 50
    assert searched.asked_ms == [3.0]
    assert recording.rates[7] == stored(Looks()(recording.positions[7], NODES).chances)
    assert {recording.rater_at(i) for i in range(50)} == {SEARCH}
    page.go_to(7)
    texts = [label.text() for label in page.panel.findChildren(type(page.panel.notice.title_label))]
    assert "Estimated by search: the chance of the next 2048" in texts


def test_of_a_whole_game_the_mean_loss_is_told_and_no_product_of_estimates(searched):
    page = searched.page
    page.rater.rate(WHOLE_GAME_CHOICE)
    recording, so_far = searched.recording, page.panel.so_far_label
    lost = recording.points_lost
    assert 0 < sum(lost[:7]) < sum(lost), "or this test could not fail"
    page.go_to(7)
    assert f", mean loss {points_text(sum(lost[:7]) / 7)}" in so_far.text()
    assert "kept" not in so_far.text()
    said = dict(summary_lines(recording))
    assert said["Lost per move"] == points_text(sum(lost) / 50)
    assert not {"Chance kept", "Luck"} & set(said)
    assert not page.panel.summary.luck_label.isVisibleTo(page)
    page.go_to(0)
    assert so_far.text() == "Move 1 of 50"


def test_the_charts_of_a_whole_game_show_no_product_of_estimates(searched):
    page, charts = searched.page, searched.page.charts
    charts.chips.buttons[LUCK].click()
    page.rater.rate(WHOLE_GAME_CHOICE)
    texts = [button.text() for button in charts.chips.buttons.values()]
    assert texts == ["Loss", "Chance", "Mean loss"]
    assert charts.chart == LOSS
    assert charts.stack.currentWidget() is charts.charts[LOSS]
    charts.chips.buttons[MATCH].click()
    mean = charts.charts[MATCH]
    assert mean.accessibleName() == "Mean loss"
    lost = searched.recording.points_lost
    assert mean.read_out(7).endswith(points_text(sum(lost[:7]) / 7))
    page.files.open(searched.desk.folder / "L3_512_a.rpl")
    assert LUCK in charts.chips.buttons
    assert (charts.chart, mean.accessibleName()) == (MATCH, "Chance kept")


@pytest.mark.thorough
def test_the_chart_that_was_wanted_comes_back_after_a_game_without_it(searched):
    page, charts = searched.page, searched.page.charts
    charts.chips.buttons[LUCK].click()
    page.rater.rate(WHOLE_GAME_CHOICE)
    assert charts.chart == LOSS
    page.files.open(searched.desk.folder / "L3_512_a.rpl")
    assert charts.chart == LUCK
    assert charts.stack.currentWidget() is charts.charts[LUCK]


def test_moves_that_nothing_judges_do_not_count_for_the_mean_loss(searched):
    searched.page.rater.rate(WHOLE_GAME_CHOICE)
    whole = searched.recording
    rates = tuple(None if i in (0, 5, 6, 20) else one for i, one in enumerate(whole.rates))
    means = replace(whole, rates=rates).mean_losses
    judged = [i for i in range(50) if rates[i]]
    lost = whole.points_lost.tolist()
    for n in (1, 2, 5, 7, 8, 21, 50):
        before = [lost[i] for i in judged if i < n]
        want = sum(before) / len(before) if before else math.nan
        assert means[n] == pytest.approx(want, nan_ok=True), n


def test_a_rough_look_is_shown_first(searched):
    searched.page.rater.rate(WHOLE_GAME_CHOICE)
    (roughly,) = searched.shown
    assert roughly.source == WHOLE_GAME
    assert roughly.n_judged == 50
    assert roughly.rates[7] != searched.recording.rates[7]


def test_a_rough_look_is_told_to_be_one_and_can_be_stopped_until_the_end(searched):
    page = searched.page
    seen = []

    def told(_before, _roughly):
        page.work.progressed.emit(0.37)
        seen.append(page.background().text)
        page.background().cancel()

    page.work.roughly_rated.connect(told)
    page.rater.rate(WHOLE_GAME_CHOICE)
    assert [one.replace(NBSP, " ") for one in seen] == [
        "Review shows a first look; figures may change: 37 %"
    ]
    assert page.background() is None
    n_full = sum(nodes == NODES for _, nodes in searched.looks.asked)
    assert n_full == 0, "it was stopped after the first look"


@pytest.mark.thorough
def test_search_compares_where_search_has_rated(searched, qtbot):
    page, recording = searched.page, searched.recording
    page.go_to(7)
    with qtbot.waitSignal(page.compare_requested) as asked:
        next(one for one in page.actions() if one.objectName() == "compare").trigger()
    move = recording.replay.moves[7].direction
    assert asked.args == [ComparisonRequest(recording.positions[7], move, None)]
    page.rater.rate(WHOLE_GAME_CHOICE)
    with qtbot.waitSignal(page.compare_requested) as asked:
        next(one for one in page.actions() if one.objectName() == "compare").trigger()
    assert asked.args[0].table is None
    assert asked.args[0].chances == searched.recording.rates[7], "the same figures as here"


def test_tables_go_before_search(searched):
    page, table = searched.page, searched.desk.table
    page.set_tables(TABLES)
    table.target = 2048
    table.outside = set(searched.recording.boards[:30])
    page.rater.rate(WHOLE_GAME_CHOICE)
    raters = [searched.recording.rater_at(i) for i in range(50)]
    assert raters == [SEARCH] * 30 + ["L3_512"] * 20


@pytest.mark.thorough
def test_what_was_found_before_a_stop_is_kept_and_not_searched_again(searched):
    searched.stop_after = 51 + 20
    searched.page.rater.rate(WHOLE_GAME_CHOICE)
    assert searched.recording.n_judged == 50, "roughly, where not in full"
    assert searched.page.background() is None
    searched.stop_after, first = None, len(searched.looks.asked)
    searched.page.rater.rate(WHOLE_GAME_CHOICE)
    n_full = sum(nodes == NODES for _, nodes in searched.looks.asked)
    assert n_full == 51, "nothing is searched in full twice"
    assert len(searched.looks.asked) - first < 2 * 51
    whole = [stored(Looks()(cells, NODES).chances) for cells in searched.recording.positions]
    assert list(searched.recording.rates) == whole


def test_a_recording_of_a_table_is_told_to_be_none(searched):
    page, recording = searched.page, searched.recording
    action = next(one for one in page.actions() if one.objectName() == "rate_whole")
    assert action.isEnabled()
    of_table = replace(recording, replay=replace(recording.replay, merge_32768=False))
    page.review(of_table)
    assert not action.isEnabled()
    assert page.panel.notice.title_label.text() == "No success rates in this recording"
    assert [button.text() for button in page.panel.notice.buttons] != ["Analyze the whole game"]
    page.rater.rate(WHOLE_GAME_CHOICE)
    (banner,) = page.banners.banners
    assert "large tiles have no values" in banner.text_label.text()
    assert searched.recording is of_table


def test_a_game_with_difficulty_is_told_why_search_cannot_rate_it(searched):
    page, recording = searched.page, searched.recording
    moves = tuple(replace(move, exponent=2) for move in recording.replay.moves)
    page.review(replace(recording, replay=replace(recording.replay, moves=moves)))
    told = page.panel.notice.text_label.text()
    assert told.startswith("100 % of the new tiles in this game are 4s, as in a game with diff")
    assert told.endswith("search can only rate games with 10 %.")
    assert [button.text() for button in page.panel.notice.buttons] != ["Analyze the whole game"]
    assert not next(one for one in page.actions() if one.objectName() == "rate_whole").isEnabled()
    page.review(recording)
    assert [button.text() for button in page.panel.notice.buttons] == ["Analyze the whole game"]


def test_what_comes_of_a_game_that_is_gone_is_not_shown(searched, tmp_path):
    page = searched.page
    searched.tasks.at_once = False
    page.rater.rate(WHOLE_GAME_CHOICE)
    page.files.open(tmp_path / "L3_512_a.rpl")
    other = searched.recording
    searched.tasks.work_off()
    assert searched.recording is other


@pytest.mark.thorough
@pytest.mark.parametrize("n_clicks", [1, 2])
def test_a_rating_is_shown_though_forced_moves_were_left_out_meanwhile(searched, n_clicks):
    page = searched.page
    (box,) = [one for one in page.actions() if one.objectName() == "forced"]

    def click_during_search(_recording, _roughly):
        for _ in range(n_clicks):
            box.trigger()

    page.work.roughly_rated.connect(click_during_search)
    page.rater.rate(WHOLE_GAME_CHOICE)
    whole = [stored(Looks()(cells, NODES).chances) for cells in searched.recording.positions]
    assert list(searched.recording.rates) == whole
    is_left_out = n_clicks == 1
    assert box.isChecked() is is_left_out
    assert searched.recording.leaves_out_forced is is_left_out
    assert searched.recording.score.leaves_out_forced is is_left_out


def test_forced_moves_stay_left_out_when_a_game_is_rated_once_more(searched):
    page, tasks = searched.page, searched.tasks
    page.rater.rate(WHOLE_GAME_CHOICE)
    tasks.at_once = False
    page.rater.rate(WHOLE_GAME_CHOICE)
    page.actions_by_name["forced"].trigger()
    clicked = searched.recording
    tasks.work_off()
    assert searched.recording is not clicked, "the result is shown"
    assert searched.recording.leaves_out_forced


@pytest.mark.thorough
def test_the_time_for_a_move_is_the_one_in_settings(searched, settings):
    settings.set("whole_game.ms", 10.0)
    searched.page.rater.rate(WHOLE_GAME_CHOICE)
    assert searched.asked_ms == [10.0]


@pytest.mark.thorough
def test_luck_that_search_cannot_tell_apart_is_not_worth_a_word(searched):
    searched.page.rater.rate(WHOLE_GAME_CHOICE)
    recording = searched.recording
    i = next(i for i in range(49) if recording.luck[i] is not None)
    rates = list(recording.rates)
    played = recording.replay.moves[i].direction
    for change, little in ((1.001, True), (1.01, False)):
        rates[i] = tuple(0.5 if one == played else None for one in range(4))
        rates[i + 1] = (0.5 * change, None, None, None)
        text = describe_tile(replace(recording, rates=tuple(rates)), i + 1)
        assert (text == "") == little
