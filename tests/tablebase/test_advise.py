"""Which tables are advised, with costs that the tests make up."""

import pytest

from tablebase.formation.formation import Formation
from tablebase.formation.goal import TARGETS, SumGoal
from tablebase.formation.patterns_file import load_formations
from tablebase.plan.advise import AdviceLimits, TableAdvice, advise, purpose, worth
from tablebase.plan.estimate import Estimate

FORMATIONS = load_formations()
GB = 10**9
AMPLE = AdviceLimits(disk_bytes=1000 * GB, memory_bytes=100 * GB, seconds=1e6, threads=2)


def cost(n_bytes: float, memory: float = GB, cpu_s: float = 60.0) -> Estimate:
    return Estimate(10**6, 10**6, int(n_bytes), int(memory), cpu_s)


def by_target(formation: Formation, target: int) -> Estimate:
    """More free cells and larger targets cost more."""
    cells = 16 - formation.n_large
    return cost(target * 10 ** (cells - 6), memory=target * 10 ** (cells - 6))


def some(*names: str) -> dict[str, Formation]:
    return {name: FORMATIONS[name] for name in names}


def of(verdict: str, advice: list[TableAdvice]) -> list[tuple[str, int]]:
    return [(table.pattern, table.target) for table in advice if table.verdict == verdict]


@pytest.mark.parametrize("disk", [1e3, 1e6, 1e9, 1e12])
@pytest.mark.parametrize("hours", [0.01, 1, 100])
def test_all_advised_tables_fit_together(disk, hours):
    limits = AdviceLimits(disk, 10 * GB, hours * 3600, threads=2)
    chosen = [t for t in advise(limits, FORMATIONS, (), by_target) if t.verdict == "build"]
    assert sum(t.cost.bytes for t in chosen if t.cost) <= disk
    assert sum(t.wall_s for t in chosen) <= hours * 3600
    assert all(t.cost and t.cost.memory_bytes <= 10 * GB for t in chosen)


def test_more_room_means_more_tables():
    few = advise(AdviceLimits(1e7, GB, 1e6), FORMATIONS, (), by_target)
    many = advise(AMPLE, FORMATIONS, (), by_target)
    assert 0 < len(of("build", few)) < len(of("build", many))


def test_every_formation_is_in_the_list():
    advice = advise(AdviceLimits(1e7, GB, 1e6), FORMATIONS, (), by_target)
    worthy = {f.name for f in FORMATIONS.values() if any(worth(f, t) for t in TARGETS)}
    assert {table.pattern for table in advice} == worthy


@pytest.mark.parametrize(
    ("limits", "reason"),
    [
        (
            AdviceLimits(1.5 * GB, 100 * GB, 1e6),
            "needs 2.00 GB of disk space, more than the 1.50 GB available",
        ),
        (
            AdviceLimits(100 * GB, 2.5 * GB, 1e6),
            "needs 3.00 GB of memory, more than the 2.50 GB available",
        ),
        (
            AdviceLimits(100 * GB, 100 * GB, 3600),
            "takes 2 h 46 min to build, more than the 1 h available",
        ),
    ],
)
def test_what_is_too_large_says_what_it_needs(limits, reason):
    advice = advise(limits, some("L3"), (), lambda *_: cost(2 * GB, 3 * GB, 1e4))
    assert of("build", advice) == []
    assert [table.reason for table in advice] == [reason]


def test_what_no_longer_fits_says_what_is_left():
    limits = AdviceLimits(3 * GB, 100 * GB, 1e6)
    advice = advise(limits, some("L3", "3x3"), (), lambda *_: cost(2 * GB))
    assert len(of("build", advice)) == 1
    assert [t.reason for t in advice if t.verdict == "left out"] == [
        "needs 2.00 GB of disk space, more than the 1.00 GB left"
    ]


def test_what_is_built_costs_nothing_and_is_not_advised_again():
    limits = AdviceLimits(2 * GB, 100 * GB, 1e6)
    advice = advise(limits, some("L3"), [("L3", 512), ("gone", 64)], lambda *_: cost(2 * GB))
    assert of("built", advice) == [("L3", 512)]
    assert ("L3", 512) not in of("build", advice)


def test_sums_that_are_built_are_told_and_make_nothing_else_worth_less():
    walls, large, tile = ("3x3", SumGoal(1800)), ("L3", SumGoal(500)), ("L3", 64)
    with_sums = advise(AMPLE, FORMATIONS, (large, tile, walls), by_target)
    assert of("built", with_sums) == [walls, tile, large]
    assert of("build", with_sums) == of("build", advise(AMPLE, FORMATIONS, (tile,), by_target))
    words = {one.pattern: one.purpose for one in with_sums if isinstance(one.target, SumGoal)}
    assert words["3x3"] == "Perfect play on a board of 9 cells, up to a sum of 1,800."
    assert words["L3"] == (
        "Practice reaching a sum of 500 beside 6 large tiles, with 10 free cells."
    )


def test_the_cheaper_of_two_equals_comes_first():
    twins = some("L3", "442")

    def price(formation: Formation, target: int) -> Estimate:
        dear = formation.name == "L3"
        return cost(target * GB / 100 * (5 if dear else 1))

    first, *_ = of("build", advise(AdviceLimits(20 * GB, 100 * GB, 1e6), twins, (), price))
    assert first[0] == "442"
    order = of("build", advise(AMPLE, twins, (), lambda *_: cost(GB)))
    assert order[0][1] == 512  # what ends in a ladder of 32768, when all cost the same


def test_a_table_whose_every_rate_is_zero_is_not_advised():
    advice = advise(AMPLE, some("L3"), (), lambda *_: Estimate(10**6, 0, 0, GB, 60.0))
    assert of("build", advice) == []


def test_ladders_that_no_game_reaches_are_worth_nothing():
    assert worth(FORMATIONS["L3"], 2048) > 0  # 2048 * 2 ** 6 = 131072, the largest tile there is
    assert worth(FORMATIONS["L3"], 4096) == 0
    assert worth(FORMATIONS["2x4"], 512) > 0
    assert worth(FORMATIONS["2x4"], 1024) == 0
    assert worth(FORMATIONS["free10"], 512) > worth(FORMATIONS["L3"], 512)


def test_the_purpose_says_what_is_practiced():
    assert purpose(FORMATIONS["L3"], 512) == (
        "Practice making a 512 beside 6 large tiles (such as 1024 to 32768) "
        "that stay in place, with 10 free cells."
    )
    assert "wherever they stand, with 8 free cells" in purpose(FORMATIONS["free8"], 128)
    assert ", 2 of which may move, with 10" in purpose(FORMATIONS["L3t"], 512)
    assert purpose(FORMATIONS["3x3"], 512) == (
        "Perfect play on a board of 9 cells, up to the first 512."
    )


def test_limits_of_nothing_give_no_advice_to_build():
    advice = advise(AdviceLimits(1, 1, 1), FORMATIONS, (), by_target)
    assert of("build", advice) == []
    assert all(table.reason for table in advice)


def test_the_first_one_asked_for_leads_and_the_rest_follows():
    usual = of("build", advise(AMPLE, FORMATIONS, (), by_target))
    step = usual[5]
    led = of("build", advise(AMPLE, FORMATIONS, (), by_target, first=step))
    assert led[0] == step != usual[0]
    assert set(usual[:5]) < set(led)
    beyond = ("442", 1 << 14)
    assert of("build", advise(AMPLE, FORMATIONS, (), by_target, first=beyond)) == usual
