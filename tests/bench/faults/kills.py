"""Kills: at random moments, at the change of a phase, and before every single step."""

import os
import signal
import time
from dataclasses import replace

from .campaign import Campaign, finish, kept_or_wrong, phase_of
from .children import KILLED
from .subjects import UNHURT, Kept, Subject
from .tally import Tally
from .wound import Wound

_PROGRAM_SHARE = 0.15  # of the children; the others are forks, which start sooner
_PHASES = ("expand", "solve", "finish")


def random_kills(campaign: Campaign, tally: Tally) -> None:
    """Kill, resume and kill again, until so many were killed; finish what is left."""
    rng = campaign.rng("kills")
    n_killed = 0
    while n_killed < campaign.kills:
        subject = campaign.subjects[n_killed % len(campaign.subjects)]
        seconds = campaign.undisturbed(subject).seconds
        with campaign.room(subject) as room:
            kept: Kept = set()
            for _ in range(rng.randrange(1, 8)):
                fork = rng.random() > _PROGRAM_SHARE
                pause_s = rng.choice([0.0, 0.0, 0.001, 0.003])
                wound = Wound(pause_s=pause_s, keep_values=rng.random() < 0.5)
                child = subject.start(room, wound, fork=fork)
                slack = (0.0 if fork else 0.5) + 1200 * pause_s
                if child.lasts(rng.uniform(0.0, 1.0) * (seconds + slack)):
                    child.kill()
                if child.status == KILLED:
                    n_killed += 1
                    tally.count(f"killed in {_where(subject, phase_of(child))}")
                elif not tally.expect(child.status == 0, f"{subject.name}: {child.errors}"):
                    break
                kept = kept_or_wrong(tally, campaign, subject, room, kept, subject.name)
            finish(tally, campaign, subject, room, kept, subject.name)


def _where(subject: Subject, phase: str) -> str:
    return phase if subject.plan else subject.verb


def kills_at_phases(campaign: Campaign, tally: Tally) -> None:
    """Kill a slowed build a moment after it has reported the start of a phase."""
    rng = campaign.rng("phases")
    subjects = [subject for subject in campaign.subjects if subject.plan]
    for i in range(max(campaign.kills // 5, 3)):
        subject, phase = subjects[i // 3 % len(subjects)], _PHASES[i % 3]
        with campaign.room(subject) as room:
            wound = Wound(pause_s=0.002, pause_at=rng.choice(["", "unlink", "replace"]))
            child = subject.start(room, wound)
            while child.poll() is None and f'"phase": "{phase}"' not in child.output:
                time.sleep(0.001)
            time.sleep(rng.choice([0.0, rng.uniform(0.0, 0.02), rng.uniform(0.0, 0.2)]))
            child.kill()
            tally.count(f"killed in {phase}" if child.status == KILLED else "ended before")
            kept = kept_or_wrong(tally, campaign, subject, room, set(), subject.name)
            finish(tally, campaign, subject, room, kept, subject.name)


def kills_at_every_step(campaign: Campaign, tally: Tally) -> None:
    """Kill before every operation on the disk, in the middle of every write, cut the power."""
    _steps_of(campaign, tally, campaign.small, Wound())
    _steps_of(campaign, tally, campaign.small, Wound(keep_values=True))
    for subject in campaign.small_others:
        _steps_of(campaign, tally, subject, Wound())


def kills_while_streaming(campaign: Campaign, tally: Tally) -> None:
    """Do the same to builds whose arrays are all mapped; they end as well as the others."""
    _steps_of(campaign, tally, campaign.small, Wound(keep_values=True, streams=True))
    for subject in campaign.subjects:
        if subject.plan:
            _steps_of(campaign, tally, subject, Wound(streams=True))


def _steps_of(campaign: Campaign, tally: Tally, subject: Subject, like: Wound) -> None:
    n_steps = count_steps(campaign, subject, like)
    tally.count(f"steps of {subject.verb}", n_steps)
    for how in ("die", "tear", "power"):
        rng = campaign.rng(f"{subject.name} {how} {like.keep_values}")
        steps = range(n_steps)
        chosen = steps if n_steps <= campaign.steps else rng.sample(steps, campaign.steps)
        for step in chosen:
            again = rng.randrange(n_steps) if rng.random() < 0.5 else None
            wounds = [replace(like, at=at, how=how) for at in (step, again) if at is not None]
            _kill_at(campaign, tally, subject, wounds)


def _kill_at(campaign: Campaign, tally: Tally, subject: Subject, wounds: list[Wound]) -> None:
    """Kill at one step; perhaps kill the resumed command as well; finish."""
    what = f"{subject.name}: " + ", then ".join(f"{one.how} at step {one.at}" for one in wounds)
    with campaign.room(subject) as room:
        kept: Kept = set()
        for wound in wounds:
            child = subject.start(room, replace(wound, spoil=str(room / "tables")))
            child.wait()
            if child.status == KILLED:
                tally.count({"die": "killed", "tear": "killed", "power": "power cuts"}[wound.how])
            elif not tally.expect(child.status == 0, f"{what}: {child.errors[-300:]}"):
                return
            kept = kept_or_wrong(tally, campaign, subject, room, kept, what)
        finish(tally, campaign, subject, room, kept, what)


def count_steps(campaign: Campaign, subject: Subject, like: Wound = UNHURT) -> int:
    """Return the number of a command's operations on the disk."""
    with campaign.room(subject) as room:
        tell = room / "steps"
        child = subject.start(room, replace(like, tell=str(tell)))
        if child.wait() != 0:
            raise SystemExit(f"{subject.name}: {child.errors}")
        return int(tell.read_text())


def cancelled(campaign: Campaign, tally: Tally) -> None:
    """Ask builds to stop, politely, at random moments: status 3 or 0, and resumable."""
    rng = campaign.rng("cancel")
    subjects = [subject for subject in campaign.subjects if subject.arguments]
    for i in range(max(campaign.kills // 20, 2)):
        subject = subjects[i % len(subjects)]
        with campaign.room(subject) as room:
            child = subject.start(room, Wound(pause_s=0.001))
            time.sleep(rng.uniform(0.1, 1.0))
            if child.poll() is None:
                os.kill(child.pid, signal.SIGTERM)
            child.wait()
            if child.status in (3, -signal.SIGTERM) and phase_of(child) == "before":
                tally.count("ended before it listened")
            else:
                told = f"{subject.name}: {child.status} {child.errors}"
                tally.expect(child.status in (0, 3), told)
                tally.count("cancelled" if child.status == 3 else "ended before")
            tally.expect(not list(room.rglob("*.part")), f"{subject.name}: .part left")
            kept = kept_or_wrong(tally, campaign, subject, room, set(), subject.name)
            finish(tally, campaign, subject, room, kept, subject.name)
