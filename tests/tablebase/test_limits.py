"""Tables with limits and without low rates: what is left out, lower bounds, messages."""

import json
import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import brute_force
import brute_force_arrays
import numpy as np
import pytest
from agreement import assert_layer_agrees, stored_boards
from brute_force import Solution
from child import contents, json_lines, run
from makers import every_other
from small_formations import rules_of

import endgame2048 as eg
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import BuildCancelledError, BuildRefusedError
from tablebase.formation.formation import Formation
from tablebase.kernels.board_limits import are_within, limits_of
from tablebase.maintain.convert import ConvertPlan, convert
from tablebase.memory.arrays import Arrays
from tablebase.plan.estimate import estimate
from tablebase.probe.reader import Tablebase
from tablebase.probe.verify import derive_bounds, derive_rate, verify
from tablebase.store.layer_file import LayerFile, pack_layer
from tablebase.store.manifest import load_manifest
from tablebase.store.options import TableOptions
from tablebase.store.rates import find_rate_type
from tablebase.store.stored_layer import read_stored

TARGET = 64
# Locked F, with and without symmetries of all kinds; shifting, free and diagonal ones; walls.
NAMES = (
    "44", "tinymirror", "tinyangle", "tinyshift", "tinypair", "tinyfree", "tinyends",
    "tinydiagonalf", "tinymirrorf", "2x4",
)  # fmt: skip
LIMITS = {
    "equal": {"most_equal": 2, "large_from": 8},
    "sum": {"small_sum": 18, "large_from": 16},
    "both": {"most_equal": 2, "small_sum": 12, "large_from": 8},
}
# Brute force takes seconds: each limit alone on some of every kind, both on all of them.
QUICK = {
    *((name, "both") for name in NAMES),
    *((name, limits) for name in ("tinyangle", "tinypair", "tinyends") for limits in LIMITS),
    ("2x4", "sum"),
    ("tinymirrorf", "equal"),
}
COMBINED = [
    pytest.param(name, limits, marks=[] if (name, limits) in QUICK else pytest.mark.slow)
    for name in (*NAMES, "3x3")
    for limits in LIMITS
]
LimitedMaker = Callable[..., Path]


@pytest.fixture(scope="module")
def limited_table(
    formations: dict[str, Formation], tmp_path_factory: pytest.TempPathFactory
) -> LimitedMaker:
    """Return ``limited_table(name, limits, **options) -> Path``; never write to it."""
    tables = tmp_path_factory.mktemp("limited")

    def make(name: str, limits: str, **options: object) -> Path:
        folder = tables / f"{limits}{len(options)}{sorted(options.items())}" / f"{name}_{TARGET}"
        if not folder.exists():
            chosen = TableOptions(**{"rate": "float64", **options}, **LIMITS[limits])
            build(BuildPlan(formations[name], TARGET, folder, chosen, threads=2))
        return folder

    return make


@pytest.fixture
def limited_solution(formations: dict[str, Formation]) -> Callable[[str, str], Solution]:
    def solve(name: str, limits: str) -> Solution:
        return brute_force_arrays.solve(rules_of(formations[name], TARGET, **LIMITS[limits]))

    return solve


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "limits"), COMBINED)
def test_every_layer_agrees_with_brute_force(
    name, limits, limited_table, limited_solution, solution
):
    solved, whole = limited_solution(name, limits), solution(name, TARGET)
    n = n_whole = 0
    with Tablebase.open(limited_table(name, limits)) as reader:
        for layer in range(reader.n_layers):
            want = stored_boards(solved, layer)
            assert_layer_agrees(reader.layer_boards(layer), want, "float64", layer)
            found = reader.manifest.layers[layer].boards
            assert found == len(solved.rates[layer]) - len(solved.reached[layer])
            for board, rate in solved.stored(layer).items():
                assert rate <= whole.rates[layer][board] * (1 + 1e-12)
            n, n_whole = n + len(want[0]), n_whole + len(whole.stored(layer))
    assert 0 < n < n_whole  # or this test could not fail


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["44", "tinyangle", "tinyfree", "tinyends"])
def test_same_bytes_by_any_threads_memory_and_after_a_stop(
    name, formations, limited_table, tmp_path
):
    wanted = contents(limited_table(name, "both"))
    options = TableOptions(rate="float64", **LIMITS["both"])
    plan = BuildPlan(formations[name], TARGET, tmp_path / "three", options, threads=3)
    build(plan)
    assert contents(plan.folder) == wanted
    tight = replace(plan, folder=tmp_path / "tight", threads=1, memory_bytes=300_000_000)
    build(tight)
    assert contents(tight.folder) == wanted
    for moment in (3, 30):  # while expanding, while solving
        stopped = replace(plan, folder=tmp_path / f"stopped{moment}")
        asked = 0

        def is_cancelled(moment: int = moment) -> bool:
            nonlocal asked
            asked += 1
            return asked > moment

        with pytest.raises(BuildCancelledError):
            build(stopped, is_cancelled=is_cancelled)
        build(stopped)
        assert contents(stopped.folder) == wanted


@pytest.mark.parametrize("limits", [*LIMITS, None])
def test_going_on_with_other_limits_is_refused(limits, formations, limited_table):
    folder = limited_table("44", "sum")
    options = TableOptions(rate="float64", **LIMITS[limits] if limits else {})
    plan = BuildPlan(formations["44"], TARGET, folder, options)
    if limits == "sum":
        assert build(plan).was_complete
        return
    with pytest.raises(BuildRefusedError, match="small_sum is 18, not"):
        build(plan)


def test_only_the_manifest_of_a_limited_table_names_limits(limited_table, table):
    limited, whole = (
        json.loads((folder / "manifest.json").read_text())
        for folder in (limited_table("44", "both"), table("44", TARGET))
    )
    named = {"most_equal": 2, "small_sum": 12, "large_from": 8}
    assert limited["version"] == 3  # so that a program that knows no limits does not open it
    assert {key: limited["options"][key] for key in named} == named
    assert whole["version"] == 2
    assert not whole["options"].keys() & named.keys()
    assert load_manifest(limited_table("44", "both")).options.is_limited


@pytest.mark.sample(1)
@pytest.mark.parametrize("sparse", [1, 5])
@pytest.mark.parametrize(
    ("name", "limits"),
    [
        *every_other(("44", "tinyangle", "tinyends", "tinymirrorf", "2x4"), LIMITS),
        *(pytest.param("3x3", limits, marks=pytest.mark.slow) for limits in LIMITS),
    ],
)
def test_rates_are_lower_bounds_and_none_is_0_that_is_more(
    name, sparse, limits, limited_table, solution
):
    whole = solution(name, TARGET)
    n_unknown = n_low = 0
    with Tablebase.open(limited_table(name, limits, sparse=sparse)) as reader:
        assert reader.is_limited
        assert reader.is_thinned
        for layer, rates in enumerate(whole.rates):
            boards = random.Random(layer).sample(sorted(rates), min(60, len(rates)))
            for comes_up in (True, False):
                told = reader.rates_of(boards, comes_up)
                for board, rate in zip(boards, told, strict=True):
                    if rate is None:
                        n_unknown += rates[board] > 0
                    else:
                        assert (rate > 0) >= (rates[board] > 0), f"{board:016x} told to be lost"
                        assert rate <= rates[board] + 1e-14
                        n_low += rate < rates[board] - 1e-9
    assert n_unknown > 0
    assert n_low > 0 or name == "tinyends"


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["44", "tinyangle", "tinyends", "tinymirrorf", "2x4"])
def test_a_sparse_table_tells_what_one_of_all_layers_does(name, limited_table, limited_solution):
    solved = limited_solution(name, "both")
    with Tablebase.open(limited_table(name, "both", sparse=4)) as reader:
        for layer in reader.manifest.omitted:
            boards = sorted(solved.stored(layer))
            want = [solved.rates[layer][board] for board in boards]
            assert reader.rates_of(boards) == pytest.approx(want, abs=1e-14)
            ends = [board for board, rate in solved.rates[layer].items() if rate == 0]
            assert not any(reader.rates_of(ends))


def test_a_best_move_is_told_only_where_no_other_may_be_better(limited_table):
    n_sure = n_unsure = 0
    with Tablebase.open(limited_table("44", "both")) as reader:
        for layer in range(4, reader.n_layers - 2, 3):
            boards = reader.layer_boards(layer)[0].tolist()
            for after in random.Random(layer).sample(boards, min(20, len(boards))):
                for board in brute_force.spawned_boards(after, 1):
                    probe = reader.get(board, comes_up=True)
                    if probe is None or probe.best_rate < 0:
                        continue
                    is_sure = not probe.unknown or probe.best_rate == 1.0
                    assert (probe.best is not None) == is_sure
                    n_sure, n_unsure = n_sure + is_sure, n_unsure + (not is_sure)
    assert n_sure > 100
    assert n_unsure > 100


@pytest.mark.sample(1)
@pytest.mark.parametrize("options", [{}, {"sparse": 4}, {"threshold": 0.3}, {"optimal_only": True}])
@pytest.mark.parametrize("name", ["44", "tinyangle", "tinymirrorf"])
@pytest.mark.thorough
def test_a_limited_table_is_verified_like_any_other(name, options, limited_table):
    report = verify(limited_table(name, "both", **options), sample=400)
    assert report.ok, report.problems
    assert report.sampled == 400


@pytest.mark.thorough
def test_what_is_derived_is_what_was_solved(limited_table, limited_solution):
    """So verify would find a rate that is not: one of the whole table is higher somewhere."""
    solved = limited_solution("44", "both")
    with Tablebase.open(limited_table("44", "both")) as reader:
        for layer in range(0, reader.n_layers - 2, 5):
            for board, rate in list(solved.stored(layer).items())[:30]:
                assert derive_rate(reader, board) == pytest.approx(rate, abs=1e-14)


@pytest.mark.parametrize(
    ("most_equal", "small_sum", "large_from"),
    [(2, 0, 64), (3, 0, 8), (15, 0, 8), (0, 96, 64), (0, 65536, 8), (2, 128, 32), (4, 20, 16)],
)
def test_the_limits_are_those_of_plain_rules(most_equal, small_sum, large_from, formations):
    rng = random.Random(most_equal + small_sum)
    tiles = [[0, 1, 2, 3], [0, 15, 3, 4, 4, 5], [3], [1, 5, 6, 7, 7, 14], list(range(16))]
    boards = [brute_force.board_of(rng.choices(rng.choice(tiles), k=16)) for _ in range(5000)]
    rules = rules_of(
        formations["44"], TARGET,
        most_equal=most_equal, small_sum=small_sum, large_from=large_from,
    )  # fmt: skip
    limits = limits_of(most_equal, small_sum, large_from)
    got = are_within(limits, np.array(boards, np.uint64))
    want = [not brute_force.is_beyond(rules, board) for board in boards]
    assert got.tolist() == want
    assert any(want)
    assert not all(want) or small_sum == 65536


@pytest.mark.parametrize(
    ("options", "message"),
    [
        *[
            ({"most_equal": n}, f"most equal {n}: expected 0 (no limit) or a number from 2 to 15")
            for n in (1, 16, True, -2)
        ],
        *[
            (
                {"small_sum": n},
                f"small sum {n}: expected 0 (no limit) or from 64, of which the next large tile "
                "is made, to 65536",
            )
            for n in (62, 1 << 17, 96.0, False)
        ],
        ({"most_equal": 2, "large_from": 48}, "large from 48: expected a tile, 8, 16, 32 ... 8192"),
        ({"most_equal": 2, "large_from": 4}, "large from 4: expected a tile, 8, 16, 32 ... 8192"),
        (
            {"large_from": 32},
            "large from 32 does nothing by itself: also limit the equal large tiles (most equal) "
            "or the sum of the others (small sum)",
        ),
        (
            {"most_equal": 2},
            "large from 64: there are no such tiles on the way to 64, so there is nothing to "
            "limit; choose a smaller tile",
        ),
    ],
)
def test_limits_that_cannot_be_are_refused_in_words(options, message, formations, tmp_path):
    with pytest.raises(BuildRefusedError) as caught:
        build(BuildPlan(formations["44"], TARGET, tmp_path, TableOptions(**options)))
    assert str(caught.value) == message


def test_an_estimate_counts_what_is_within_the_limits(formations, limited_table):
    options = TableOptions(rate="float64", **LIMITS["both"])
    whole = estimate(formations["44"], TARGET, TableOptions(rate="float64"))
    limited = estimate(formations["44"], TARGET, options)
    built = load_manifest(limited_table("44", "both"))
    assert limited.is_most
    assert limited.source == "samples"
    assert built.stored < limited.stored * 1.1
    assert limited.stored < 0.9 * whole.stored
    assert limited.bytes < 0.9 * whole.bytes


def test_the_commands_say_that_rates_are_lower_bounds(limited_table):
    folder = limited_table("44", "both")
    with Tablebase.open(folder) as reader:
        after = int(reader.layer_boards(20)[0][7])
        board = brute_force.spawned_boards(after, 1)[0]
    asked = ("--board", f"{board:016x}")
    (answer,) = json_lines(run("probe", folder, *asked, "--json").stdout)
    assert answer["at_least"] is True
    assert ">= " in run("probe", folder, *asked).stdout
    asked = ("--after", "--board", f"{after:016x}")
    (answer,) = json_lines(run("probe", folder, *asked, "--json").stdout)
    assert answer["at_least"] is True
    assert ">= " in run("probe", folder, *asked).stdout
    told = run("info", folder).stdout
    assert "at most 2 equal tiles from 8 on" in told
    assert "lower bounds" in told
    (event,) = json_lines(run("info", folder, "--json").stdout)
    assert event["at_least"] is True
    assert "lower bounds" in run("verify", folder, "--sample", "5").stdout
    assert "tiles below 8 up to 12 in all" in run("tables", folder.parent).stdout


def test_the_command_takes_limits_and_its_help_names_what_others_call_them(limited_table, tmp_path):
    told = run(
        *("build", "44", TARGET, "--out", tmp_path, "--rate", "float64"),
        *("--most-equal", 2, "--small-sum", 12, "--large-from", 8),
    )
    assert told.returncode == 0, told.stderr
    assert contents(tmp_path / f"44_{TARGET}") == contents(limited_table("44", "both"))
    help_text = run("build", "--help").stdout
    assert "advanced algorithm" in help_text
    assert "STSL" in help_text


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--most-equal", "1"), "larger tile is made of two"),
        (("--most-equal", "2x"), "'2x' is not a limit on equal tiles"),
        (("--small-sum", "-2"), "expected a whole number"),
        (("--small-sum", "20"), "small sum 20: expected 0"),
        (("--large-from", "32"), "does nothing by itself"),
        (("--most-equal", "2"), "nothing to limit"),
    ],
)
def test_the_command_refuses_other_limits(words, message, tmp_path):
    for command in (("build", "44", TARGET, "--out", tmp_path), ("estimate", "44", TARGET)):
        told = run(*command, *words)
        assert told.returncode == 2
        assert message in " ".join(told.stderr.split())


def test_an_api_table_is_not_whole(limited_table, table):
    with eg.open_table(limited_table("44", "sum")) as limited:
        assert limited.is_limited
        assert not limited.is_whole
    with eg.open_table(table("44", TARGET)) as whole:
        assert not whole.is_limited


def test_a_conversion_keeps_the_limits(limited_table, tmp_path):
    convert(ConvertPlan([limited_table("44", "both")], sparse=4, out=tmp_path, threads=1))
    with Tablebase.open(tmp_path / f"44_{TARGET}") as reader:
        assert reader.is_limited
    same = limited_table("44", "both", sparse=4)
    assert contents(tmp_path / f"44_{TARGET}") == contents(same)


NAME = "tinyangle"


THRESHOLD = 0.72


RATES = ("uint32", "uint64", "float32", "float64", "uint16")


@pytest.fixture(params=RATES)
def pruned(
    request: pytest.FixtureRequest, formations: dict[str, Formation], tmp_path: Path
) -> Path:
    options = TableOptions(rate=request.param, threshold=THRESHOLD)
    folder = tmp_path / f"{NAME}_{TARGET}"
    build(BuildPlan(formations[NAME], TARGET, folder, options, threads=1))
    return folder


def test_exact_rates_decide_and_the_first_two_layers_stay_whole(pruned, solution):
    solved = solution(NAME, TARGET)
    with Tablebase.open(pruned) as reader:
        for layer in range(reader.n_layers):
            least = THRESHOLD if layer >= 2 else 0.0
            wanted = sorted(b for b, rate in solved.stored(layer).items() if rate > least)
            # a rate within rounding of the threshold may fall on either side
            doubtful = {
                b for b, rate in solved.stored(layer).items() if abs(rate - THRESHOLD) < 1e-12
            }
            got = reader.layer_boards(layer)[0].tolist()
            assert set(got) ^ set(wanted) <= doubtful, f"layer {layer}"
        low = [rate for layer in (0, 1) for rate in solved.stored(layer).values()]
        assert reader.stored < sum(len(solved.stored(i)) for i in range(reader.n_layers))
    assert min(low) < THRESHOLD


@pytest.mark.sample(2)
def test_rates_of_what_is_stored_stay_the_same(pruned, table):
    rate = load_manifest(pruned).rate
    if rate == "uint16":
        pytest.skip("its levels are chosen from what is stored")
    with Tablebase.open(pruned) as fewer, Tablebase.open(table(NAME, TARGET, rate)) as whole:
        for layer in range(fewer.n_layers):
            boards, values = fewer.layer_boards(layer)
            all_boards, all_values = whole.layer_boards(layer)
            assert np.array_equal(values, all_values[np.isin(all_boards, boards)])


@pytest.mark.sample(1)
@pytest.mark.thorough
def test_verify_allows_for_what_is_not_stored(pruned):
    report = verify(pruned, sample=400)
    assert report.ok, report.problems
    assert report.sampled == 400


@pytest.mark.sample(1)
@pytest.mark.thorough
def test_bounds_enclose_the_rate_and_meet_where_nothing_is_lacking(pruned):
    n_open = n_closed = 0
    with Tablebase.open(pruned) as reader:
        rate = find_rate_type(reader.rate)
        for layer in range(2, 40):
            error = 2.02 * max(reader.layer_file(i).max_error for i in range(layer, layer + 3))
            boards, values = reader.layer_boards(layer)
            for board, found in zip(boards[::20].tolist(), values[::20], strict=True):
                least, most = derive_bounds(reader, board)
                assert least - error - 1e-15 <= rate.decode(found) <= most + error + 1e-15
                n_open += least < most
                n_closed += least == most
    assert n_open > 20
    assert n_closed > 20


@pytest.mark.thorough
@pytest.mark.parametrize("change", [-0.2, 0.2])
def test_verify_finds_a_rate_beyond_the_bounds(formations, tmp_path, change):
    options = TableOptions(rate="float64", threshold=THRESHOLD)
    build(BuildPlan(formations[NAME], TARGET, tmp_path, options, threads=1))
    manifest = load_manifest(tmp_path)
    recorded = manifest.layers[20]
    file = LayerFile(tmp_path / recorded.file)
    stored = read_stored(file, Arrays(tmp_path, None))
    values = np.clip(stored.rates + change, 0.01, 1.0)
    packed = pack_layer(20, file.rate, file.n_slots, file.n_boards, stored.words, values)
    written = packed.write(tmp_path)
    file.close()
    replace(manifest, layers={**manifest.layers, 20: written}).save(tmp_path)
    report = verify(tmp_path, sample=600)
    assert report.mismatches
    assert any(problem.startswith("layer 20: ") for problem in report.problems)
