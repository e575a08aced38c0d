"""Sharing the game in Review: the card, the page."""

import sys
from html.parser import HTMLParser
from pathlib import Path

import pytest
from not_files import KINDS, unchanged
from PySide6.QtGui import QGuiApplication, QImage

from coach.whole_game.report import facts_of_recording
from engine.platform.language import use
from gui.widgets.file_dialogs import FileDialogs
from tests.gui.review.conftest import Desk


class Answers(FileDialogs):
    """Answers in place of the person."""

    def __init__(self, path: Path | None) -> None:
        self.path = path
        self.offered: list[Path] = []

    def ask_save(self, _parent, _title, path, _filters):
        self.offered.append(path)
        return self.path


def answer(desk: Desk, path: Path | None) -> Answers:
    desk.page.sharing.dialogs = Answers(path)
    return desk.page.sharing.dialogs


def test_nothing_can_be_shared_without_a_game(desk):
    assert not desk.page.sharing.button.isEnabled()
    assert not desk.action("copy_card").isEnabled()


def test_the_card_is_copied(game):
    game.action("copy_card").trigger()
    image = QGuiApplication.clipboard().image()
    assert (image.width(), image.height()) == (1200, 630)
    assert "Card copied: paste it where you like." in game.texts()


@pytest.mark.thorough
def test_the_card_is_saved_and_the_folder_remembered(game, tmp_path):
    answers = answer(game, tmp_path / "out" / "my card")
    (tmp_path / "out").mkdir()
    game.action("save_card").trigger()
    image = QImage(str(tmp_path / "out" / "my card.png"))
    assert (image.width(), image.height()) == (1200, 630)
    assert game.texts() == [f"Saved as {tmp_path / 'out' / 'my card.png'}"]
    game.action("save_page").trigger()
    assert answers.offered[1] == tmp_path / "out" / "L3_512_a.html"


def test_a_card_that_cannot_be_written_is_told(game, tmp_path):
    answer(game, tmp_path / "no" / "such" / "folder.png")
    game.action("save_card").trigger()
    assert "annot write" in game.texts()[0]


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such names")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("name", "suffix"), [("save_card", ".png"), ("save_page", ".html")])
def test_nothing_but_a_file_is_replaced(game, tmp_path, name, suffix, kind):
    (tmp_path / "out").mkdir()
    path = (tmp_path / "out" / "made").with_suffix(suffix)
    KINDS[kind](path)
    with unchanged(tmp_path / "out"):
        answer(game, path)
        game.action(name).trigger()
    assert "it is a device, a pipe or a socket" in game.texts()[0]


def test_who_thinks_better_of_it_saves_nothing(game, tmp_path):
    answer(game, None)
    before = sorted(tmp_path.rglob("*"))
    for name in ("save_card", "save_page"):
        game.action(name).trigger()
    assert sorted(tmp_path.rglob("*")) == before


class Reader(HTMLParser):
    def __init__(self, page: str) -> None:
        super().__init__()
        self.text, self.tags, self.links = "", [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.links += [value for name, value in attrs if name in ("src", "href")]

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize(
    ("language", "words"), [("en", "The whole game"), ("zh_CN", "\u6574\u5c40")]
)
def test_the_page_is_saved_in_the_language_in_force(game, tmp_path, language, words):
    answer(game, tmp_path / "page.html")
    use(language)
    try:
        game.action("save_page").trigger()
    finally:
        use("en")
    page = (tmp_path / "page.html").read_text("utf-8")
    reader = Reader(page)
    assert words in reader.text
    assert "L3_512_a.rpl" in reader.text
    assert f'lang="{language.replace("_", "-")}"' in page
    assert reader.links == []
    assert "script" not in reader.tags
    assert reader.tags.count("svg") == 1 + 10  # the course, and the moves that cost most


def test_the_facts_are_those_of_the_recording(game):
    recording = game.page.game.recording
    facts = facts_of_recording(recording)
    assert facts.counts == recording.score.counts
    assert facts.match_rate == recording.score.match_rate
    lost = [one.points_lost if one else 0.0 for one in recording.judgements]
    assert [move.points_lost for move in facts.worst] == sorted(lost, reverse=True)[:10]
    for move in facts.worst:
        assert recording.positions[move.number - 1] == move.cells
    rates = [rate for one in facts.stretches for rate in one.best_rates]
    known = [recording.best_rate(i) for i in range(recording.n_moves)]
    assert rates == [rate for rate in known if rate is not None]
    assert facts.tables == ("L3_512",)
    for one, across in zip(facts.stretches, facts.across(), strict=True):
        assert len(across) == len(one.best_rates)
        assert all(0 <= x <= 1 for x in across)


def test_a_game_without_rates_can_be_shared_too(desk):
    desk.page.files.open(desk.folder / "verse.txt")
    facts = facts_of_recording(desk.page.game.recording)
    assert (facts.stretches, facts.worst, facts.n_judged) == ((), (), 0)
    desk.action("copy_card").trigger()
    assert QGuiApplication.clipboard().image().width() == 1200
