"""Sharing an analyzed game: its card from the report, its page."""

import json
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication, QImage

from gui.widgets.file_dialogs import FileDialogs
from tests.gui.review.reports import MOVE, REPORT
from tests.gui.review.test_analysis_page import Bench


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
