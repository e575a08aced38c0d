"""One run of a minigame from its first tile on: actions, undo and replay."""

import zlib
from collections import deque
from dataclasses import dataclass
from datetime import date

from engine.spawn import Rng
from minigames.registry import GAMES, rules_of
from minigames.rules import MinigameRules, Outcome
from minigames.state import Action, Event, State, read_log
from minigames.turn import Adversary

UNDO_DEPTH = 100
_STRIDE = 7  # step from one day's game to the next; coprime to the number of games
_SEEDS_BELOW = 1 << 53  # so that other programs read a seed in JSON exactly


@dataclass(frozen=True)
class MinigameReplay:
    """All data needed to replay a run."""

    game: str
    hard: bool
    seed: int
    log: str = ""  # the actions, in the format of `minigames.state.read_log`
    version: int = 1  # of the rules
    day: str = ""  # the date of a daily run, else ""


class MinigameRun:
    """A run in play; its seed is 0 to 2**53 - 1, `day` the date of a daily run, else ""."""

    def __init__(
        self, game: str, hard: bool, seed: int, adversary: Adversary | None = None, day: str = ""
    ) -> None:
        self.rules: MinigameRules = rules_of(game, hard=hard)
        self.seed, self.day, self.adversary = seed, day, adversary
        self.state = self.rules.start(seed)
        self.log: list[str] = []
        self.is_assisted = False  # a move was taken back, so it doesn't count
        self.past: deque[State] = deque(maxlen=UNDO_DEPTH)

    @property
    def can_undo(self) -> bool:
        return bool(self.past) and self.rules.undone(self.past[-1], self.state) is not None

    @property
    def replay(self) -> MinigameReplay:
        spec = self.rules.spec
        return MinigameReplay(
            spec.name, self.rules.hard, self.seed, " ".join(self.log), spec.version, self.day
        )

    def think(self, action: Action) -> Outcome:
        """Return the outcome of an action without performing it; safe from any thread."""
        return self.rules.play(self.state, action, self.adversary)

    def do(self, action: Action, outcome: Outcome | None = None) -> tuple[Event, ...]:
        """Perform an action; return the events, none if it was not allowed.

        Passing time does not add to the undo history. `outcome` is the result of `think` for this
        same action.
        """
        if action.kind == "undo":
            self._undo(action)
            return ()
        before = self.state
        self.state, events = outcome or self.think(action)
        if self.state is before:
            return ()
        if action.kind not in ("tick", "peek"):
            self.past.append(before)
        self.log.append(action.short)
        return events

    def undo(self) -> bool:
        """Undo the last move or tool; return whether there was one."""
        before = self.state
        self.do(Action("undo"))
        return self.state is not before

    def _undo(self, action: Action) -> None:
        if not self.past:
            return
        state = self.rules.undone(self.past[-1], self.state)
        if state is None:
            return
        self.past.pop()
        self.state, self.is_assisted = state, True
        self.log.append(action.short)


def play_again(
    replay: MinigameReplay, adversary: Adversary | None = None
) -> tuple[MinigameRun, list[State]]:
    """Return a run with all actions of a replay performed, and its states; raise AppError.

    The first state is its beginning; the passing of time adds none.
    """
    run = MinigameRun(replay.game, replay.hard, replay.seed, adversary, replay.day)
    states = [run.state]
    for action in read_log(replay.log):
        run.do(action)
        if action.kind != "tick":
            states.append(run.state)
    return run, states


def daily_seed(game: str, hard: bool, day: date) -> int:
    """Return the seed of a day, the same for everybody.

    >>> daily_seed("ice_age", False, date(2026, 1, 1)) == daily_seed(
    ...     "ice_age", False, date(2026, 1, 2)
    ... )
    False
    """
    name = f"{game} {'hard' if hard else 'normal'} {day.isoformat()}"
    low, high = zlib.crc32(name.encode()), zlib.crc32(name[::-1].encode())
    return Rng(high << 32 | low).next_u64() % _SEEDS_BELOW


def new_seed(random_bits: int) -> int:
    return random_bits % _SEEDS_BELOW


def daily_game(day: date) -> str:
    """Return the game of a day: the same for everybody, each once until all had their turn."""
    names = list(GAMES)
    return names[day.toordinal() * _STRIDE % len(names)]
