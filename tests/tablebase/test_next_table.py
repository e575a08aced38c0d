"""The next table to build: a step up in size from those that are there."""

from child import python

from tablebase.plan.known_costs import Counted, digest
from tablebase.plan.purpose import next_table

MB = 1_000_000


def known_of(formations, counts):
    known = {}
    for (name, target), (boards, n_bytes) in counts.items():
        stored = boards if n_bytes else 0
        by_target = known.setdefault(digest(formations[name]), {})
        by_target[target] = Counted(boards, stored, n_bytes)
    return known


COUNTS = {
    ("442", 64): (50, MB),
    ("442", 128): (100, 10 * MB),
    ("L3", 128): (300, 30 * MB),
    ("442", 256): (200, 20 * MB),
    ("44", 1024): (150, None),
    ("3x3", 512): (160, MB),
}


def step(formations, built, room=float("inf")):
    found = next_table(formations, built, room, known_of(formations, COUNTS))
    return found and (found.pattern, found.target, found.n_bytes)


def test_it_is_the_smallest_that_is_larger_than_all_there_are(formations):
    assert step(formations, {("442", 128): 100}) == ("442", 256, 20 * MB)
    assert step(formations, {("442", 128): 100, ("442", 256): 0}) == ("L3", 128, 30 * MB)


def test_too_easy_targets_boards_between_walls_and_empty_tables_are_no_steps(formations):
    assert step(formations, {}) == ("442", 128, 10 * MB)


def test_a_table_that_nobody_counted_is_a_step_too(formations):
    assert step(formations, {("4442", 512): 250}) == ("L3", 128, 30 * MB)


def test_one_that_finds_no_room_is_not_offered(formations):
    assert step(formations, {("442", 128): 100}, room=39 * MB) is None
    assert step(formations, {("442", 128): 100}, room=40 * MB) is not None


def test_nothing_is_left_after_the_largest(formations):
    assert step(formations, {("L3", 128): 300}) is None


def test_it_needs_no_compiler():
    code = (
        "import sys\nfrom tablebase.formation.patterns_file import load_formations\n"
        "from tablebase.plan.purpose import next_table\n"
        "found = next_table(load_formations(), {('442', 128): 0})\n"
        "print(found.purpose.split()[0], 'numba' in sys.modules)"
    )
    assert python(code).split() == ["Practice", "False"]
