"""How tests begin: where the table says, at a typed position, like an earlier one; their rules."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from coach.grading.rated import Rated
from coach.play.board_edits import check_playable
from coach.play.player import Player
from coach.play.rules import TARGET, ExamGoal
from coach.play.run import Run
from coach.play.setup import Setup, turned_start
from engine.formats.board_text import read_board
from engine.platform.language import tr
from engine.spawn import Rng


@dataclass(frozen=True)
class ExamRules:
    """The rules of the next test; see `Setup` for all but the first."""

    is_turned: bool = True
    allows_undo: bool = False
    leaves_out_forced: bool = True
    seconds_per_move: int = 0
    perfect_within: float = 0.0
    goal: ExamGoal = TARGET

    def of(self, setup: Setup) -> Setup:
        rules = vars(self).copy()
        del rules["is_turned"]
        return replace(setup, **rules)


class ExamStarts:
    """Begins tests; `now` has a time zone, `failed` is called when the table has no start."""

    def __init__(
        self,
        player: Player,
        rng: Rng,
        now: Callable[[], datetime],
        failed: Callable[[BaseException], None],
    ) -> None:
        self._player, self._rng, self._now, self._failed = player, rng, now, failed
        self._start_rng = Rng(rng.next_u64())  # used on the worker thread only
        self.rules = ExamRules()
        self._name = ""

    def open(self, path: Path, name: str, resumed: Run | None = None) -> None:
        """Open the table in a folder and begin a test, or resume one; `name` is the table's."""
        self._name = name
        self._player.open(path, resumed, lambda _: self.new_start())

    def reopen(self, path: Path) -> None:
        """Reopen the table after a drive has come back, and resume the test."""
        run = self._player.drop()
        self.open(path, self._name, run if run and run.end is None else None)

    def new_start(self) -> None:
        player = self._player
        if player.table:
            player.leave()
            number = player.n_begun

            def begin(board: int) -> None:
                if number == player.n_begun:  # otherwise another test has begun in the meantime
                    self._begin(self._setup(board, is_given=False))

            player.lookup.start_board(self._start_rng, begin, self._failed)

    def restart(self) -> None:
        """Begin a new test at the typed position, or else at one chosen by the table."""
        setup = self._player.run.setup if self._player.run else None
        if setup and setup.is_given:
            self._player.leave()
            self._begin(self._setup(setup.start, is_given=True))
        else:
            self.new_start()

    def start_at(self, text: str, refused: Callable[[str], object]) -> None:
        """Begin a test at a typed position, or call `refused` with why the table can't.

        InvalidBoardError: it is not a position, or its walls are elsewhere.
        """
        player, board = self._player, read_board(text).board
        if player.table is None:
            return
        present = player.run.setup.start if player.run else board
        check_playable(board, present, player.table.formation.walls)

        def answered(answer: Rated) -> None:
            if reason := _reason_against(answer):
                refused(reason)
                player.look_again()
            else:
                player.leave()
                self._begin(self._setup(board, is_given=True))

        player.ask(board, answered)

    def rematch(self) -> None:
        if self._player.run and self._player.table:
            self._player.begin(self.begun_like(self._player.run))

    def begun_like(self, run: Run) -> Run:
        """Return a new test with the start and tiles of another one, under the current rules."""
        return Run(self.rules.of(run.setup), self._now())

    def _begin(self, setup: Setup) -> None:
        self._player.begin(Run(setup, self._now()))

    def _setup(self, board: int, is_given: bool) -> Setup:
        table = self._player.table
        assert table is not None
        setup = Setup(
            table=self._name,
            target=table.target,
            spawn4=table.spawn4,
            rate=table.rate,
            seed=self._rng.next_u64() >> 1,
            start=board,
            walls=table.formation.walls,
            is_given=is_given,
        )
        setup = self.rules.of(setup)
        return turned_start(setup, self._rng) if self.rules.is_turned and not is_given else setup


def _reason_against(answer: Rated) -> str:
    """Return why a position can't be a start by the table's answer; "" if it can."""
    if answer.error:
        return str(answer.error)
    if not answer.is_best_known:
        return tr(
            "the position can't arise from the table's start, so the table doesn't know what all "
            "its moves are worth"
        )
    return "" if answer.best_rate else tr("the table knows no way to the target from there")
