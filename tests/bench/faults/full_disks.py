"""Full disks: a limit on the size of files, an error at every step, and a small drive."""

import errno
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .campaign import Campaign, check_refusal, finish, kept_or_wrong
from .kills import count_steps
from .subjects import Subject
from .tally import Tally
from .wound import Wound

_PAGE = 1 << 12
_ERRORS = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def small_files(campaign: Campaign, tally: Tally) -> None:
    """No file may grow beyond a random size; then the limit is gone."""
    rng = campaign.rng("limits")
    for i in range(campaign.full):
        subject = campaign.subjects[i % len(campaign.subjects)]
        largest = max(map(len, campaign.undisturbed(subject).result.values()))
        limit = int(600 * (largest / 600) ** rng.uniform(0.0, 1.05))  # the message needs some
        what = f"{subject.name}, files up to {limit} bytes"
        with campaign.room(subject) as room:
            wound = Wound(file_limit=limit)
            child = subject.start(room, wound, fork=rng.random() < 0.8)
            if child.wait() == 0:
                tally.count("limit never met")
            else:
                tally.count("stopped by a limit")
                check_refusal(tally, child, what, "full", str(room))
            kept = kept_or_wrong(tally, campaign, subject, room, set(), what)
            finish(tally, campaign, subject, room, kept, what)


def failing_steps(campaign: Campaign, tally: Tally) -> None:
    """Every operation on the disk fails once, or it and all later ones."""
    for subject in (campaign.small, *campaign.small_others):
        rng = campaign.rng(f"failing {subject.name}")
        steps = range(count_steps(campaign, subject))
        for lasting in (True, False):
            n = min(len(steps), campaign.steps)
            for step in rng.sample(steps, n):
                number = rng.choice([*_ERRORS, errno.EIO])
                wound = Wound(at=step, how="fail", error=number, lasting=lasting)
                _fail_at(campaign, tally, subject, wound)


def _fail_at(campaign: Campaign, tally: Tally, subject: Subject, wound: Wound) -> None:
    told = f"{errno.errorcode[wound.error]} at step {wound.at}{' and after' * wound.lasting}"
    what = f"{subject.name}: {told}"
    with campaign.room(subject) as room:
        child = subject.start(room, wound)
        if child.wait() == 0:
            tally.count("failure did not matter")
        else:
            tally.count("stopped by a failure")
            said = ["full"] if wound.error in _ERRORS and subject.plan else []
            check_refusal(tally, child, what, *said, str(room))
        kept = kept_or_wrong(tally, campaign, subject, room, set(), what)
        finish(tally, campaign, subject, room, kept, what)


def small_drive(campaign: Campaign, tally: Tally) -> None:
    """A file system of its own, too small for the table; then it is enlarged."""
    rng = campaign.rng("drive")
    for i in range(max(campaign.full // 3, 3)):
        subject = campaign.subjects[i % len(campaign.subjects)]
        sizes = map(len, campaign.undisturbed(subject).result.values())
        total = sum(-(-size // _PAGE) * _PAGE for size in sizes)
        least = 0.02 if subject.plan else 1.02  # others start from a table that lies there
        size = max(int(total * rng.uniform(least, 1.3)), 4 * _PAGE)
        what = f"{subject.name} on a drive of {size} bytes"
        with campaign.room() as room, mounted(room / "tables", size) as is_mounted:
            if not is_mounted:
                tally.note("this system lets us mount no small drive: left out")
                return
            try:
                subject.prepare(room)
            except OSError:
                tally.count("too small to begin with")
                continue
            child = subject.start(room, Wound(keep_values=rng.random() < 0.5))
            if child.wait() == 0:
                tally.count("had room")
            else:
                tally.count("stopped by the drive")
                said = ["full"] if subject.plan else []  # others look for room before they begin
                check_refusal(tally, child, what, *said, str(room))
            kept = kept_or_wrong(tally, campaign, subject, room, set(), what)
            _command("mount", "-o", f"remount,size={10 * total + (64 << 20)}", room / "tables")
            finish(tally, campaign, subject, room, kept, what)


@contextmanager
def mounted(folder: Path, size: int) -> Iterator[bool]:
    """Put a file system of `size` bytes over `folder`; yield whether that was possible."""
    is_mounted = _command("mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", folder)
    try:
        yield is_mounted
    finally:
        if is_mounted:
            _command("umount", "-l", folder)


@contextmanager
def read_only(folder: Path) -> Iterator[bool]:
    """Let nobody write to `folder`, not even root; yield whether that was possible."""
    is_mounted = _command("mount", "--bind", folder, folder)
    is_locked = is_mounted and _command("mount", "-o", "remount,bind,ro", folder)
    try:
        yield is_locked
    finally:
        if is_mounted:
            _command("umount", "-l", folder)


def _command(*command: object) -> bool:
    try:
        return subprocess.run(list(map(str, command)), capture_output=True).returncode == 0
    except OSError:
        return False
