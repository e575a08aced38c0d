"""Rerating the game on the page: by tables, or with other moves counted."""

from pathlib import Path

from coach.recordings.recording import Recording
from engine.platform.language import tr, trn
from gui.review.game import ALL_TABLES, WHOLE_GAME
from gui.review.recording_page import RecordingPage
from gui.review.work import RatedGame
from gui.text.messages import sentence
from gui.text.numbers import format_percent
from gui.text.reviews import describe_comparison, describe_no_cover
from gui.widgets.banner import Remedy
from gui.widgets.notice import Message


class GameRater:
    """Requests rates and scores, and shows them if the game is still on the page."""

    def __init__(self, page: RecordingPage) -> None:
        self._page, self._game, self._panel = page, page.game, page.panel
        self._rated: tuple[Recording, Recording] | None = None  # a game, and how it is shown
        page.work.roughly_rated.connect(self._show_rough)

    def rate(self, table: str) -> None:
        recording = self._game.recording
        if recording is None or not table:
            return
        self._rated = recording, recording
        self.show_progress(0.0)

        def done(result: RatedGame | None) -> None:
            if not self._is_shown(recording):
                return
            if result is None:
                page.view.show_position()
                return
            self._report(recording, result)
            self._show_instead(recording, result.recording)

        def failed(error: BaseException) -> None:
            if self._is_shown(recording):
                page.view.show_position()
                page.show_failure(error)

        page = self._page
        if table == WHOLE_GAME:
            page.work.rate_whole(recording, page.game_tables.of_game, done, failed)
        elif table == ALL_TABLES:
            page.work.rate_by_all(recording, page.game_tables.of_game, done, failed)
        else:
            page.work.rate(recording, Path(table), done, failed)

    def _show_rough(self, recording: Recording, roughly: Recording) -> None:
        if self._is_shown(recording):
            self._show_instead(recording, roughly)

    def _show_instead(self, recording: Recording, rated: Recording) -> None:
        left_out = self._is_forced_out()
        self._rated = recording, rated
        self._game.open(rated, self._game.position)
        self._page.show_all()
        self._page.actions_by_name["forced"].setChecked(left_out)
        self.leave_out_forced(left_out)

    def _is_forced_out(self) -> bool:
        return self._page.actions_by_name["forced"].isChecked()

    def _is_shown(self, recording: Recording) -> bool:
        """Return whether a game is on the page: unchanged, roughly rated or rescored."""
        if self._rated is None:
            return False
        requested, shown = self._rated
        return requested is recording and shown is self._game.recording

    def show_progress(self, share: float) -> None:
        if self._panel.stack.currentWidget() is self._panel.notice:
            text = tr(
                "{share} done. You can look at the game meanwhile.",
                share=format_percent(min(share, 0.99)),
            )
            self._panel.show_notice(
                Message(tr("Analyzing the game"), text, {"cancel": tr("Cancel")})
            )

    def _report(self, old: Recording, result: RatedGame) -> None:
        rated, comparison, banners = result.recording, result.comparison, self._page.banners
        banners.remove("check")
        banners.remove("unread")
        if result.problems:
            text = trn(
                "One table was left out. {problem}",
                "{n} tables were left out. {problem}",
                len(result.problems),
                problem=sentence(result.problems[0]),
            )
            banners.show_message("warning", text, key="unread")
        if not rated.n_judged:
            remedies: list[Remedy] = [(tr("Show tables"), self._page.tables_requested.emit)]
            if not rated.has_raters:
                remedies.insert(0, (tr("Analyze with all tables"), lambda: self.rate(ALL_TABLES)))
            text = describe_no_cover(rated.source)
            banners.show_message("warning", text, remedies, key="check")
        elif comparison.different or (old.source and not rated.has_raters):
            text = describe_comparison(comparison, rated.source)
            banners.show_message("info", text, key="check")

    def leave_out_forced(self, left_out: bool) -> None:
        recording = self._game.recording
        if recording is None or recording.leaves_out_forced is left_out:
            return

        def done(scored: Recording) -> None:
            if self._game.recording is recording and self._is_forced_out() is left_out:
                if self._rated and self._rated[1] is recording:
                    self._rated = self._rated[0], scored  # its rates may still come
                self._game.open(scored, self._game.position)
                self._page.show_all()

        self._page.work.score_again(recording, left_out, done)
