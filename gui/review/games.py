"""Games: those that were played, whole games judged by all tables, and earlier analyses."""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QStandardPaths, Qt, QUrl, Signal
from PySide6.QtGui import QAction, QDesktopServices
from PySide6.QtWidgets import QFileDialog

from coach.analysis.analyses import StoredAnalysis, StoredSegment
from coach.analysis.course import CoursePhase
from coach.analysis.files import MAX_BYTES, facts_in_file
from coach.exam.history import FOLDER
from coach.grading.grade import GRADES
from coach.profile.played_games import played_games
from coach.record.database import DamagedDatabaseError
from coach.recordings.game_files import SUFFIXES, find_games
from coach.recordings.heading import Heading
from coach.recordings.recording import open_recording
from engine.platform.files.input_file import read_text
from engine.platform.language import mark, tr
from gui.comparison.request import ComparisonRequest
from gui.keys.key_bindings import add_key_tip
from gui.pages.page import Answers, ScrolledPage
from gui.review.analyze_options import AnalyzeOptions
from gui.review.game_curve import GameCurve
from gui.review.games_tree import AnalysisTree
from gui.review.remembered import RememberedReview
from gui.settings_model.settings import Settings
from gui.style.layout import STRETCH, laid_out, placed, row
from gui.text.reviews import describe_filed
from gui.widgets.banner import Banner
from gui.widgets.buttons import attach_menu, button, more_button
from gui.widgets.empty_state import EmptyState
from gui.widgets.file_dialogs import FileDrop
from gui.widgets.grade_bar import GradeBar
from gui.widgets.sharing import SharedGame, Sharing
from gui.widgets.status_line import Background
from gui.work.analysis_runs import AnalysisRequest, AnalysisRuns
from gui.work.analysis_store import AnalysisStore
from gui.work.tasks import TaskRunner
from tablebase.formation.formation import Formation

if TYPE_CHECKING:
    from coach.analysis.events import StoredGame
    from tablebase.library.table_info import TableInfo


_FILTER = mark("Recorded games ({suffixes});;All files (*)")
_SUFFIXES = " ".join(f"*{suffix}" for suffix in (*SUFFIXES, ".json"))


class AnalysisPage(ScrolledPage):
    """The list of played and analyzed games, and games to analyze.

    `table_folders` are besides the data folder; `open_url` opens a report or a folder.
    """

    title = mark("Games")
    icon = "analysis"
    review_requested = Signal(
        object, object
    )  # a file, of a game or a part of one; a position or None
    compare_requested = Signal(object)  # a ComparisonRequest
    situation_requested = Signal(object, object)  # 16 exponents, None
    games_filed = Signal()  # the databases of mistakes and of the profile have new entries
    tables_requested = Signal()

    def __init__(
        self,
        store: AnalysisStore,
        runs: AnalysisRuns,
        tasks: TaskRunner,
        settings: Settings,
        table_folders: Callable[[], Sequence[Path]] = tuple,
        clock: Callable[[], datetime] = datetime.now,
        open_url: Callable[[QUrl], object] = QDesktopServices.openUrl,
        formations: Callable[[], Mapping[str, Formation]] = dict,
    ) -> None:
        super().__init__()
        self._store, self.runs, self._tasks, self._settings = store, runs, tasks, settings
        self._table_folders, self._clock, self._open_url = table_folders, clock, open_url
        self._is_read, self._formations = False, formations
        self._remembered = RememberedReview(settings)
        self._tables: dict[str, Path] = {}
        self._to_select = 0  # the analysis to select once they are read
        self._removed: dict[str, tuple[StoredAnalysis, int]] = {}  # what messages offer to restore
        self._make_actions()
        self.tree, self.curve, self.grades = AnalysisTree(clock), GameCurve(tasks), GradeBar()
        switches = (self.whole_action, self.file_action)
        self.options = AnalyzeOptions(settings, switches, self.folder_of_games_action)
        self.empty = EmptyState(
            tr("No games yet"),
            tr(
                "Your tests and routes are listed here. Or analyze recorded games: every move is "
                "graded, and luck is separated from skill. You can also drop them here."
            ),
            tr("Analyze games\u2026"),
        )
        self._drop = FileDrop(self, tr("Drop games or folders to analyze them"))
        self.sharing = Sharing(self, self.banners, tasks, settings, self._shared)
        for name, action in self.sharing.actions.items():
            self.add_action(action, name)
        self._lay_out()
        self._connect()
        self.tree.add_waiting(runs.under_way)  # of a page that this one replaces
        self._show_state()

    def answers(self) -> Answers:
        return {
            "analysis_requested": self.in_front(self.choose),
            "game_analysis_requested": self.in_front(lambda path: self.analyze([path])),
        }

    def state(self) -> Mapping[str, tuple[StoredAnalysis, int]]:
        return self._removed

    def restore(self, state: Mapping[str, tuple[StoredAnalysis, int]]) -> None:
        for analysis, at in list(state.values()):
            self._offer_undo(analysis, at)

    def page_shown(self) -> None:
        if not self._is_read:
            self._is_read = True
            self._read()
        self._read_played()
        self.setFocus()

    def background(self) -> Background | None:
        done, total = self.runs.done_and_all
        if not self.runs.is_running or not total:
            return None
        fraction = (done + self.runs.fraction) / total
        name = self.runs.current.name if self.runs.current else ""
        text = tr("Analyzing {name}", name=name) if name else tr("Opening the tables")
        if total > 1:
            number = min(done + 1, total)
            text = tr("{text} ({number} of {total})", text=text, number=number, total=total)
        if self.runs.is_cancelling:
            return Background(tr("Stopping"), fraction, page=self.title)
        return Background(text, fraction, self.runs.cancel, self.title)

    def choose(self, number: int) -> None:
        self._to_select = number
        for item in self.tree.games:
            if item.analysis and item.analysis.id == number:
                self._to_select = 0
                self.tree.setCurrentItem(item)
                item.setExpanded(True)

    def set_tables(self, tables: "Sequence[TableInfo]") -> None:
        self.options.set_tables(tables)
        ready = [info for info in tables if info.state in ("complete", "away")]
        self._tables = {info.name: Path(info.path) for info in ready}
        self._show_state()

    def analyze(self, paths: Sequence[Path]) -> None:
        self._tasks.run(lambda: find_games(paths), self._start, self._show_failure)

    def _start(self, games: tuple[list[Path], list[tuple[Path, str]]]) -> None:
        files, problems = games
        for path, problem in problems:
            self.banners.show_message("warning", f"{path.name or path}: {problem}")
        files = [path.absolute() for path in files]
        fresh = [path for path in files if self.tree.under_way(path) is None]
        if not fresh:
            return
        ms = self._settings.get("whole_game.ms") if self.whole_action.isChecked() else None
        if ms is None and not self.options.has_tables:
            self.banners.show_message(
                "warning",
                tr("You need a finished table to analyze games."),
                [(tr("Build a table"), self.tables_requested.emit)],
                key="tables",
            )
            return
        self.tree.add_waiting(fresh)
        out = self._store.folder / f"{self._clock():%Y%m%d-%H%M%S-%f}"
        tables = self.options.chosen
        folders = tuple(self._table_folders())
        below = self._settings.get("mistakes.threshold") if self.file_action.isChecked() else None
        self.runs.add(AnalysisRequest(tuple(fresh), tables, folders, out, ms, below))
        self._show_state()

    def _on_progress(self, path: Path, fraction: float) -> None:
        if item := self.tree.under_way(path):
            item.show_progress(fraction)
        self.background_changed.emit()

    def _on_stored(self, path: Path, analysis: StoredAnalysis) -> None:
        item = self.tree.under_way(path)
        if item is None:
            return
        item.show_analysis(analysis, self._clock())
        if self.tree.currentItem() is None:
            self.tree.setCurrentItem(item)
        item.setExpanded(bool(analysis.segments or analysis.game) and len(self.runs.waiting) == 0)
        self._show_state()

    def _on_not_stored(self, path: Path, error: BaseException) -> None:
        self._on_failed(path, str(error))
        self._show_failure(error)

    def _on_filed(self, event: "StoredGame") -> None:
        if event.message:
            self.banners.show_message("bad", event.message, key="failure")
            return
        self.games_filed.emit()
        text = describe_filed(event.file.name, event.mistakes or 0, event.moves or 0)
        self.banners.show_message("info", text, key="filed")

    def _follow_setting(self, name: str, value: object) -> None:
        if name == "analysis.files_mistakes":
            self.file_action.setChecked(bool(value))
        elif name == "analysis.whole_games":
            self.whole_action.setChecked(bool(value))

    def _on_failed(self, path: Path, problem: str) -> None:
        if item := self.tree.under_way(path):
            item.show_problem(problem)
        self._show_state()

    def _on_end(self, problem: str) -> None:
        if problem:
            self.banners.show_message("bad", tr("The analysis stopped: {problem}", problem=problem))
        # Answers about analyzed games are still pending: those keep their items.
        self._tasks.run(lambda: None, lambda _: self._drop_unanswered())

    def _drop_unanswered(self) -> None:
        if not self.runs.is_running:
            for item in self.tree.games:
                if item.analysis is None and not item.problem and not item.heading:
                    self.tree.drop(item)
        self._show_state()

    def _show_stored(self, analyses: list[StoredAnalysis]) -> None:
        shown = {item.analysis.id for item in self.tree.games if item.analysis}
        self.tree.show_stored([analysis for analysis in analyses if analysis.id not in shown])
        if self._to_select:
            self.choose(self._to_select)
        self._show_state()

    def _show_state(self) -> None:
        has_games, had_focus = self.tree.topLevelItemCount() > 0, self.empty.button.hasFocus()
        if has_games and self.tree.currentItem() is None:
            self.tree.setCurrentItem(self.tree.games[0])
        self.empty.setVisible(not has_games)
        self.setFocusProxy(self.tree if has_games else self.empty.button)
        for widget in (self.tree, self.buttons, self.choose_button):
            widget.setVisible(has_games)
        if had_focus and has_games:
            self.tree.setFocus()
        self.background_changed.emit()
        game, part = self.tree.chosen_game, self.tree.chosen_part
        analysis = game.analysis if game else None
        self.curve.show_analysis(analysis)
        self.review_action.setEnabled(bool(part or analysis or (game and game.heading)))
        self.compare_action.setEnabled(bool(part and part.rpl and part.table in self._tables))
        self.sharing.enable(self._shared() is not None)
        self.situation_action.setEnabled(bool(part or self.tree.chosen_phase))
        self.report_action.setEnabled(bool(analysis and analysis.reports.get("html")))
        self.folder_action.setEnabled(bool(analysis and analysis.files))
        self.remove_action.setEnabled(bool(game and (analysis or game.problem)))
        self.cancel_action.setEnabled(self.runs.is_running)
        whole = analysis.game if analysis else None
        chosen = [part] if part else [whole] if whole else analysis.segments if analysis else ()
        self.grades.setVisible(bool(chosen))
        self.review_button.setEnabled(self.review_action.isEnabled())
        self.grades.show_counts(
            [sum(item.grades.get(grade.value, 0) for item in chosen) for grade in GRADES]
        )

    def _review_at(self, index: int) -> None:
        """Show a move of the chosen game: in the part around it, if there is one."""
        game = self.tree.chosen_game
        if game is None or game.analysis is None:
            return
        for part in game.analysis.segments:
            if part.rpl and part.first_move <= index + 1 <= part.last_move:
                self.review_requested.emit(part.rpl, index + 1 - part.first_move)
                return
        self.review_requested.emit(game.path, index)

    def _review(self, chosen: StoredSegment | CoursePhase | None = None) -> None:
        """Show a part, or the game itself if none is selected or the part has no recording.

        A phase of a whole game is a place in the game.
        """
        chosen = chosen or self.tree.chosen_part or self.tree.chosen_phase
        part = chosen if isinstance(chosen, StoredSegment) else None
        phase = chosen if isinstance(chosen, CoursePhase) else None
        game = self.tree.chosen_game
        if part and part.rpl:
            self.review_requested.emit(part.rpl, None)
        elif game and (game.analysis or game.heading):
            first = part.first_move if part else phase.first if phase else None
            self.review_requested.emit(game.path, first - 1 if first else None)

    def _compare(self) -> None:
        part = self.tree.chosen_part
        if part is None or part.rpl is None or part.table not in self._tables:
            return
        recording, table = part.rpl, self._tables[part.table]

        def work() -> ComparisonRequest | None:
            game = open_recording(recording)
            worst = next(iter(game.worst(1)), None)
            if worst is None:
                return None
            move = game.replay.moves[worst].direction
            return ComparisonRequest(game.positions[worst], move, table, follows=True)

        def done(request: ComparisonRequest | None) -> None:
            if request:
                self.compare_requested.emit(request)
            else:
                text = tr("Every move of this part was perfect.")
                self.banners.show_message("good", text, key="perfect")

        self._tasks.run(work, done, self._show_failure)

    def _play_situation(self) -> None:
        part, phase = self.tree.chosen_part, self.tree.chosen_phase
        first = part.first_move if part else phase.first if phase else None
        game = self.tree.chosen_game
        if first is None or game is None:
            return
        path, at = game.path, first - 1
        self._tasks.run(
            lambda: open_recording(path).positions[at],
            lambda cells: self.situation_requested.emit(cells, None),
            self._show_failure,
        )

    def _open_report(self) -> None:
        if (game := self.tree.chosen_game) and game.analysis:
            self._open_url(QUrl.fromLocalFile(str(game.analysis.reports["html"])))

    def _shared(self) -> SharedGame | None:
        game = self.tree.chosen_game
        reports = game.analysis.reports if game and game.analysis else {}
        if game is None or not {"json", "html"} <= set(reports):
            return None
        return SharedGame(
            game.path.name,
            lambda: facts_in_file(reports["json"]),
            lambda: read_text(reports["html"], tr("the report of an analysis"), MAX_BYTES),
        )

    def _open_folder(self) -> None:
        if (game := self.tree.chosen_game) and game.analysis:
            self._open_url(QUrl.fromLocalFile(str(game.analysis.files[0].parent)))

    def _remove(self) -> None:
        game = self.tree.chosen_game
        if game is None:
            return
        if game.analysis is None:
            if game.problem:
                self.tree.drop(game)
                self._show_state()
            return
        analysis, at = game.analysis, self.tree.indexOfTopLevelItem(game)
        self.tree.drop(game)
        self._show_state()
        self._store.remove(analysis, lambda _: self._offer_undo(analysis, at), self._show_failure)

    def _offer_undo(self, analysis: StoredAnalysis, at: int) -> None:
        key = f"removed {analysis.id} {analysis.at.isoformat()}"  # ids are reused

        def put(restored: StoredAnalysis) -> None:
            self.tree.put_back(restored, at)
            self._show_state()

        def put_back() -> None:
            self._store.put_back(analysis, put, failed)

        def failed(error: BaseException) -> None:
            self._offer_undo(analysis, at)
            self._show_failure(error)

        def closed(banner: Banner) -> None:
            del self._removed[key]
            if not banner.was_remedied:
                self._store.discard(analysis)

        self.banners.show_message(
            "info",
            tr("Removed the analysis of {name}.", name=analysis.path.name),
            [(tr("Undo"), put_back)],
            key=key,
            on_close=closed,
        )
        self._removed[key] = analysis, at

    def _show_failure(self, error: BaseException) -> None:
        remedies = []
        if isinstance(error, DamagedDatabaseError):

            def set_aside() -> None:
                self._store.start_over(self._clock(), lambda _: self._read(), self._show_failure)

            remedies.append((tr("Set aside and start over"), set_aside))
        self.banners.show_message("bad", str(error), remedies, key="failure")

    def _read_played(self) -> None:
        database = self._store.database

        def work() -> list[tuple[Path, Heading]]:
            found = played_games(database, self._formations())
            known = {path for path, _ in found}
            recent = [path for path in self._remembered.recent if path not in known]
            ours = self._store.folder, database.folder / FOLDER
            return found + [
                (path, self._remembered.heading(path))
                for path in recent
                if not any(path.is_relative_to(folder) for folder in ours) and path.is_file()
            ]

        def show(games: list[tuple[Path, Heading]]) -> None:
            self.tree.show_played(games)
            self._show_state()

        self._tasks.run(work, show, self._show_failure)

    def _read(self) -> None:
        self._store.read(self._show_stored, self._show_failure)

    @property
    def _folder(self) -> str:
        documents = QStandardPaths.StandardLocation.DocumentsLocation
        last = self._settings.state.get("analysis.folder")
        folders = (last, QStandardPaths.writableLocation(documents))
        return next((one for one in folders if one and Path(one).is_dir()), str(Path.home()))

    def _choose_files(self) -> None:
        names, _ = QFileDialog.getOpenFileNames(
            self, tr("Choose games to analyze"), self._folder, tr(_FILTER, suffixes=_SUFFIXES)
        )
        if names:
            self._settings.state.set("analysis.folder", str(Path(names[0]).parent))
            self.analyze([Path(name) for name in names])

    def _choose_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(
            self, tr("Choose a folder of games to analyze"), self._folder
        )
        if name:
            self._settings.state.set("analysis.folder", name)
            self.analyze([Path(name)])

    def _make_actions(self) -> None:
        new = self.new_action
        choose, folder = tr("Analyze games\u2026"), tr("Analyze a folder\u2026")
        self.choose_action = new("choose", choose, self._choose_files, "add", "open")
        self.folder_of_games_action = new(
            "choose_folder", folder, self._choose_folder, "folder", "open_folder"
        )
        self.review_action = new("review", tr("Review game"), self._review, "review", "review")
        compare, situation = (
            tr("Compare the costliest move"),
            tr("Play its first position ten times"),
        )
        self.compare_action = new("compare", compare, self._compare, "compare", "compare")
        self.situation_action = new(
            "situation", situation, self._play_situation, "situations", "situation"
        )
        self.report_action = new("report", tr("Open report"), self._open_report, "report", "report")
        self.folder_action = new("show_files", tr("Show files"), self._open_folder, "folder")
        self.remove_action = new("remove", tr("Remove game"), self._remove, "delete", "delete")
        self.cancel_action = new(
            "cancel", tr("Cancel analysis"), self.runs.cancel, "close", "cancel"
        )
        self.file_action = self._new_switch(
            "file_mistakes",
            tr("Count as mine"),
            "mistakes",
            "analysis.files_mistakes",
            tr(
                "Mistakes in the games you analyze become drills, and games that are analyzed as a "
                "whole count in your progress. Leave it off for games of the AI or of others"
            ),
        )
        self.whole_action = self._new_switch(
            "whole_games",
            tr("Analyze whole games"),
            "search",
            "analysis.whole_games",
            tr("Search analyzes the moves that no table covers; it takes minutes a game"),
        )
        self._settings.changed.connect(self._follow_setting)

    def _new_switch(self, name: str, text: str, picture: str, setting: str, tip: str) -> QAction:
        action = self.new_action(name, text, lambda: None, picture)
        action.setCheckable(True)
        action.setChecked(self._settings.get(setting))
        action.setToolTip(tip)
        action.toggled.connect(partial(self._settings.set, setting))
        return action

    def _lay_out(self) -> None:
        self.options_button = button(tr("Options"), by_tab=True)
        attach_menu(self.options_button, self.options)
        self.choose_button = button(
            tr("Analyze games\u2026"),
            "primary",
            tip=tr("Choose recorded games, or drop them on this page"),
            by_tab=True,  # a click leaves the arrows to the list
            work=self._choose_files,
        )
        add_key_tip(self.choose_button, self.choose_action)
        self.header.addWidget(self.options_button)
        self.header.addWidget(self.choose_button)
        of_game = [
            self.review_action,
            self.compare_action,
            self.situation_action,
            *self.sharing.actions.values(),
            self.report_action,
            self.folder_action,
            self.remove_action,
        ]
        self.tree.setContextMenuPolicy(Qt.ContextMenuPolicy.ActionsContextMenu)
        self.tree.addActions(of_game)
        self.review_button = button(tr("Review"), by_tab=True, work=self.review_action.trigger)
        add_key_tip(self.review_button, self.review_action)
        self.more_button = more_button(tr("More"), of_game)
        self.more_button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.buttons = laid_out(
            row(
                placed(self.grades, stretch=100, align=Qt.AlignmentFlag.AlignTop),
                STRETCH,  # where there are no grades
                self.review_button,
                self.sharing.button,
                self.more_button,
            )
        )
        self.body.addWidget(self.empty, 1)
        self.body.addWidget(self.tree, 1)
        self.body.addWidget(self.curve)
        self.body.addWidget(self.buttons)
        self.body.addStretch()

    def _connect(self) -> None:
        runs = self.runs
        runs.progressed.connect(self._on_progress)
        self._store.stored.connect(self._on_stored)
        self._store.not_stored.connect(self._on_not_stored)
        runs.kept.connect(self._on_filed)
        runs.failed.connect(self._on_failed)
        runs.changed.connect(self._show_state)
        runs.ended.connect(self._on_end)
        self.empty.clicked.connect(self._choose_files)
        self._drop.dropped.connect(self.analyze)
        self.curve.picked.connect(self._review_at)
        self.tree.part_opened.connect(self._review)
        self.tree.currentItemChanged.connect(lambda *_: self._show_state())
