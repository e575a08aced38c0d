"""Clocks that jump by hours and years, in both directions, at random calls."""

import json
import math
import os

from .campaign import Campaign, compare
from .subjects import contents
from .tally import Tally
from .wound import Wound

_YEAR_S = 365.25 * 86400


def clocks(campaign: Campaign, tally: Tally) -> None:
    """Build under a clock that jumps; the bytes are the same and the output makes sense."""
    rng = campaign.rng("clocks")
    builds = [subject for subject in [campaign.small, *campaign.subjects] if subject.plan]
    for i in range(max(campaign.kills // 5, 4)):
        subject, seed = builds[i % len(builds)], rng.randrange(1 << 30)
        what = f"{subject.name}, clock {seed}"
        with campaign.room(subject) as room:
            if rng.random() < 0.5:  # existing files come from another century
                before = subject.start(room, Wound(at=rng.randrange(60, 400)))
                before.wait()
                _change_times(room / "tables", rng.choice([0, 40 * _YEAR_S, 100 * _YEAR_S]))
            child = subject.start(room, Wound(clock_seed=seed), fork=rng.random() < 0.9)
            if tally.expect(child.wait(60) == 0, f"{what}: {child.status} {child.errors[-300:]}"):
                tally.count("builds")
                _check_events(tally, child.output, what)
                result = campaign.undisturbed(subject).result
                compare(tally, contents(room / "tables"), result, what)


def _change_times(folder: os.PathLike[str], seconds: float) -> None:
    for top, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.utime(os.path.join(top, name), (seconds, seconds))


def _check_events(tally: Tally, output: str, what: str) -> None:
    """No reported time is negative or not a number."""
    for line in output.splitlines():
        event = json.loads(line)
        tally.count("events checked")
        for name in ("eta_s", "elapsed_s", "fraction", "cpu_s"):
            value = event.get(name)
            is_sane = value is None or (math.isfinite(value) and value >= 0)
            tally.expect(is_sane, f"{what}: {name} is {value} in {line}")
        tally.expect(event.get("fraction", 0) <= 1, f"{what}: {line}")
