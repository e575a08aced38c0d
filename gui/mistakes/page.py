"""Mistakes in tests and games: listing, drilling, statistics."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtGui import QHideEvent
from PySide6.QtWidgets import QWidget

from coach.days import Today
from coach.mistakes.drill import DrillRules
from coach.mistakes.mistake import TableKey
from coach.mistakes.questions import DrillSetup
from coach.profile.session import Session
from coach.profile.words import session_text
from engine.platform.language import mark, tr, trn
from gui.keys.key_bindings import add_key_tips
from gui.mistakes.actions import SWITCHES, MistakeActions
from gui.mistakes.drill import MistakesDrill
from gui.mistakes.drill_panel import DrillPanel, DrillPlace
from gui.mistakes.layout import DRILL, LIST, PROGRESS, MistakesLayout
from gui.mistakes.list import MistakesList
from gui.mistakes.progress import MistakesProgress
from gui.mistakes.rates import MissingRates
from gui.pages.page import Answers
from gui.play.page_actions import PageActions
from gui.play.services import PlayServices
from gui.work.mistake_service import MistakeService

_SESSION = "session"


class MistakesPage(MistakeActions):
    """A drill of the mistakes; a list of them or statistics in its place.

    `symmetry_of` returns that of the positions of a table, given by name, on the worker thread.
    """

    title = mark("Mistakes")
    icon = "mistakes"
    session_test_requested = Signal()  # today's drill is done: go on with the test
    first_test_requested = Signal()  # there are no mistakes yet
    puzzles_requested = Signal(
        object, int, int
    )  # numbers; how many positions were right, of how many
    profile_requested = Signal()

    def __init__(
        self,
        services: PlayServices,
        store: MistakeService,
        symmetry_of: Callable[[str], str] = lambda _: "full",
        rates: MissingRates | None = None,
    ) -> None:
        super().__init__(services)
        self._store, self._rates, self._symmetry_of = store, rates, symmetry_of
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
        self.action_bar = actions.bar()
        frame = MistakesLayout(self.drill_place, self.drill_panel, self.action_bar)
        frame.add_views(self.list, self.progress)
        self.table_combo = frame.table_combo
        self.lay_out(frame)
        self.list.panel.board_view.follow_settings(self._settings)
        self.keep_deletions(
            store,
            self.fail,
            lambda gone: trn("Deleted {n} mistake.", "Deleted {n:,} mistakes.", gone.n_mistakes),
        )
        self._connect()
        self.show_view(str(self._settings.state.get("mistakes.view", DRILL)))
        for name in ("mistakes.threshold", *SWITCHES):
            self._follow_setting(name)

    def answers(self) -> Answers:
        return {
            "drill_requested": self.in_front(self.drill_due),
            "due_requested": self.in_front(lambda: self.show_view(DRILL)),
            "mistake_training_requested": self.in_front(self.train),
        }

    def press(self, direction: int) -> None:
        self.drill.answer(direction)

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

    def show_view(self, name: str) -> None:
        self.frame.choose(name)
        self._settings.state.set("mistakes.view", self.view)
        if self.view != DRILL:
            self.drill.stay()
        self._show_stack()
        if self.isVisible():
            self._refresh()
            self.take_focus()

    def _refresh(self) -> None:
        self._store.ask(lambda mistakes: mistakes.tables(), self._show_tables, self.fail)
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
            self._rates.fill(keys, self.tables or ())
        before = self._key
        self.table_combo.offer(keys)
        if self._key != before:
            self._follow_table()
        self._show_stack()

    def _follow_table(self) -> None:
        self._refresh_all()
        self.take_focus()

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
        front = {DRILL: self.drill_place, LIST: self.list.table, PROGRESS: self.progress}
        invites = self.frame.invites
        self.setFocusProxy(self.frame.empty.button if invites else front[self.view])
        if had_focus:  # the focused widget may be hidden now
            self.take_focus()
        self.enable()

    def _on_changed(self) -> None:
        self._stale |= {LIST, PROGRESS}
        if self.run.question is None:
            self._stale.add(DRILL)
        if self.isVisible() and (self.view != DRILL or not self._keys):
            self._refresh()

    def drill_chosen(self) -> None:
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
        minutes = max(1, round(session.seconds / 60))
        text = tr("About {n} min: {parts}.", n=minutes, parts=session_text(session))
        self.banners.show_message("info", text, key=_SESSION)
        self.take_focus()
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

    def fail(self, error: BaseException) -> None:
        self.show_failed_store(error, self._store, self._refresh_all)

    def _connect(self) -> None:
        frame, panel, actions = self.frame, self.list.panel, self.actions_by_name
        for view, view_button in frame.view_buttons.items():
            view_button.clicked.connect(
                lambda is_on, view=view: self.show_view(view if is_on else DRILL)
            )
        self.table_combo.activated.connect(lambda _: self._follow_table())
        frame.empty.clicked.connect(self.first_test_requested)
        frame.empty.other_clicked.connect(actions["import"].trigger)
        self._store.changed.connect(self._on_changed)
        for part in (self.list, self.progress, self.drill, self._store):
            part.failed.connect(self.fail)
        self.drill.changed.connect(self.enable)
        self.drill.ended.connect(self._end_drill)
        self.drill.test_requested.connect(self.session_test_requested)
        self.drill.puzzles_requested.connect(self._continue_to_puzzles)
        self.drill.profile_requested.connect(self.profile_requested)
        self.list.choice_changed.connect(self.enable)
        self.list.table.doubleClicked.connect(lambda _: self.drill_chosen())
        self.list.left.connect(self.take_focus)
        panel.attempt_chosen.connect(self._review_attempt)
        panel.tags_entered.connect(self._set_tags)
        panel.take_actions(actions)
        self.progress.drill_requested.connect(self._drill_table)
        add_key_tips(
            actions,
            {
                "search": self.list.filter.search_edit,
                **{f"show_{view}": chip for view, chip in frame.view_buttons.items()},
            },
        )
        self._settings.changed.connect(self._follow_setting)

    def _set_tags(self, tags: list[str]) -> None:
        if mistake := self.list.mistake:
            self._store.change(lambda m: m.set_tags(mistake.id, tags), failed=self.fail)

    def _follow_setting(self, name: str, _value: object = None) -> None:
        value = self._settings.get(name)
        if name == "mistakes.threshold":
            self._store.set_threshold(value)
        elif name in SWITCHES:
            self.actions_by_name[SWITCHES[name]].setChecked(value)
