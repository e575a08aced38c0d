"""What a test adds to the drills: one number, on every page that tells it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt

from coach.grading.grade import Grade
from coach.mistakes.to_drill import LIMITS
from coach.old_files.opening import open_user_database
from engine.bitboard import cells
from engine.trace import slide_cells
from gui.exam.page import ExamPage
from gui.mistakes.page import MistakesPage
from gui.play.services import PlayServices
from gui.settings_model.settings import Settings
from gui.work.mistake_service import DueCount, MistakeService
from tablebase.probe.probes import Probe
from tests.coach.games import probed
from tests.gui.exam.driver import session
from tests.gui.page_driver import ARROWS, CTRL, press, press_with
from tests.gui.practice_fakes import NOON, FakeTable, FakeTasks

Key = Qt.Key
KEPT = (1.0, 0.9995, 0.995, 0.95)  # by direction, as shares of the best


@pytest.fixture
def store(page: ExamPage, tmp_path: Path) -> Iterator[MistakeService]:
    store = MistakeService(open_user_database(tmp_path), FakeTasks())
    page.note_mistake = store.note
    yield store
    store.close()


@pytest.fixture(autouse=True)
def graded(table: FakeTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each direction have its grade: best, excellent, good, a mistake."""

    def probe(board: int, comes_up: bool = False) -> Probe:  # noqa: ARG001
        before = cells(board)
        rates = [
            None if list(slide_cells(before, d, False).cells) == before else 0.8 * kept
            for d, kept in enumerate(KEPT)
        ]
        legal = [rate for rate in rates if rate is not None]
        return probed(board, tuple(rates), rates.index(max(legal)) if legal else None)

    monkeypatch.setattr(table, "probe", probe)


def take_a_test(page: ExamPage) -> list[float]:
    """Play one direction after the other, as far as possible; return what each move kept."""
    kept = []
    for number in range(12):
        test = session(page)
        possible = [d for d in range(4) if test.is_legal(d)]
        chosen = possible[number % len(possible)]
        kept.append(KEPT[chosen] / KEPT[possible[0]])
        press(page, ARROWS[chosen])
    assert session(page).n_moves == len(kept)
    page.starts.restart()
    return kept


def told_by_the_history(page: ExamPage) -> str:
    press_with(page, CTRL, Key.Key_H)
    model = page.history.list.model
    horizontal = Qt.Orientation.Horizontal
    titles = [model.headerData(i, horizontal) for i in range(model.columnCount())]
    return str(model.data(model.index(0, titles.index("To drill"))))


def counts_elsewhere(store: MistakeService, settings: Settings, tmp_path: Path) -> tuple[str, int]:
    """Return the count in the list of mistakes, and the one in the badge of the rail."""
    tasks = FakeTasks()
    services = PlayServices(
        settings,
        lambda _: FakeTable(),
        tasks,  # type: ignore[arg-type]
        tasks,  # type: ignore[arg-type]
        tmp_path,
        now=lambda: NOON,
    )
    mistakes = MistakesPage(services, store)
    mistakes.show_view("list")
    mistakes.list.refresh(None)
    due = DueCount(store, settings, lambda: NOON)
    due.count()
    return mistakes.list.count_label.text(), due.n


@pytest.mark.thorough
def test_history_badge_and_mistakes_tell_the_same_number(page, store, settings, tmp_path):
    kept = take_a_test(page)
    shown, due = counts_elsewhere(store, settings, tmp_path)
    told = told_by_the_history(page)
    assert int(told) == due
    assert shown == f"{told} moves to drill"
    n_bad = sum(one < 0.98 for one in kept)
    n_good = sum(0.98 < one < 0.999 for one in kept)
    assert n_bad > 0
    assert n_good > 0
    assert int(told) == n_bad, "good moves are none to drill"


@pytest.mark.thorough
def test_the_number_follows_what_one_wants_to_drill(page, store, settings, tmp_path):
    settings.set("mistakes.threshold", LIMITS[Grade.GOOD])
    store.set_threshold(LIMITS[Grade.GOOD])
    n = sum(one < 0.999 for one in take_a_test(page))
    shown, due = counts_elsewhere(store, settings, tmp_path)
    assert (told_by_the_history(page), due, shown) == (f"{n}", n, f"{n} moves to drill")
