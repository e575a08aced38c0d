"""Creating a ten-minute session by querying three databases in turn. No widgets."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from coach.days import Today
from coach.mistakes.drill import Drill
from coach.mistakes.mistakes import Mistakes
from coach.profile.advice import Advice
from coach.profile.facts import JudgedMoves
from coach.profile.filing import file_game, filed_of_test
from coach.profile.judged_moves import JudgedMove, judged_moves
from coach.profile.session import Candidates, mistake_candidates, session_of, with_puzzles
from coach.puzzles.puzzles import Puzzles
from coach.recordings.recording import Recording
from gui.work.mistake_service import MistakeService
from gui.work.profile_service import ProfileAndAdvice, ProfileService
from gui.work.store_service import StoreService
from tablebase.formation.formation import Formation


class Training(QObject):
    """Chooses the content of a ten-minute session; `ready` has it, even if it is empty.

    `formations` runs on a worker thread; `tests` is their folder, whose mistakes are filed already.
    """

    ready = Signal(object)
    failed = Signal(object)

    def __init__(
        self,
        facts: ProfileService,
        mistake_store: MistakeService,
        puzzles: StoreService[Puzzles],
        drill_of: Callable[[Mistakes], Drill],
        today: Callable[[], Today],
        formations: Callable[[], Mapping[str, Formation]],
        tests: Path,
    ) -> None:
        super().__init__()
        self._tests = tests
        self._facts, self._mistake_store, self._puzzles = facts, mistake_store, puzzles
        self._drill_of, self._today, self._formations = drill_of, today, formations
        self._n_requests = 0

    def begin(self, advice: Advice | None = None) -> None:
        self._n_requests += 1
        if advice:
            self._choose(self._n_requests, advice)
        else:
            self._read(self._n_requests)

    def begin_with(self, recording: Recording, spawn4: float) -> None:
        """Store a reviewed game with rates, file its mistakes, and choose a session of them."""
        self._n_requests += 1
        number = self._n_requests
        is_test = recording.path is not None and recording.path.parent == self._tests
        is_filed = is_test or recording.is_filed
        when = recording.played_at or self._today().now

        def keep(facts: JudgedMoves) -> list[JudgedMove]:
            moves = list(judged_moves(recording, self._formations()))
            if not is_filed:
                facts.put_game(recording, moves, when)
            return moves

        def file(moves: Sequence[JudgedMove]) -> None:
            def work(mistakes: Mistakes) -> list[int]:
                if is_filed:
                    return filed_of_test(mistakes, moves)
                return file_game(mistakes, moves, spawn4, recording.name, when)

            self._mistake_store.change(
                work, lambda ids: self._read(number, ids), self._fail(number)
            )

        self._facts.change(keep, file, self._fail(number))

    def _read(self, number: int, game: Sequence[int] = ()) -> None:
        def take(latest: ProfileAndAdvice | None) -> None:
            first = latest.advice[0] if latest and latest.advice else None
            self._choose(number, first, game)

        # Without a profile there are still due mistakes.
        self._facts.read(take, lambda _: take(None))

    def _choose(self, number: int, advice: Advice | None, game: Sequence[int] = ()) -> None:
        today = self._today()

        def work(mistakes: Mistakes) -> Candidates:
            return mistake_candidates(mistakes, today, self._drill_of(mistakes), advice, game)

        def finish(candidates: Candidates) -> None:
            if number == self._n_requests:
                self.ready.emit(session_of(candidates, advice))

        def add_puzzles(candidates: Candidates) -> None:
            if not self._puzzles.path.exists():
                finish(candidates)
                return
            self._puzzles.ask(
                lambda puzzles: with_puzzles(candidates, puzzles, today),
                finish,
                lambda _: finish(candidates),  # a damaged puzzle database is reported on its page
            )

        self._mistake_store.ask(work, add_puzzles, self._fail(number))

    def _fail(self, number: int) -> Callable[[BaseException], None]:
        def failed(error: BaseException) -> None:
            if number == self._n_requests:
                self.failed.emit(error)

        return failed
