"""The facts of a profile as the pages ask for them: one database behind one worker thread."""

import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gui.core.lookup import OnError, Tasks
from gui.core.store_service import StoreService, nothing

if TYPE_CHECKING:
    from coach.mistakes.mistake import NotedMove
    from coach.profile.advice import Advice
    from coach.profile.facts import Facts
    from coach.profile.profile import Profile
    from coach.routes.run import RouteFormation


_PLAYED = ("tests", "routes.db", "situations.db")  # of which a profile is made


@dataclass(frozen=True)
class Portrait:
    """A profile, and what follows from it.

    Attributes
    ----------
    profile : Profile
    advice : tuple of Advice
        What to train, the first thing first.
    """

    profile: "Profile"
    advice: "tuple[Advice, ...]"


class ProfileService(StoreService["Facts"]):
    """The database of facts, kept up to date with what was played.

    Parameters
    ----------
    folder : Path
        DATA, with the database and all that was played here.
    formations : callable
        Returns the formations by name; runs on the worker thread.
    tasks : Tasks
        A runner of its own: the first time many tests are read.
    now : callable
        Returns the time here, with its zone.

    Signals
    -------
    progressed : int, int
        So many tests are read, of so many.
    """

    progressed = Signal(int, int)

    def __init__(
        self,
        folder: Path,
        formations: "Callable[[], Mapping[str, RouteFormation]]",
        tasks: Tasks,
        now: Callable[[], datetime],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(folder / "profile.db", _open_facts, tasks, parent)
        self._folder = folder
        self._formations, self._now = formations, now
        self._is_closing = threading.Event()
        self._latest: tuple[object, Portrait | None] = None, None  # of which state, and what

    def read(self, done: Callable[[Portrait | None], None], failed: OnError = nothing) -> None:
        """Call `done` with the profile as it is now; None where there is no game yet."""
        today = self._now().date()

        def work(facts: "Facts") -> Portrait | None:
            from coach.profile.advice import what_to_train
            from coach.profile.profile import profile_of

            told = self.progressed.emit, self._is_closing.is_set
            facts.take_all(self._folder, self._formations(), *told)
            state = facts.state, today
            if self._latest[0] != state:  # much to add up, and mostly nothing is new
                profile = profile_of(facts.all(), today)
                portrait = Portrait(profile, what_to_train(profile)) if profile.whole.n else None
                self._latest = state, portrait
            return self._latest[1]

        played = (self.path, *(self._folder / name for name in _PLAYED))
        if any(one.exists() for one in played):
            self.ask(work, done, failed)
        else:  # none is made by looking
            done(None)

    def add_guess(self, move: "NotedMove", walls: bool) -> None:
        """Keep a move made in Practice while the rates were hidden; see `Facts.add_guess`."""
        self.change(lambda facts: facts.add_guess(move, walls))

    def ask_ai(self, done: Callable[[int], None], failed: OnError) -> None:
        """Ask the AI about moves that it was not asked about; `done` gets how many there were."""

        def work(facts: "Facts") -> int:
            from coach.profile.ai_answers import ask_ai, search_look

            return ask_ai(
                facts,
                search_look(),
                told=self.progressed.emit,
                is_cancelled=self._is_closing.is_set,
            )

        self.change(work, done, failed)

    def stop(self) -> None:
        """End what is under way soon: the program is closed."""
        self._is_closing.set()


def _open_facts(path: Path) -> "Facts":
    """Open the database; what does so is imported when it is first asked."""
    from coach.profile.facts import Facts

    return Facts(path)
