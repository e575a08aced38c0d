"""The actions of the Mistakes page: what they do with the mistake in front, and when they apply."""

from collections.abc import Callable, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Signal

from coach.exam.history import History
from coach.mistakes.drill import Drill
from coach.mistakes.mistake import Attempt, Mistake
from coach.mistakes.mistakes import Deleted, Mistakes
from coach.mistakes.record import Imported, add_records
from coach.recordings.recording import SEARCH
from engine.bitboard import DOWN, LEFT, RIGHT, UP, cells, format_board
from engine.platform.language import mark, tr, trn
from gui.comparison.request import ComparisonRequest
from gui.mistakes.drill import MistakesDrill
from gui.mistakes.layout import DRILL, LIST, PROGRESS, MistakesLayout
from gui.mistakes.list import MistakesList
from gui.mistakes.sources import NoSourceError, Source, find_latest, find_source
from gui.play.board_page import NO_TABLE, BoardPage
from gui.play.page_actions import PageAction
from gui.text.messages import message_of
from gui.widgets.deletion import Deletion
from gui.work.mistake_service import MistakeService

SWITCHES = {"mistakes.advance": "advance", "mistakes.turn": "turn"}
"""Settings and the actions that switch them."""
_NO_TEST = "no_test"  # the key of a message


_FILES = mark("Mistakes (*.json *.csv *.pkl);;All files (*)")
_KINDS = mark("JSON, complete (*.json);;CSV, one line each (*.csv)")
_KEY = "transfer"


class MistakeTransfer(BoardPage):
    """A page that moves mistakes to files and back."""

    _store: MistakeService
    _symmetry_of: Callable[[str], str]  # see `read_mistakes`; runs on the worker thread

    def fail(self, error: BaseException) -> None:
        raise NotImplementedError

    def _take_imported(self) -> None:
        raise NotImplementedError

    def _export(self, ids: list[int]) -> None:
        start = self._services.folder / "mistakes.json"
        path = self._services.dialogs.ask_save(self, tr("Export mistakes"), start, tr(_KINDS))
        if path is None:
            return

        from coach.mistakes.files import export  # loads msgspec

        def done(n: int) -> None:
            text = trn(
                "Exported {n} mistake to {path}.",
                "Exported {n:,} mistakes to {path}.",
                n,
                path=path,
            )
            self.banners.show_message("good", text, key=_KEY)

        self._store.ask(lambda mistakes: export(mistakes, ids, path), done, self.fail)

    def _import(self) -> None:
        folder, dialogs = self._services.folder, self._services.dialogs
        path = dialogs.ask_open(self, tr("Import mistakes"), folder, tr(_FILES))
        if path is None:
            return
        symmetry_of = self._symmetry_of
        self.banners.show_message("info", tr("Reading {name}…", name=path.name), key=_KEY)

        from coach.mistakes.importing import read_mistakes  # loads msgspec

        def work(mistakes: Mistakes) -> tuple[Imported, list[str]]:
            reading = read_mistakes(path, symmetry_of)
            return add_records(mistakes, reading.records), reading.problems

        def done(result: tuple[Imported, list[str]]) -> None:
            self.banners.show_message(*import_text(path, *result), key=_KEY)
            self._take_imported()

        def failed(error: BaseException) -> None:
            self.banners.remove(_KEY)
            self.fail(error)

        self._store.change(work, done, failed)


def import_text(path: Path, imported: Imported, problems: list[str]) -> tuple[str, str]:
    text = tr(
        "{name}: {new:,} new, {known:,} already here.",
        name=path.name,
        new=imported.n_new,
        known=imported.n_known,
    )
    if not problems:
        return "good", text
    shown = "; ".join(problems[:3]) + (" ..." if len(problems) > 3 else "")
    return "warning", tr(
        "{imported} {n:,} couldn't be imported: {problems}.",
        imported=text,
        n=len(problems),
        problems=shown,
    )


class MistakeActions(MistakeTransfer):
    """A page with mistakes: what one can do in a drill, with rows of the list, or anywhere."""

    situation_requested = Signal(
        object, object
    )  # 16 exponents; folder of a table that covers them, or None
    compare_requested = Signal(object)  # a ComparisonRequest
    deletion: Deletion[Deleted]
    drill: MistakesDrill
    list: MistakesList
    frame: MistakesLayout
    review_requested = Signal(object, int)  # a file, a position in it
    _n_looks = 0

    def show_view(self, name: str) -> None:
        raise NotImplementedError

    def drill_chosen(self) -> None:
        raise NotImplementedError

    @property
    def view(self) -> str:
        """The chosen view: DRILL, LIST or PROGRESS."""
        return self.frame.view

    def _is_asking(self) -> bool:
        return self.view == DRILL and self.drill.run.question is not None

    def _is_answered(self) -> bool:
        return self.view == DRILL and self.drill.has_answer

    def _has_chosen(self) -> bool:
        return self.view == LIST and bool(self.list.chosen)

    def _is_shown(self) -> bool:
        return self._is_asking() or self._has_chosen()

    def _can_compare(self) -> bool:
        return self._has_chosen() or self._is_answered()

    def _for_drill(self, name: str, text: str, do: Callable[[], object], **more: Any) -> PageAction:
        return PageAction(name, text, do, self._is_asking, places=(DRILL,), **more)

    def _for_shown(
        self,
        name: str,
        text: str,
        do: Callable[[], object],
        icon_name: str,
        when: Callable[[], bool] | None = None,
    ) -> PageAction:
        places = (DRILL, LIST)
        return PageAction(name, text, do, when or self._is_shown, icon_name, 1, places=places)

    def _declared(self) -> Sequence[PageAction]:
        drill = self.drill

        def can_continue() -> bool:
            return self.view == DRILL and drill.has_next_step

        return [
            *self._of_drill(),
            self._for_shown(
                "compare",
                tr("Compare with the best move"),
                self._compare,
                "compare",
                self._can_compare,
            ),
            self._for_shown("practice", tr("Open in Practice"), self._practice, "practice"),
            self._for_shown("review", tr("Open the test in Review"), self._review, "review"),
            self._for_shown("retire", tr("Retire or revive"), self._retire, "check"),
            PageAction(
                "delete", tr("Delete"), self._delete, self._is_shown, "delete", places=(DRILL, LIST)
            ),
            self._for_shown(
                "situation", tr("Play this position ten times"), self._play_situation, "situations"
            ),
            PageAction(
                "drill_chosen",
                tr("Drill the selected mistakes"),
                self.drill_chosen,
                self._has_chosen,
                key="best",
                places=(LIST,),
            ),
            PageAction(
                "continue", tr("Go on with today's session"), drill.continue_session, can_continue
            ),
            PageAction(
                "undo",
                tr("Undo the last delete"),
                self.undo_deletion,
                lambda: self.deletion.can_undo,
            ),
            PageAction("search", tr("Search for a position"), self._search, icon_name="search"),
            self._switch("advance", tr("Advance automatically after a correct answer")),
            self._switch("turn", tr("Rotate the boards randomly")),
            self._show(1, DRILL, tr("Drill")),
            self._show(2, LIST, tr("List of mistakes")),
            self._show(3, PROGRESS, tr("Statistics")),
            PageAction("export", tr("Export the listed mistakes"), self._export_listed),
            PageAction("import", tr("Import mistakes"), self._import),
        ]

    def _of_drill(self) -> Sequence[PageAction]:
        drill = self.drill
        return [
            self._for_drill("left", tr("Answer left"), partial(self.press, LEFT)),
            self._for_drill("right", tr("Answer right"), partial(self.press, RIGHT)),
            self._for_drill("up", tr("Answer up"), partial(self.press, UP)),
            self._for_drill("down", tr("Answer down"), partial(self.press, DOWN)),
            PageAction(
                "next",
                tr("Next mistake"),
                drill.next_question,
                self._is_answered,
                "forward",
                0,
                "best",
                tr("Next"),
                places=(DRILL,),
            ),
            self._for_drill("skip", tr("Skip this mistake"), drill.skip, key=""),
            self._for_drill("stay", tr("Stay on this mistake"), drill.stay, key="stop"),
        ]

    def _show(self, number: int, view: str, text: str) -> PageAction:
        do = partial(self.show_view, view)
        return PageAction(f"show_{view}", text, do, key=f"view_{number}")

    def _switch(self, name: str, text: str) -> PageAction:
        def switch(is_on: bool) -> None:
            self._settings.set(f"mistakes.{name}", is_on)

        return PageAction(name, text, switch, key="", is_checkable=True)

    def _shown(self) -> tuple[Mistake | None, int]:
        """Return the current mistake and its board as shown."""
        question = self.drill.run.question
        if self.view == DRILL and question:
            return question.item, question.board
        mistake = self.list.mistake if self.view == LIST else None
        return mistake, mistake.board if mistake else 0

    def _stay(self) -> tuple[Mistake | None, int]:
        """Cancel the automatic advance; see `_shown`."""
        self.drill.stay()
        return self._shown()

    def _table_of(self, mistake: Mistake) -> Path | None:
        """Return the folder of the table for a mistake; show a message if there is none."""
        if mistake.key.name == SEARCH and self.tables is not None:
            text = tr("Search judged this position. Practice needs one that a table knows.")
            self.banners.show_message("info", text, key=NO_TABLE)
            return None
        return self.path_to_practice(mistake.key)

    def _practice(self) -> None:
        mistake, board = self._stay()
        if mistake and (path := self._table_of(mistake)):
            self.practice_requested.emit(path, format_board(board))

    def _play_situation(self) -> None:
        mistake, board = self._stay()
        if mistake is None:
            return
        path = None if mistake.key.name == SEARCH else self._table_of(mistake)
        if path or mistake.key.name == SEARCH:
            self.situation_requested.emit(tuple(cells(board)), path)

    def _compare(self) -> None:
        """Compare the wrong answer just given, or else the worst attempt at this mistake."""
        mistake, board = self._stay()
        if mistake is None:
            return
        is_searched = mistake.key.name == SEARCH
        path = None if is_searched else self._table_of(mistake)
        if path is None and not is_searched:
            return
        question = self.drill.run.question if self.view == DRILL else None
        verdict = self.drill.run.verdict if question else None

        def ask(direction: int) -> None:
            has_rates, rates = mistake.has_rates, question.rates if question else mistake.rates
            chances = rates if is_searched and has_rates else None
            self.compare_requested.emit(
                ComparisonRequest(tuple(cells(board)), direction, path, has_rates, chances)
            )

        def compare_worst(attempts: list[Attempt]) -> None:
            if attempts:
                worst = max(attempts, key=lambda attempt: attempt.loss or 0.0).direction
                ask(question.directions[worst] if question else worst)

        if verdict and not verdict.is_right:
            ask(verdict.direction)
        else:
            self._store.ask(
                lambda mistakes: mistakes.attempts(mistake.id), compare_worst, self.fail
            )

    def _delete(self) -> None:
        question = self.drill.run.question
        self.drill.stay()
        if self.view == DRILL and question and not self.drill.run.is_waiting:
            self._delete_all([question.id])
            self.drill.run.next()
        elif self.view == LIST and (ids := self.list.chosen):
            self.list.choose_next_to(ids)
            self._delete_all(ids)

    def _delete_all(self, ids: Sequence[int]) -> None:
        def done(deleted: Deleted) -> None:
            if deleted.n_mistakes:  # a second press may come before the list shows the first
                self.deletion.keep(deleted)
            self.drill.leave(ids)

        self._store.change(lambda mistakes: mistakes.delete(ids), done, self.fail)

    def _review(self) -> None:
        mistake, _ = self._stay()
        if mistake is None:
            return
        mistake_id = mistake.id

        def find(mistakes: Mistakes, tests: History) -> Source:
            current = mistakes.get([mistake_id]).get(mistake_id)
            return find_latest(mistakes.attempts(mistake_id), tests, current)

        self._look_for_test(find)

    def _review_attempt(self, attempt: Attempt) -> None:
        mistake = self.list.mistake
        self._look_for_test(lambda _, tests: find_source(attempt, tests, mistake))

    def _look_for_test(self, find: Callable[[Mistakes, History], Source]) -> None:
        """Show a test off the GUI thread; the latest request wins."""
        self._n_looks += 1
        number, database = self._n_looks, self._store.database

        def work(mistakes: Mistakes) -> Source:
            with closing(History(database)) as tests:
                return find(mistakes, tests)

        def done(source: Source) -> None:
            if number == self._n_looks:
                self.banners.remove(_NO_TEST)
                self.review_requested.emit(source.path, source.position)

        def failed(error: BaseException) -> None:
            if number != self._n_looks:
                return
            if isinstance(error, NoSourceError):
                self.banners.show_message("warning", message_of(error), key=_NO_TEST)
            else:
                self.fail(error)

        self._store.ask(work, done, failed)

    def _export_listed(self) -> None:
        self._export([*self.list.model.ids])

    def _retire(self) -> None:
        mistake, _ = self._shown()
        ids = [mistake.id] if mistake else self.list.chosen if self.view == LIST else []
        if not ids:
            return
        is_back, now = bool(mistake and mistake.retired), self._now()

        def work(mistakes: Mistakes) -> None:
            drill = Drill(mistakes)
            (drill.revive if is_back else drill.retire)(ids, now)

        self._store.change(work, failed=self.fail)
        if self.view == DRILL:
            self.drill.show_retired(not is_back)

    def _search(self) -> None:
        self.show_view(LIST)
        edit = self.list.filter.search_edit
        edit.setFocus()
        edit.selectAll()
