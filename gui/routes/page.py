"""Routes: the same new tiles for everyone; wrong moves are shown at once, and corrected."""

import logging
import secrets
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QGuiApplication

from coach.days import day_of
from coach.grading.rated import check_exact
from coach.mistakes.mistake import ROUTE
from coach.play.player import Player
from coach.play.rules import End
from coach.play.run import PlayedMove, Run
from coach.record.runs import RemovedRun
from coach.recordings.recording import recording_of_run
from coach.routes.code import LARGEST_SEED, Route, RouteCodeError, read_code
from coach.routes.daily import daily_route
from coach.routes.result import TABLE, YOU, is_result, line_of, read_result, result_of
from coach.routes.results import RouteResults, StoredRun, run_of
from coach.routes.setup import route_of, route_on, setup_of
from coach.routes.words import route_title
from engine.platform.errors import AppError
from engine.platform.language import mark, tr
from gui.board.board_view import BoardView
from gui.pages.page import Answers
from gui.play.board_page import NO_TABLE
from gui.play.page_actions import PageAction, move_actions
from gui.play.run_page import BoardScreen, RunPage
from gui.play.services import PlayServices
from gui.routes.comparison import AI, Comparison
from gui.routes.panel import CorrectionCard, RoutePanel
from gui.routes.start_view import RoutesStart
from gui.routes.text import ranking_lines, standing_text
from gui.text.messages import message_of, sentence
from gui.widgets.board_layout import BoardLayout
from gui.widgets.deletion import Deletion
from gui.widgets.notice import Message
from gui.work.store_service import StoreService
from gui.work.tasks import TaskRunner
from tablebase.probe.table import Table

_log = logging.getLogger(__name__)
_AI_PLAYS = mark("The AI is playing this route\N{HORIZONTAL ELLIPSIS}")
_OPENING = Message(mark("One moment"), mark("Opening the table of the route."))


_MIN_SEEN_MS = 250  # keys pressed before that were for the next move


class RouteScreen(BoardScreen):
    """The display of a run."""

    corrected = Signal()  # the new tile is on the board, too

    def __init__(self, player: Player, board_view: BoardView, panel: RoutePanel) -> None:
        super().__init__(player, board_view, panel.line)
        self._panel = panel
        self._pending: PlayedMove | None = None  # wrong, shown, and not yet corrected
        self.correction = CorrectionCard(board_view)
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self.finish_correction)

    @property
    def is_correcting(self) -> bool:
        return self._pending is not None

    def show_past(self, move: PlayedMove, number: int) -> None:
        self._panel.show_move(move, self.run, is_past=True)
        self._panel.result.show_chosen(number)

    def show_start(self) -> None:
        run = self.run
        self._pending = None
        self._panel.show_run(run)
        self._panel.show_move(run.last, run)
        self.show_line("")
        self._rest()

    def show_move(self, move: PlayedMove, pause_ms: int) -> None:
        """Show a move and its verdict; a wrong one stays for a while, 0 to correct at once."""
        run = self.run
        self.show_line("")
        self._pending = move
        if move.is_corrected and pause_ms:
            self._player.drop_keys()  # meant for the board after the wrong move
            self.correction.show_move(move, run)
            self._view.show_hint(move.made, 1.0)
            self._timer.start(pause_ms)
        else:
            self.finish_correction()
        self._panel.show_move(move, run)
        self._panel.show_score(run)

    def dismiss_correction(self) -> None:
        """Go on after a correction that was long enough on the board to be seen."""
        if self._timer.interval() - self._timer.remainingTime() >= _MIN_SEEN_MS:
            self.finish_correction()

    def finish_correction(self, is_animated: bool = True) -> None:
        move, self._pending = self._pending, None
        self._timer.stop()
        self.correction.hide()
        self._view.show_hint(None)
        if move is None or self._player.run is None:
            return
        if is_animated:
            self.animate(move)
        else:
            self._rest()
        self.corrected.emit()

    def show_result(self) -> None:
        self.show_line("")
        self._panel.result.show_result(self.run)
        self._panel.score.hide()  # the card says it
        self._view.show_hint(None)

    def step_mistake(self, step: int) -> None:
        """Show the next mistake of a finished run, or with -1 the previous one."""
        run = self._player.run
        if run is None or run.end is None:
            return
        at = run.n_moves if self.shown is None else self.shown
        wrong = [i for i, move in enumerate(run.moves) if move.is_mistake]
        ahead = [i for i in wrong if (i - at) * step > 0]
        if ahead:
            self.show_number(min(ahead, key=lambda i: abs(i - at)))

    def _rest(self) -> None:
        self._view.show_hint(None)
        self.show_at_rest()


class RoutesPage(RunPage):
    """The routes so far; the board, the last move and the score; at the end the comparison."""

    title = mark("Routes")
    icon = "routes"
    list_action = "runs"
    display: RouteScreen
    start_view: RoutesStart
    deletion: Deletion[RemovedRun]
    review_requested = Signal(object, int)  # Recording, the position in it

    def __init__(
        self, services: PlayServices, runs: StoreService[RouteResults], thoughts: TaskRunner
    ) -> None:
        super().__init__(services)
        self._runs = runs
        self._number = 0  # of the run in the database
        self._tried: set[tuple[Path, date]] = set()  # tables and days on which the AI has played
        self._resumed: Route | None = None  # whose runs are looked for
        self.player = Player(
            services.open_table, services.lookups, self, services.clock, services.now
        )
        self.comparison = Comparison(services, runs, thoughts)
        self.panel = RoutePanel()
        self.display = RouteScreen(self.player, self.board_view, self.panel)
        self.declare(_actions(self))
        title = tr("Routes")
        self.lay_out(
            BoardLayout(title, self.board_view, self.panel, self.action_bar),
            RoutesStart(services.settings),
        )
        self.frame.header.addWidget(self.panel.route_label, 100)  # before the stretch
        self.show_with_board(self.panel.route_label)
        self.keep_deletions(runs, self.show_trouble, lambda _: tr("Removed."))
        self._connect()
        self.set_tables([])
        self.show_list(True)

    def answers(self) -> Answers:
        return {"route_requested": self.in_front(self.play_today)}

    def set_tables(self, tables: Sequence[Any]) -> None:
        super().set_tables(tables)
        self.start_view.offer(self.tables or ())
        self._list_if_seen()

    def page_shown(self) -> None:
        if not self.shows_board:
            self.show_list(True)

    def close_page(self) -> None:
        self.comparison.stop()
        self.display.finish_correction(is_animated=False)
        self.player.leave()

    def close_table(self, path: Path) -> None:
        if self.player.path == Path(path):
            self.comparison.stop()
            self.display.finish_correction(is_animated=False)
            self.player.close()
            self.show_list(True)

    def play(self, route: Route, stored: StoredRun | None = None) -> None:
        """Play a route; with `stored` show or resume that run."""
        self.start_view.show_error("")
        self.banners.remove(NO_TABLE)
        if stored and stored.number == self._number and self.player.is_playing:
            self.show_list(False)  # `stored` may lack its last moves
            return
        if route.is_game:
            self._begin(route, stored)
            return
        path = self.start_view.path_for(route)
        if path is None:
            self._report_missing(route)
            return
        self.start_view.choose(path)
        self._await_table()
        self.player.with_table(path, lambda _: self._begin(route, stored))

    def play_today(self) -> None:
        day = self._today()
        self._make(lambda table: daily_route(day, table), self._resume)

    def play_new(self) -> None:
        view = self.start_view
        seed, n_moves = secrets.randbelow(LARGEST_SEED + 1), view.n_moves

        def make(table: Table | None) -> Route:
            if table is None:
                return Route("", "", seed, n_moves, is_corrected=False)
            return route_on(table, seed, n_moves, view.is_corrected)

        self._make(make)

    def open_text(self, text: str) -> None:
        self.show_list(True)
        self.start_view.code_edit.setText(text.strip())
        try:
            if is_result(text):
                result = read_result(text)
                run = StoredRun(self._new_number(), self._now(), result)
                self._keep(run, None, self.refresh_list)
                text = tr("The result is in the list. Play the same route to compare.")
                self.start_view.show_error(text, is_bad=False)
                self.start_view.code_edit.clear()
            else:
                self.play(read_code(text))
        except RouteCodeError as error:
            self.start_view.show_error(sentence(str(error)))
            self.start_view.ask_code()

    def _make(
        self, make: Callable[[Table | None], Route], begin: Callable[[Route], None] | None = None
    ) -> None:
        begin, path = begin or self._begin, self.start_view.path
        if path is None:
            begin(make(None))
            return

        def opened(table: Table) -> None:
            try:
                begin(make(table))
            except RouteCodeError as error:
                self.show_failure(error)

        self._await_table()
        self.player.with_table(path, opened)

    def _await_table(self) -> None:
        self.display.finish_correction(is_animated=False)
        self.panel.show_notice(_OPENING)
        self.show_list(False)

    def _resume(self, route: Route) -> None:
        run = self.player.run
        if run and route_of(run) == route and run.end is None:
            self.show_list(False)
            return
        self._resumed = route

        def listed(runs: Sequence[StoredRun]) -> None:
            if self._resumed is route:
                self._begin(route, runs[0] if runs else None)

        def find(runs: RouteResults) -> Sequence[StoredRun]:
            own = [run for run in runs.runs_of(route) if run.result.who == YOU and run.has_moves]
            own.sort(key=lambda run: not run.is_unfinished)
            found = runs.get(own[0].number) if own else None
            return [found] if found else []

        self._runs.ask(find, listed)

    def _begin(self, route: Route, stored: StoredRun | None = None) -> None:
        self._resumed = None
        self.display.finish_correction(is_animated=False)
        self.player.leave()
        self._number = stored.number if stored else self._new_number()
        self.comparison.stop()
        table = None if route.is_game else self.player.table
        try:
            if table and not (stored and stored.result.outcome):
                check_exact(table)
            run = run_of(stored, table) if stored else Run(setup_of(route, table), self._now())
        except AppError as error:
            self.show_failure(error)
        else:
            self.player.begin(run)

    def _today(self) -> date:
        return day_of(self._now(), self._settings.get("day.begins"))

    def _new_number(self) -> int:
        return int(self._now().timestamp() * 1_000_000)

    def again(self) -> None:
        if run := self.player.run:
            self.play(route_of(run))

    def new_like_this(self) -> None:
        run = self.player.run if self.shows_board else None
        if run:
            self.play(route_of(run).again())
        else:
            self.play_new()

    def show_start(self) -> None:
        self.show_list(False)
        self.display.show_start()
        if self.display.run.end:
            self._show_result()
        self.enable()

    def show_move(self, move: PlayedMove) -> None:
        run = self.display.run
        if move.judged and not move.judged.is_perfect:
            self.note(move, ROUTE + run.setup.code)
        self.keep(run)
        self.display.show_move(move, self._settings.get("routes.correction_ms"))
        self.enable()

    def show_end(self, _end: End) -> None:
        if not self.display.is_correcting:
            self._show_result()
        self.enable()

    def show_failure(self, error: BaseException) -> None:
        if self.player.run:
            self.display.show_line(message_of(error))
            return
        self.show_list(True)
        self.start_view.show_error(message_of(error))

    def keep(self, run: Run) -> None:
        stored = StoredRun(self._number, self._now(), result_of(run), rate=run.setup.rate)
        self._keep(
            stored, run.moves, lambda: self._compare(run) if run.end else self._list_if_seen()
        )

    def _keep(
        self, run: StoredRun, moves: Sequence[PlayedMove] | None, done: Callable[[], None]
    ) -> None:
        self._runs.change(lambda runs: runs.keep(run, moves), lambda _: done())

    def press(self, direction: int) -> None:
        if self.display.is_correcting:
            self.display.dismiss_correction()  # the key does nothing else
        else:
            super().press(direction)

    def resume_after_correction(self) -> None:
        self.display.finish_correction()

    def _end_correction(self) -> None:
        if self.display.run.end:
            self._show_result()
        self.enable()

    def _show_result(self) -> None:
        self.display.show_result()
        self._compare(self.display.run)
        self.enable()

    def _compare(self, run: Run) -> None:
        def listed(runs: Sequence[StoredRun]) -> None:
            if run is self.player.run:
                if run.end and run.setup.is_judged and all(one.result.who != AI for one in runs):
                    self.let_play()  # it takes seconds
                n, is_alone = self._number, not self.comparison.is_playing
                standing = standing_text(runs, n) if is_alone else tr(_AI_PLAYS)
                self.panel.result.show_ranking(standing, ranking_lines(runs, n))

        if run is self.player.run:
            self._runs.ask(lambda runs: runs.runs_of(route_of(run)), listed)

    def let_play(self) -> None:
        run = self.player.run
        if run is None or run.end is None or self.comparison.is_playing:
            return
        route, path = route_of(run), self.player.path if run.setup.is_judged else None
        has_table = path is not None and not route.is_corrected  # else it would lose nothing
        players = [TABLE, AI] if has_table else [AI]

        def failed(why: str) -> None:
            self.panel.result.standing_label.setText("")
            self.show_trouble(why)

        self.comparison.start(lambda _: route, path, players, lambda: self._compare(run), failed)
        self.panel.result.standing_label.setText(tr(_AI_PLAYS))

    def _have_ai_play_today(self) -> None:
        """Let the AI play today's route while the list is shown, so that there is one to beat."""
        path, day = self.start_view.path, self._today()
        if path is None or not self.isVisible() or (path, day) in self._tried:
            return
        self._tried.add((path, day))
        if all(run.result.who != AI for run in self.start_view.today):
            make, done = lambda table: daily_route(day, table), self._list_if_seen
            self.comparison.start(make, path, [AI], done, lambda _: None)

    def step_mistake(self, step: int) -> None:
        self.display.step_mistake(step)
        self.enable()

    def review(self) -> None:
        run = self.player.run
        if run is None or run.end is None or not run.n_moves:
            return
        shown, name = (
            self.display.shown or 0,
            tr("Route on {route}", route=route_title(route_of(run))),
        )
        played = self._now()
        self._services.files.run(
            lambda: recording_of_run(run, name, played=played),
            lambda recording: self.review_requested.emit(recording, shown),
        )

    def refresh_list(self) -> None:
        def show(runs: Sequence[StoredRun]) -> None:
            self.start_view.show_runs(runs, self._today())
            self._have_ai_play_today()

        self._runs.ask(lambda runs: runs.runs(), show)

    def _list_if_seen(self) -> None:
        if not self.shows_board:
            self.refresh_list()

    def _act_on(self, name: str, run: StoredRun) -> None:
        """Perform a request for a run of the list."""
        if name == "remove_run":
            if self.player.run and run.number == self._number:
                self.display.finish_correction(is_animated=False)
                self.player.leave()  # saved before, so that it doesn't come back
                self.enable()
            self._runs.change(lambda runs: runs.remove(run.number), self.show_removed)
        elif name == "play_again":
            self.play(run.result.route)
        else:
            self._open_stored(run)

    def _open_stored(self, run: StoredRun) -> None:
        if not run.has_moves:
            self.play(run.result.route)  # only the result is known: play it, too
            return
        self._runs.ask(
            lambda runs: runs.get(run.number), lambda found: self.play(run.result.route, found)
        )

    def _report_missing(self, route: Route) -> None:
        self.show_list(True)
        text = tr("This route needs the {table} table. Build it first.", table=route_title(route))
        self.show_missing_table(text)

    def _copy(self, text: str, message: str) -> None:
        QGuiApplication.clipboard().setText(text)
        self.banners.show_message("info", message, key="said")

    def copy_code(self) -> None:
        if run := self.player.run:
            self._copy(run.setup.code, tr("The code is on the clipboard."))

    def copy_result(self) -> None:
        if run := self.player.run:
            self._copy(line_of(result_of(run)), tr("The result is on the clipboard."))

    def paste(self) -> None:
        self.open_text(QGuiApplication.clipboard().text())

    def ask_code(self) -> None:
        self.show_list(True)
        self.start_view.ask_code()

    def _show_not_stored(self, error: BaseException) -> None:
        _log.error("routes are not kept", exc_info=error)
        self.show_trouble(tr("Your route is not saved. {why}", why=message_of(error)))

    def _connect(self) -> None:
        self.follow_result(self.panel.result.buttons)
        self.display.corrected.connect(self._end_correction)
        self.panel.cross.move_clicked.connect(self.press)
        view = self.start_view
        view.table_combo.activated.connect(lambda _: self.refresh_list())
        view.daily_button.clicked.connect(self.play_today)
        view.new_button.clicked.connect(self.play_new)
        view.text_entered.connect(self.open_text)
        view.list.action_requested.connect(self._act_on)
        self._runs.failed.connect(self._show_not_stored)


def _actions(page: "RoutesPage") -> list[PageAction]:
    def can_press() -> bool:
        return page.can_move() or is_correcting()

    def is_over() -> bool:
        return page.is_over() and page.has_moves() and not page.display.is_correcting

    def has_mistakes() -> bool:
        return is_over() and page.display.run.totals.n_mistakes > 0

    def is_correcting() -> bool:
        return page.has_run() and page.display.is_correcting

    def step(by: int) -> Callable[[], None]:
        return lambda: page.step_mistake(by)

    resume = page.resume_after_correction
    before, after = (
        tr("Previous mistake of a finished route"),
        tr("Next mistake of a finished route"),
    )
    return [
        PageAction("new", tr("New route"), page.new_like_this, None, "refresh", 0),
        PageAction("again", tr("The same route again"), page.again, page.has_run, "repeat", 0),
        PageAction("daily", tr("Today's route"), page.play_today, None, "calendar", 0),
        page.list_entry(tr("All routes"), tr("Routes"), 1, page.can_switch),
        PageAction("review", tr("Review this route"), page.review, is_over, "review", 2),
        page.practice_entry(2),
        PageAction("copy", tr("Copy the code"), page.copy_code, page.has_run, "copy"),
        PageAction(
            "copy_result", tr("Copy the result"), page.copy_result, is_over, key="copy_text"
        ),
        PageAction("paste", tr("Open the code on the clipboard"), page.paste, None, "paste"),
        PageAction("type", tr("Type a code"), page.ask_code, key="go_to"),
        PageAction("compare", tr("Let the AI play it"), page.let_play, is_over, key="run"),
        page.undo_entry(tr("Bring the removed route back")),
        PageAction("go_on", tr("Continue after a correction"), resume, is_correcting, key="stop"),
        PageAction("previous", before, step(-1), has_mistakes, key="previous_mark", repeats=True),
        PageAction("next", after, step(1), has_mistakes, key="next_mark", repeats=True),
        *move_actions(page.press, can_press),
    ]
