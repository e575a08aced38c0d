"""Chances of moves: figures from first principles, sound models only, one answer each time."""

import json
import math
import random

import numpy as np
import pytest

from ai.chances.chance_search import ChanceSearch
from ai.chances.features import FEATURES, features
from ai.chances.goal import ChanceGoal, goal_of
from ai.chances.model import ChanceModel, read_model, write_model
from ai.errors import PlayError, WeightsError
from ai.evaluation.evaluation import Evaluation, read_weights
from ai.evaluation.line_tables import static_value
from engine.trace import slide_cells

SEARCH = ChanceSearch()
LINES = Evaluation(read_weights()).phase_of(0).evaluator


def cells_of(text: str) -> tuple[int, ...]:
    return tuple(int(digit, 16) for digit in text)


def untidy_board(chance: random.Random) -> tuple[int, ...]:
    cells = [chance.choice((0, 0, 0, 1, 2, 3, 5, 7)) for _ in range(16)]
    for exponent in chance.sample((9, 10, 11, 12, 13, 14), chance.randrange(6)):
        cells[chance.randrange(16)] = exponent
    return tuple(cells)


def slow_features(cells, goal, values):
    order = sorted(range(16), key=lambda cell: (-cells[cell], cell))
    large, others = order[: goal.n_large], [cells[cell] for cell in order[goal.n_large :]]
    tile = 2**goal.exponent
    share = sum(2**other for other in others if other) / tile
    free = {cell for cell in range(16) if cell not in large}
    right = [cell for cell in free if cell % 4 < 3 and cell + 1 in free]
    below = [cell for cell in free if cell + 4 in free]
    squares = [one for one in right if one in below and one + 5 in free]
    rows = [{4 * i + j for j in range(4)} for i in range(4)]
    columns = [{4 * j + i for j in range(4)} for i in range(4)]
    whole = [line for line in (*rows, *columns) if line <= free]
    alone = 0
    for cell in range(16):
        alone = alone * 16 + (cells[cell] if cell in large else 0)
    worth = static_value(np.uint64(alone), LINES)
    head = {
        "large": goal.n_large / 3 - 1,
        "difficulty": (goal.exponent - (16 - goal.n_large)) / 2,
        "progress": 2 * share - 1,
        "log_progress": math.log2(share + 0.001) / 5,
        "empty": others.count(0) / 8 - 0.5,
        "exponent": goal.exponent - 10,
        **{f"other_{i}": 1 / (1 + goal.exponent - others[i]) for i in range(6)},
        "pairs": (len(right) + len(below)) / 12 - 1,
        "squares": len(squares) / 4 - 1,
        "whole_lines": len(whole) / 2 - 1,
        "corners": sum(cell in large for cell in (0, 3, 12, 15)) / 2,
        "center": sum(cell in large for cell in (5, 6, 9, 10)),
    }
    rows = []
    for value in values:
        units, behind = (value - worth) / 10000, max(values) - value
        move = {
            "value": max(-20, min(5, units)) / 3,
            "fine_value": math.asinh(4 * units) / 3,
            "log_behind": math.log1p(behind / 100) / 4,
            "behind": min(behind, 300_000) / 100_000,
            "below": math.log1p(max(0, worth - max(values)) / 1000) / 3,
        }
        rows.append([{**head, **move}[name] for name in FEATURES])
    return np.array(rows)


def test_figures_are_what_they_say():
    chance = random.Random(3)
    for _ in range(300):
        cells = untidy_board(chance)
        goal = goal_of(cells)
        if goal.n_large > 10:
            continue
        values = [chance.uniform(-300_000, 10_000) for _ in range(chance.randrange(1, 5))]
        found = features(cells, goal, values, LINES)
        assert found.dtype == np.float32
        np.testing.assert_allclose(found, slow_features(cells, goal, values), atol=2e-5)


def test_the_network_by_hand():
    rng = np.random.default_rng(1)
    layers = [(rng.normal(size=(22, 3)), rng.normal(size=3)), (rng.normal(size=(3, 1)), [0.5])]
    model = ChanceModel(0.1, [(one, np.array(other)) for one, other in layers])
    figures = rng.normal(size=(5, 22)).astype(np.float32)
    for row, said in zip(figures, model.chances(figures), strict=True):
        (first, bias), (last, (shift,)) = layers
        units = [
            math.tanh(sum(float(row[i]) * first[i][j] for i in range(22)) + bias[j])
            for j in range(3)
        ]
        logit = sum(units[j] * last[j][0] for j in range(3)) + shift
        assert said == pytest.approx(1 / (1 + math.exp(-logit)), abs=1e-12)


def test_chances_are_chances_in_the_order_of_the_search():
    chance = random.Random(8)
    n_moves = 0
    for _ in range(150):
        cells = untidy_board(chance)
        legal = {
            one for one in range(4) if slide_cells(cells, one, merge_32768=True).cells != cells
        }
        found = SEARCH.look(cells, 300)
        assert {one for one in range(4) if found.chances[one] is not None} == legal
        assert (found.direction is None) == (not legal)
        n_moves += len(legal)
        if legal:
            known = [one for one in found.chances if one is not None]
            assert all(0.0 <= one <= 1.0 for one in known)
            assert found.best == max(known)
    assert n_moves > 300


@pytest.mark.thorough
def test_the_same_answer_whatever_came_before():
    chance = random.Random(2)
    boards = [untidy_board(chance) for _ in range(20)]
    first = [SEARCH.look(cells, 2000) for cells in boards]
    again = [ChanceSearch().look(cells, 2000) for cells in reversed(boards)]
    assert first == again[::-1]


def test_what_makes_the_tile_now_is_certain():
    cells = cells_of("cba0990000000000")
    found = SEARCH.look(cells, 300)
    assert found.goal == ChanceGoal(3, 10)
    assert found.chances[0] == found.chances[1] == 1.0
    assert found.chances[2] is None
    assert found.chances[3] is not None
    assert found.chances[3] < 1.0


def test_two_tiles_of_32768_make_the_next_one():
    """And nothing after it is asked for a goal that stands already, which once divided by 0."""
    cells = (15, 15, 14, 0, 2, 1, *(0,) * 10)
    found = SEARCH.look(cells, 300)
    assert found.goal == ChanceGoal(0, 16)
    assert found.chances[0] == found.chances[1] == 1.0
    assert found.chances[3] < 1.0


def test_a_tidy_board_beats_one_that_is_nearly_lost():
    tidy, lost = cells_of("dcb0a00000000000"), cells_of("1c2d3a1b51214312")
    assert SEARCH.look(tidy, 3000).best > SEARCH.look(lost, 3000).best + 0.2


def test_other_games_are_refused():
    with pytest.raises(PlayError, match="10 % of the new tiles"):
        ChanceSearch(0.2)


def test_a_model_is_read_as_it_was_written(tmp_path):
    model = read_model()
    path = tmp_path / "model.json"
    write_model(path, model)
    again = read_model(path)
    figures = np.random.default_rng(4).normal(size=(50, len(FEATURES))).astype(np.float32)
    assert again.chances(figures).tolist() == model.chances(figures).tolist()
    assert (
        path.read_bytes()
        == json.dumps(json.loads(path.read_text()), separators=(",", ":")).encode() + b"\n"
    )


def damage(data, name):
    if name == "version":
        data["version"] = 99
    elif name == "features":
        data["features"][0] = "other"
    elif name == "shape":
        data["layers"][0]["bias"].append(0.0)
    elif name == "deep":
        data["layers"] = data["layers"][:1]
    elif name == "words":
        data["layers"][1]["weights"][0][0] = "many"
    elif name == "large":
        data["layers"][0]["weights"][0][0] = 1e308
    elif name == "share":
        data["spawn4"] = 3.0
    elif name == "missing":
        del data["layers"]
    elif name == "list":
        return [data]
    return data


@pytest.mark.parametrize(
    "name", ["version", "features", "shape", "deep", "words", "large", "share", "missing", "list"]
)
def test_what_is_no_model_is_refused(tmp_path, name):
    path = tmp_path / "model.json"
    write_model(path, read_model())
    path.write_text(json.dumps(damage(json.loads(path.read_text()), name)))
    with pytest.raises(WeightsError, match="model of chances"):
        read_model(path)
