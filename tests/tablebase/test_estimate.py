"""Estimates against what tables turned out to be: built here, or recorded by another program."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import NoReturn

import pytest

from tablebase.build.builder import BuildPlan, Progress, build
from tablebase.errors import BuildRefusedError, FormationError
from tablebase.formation.formation import Formation
from tablebase.formation.goal import Goal, largest_tile
from tablebase.formation.patterns_file import load_formations
from tablebase.memory.limits import MIN_BYTES
from tablebase.plan import estimate as plan_of_estimates
from tablebase.plan.advise import AdviceLimits, advise, quick_cost
from tablebase.plan.estimate import CPU_S_PER_IMAGE, RATE_BYTES, Estimate, estimate, work_of
from tablebase.plan.exact_count import count_boards, layer_slots
from tablebase.plan.known_costs import KNOWN_PATH, SAMPLED_PATH, Counted, Known, digest, load_known
from tablebase.store.options import TableOptions
from tablebase.store.rates import RATE_TYPES
from tests.bench.bench_estimate import known_text
from tests.child import run

FORMATIONS = load_formations()
# Boards stored by the reference program (tests/golden), reached targets included.
STORED = {("2x4", 256): 770_435, ("3x3", 128): 1_241_913, ("44", 256): 636_126}


def blind(name: str, target: int, **options: int) -> Estimate:
    """Estimate as if the formation were somebody's own."""
    return estimate(FORMATIONS[name], target, known={}, **options)


@pytest.mark.sample(1)
@pytest.mark.parametrize(("name", "target"), STORED)
def test_a_small_table_is_estimated_as_the_reference_program_found_it(name, target):
    """But for the reached targets, which the reference program stores and we do not."""
    found = blind(name, target).stored
    assert STORED[name, target] * 0.7 < found <= STORED[name, target]


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "target"), [("t", 64), ("442", 64), ("L1", 256)])
def test_somebody_elses_formation_is_estimated_within_30_percent(name, target):
    truth = load_known()[digest(FORMATIONS[name])][target]
    found = blind(name, target, pilot_slots=10_000_000, tries=12_000_000)
    assert truth.boards * 0.7 < found.boards < truth.boards * 1.3
    assert truth.stored * 0.7 < found.stored < truth.stored * 1.3
    assert truth.bytes
    assert truth.bytes * 0.7 < found.bytes < truth.bytes * 1.3


@pytest.mark.thorough
def test_in_a_hurry_half_the_target_has_to_do():
    formation = FORMATIONS["L3"]
    counts = load_known()[digest(formation)]
    for target, source in ((128, "trend"), (256, "samples")):
        known = {digest(formation): {64: counts[64]}}
        found = estimate(formation, target, known=known, pilot_slots=0, tries=1_000_000)
        assert found.source == source
        assert counts[target].boards * 0.7 < found.boards < counts[target].boards * 1.4


BETWEEN = [
    ("L3", 64, 256, 512),
    ("L3t", 64, 128, 1024),
    ("t", 128, 512, 1024),
    ("4421", 128, 512, 1024),
    ("4431", 64, 128, 1024),
    ("444", 64, 128, 2048),
]


@pytest.mark.parametrize(("name", "low", "target", "high"), BETWEEN)
def test_a_table_between_two_that_were_counted_is_told_at_once(name, low, target, high):
    formation = FORMATIONS[name]
    counts = load_known()[digest(formation)]
    known = {digest(formation): {one: counts[one] for one in (low, high)}}
    found, truth = estimate(formation, target, known=known, pilot_slots=0), counts[target]
    assert found.source == "trend"
    assert found == estimate(formation, target, known=known, pilot_slots=0, tries=1_000_000)
    assert found.boards == pytest.approx(truth.boards, rel=0.1)
    assert found.stored == pytest.approx(truth.stored, rel=0.25)
    if truth.bytes:
        assert found.bytes == pytest.approx(truth.bytes, rel=0.2)


# Measured: bytes at most, CPU seconds (where L3 -> 256 takes 9), table and working files.
MEASURED = [
    ("4431", 1024, (32_740_000_000, 24_100_000_000, 96_400_000_000), 4, 11.7, 4990, 28.1, 9.51),
    ("4421", 512, (1_749_827_941, 1_250_000_000, 4_875_000_000), 1, 1.45, 206, 2.9, None),
]


@pytest.mark.parametrize(
    ("name", "target", "counts", "sparse", "memory", "cpu_s", "size", "scratch"), MEASURED
)
def test_what_a_giant_takes_is_told_as_it_was_measured(
    name, target, counts, sparse, memory, cpu_s, size, scratch
):
    """From its boards: memory, room and working files within 20 %, time within a factor of 1.3."""
    formation, options = FORMATIONS[name], TableOptions(rate="uint16", sparse=sparse)
    known = {digest(formation): {target: Counted(*counts)}}
    told = estimate(formation, target, options, known)
    assert memory * 0.8e9 < told.memory_bytes < memory * 1.2e9
    assert cpu_s / 1.3 < told.cpu_s < cpu_s * 1.3
    assert size * 0.8e9 < told.bytes < size * 1.2e9
    assert scratch is None or scratch * 0.8e9 < told.scratch_bytes < scratch * 1.2e9


# Measured with --memory, while the largest layers were solved: files that have no names.
MAPPED = [("LL", 128, 568_000_000, 0.80, 1.30), ("free9", 128, 6_683_285_441, 2.84, 5.28)]


@pytest.mark.parametrize(("name", "target", "boards", "memory", "mapped"), MAPPED)
def test_what_has_no_room_in_memory_is_told_as_it_was_measured(
    name, target, boards, memory, mapped
):
    formation = FORMATIONS[name]
    known = {digest(formation): {target: Counted(boards, boards // 2, boards * 2)}}
    told = estimate(formation, target, known=known)
    assert told.scratch_within(None) == told.scratch_bytes
    assert told.scratch_within(told.memory_bytes) == told.scratch_bytes
    more = told.scratch_within(round(memory * 1e9)) - told.scratch_bytes
    assert mapped * 0.8e9 < more < mapped * 1.2e9


@pytest.mark.thorough
def test_a_large_table_is_sampled_and_a_small_one_counted():
    assert blind("44", 256).source == "counted"
    assert blind("44", 256, pilot_slots=1000, tries=36_000_000).source == "samples"


def test_few_boards_in_many_slots_are_counted():
    """Samples miss half of those with a chance: the tile has to come to one certain cell."""
    formation = Formation(
        name="own",
        category="own",
        masks=(0x0000_0000_0FFF_FFFF,),
        target_cells=0x0000_F000_0000_0000,
        symmetry="identity",
        seeds=(0x1000_0000_0FFF_FFFF,),
        extra_steps=16,
        walls=False,
    )
    slots = sum(layer_slots(formation, 64))
    truth = count_boards(formation, 64, threads=2)
    found = estimate(formation, 64, known={}, pilot_slots=slots // 4)
    assert found.source == "counted"
    assert (found.boards, found.stored) == (truth.boards, truth.stored)
    assert truth.bytes
    sampled = estimate(formation, 64, known={}, pilot_slots=0, tries=200_000)
    assert sampled.is_most
    assert truth.bytes < sampled.bytes


def test_a_table_that_was_counted_is_known():
    counted = {128: Counted(1000, 500, 2500)}
    found = estimate(FORMATIONS["L3"], 128, known={digest(FORMATIONS["L3"]): counted})
    assert (found.boards, found.stored, found.bytes, found.source) == (1000, 500, 2500, "counted")


def test_pilots_count_what_a_build_writes(tmp_path):
    built = build(BuildPlan(FORMATIONS["2x4"], 64, tmp_path / "2x4_64", threads=1))
    counted = count_boards(FORMATIONS["2x4"], 64, threads=2)
    assert (counted.boards, counted.stored) == (built.boards, built.stored)


def test_the_shipped_counts_are_those_of_tables_built_now():
    """A change of rules, formations or boards makes the file stale: run the bench again."""
    known = load_known()
    for name, target in (("2x4", 128), ("44", 128), ("L1", 128)):
        counted = known[digest(FORMATIONS[name])][target]
        now = count_boards(FORMATIONS[name], target)
        assert (counted.boards, counted.stored) == (now.boards, now.stored)


def test_the_trend_leads_to_what_was_counted():
    """From the counts for smaller targets alone, up to half of it: within 30 %."""
    n_compared, most = 0, 1.3
    for formation in FORMATIONS.values():
        counts = load_known().get(digest(formation), {})
        for target, truth in counts.items():
            smaller = {t: c for t, c in counts.items() if t < target}
            if len(smaller) < 2 or target // 2 not in smaller or not truth.stored:
                continue
            found = estimate(
                formation, target, known={digest(formation): smaller}, pilot_slots=0, tries=1
            )
            n_compared += 1
            assert truth.boards / most < found.boards < truth.boards * most, (
                formation.name,
                target,
            )
    assert n_compared > 3


def test_the_known_costs_survive_writing_and_reading(tmp_path):
    path = tmp_path / "known.json"
    known = load_known()
    names = {digest(formation): formation.name for formation in FORMATIONS.values()}
    path.write_text(known_text(known, names))
    assert load_known(path) == known


@pytest.mark.parametrize("text", ["", "[]", '{"tables": [1]}', '{"tables": [{"digest": 1}]}'])
def test_a_broken_file_of_costs_is_as_good_as_none(tmp_path, text):
    path = tmp_path / "known.json"
    path.write_text(text)
    assert load_known(path) == {}
    assert load_known(tmp_path / "absent.json") == {}


def test_a_changed_formation_is_not_known():
    keys = {digest(formation) for formation in FORMATIONS.values()}
    assert len(keys) == len(FORMATIONS)
    assert set(load_known()) <= keys
    assert set(load_known(SAMPLED_PATH)) <= keys


@pytest.mark.thorough
def test_advice_samples_nothing_of_the_formations_of_the_program(monkeypatch):
    """On a machine of 24 GB; it took four minutes."""

    def refuse(formation: Formation, target: Goal, *_: object) -> NoReturn:
        raise AssertionError(f"{formation.name} {target} is sampled: bench_estimate --sample FILE")

    def cost_of(formation: Formation, target: int) -> Estimate:
        return quick_cost(formation, target, 24e9, watch=lambda _: None)  # watched: not kept

    monkeypatch.setattr(plan_of_estimates, "sample_watched", refuse)
    found = advise(AdviceLimits(1e12, 24e9, 1e6, 2), FORMATIONS, cost_of=cost_of)
    assert sum(one.cost is not None and one.cost.source == "samples" for one in found) > 3


@pytest.mark.thorough
def test_samples_of_the_program_are_what_sampling_finds():
    """With a tenth of the tries, for all take half a minute: within a factor of two."""
    name, target = "442t", 256
    shipped = estimate(FORMATIONS[name], target)
    assert shipped.source == "samples"
    found = estimate(FORMATIONS[name], target, known={}, pilot_slots=0, tries=2_000_000)
    assert found != shipped, "sampled now"
    assert shipped.boards / 2 < found.boards < shipped.boards * 2
    assert shipped.stored / 2 < found.stored < shipped.stored * 2


def test_what_was_counted_is_believed_before_samples(monkeypatch):
    formation = FORMATIONS["442t"]
    true, told = Counted(3, 2, 9), Counted(300, 200, 900)

    def load(path: Path = KNOWN_PATH) -> Known:
        return {digest(formation): {256: told if path == SAMPLED_PATH else true}}

    monkeypatch.setattr(plan_of_estimates, "load_known", load)
    found = estimate(formation, 256, watch=lambda _: None)  # watched: not kept
    assert (found.boards, found.source) == (3, "counted")


def test_a_target_that_fits_nowhere_is_refused_before_anything_is_counted():
    """8 cells hold 512, 256, ... 8, 4, and the two 4 of the end may merge up to 512, not 1024."""
    assert largest_tile(FORMATIONS["2x4"]) == 512
    with pytest.raises(FormationError, match="no tile larger than 512"):
        estimate(FORMATIONS["2x4"], 1024, watch=lambda _: pytest.fail("it counts"))
    assert estimate(FORMATIONS["2x4"], 512).stored > 0


def test_more_threads_take_less_time():
    cost = estimate(FORMATIONS["L3"], 512)
    assert cost.wall_s(1) == pytest.approx(cost.cpu_s)
    assert cost.cpu_s / 2 < cost.wall_s(2) < cost.cpu_s
    assert cost.wall_s(2) < 0.6 * cost.cpu_s, "a second thread takes nearly half of the work"
    assert cost.cpu_s / 8 < cost.wall_s(8) < cost.cpu_s / 4


@pytest.mark.parametrize("kind", CPU_S_PER_IMAGE)
def test_a_billion_boards_take_minutes_of_a_processor(kind):
    """Whatever kind of work a formation is."""
    formation = next(one for one in FORMATIONS.values() if work_of(one) == kind)
    few, many = (
        estimate(formation, 512, known={digest(formation): {512: Counted(n, n, n)}}).cpu_s
        for n in (0, 1_000_000_000)
    )
    assert 30 < many - few < 1000


def test_the_smallest_table_takes_the_memory_of_the_program_itself():
    assert estimate(FORMATIONS["44"], 64).memory_bytes >= MIN_BYTES


def test_wider_rates_take_more_room():
    formation = FORMATIONS["2x4"]
    narrow, wide = estimate(formation, 64), estimate(formation, 64, TableOptions(rate="float64"))
    assert narrow.boards == wide.boards
    assert narrow.bytes < wide.bytes


def test_every_rate_type_has_its_size():
    assert set(RATE_BYTES) >= set(RATE_TYPES)


def test_a_sparse_table_takes_the_room_of_the_layers_it_keeps():
    formation = FORMATIONS["44"]
    whole = estimate(formation, 128)
    half, quarter = (estimate(formation, 128, TableOptions(sparse=k)) for k in (4, 8))
    assert half.bytes == pytest.approx(whole.bytes / 2, rel=0.05)  # two layers of every four
    assert quarter.bytes == pytest.approx(whole.bytes / 4, rel=0.1)
    assert (half.boards, half.cpu_s) == (whole.boards, whole.cpu_s)


def test_of_what_is_left_out_only_the_most_is_told():
    formation = FORMATIONS["44"]
    assert not estimate(formation, 128).is_most
    some = estimate(formation, 128, TableOptions(threshold=0.1))
    assert some.is_most
    assert some.bytes == estimate(formation, 128).bytes


def size_of(path: Path) -> int:
    """Return the size of a file; of one that another thread has just renamed, 0."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


@pytest.mark.thorough
def test_of_optimal_play_the_most_is_told_that_such_tables_had(tmp_path):
    formation, options = FORMATIONS["44"], TableOptions(optimal_only=True)
    whole, told, most = estimate(formation, 128), estimate(formation, 128, options), 0

    def look(_progress: Progress) -> None:
        nonlocal most
        most = max(most, sum(map(size_of, tmp_path.rglob("*.*"))))

    result = build(BuildPlan(formation, 128, tmp_path / "44_128", options, threads=1), look)
    assert told.is_most
    assert 0.6 * told.bytes < result.bytes < told.bytes < whole.bytes
    assert 0.5 * most < told.bytes + told.scratch_bytes < 2 * most
    assert told.cpu_s > whole.cpu_s


def test_options_that_contradict_each_other_have_no_estimate():
    with pytest.raises(BuildRefusedError, match="choose sparse 1"):
        estimate(FORMATIONS["44"], 128, TableOptions(sparse=4, optimal_only=True))


def test_what_cannot_be_built_has_no_estimate():
    with pytest.raises(FormationError, match="already have a 2048"):
        estimate(FORMATIONS["3x405"], 128)
    with pytest.raises(FormationError, match="100"):
        estimate(FORMATIONS["L3"], 100)


def test_slots_are_those_of_all_layers():
    assert len(layer_slots(FORMATIONS["44"], 64)) == 80


class EnoughError(Exception):
    """Nobody wants to know any more."""


@pytest.mark.sample(1)
@pytest.mark.parametrize("pilot_slots", [100_000_000, 0])
@pytest.mark.thorough
def test_an_estimate_tells_how_far_it_is_and_can_be_ended(pilot_slots):
    """Whether it builds the table in memory or draws samples."""
    told: list[float] = []
    formation = FORMATIONS["2x4"]

    def ask(watch: Callable[[float], None] | None) -> Estimate:
        return estimate(formation, 128, known={}, pilot_slots=pilot_slots, tries=10**6, watch=watch)

    assert ask(told.append) == ask(None)
    assert len(told) > 3
    assert told == sorted(told)
    assert 0.0 <= told[0] <= told[-1] <= 1.0

    def enough(fraction: float) -> None:
        if fraction >= told[-1] / 2:
            raise EnoughError

    with pytest.raises(EnoughError):
        ask(enough)


def test_a_target_that_never_comes_to_its_cell_is_told(tmp_path):
    """Far from the large tiles: to move it there would move them."""
    fields = {
        "name": "far", "category": "own", "masks": ["0x000000000fffffff"],
        "target_cells": "0xf000000000000000", "symmetry": "identity",
        "seeds": ["0x100000000fffffff"], "extra_steps": 16, "walls": False,
    }  # fmt: skip
    text = json.dumps({"version": 1, "formations": [fields]})
    (tmp_path / "patterns_config.json").write_text(text)
    told = run("--data-dir", tmp_path, "estimate", "far", "64")
    assert told.returncode == 0, told.stderr
    assert "none of its boards has a chance: the target never comes to a cell" in told.stdout
