"""Finding the test in which a mistake was made."""

from collections.abc import Callable
from pathlib import Path

from coach.mistakes.mistake import Attempt, Mistake
from coach.mistakes.mistakes import Mistakes
from gui.mistakes.sources import NoSourceError, Source, find_latest, find_source
from gui.text.messages import message_of
from gui.widgets.banner import BannerStack
from gui.work.mistake_service import MistakeService

_KEY = "no_test"


class TestFinder:
    """Looks for the file of a test off the GUI thread; the latest request wins.

    Parameters
    ----------
    book : MistakeService
        Provides the attempts and the thread.
    tests : Path
        The folder of the tests played here.
    banners : BannerStack
        Shows that a file is missing.
    found : callable
        Called with the file and the position in it.
    failed : callable
        Called if the database cannot be read.
    """

    __test__ = False  # its name looks like one to pytest

    def __init__(
        self,
        book: MistakeService,
        tests: Path,
        banners: BannerStack,
        found: Callable[[Path, int], None],
        failed: Callable[[BaseException], None],
    ) -> None:
        self._book, self._tests, self._banners = book, tests, banners
        self._found, self._failed = found, failed
        self._asked = 0

    def show_latest(self, mistake_id: int) -> None:
        """Show the latest existing test in which a mistake was made."""

        def work(mistakes: Mistakes) -> Source:
            mistake = mistakes.get([mistake_id]).get(mistake_id)
            return find_latest(mistakes.attempts(mistake_id), self._tests, mistake)

        self._look(work)

    def show(self, attempt: Attempt, mistake: Mistake | None) -> None:
        """Show the test in which an attempt of a mistake was made."""
        self._look(lambda _: find_source(attempt, self._tests, mistake))

    def _look(self, work: Callable[[Mistakes], Source]) -> None:
        self._asked += 1
        asked = self._asked

        def done(source: Source) -> None:
            if asked == self._asked:
                self._banners.remove(_KEY)
                self._found(source.path, source.position)

        def failed(error: BaseException) -> None:
            if asked != self._asked:
                return
            if isinstance(error, NoSourceError):
                self._banners.show_message("warning", message_of(error), key=_KEY)
            else:
                self._failed(error)

        self._book.ask(work, done, failed)
