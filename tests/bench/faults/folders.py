"""Folders that cannot be written to, go away, or hold what they should not."""

import errno
import os
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

from .campaign import Campaign, check_refusal, compare, finish
from .full_disks import read_only
from .kills import count_steps
from .subjects import Subject, contents
from .tally import Tally
from .wound import Wound


def locked_folders(campaign: Campaign, tally: Tally) -> None:
    """A read-only folder: nothing is built, but a complete table is complete and readable."""
    subject = next(one for one in campaign.subjects if one.plan)
    assert subject.plan
    with campaign.room(subject) as room, read_only(room / "tables") as is_locked:
        if not is_locked:
            tally.note("this system lets us make no folder read-only: only simulated")
        else:
            child = subject.start(room, fork=False)
            child.wait()
            check_refusal(tally, child, "a read-only folder", str(room / "tables"))
            tally.count("really read-only")
    for leftover in ("", "build.lock", "work"):
        _complete_and_locked(campaign, tally, subject, leftover)
    _partial_and_locked(campaign, tally, subject)
    for number in (errno.EROFS, errno.EACCES, errno.EPERM):
        _simulated(campaign, tally, number)


def _complete_and_locked(campaign: Campaign, tally: Tally, subject: Subject, leftover: str) -> None:
    assert subject.plan
    with campaign.room(subject) as room:
        subject.start(room).wait()
        folder, what = subject.plan(room).folder, f"a complete table, read-only, with {leftover!r}"
        if leftover == "work":
            (folder / "work").mkdir()
        elif leftover:
            (folder / leftover).write_text("12345")
        with read_only(room / "tables") as is_locked:
            if not is_locked:
                return
            for _ in range(2):
                child = subject.start(room)
                tally.expect(child.wait() == 0, f"{what}: {child.status} {child.errors}")
            tally.count("really read-only")
        finish(tally, campaign, subject, room, set(), what)


def _partial_and_locked(campaign: Campaign, tally: Tally, subject: Subject) -> None:
    with campaign.room(subject) as room:
        subject.start(room, Wound(at=400)).wait()
        before = contents(room / "tables")
        with read_only(room / "tables") as is_locked:
            if is_locked:
                child = subject.start(room)
                child.wait()
                check_refusal(tally, child, "a partial table, read-only", str(room / "tables"))
                compare(tally, contents(room / "tables"), before, "a partial table, read-only")
                tally.count("really read-only")
        finish(tally, campaign, subject, room, set(), "a partial table, read-only before")


def _simulated(campaign: Campaign, tally: Tally, number: int) -> None:
    """The same from an error of the system, at the start and in the middle."""
    n_steps = count_steps(campaign, campaign.small)
    for at in (0, n_steps // 3, 2 * n_steps // 3):
        what = f"{errno.errorcode[number]} from step {at}"
        with campaign.room(campaign.small) as room:
            child = campaign.small.start(room, Wound(at=at, how="fail", error=number))
            child.wait()
            check_refusal(tally, child, what, str(room / "tables"))
            tally.count("simulated")
            finish(tally, campaign, campaign.small, room, set(), what)


def vanishing_folders(campaign: Campaign, tally: Tally) -> None:
    """Remove, rename or rob the folder of a build that is at work."""
    rng = campaign.rng("vanishing")
    builds = [subject for subject in [campaign.small, *campaign.subjects] if subject.plan]
    for i in range(max(campaign.kills // 4, 8)):
        subject, hurt = builds[i % len(builds)], _HURTS[i % len(_HURTS)]
        assert subject.plan
        what = f"{subject.name}, {hurt.__name__}"
        with campaign.room(subject) as room:
            folder = subject.plan(room).folder
            pause_s = rng.choice([0.0005, 0.002])
            child = subject.start(room, Wound(pause_s=pause_s))
            time.sleep(rng.uniform(0.05, 1.0))
            hurt(folder, room / "aside", rng)
            if child.wait() == 0:
                tally.count("was too late to matter")
            else:
                tally.count("stopped")
                check_refusal(tally, child, what, str(folder))
            if folder.is_file():
                folder.unlink()
            finish(tally, campaign, subject, room, set(), what)


def _remove_all(folder: Path, _aside: Path, _rng: random.Random) -> None:
    shutil.rmtree(folder, ignore_errors=True)


def _rename(folder: Path, aside: Path, _rng: random.Random) -> None:
    if folder.exists():
        folder.rename(aside)


def _file_instead(folder: Path, aside: Path, rng: random.Random) -> None:
    _rename(folder, aside, rng)
    folder.write_text("in the way")


def _remove_work(folder: Path, _aside: Path, _rng: random.Random) -> None:
    shutil.rmtree(folder / "work", ignore_errors=True)


def _remove_some(folder: Path, _aside: Path, rng: random.Random) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    for path in rng.sample(files, min(3, len(files))):
        path.unlink(missing_ok=True)


def _remove_lock(folder: Path, _aside: Path, _rng: random.Random) -> None:
    (folder / "build.lock").unlink(missing_ok=True)


_HURTS: tuple[Callable[[Path, Path, random.Random], None], ...] = (
    *(_remove_all, _rename, _file_instead, _remove_work, _remove_some, _remove_lock),
)
_IN_THE_WAY = (
    *("manifest.json", "manifest.json.part", "work", "build.lock", "layer-0003.tbl"),
    *("layer-0003.tbl.part", "work/batch-0000.bits", "work/batch-0001.bits", "work/live-0003.f8"),
    *("work/live-0005.f8.part", "work/live-nonsense.f8", "work/live-.f8"),
)


def things_in_the_way(campaign: Campaign, tally: Tally) -> None:
    """Files where folders should be, folders where files should be, loops of links."""
    subject = campaign.small
    assert subject.plan
    for name in _IN_THE_WAY:
        for kind in ("file", "folder", "loop"):
            for step in (None, 40, 150):
                what = f"a {kind} called {name} after step {step}"
                with campaign.room(subject) as room:
                    folder = subject.plan(room).folder
                    if step is not None:
                        subject.start(room, Wound(at=step, keep_values=True)).wait()
                    _put(folder / name, kind)
                    child = subject.start(room, Wound(keep_values=True))
                    if child.wait(20) == 0:
                        tally.count("went on")
                    else:
                        tally.count("refused")
                        check_refusal(tally, child, what, str(folder))
                    _take(folder / name)
                    if child.status != 0 and not name.startswith("manifest"):
                        finish(tally, campaign, subject, room, set(), what)


def _put(path: Path, kind: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    _take(path)
    if kind == "file":
        path.write_bytes(b"\0 in the way")
    elif kind == "folder":
        path.mkdir()
        (path / "inside").write_text("in the way")
    else:
        os.symlink(path.name, path)


def _take(path: Path) -> None:
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(path)
    elif path.is_symlink() or path.exists():
        path.unlink()
