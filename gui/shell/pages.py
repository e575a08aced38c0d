"""All pages but Home, and the navigation between them."""

from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime, timezone
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import SignalInstance
from PySide6.QtWidgets import QWidget

from engine.platform.language import tr
from gui.analysis.page import AnalysisPage
from gui.comparison.window import ComparisonWindow
from gui.exam.page import TestPage
from gui.game.page import GamePage
from gui.help.page import HelpPage
from gui.home.records import LastGame
from gui.minigames.page import MinigamesPage
from gui.mistakes.drill_run import DrillRules
from gui.mistakes.page import MistakesPage
from gui.mistakes.rates import MissingRates
from gui.practice.page import PracticePage
from gui.profile.page import ProfilePage
from gui.profile.training import Training
from gui.puzzles.page import PuzzlesPage
from gui.review.page import ReviewPage
from gui.review.whole_games import WholeGames, open_analysis
from gui.routes.page import RoutesPage
from gui.settings.data_section import DataSection
from gui.settings.page import SettingsPage
from gui.shell.main_window import MainWindow
from gui.shell.services import Services, do_all
from gui.shell.work_reports import ANALYSIS, RATING
from gui.situations.page import SituationsPage
from gui.tables.page import TablesPage

if TYPE_CHECKING:
    from coach.explanations.source import EstimateChances
    from coach.profile.advice import Advice
    from coach.profile.session import Session
    from coach.recordings.recording import Recording


class Pages:
    """The pages in the current language; another language gets new ones.

    They are created step by step, so that no key press waits for all; they are added once all
    exist. Signals that concern neither a page nor a service are for the creator.

    Parameters
    ----------
    services : Services
    window : MainWindow
        The window to add them to, in order.
    """

    def __init__(self, services: Services, window: MainWindow) -> None:
        self._services, self._window = services, window
        self._puzzles_to_come: Sequence[int] = ()  # of the session of training
        self._to_make = deque(
            [
                self._make_game,
                self._make_practice,
                self._make_test,
                self._make_review,
                self._make_mistakes,
                self._make_puzzles_and_profile,
                self._make_analysis,
                self._make_routes,
                self._make_situations,
                self._make_minigames,
                self._make_tables,
                self._make_rest,
                self._add_all,
            ]
        )

    @property
    def n_to_make(self) -> int:
        """The number of steps left to create all pages."""
        return len(self._to_make)

    def make_next(self) -> None:
        """Do one step, if any is left: as much as a key press may wait for."""
        if self._to_make:
            self._to_make.popleft()()

    def make_all(self) -> None:
        """Do all that is left."""
        while self._to_make:
            self.make_next()

    def _make_game(self) -> None:
        services, data_dir = self._services, self._services.data_dir
        self.game = GamePage(
            data_dir / "game",
            data_dir / "replays",
            services.thoughts,
            services.settings,
            table_folders=services.table_folders,
        )

    def _make_practice(self) -> None:
        services = self._services
        self.practice = PracticePage(
            services.open_table, services.lookups, services.settings,
            files=services.tasks,
            note_guess=services.facts.add_guess,
        )  # fmt: skip

    def _make_test(self) -> None:
        services = self._services
        self.test = TestPage(
            services.open_table, services.questions, services.tasks, services.settings,
            services.data_dir,
            note_mistake=services.book.note,
        )  # fmt: skip

    def _make_review(self) -> None:
        services, data_dir = self._services, self._services.data_dir
        self.review = ReviewPage(
            services.open_table, services.reviews, services.settings, data_dir / "tests",
            services.tables.formations,
            whole_games=WholeGames(services.analyzing, partial(open_analysis, data_dir)),
        )  # fmt: skip

    def _make_mistakes(self) -> None:
        services, book, tables = self._services, self._services.book, self._services.tables
        self.mistakes = MistakesPage(
            book,
            services.settings,
            services.data_dir,
            tables.position_symmetry,
            MissingRates(book, tables.open, services.tasks),
        )

    def _make_puzzles_and_profile(self) -> None:
        services, settings, book = self._services, self._services.settings, self._services.book
        self.puzzles = PuzzlesPage(
            services.puzzle_book, book, services.open_table, services.lookups, services.seeking,
            settings, services.data_dir,
        )  # fmt: skip
        self.profile = ProfilePage(services.facts, lambda: datetime.now(timezone.utc))
        self.training = Training(
            services.facts,
            book,
            services.puzzle_book,
            lambda mistakes: DrillRules.of(settings.get).drill(mistakes),
            lambda: DrillRules.of(settings.get).today(datetime.now(timezone.utc)),
            services.tables.formations,
            parent=self.profile,
        )

    def _make_analysis(self) -> None:
        services = self._services
        settings = services.settings
        self.analysis = AnalysisPage(
            services.kept_analyses, services.analyses, services.notes, settings,
            services.tables.folders,
        )  # fmt: skip
        self.comparison = ComparisonWindow(
            services.open_table, services.lookups, _make_search, settings, self._window
        )

    def _make_routes(self) -> None:
        services = self._services
        self.routes = RoutesPage(
            services.open_table, services.questions, services.notes, services.walks,
            services.settings, services.route_book,
            note_mistake=services.book.note,
            table_folders=services.table_folders,
        )  # fmt: skip

    def _make_situations(self) -> None:
        services = self._services
        self.situations = SituationsPage(
            services.situation_book, services.open_table, services.questions, services.tasks,
            services.settings,
            note_mistake=services.book.note,
        )  # fmt: skip

    def _make_minigames(self) -> None:
        services = self._services
        self.minigames = MinigamesPage(
            services.data_dir / "minigames", services.tasks, services.thoughts,
            services.settings,
        )  # fmt: skip

    def _make_tables(self) -> None:
        services = self._services
        self.tables = TablesPage(
            *(services.tables, services.tasks, services.settings, services.library),
            *(services.builds, services.checks, services.adviser, services.sizes),
            drawings=services.drawings,
            estimates=services.estimates,
            places=services.places,
            reports=services.reports,
        )

    def _make_rest(self) -> None:
        services = self._services
        settings, themes, tables = services.settings, services.themes, services.tables
        self.data = DataSection(
            settings, themes, tables, services.book, services.data_dir, services.keeping
        )
        self.settings = SettingsPage(
            *(settings, themes, tables, services.data_dir, self._window.keys, self.data),
            services.places,
        )
        self.help = HelpPage(settings, services.tasks, self._window.keys)

    def _add_all(self) -> None:
        """Add the pages to the window in their order, and connect them."""
        coach = (self.practice, self.test, self.review, self.mistakes, self.puzzles, self.profile)
        others = (self.analysis, self.routes, self.situations, self.minigames, self.tables)
        for page in (self.game, *coach, *others, self.settings, self.help):
            self._window.add_page(page)
        for action in self.comparison.actions():
            self._window.keys.add("comparison", tr("Compare"), action)  # no text
        self._connect_with_services()
        self._connect()

    def _connect_with_services(self) -> None:
        services = self._services
        readers = (
            *(self.practice, self.test, self.review, self.puzzles, self.routes, self.situations),
            self.comparison,
        )
        for reader in readers:
            services.library.removed.connect(reader.close_table)
        self.settings.folders_changed.connect(services.library.refresh)
        # The command has written to these; who shows them asks again.
        self.analysis.games_kept.connect(services.book.changed)
        self.analysis.games_kept.connect(services.facts.changed)

    def _connect(self) -> None:
        """Connect the requests of each page with the page that fulfills them."""
        askers = (self.test, self.review, self.mistakes, self.puzzles, self.routes, self.situations)
        for asker in askers:
            asker.practice_requested.connect(partial(self.open_position, asker.title))
        self.tables.practice_requested.connect(self.open_in_practice)
        self.practice.test_requested.connect(self.open_in_test)
        self.practice.back_requested.connect(self._window.show_page_named)
        for source in (self.game, self.practice, self.review, self.mistakes, self.analysis):
            source.situation_requested.connect(self.play_situation)
        senders = (*(self.game, self.practice, self.test, self.mistakes), self.analysis)
        for sender in (*senders, self.routes, self.situations):
            sender.review_requested.connect(self.review_game)
        self.game.analysis_requested.connect(self.analyze_game)
        for source in (self.practice, self.review, self.mistakes, self.analysis):
            source.compare_requested.connect(self.comparison.compare)
        self.comparison.refused.connect(self._say_no_comparison)
        self.profile.training_requested.connect(self.train)
        self.review.training_requested.connect(self.train_game)
        self.mistakes.puzzles_requested.connect(self._go_on_with_puzzles)
        self.training.ready.connect(self._start_training)
        self.training.failed.connect(self._say_no_training)
        self._lead(self.profile.test_requested, self.test)
        self._lead(self.mistakes.first_test_requested, self.test)
        for page in (self.mistakes, self.puzzles):
            self._lead(page.profile_requested, self.profile)
        for wish in (
            self.settings.tables_requested,
            self.practice.tables_requested,
            self.test.tables_requested,
            self.review.tables_requested,
            self.mistakes.tables_requested,
            self.puzzles.tables_requested,
            self.analysis.tables_requested,
            self.routes.tables_requested,
            self.situations.tables_requested,
        ):
            self._lead(wish, self.tables)
        self.game.builds_requested.connect(self.offer_builds)
        self.settings.page_requested.connect(self._window.show_page_named)
        self.help.back_requested.connect(self._window.show_page_named)
        self._window.status_line.clicked.connect(self._show_work)

    def _lead(self, wish: SignalInstance, page: QWidget) -> None:
        wish.connect(lambda: self._window.show_page(page))

    def set_sheet(self, sheet: str) -> None:
        """Apply a style sheet outside the window, which handles its own pages."""
        self.comparison.setStyleSheet(sheet)

    def show_tables(self) -> None:
        """Tell all pages which tables there are."""
        coach = (self.practice, self.test, self.review, self.mistakes, self.puzzles, self.analysis)
        for page in (self.game, *coach, self.routes, self.situations):
            page.set_tables(self._services.library.tables)

    def live_game(self) -> LastGame | None:
        """Return the game open on the Game page."""
        session = self.game.session
        return LastGame.of(session.game) if session else None

    def open_in_practice(self, table: Path) -> None:
        """Open a table in Practice."""
        self._services.settings.state.set("practice.last_table", str(table))
        self.tables.forget_news(table)
        self._window.show_page(self.practice)
        self.practice.open_table(table)

    def open_position(self, asker: str, table: Path, board: str) -> None:
        """Show a position in Practice, with a way back to the page titled `asker`."""
        self.practice.show_position(table, board, asker)
        self._window.show_page(self.practice)

    def open_in_test(self, table: Path) -> None:
        """Begin a test on the table in a folder, unless one is already in play on it."""
        self.test.begin_on(table)
        self._window.show_page(self.test)

    def show_history(self) -> None:
        """Show the tests that have been taken."""
        self._window.show_page(self.test)
        self.test.show_history(True)

    def review_game(self, what: "Recording | Path", position: int | None = None) -> None:
        """Show a recorded game in Review, at a position if one is named."""
        self.review.review(what, position)
        self._window.show_page(self.review)

    def analyze_game(self, path: Path) -> None:
        """Analyze a game and show how that goes on."""
        self._window.show_page(self.analysis)
        self.analysis.analyze([path])

    def show_analysis(self, number: int) -> None:
        """Show a stored analysis."""
        self._window.show_page(self.analysis)
        self.analysis.choose(number)

    def play_situation(self, position: tuple[int, ...], table: Path | None) -> None:
        """Make a position a situation, on a table if given."""
        self._window.show_page(self.situations)
        self.situations.ask(position, table)

    def drill_due(self, test: str) -> None:
        """Begin the drill of today; `test` is what comes after it."""
        self._window.show_page(self.mistakes)
        self.mistakes.drill_due(test)

    def play_daily(self) -> None:
        """Open the minigame of today."""
        self._window.show_page(self.minigames)
        self.minigames.open_daily()

    def solve_daily(self) -> None:
        """Show the puzzle of today."""
        self._window.show_page(self.puzzles)
        self.puzzles.show_daily()

    def play_route(self) -> None:
        """Begin the route of today."""
        self._window.show_page(self.routes)
        self.routes.play_today()

    def offer_builds(self, wanted: "Sequence[tuple[str, int]]") -> None:
        """Show the form of each of some tables to build, one after the other."""
        self._window.show_page(self.tables)
        self.tables.offer_builds(wanted)

    def open_recording(self) -> None:
        """Choose a recording to open in Review."""
        self._window.show_page(self.review)
        self.review.choose_file()

    def back_up(self) -> None:
        """Choose where to back up the user's data, where this can be followed."""
        self._window.show_page(self.settings)
        self.settings.show_section("data")
        self.data.backup_button.click()

    def show_help(self, page: str) -> None:
        """Show the help on the page of that title in English, with a way back to it."""
        self.help.show_topic(page)
        self._window.show_page(self.help)

    def train(self, advice: "Advice | None" = None) -> None:
        """Train for ten minutes: this, or what costs most."""
        self.training.begin(advice)

    def train_game(self, recording: "Recording", spawn4: float) -> None:
        """Train the mistakes of a game for ten minutes."""
        path = recording.path
        is_test = path is not None and path.parent == self._services.data_dir / "tests"
        self.training.begin_with(recording, spawn4, is_test or recording.is_filed)

    def _start_training(self, session: "Session") -> None:
        self._puzzles_to_come = session.puzzles
        if not session.n:
            self._window.show_page(self.profile)
            self.profile.say_nothing_to_train()
        elif session.mistakes:
            self._window.show_page(self.mistakes)
            self.mistakes.train(session)
        else:
            self._go_on_with_puzzles()

    def _go_on_with_puzzles(self, right: int = 0, n: int = 0) -> None:
        self._window.show_page(self.puzzles)
        self.puzzles.train(self._puzzles_to_come, right, n)

    def _say_no_comparison(self, text: str) -> None:
        front = self._window.page
        banners = {
            self.practice: self.practice.banners,
            self.review: self.review.frame.banners,
            self.mistakes: self.mistakes.banners,
            self.analysis: self.analysis.banners,
        }
        if front in banners:
            banners[front].show_message("info", text, key="comparison")

    def _say_no_training(self, error: BaseException) -> None:
        self._window.show_page(self.profile)
        self.profile.say_failure(error)

    def _show_work(self, work: str) -> None:
        shown_on = {ANALYSIS: self.analysis, RATING: self.review}
        self._window.show_page(shown_on.get(work, self.tables))

    def save(self) -> None:
        """Write pending changes and continue."""
        do_all(self.minigames.save, self.routes.save, self.situations.save)

    def close(self) -> None:
        """Stop the pages' work, and write pending changes."""
        do_all(
            self.game.close_game,
            self.minigames.close_page,
            self.test.close_page,
            self.routes.close_page,
            self.situations.close_page,
            self.puzzles.search.cancel,
            self.review.work.cancel,
        )

    def retire(self) -> "Callable[[Pages], None]":
        """Close, and return a function that moves the new pages to the same place.

        A drawing or palette that is not saved stays open there, and deletions can be undone.
        """
        practice, review = self.practice.handed_over(), self.review.handed_over()
        drawing, palette = self.tables.handed_over(), self.settings.handed_over()
        imported, going = self.data.told, self.data.going
        mistakes = self.mistakes.deletion.handed_over()
        puzzles = self.puzzles.deletion.handed_over()
        routes = self.routes.deletion.handed_over()
        situations = self.situations.deletion.handed_over()
        deleted_tables = self.tables.deletions.handed_over()
        tests = self.test.archive.deletion.handed_over()
        analyses = self.analysis.handed_over()
        self.close()
        do_all(self.practice.close_page, self.puzzles.close_page)
        self.comparison.close()
        self.comparison.setParent(self.help)  # and goes with the pages

        def lead(pages: Pages) -> None:
            pages.practice.take_over(practice)
            pages.review.take_over(review)
            pages.tables.take_over(drawing)
            pages.settings.take_over(palette)
            pages.mistakes.deletion.take_over(mistakes)
            pages.puzzles.deletion.take_over(puzzles)
            pages.routes.deletion.take_over(routes)
            pages.situations.deletion.take_over(situations)
            pages.tables.deletions.take_over(deleted_tables)
            pages.test.archive.deletion.take_over(tests)
            pages.analysis.take_over(analyses)
            pages.data.tell_again(imported)
            pages.data.take_over(going)

        return lead


def _make_search() -> "EstimateChances":
    """Return the search for estimates; its module is imported on first use."""
    from ai.chances.chance_search import ChanceSearch

    return ChanceSearch().look
