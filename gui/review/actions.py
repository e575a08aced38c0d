"""The actions of the Review page: what they do, and when they apply."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu

from coach.recordings.recording import SEARCH, Recording
from coach.whole_game.analysis import is_whole
from engine.bitboard import format_board
from engine.platform.language import tr, trc
from gui.comparison.request import ComparisonRequest
from gui.play.page_actions import PageAction, situation_action, walk_actions
from gui.review.files import ReviewFiles
from gui.review.game import ALL_TABLES, PAGE, WHOLE_GAME
from gui.review.rating import GameRater
from gui.review.recording_page import RecordingPage
from gui.text.numbers import table_title


class ReviewActions:
    """What one can do on the page."""

    def __init__(self, page: RecordingPage, files: ReviewFiles, rater: GameRater) -> None:
        self._page, self._files, self._rater, self._game = page, files, rater, page.game

    def _has_game(self) -> bool:
        return self._game.recording is not None

    def _place(self) -> tuple[int, int]:
        return self._game.position, self._game.n_moves

    def _can_step_forward(self) -> bool:
        return self._has_game() and not self._game.is_at_end

    def _can_train(self) -> bool:
        recording = self._game.recording
        return recording is not None and recording.n_judged > 0

    def _can_judge(self) -> bool:
        page = self._page
        return self._has_game() and page.has_search and not page.view.refusal

    def _can_rate(self) -> bool:
        return self._has_game() and bool(self._page.game_tables.paths)

    def declared(self) -> list[PageAction]:
        files, has_game = self._files, self._has_game
        back = (tr("Previous move"), "left", tr("Prev."))
        forward = (tr("Next move"), "right", trc("move", "Next"))
        first, back_one, forward_one, last = walk_actions(
            self._page.walk, self._place, back, forward
        )
        return [
            back_one,
            forward_one,
            self._to_mark("previous_mark", tr("Previous mistake"), self._game.previous_mark, "up"),
            self._to_mark("next_mark", tr("Next mistake"), self._game.next_mark, "down"),
            *self._explaining(),
            replace(first, tool=None),
            replace(last, tool=None),
            self._step("back_ten", tr("Back 10 moves"), -PAGE),
            self._step("forward_ten", tr("Forward 10 moves"), PAGE),
            *self._playing_on(),
            *self._rating(),
            PageAction("open", tr("Open a recording"), files.choose, icon_name="folder"),
            PageAction("latest", tr("Open the latest test"), files.open_latest),
            PageAction("paste", tr("Paste a recording"), files.paste, icon_name="paste"),
            PageAction("copy", tr("Copy position"), self._copy, has_game, "copy"),
        ]

    def _step(self, name: str, text: str, by: int) -> PageAction:
        def do() -> None:
            self._page.walk(self._game.position + by)

        def when() -> bool:
            at, end = self._place()
            return at > 0 if by < 0 else at < end

        return PageAction(name, text, do, when, repeats=True)

    def _to_mark(
        self, name: str, text: str, find: Callable[[], int | None], key: str
    ) -> PageAction:
        def do() -> None:
            self._page.walk(find())

        def when() -> bool:
            return find() is not None

        return PageAction(name, text, do, when, name, 1, f"{name} {key}", repeats=True)  # no text

    def _explaining(self) -> list[PageAction]:
        page, has_game, stop = self._page, self._has_game, tr("Stop")
        return [
            PageAction(
                "auto",
                tr("Play the game"),
                page.auto_player.toggle,
                has_game,
                "play",
                2,
                "run",
                stop_text=stop,
            ),
            PageAction(
                "hint", tr("Show best move"), page.show_best, has_game, "hint", 2, is_checkable=True
            ),
            PageAction(
                "compare",
                tr("Compare with the best move"),
                self._compare,
                self._can_step_forward,
                "compare",
                2,
            ),
        ]

    def _playing_on(self) -> list[PageAction]:
        has_game = self._has_game
        train = tr("Train this game's mistakes (10 min)")
        return [
            PageAction("practice", tr("Practice from here"), self._practice, has_game, "practice"),
            situation_action(self._play_situation, has_game),
            PageAction("train", train, self._train, self._can_train, "repeat"),
        ]

    def _rating(self) -> list[PageAction]:
        rater, forced = self._rater, tr("Don't count forced moves")
        whole, every = tr("Analyze the whole game"), tr("Analyze with all tables")
        action = partial(PageAction, key="", group="Explain")  # no text
        return [
            action("rate_whole", whole, partial(rater.rate, WHOLE_GAME), self._can_judge),
            action("rate_all", every, partial(rater.rate, ALL_TABLES), self._can_rate),
            action("rate_by", tr("Analyze with one table\u2026"), self._rate_by, self._can_rate),
            action("forced", forced, rater.leave_out_forced, self._can_train, is_checkable=True),
        ]

    def rate_menu(self) -> QMenu:
        menu = QMenu(self._page)
        menu.setObjectName("tables")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for folder, title in self._page.game_tables.titles.items():
            menu.addAction(title).triggered.connect(
                lambda _=False, folder=folder: self._rater.rate(folder)
            )
        return menu

    def _rate_by(self) -> None:
        bar = self._page.action_bar
        self.rate_menu().popup(bar.mapToGlobal(bar.rect().center()))

    def _show_remedy(self, text: str, remedy: str, do: Callable[[], None]) -> None:
        self._page.banners.show_message("info", text, [(remedy, do)], key="table")

    def _ask_for_rates(self, text: str) -> None:
        rate_all = self._page.actions_by_name["rate_all"].trigger
        self._show_remedy(text, tr("Analyze with all tables"), rate_all)

    def _practice(self) -> None:
        page, recording = self._page, self._stopped()
        if recording is None:
            return
        name, table = recording.table_at(self._game.position), page.game_tables.here
        if table:
            board = format_board(recording.boards[self._game.position])
            page.practice_requested.emit(table, board)
        elif name:
            text = tr(
                "Practice needs the {table} table, which isn't here.", table=table_title(name)
            )
            self._show_remedy(text, tr("Show tables"), page.tables_requested.emit)
        elif recording.has_raters or not self._can_rate():
            text = tr("No table covers this position. Search can analyze your moves instead.")
            self._show_remedy(text, tr("Play it ten times"), self._play_situation)
        else:
            self._ask_for_rates(tr("Analyze the game first, to find the table for this position."))

    def _train(self) -> None:
        if recording := self._stopped():
            self._page.game_training_requested.emit(recording, self._page.game_tables.spawn4)

    def _compare(self) -> None:
        """Compare the move with the best one, by the table that rates it or else by search."""
        page, recording, i = self._page, self._stopped(), self._game.position
        if recording is None or self._game.is_at_end:
            return
        is_searched = recording.rater_at(i) == SEARCH
        table = None if is_searched else page.game_tables.here
        if table is None and not (page.has_search and is_whole(recording)):
            if name := recording.table_at(i):
                text = tr(
                    "Comparing needs the {table} table, which isn't here.", table=table_title(name)
                )
                self._show_remedy(text, tr("Show tables"), page.tables_requested.emit)
            else:
                self._ask_for_rates(
                    tr("Analyze the game first, to find the table for this position.")
                )
            return
        move, rates = recording.direction_at(i), recording.rates[i]
        follows = rates is not None and i not in recording.doubts
        chances = rates if is_searched else None
        position = recording.positions[i]
        page.compare_requested.emit(ComparisonRequest(position, move, table, follows, chances))

    def _play_situation(self) -> None:
        if recording := self._stopped():
            # In a whole game the table must serve the game's goal: all are queried.
            table = None if is_whole(recording) else self._page.game_tables.here
            position = recording.positions[self._game.position]
            self._page.situation_requested.emit(position, table)

    def _copy(self) -> None:
        if recording := self._game.recording:
            board = recording.boards[self._game.position]
            QGuiApplication.clipboard().setText(format_board(board))

    def _stopped(self) -> Recording | None:
        self._page.auto_player.stop()
        return self._game.recording
