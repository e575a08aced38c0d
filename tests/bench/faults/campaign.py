"""Shared by all scenarios: numbers, chance, rooms, and the undisturbed results."""

import json
import random
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from .children import Child
from .subjects import Kept, LostLayerError, Subject, contents
from .tally import Tally
from .wound import Wound

_MAX_ATTEMPTS = 8


@dataclass
class Undisturbed:
    """The result of a subject that nothing disturbs, and its time."""

    result: dict[str, bytes]
    seconds: float


@dataclass
class Campaign:
    """The numbers of one run; scenarios take rooms and results from here.

    Attributes
    ----------
    folder : Path
        Its own temporary folder.
    small : Subject
        Takes a few hundredths of a second; for trying every step of something.
    subjects : list of Subject
        Everything that is killed at random.
    small_others : list of Subject
        Other subjects as fast as `small`.
    references : list of Path
        Small tables as the reference program lays them out.
    """

    folder: Path
    kills: int
    full: int
    mutations: int
    seed: int
    steps: int
    small: Subject
    subjects: Sequence[Subject]
    small_others: Sequence[Subject] = ()
    references: Sequence[Path] = ()
    threads: int = 2
    _undisturbed: dict[str, Undisturbed] = field(default_factory=dict)
    _n_rooms: int = 0

    def rng(self, name: str) -> random.Random:
        """Return a generator that depends on the seed and a name alone."""
        return random.Random(f"{self.seed} {name}")

    @contextmanager
    def room(self, subject: Subject | None = None) -> Iterator[Path]:
        """Yield a fresh room, prepared for a subject; it is gone afterwards."""
        self._n_rooms += 1
        room = self.folder / f"room{self._n_rooms:05d}"
        (room / "tables").mkdir(parents=True)
        try:
            if subject:
                subject.prepare(room)
            yield room
        finally:
            shutil.rmtree(room, ignore_errors=True)

    def undisturbed(self, subject: Subject) -> Undisturbed:
        """Return the right result of a subject."""
        if subject.name not in self._undisturbed:
            with self.room(subject) as room:
                started = time.monotonic()
                child = subject.start(room)
                if child.wait() != 0:
                    raise SystemExit(f"{subject.name} fails undisturbed: {child.errors}")
                seconds = time.monotonic() - started
                self._undisturbed[subject.name] = Undisturbed(contents(room / "tables"), seconds)
        return self._undisturbed[subject.name]


def check_refusal(tally: Tally, child: Child, what: str, *mentioned: str) -> None:
    """A command that could not go on ends with status 2 and one line that names the place."""
    lines = child.errors.strip().splitlines()
    told = [line for line in lines if line.startswith("error: ")]
    tally.expect(child.status == 2, f"{what}: status {child.status}, {lines[-3:]}")
    tally.expect("Traceback" not in child.errors, f"{what}: a traceback: {lines[-3:]}")
    if tally.expect(len(told) == 1, f"{what}: expected one line of error, found {lines[-3:]}"):
        for text in mentioned:
            tally.expect(text in told[0], f"{what}: {text!r} is not in {told[0]!r}")


def phase_of(child: Child) -> str:
    """Return the phase of a killed build, by its output."""
    for line in reversed(child.output.splitlines()):
        try:
            event = json.loads(line)
        except ValueError:
            continue
        if "phase" in event:
            return str(event["phase"])
    return "before"


def kept_or_wrong(
    tally: Tally, campaign: Campaign, subject: Subject, room: Path, before: Kept, what: str
) -> Kept:
    """Return the layers kept now; record those that were kept before and are gone."""
    try:
        now = subject.kept(room, campaign.undisturbed(subject).result)
    except LostLayerError as error:
        tally.wrong(f"{what}: {error}")
        return before
    lost = before - now
    tally.expect(not lost, f"{what}: lost or written again: {sorted(map(str, lost))[:3]}")
    tally.count("recorded layers checked", len(now))
    return now


def finish(
    tally: Tally, campaign: Campaign, subject: Subject, room: Path, before: Kept, what: str
) -> None:
    """Repeat the command until it ends, and compare everything with the undisturbed result."""
    child = None
    for _ in range(_MAX_ATTEMPTS):
        child = subject.start(room, Wound())
        if child.wait() == 0:
            break
    assert child is not None
    if not tally.expect(child.status == 0, f"{what}: does not end: {child.errors.strip()[-300:]}"):
        return
    result = campaign.undisturbed(subject).result
    kept_or_wrong(tally, campaign, subject, room, before, what)
    compare(tally, contents(room / "tables"), result, what)


def compare(tally: Tally, found: dict[str, bytes], result: dict[str, bytes], what: str) -> None:
    """Record how two folders differ."""
    more, less = sorted(set(found) - set(result)), sorted(set(result) - set(found))
    other = sorted(name for name in set(found) & set(result) if found[name] != result[name])
    tally.expect(not more, f"{what}: left behind {more[:3]}")
    tally.expect(not less, f"{what}: missing {less[:3]}")
    tally.expect(not other, f"{what}: other bytes in {other[:3]}")
    tally.count("results compared")
