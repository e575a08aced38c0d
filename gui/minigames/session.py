"""The run in play: its actions, its time, its storage. No Qt.

Files are written by the caller, on another thread: `take_unsaved` returns what is to be written.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from minigames.parameters import GameSpec
from minigames.rules import Outcome
from minigames.run import MinigameReplay, MinigameRun, daily_seed, new_seed
from minigames.state import Action, Event, State
from minigames.store import Slot, load_slot
from minigames.turn import Adversary
from minigames.view import View

_FEW_MOVES = 10  # quickly redone


@dataclass(frozen=True)
class MinigameStep:
    """The result of an action."""

    before: View
    after: View
    events: tuple[Event, ...] = ()
    is_done: bool = True  # whether it was allowed; a peek is, and makes no event
    trophy: int = 0  # a new trophy: 1 bronze to 4 grand; 0 for none


class MinigameSession:
    """One variant in one mode, run after run; without a folder nothing is stored.

    `random_bits` returns 64 random bits for the seed of a run.
    """

    def __init__(
        self,
        folder: Path | None,
        game: str,
        hard: bool,
        random_bits: Callable[[], int],
        now: Callable[[], datetime],
        today: Callable[[], date],
        clock: Callable[[], float],
        adversary: Adversary | None = None,
    ) -> None:
        self._random_bits, self._now, self._clock = random_bits, now, clock
        self.today = today
        self._adversary = adversary
        self.slot = load_slot(folder, game, hard, now, adversary) if folder else Slot(game, hard)
        self._ticking_since: float | None = None  # the clock of a timed run, while it runs
        self._finished: list[MinigameReplay] = []
        self._is_changed = False
        if self.slot.run is None:
            self.new_run()

    @property
    def run(self) -> MinigameRun:
        assert self.slot.run, "there is always one"
        return self.slot.run

    @property
    def spec(self) -> GameSpec:
        return self.run.rules.spec

    @property
    def would_lose(self) -> bool:
        """Whether a new run would end one in play with more than a few moves."""
        return self.run.state.n_moves >= _FEW_MOVES and not self.run.state.over

    def view(self, *, peeks: bool = False) -> View:
        return self.run.rules.view(self.run.state, peeks=peeks)

    def time_left_ms(self) -> int | None:
        """Return the current time left; None for a variant without a clock."""
        left = self.view().time_left_ms
        return None if left is None else max(0, left - self._elapsed_ms())

    def do(self, action: Action, outcome: Outcome | None = None) -> MinigameStep:
        """Perform an action, after accounting for the elapsed time; both may end the run.

        `outcome` is the result of `MinigameRun.think` for it, for a variant without a clock.
        """
        before, state = self.view(), self.run.state
        events = self._pass_time()
        events += self.run.do(action, outcome)
        if action.direction is not None and events and before.time_left_ms is not None:
            self._ticking_since = None if self.run.state.over else self._clock()
        return self._step(before, events, state)

    def undo(self) -> MinigameStep:
        """Undo the last move or tool; the run counts as assisted from then on."""
        before = self.view()
        self._pass_time()
        if self.run.undo():
            self._is_changed = True
            if not self.run.state.n_moves:
                self._ticking_since = None  # it begins with the first move
        return MinigameStep(before, self.view())

    def tick(self) -> MinigameStep | None:
        """Let the clock run out when it is time; return the result."""
        if self._ticking_since is None or self.time_left_ms():
            return None
        before, state = self.view(), self.run.state
        return self._step(before, self._pass_time(), state)

    def pause(self) -> None:
        """Stop the clock; it goes on with the next move."""
        self._pass_time()
        self._ticking_since = None

    def new_run(self, day: date | None = None, seed: int | None = None) -> None:
        """Begin a new run; the current one is recorded if anything was done in it."""
        self._pass_time()
        self._ticking_since = None
        game, hard, old = self.slot.game, self.slot.hard, self.slot.run
        if old and old.state.n_moves:
            ended = self._now().isoformat(timespec="seconds")
            self.slot.record = self.slot.record.with_finished(old, ended)
            self._finished.append(old.replay)
        if day:
            seed = daily_seed(game, hard, day)
        elif seed is None:
            seed = new_seed(self._random_bits())
        self.slot.run = MinigameRun(
            game, hard, seed, self._adversary, day.isoformat() if day else ""
        )
        self._is_changed = True

    def take_unsaved(self) -> tuple[Slot | None, list[MinigameReplay]]:
        """Return the changed slot since the last call, and the runs that ended in the meantime.

        A slot whose file must be left alone is never returned.
        """
        slot = self.slot if self._is_changed and not self.slot.is_left_alone else None
        finished, self._finished, self._is_changed = self._finished, [], False
        return slot, finished

    def put_back(self, finished: list[MinigameReplay]) -> None:
        """Return runs that could not be written, to be retried next time."""
        self._finished, self._is_changed = [*finished, *self._finished], True

    def _elapsed_ms(self) -> int:
        if self._ticking_since is None:
            return 0
        return int((self._clock() - self._ticking_since) * 1000)

    def _pass_time(self) -> tuple[Event, ...]:
        elapsed = self._elapsed_ms()
        if not elapsed:
            return ()
        self._is_changed = True
        events = self.run.do(Action("tick", (elapsed,)))
        self._ticking_since = None if self.run.state.over else self._clock()
        return events

    def _step(self, before: View, events: tuple[Event, ...], state: State) -> MinigameStep:
        trophy, is_done = 0, self.run.state is not state
        if is_done:
            self._is_changed = True
            old = self.slot.record
            self.slot.record = old.with_run(self.run)
            if self.slot.record.trophy > old.trophy:
                trophy = self.slot.record.trophy
        return MinigameStep(before, self.view(), events, is_done, trophy)
