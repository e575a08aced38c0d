"""The game of the Game page: unlimited undo, saved with every move, recorded when over.

DATA/game/current.log   the game in play, see engine.game_log
DATA/game/last.log      the game before it
DATA/game/games.csv     the finished games, see gui.game.records

No Qt.
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from ai.choice import SpawnChooser
from coach.play.move_clock import MoveClock
from engine.formats.board_text import read_board
from engine.game import Game, MoveResult
from engine.game_log import GameLog, read_log
from engine.platform.errors import InvalidBoardError
from engine.platform.files.atomic_file import replace
from engine.platform.files.damaged_file import is_transient, set_aside
from engine.platform.language import sentences, tr
from engine.saved_game import SavedGameError
from engine.spawn import Rng
from engine.trace import slide_cells
from gui.game.records import GameRecord, Summary, append_record, read_records, summarize

_log = logging.getLogger(__name__)


class GameSession:
    """Runs games, one after the other.

    `new_seed` returns 0 to 2**63 - 1, `clock` seconds, monotonic; `spawn4` is the share of fours of
    games that begin, in [0, 1]. `adversary` chooses `difficulty` percent of the new tiles: the
    (cell, exponent) for 16 exponents. `problem` with the files, and `relief` once saving works
    again, are for the user; "" if none.
    """

    def __init__(
        self,
        folder: Path,
        new_seed: Callable[[], int],
        now: Callable[[], datetime] = datetime.now,
        clock: Callable[[], float] = time.monotonic,
        spawn4: float = 0.1,
    ) -> None:
        self._new_seed, self._now = new_seed, now
        self.watch = MoveClock(clock)
        self.watch.start()
        self._path, self._records_path = folder / "current.log", folder / "games.csv"
        self._log: GameLog | None = GameLog(self._path)
        self.difficulty, self.problem, self.relief = 0, "", ""
        self._is_failing = False  # whether the last attempt to save failed, which was reported
        self._unwritten: list[GameRecord] = []  # finished games not in the file yet
        self.adversary: SpawnChooser | None = None
        self.helper = ""
        self._records: dict[int, GameRecord] = {}
        self.spawn4 = spawn4
        self.game, self.best = Game.new(new_seed(), spawn4=spawn4), 0

    def load(self) -> None:
        """Resume the last game; a long one takes a second, so don't call on the GUI thread."""
        self._records = {r.seed: r for r in read_records(self._records_path)}
        self.best = self.summary.best
        try:
            log = read_log(self._path)
        except FileNotFoundError:
            self._begin()
            return
        except (SavedGameError, OSError) as error:
            _log.warning("saved game: %s", error)
            text = tr("The saved game cannot be used; this is a new one.")
            if isinstance(error, OSError) and is_transient(error):
                self._leave_alone(text, error)
            else:
                self._set_aside(text)
            self._begin()
            return
        self.game, self.helper = log.game, log.helper
        if log.best not in {r.score for r in self._records.values() if r.helper}:  # of older logs
            self.best = max(self.best, log.best)
        if log.problem:
            _log.warning("saved game: %s", log.problem)
            self._set_aside(tr("The saved game is damaged near its end."))
        if log.is_torn:
            self._begin()
        else:
            self._save(GameLog.resume, is_whole=True)

    @property
    def is_over(self) -> bool:
        return self.game.is_over

    @property
    def would_lose(self) -> bool:
        return self.game.can_undo and not self.is_over

    @property
    def summary(self) -> Summary:
        return summarize(self._records.values())

    def move(self, direction: int, helper: str = "") -> MoveResult | None:
        """Play a move of the user, or of the AI `helper`, and save it; None if it is illegal."""
        spawned = self._hard_tile(direction)
        ms = self.watch.take_ms() if self.game.can_move(direction) else None
        result = self.game.move(direction, spawned, ms)
        if result is None:
            return None
        new_helper = "" if self.helper else helper
        self.helper = self.helper or helper
        self._save(lambda log: log.move(result, spawned is not None, ms, new_helper))
        if not self.game.is_from_set_board:
            if not self.helper:
                self.best = max(self.best, self.game.score)
            if self.is_over:
                self._record()
        return result

    def undo(self) -> bool:
        """Take a move back; the best score stays."""
        if done := self.game.undo():
            self.watch.start()
            self._save(GameLog.undo)
        return done

    def redo(self) -> bool:
        if done := self.game.redo():
            self.watch.start()
            self._save(GameLog.redo)
        return done

    def new_game(self) -> None:
        """Begin a new game; the log of the game so far is kept until the next time."""
        if self.game.can_undo:
            self._save(self._keep_log, is_whole=True)
        self.game, self.helper = Game.new(self._new_seed(), spawn4=self.spawn4), ""
        self.watch.start()
        self._begin()

    def set_spawn4(self, spawn4: float) -> None:
        """Set the probability of fours in new games; a game not yet begun is replaced."""
        self.spawn4 = spawn4
        if self.game.spawn4 != spawn4 and not (self.game.can_undo or self.game.can_redo):
            self.new_game()

    def set_board(self, text: str) -> None:
        """Continue from a typed position with a score of 0; undo leads back.

        Raises InvalidBoardError if there is no board in the text, or no tile on it.
        """
        board = read_board(text).cells
        if not any(board):
            raise InvalidBoardError(tr("the board is empty: it needs at least one tile"))
        if board == self.game.cells:
            return
        self.game.set_board(board)
        self.watch.start()
        self._save(lambda log: log.set_board(self.game))

    def close(self) -> None:
        if self._is_failing:
            self._save(GameLog.flush)
        if self._log:
            self._log.close()

    def _hard_tile(self, direction: int) -> tuple[int, int] | None:
        if not self.difficulty or self.adversary is None:
            return None
        # A random stream derived from the position's, so that replaying after undo is identical.
        step = Rng(hash((self.game.seed, self.game.n_moves, self.game.cells)))
        if step.random() >= self.difficulty / 100:
            return None
        motion = slide_cells(self.game.cells, direction, False, True)
        return self.adversary(motion.cells) if motion.cells != self.game.cells else None

    def _record(self) -> None:
        game = self.game
        record = GameRecord(
            seed=game.seed,
            ended=self._now().isoformat(timespec="seconds"),
            score=game.score,
            moves=game.n_moves,
            largest=game.max_exponent,
            difficulty=self.difficulty,
            helper=self.helper,
            ms=game.played_ms,
            fours=game.n_fours,
            spawn4=game.spawn4,
        )
        self._records[game.seed] = record
        self._unwritten.append(record)
        self._save(GameLog.flush)

    def _begin(self) -> None:
        self._save(self._begin_log, is_whole=True)

    def _begin_log(self, log: GameLog) -> None:
        log.begin(self.game, self.best, self.helper)

    def _keep_log(self, log: GameLog) -> None:
        if not log.is_open:
            self._begin_log(log)
        log.close()  # including what could not be written before, if there is space now
        replace(log.path, log.path.with_name("last.log"))

    def _save(self, write: Callable[[GameLog], None], is_whole: bool = False) -> None:
        """Write to the log, including what failed before; a whole log is begun or ended by it.

        The user is told once that saving fails, and once that it works again.
        """
        try:
            if self._log:
                self._write_log(self._log, write, is_whole)
            while self._unwritten:
                append_record(self._records_path, self._unwritten[0])
                del self._unwritten[0]
        except OSError as error:
            if not self._is_failing:
                self._is_failing = True
                _log.warning("game not saved", exc_info=error)
                reason = error.strerror or str(error)
                self.problem = tr(
                    "The game cannot be saved in {folder} ({reason}).",
                    folder=self._records_path.parent,
                    reason=reason,
                )
                self.relief = ""
            return
        if self._is_failing:
            self._is_failing = False
            if self._log:
                _log.info("the game is saved again")
                self.relief = tr("The game is saved again, with every move of it.")
                self.problem = ""

    def _write_log(self, log: GameLog, write: Callable[[GameLog], None], is_whole: bool) -> None:
        if is_whole or log.is_open:
            write(log)
        else:  # it could not be started: now written completely, including the current change
            self._begin_log(log)

    def _set_aside(self, text: str) -> None:
        try:
            old = set_aside(self._path, self._now())
        except OSError as error:
            self._leave_alone(text, error)
        else:
            self.problem = sentences(text, tr("The file is kept as {path}.", path=old))

    def _leave_alone(self, text: str, error: OSError) -> None:
        self._log = None
        self.problem = sentences(
            text,
            tr(
                "{path} stays as it is ({reason}), so moves are not saved until the next start.",
                path=self._path,
                reason=error.strerror or error,
            ),
        )
