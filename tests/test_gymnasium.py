"""The endgames as environments of Gymnasium: rules by the oracle, rewards by the table."""

import doctest
import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import oracle
import pytest
from gymnasium.utils.env_checker import check_env
from makers import every_other

import endgame2048 as eg
from endgame2048 import gymnasium_env
from endgame2048.gymnasium_env import ENV_ID, EndgameEnv, EndgameVectorEnv

TARGET = 64


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sample")
    eg.build("2x4", TARGET, folder / "tables" / "2x4_64")
    return folder


@pytest.fixture(scope="module")
def path(sample: Path) -> Path:
    return sample / "tables" / "2x4_64"


def exponents(board: int) -> list[int]:
    return [board >> shift & 15 for shift in range(60, -4, -4)]


def rates_of(table: eg.Table, board: int) -> list[float | None]:
    return list(table.probe(board, comes_up=True).rates)


def best_rate(rates: list[float | None]) -> float:
    return max((rate for rate in rates if rate is not None), default=0.0)


def assert_rules(
    table: eg.Table, before: int, action: int, after: int, is_over: bool, is_success: bool
) -> None:
    """Check one step against the rules, moved by the oracle."""
    tiles = exponents(before)
    moved, _ = oracle.move(tiles, action, table.formation.walls)
    small = [tile for tile in moved if tile < 15]
    if moved == tiles:
        assert (after, is_over, is_success) == (before, False, False)
    elif rates_of(table, before)[action] is None:  # left the formation
        assert (exponents(after), is_over, is_success) == (moved, True, False)
    elif TARGET in [1 << tile for tile in small]:
        assert (exponents(after), is_over, is_success) == (moved, True, True)
    else:
        new = [i for i in range(16) if exponents(after)[i] != moved[i]]
        assert len(new) == 1
        assert moved[new[0]] == 0
        assert exponents(after)[new[0]] in (1, 2)
        assert not is_success
        assert is_over == all(rate is None for rate in rates_of(table, after))


def wanted_reward(
    table: eg.Table,
    kind: str,
    before: int,
    action: int,
    after: int,
    is_over: bool,
    is_success: bool,
) -> float:
    rates = rates_of(table, before)
    if kind == "outcome":
        return float(is_success)
    if kind == "regret":
        return (rates[action] or 0.0) - best_rate(rates)
    after_rate = float(is_success) if is_over else best_rate(rates_of(table, after))
    return after_rate - best_rate(rates)


def steps(env: EndgameEnv, rng: np.random.Generator, n: int) -> Iterator[tuple[Any, ...]]:
    """Play at random, with perfect moves among them; yield what each step made of what."""
    _, info = env.reset(seed=5)
    for _ in range(n):
        action = int(rng.integers(4)) if rng.random() < 0.3 else max(info["best"], 0)
        before = info["board"]
        observation, reward, is_over, is_cut, info = env.step(action)
        assert not is_cut
        assert observation.ravel().tolist() == exponents(info["board"])
        yield before, action, reward, is_over, info
        if is_over:
            _, info = env.reset()


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "kind"), every_other(["2x4", "44", "L1"], ["regret", "gain", "outcome"])
)
def test_each_step_follows_the_rules_and_the_table(name, kind, table):
    seen = {"success": 0, "over": 0, "nothing": 0, "left": 0}
    with eg.open_table(table(name, TARGET)) as known:
        env = EndgameEnv(known, reward=kind, illegal_reward=-7.0)
        for before, action, reward, is_over, info in steps(env, np.random.default_rng(2), 1000):
            assert_rules(known, before, action, info["board"], is_over, info["is_success"])
            moved, _ = oracle.move(exponents(before), action, known.formation.walls)
            if moved == exponents(before):
                seen["nothing"] += 1
                assert reward == -7.0
                continue
            seen["success"] += info["is_success"]
            seen["over"] += is_over
            seen["left"] += is_over and rates_of(known, before)[action] is None
            want = wanted_reward(
                known, kind, before, action, info["board"], is_over, info["is_success"]
            )
            assert reward == pytest.approx(want, abs=1e-12)
            told = [None if math.isnan(rate) else rate for rate in info["rates"]]
            assert is_over or told == rates_of(known, info["board"])
            assert info["action_mask"].tolist() == [not math.isnan(one) for one in info["rates"]]
    assert min(seen["success"], seen["over"] - seen["success"], seen["nothing"]) > 3
    assert name == "2x4" or seen["left"] > 3


@pytest.mark.thorough
def test_gains_add_up_to_the_outcome_less_what_was_to_be_expected(path):
    env = EndgameEnv(path, reward="gain")
    rng = np.random.default_rng(3)
    outcomes = set()
    for seed in range(60):
        _, info = env.reset(seed=seed)
        first, total, is_over = best_rate(list(info["rates"][~np.isnan(info["rates"])])), 0.0, False
        while not is_over:
            allowed = np.flatnonzero(info["action_mask"])
            _, reward, is_over, _, info = env.step(int(rng.choice(allowed)))
            total += reward
        assert total == pytest.approx(info["is_success"] - first, abs=1e-9)
        outcomes.add(info["is_success"])
    assert outcomes == {True, False}
    env.close()


@pytest.mark.thorough
def test_side_by_side_games_follow_the_rules_and_begin_anew(path):
    n = 40
    with eg.open_table(path) as known:
        env = EndgameVectorEnv(n, known, reward="regret", illegal_reward=-7.0)
        rng = np.random.default_rng(4)
        _, info = env.reset(seed=1)
        was_over, n_over = np.zeros(n, np.bool_), 0
        for _ in range(150):
            is_random = rng.random(n) < 0.3
            actions = np.where(is_random, rng.integers(4, size=n), np.maximum(info["best"], 0))
            before = info["board"]
            observations, rewards, is_over, is_cut, info = env.step(actions)
            assert not is_cut.any()
            for i in range(n):
                after, reward = int(info["board"][i]), float(rewards[i])
                assert observations[i].ravel().tolist() == exponents(after)
                if was_over[i]:
                    assert reward == 0.0
                    assert not is_over[i]
                    assert sum(1 for tile in exponents(after) if 0 < tile < 15) == 1  # the new one
                    continue
                args = int(before[i]), int(actions[i]), after, bool(is_over[i])
                success = bool(info["is_success"][i])
                assert_rules(known, *args, success)
                moved, _ = oracle.move(exponents(args[0]), args[1], walls=True)
                if moved == exponents(args[0]):
                    assert reward == -7.0
                else:
                    want = wanted_reward(known, "regret", *args, success)
                    assert reward == pytest.approx(want, abs=1e-12)
            was_over, n_over = is_over, n_over + is_over.sum()
    assert n_over > 20


@pytest.mark.parametrize("n", [1, 5])
def test_the_same_seed_gives_the_same_game(n, path):
    played = []
    for seed in (7, 7, 8):
        env = EndgameVectorEnv(n, path)
        _, info = env.reset(seed=seed)
        boards = [info["board"]]
        for _ in range(30):
            boards.append(env.step(np.maximum(info["best"], 0))[-1]["board"])
        played.append(np.array(boards))
        env.close()
    assert np.array_equal(played[0], played[1])
    assert not np.array_equal(played[0], played[2])


def test_new_tiles_come_as_the_table_says(path):
    """In each empty cell as often, a 4 in a tenth of them: 5 standard errors of 6,000 games."""
    n = 6000
    with eg.open_table(path) as known:
        env = EndgameVectorEnv(n, known)
        _, info = env.reset(seed=3)
        seeds = known.formation.seeds
    tiles = np.array([exponents(int(board)) for board in info["board"]])
    starts = np.array([exponents(seed) for seed in seeds])
    new = [(t - s).tolist() for t in tiles for s in starts if ((t - s) != 0).sum() == 1]
    assert len(new) >= n
    if len(seeds) == 1:
        cells = np.array(new).astype(bool).sum(axis=0)
        empty = starts[0] == 0
        share = 1 / empty.sum()
        assert np.abs(cells[empty] / n - share).max() < 5 * math.sqrt(share / n)
        assert abs((np.array(new) == 2).sum() / n - 0.1) < 5 * math.sqrt(0.09 / n)


def test_a_sum_can_be_the_goal(tmp_path):
    eg.build("2x4", "sum30", tmp_path / "table")
    env = EndgameEnv(tmp_path / "table", reward="outcome")
    _, info = env.reset(seed=1)
    is_over, total = False, 0.0
    while not is_over:
        _, reward, is_over, _, info = env.step(info["best"])
        total += reward
    assert info["is_success"]
    assert total == 1.0
    assert sum(1 << tile for tile in exponents(info["board"]) if 0 < tile < 15) in (28, 30)
    env.close()


def test_gymnasium_finds_nothing_wrong(path):
    env = gymnasium.make(ENV_ID, table=str(path), render_mode="ansi")
    check_env(env.unwrapped, skip_render_check=True)
    _, info = env.reset(seed=1)
    assert env.render() == eg.draw_board(info["board"], walls=True)
    env.close()
    vector = gymnasium.make_vec(ENV_ID, num_envs=3, table=str(path))
    assert isinstance(vector.unwrapped, EndgameVectorEnv)
    vector.close()


def test_what_cannot_be_is_refused(path, tmp_path):
    eg.build("2x4", TARGET, tmp_path / "thin", optimal_only=True)
    env = EndgameEnv(path)
    env.reset(seed=1)
    many = EndgameVectorEnv(2, path)
    many.reset(seed=1)
    for wrong in (
        lambda: EndgameEnv(tmp_path / "thin"),
        lambda: EndgameEnv(path, reward="score"),  # type: ignore[arg-type]
        lambda: EndgameEnv(),
        lambda: env.step(4),
        lambda: many.step(np.array([0, 4])),
        lambda: many.step(np.array([0])),
        lambda: many.reset(seed=[1, 2]),
    ):
        with pytest.raises(ValueError, match=r"expected|needed"):
            wrong()
    env.close()
    many.close()
    with pytest.raises(eg.MissingTableError):
        EndgameEnv(tmp_path / "nothing")


def test_the_examples_are_true(sample, monkeypatch):
    monkeypatch.chdir(sample)
    found = doctest.testmod(gymnasium_env)
    assert found.attempted > 5
    assert found.failed == 0
