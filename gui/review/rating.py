"""Rating the moves of the game on the page anew: by a table, or with other moves counted."""

from collections.abc import Callable
from pathlib import Path

from coach.recordings.recording import Recording
from gui.review.controls import ReviewControls
from gui.review.game import ReviewGame
from gui.review.work import Rated, ReviewWork
from gui.text.reviews import describe_comparison
from gui.widgets.banner import BannerStack


class Rating:
    """Asks for rates and scores, and shows them if the game is still the one on the page.

    Parameters
    ----------
    game : ReviewGame
    work : ReviewWork
    controls : ReviewControls
    banners : BannerStack
        Where it says what came of comparing.
    shown : callable
        Shows all of the game anew.
    failed : callable
        Says why a table cannot be used.
    """

    def __init__(
        self,
        game: ReviewGame,
        work: ReviewWork,
        controls: ReviewControls,
        banners: BannerStack,
        shown: Callable[[], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        self._game, self._work, self._controls = game, work, controls
        self._banners, self._shown, self._failed = banners, shown, failed

    def rate(self, table: str) -> None:
        """Rate the moves by the table in a folder, and compare with the rates there are."""
        recording = self._game.recording
        if recording is None or not table:
            return
        self._controls.show_progress(0.0)

        def done(result: Rated | None) -> None:
            self._controls.show_progress(None)
            if result is None or self._game.recording is not recording:
                return
            rated, comparison = result
            self._game.open(rated, self._game.position)
            if recording.source:
                text = describe_comparison(comparison, rated.source)
                self._banners.show_message("info", text, key="check")
            elif not rated.n_judged:
                text = f"{rated.source} knows no position of this game."
                self._banners.show_message("warning", text, key="check")
            self._shown()

        def failed(error: BaseException) -> None:
            self._controls.show_progress(None)
            self._failed(error)

        self._work.rate(recording, Path(table), done, failed)

    def leave_out_forced(self, left_out: bool) -> None:
        """Count forced moves in the score, or not."""
        recording = self._game.recording
        if recording is None or recording.leaves_out_forced is left_out:
            return

        def done(scored: Recording) -> None:
            if self._game.recording is recording:
                self._game.open(scored, self._game.position)
                self._shown()

        self._work.score_again(recording, left_out, done)
