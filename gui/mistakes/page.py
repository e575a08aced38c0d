"""Mistakes in tests and games: listing, drilling, statistics."""

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from coach.days import Today
from coach.mistakes.drill import Drill, DrillRules
from coach.mistakes.mistake import Attempt, Mistake, TableKey
from coach.mistakes.mistakes import Deleted, Mistakes
from coach.mistakes.questions import DrillSetup
from coach.profile.session import Session
from coach.profile.words import session_text
from coach.record.database import DamagedDatabaseError
from coach.recordings.recording import SEARCH
from engine.bitboard import DOWN, LEFT, RIGHT, UP, cells, format_board
from engine.platform.language import mark, tr, trn
from gui.comparison.request import ComparisonRequest
from gui.mistakes.drill import MistakesDrill
from gui.mistakes.drill_panel import DrillPanel, DrillPlace
from gui.mistakes.layout import DRILL, LIST, PROGRESS, VIEWS, MistakesLayout
from gui.mistakes.list import MistakesList
from gui.mistakes.progress import MistakesProgress
from gui.mistakes.rates import MissingRates
from gui.mistakes.sources import SourceFinder
from gui.mistakes.transfer import MistakeTransfer
from gui.pages.page import Answers
from gui.play.board_page import BoardPage
from gui.play.page_actions import PageAction, PageActions
from gui.play.services import PlayServices
from gui.text.answers import table_title
from gui.text.messages import message_of
from gui.text.numbers import format_seconds
from gui.widgets.action_bar import ActionBar
from gui.widgets.buttons import more_button
from gui.widgets.deletion import Deletion
from gui.widgets.key_tips import add_key_tips
from gui.work.mistake_service import MistakeService
from gui.work.store_service import STARTED_OVER

_NO_TABLE, _SESSION = "no_table", "session"


class MistakesPage(BoardPage):
    """Three views of the database of mistakes: drill, list, progress.

    Parameters
    ----------
    symmetry_of : callable
        Returns the symmetry of the positions of a table, given by name; runs on the worker thread.
    rates : MissingRates, optional
        Fills in missing rates of imported mistakes.

    Signals
    -------
    situation_requested : tuple of 16 int, Path or None (as objects)
        Make this position a situation, on the table in that folder if one covers it.
    review_requested : Path (as object), int
        Open this file in Review at this position.
    compare_requested : ComparisonRequest (as object)
    session_test_requested
        The drill of today's session is done: continue with the test.
    first_test_requested
        There are no mistakes yet: show the Test page.
    puzzles_requested : list of int (as object), int, int
        The positions of a training session are done: continue with its puzzles, by number. How many
        positions were correct and in total.
    """

    title = mark("Mistakes")
    icon = "mistakes"
    deletion: Deletion[Deleted]
    practice_requested = Signal(object, str)
    situation_requested = Signal(object, object)
    review_requested = Signal(object, int)
    compare_requested = Signal(object)
    tables_requested = Signal()
    session_test_requested = Signal()
    first_test_requested = Signal()
    puzzles_requested = Signal(object, int, int)
    profile_requested = Signal()

    def __init__(
        self,
        services: PlayServices,
        store: MistakeService,
        symmetry_of: Callable[[str], str] = lambda _: "full",
        rates: MissingRates | None = None,
    ) -> None:
        super().__init__(services)
        self._store, self._rates = store, rates
        self._tables: Sequence[Any] | None = None  # until the disk has been scanned
        self._stale = {DRILL, LIST, PROGRESS}
        self._keys: Sequence[TableKey] | None = None  # tables with mistakes, once known
        self._puzzles_to_come: Sequence[int] = ()  # of the training session
        setup = DrillSetup(partial(DrillRules.of, self._settings.get), self._now, services.rng)
        self.drill_panel, self.drill_place = DrillPanel(), DrillPlace(self.board_view)
        self.drill = MistakesDrill(
            store, setup, self.drill_place, self.drill_panel, self._settings, parent=self
        )
        self.run = self.drill.run
        self.list = MistakesList(store, self._today)
        self.progress = MistakesProgress(store, self._settings)
        places: dict[str, Sequence[QWidget]] = {DRILL: [self.board_view], LIST: [self.list.table]}
        actions = self.actions_by_name = PageActions(self._declared(), self, self, places)
        self.action_bar = ActionBar(actions.bar())
        self.frame: MistakesLayout
        frame = MistakesLayout(self.drill_place, self.drill_panel, self.action_bar)
        frame.add_views(self.list, self.progress)
        frame.header.addWidget(
            more_button(tr("Import and export"), [actions["import"], actions["export"]])
        )
        self.table_combo = frame.table_combo
        self.lay_out(frame)
        self.list.panel.board_view.follow_settings(self._settings)
        self.keep_deletions(
            lambda gone, failed: store.change(lambda m: m.restore(gone), failed=failed),
            self._fail,
            lambda gone: trn("Deleted {n} mistake.", "Deleted {n:,} mistakes.", gone.n_mistakes),
        )
        self.finder = SourceFinder(store, self.banners, self.review_requested.emit, self._fail)
        self._transfer = MistakeTransfer(services, store, self.banners, symmetry_of, self._fail)
        self._connect()
        self.show_view(str(self._settings.state.get("mistakes.view", DRILL)))
        self._follow_setting("mistakes.threshold")

    def answers(self) -> Answers:
        return {
            "drill_requested": self.in_front(self.drill_due),
            "mistake_training_requested": self.in_front(self.train),
        }

    def press(self, direction: int) -> None:
        self.drill.answer(direction)

    def set_tables(self, tables: Sequence[Any]) -> None:
        self._tables = [table for table in tables if table.state in ("complete", "away")]

    def close_page(self) -> None:
        self.drill.close()

    def page_shown(self) -> None:
        self._refresh()

    def show_due(self, _n: int) -> None:
        if self.isVisible() and self.view == DRILL:
            self.drill.look_again()

    def hideEvent(self, event: QHideEvent) -> None:  # noqa: N802
        super().hideEvent(event)
        self.drill.stay()

    @property
    def view(self) -> str:
        return self.frame.view

    def show_view(self, name: str) -> None:
        self.frame.view_chips.choose(name if name in VIEWS else DRILL)
        self._settings.state.set("mistakes.view", self.view)
        if self.view != DRILL:
            self.drill.stay()
        self._show_stack()
        if self.isVisible():
            self._refresh()
            self._focus_view()

    # Looking --------------------------------------------------------------------------------

    def _refresh(self) -> None:
        self._store.ask(lambda mistakes: mistakes.tables(), self._show_tables, self._fail)
        if self.view not in self._stale:
            if self.view == DRILL:
                self.drill.look_again()
            return
        self._stale.discard(self.view)
        if self.view == LIST:
            self.list.refresh(self._key)
        elif self.view == PROGRESS:
            self.progress.refresh(self._key, self._today())
        else:
            self.drill.start(self._key)

    def _today(self) -> Today:
        return DrillRules.of(self._settings.get).today(self._now())

    @property
    def _key(self) -> TableKey | None:
        return self.table_combo.key

    def _show_tables(self, keys: list[TableKey]) -> None:
        self._keys = keys
        if self._rates:
            self._rates.fill(keys, self._tables or ())
        before = self._key
        self.table_combo.offer(keys)
        if self._key != before:
            self._follow_table()
        self._show_stack()

    def _follow_table(self) -> None:
        self._refresh_all()
        self._focus_view()

    def _take_imported(self) -> None:
        if self._rates:
            self._rates.forget()
        self._refresh_all()

    def _refresh_all(self) -> None:
        self._stale = {DRILL, LIST, PROGRESS}
        self._refresh()

    def _show_stack(self) -> None:
        before = self.focusProxy()
        had_focus = before is not None and before.hasFocus()
        self.frame.show_view(is_empty=self._keys is not None and not self._keys)
        self._set_focus_target()
        if had_focus:  # the focused widget may be hidden now
            self._focus_view()
        self.enable()

    def _on_changed(self) -> None:
        self._stale |= {LIST, PROGRESS}
        if self.run.question is None:
            self._stale.add(DRILL)
        if self.isVisible() and (self.view != DRILL or not self._keys):
            self._refresh()

    def _focus_view(self) -> None:
        self.setFocus(Qt.FocusReason.OtherFocusReason)

    def _set_focus_target(self) -> None:
        front = {DRILL: self.drill_place, LIST: self.list.table, PROGRESS: self.progress}
        invites = self.frame.invites
        self.setFocusProxy(self.frame.empty.button if invites else front[self.view])

    # Doing ----------------------------------------------------------------------------------

    def _shown(self) -> tuple[Mistake | None, int]:
        question = self.run.question
        if self.view == DRILL and question:
            return question.item, question.board
        mistake = self.list.mistake if self.view == LIST else None
        return mistake, mistake.board if mistake else 0

    def _practice(self) -> None:
        self.drill.stay()
        mistake, board = self._shown()
        if mistake and (path := self._table_of(mistake)):
            self.practice_requested.emit(path, format_board(board))

    def _play_situation(self) -> None:
        self.drill.stay()
        mistake, board = self._shown()
        if mistake and mistake.key.name == SEARCH:
            self.situation_requested.emit(tuple(cells(board)), None)
        elif mistake and (path := self._table_of(mistake)):
            self.situation_requested.emit(tuple(cells(board)), path)

    def _compare(self) -> None:
        """Compare the wrong answer just given, or else the worst attempt at this mistake."""
        self.drill.stay()
        mistake, board = self._shown()
        if mistake is None:
            return
        is_searched = mistake.key.name == SEARCH
        path = None if is_searched else self._table_of(mistake)
        if path is None and not is_searched:
            return
        question = self.run.question if self.view == DRILL else None
        verdict = self.run.verdict if question else None

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
                lambda mistakes: mistakes.attempts(mistake.id), compare_worst, self._fail
            )

    def _table_of(self, mistake: Mistake) -> Path | None:
        """Return the folder of the table for a mistake; show a message if there is none."""
        if self._tables is None or mistake.key.name == SEARCH:
            text = tr("Search judged this position. Practice needs one that a table knows.")
            if self._tables is None:
                text = tr("Still looking for your tables. Try again in a moment.")
            self.banners.show_message("info", text, key=_NO_TABLE)
            return None
        for table in self._tables:
            if (table.name, table.spawn4) == tuple(mistake.key):
                self.banners.remove(_NO_TABLE)
                return Path(table.path)
        text = tr(
            "The {table} table isn't on this computer. Build it to practice this position.",
            table=table_title(mistake.key),
        )
        remedy = (tr("Show tables"), self.tables_requested.emit)
        self.banners.show_message("warning", text, [remedy], _NO_TABLE)
        return None

    def _delete(self) -> None:
        self.drill.stay()
        question = self.run.question
        if self.view == DRILL and question and not self.run.is_waiting:
            self._delete_all([question.id])
            self.run.next()
        elif self.view == LIST and (ids := self.list.chosen):
            self.list.choose_next_to(ids)
            self._delete_all(ids)

    def _delete_all(self, ids: list[int]) -> None:
        def done(deleted: Deleted) -> None:
            if deleted.n_mistakes:  # a second press may come before the list shows the first
                self.deletion.keep(deleted)
            self.drill.leave(ids)

        self._store.change(lambda mistakes: mistakes.delete(ids), done, self._fail)

    def _review(self) -> None:
        self.drill.stay()
        mistake, _ = self._shown()
        if mistake:
            self.finder.show_latest(mistake.id)

    def _retire(self) -> None:
        mistake, _ = self._shown()
        ids = [mistake.id] if mistake else self.list.chosen if self.view == LIST else []
        if not ids:
            return
        is_back, now = bool(mistake and mistake.retired), self._now()

        def work(mistakes: Mistakes) -> None:
            drill = Drill(mistakes)
            (drill.revive if is_back else drill.retire)(ids, now)

        self._store.change(work, failed=self._fail)
        if self.view == DRILL:
            self.drill.show_retired(not is_back)

    def _drill_chosen(self) -> None:
        ids = self.list.chosen
        if len(ids) == 1:  # a single one is not a drill: continue from there
            at = list(self.list.model.ids).index(ids[0])
            ids = list(self.list.model.ids[at : at + 1000])
        self._stale.discard(DRILL)
        self.show_view(DRILL)
        self.drill.start_with(ids)

    def _drill_table(self, key: TableKey) -> None:
        self.table_combo.choose(key)
        self._stale = {DRILL, LIST, PROGRESS}
        self.show_view(DRILL)

    def drill_due(self, test: str = "") -> None:
        self._show_drill_of_all()
        self.drill.start_due(test)
        self.enable()

    def train(self, session: Session) -> None:
        self._puzzles_to_come = session.puzzles
        self._show_drill_of_all()
        self.drill.train(session.mistakes, session.due, len(session.puzzles))
        text = tr(
            "About {time}: {parts}.",
            time=format_seconds(session.seconds),
            parts=session_text(session),
        )
        self.banners.show_message("info", text, key=_SESSION)
        self._focus_view()
        self.enable()

    def _show_drill_of_all(self) -> None:
        self.table_combo.choose(None)
        self._stale = {LIST, PROGRESS}
        self.show_view(DRILL)

    def _continue_to_puzzles(self) -> None:
        self.banners.remove(_SESSION)
        self.puzzles_requested.emit(self._puzzles_to_come, *self.drill.score)

    def _end_drill(self) -> None:
        self.banners.remove(_SESSION)
        self.enable()

    def _search(self) -> None:
        self.show_view(LIST)
        self.list.filter.search_edit.setFocus()
        self.list.filter.search_edit.selectAll()

    def _fail(self, error: BaseException) -> None:
        remedies = []
        if isinstance(error, DamagedDatabaseError):
            remedies = [(tr("Set aside and start over"), self._start_over)]
        self.banners.show_message("bad", message_of(error), remedies)

    def _start_over(self) -> None:
        def done(old: Path) -> None:
            self.banners.show_message("good", tr(STARTED_OVER, path=old))
            self._refresh_all()

        self._store.start_over(self._now(), done, self._fail)

    # Wiring ---------------------------------------------------------------------------------

    def _declared(self) -> list[PageAction]:
        drill, rows, both = (DRILL,), (LIST,), (DRILL, LIST)

        def is_shown() -> bool:
            return self._is_asking or self._has_chosen

        def for_drill(name: str, text: str, do: Callable[[], object], **more: Any) -> PageAction:
            return PageAction(name, text, do, lambda: self._is_asking, places=drill, **more)

        def for_shown(name: str, text: str, do: Callable[[], object], icon: str) -> PageAction:
            return PageAction(name, text, do, is_shown, icon, group=1, places=both)

        return [
            for_drill("left", tr("Answer left"), partial(self.press, LEFT)),
            for_drill("right", tr("Answer right"), partial(self.press, RIGHT)),
            for_drill("up", tr("Answer up"), partial(self.press, UP)),
            for_drill("down", tr("Answer down"), partial(self.press, DOWN)),
            for_drill(
                "next",
                tr("Next mistake"),
                self.drill.next_question,
                icon_name="forward",
                group=0,
                key="best",
                caption=tr("Next"),
            ),
            for_drill("stay", tr("Stay on this mistake"), self.drill.stay, key="stop"),
            PageAction(
                "compare",
                tr("Compare with the best move"),
                self._compare,
                lambda: self._has_chosen or self._is_answered,
                "compare",
                group=1,
                places=both,
            ),
            for_shown("practice", tr("Open in Practice"), self._practice, "practice"),
            for_shown(
                "situation", tr("Play this position ten times"), self._play_situation, "situations"
            ),
            for_shown("review", tr("Open the test in Review"), self._review, "review"),
            for_shown("retire", tr("Retire or revive"), self._retire, "check"),
            for_shown("delete", tr("Delete"), self._delete, "delete"),
            PageAction(
                "drill_chosen",
                tr("Drill the selected mistakes"),
                self._drill_chosen,
                lambda: self._has_chosen,
                key="best",
                places=rows,
            ),
            PageAction(
                "continue",
                tr("Go on with today's session"),
                self.drill.continue_session,
                lambda: self.view == DRILL and self.drill.has_next_step,
            ),
            PageAction(
                "undo",
                tr("Undo the last delete"),
                self.undo_deletion,
                lambda: self.deletion.can_undo,
            ),
            PageAction("search", tr("Search for a position"), self._search, icon_name="search"),
            *(
                PageAction(f"show_{view}", text, partial(self.show_view, view), key=f"view_{n}")
                for n, (view, text) in enumerate(
                    (
                        (DRILL, tr("Drill")),
                        (LIST, tr("List of mistakes")),
                        (PROGRESS, tr("Statistics")),
                    ),
                    1,
                )
            ),
            PageAction("export", tr("Export the listed mistakes"), self._export),
            PageAction("import", tr("Import mistakes"), self._import),
        ]

    @property
    def _is_asking(self) -> bool:
        return self.view == DRILL and self.run.question is not None

    @property
    def _is_answered(self) -> bool:
        return self._is_asking and self.run.verdict is not None

    @property
    def _has_chosen(self) -> bool:
        return self.view == LIST and bool(self.list.chosen)

    def _connect(self) -> None:
        frame, panel, actions = self.frame, self.list.panel, self.actions_by_name
        frame.view_chips.chosen.connect(lambda name: self.show_view(str(name)))
        self.table_combo.activated.connect(lambda _: self._follow_table())
        frame.empty.clicked.connect(self.first_test_requested)
        frame.empty.other_clicked.connect(actions["import"].trigger)
        self._store.changed.connect(self._on_changed)
        for part in (self.list, self.progress, self.drill, self._store):
            part.failed.connect(self._fail)
        self.drill.changed.connect(self.enable)
        self.drill.ended.connect(self._end_drill)
        self.drill.test_requested.connect(self.session_test_requested)
        self.drill.puzzles_requested.connect(self._continue_to_puzzles)
        self.drill.profile_requested.connect(self.profile_requested)
        self.list.choice_changed.connect(self.enable)
        self.list.table.doubleClicked.connect(lambda _: self._drill_chosen())
        self.list.left.connect(self._focus_view)
        panel.attempt_chosen.connect(lambda made: self.finder.show(made, panel.mistake))
        panel.tags_entered.connect(self._set_tags)
        panel.take_actions(actions)
        self.progress.drill_requested.connect(self._drill_table)
        add_key_tips(
            actions,
            {
                "search": self.list.filter.search_edit,
                **{f"show_{name}": chip for name, chip in frame.view_chips.buttons.items()},
            },
        )
        self._settings.changed.connect(self._follow_setting)

    def _export(self) -> None:
        self._transfer.export(self, list(self.list.model.ids))

    def _import(self) -> None:
        self._transfer.import_file(self, self._take_imported)

    def _set_tags(self, tags: list[str]) -> None:
        if mistake := self.list.mistake:
            self._store.change(lambda m: m.set_tags(mistake.id, tags), failed=self._fail)

    def _follow_setting(self, name: str, _value: object = None) -> None:
        if name == "mistakes.threshold":
            self._store.set_threshold(self._settings.get(name))
