"""Using the Mistakes page as a person does."""

from datetime import timedelta
from pathlib import Path

from pytestqt.qtbot import QtBot

from coach.grading.grade import Tolerance, judge
from coach.mistakes.mistake import NotedMove, TableKey
from coach.mistakes.mistakes import Mistakes
from coach.old_files.opening import open_user_database
from engine.spawn import Rng
from gui.mistakes.page import MistakesPage
from gui.mistakes.rates import MissingRates
from gui.play.services import PlayServices
from gui.settings_model.settings import Settings
from gui.work.mistake_service import MistakeService
from gui.work.tasks import TaskRunner
from tests.coach.games import FixedTable
from tests.gui.page_driver import PageStage
from tests.gui.practice_fakes import TABLES

# Each is the least of its images, so that it is shown as it is written here.
CHEAP, DEAR, WORST = 0x0000_0000_0000_0123, 0x0000_0000_0000_0124, 0x0000_0000_0000_0125
RATES = (0.8, None, 0.4, None)  # left is best, up keeps half; nothing slides to the right or down
LOSSES = {CHEAP: 0.788, DEAR: 0.7, WORST: 0.0}  # what up keeps


class Stage(PageStage[MistakesPage]):
    """A page, its book, a clock that a test sets."""

    def __init__(
        self, qtbot: QtBot, settings: Settings, folder: Path, filing: TaskRunner | None = None
    ) -> None:
        super().__init__(qtbot, settings, folder)
        self.store = MistakeService(open_user_database(folder), filing or self.tasks)
        self.table = FixedTable(rate="uint32", rates=RATES, best=0, outside={DEAR})
        self.asked_of_practice: list[tuple[object, str]] = []

    def close(self) -> None:
        super().close()
        self.store.close()

    def note(
        self, board: int, days: float = 0, rates: tuple[float | None, ...] = (), **more
    ) -> None:
        """File the move up at a position; earlier by some days."""
        rates = rates or (0.8, None, LOSSES[board], None)
        judgement = judge(rates, 2, Tolerance(1e-12))
        assert judgement
        fields = {"table": "L3_256", "spawn4": 0.1, "source": "test 1", "move": 7} | more
        key = TableKey(fields.pop("table"), fields.pop("spawn4"))
        number, when = fields.pop("move"), self.now - timedelta(days=days)
        self.store.note(
            NotedMove(
                key=key,
                board=board,
                judgement=judgement,
                rates=rates,
                when=when,
                number=number,
                **fields,
            )
        )

    def note_three(self) -> None:
        self.note(CHEAP)
        self.note(DEAR, days=2, table="442_128")
        self.note(WORST, days=10)

    def open(self, view: str = "drill") -> MistakesPage:
        self.settings.state.set("mistakes.view", view)
        services = PlayServices(
            self.settings,
            lambda _: self.table,
            self.tasks,  # type: ignore[arg-type]
            self.tasks,  # type: ignore[arg-type]
            self.folder,
            rng=Rng(3),
            now=lambda: self.now,
            dialogs=self.dialogs,
        )
        rates = MissingRates(self.store, lambda _: self.table, self.tasks)
        page = MistakesPage(services, self.store, rates=rates)
        page.practice_requested.connect(lambda *sent: self.asked_of_practice.append(sent))
        page.set_tables(TABLES[:1])
        self.show(page)
        page.show_view(view)
        return page

    def work(self, work):
        found: list = []
        self.store.ask(work, found.append)
        return found[0]

    def mistakes(self) -> dict:
        found = self.work(lambda m: m.get(m.ids()))
        return {one.board: one for one in found.values()}

    def rows(self) -> list[int]:
        model = self.page.list.model
        rows = range(model.rowCount())  # they are fetched when the list is idle
        self.qtbot.waitUntil(lambda: all(model.row_at(row) for row in rows))
        return [model.row_at(row).board for row in rows]

    def dump(self) -> dict:
        """Return every row of the database; the numbers of attempts and answers say nothing."""

        def rows(mistakes: Mistakes, name: str) -> list:
            found = mistakes.connection.execute(f"SELECT * FROM {name}")
            keys = [key for (key, *_) in found.description if name == "mistake" or key != "id"]
            return sorted(tuple(row[key] for key in keys) for row in found)

        def work(mistakes: Mistakes) -> dict:
            names = ("mistake", "mistake_attempt", "mistake_answer", "mistake_tag")
            return {name: rows(mistakes, name) for name in names}

        return self.work(work)
