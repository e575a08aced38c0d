"""The Analysis page: columns as wide as what stands in them, and sharing an analyzed game."""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

import pytest
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QGuiApplication, QImage

from coach.analysis.analyses import GameSummary, StoredAnalysis, StoredSegment
from coach.analysis.course import CoursePhase
from engine.platform import language
from gui.review.games_tree import HEADS, NAME, RESULT, AnalysisTree
from gui.widgets.file_dialogs import FileDialogs
from tests.gui.review.analyze_child import GAME
from tests.gui.review.reports import MOVE, REPORT
from tests.gui.review.test_analysis_page import Bench

NOON = datetime(2026, 5, 1, 12, tzinfo=timezone.utc)
PHASE = CoursePhase(
    20_493, 21_512, (16384, 8192), False, 900, {"search": 400, "44_64": 500}, 12.34567, 0.1,
    0.993780, 0.993779,
)  # fmt: skip
SEGMENT = StoredSegment(
    "442_2048", 20_493, 20_512, "reached", 30, 1 - 3.2e-9, 12.34567, -12.3, 0.993780, 0.00996,
    {}, None,
)  # fmt: skip
SCORES = {"judged": 31_000, "by_search": 12_345, "points_lost": 98.7}


@pytest.fixture(params=["en", "zh_CN"])
def code(request: pytest.FixtureRequest) -> Iterator[str]:
    language.use(request.param)
    yield request.param
    language.use("en")


@pytest.fixture
def tree(qtbot, code: str) -> AnalysisTree:  # noqa: ARG001
    game = replace(GameSummary.of({**GAME, **SCORES}), phases=(PHASE,))
    tree = AnalysisTree(lambda: NOON)
    qtbot.addWidget(tree)
    tree.resize(1900, 400)
    tree.show()
    one = StoredAnalysis(
        1,
        NOON,
        Path("20260501_095000.txt"),
        "rpl",
        31_245,
        733_924,
        32768,
        31_000,
        True,
        (),
        {},
        (SEGMENT,),
        game,
    )
    tree.show_stored([one])
    tree.games[0].setExpanded(True)
    qtbot.waitUntil(lambda: not tree.is_settling)
    return tree


def cells(tree: AnalysisTree) -> Iterator[QModelIndex]:
    games = tree.model().index(0, NAME)
    for column in range(NAME + 1, len(HEADS)):
        yield games.siblingAtColumn(column)
        for row in range(tree.model().rowCount(games)):
            yield tree.model().index(row, column, games)


def test_every_title_and_every_cell_has_room(tree):
    header = tree.header()
    assert header.count() == len(HEADS)
    for column in range(NAME + 1, len(HEADS)):
        title = str(tree.model().headerData(column, Qt.Orientation.Horizontal))
        room = tree.columnWidth(column) - 12
        assert header.fontMetrics().horizontalAdvance(title) <= room, title
    for index in cells(tree):
        wanted = tree.sizeHintForIndex(index).width()
        assert wanted <= tree.columnWidth(index.column()), index.data()


def test_titles_are_in_the_language_of_the_window(tree, code):
    titles = [tree.headerItem().text(column) for column in range(len(HEADS))]
    assert (titles == list(HEADS)) == (code == "en")
    assert all(titles)
    if code != "en":
        assert not any(letter.isascii() and letter.isalpha() for one in titles for letter in one)


def test_in_a_narrow_list_results_give_way_to_names(tree, qtbot):
    tree.resize(1000, 400)
    qtbot.waitUntil(lambda: not tree.is_settling)
    assert tree.columnWidth(NAME) >= tree.fontMetrics().horizontalAdvance("Game, today 11:52")
    assert tree.games[0].text(RESULT) in tree.games[0].toolTip(RESULT)


@pytest.mark.parametrize("width", [580, 640])
def test_the_smallest_windows_leave_columns_out_and_do_not_scroll_sideways(tree, qtbot, width):
    for px in (width + 1, width):  # what is left out already is not counted twice
        tree.resize(px, 400)
        qtbot.waitUntil(lambda: not tree.is_settling)
    qtbot.waitUntil(lambda: tree.horizontalScrollBar().maximum() == 0)
    assert not tree.isColumnHidden(RESULT)
    tree.resize(1900, 400)
    qtbot.waitUntil(lambda: not tree.is_settling)
    assert not any(tree.isColumnHidden(column) for column in range(len(HEADS)))


class Answers(FileDialogs):
    """Answers in place of the person."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def ask_save(self, _parent, _title, _path, _filters):
        return self.path


@pytest.fixture
def bench(qtbot, settings, tmp_path):
    bench = Bench(qtbot, settings, tmp_path)
    bench.analyze("a.txt")
    return bench


def share(bench: Bench, name: str) -> None:
    bench.page.sharing.actions[name].trigger()
    bench.settle()
    bench.settle()


def test_nothing_is_shared_before_a_game_is_chosen(qtbot, settings, tmp_path):
    assert not Bench(qtbot, settings, tmp_path).page.sharing.button.isEnabled()


def test_the_card_comes_from_the_report(bench, tmp_path):
    (bench.games / "a.json").write_text(json.dumps(REPORT))
    assert bench.page.sharing.button.isEnabled()
    share(bench, "copy_card")
    assert QGuiApplication.clipboard().image().width() == 1200
    bench.page.sharing.dialogs = Answers(tmp_path / "card.png")
    share(bench, "save_card")
    assert QImage(str(tmp_path / "card.png")).height() == 630


def test_the_page_is_the_report(bench, tmp_path):
    (bench.games / "a.html").write_text("<p>\u00e9", "utf-8")
    bench.page.sharing.dialogs = Answers(tmp_path / "page")
    share(bench, "save_page")
    assert (tmp_path / "page.html").read_text("utf-8") == "<p>\u00e9"


def with_part(**fields) -> str:
    """Return a report whose part has other fields."""
    return json.dumps({**REPORT, "segments": [{**REPORT["segments"][0], **fields}]})


DAMAGED = {
    "gone": (None, "a.json"),
    "no JSON": ("{", "is not the report of an analysis"),
    "of something else": ("[1]", "is not the report of an analysis"),
    "deep": ("[" * 100_000, "is not the report of an analysis"),
    "without moves": (
        with_part(move_list=None),
        "cannot be understood",
    ),
    "an odd board": (
        with_part(worst=[{**MOVE, "board": "z" * 16}]),
        "cannot be understood",
    ),
    "no number": (with_part(match_rate=float("nan")), "cannot be understood"),
    "an odd rate": (
        with_part(move_list=[{**MOVE, "rates": {"left": 1e300}}]),
        "cannot be understood",
    ),
    "an odd grade": (
        with_part(worst=[{**MOVE, "grade": "?"}]),
        "cannot be understood",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("text", "complaint"), DAMAGED.values(), ids=DAMAGED.keys())
def test_a_report_that_cannot_be_read_is_told(bench, text, complaint):
    if text is not None:
        (bench.games / "a.json").write_text(text)
    share(bench, "copy_card")
    assert complaint in " ".join(bench.texts())
