"""Several builders of one table at once: one works, the others are refused, nothing is spoiled."""

import os
import sys
import time
from dataclasses import replace
from pathlib import Path

from engine.platform.errors import AppError
from tablebase.build.builder import build

from .campaign import Campaign, check_refusal, compare, finish, kept_or_wrong
from .children import Child, start_fork
from .subjects import Subject, contents
from .tally import Tally
from .wound import Wound

_TAKEN = "another builder"
_STALE = (b"", b"1", b"999999999", b"-5", b"\xff\xfe\x00", b"no number", b"7" * 100_000)


def rivals(campaign: Campaign, tally: Tally) -> None:
    """Run all kinds of rivalry."""
    builds = [subject for subject in campaign.subjects if subject.plan and subject.arguments]
    rounds = max(campaign.kills // 20, 2)
    for i in range(rounds):
        _second_comes_later(campaign, tally, builds[i % len(builds)])
        _second_comes_at_the_end(campaign, tally, campaign.small)
    for _ in range(3 * rounds):
        _three_at_once(campaign, tally, campaign.small)
    for subject in campaign.small_others:
        for _ in range(rounds):
            _three_at_once(campaign, tally, subject)
            _build_beside(campaign, tally, subject)
    for text in _STALE:
        _lock_of_the_dead(campaign, tally, text)


def _second_comes_later(campaign: Campaign, tally: Tally, subject: Subject) -> None:
    what = f"{subject.name}, a second builder"
    with campaign.room(subject) as room:
        first = subject.start(room, Wound(pause_s=0.001), fork=False)
        while first.poll() is None and not list(room.rglob("build.lock")):
            time.sleep(0.001)
        time.sleep(0.05)
        second = subject.start(room, fork=True)
        second.wait()
        check_refusal(tally, second, what, _TAKEN, str(first.pid))
        tally.expect(first.wait() == 0, f"{what}: the first ended with {first.status}")
        tally.count("second refused")
        compare(tally, contents(room / "tables"), campaign.undisturbed(subject).result, what)


def _second_comes_at_the_end(campaign: Campaign, tally: Tally, subject: Subject) -> None:
    """Start one after the other until one is let in while the first is finishing."""
    what = f"{subject.name}, a builder at the end of another"
    with campaign.room(subject) as room:
        first = subject.start(room, Wound(pause_s=0.002, pause_at="unlink"))
        while first.poll() is None and '"phase": "finish"' not in first.output:
            time.sleep(0.001)
        for _ in range(20):
            _let_in_or_refused(tally, [subject.start(room)], what)
            if first.poll() is not None:
                break
        tally.expect(first.wait() == 0, f"{what}: the first ended with {first.status}")
        finish(tally, campaign, subject, room, set(), what)


def _three_at_once(campaign: Campaign, tally: Tally, subject: Subject) -> None:
    """Three forks wait for the same moment."""
    what = f"{subject.name}, three at once"
    with campaign.room(subject) as room:
        start_at = time.monotonic() + 0.1

        def wait_and_build() -> int:
            while time.monotonic() < start_at:
                pass
            return subject.run(room)

        children = [start_fork(wait_and_build, Wound(), room) for _ in range(3)]
        n_built = _let_in_or_refused(tally, children, what)
        tally.expect(n_built, f"{what}: all were refused")
        kept = kept_or_wrong(tally, campaign, subject, room, set(), what)
        finish(tally, campaign, subject, room, kept, what)


def _build_beside(campaign: Campaign, tally: Tally, subject: Subject) -> None:
    """A command at work, and builds of the table that it takes from or makes, one after the other.

    A build of a table that is finished ends at once; any other is refused. Neither changes a byte.
    """
    what = f"{subject.name} beside a build"
    with campaign.room(subject) as room:
        first = subject.start(room, Wound(pause_s=0.003))
        while first.poll() is None:
            for folder in _tables_in(room):
                child = start_fork(lambda folder=folder: _build_in(campaign, folder), Wound(), room)
                _let_in_or_refused(tally, [child], what, "another builder", "import")
        tally.expect(first.status in (0, 2), f"{what}: {first.status} {first.errors[-300:]}")
        if first.status == 2:
            check_refusal(tally, first, what, _TAKEN)
        tally.count("built beside")
        finish(tally, campaign, subject, room, set(), what)


def _tables_in(room: Path) -> list[Path]:
    return [path.parent for path in (room / "tables").rglob("manifest.json")]


def _build_in(campaign: Campaign, folder: Path) -> int:
    """Build the small table in another folder than its own; return the exit status."""
    assert campaign.small.plan
    try:
        build(replace(campaign.small.plan(folder), folder=folder))
    except AppError as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    return 0


def _let_in_or_refused(tally: Tally, children: list[Child], what: str, *reasons: str) -> int:
    """Wait for builders; each ends well or is refused by name. Return how many ended well."""
    n_built = 0
    for child in children:
        if child.wait() == 0:
            tally.count("let in")
            n_built += 1
        else:
            tally.count("refused")
            check_refusal(tally, child, what, *(() if reasons else (_TAKEN,)))
            is_told = any(reason in child.errors for reason in reasons or (_TAKEN,))
            tally.expect(is_told, f"{what}: {child.errors[-300:]}")
    return n_built


def _lock_of_the_dead(campaign: Campaign, tally: Tally, text: bytes) -> None:
    """A lock file whose process is gone stops nobody, whatever it says."""
    subject, what = campaign.small, f"a lock with {text[:20]!r}"
    assert subject.plan
    with campaign.room(subject) as room:
        folder = subject.plan(room).folder
        folder.mkdir(parents=True)
        (folder / "build.lock").write_bytes(text)
        child = subject.start(room)
        tally.expect(child.wait() == 0, f"{what}: {child.errors}")
        finish(tally, campaign, subject, room, set(), what)
        (folder / "build.lock").write_bytes(text)  # beside a complete table
        finish(tally, campaign, subject, room, set(), what)
        _held(campaign, tally, folder, room, text)
        tally.count("stale locks")


def _held(campaign: Campaign, tally: Tally, folder: Path, room: Path, text: bytes) -> None:
    """The lock is really held, but its text is nonsense: refused all the same."""
    import fcntl

    os.unlink(folder / "manifest.json")
    with (folder / "build.lock").open("wb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        file.write(text)
        file.flush()
        child = campaign.small.start(room)
        child.wait()
        check_refusal(tally, child, f"a held lock with {text[:20]!r}", _TAKEN)
