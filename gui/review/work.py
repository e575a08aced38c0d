"""Background work of Review: reading files, and rating moves by tables."""

import logging
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from ai.thinking_time import nodes_of
from coach.exam.history import FOLDER, History
from coach.profile.played_games import open_played
from coach.record.user_database import UserDatabase
from coach.recordings.comparison import Comparison, compare
from coach.recordings.many_tables import rate_by, rate_by_many
from coach.recordings.recording import Recording, open_recording, recording_in_text
from engine.platform.errors import AppError
from engine.platform.tasks import OnError, Tasks
from gui.play.services import PlayServices
from tablebase.formation.formation import Formation
from tablebase.probe.table import Table

if TYPE_CHECKING:
    from coach.whole_game.analysis import WholeGameAnalysis

_REPORT_EVERY_S = 0.05
_SHARES = 1000
_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class WholeGames:
    """How Review judges whole games."""

    tasks: Tasks  # a dedicated thread, as it takes minutes
    # Given milliseconds per move, returns a context manager that yields the analysis.
    analysis: Callable[[float], "AbstractContextManager[WholeGameAnalysis]"]


@contextmanager
def open_analysis(folder: Path, ms: float) -> "Iterator[WholeGameAnalysis]":
    """Yield an analysis by the program's own search; not on the GUI thread.

    Its results are stored in the data folder `folder`.
    """
    from ai.chances.chance_search import ChanceSearch
    from coach.whole_game.analysis import WholeGameAnalysis
    from coach.whole_game.stored_chances import CHANCES_NAME, StoredChances

    stored = StoredChances(folder / CHANCES_NAME)
    try:
        yield WholeGameAnalysis(
            ChanceSearch().look, nodes_of(ms), stored, lambda: datetime.now(timezone.utc)
        )
    finally:
        stored.close()


@dataclass(frozen=True)
class RatedGame:
    """The result of rating a game."""

    recording: Recording
    comparison: Comparison  # comparison with its previous rates
    problems: tuple[str, ...] = ()  # why some of the tables were not used


OnRated = Callable[[RatedGame | None], None]


Progress = Callable[[int, int], None]
# Gets how to show progress, how to ask whether to stop, and where to note unused tables.
Work = Callable[[Progress, Callable[[], bool], list[AppError]], Recording | None]


class ReviewWork(QObject):
    """Reads one file and rates one game at a time; the latest request wins.

    `share` is the rated part of a game, in [0, 1]; None if none is being rated. `is_rough` says
    whether a first look is shown meanwhile.
    """

    changed = Signal()
    progressed = Signal(float)
    roughly_rated = Signal(object, object)

    def __init__(
        self,
        services: PlayServices,
        database: UserDatabase,
        formations: Callable[[], Mapping[str, Formation]],
        whole_games: WholeGames | None,
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._open_table, self._tasks = services.open_table, services.lookups
        self._clock, self._settings = services.clock, services.settings
        self._whole_games, self._formations, self._database = whole_games, formations, database
        self._n_requests = 0
        self._cancel = threading.Event()
        self.rating_tables: tuple[Path, ...] = ()
        self.share: float | None = None
        self.is_rough = False
        self.roughly_rated.connect(lambda *_: setattr(self, "is_rough", True))
        self.progressed.connect(self._note_progress)

    def open(self, path: Path, done: Callable[[Recording], None], failed: OnError) -> None:
        """Read a file; `done` and `failed` are not called if another is requested before."""
        self._read(lambda: self._open(path), done, failed)

    def open_text(self, text: str, done: Callable[[Recording], None], failed: OnError) -> None:
        self._read(lambda: recording_in_text(text), done, failed)

    def open_latest(self, done: Callable[[Recording], None], failed: OnError) -> None:
        def work() -> Recording:
            with closing(History(self._database)) as tests:
                tests.take_files()
                path = self._database.folder / FOLDER / tests.latest()
            return self._open(path)

        self._read(work, done, failed)

    def _open(self, path: Path) -> Recording:
        """Return the game in a file, or the test or the route in the database by its path."""
        formations = self._formations()
        played = open_played(self._database, path, formations)
        return played or open_recording(path, formations)

    def forget(self) -> None:
        self.cancel()
        self._n_requests += 1

    def rate(self, recording: Recording, table: Path, done: OnRated, failed: OnError) -> None:
        """Rate a game by the table in a folder; `done` gets None if canceled."""

        def work(
            progress: Progress, is_cancelled: Callable[[], bool], _problems: list[AppError]
        ) -> Recording | None:
            with closing(self._open_table(table)) as opened:
                return rate_by(opened, recording, progress, is_cancelled)

        self._rate(recording, (table,), work, done, failed)

    def rate_by_all(
        self, recording: Recording, tables: Sequence[Path], done: OnRated, failed: OnError
    ) -> None:
        """Rate each move by the best of several tables; `done` gets None if canceled.

        Unreadable tables are left out; it fails if none is left.
        """

        def work(
            progress: Progress, is_cancelled: Callable[[], bool], problems: list[AppError]
        ) -> Recording | None:
            with ExitStack() as stack:
                opened = self._opened(tables, stack, problems)
                if problems and not opened:
                    raise problems[0]
                return rate_by_many(opened, recording, progress, is_cancelled, problems.append)

        self._rate(recording, tables, work, done, failed)

    def rate_whole(
        self, recording: Recording, tables: Sequence[Path], done: OnRated, failed: OnError
    ) -> None:
        """Rate a whole game, by search where no table answers, for as long as Settings say.

        Results are stored, so nothing is searched twice; if canceled, `done` gets the partial
        result.
        """
        assert self._whole_games is not None
        make, ms = self._whole_games.analysis, self._settings.get("whole_game.ms")

        def work(
            progress: Progress, is_cancelled: Callable[[], bool], problems: list[AppError]
        ) -> Recording | None:
            with ExitStack() as stack, make(ms) as analysis:
                analyzed = analysis.run(
                    recording,
                    self._opened(tables, stack, problems),
                    lambda stage: progress(round(stage.share * _SHARES), _SHARES),
                    is_cancelled,
                    lambda roughly: self.roughly_rated.emit(recording, roughly),
                    problems.append,
                )
            return None if analyzed.recording is recording else analyzed.recording

        self._rate(recording, tables, work, done, failed, self._whole_games.tasks)

    def _opened(
        self, tables: Sequence[Path], stack: ExitStack, problems: list[AppError]
    ) -> list[Table]:
        """Return the tables that can be opened, until `stack` closes; note others' problems."""
        opened: list[Table] = []
        for path in tables:
            try:
                table = self._open_table(path)
            except AppError as error:
                problems.append(error)
                continue
            stack.callback(table.close)
            opened.append(table)
        return opened

    def _rate(
        self,
        recording: Recording,
        tables: Sequence[Path],
        work: Work,
        done: OnRated,
        failed: OnError,
        tasks: Tasks | None = None,
    ) -> None:
        self.cancel()
        self._cancel = cancel = threading.Event()
        self.rating_tables, self.is_rough = tuple(tables), False
        self._note_share(0.0)

        last_s = self._clock()

        def progress(n_done: int, n_all: int) -> None:
            nonlocal last_s
            if self._clock() - last_s >= _REPORT_EVERY_S and n_all:
                last_s = self._clock()
                self.progressed.emit(n_done / n_all)

        def rate() -> RatedGame | None:
            problems: list[AppError] = []
            rated = None if cancel.is_set() else work(progress, cancel.is_set, problems)
            if rated is None:
                return None
            return RatedGame(rated, compare(recording, rated), tuple(map(str, problems)))

        def ended() -> None:
            if self._cancel is cancel:
                self.rating_tables = ()
                self._note_share(None)

        def answer(result: RatedGame | None) -> None:
            ended()
            done(result if tasks or not cancel.is_set() else None)

        def fail(error: BaseException) -> None:
            ended()
            failed(error)

        (tasks or self._tasks).run(rate, answer, fail)

    def score_again(
        self, recording: Recording, left_out: bool, done: Callable[[Recording], None]
    ) -> None:
        def work() -> Recording:
            return replace(recording, leaves_out_forced=left_out).judge_all()

        self._tasks.run(work, done, _log_error)

    def find_goals(
        self, tables: Iterable[str], done: Callable[[dict[str, Formation]], None]
    ) -> None:
        """Call `done` with the known formations of tables, by table."""
        names = sorted(set(tables))

        def work() -> dict[str, Formation]:
            formations = self._formations()
            goals = ((name, formations.get(name.rpartition("_")[0])) for name in names)
            return {name: goal for name, goal in goals if goal}

        if names:
            self._tasks.run(work, done, _log_error)

    def cancel(self) -> None:
        self._cancel.set()
        self._note_share(None)

    def _note_progress(self, share: float) -> None:
        if self.share is not None:  # emitted before it was stopped, it may arrive later
            self._note_share(share)

    def _note_share(self, share: float | None) -> None:
        if share != self.share:
            self.share = share
            self.changed.emit()

    def _read(
        self, work: Callable[[], Recording], done: Callable[[Recording], None], failed: OnError
    ) -> None:
        self.forget()
        number = self._n_requests

        def is_latest() -> bool:
            return number == self._n_requests

        self._tasks.run(
            work,
            lambda recording: done(recording) if is_latest() else None,
            lambda error: failed(error) if is_latest() else None,
        )


def _log_error(error: BaseException) -> None:
    _log.error("not worked out for Review", exc_info=error)
