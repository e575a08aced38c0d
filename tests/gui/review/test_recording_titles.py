"""What recorded games are called in the list of Review: table, date and result."""

import os
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from coach.recordings.heading import Heading, heading_in_name
from gui.review.remembered import RememberedReview
from gui.text.numbers import NBSP, table_title
from gui.text.recordings import recording_title
from gui.widgets.elided import SHORTER
from tests.gui.review.conftest import make_desk, write_games

NOON = datetime(2026, 11, 22, 12).astimezone()
T = "442 \N{RIGHTWARDS ARROW} 128"


@pytest.mark.parametrize(
    ("heading", "title"),
    [
        (
            Heading("x", "442_128", NOON.replace(hour=11, minute=52), perfect_share=0.1966),
            f"{T}, today 11:52, 19.7 % perfect",
        ),
        (
            Heading("x", "442_128", NOON - timedelta(days=1), 1.0),
            f"{T}, yesterday 12:00, 100 % perfect",
        ),
        (Heading("x", "442_128", NOON, 0.99999), f"{T}, today 12:00, > 99.9 % perfect"),
        (Heading("x", "442_128", NOON - timedelta(days=19)), f"{T}, Nov 3 12:00"),
        (Heading("x", "442_128", NOON - timedelta(days=400)), f"{T}, Oct 18, 2025"),
        (Heading("Game", None, NOON, points=122340), "Game, today 12:00, 122,340 points"),
        (Heading("my best", n_moves=1), "my best, 1 move"),
        (
            Heading("x", "442_128", None, 0.5, first_move=7401),
            f"{T}, from move 7,401, 50.0 % perfect",
        ),
    ],
)
def test_a_title_has_table_date_and_result(heading, title):
    assert recording_title(heading, NOON).replace(NBSP, " ") == title


def test_names_of_tables_are_written_for_people():
    assert table_title("442_128") == T
    assert table_title("free table") == "free table"


@pytest.mark.parametrize(
    ("name", "table", "local"),
    [
        ("442_128_20261122-115159-496.json", "442_128", None),
        ("L3_512_20260509121500_0.9731_rec.rpl", "L3_512", datetime(2026, 5, 9, 12, 15)),
        ("122340_20261122_115159.txt", None, datetime(2026, 11, 22, 11, 51, 59)),
        ("practice_20261122_115159.json", None, datetime(2026, 11, 22, 11, 51, 59)),
        ("442_128_20261399-995159-496.json", None, None),
        ("best_128.rpl", None, None),
    ],
)
def test_what_a_file_name_tells(name, table, local):
    found = heading_in_name(Path(name))
    assert found.table == table
    if name.endswith("-496.json") and table:
        assert found.played_at == datetime(2026, 11, 22, 11, 51, 59, tzinfo=timezone.utc)
    else:
        assert found.played_at == (local.astimezone() if local else None)


def test_a_part_of_a_game_is_called_by_its_first_move():
    found = heading_in_name(Path("L3_256_game_7401_0.9912.rpl"))
    assert (found.table, found.first_move) == ("L3_256", 7401)


def test_recent_games_are_listed_by_table_date_and_result(qtbot, settings, tmp_path):
    write_games(tmp_path)
    for name in ("L3_512_a.rpl", "verse.txt"):
        os.utime(tmp_path / name, (NOON.timestamp(), NOON.timestamp()))
    first = make_desk(qtbot, settings, tmp_path)
    for name in ("verse.txt", "L3_512_a.rpl"):
        first.page.files.open(tmp_path / name)
    later = make_desk(qtbot, settings, tmp_path, lambda: NOON + timedelta(hours=1))
    combo = later.page.frame.file_combo
    titles = [combo.itemText(i).replace(NBSP, " ") for i in range(combo.count())]
    share = first.page.game.recording.score.perfect_share
    assert 0 < share < 1
    assert titles == [
        f"L3 \N{RIGHTWARDS ARROW} 512, today 12:00, {100 * share:.1f} % perfect",
        "verse, today 12:00, 50 moves",
    ]
    shorter = [combo.itemData(i, SHORTER).replace(NBSP, " ") for i in range(combo.count())]
    assert shorter == ["L3 \N{RIGHTWARDS ARROW} 512, today 12:00", "verse, today 12:00"]


@pytest.mark.parametrize("number", [10**400, float("inf"), float("nan"), -1, "7"])
@pytest.mark.parametrize("at", range(2, 6))
def test_a_stored_heading_with_impossible_numbers_is_not_used(settings, at, number):
    path = Path("verse.txt").absolute()
    facts: list[object] = ["", "", 0.5, 50, 100, 1]
    memory = RememberedReview(settings)
    settings.state.set("review.headings", {str(path): facts})
    assert memory.heading(path).n_moves == 50
    settings.state.set("review.headings", {str(path): [*facts[:at], number, *facts[at + 1 :]]})
    assert memory.heading(path) == heading_in_name(path)
