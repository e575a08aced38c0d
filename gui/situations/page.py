"""Situations: one position played ten times with fair tiles, and how often the goal is reached."""

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from ai.thinking_time import nodes_of
from coach.mistakes.mistake import SITUATION, TableKey
from coach.play.judge import exact
from coach.play.player import Player
from coach.play.rules import End
from coach.play.run import PlayedMove, Run
from coach.recordings.recording import Recording, recording_of_run
from coach.situations.offers import Offer, OfferKind
from coach.situations.situation import Situation
from coach.situations.situations import Attempt, Removed, Situations, StoredSituation
from coach.situations.text import goal_text, reached_text
from coach.situations.text_line import checked, has_lines, read_text
from coach.whole_game.game_search import Look
from engine.bitboard import cells, format_board
from engine.formats.board_text import read_board
from engine.formats.replay import Cells
from engine.platform.errors import InvalidBoardError
from engine.platform.language import mark, tr, trn
from gui.board.pasting import Pasting
from gui.exam.panel import ExamPanel
from gui.exam.screen import ExamScreen
from gui.pages.page import Answers
from gui.play.board_page import NO_TABLE, TROUBLE
from gui.play.line_import import LineImport, LineKind
from gui.play.page_actions import PageAction, move_actions
from gui.play.run_page import RunPage
from gui.play.services import PlayServices
from gui.situations.finder import SituationFinder, own_search
from gui.situations.start_view import SituationsStart
from gui.situations.text import (
    about_text,
    attempt_text,
    best_play_text,
    progress_text,
    summary_text,
)
from gui.style.layout import card, clear_layout, column, placed, row
from gui.text.messages import message_of
from gui.text.rates import NO_MATCH
from gui.widgets.board_layout import BoardLayout
from gui.widgets.deletion import Deletion
from gui.widgets.elided import ElidedButton
from gui.widgets.labels import Figure, label
from gui.widgets.notice import Message
from gui.work.store_service import StoreService, nothing

_FINDING = Message(mark("One moment"), mark("Working out how likely the goal is from there."))
_MAX_OFFERED = 3  # tables, mistakes
_FILES = mark("Situations (*.txt);;All files (*)")


_MAX_LISTED = 20


class SituationPanel(ExamPanel):
    """The panel of a test, with the statistics of the attempts above it."""

    attempt_chosen = Signal(object)  # Attempt

    def __init__(self) -> None:
        super().__init__()
        self.about_label = label("", "muted", wraps=True)
        self.progress_label = label("", "caption")
        self.reached = Figure(tr("Reached"), "title")
        self.best = Figure(tr("Best play"), "title")
        self.summary_label = label("", wraps=True)
        self.more_label = label("", "caption", wraps=True)
        self.attempt_buttons: list[QPushButton] = []
        self._attempts = column(space=2)
        self.series = self._series_card()
        box = self.layout()
        assert isinstance(box, QVBoxLayout)
        box.insertWidget(0, self.series)
        self.hide_choices()
        self.result.is_of_series = True  # the next attempt is what most people want
        self.result.buttons["restart"].setToolTip(tr("The same position with different tiles"))
        self.show_attempts(None)

    def show_attempts(self, stored: StoredSituation | None) -> None:
        self.series.setVisible(stored is not None)
        clear_layout(self._attempts)
        self.attempt_buttons = []
        if stored is None:
            return
        self.about_label.setText(about_text(stored.situation))
        self.progress_label.setText(progress_text(stored))
        statistics = stored.statistics
        self.reached.show_value(reached_text(statistics) if statistics.n else NO_MATCH)
        self.best.show_value(best_play_text(stored.situation))
        self.summary_label.setText(summary_text(stored))
        self.summary_label.setVisible(bool(self.summary_label.text()))
        text = tr("Next attempt") if stored.n_left else tr("Ten more")
        self.result.buttons["restart"].setText(text)
        over = [(i, attempt) for i, attempt in enumerate(stored.attempts, 1) if attempt.outcome]
        for number, attempt in reversed(over[-_MAX_LISTED:]):
            self._add_attempt(attempt, number)
        n_more = len(over) - len(self.attempt_buttons)
        self.more_label.setText(trn("{n} earlier attempt", "{n:,} earlier attempts", n_more))
        self.more_label.setVisible(n_more > 0)

    def _add_attempt(self, attempt: Attempt, number: int) -> None:
        text = attempt_text(attempt, number)
        button = ElidedButton(text, tr("Open this attempt in Review"))
        button.setProperty("quiet", True)
        button.setProperty("disclosure", True)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)  # a click leaves the keys to the board
        button.clicked.connect(lambda _=False: self.attempt_chosen.emit(attempt))
        self._attempts.addWidget(button)
        self.attempt_buttons.append(button)

    def _series_card(self) -> QWidget:
        return card(
            self.about_label,
            row(placed(self.reached, 1), placed(self.best, 1), space=16),
            self.progress_label,
            self.summary_label,
            self._attempts,
            self.more_label,
            space=6,
            margins=12,
        )


def situation_lines(now: Callable[[], datetime]) -> LineKind[Situations, Situation]:
    def keep(store: Situations, situations: Sequence[Situation]) -> tuple[int, int]:
        return store.add(situations, now())

    return LineKind(
        check=lambda text, open_table: checked(read_text(text), open_table),
        keep=keep,
        title=tr("Import situations"),
        files=tr(_FILES),
        file=tr("a file of situations"),
        nothing=tr("There's no situation in it."),
        no_text=tr("There's no text on the clipboard. Copy one or more lines with situations."),
        bad_lines=lambda n, problems: trn(
            "{n} line isn't a situation. {problems}",
            "{n:,} lines aren't situations. {problems}",
            n,
            problems=problems,
        ),
    )


class SituationsPage(RunPage):
    """The situations so far; the board, the attempts and the last move."""

    title = mark("Situations")
    icon = "situations"
    list_action = "all"
    display: ExamScreen
    start_view: SituationsStart
    deletion: Deletion[Removed]
    review_requested = Signal(object, int)  # Recording, the position in it

    def __init__(
        self,
        services: PlayServices,
        store: StoreService[Situations],
        make_search: Callable[[], Look] = own_search,
    ) -> None:
        super().__init__(services)
        self._store = store
        self.current: StoredSituation | None = None
        self._offers: list[Offer] = []  # of the tables
        self._offered: list[Path] = []  # the tables
        self._opened: int | None = None  # the situation whose grader is open
        self.player = Player(
            exact(services.open_table), services.lookups, self, services.clock, self._now
        )
        self.finder = SituationFinder(services.open_table, services.lookups, make_search)
        self.panel = SituationPanel()
        self.display = ExamScreen(self.player, self.board_view, self.panel)
        start_view = SituationsStart()
        self._pasting = Pasting(start_view.hex_field, services.files, self.play_text)
        self.declare(_actions(self))
        title = tr("Situations")
        self.lay_out(BoardLayout(title, self.board_view, self.panel, self.action_bar), start_view)
        self.frame.header.addWidget(self.panel.goal_label)
        self.show_with_board(self.panel.goal_label)
        self._import = LineImport(
            services, situation_lines(self._now), store, self.banners, self.path_of, self._fail
        )
        self.keep_deletions(store, self._fail, lambda _: tr("Removed."))
        self._connect()
        self.show_list(True)

    def answers(self) -> Answers:
        return {"situation_requested": self.in_front(self.ask)}

    def page_shown(self) -> None:
        self._find_offers()
        if not self.shows_board:
            self.refresh_list()

    def close_page(self) -> None:
        self._opened = None
        self.player.close()

    def close_table(self, path: Path) -> None:
        if self._opened is not None and self.current and self._path_of(self.current) == Path(path):
            self._opened = None
            self.player.close()
            self.show_list(True)

    def ask(self, position: Cells, table: Path | None = None) -> None:
        """Make a position a situation and play it: on `table`, or on the best of all, or search."""
        self.player.leave()
        self._show_situation(None)
        self._clear_messages()
        self.start_view.hex_field.show_error("")
        paths = [table] if table else [Path(info.path) for info in self.tables or ()]
        nodes = nodes_of(self._settings.get("whole_game.ms"))
        self.display.show_notice(_FINDING)
        self.show_list(False)
        self.finder.find(position, paths, table is not None, nodes, self._add, self._fail)

    def _play_offer(self, offer: Offer) -> None:
        self.ask(tuple(cells(offer.board)), self.path_of(offer.key))

    def play_text(self, text: str) -> None:
        """Play the position in a text, or raise InvalidBoardError."""
        try:
            self.ask(read_board(text).cells)
        except InvalidBoardError:
            self.ask_position()
            raise

    def _add(self, situation: Situation) -> None:
        now = self._now()
        self._store.change(lambda store: store.ask(situation, now), self._play, self._fail)

    def _fail(self, error: BaseException) -> None:
        self.show_list(True)
        self.show_trouble(error)

    def _play(self, stored: StoredSituation) -> None:
        if self.current and self.current.number == stored.number and self.player.is_playing:
            self.show_list(False)
            return
        self.player.leave()
        if stored.situation.is_exact and self._path_of(stored) is None:
            self.show_list(True)
            text = tr(
                "The {table} table isn't on this computer. Build it to play this position.",
                table=goal_text(stored.situation),
            )
            self.show_missing_table(text)
            return
        self._show_situation(stored)
        self.show_list(False)
        if stored.open_attempt:
            number = stored.open_attempt.number
            self._store.ask(
                lambda store: store.session(number),
                lambda run: self._resume(stored, run),
                self._fail,
            )
        else:
            self._begin_attempt(stored)

    def _resume(self, stored: StoredSituation, run: Run | None) -> None:
        if run and self.current and self.current.number == stored.number:  # else another was chosen
            self._begin(self.current, run)

    def _begin_attempt(self, stored: StoredSituation) -> None:
        seed = self._services.rng.next_u64() >> 1
        self._begin(stored, Run(stored.situation.attempt(seed), self._now()))

    def _begin(self, stored: StoredSituation, run: Run) -> None:
        if self._opened == stored.number and self.player.table:
            self.player.begin(run)
            return
        self._opened = stored.number
        situation, path = stored.situation, self._path_of(stored)
        if situation.is_exact and path:
            self.player.open(path, run)
        else:
            self.player.open(None, run, opening=lambda: self.finder.searched_table(situation))

    def next(self) -> None:
        stored = self.current
        if stored is None or self.player.is_playing:
            return
        number = stored.number  # queried again: the attempt just ended may not be in it yet
        self._store.change(lambda store: store.with_attempts_left(number), self._play, self._fail)

    def _play_chosen(self, stored: StoredSituation) -> None:
        self.finder.forget()
        self._clear_messages()
        number = stored.number
        self._store.change(lambda store: store.with_attempts_left(number), self._play, self._fail)

    def _clear_messages(self) -> None:
        for key in (TROUBLE, NO_TABLE):
            self.banners.remove(key)

    def _show_situation(self, stored: StoredSituation | None) -> None:
        self.current = stored
        self.panel.show_attempts(stored)
        self.enable()

    def _path_of(self, stored: StoredSituation) -> Path | None:
        setup = stored.situation.setup
        return self.path_of(TableKey(setup.table, setup.spawn4))

    def show_start(self) -> None:
        self.display.show_position()
        self.enable()

    def show_move(self, move: PlayedMove) -> None:
        """Show a move and its verdict, and file it if a table rates it as imperfect."""
        self.display.show_move(move)
        self.keep(self.display.run)
        is_exact = self.current is not None and self.current.situation.is_exact
        if is_exact and not move.judgement.is_perfect:
            self.note(move, SITUATION)
        self.enable()

    def show_end(self, _end: End) -> None:
        self.display.show_end()
        self.enable()

    def show_failure(self, error: BaseException) -> None:
        self._opened = None
        self.display.show_failure(error)
        self.enable()

    def keep(self, run: Run) -> None:
        if self.current is None:
            return
        number, copy = self.current.number, run.copy()
        is_news = run.end is not None or run.n_moves == 1
        taken = self._take_saved if is_news else nothing
        self._store.change(lambda store: store.keep(number, copy), taken, self._trouble)

    def _take_saved(self, stored: StoredSituation | None) -> None:
        if stored and self.current and stored.number == self.current.number:
            self._show_situation(stored)

    def _trouble(self, error: BaseException) -> None:
        self.show_trouble(tr("Your attempt is not saved. {why}", why=message_of(error)))

    def set_tables(self, tables: Sequence[Any]) -> None:
        super().set_tables(tables)
        if self.isVisible():
            self._find_offers()
        self.refresh_list()

    def _find_offers(self) -> None:
        """Look for positions to begin with, until there are harder ones, and only if seen."""
        paths = [Path(info.path) for info in self.tables or ()][:_MAX_OFFERED]
        is_done = any(offer.kind is OfferKind.HARDER for offer in self._offers)
        is_done = is_done or len(paths) in (0, _MAX_OFFERED)  # so many have no room for harder ones
        if is_done and paths == self._offered:
            return
        self._offered = paths
        self.finder.offer(paths, self._now().toordinal(), self._take_offers, self.show_trouble)

    def _take_offers(self, offers: list[Offer]) -> None:
        self._offers = offers
        self.refresh_list()

    def refresh_list(self) -> None:
        def show(found: tuple[list[StoredSituation], list[Offer]]) -> None:
            situations, mistakes = found
            known = [one for one in mistakes if self.path_of(one.key)]
            self.start_view.show_all(situations)
            self.start_view.show_offers([*self._offers, *known], self.tables == [])

        self._store.ask(
            lambda store: (store.all(), store.latest_mistakes(_MAX_OFFERED)), show, self._trouble
        )

    def _act_on(self, name: str, stored: StoredSituation) -> None:
        if name != "remove_situation":
            self._play_chosen(stored)
            return
        if self.current and self.current.number == stored.number:
            self.player.leave()
            self._show_situation(None)
        self._store.change(
            lambda store: store.remove(stored.number), self.show_removed, self._trouble
        )

    def review(self) -> None:
        stored, run = self.current, self.player.run
        if stored and run and run.n_moves:
            copy, name = run.copy(), self._name_of(stored, len(stored.attempts))
            at = self.display.shown or 0
            self._store.ask(
                lambda _: recording_of_run(copy, name),
                lambda recording: self.review_requested.emit(recording, at),
            )

    def _review_attempt(self, attempt: Attempt) -> None:
        stored = self.current
        if stored is None:
            return
        name = self._name_of(stored, stored.attempts.index(attempt) + 1)

        def work(store: Situations) -> Recording | None:
            run = store.session(attempt.number)
            return recording_of_run(run, name) if run else None

        def show(recording: Recording | None) -> None:
            if recording:
                self.review_requested.emit(recording, 0)

        self._store.ask(work, show, self._trouble)

    def _name_of(self, stored: StoredSituation, number: int) -> str:
        return tr("{goal}, attempt {number:,}", goal=goal_text(stored.situation), number=number)

    def copy(self) -> None:
        QGuiApplication.clipboard().setText(format_board(self.display.board))

    def paste(self) -> None:
        self.show_list(True)
        if has_lines(QGuiApplication.clipboard().text()):
            self._import.paste(self.refresh_list)
        else:
            self._pasting.paste()

    def import_file(self) -> None:
        self.show_list(True)
        self._import.ask_file(self, self.refresh_list)

    def ask_position(self) -> None:
        self.show_list(True)
        self.start_view.hex_field.take_keys()

    def do(self, name: str) -> None:
        if name == "restart":
            self.next()
        elif name == "reopen" and self.current:
            self._play(self.current)
        else:
            super().do(name)

    def _connect(self) -> None:
        view = self.start_view
        self.follow_result({"next": self.panel.result.buttons["restart"]})
        self.panel.notice.remedy_clicked.connect(self.do)
        self.panel.attempt_chosen.connect(self._review_attempt)
        view.hex_field.dropped.connect(view.take_keys)
        view.offer_chosen.connect(self._play_offer)
        view.empty.clicked.connect(self.tables_requested)
        view.list.action_requested.connect(self._act_on)


def _actions(page: "SituationsPage") -> list[PageAction]:
    return [
        PageAction(
            "next", tr("Next attempt"), page.next, page.is_over, "refresh", 0, "new", tr("Next")
        ),
        PageAction("review", tr("Review this attempt"), page.review, page.has_moves, "review", 1),
        page.practice_entry(1),
        page.list_entry(tr("All situations"), tr("All"), 2, page.can_switch),
        PageAction("copy", tr("Copy the position"), page.copy, page.has_run, "copy"),
        PageAction("paste", tr("Paste a position"), page.paste, None, "paste"),
        PageAction("go_to", tr("Type a position"), page.ask_position),
        PageAction("import", tr("Import situations"), page.import_file, None, "folder"),
        page.undo_entry(tr("Bring the removed situation back")),
        *move_actions(page.press, page.can_move),
    ]
