"""Comparing two ratings of one game: does a file still agree with a table?"""

from dataclasses import dataclass

from coach.recordings.recording import FILE, Recording


@dataclass(frozen=True)
class Comparison:
    """Two ratings of the same game."""

    n_common: int  # positions that both rate, by the same table as far as that is known
    different: tuple[int, ...]  # positions whose rates differ
    largest: float  # the largest difference of rates
    n_grades: int  # number of moves whose grades differ


def compare(old: Recording, new: Recording) -> Comparison:
    """Return the differences of two ratings of one game; a move without a rate counts as 0."""
    different, n_common, largest = [], 0, 0.0
    for i, (was, now) in enumerate(zip(old.rates, new.rates, strict=True)):
        if was is None or now is None or not _is_same_chance(old, new, i):
            continue
        n_common += 1
        # Compared at table resolution, ignoring the user's allowance for perfect moves.
        steps = old.tolerance_at(i).step, new.tolerance_at(i).step
        pairs = [(a or 0.0, b or 0.0) for a, b in zip(was, now, strict=True)]
        if any(abs(a - b) > max(step(max(a, b)) for step in steps) for a, b in pairs):
            different.append(i)
            largest = max(largest, *(abs(a - b) for a, b in pairs))
    grades = enumerate(zip(old.judgements, new.judgements, strict=True))
    n_grades = sum(
        bool(a and b and a.grade is not b.grade and _is_same_chance(old, new, i))
        for i, (a, b) in grades
    )
    return Comparison(n_common, tuple(different), largest, n_grades)


def _is_same_chance(old: Recording, new: Recording, i: int) -> bool:
    """Return whether two ratings of a position can be compared: rates for the same target."""
    if not new.has_raters:
        return True
    return new.rater_at(i) != FILE and new.rater_at(i) == old.table_at(i)
