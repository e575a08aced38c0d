"""The genetic algorithm, its files, and the command train."""

import csv
import json
import multiprocessing
import statistics
from dataclasses import asdict, replace

import numpy as np
import pytest
import zstandard

from ai.baselines.ladder_game import play_game
from ai.baselines.ladder_players import LinearPlayer
from ai.baselines.linear_value import FEATURES, make_value, read_linear_weights
from ai.errors import PlayError, WeightsError
from ai.evaluation.evaluation import DEFAULT_WEIGHTS, load_evaluation
from ai.evaluation.game_net_file import read_game_net
from ai.evaluation.line_tables import static_value
from ai.evaluation.line_values import WEIGHTS
from ai.train.genetic import (
    TrainingConfig,
    checked_config,
    clipped,
    crossed,
    first_population,
    game_seed,
    gaussian,
    mutated,
    next_population,
    ranking,
    select,
)
from ai.train.genetic_training import judge, judges, train
from ai.train.network_training import read_state_to_export
from engine.spawn import Rng
from tests.child import assert_refused, run, run_apart
from tests.test_main import assert_told

SMALL = TrainingConfig(
    seed=5, population=5, generations=3, games=2, elites=2, tournament=2, depth=1, sample=1
)
N = len(FEATURES)


def test_the_first_population_fills_the_ranges():
    genomes = first_population(replace(SMALL, population=2000))
    for weights, (low, high) in zip(zip(*genomes, strict=True), SMALL.ranges.values(), strict=True):
        assert low <= min(weights) < low + 0.01 * (high - low)
        assert high >= max(weights) > high - 0.01 * (high - low)
        assert statistics.mean(weights) == pytest.approx((low + high) / 2, abs=0.03 * (high - low))


def test_elites_live_on_and_seeds_decide_the_rest():
    population = first_population(SMALL)
    fitness = [3.0, 9.0, 1.0, 9.0, 2.0]
    assert ranking(fitness) == [1, 3, 0, 4, 2]
    found = next_population(SMALL, 1, population, fitness)
    assert found[:2] == [population[1], population[3]]
    assert len(found) == 5
    assert found == next_population(SMALL, 1, population, fitness)
    assert found[2:] != next_population(SMALL, 2, population, fitness)[2:]
    other = replace(SMALL, seed=6)
    assert found[2:] != next_population(other, 1, population, fitness)[2:]


def test_a_tournament_prefers_the_fit_as_it_should():
    """The best of four wins a tournament of three unless it is not drawn: 1 - (3/4)**3."""
    rng = Rng(1)
    wins = sum(select([1.0, 4.0, 2.0, 3.0], 3, rng) == 1 for _ in range(4000))
    assert wins / 4000 == pytest.approx(1 - 0.75**3, abs=0.025)
    firsts = sum(select([1.0, 4.0, 2.0, 3.0], 1, rng) == 0 for _ in range(4000))
    assert firsts / 4000 == pytest.approx(0.25, abs=0.025)


def test_uniform_crossover_takes_each_weight_from_a_parent():
    config, rng = replace(SMALL, crossover="uniform"), Rng(2)
    mother, father = (1.0,) * N, (2.0,) * N
    children = [crossed(config, mother, father, rng) for _ in range(2000)]
    for weights in zip(*children, strict=True):
        assert set(weights) == {1.0, 2.0}
        assert statistics.mean(weights) == pytest.approx(1.5, abs=0.05)


def test_blend_crossover_goes_beyond_the_parents_by_alpha():
    ranges = dict.fromkeys(FEATURES, (-100.0, 100.0))
    config = replace(SMALL, crossover="blend", blend_alpha=0.5, ranges=ranges)
    rng = Rng(3)
    children = [crossed(config, (10.0,) * N, (20.0,) * N, rng) for _ in range(3000)]
    for weights in zip(*children, strict=True):
        assert 5.0 <= min(weights) < 5.2
        assert 24.8 < max(weights) <= 25.0
    narrow = replace(config, ranges=dict.fromkeys(FEATURES, (12.0, 18.0)))
    for _ in range(200):
        assert all(12.0 <= w <= 18.0 for w in crossed(narrow, (10.0,) * N, (20.0,) * N, rng))


def test_mutation_adds_noise_to_some_weights_and_stays_in_the_ranges():
    ranges = dict.fromkeys(FEATURES, (0.0, 100.0))
    config = replace(SMALL, mutation_rate=0.25, mutation_sigma=0.05, ranges=ranges)
    rng = Rng(4)
    found = [w for _ in range(1500) for w in mutated(config, (50.0,) * N, rng)]
    changed = [w - 50.0 for w in found if w != 50.0]
    assert len(changed) / len(found) == pytest.approx(0.25, abs=0.02)
    assert statistics.stdev(changed) == pytest.approx(5.0, rel=0.06)
    at_edge = [w for _ in range(200) for w in mutated(config, (100.0,) * N, rng)]
    assert max(at_edge) == 100.0
    assert clipped(config, [-1.0, 101.0] + [5.0] * (N - 2)) == (0.0, 100.0) + (5.0,) * (N - 2)


def test_the_noise_is_normal():
    rng = Rng(6)
    numbers = [gaussian(rng) for _ in range(20_000)]
    assert statistics.mean(numbers) == pytest.approx(0.0, abs=0.03)
    assert statistics.stdev(numbers) == pytest.approx(1.0, abs=0.03)
    assert sum(abs(x) > 1.959964 for x in numbers) / 20_000 == pytest.approx(0.05, abs=0.006)


def test_a_genome_is_judged_by_the_games_of_its_place():
    genome = first_population(SMALL)[1]
    value = make_value(dict(zip(FEATURES, genome, strict=True)))
    games = [
        play_game(LinearPlayer(value, depth=1, few=0, sample=1), seed)
        for seed in (5 + 1_000_000, 5 + 1_000_000 + 1)
    ]
    found = judge((1, genome), SMALL)
    assert found.score == sum(game.score for game in games) / 2
    exponents = sum(game.max_exponent for game in games) / 2
    assert found.fitness == found.score + 1000.0 * exponents
    assert game_seed(SMALL, 3, 1) == 5 + 3_000_001


def trained(path, config, jobs=1):
    rows = []
    with judges(config, jobs) as judge_all:
        train(config, path, judge_all, lambda: "2026-01-01T00:00:00+00:00", rows.append)
    return rows


def judge_with_killed_processes():
    with judges(SMALL, 2) as judge_all:
        judge_all(first_population(SMALL))
        for child in multiprocessing.active_children():
            child.kill()
        judge_all(first_population(SMALL))


@pytest.mark.thorough
def test_a_killed_process_is_told_as_what_it_is():
    with pytest.raises(PlayError, match="ended early"):
        judge_with_killed_processes()


@pytest.mark.thorough
def test_a_training_gives_the_same_files_again_interrupted_or_not(tmp_path):
    whole, halves = tmp_path / "whole.json", tmp_path / "halves.json"
    rows = trained(whole, SMALL)
    assert [row["generation"] for row in rows] == [0, 1, 2]
    assert [row["generation"] for row in trained(halves, replace(SMALL, generations=1))] == [0]
    assert [row["generation"] for row in trained(halves, SMALL, jobs=2)] == [1, 2]
    for suffix in ("", ".csv", ".state"):
        one, two = (path.with_name(path.name + suffix) for path in (whole, halves))
        assert one.read_bytes() == two.read_bytes()
    assert trained(whole, SMALL) == []  # nothing is left to do
    with (tmp_path / "whole.json.csv").open() as file:
        lines = list(csv.DictReader(file))
    assert [float(line["best"]) for line in lines] == [row["best"] for row in rows]
    assert all(float(line["best"]) >= float(line["mean"]) for line in lines)
    data = json.loads(whole.read_text())
    assert data["created_at"] == "2026-01-01T00:00:00+00:00"
    assert data["training"]["config"]["seed"] == 5
    assert read_linear_weights(whole) == {name: rows[-1][name] for name in FEATURES}


def test_a_training_of_another_configuration_is_not_gone_on_with(tmp_path):
    out = tmp_path / "weights.json"
    trained(out, replace(SMALL, generations=1))
    with pytest.raises(WeightsError, match="another configuration"):
        trained(out, replace(SMALL, seed=6))
    (tmp_path / "weights.json.state").write_text("{}")
    with pytest.raises(WeightsError, match="damaged"):
        trained(out, SMALL)


def test_a_state_that_lacks_numbers_is_damaged(tmp_path):
    out = tmp_path / "weights.json"
    trained(out, replace(SMALL, generations=1))
    path = tmp_path / "weights.json.state"
    good = json.loads(path.read_text())
    for change in (
        {"population": good["population"][1:]},
        {"population": [genome[1:] for genome in good["population"]]},
        {"population": [[10**400] * N] * SMALL.population},
        {"population": [[1e308] * N] * SMALL.population},
        {"rows": [1]},
        {"rows": [{"generation": 0}]},
        {"rows": [good["rows"][0] | {"best": None}]},
    ):
        path.write_text(json.dumps(good | change))
        with pytest.raises(WeightsError, match="damaged"):
            trained(out, SMALL)


def test_the_largest_weights_are_numbers_to_compute_with(tmp_path):
    path = tmp_path / "weights.json"
    for large, power, dead in ((1e9, 20, -7), (-1e9, 0, -1e9)):
        weights = dict.fromkeys(WEIGHTS, large) | {"sum_power": power, "rise_power": power}
        phase = {"until_sum": None, "dead": dead, "points": large, "weights": weights}
        path.write_text(json.dumps({"version": 1, "phases": [phase]}))
        lines = load_evaluation(path).phase_of(100).evaluator
        values = [static_value(np.uint64(board), lines) for board in (0x1234, 0xFEDC << 48)]
        assert all(dead < value < 1 << 40 for value in values)


@pytest.mark.parametrize("dead", [-6.9, -5, -1, 0, 1])
def test_a_dead_value_leaves_room_for_those_that_live(tmp_path, dead):
    path, phase = tmp_path / "weights.json", json.loads(DEFAULT_WEIGHTS.read_text())["phases"][-1]
    path.write_text(json.dumps({"version": 1, "phases": [phase | {"dead": dead}]}))
    with pytest.raises(WeightsError, match="expected a number of at most -7"):
        load_evaluation(path)
    weights = dict.fromkeys(WEIGHTS, 0) | {"empty": 1e9, "sum": -1e9}  # more than entries hold
    path.write_text(
        json.dumps({"version": 1, "phases": [phase | {"dead": 1e9, "weights": weights}]})
    )
    with pytest.raises(WeightsError, match="expected a number of at most -7"):
        load_evaluation(path)


def test_numbers_beyond_all_bounds_are_no_weights(tmp_path):
    path = tmp_path / "weights.json"
    for number in (10**400, 1e308, -1e10):
        weights = dict.fromkeys(FEATURES, number)
        path.write_text(json.dumps({"version": 1, "kind": "linear", "params": weights}))
        with pytest.raises(WeightsError, match=r"expected a number from -1e\+09 to 1e\+09"):
            read_linear_weights(path)
        with pytest.raises(WeightsError, match="two numbers from"):
            checked_config({"ranges": dict.fromkeys(FEATURES, (0, abs(number)))})
    phase = json.loads(DEFAULT_WEIGHTS.read_text())["phases"][-1]
    strange = [{"weights": phase["weights"] | {name: 1e308}} for name in WEIGHTS]
    strange += [{"weights": phase["weights"] | {"sum_power": power}} for power in (-1, 21)]
    for change in (*strange, {"dead": 10**400}, {"until_sum": 10**400}, {"points": -1e10}):
        path.write_text(json.dumps({"version": 1, "phases": [phase | change]}))
        with pytest.raises(WeightsError, match="expected a"):
            load_evaluation(path)
    net = tmp_path / "a.net"
    for head in ({"unit": 10**400, "tuples": 1}, {"unit": 1, "tuples": float("inf")}):
        text = json.dumps({"version": 4, "sums": [0], **head})
        net.write_bytes(zstandard.compress(text.encode() + b"\n"))
        with pytest.raises(WeightsError, match="damaged"):
            read_game_net(net)
    with pytest.raises(WeightsError, match="damaged"):
        read_state_to_export(net)


def test_weights_that_are_gone_are_written_again(tmp_path):
    out = tmp_path / "weights.json"
    trained(out, SMALL)
    before = out.read_bytes()
    out.unlink()
    assert trained(out, SMALL) == []
    assert out.read_bytes() == before


def test_somebody_elses_file_is_not_replaced_by_the_curve(tmp_path):
    notes = tmp_path / "games.csv"
    notes.write_bytes(b"score,moves\xff\n1,2\n")
    with pytest.raises(WeightsError, match="not the curve of such a training"):
        trained(tmp_path / "games", SMALL)
    assert notes.read_bytes() == b"score,moves\xff\n1,2\n"
    assert not (tmp_path / "games").exists()


def test_no_file_is_read_and_replaced_by_the_same_command(tmp_path):
    config, weights = tmp_path / "config.json", tmp_path / "weights.json"
    config.write_text(json.dumps(asdict(replace(SMALL, generations=1))))
    trained(weights, replace(SMALL, generations=1))
    (tmp_path / "link").symlink_to(weights)
    for words in (
        ["train", "train", "--config", config, "--out", config],
        ["train", "train", "--config", tmp_path / "a.csv", "--out", tmp_path / "a"],
        ["train", "eval", "--weights", weights, "--report", tmp_path / "link", "--games", 1],
        ["train", "export", "--net", weights, "--out", weights],
        ["play", "--player", "linear", "--weights", weights, "--moves-csv", weights],
    ):
        before = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
        assert_refused(run(*words), "name the same file")
        assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_fewer_generations_than_there_are_change_nothing(tmp_path):
    config, out = tmp_path / "config.json", tmp_path / "weights.json"
    trained(out, replace(SMALL, generations=2))
    config.write_text(json.dumps(asdict(replace(SMALL, generations=1))))
    result = run("train", "train", "--config", config, "--out", out)
    assert "has the weights of 2 generations" in result.stdout


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "list"),
        ({"generation": 3}, "'generation'"),
        ({"population": 1}, "population is 1; expected a whole number from 2"),
        ({"games": 2.5}, "games is 2.5; expected a whole number"),
        ({"mutation_rate": 1.5}, "mutation_rate"),
        ({"crossover": "both"}, "uniform, blend, mixed"),
        ({"elites": 64}, "fewer than the population"),
        ({"ranges": {"empty": [0, 1]}}, "ranges must have"),
        ({"ranges": {name: [1, 0] for name in FEATURES}}, "range of empty"),
        ({"ranges": {name: [0, 10**400] for name in FEATURES}}, "range of empty"),
    ],
)
def test_configurations_that_will_not_do_are_refused(data, words):
    with pytest.raises(WeightsError, match=words):
        checked_config(data)


@pytest.mark.thorough
def test_the_command_trains_and_plays(tmp_path):
    printed = json.loads(run("train", "init-config").stdout)
    assert checked_config(printed) == TrainingConfig()
    config, out = tmp_path / "config.json", tmp_path / "weights.json"
    config.write_text(json.dumps(asdict(replace(SMALL, generations=2))))
    result = run("train", "train", "--config", config, "--out", out, "--json")
    assert result.returncode == 0, result.stderr
    assert [json.loads(line)["generation"] for line in result.stdout.splitlines()] == [0, 1]
    reports = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for report, jobs in zip(reports, (1, 2), strict=True):
        result = run(
            "train", "eval", "--weights", out, "--games", 2, "--seed", 4, "--report", report,
            "--jobs", jobs,
        )  # fmt: skip
        assert result.returncode == 0, result.stderr
        assert "mean score" in result.stdout
    assert reports[0].read_bytes() == reports[1].read_bytes()
    with reports[0].open() as file:
        assert [line["seed"] for line in csv.DictReader(file)] == ["4", "5"]


@pytest.mark.slow
def test_a_cluster_trains_the_same_weights(tmp_path):
    pytest.importorskip("ray", reason="needs the extra cluster")
    config, outs = tmp_path / "config.json", [tmp_path / "alone.json", tmp_path / "many.json"]
    config.write_text(json.dumps(asdict(SMALL)))
    for out, more in zip(outs, ((), ("--cluster", "auto")), strict=True):
        result = run_apart("train", "train", "--config", config, "--out", out, *more)
        assert result.returncode == 0, result.stderr
    for suffix in (".csv", ".state"):
        one, two = (out.with_name(out.name + suffix).read_bytes() for out in outs)
        assert one == two
    weights = [json.loads(out.read_text()) | {"created_at": ""} for out in outs]
    assert weights[0] == weights[1]


def test_mistakes_are_told_in_one_line(tmp_path):
    config = tmp_path / "config.json"
    config.write_text('{"population": 0}')
    action = ("train", "train", "--out", tmp_path / "w.json", "--config")
    assert_told(run(*action, config), "config.json", "population is 0")
    config.write_text("{")
    assert_told(run(*action, config), "not valid JSON")
    assert_told(run(*action, tmp_path / "none"), "expected the configuration")
    assert_told(run("train", "eval", "--weights", tmp_path / "none"), "expected a file of weights")
    assert_told(run("train"), "ACTION")
    nowhere = tmp_path / "nowhere" / "net"
    for words in (
        ("train", "network", "--millions", 1, "--out"),
        ("train", "train", "--config", config, "--out"),
        ("train", "export", "--net", config, "--out"),
        ("train", "chances", "--out"),
    ):
        config.write_text("{}")
        assert_told(run(*words, nowhere), "nowhere", "choose another folder")
    (tmp_path / "net.csv").mkdir()
    assert_told(run("train", "network", "--millions", 1, "--out", tmp_path / "net"), "net.csv")
    (tmp_path / "net.csv").rmdir()
    foreign = ("train", "export", "--out", tmp_path / "net", "--net", config)
    assert_told(run(*foreign), "not a network in training", "FILE.state")
    (tmp_path / "w.json.state").write_text("root:x:0:0")
    assert_told(run(*action, config), "not a training")
    (tmp_path / "w.json.state").unlink()
    network = ("train", "network", "--out", tmp_path / "net", "--millions")
    assert_told(run(*network, 1, "--step-size", "nan"), "above 0")
    assert_told(run(*network, 1, "--step-size", 1.5), "at most 1")
    assert_told(run(*network, 0), "(millions)")
    assert_told(run(*network, 1, "--start", config), "network for whole games")
    for more in ((), ("--late",)):
        assert_told(run(*network, 1, "--gpu", *more), "made by NVIDIA")
    export = ("train", "export", "--net", config, "--out", tmp_path / "net", "--unit")
    assert_told(run(*export, "x"), "0.01 to 1000")
    config.write_text("{}")
    assert_told(run(*action, config, "--cluster", "auto", "--jobs", 2), "--jobs")
