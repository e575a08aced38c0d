"""Tables of a sum of tiles, against brute force from the definition."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from agreement import assert_layer_agrees
from brute_force import is_beyond
from makers import every_other
from small_formations import rules_of
from sums import SumChances, sum_of

from tablebase.build.builder import BuildPlan, build
from tablebase.errors import BuildRefusedError, FormationError, ProbeError
from tablebase.formation.formation import Formation, check_buildable
from tablebase.formation.goal import SumGoal, TileGoal, goal_of, read_goal, typed_goal
from tablebase.plan.estimate import estimate
from tablebase.probe.reader import Tablebase
from tablebase.probe.verify import verify
from tablebase.store.manifest import load_manifest
from tablebase.store.options import TableOptions

FULL = (1 << 64) - 1


def walled(name: str, seed: int, symmetry: str = "identity") -> Formation:
    return Formation(
        name=name,
        category="others",
        masks=(),
        target_cells=FULL,
        symmetry=symmetry,
        seeds=(seed,),
        extra_steps=0,
        walls=True,
    )


WALLED = {
    one.name: one
    for one in (
        walled("2x2", 0x01FF_00FF_FFFF_FFFF),
        walled("2x3", 0x000F_001F_FFFF_FFFF),
        walled("gap", 0x010F_0F0F_000F_FFFF, "diagonal"),  # a wall amid nine cells
    )
}
# Between them all kernels: locked F, mirrored, oriented, diagonal, F that move, F anywhere.
CASES = {
    "2x2": 26,
    "2x3": 60,
    "gap": 64,
    "2x4": 56,
    "3x3": 40,
    "44": 44,
    "L1": 52,
    "tinymirror": 40,
    "tinyangle": 40,
    "tinyends": 44,
    "tinyloose": 40,
    "tinyfree": 52,
}
OPTIONS = {
    "plain": TableOptions(rate="float64"),
    "sparse": TableOptions(rate="float64", sparse=4),
    "best": TableOptions(optimal_only=True),
    "fours": TableOptions(rate="float64", spawn4=0.4),
}


class Solved:
    """The tables and the chances of all cases, made when first asked for."""

    def __init__(self, formations: dict[str, Formation], folder: Path) -> None:
        self.formations = formations | WALLED
        self._folder = folder
        self._chances: dict[tuple[str, float], SumChances] = {}

    def path(self, name: str, options: str = "plain") -> Path:
        folder = self._folder / options / f"{name}_sum{CASES[name]}"
        plan = BuildPlan(
            self.formations[name], SumGoal(CASES[name]), folder, OPTIONS[options], threads=2
        )
        build(plan)
        return folder

    def chances(self, name: str, spawn4: float = 0.1) -> SumChances:
        if (name, spawn4) not in self._chances:
            rules = replace(rules_of(self.formations[name], 64), spawn4=spawn4)
            self._chances[name, spawn4] = SumChances(rules, CASES[name])
            self._chances[name, spawn4].from_seeds()
        return self._chances[name, spawn4]


@pytest.fixture(scope="module")
def solved(formations: dict[str, Formation], tmp_path_factory: pytest.TempPathFactory) -> Solved:
    return Solved(formations, tmp_path_factory.mktemp("sums"))


def by_sum(chances: SumChances) -> dict[int, dict[int, float]]:
    found: dict[int, dict[int, float]] = {}
    for board, rate in chances.rates.items():
        found.setdefault(sum_of(board), {})[board] = rate
    return found


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "options"), every_other(CASES, ["plain", "fours"]))
def test_every_rate_below_the_sum_is_that_of_brute_force(name, options, solved):
    chances = by_sum(solved.chances(name, OPTIONS[options].spawn4))
    with Tablebase.open(solved.path(name, options)) as table:
        first, n_rates = 2 * table.formation.seed_half_sum, 0
        for layer in range(table.n_layers):
            total = first + 2 * layer
            known = chances.get(total, {}) if total < CASES[name] - 2 else {}
            rates = sorted((board, rate) for board, rate in known.items() if rate > 0)
            want = (
                np.array([board for board, _ in rates], np.uint64),
                np.array([rate for _, rate in rates], np.float64),
            )
            assert_layer_agrees(table.layer_boards(layer), want, "float64", layer)
            n_rates += len(rates)
        assert first + 2 * table.n_layers - 2 == CASES[name]
        assert n_rates == table.stored > 20


@pytest.mark.sample(1)
@pytest.mark.parametrize("options", OPTIONS)
@pytest.mark.parametrize("name", ["2x3", "2x4", "gap", "44", "tinyends", "tinyfree"])
def test_look_ups_answer_for_positions_up_to_the_sum_and_beyond(name, options, solved):
    chances = solved.chances(name, OPTIONS[options].spawn4)
    afters = list(chances.rates)[:: max(1, len(chances.rates) // 150)]
    n_reached = n_open = 0
    with Tablebase.open(solved.path(name, options)) as table:
        for after in afters:
            for pre in (after | 1 << 4 * cell for cell in range(16) if not after >> 4 * cell & 15):
                probe = table.probe(pre, comes_up=True)
                slides = chances.moves.slides(pre)
                for rate, moved in zip(probe.rates, slides, strict=True):
                    if moved == pre or not chances.moves.is_inside(moved):
                        assert rate is None
                    elif sum_of(pre) >= CASES[name] - 2:
                        assert rate == 1.0
                        n_reached += 1
                    elif rate is not None:
                        want = chances.of_after(chances.moves.canonical(moved))
                        assert rate == pytest.approx(want, abs=1e-9)
                        n_open += 1
                    else:
                        assert options == "best"
                if probe.best is not None and sum_of(pre) < CASES[name]:
                    assert probe.best_rate == pytest.approx(chances.of_position(pre), abs=1e-9)
    assert n_open > 50
    assert n_reached > 0


def test_what_is_beyond_the_sum_needs_no_layer(solved):
    with Tablebase.open(solved.path("2x4")) as table:
        assert table.rate_of(0xFFFF_6543_0000_FFFF) == 1.0
        assert table.rate_of(0xFFFF_9000_0000_FFFF) == 1.0
        assert table.probe(0xFFFF_9876_1000_FFFF).best_rate == 1.0
        assert table.probe(0xFFFF_9876_5432_FFFF).rates == (None,) * 4  # full, and nothing merges
        with pytest.raises(ProbeError):
            table.probe(0x0000_0000_0000_0000)


def test_a_tile_that_fills_the_board_reaches_the_sum(solved):
    """The sum counts as soon as it is there, move or no move."""
    total = CASES["2x2"]
    with Tablebase.open(solved.path("2x2")) as table:
        # 8 and 4 above 2: only a 4 makes 18 = the last but three; 16, 4, 2 and a 4 make 26.
        after = 0x4200_1000_0000_0000 | 0x00FF_00FF_FFFF_FFFF
        assert sum_of(after) == total - 4
        four = after | 2 << 40
        assert sum_of(four) == total
        rate = table.rate_of(after, comes_up=True)
        chances = solved.chances("2x2")
        assert rate == pytest.approx(chances.of_after(chances.moves.canonical(after)), abs=1e-12)


@pytest.mark.thorough
@pytest.mark.parametrize("options", OPTIONS)
def test_verify_finds_nothing_wrong(options, solved):
    for name in ("2x4", "44", "tinyends"):
        report = verify(solved.path(name, options), sample=300)
        assert report.ok, report.problems
        assert report.sampled == min(300, load_manifest(solved.path(name, options)).stored) or (
            options in ("sparse", "best")
        )


@pytest.mark.thorough
def test_a_start_has_the_chance_of_its_seed(solved):
    for name in CASES:
        chances = solved.chances(name)
        with Tablebase.open(solved.path(name)) as table:
            for seed in table.formation.seeds:
                want = chances.of_after(chances.moves.canonical(seed))
                assert table.rate_of(seed, comes_up=True) == pytest.approx(want, abs=1e-14)


def test_a_build_within_little_memory_is_the_same(solved, tmp_path):
    whole = solved.path("3x3")
    folder = tmp_path / "3x3_sum40"
    plan = BuildPlan(
        *(solved.formations["3x3"], SumGoal(40), folder, OPTIONS["plain"]),
        memory_bytes=1 << 29,
        threads=1,
    )
    build(plan)
    for file in whole.iterdir():
        assert file.read_bytes() == (folder / file.name).read_bytes()


@pytest.mark.parametrize("name", ["2x3", "2x4", "44", "tinyends"])
def test_the_estimate_of_a_small_one_is_counted(name, solved):
    found = estimate(solved.formations[name], SumGoal(CASES[name]))
    manifest = load_manifest(solved.path(name))
    assert found.source == "counted"
    assert (found.boards, found.stored) == (manifest.boards, manifest.stored)


@pytest.mark.thorough
def test_samples_tell_about_what_a_large_one_holds(formations):
    counted = estimate(formations["44"], SumGoal(180))
    assert counted.source == "counted"
    sampled = estimate(formations["44"], SumGoal(180), pilot_slots=0)
    assert sampled.source == "samples"
    assert sampled.boards == pytest.approx(counted.boards, rel=0.3)
    assert sampled.stored == pytest.approx(counted.stored, rel=0.3)


@pytest.mark.parametrize(
    ("name", "total", "why"),
    [
        ("2x4", 7, "even sum"),
        ("2x4", 0, "even sum"),
        ("2x4", 99_999_998, "even sum up to 32758"),
        ("2x4", 2, "already"),
        ("2x4", 1024, "8 free cells hold a sum of 1020 at most"),
        ("3x3", 2046, "9 free cells hold a sum of 2044 at most"),
        ("44", 4, "already"),
    ],
)
def test_a_sum_without_a_table_is_refused(name, total, why, formations, tmp_path):
    with pytest.raises(FormationError, match=why):
        check_buildable(formations[name], SumGoal(total))
    with pytest.raises((FormationError, BuildRefusedError), match=why):
        build(BuildPlan(formations[name], SumGoal(total), tmp_path / "t", threads=1))
    assert not (tmp_path / "t").exists()


def test_the_largest_sum_that_fits_has_a_table(formations):
    check_buildable(formations["2x4"], SumGoal(1020))
    check_buildable(formations["3x3"], SumGoal(1800))


@pytest.mark.parametrize(
    "text", ["sum", "sum-4", "sum+4", "sum4.0", "SUM40", " sum40", "sum40 ", "sum１８", "40sum", ""]
)
def test_a_word_that_is_no_goal_is_none(text):
    assert read_goal(text) is None


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        ("2k", TileGoal(2048)),
        (" 16K ", TileGoal(16384)),
        ("２０４８", TileGoal(2048)),
        ("sum-1790", SumGoal(1790)),
        ("Sum 1790", SumGoal(1790)),
        ("ｓｕｍ１７９０", SumGoal(1790)),
        ("512", TileGoal(512)),
        *((text, None) for text in ("-512", "k", "2kk", "sum--4", "sumk", "sum2k", "", "2.5k")),
    ],
)
def test_goals_are_read_as_people_type_them(text, goal):
    assert typed_goal(text) == goal
    assert type(typed_goal(text)) is type(goal)


def test_goals_are_values_in_order():
    assert read_goal("sum1800") == SumGoal(1800)
    assert str(SumGoal(1800)) == "sum1800"
    assert read_goal("256") == TileGoal(256) == 256
    goals = [SumGoal(60), TileGoal(128), SumGoal(40), TileGoal(64), 256]
    in_order = sorted(map(goal_of, goals), key=lambda goal: goal.order)
    assert in_order == [64, 128, 256, SumGoal(40), SumGoal(60)]
    assert SumGoal(256) != 256
    assert len({SumGoal(256), 256, TileGoal(256)}) == 2


def test_a_table_of_a_tile_is_told_from_one_of_a_sum(solved, table):
    assert b'"version": 2' in (table("2x4", 64) / "manifest.json").read_bytes()
    manifest = load_manifest(solved.path("2x4"))
    assert (manifest.name, manifest.target) == ("2x4_sum56", SumGoal(56))
    raw = (solved.path("2x4") / "manifest.json").read_bytes()
    assert b'"version": 3' in raw
    assert b'"target": "sum56"' in raw


class LimitedChances(SumChances):
    """With limits: boards beyond them count 0, but not where any new tile reaches the sum."""

    def of_after(self, after: int) -> float:
        layer = (sum_of(after) - sum_of(self.rules.seeds[0])) // 2
        if sum_of(after) + 2 >= self.total:
            return 1.0
        if layer >= 2 and is_beyond(self.rules, after):
            return 0.0
        return super().of_after(after)


@pytest.mark.parametrize("sparse", [1, 4])
def test_limits_end_no_board_that_is_sure_of_the_sum(sparse, formations, tmp_path):
    limits = {"most_equal": 2, "small_sum": 12, "large_from": 8}
    formation, total = formations["tinymirror"], 40
    options = TableOptions(rate="float64", sparse=sparse, **limits)
    build(BuildPlan(formation, SumGoal(total), tmp_path, options))
    chances = LimitedChances(rules_of(formation, 64, **limits), total)
    with Tablebase.open(tmp_path) as table:
        for board, rate in chances.from_seeds().items():
            found = table.rate_of(board, comes_up=True)
            assert (found or 0.0) == pytest.approx(rate, abs=1e-12)
