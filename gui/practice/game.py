"""A game of practice: a table, a session and the answers for its positions. No Qt.

The page calls the methods, and the game notifies its listener.
"""

from collections.abc import Callable
from datetime import datetime
from pathlib import Path
from typing import NamedTuple, Protocol

from coach.grading.grade import UINT32, Grade, Judgement, judge
from coach.grading.luck import REMEMBERED, spawn_luck
from coach.grading.rated import Rated, UnknownRates, breaking_moves
from coach.mistakes.mistake import NotedMove, TableKey
from coach.play.board_edits import check_playable
from coach.play.judge import Lookup, answer_of
from engine.bitboard import cells, from_cells
from engine.formats.board_text import read_board
from engine.platform.errors import InvalidBoardError
from engine.platform.tasks import Tasks
from engine.spawn import Rng, spawn
from engine.trace import slide_cells
from gui.practice.session import PracticeSession, SpawnMode
from gui.practice.tree import Node, Rates, Step
from gui.text.rates import best_rate, describe_judged
from tablebase.probe.table import Table


def recent_luck(here: Node, answer_of: Callable[[int], Rated | None]) -> float | None:
    """Return the luck of the worst of the last new tiles, a logarithm; None if unknown.

    Tiles placed by hand don't count, and a position that was set, turned or loaded is a new
    beginning.
    """
    logs: list[float] = []
    node = here
    for _ in range(REMEMBERED):
        before, step = node.parent, node.step
        if before is None or step.direction is None or step.spawned is None:
            break
        first, then = answer_of(before.step.board), answer_of(step.board)
        if first and then and not first.are_bounds and not then.are_bounds:
            luck = spawn_luck(first.rates[step.direction], then.certain_rate)
            logs += [luck.log] if luck else []
        node = before
    return min(logs, default=None)


MAX_START_MOVES = 9  # about the first ten layers, where most of a formation is still ahead
MIN_RATE_SHARE = 0.5  # share of the best rate: a bad move doesn't lead to a start


def varied_start(table: Table, rng: Rng) -> int:
    """Return a board some random moves into a game, avoiding bad moves.

    It asks the table up to nine times: call it off the GUI thread.
    """
    board = table.start_board(rng)
    for _ in range(rng.below(MAX_START_MOVES + 1)):
        answer = answer_of(table, board, follows=True)
        good = [
            direction
            for direction, rate in enumerate(answer.rates)
            if rate is not None and rate > 0 and rate >= MIN_RATE_SHARE * answer.best_rate
        ]
        if not good or answer.best_rate >= 1.0:
            break
        direction = good[rng.below(len(good))]
        motion = slide_cells(cells(board), direction, table.formation.walls)
        board = spawn(from_cells(motion.cells), rng, table.spawn4)[0]
    return board


class Listener(Protocol):
    """The view of the game, which it reads."""

    def show_step(self, how: str) -> None:
        """Show the position: `how` is "still", "move" or "spawn" (a tile joins the move shown)."""

    def show_answer(self) -> None:
        """Show the table's answer; it may have changed, or not be known yet."""

    def show_failure(self, error: BaseException) -> None:
        """Show that the table can't be opened, or has no start position."""


class PracticeGame:
    """One table at a time, one board on it.

    `open_table` runs on the worker thread.
    """

    def __init__(
        self, open_table: Callable[[Path], Table], tasks: Tasks, listener: Listener, rng: Rng
    ) -> None:
        self.lookup, self._listener, self._rng = Lookup(open_table, tasks), listener, rng
        self._start_rng = Rng(rng.next_u64())  # used on the worker thread only
        self.spawn_mode = SpawnMode.RANDOM
        self._wants_best = self._is_held = False
        self._last = ""
        self._resumed: PracticeSession | None = None  # how to continue once the table is open
        self.prefers_recorded = True
        self.session: PracticeSession | None = None

    @property
    def table(self) -> Table | None:
        return self.lookup.table

    @property
    def step(self) -> Step | None:
        return self.session.step if self.session else None

    @property
    def answer(self) -> Rated | None:
        step = self.step
        return None if step is None or step.needs_spawn else self.lookup.answer(step.board)

    @property
    def awaits_hand(self) -> bool:
        if self.spawn_mode is not SpawnMode.MANUAL:
            return False
        step = self.step
        return step is not None and step.needs_spawn

    @property
    def is_over(self) -> bool:
        return self.session is not None and self.session.is_over

    @property
    def is_reached(self) -> bool:
        """Whether the target is where it counts, or the sum is reached."""
        return self.session is not None and self.lookup.is_reached(self.session.board)

    @property
    def may_have_best(self) -> bool:
        answer = self.answer
        return answer is None or answer.best is not None

    @property
    def breaking(self) -> tuple[int, ...]:
        step = self.step
        return () if step is None else self._breaking(step.board, self.answer)

    def _breaking(self, board: int, answer: Rated | None) -> tuple[int, ...]:
        if answer is None or answer.error is not None:
            return ()
        walls = bool(self.table and self.table.formation.walls)
        return breaking_moves(board, answer.rates, walls, answer.unknown)

    @property
    def recorded(self) -> Rates | None:
        """The recorded rates, if wanted or if there are no others."""
        here = self.session.tree.here if self.session else None
        if here is None or here.recorded is None:
            return None
        answer = self.answer
        is_only = answer is not None and answer.error is not None
        return here.recorded if self.prefers_recorded or is_only else None

    @property
    def has_left(self) -> bool:
        here = self.session.tree.here if self.session else None
        last_move = _move_to(here) if here else None
        if here is None or last_move is None or self.lookup.locked(here.step.board):
            return False
        return bool(self.lookup.locked(last_move[0].step.board))

    @property
    def last_move(self) -> "JudgedMove | None":
        """The move that led here, judged by the table or by a recording."""
        return self._judged(self.session.tree.here) if self.session else None

    def grade_of(self, node: Node) -> Grade | None:
        move = self._judged(node) if node.step.kind == "move" else None
        return move.grade if move else None

    def guess(self, direction: int, when: datetime, ms: int) -> NotedMove | None:
        """Return the judged move for a guess here, `ms` after it was shown; None if forced."""
        table, answer, step = self.table, self.answer, self.step
        judgement = self.lookup.judge(step.board, direction) if answer and step else None
        if not (table and step and answer and judgement) or judgement.is_forced:
            return None
        formation = table.formation
        return NotedMove(
            TableKey(table.name, table.spawn4),
            self.lookup.masked(step.board),
            judgement,
            answer.rates,
            when,
            "practice",
            0,
            formation.symmetry if formation.walls else "full",
            ms=ms,
            luck=self._recent_luck(),
        )

    def _recent_luck(self) -> float | None:
        """Return the luck of the worst of the last new tiles; None if they are not random."""
        if self.session is None or self.spawn_mode is not SpawnMode.RANDOM:
            return None
        return recent_luck(self.session.tree.here, self.lookup.answer)

    def rates_of(self, node: Node) -> Rates | None:
        """Return all rates of a position, from the table or a recording; None if any is missing."""
        answer = self.lookup.answer(node.step.board)
        is_whole = answer and not answer.error and not answer.unknown_rates
        return answer.rates if answer and is_whole else node.recorded

    def _judged(self, node: Node) -> "JudgedMove | None":
        if (last_move := _move_to(node)) is None:
            return None
        before, direction = last_move
        board = before.step.board
        answer, unknown_rates = self.lookup.answer(board), None
        if answer and not answer.error:
            rates, unknown_rates = answer.rates, answer.unknown_rates
            judgement = self.lookup.judge(board, direction)
        elif before.recorded:
            rates, judgement = before.recorded, judge(before.recorded, direction, UINT32)
        else:
            return None
        if not unknown_rates and not best_rate(rates):
            return None
        breaking = self._breaking(board, answer)
        return JudgedMove(board, direction, rates, unknown_rates, judgement, breaking)

    def open(
        self, path: Path, last_board: str = "", session: PracticeSession | None = None
    ) -> None:
        self.session, self._wants_best = None, False
        self._last, self._resumed = last_board, session
        self.lookup.open(path, self._begin, self._listener.show_failure)

    def close(self) -> None:
        self.session = None
        self.lookup.close()

    def new_start(self) -> None:
        self.lookup.start_board(self._start_rng, self._start_at, self._listener.show_failure)

    def varied_start(self) -> None:
        self.lookup.run(
            lambda table: varied_start(table, self._start_rng),
            self._start_at,
            self._listener.show_failure,
        )

    def hold(self, is_held: bool) -> None:
        """Let late answers change the position no more, as it is being edited; or again."""
        self._is_held, self._wants_best = is_held, False

    def _begin(self, _table: Table) -> None:
        if self._resumed:
            self.session, self._resumed = self._resumed, None
            self._show("still")
            return
        try:
            self._start_at(read_board(self._last).board)
        except InvalidBoardError:
            self.new_start()

    def _start_at(self, board: int) -> None:
        table = self.table
        if table is None:
            return
        if self.session is None:
            self.session = PracticeSession(board, table.formation.walls, self._rng, table.spawn4)
            self.session.spawn_mode = self.spawn_mode
            self._show("still")
        elif not self._is_held:
            self.walk(lambda session: session.restart(board))

    def play(self, direction: int) -> bool:
        self._wants_best = False
        if self.session is None:
            return False
        if self.session.move(direction) is None:
            return False
        self._show("move")
        return True

    def play_best(self) -> None:
        answer, session = self.answer, self.session
        if answer and answer.best is not None:
            self.play(answer.best)
            return
        self._wants_best = answer is None
        if session and answer is None and not session.step.needs_spawn:
            self._ask_for_rates(session, session.step)  # it may have been evicted

    def place(self, cell: int, exponent: int) -> None:
        if self.awaits_hand and self.session and self.session.spawn(cell, exponent):
            self._show("spawn")

    def walk(self, step: Callable[[PracticeSession], Step | None]) -> bool:
        """Step through the history, turn or edit the board; return whether it was possible."""
        if self.session is None or step(self.session) is None:
            return False
        self._wants_best = False
        self._show("still")
        return True

    def step_forward(self) -> bool:
        self._wants_best = False
        if self.session is None or self.session.redo() is None:
            return False
        self._show("move" if self.session.step.kind == "move" else "still")
        return True

    def set_board(self, text: str) -> str:
        """Go to a typed or pasted position, and return what was changed in it.

        Raises InvalidBoardError: it is not a board of the open table.
        """
        pasted = read_board(text)
        self.check_playable(pasted.board)
        self.walk(lambda session: session.edit(pasted.board))
        return pasted.note

    def check_playable(self, board: int) -> None:
        """Raise InvalidBoardError if a position is not a board of the open table."""
        if self.session:
            check_playable(board, self.session.board, self.session.walls)

    def set_spawn_mode(self, mode: SpawnMode, shows: bool = True) -> None:
        """Set how new tiles are placed, also an awaited one.

        With `shows` False, `show_again` has to follow.
        """
        self.spawn_mode = mode
        if self.session:
            self.session.spawn_mode = mode
            if shows:
                self._show("still")

    def _show(self, how: str) -> None:
        session = self.session
        if session is None:
            return
        step = session.step
        self._listener.show_step(how)
        if step.needs_spawn and self.spawn_mode is not SpawnMode.MANUAL:
            self._ask_for_tile(session, step)
        if session.step is step:  # a tile may have been placed at once
            self._ask_for_rates(session, step)

    def show_again(self) -> None:
        """Show the position and its answer again; a tile that it awaits is placed."""
        if self.session:
            self._show("still")
            self.show_answer()

    def show_answer(self) -> None:
        """Show the answer for the position again, as other rates may be wanted now."""
        if self.session:
            self._listener.show_answer()

    def _ask_for_rates(self, session: PracticeSession, step: Step) -> None:
        boards: tuple[int, ...] = () if step.needs_spawn else (step.board,)
        move = None
        if last_move := _move_to(session.tree.here):
            move = last_move[1] if boards else None
            boards = (last_move[0].step.board, *boards)

        def answered() -> None:
            if session is self.session and session.step is step:
                self.show_answer()
                if self._wants_best:
                    self.play_best()

        self.lookup.ask(boards, answered, move)

    def _ask_for_tile(self, session: PracticeSession, step: Step) -> None:
        def chosen(choice: tuple[int, int] | None) -> None:
            if self._is_held or session is not self.session or session.step is not step:
                return  # edited, undone, or another table, in the meantime
            if choice is None or self.spawn_mode is SpawnMode.RANDOM:
                session.spawn_at_random()
            else:
                session.spawn(*choice)
            self._show("spawn")

        if self.spawn_mode is SpawnMode.RANDOM:
            chosen(None)
        else:
            self.lookup.choose_spawn(step.board, self.spawn_mode is SpawnMode.BEST, chosen)


class JudgedMove(NamedTuple):
    """A move and its judgement; None where it can't be judged."""

    board: int  # the position before it
    direction: int
    rates: Rates
    unknown_rates: UnknownRates | None
    judgement: Judgement | None
    breaking: tuple[int, ...]

    @property
    def grade(self) -> Grade | None:
        return self.judgement.grade if self.judgement else None

    @property
    def has_lost(self) -> bool:
        return self.judgement is not None and not self.judgement.is_perfect

    @property
    def verdict(self) -> str:
        return describe_judged(
            self.direction, self.rates, self.judgement, self.unknown_rates, self.breaking
        )


def _move_to(node: Node) -> tuple[Node, int] | None:
    if node.step.kind == "spawn" and node.parent:
        node = node.parent
    before, direction = node.parent, node.step.direction
    return (before, direction) if before and direction is not None else None
