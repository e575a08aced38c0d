"""The profile for the pages: a query over the moves in the user's database, on a worker thread."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from coach.days import day_of
from engine.platform.tasks import OnError, Tasks
from gui.work.store_service import StoreService, nothing

if TYPE_CHECKING:
    from coach.mistakes.mistake import NotedMove
    from coach.profile.advice import Advice
    from coach.profile.facts import JudgedMoves
    from coach.profile.profile import Profile
    from coach.record.user_database import UserDatabase
    from tablebase.formation.formation import Formation


@dataclass(frozen=True)
class ProfileAndAdvice:
    """A profile and the advice based on it."""

    profile: "Profile"
    advice: "tuple[Advice, ...]"  # what to train, most important first


class ProfileService(StoreService["JudgedMoves"]):
    """The judged moves of the user; `formations` runs on the worker thread."""

    progressed = Signal(int, int)  # runs judged so far, and in total

    def __init__(
        self,
        database: "UserDatabase",
        formations: "Callable[[], Mapping[str, Formation]]",
        tasks: Tasks,  # a dedicated runner: the first profile looks at many moves
        now: Callable[[], datetime],
        begins: Callable[[], int],  # returns the hour at which a day begins
        parent: QObject | None = None,
    ) -> None:
        super().__init__(database, _open_facts, tasks, parent)
        self._formations, self._now, self._begins = formations, now, begins
        self._is_closing = threading.Event()
        # The state of the database, and what it gave.
        self._latest: tuple[object, ProfileAndAdvice | None] = None, None

    def read(
        self, done: Callable[[ProfileAndAdvice | None], None], failed: OnError = nothing
    ) -> None:
        """Call `done` with the current profile; None if there are no games yet."""
        begins = self._begins()
        today = day_of(self._now(), begins)

        def work(facts: "JudgedMoves") -> ProfileAndAdvice | None:
            from coach.profile.advice import what_to_train
            from coach.profile.profile import profile_of

            facts.judge_new(self._formations(), self.progressed.emit, self._is_closing.is_set)
            state = facts.state, today, begins
            if self._latest[0] != state:  # costly to compute, and usually nothing is new
                profile = profile_of(facts.all(), today, begins)
                advised = ProfileAndAdvice(profile, what_to_train(profile))
                self._latest = state, advised if profile.whole.n else None
            return self._latest[1]

        if self.is_there:
            self.ask(work, done, failed)
        else:  # don't create one just by looking
            done(None)

    def add_guess(self, move: "NotedMove", walls: bool) -> None:
        """Store a move made in Practice while the rates were hidden: `JudgedMoves.add_guess`."""
        self.change(lambda facts: facts.add_guess(move, walls))

    def ask_ai(self, done: Callable[[int], None], failed: OnError) -> None:
        """Have the AI judge moves it hasn't judged yet; `done` gets their number."""

        def work(facts: "JudgedMoves") -> int:
            from coach.profile.ai_answers import ask_ai, search_look

            return ask_ai(
                facts,
                search_look(),
                on_progress=self.progressed.emit,
                is_cancelled=self._is_closing.is_set,
            )

        self.change(work, done, failed)

    def stop(self) -> None:
        self._is_closing.set()


def _open_facts(database: "UserDatabase") -> "JudgedMoves":
    from coach.profile.facts import JudgedMoves

    return JudgedMoves(database)
