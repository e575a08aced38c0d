"""Formatted quantities for the window: `engine.platform.quantities` without line breaks inside."""

import re

from engine.platform.language import trn
from engine.platform.quantities import bytes_text, count_text, span_text
from tablebase.formation.goal import Goal, goal_of, read_goal

NBSP = "\u00a0"
_GAP = re.compile(r"(?<=\d) (?=[^\W\d])")


def format_bytes(n_bytes: float) -> str:
    """Return a size, `4.12 MB`."""
    return _unbroken(bytes_text(n_bytes))


def format_count(count: float) -> str:
    """Return a number in three digits, `98.5 M`."""
    return _unbroken(count_text(count))


def moves_text(n: int) -> str:
    return trn("{n} move", "{n:,} moves", n)


def format_whole(number: int) -> str:
    """Return a whole number in full, `1,084`."""
    return f"{number:,}"


def format_seconds(seconds: float, tenths: bool = False) -> str:
    """Return a span of time in the two units that matter, `3 min 20 s`; a short one in tenths."""
    return _unbroken(span_text(seconds, tenths))


def format_percent(share: float) -> str:
    """Return a share in [0, 1] as a rounded whole percentage; 100 % only for exactly 1.

    >>> format_percent(4 / 6).split()[0], format_percent(0.999).split()[0]
    ('67', '99')
    """
    percent = 100 if share >= 1 else min(99, round(share * 100))
    return f"{percent}{NBSP}%"


def format_percentage(share: float) -> str:
    """Return a round share for an axis: `0.01 %`, `95 %`."""
    return f"{share * 100:.6g}{NBSP}%"


def format_table(pattern: str, target: Goal | int) -> str:
    return f"{pattern} \u2192 {goal_of(target).words()}" if target else pattern


def table_title(name: str) -> str:
    """Return a table's displayed name: `442 \u2192 128` for "442_128"."""
    pattern, _, target = name.rpartition("_")
    goal = read_goal(target)
    return format_table(pattern, goal) if pattern and goal is not None else name


def _unbroken(text: str) -> str:
    return _GAP.sub(NBSP, text)
