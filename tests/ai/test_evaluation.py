"""Files of weights: what is read, and what is said about anything else."""

import json

import pytest

from ai.errors import WeightsError
from ai.evaluation.evaluation import DEFAULT_WEIGHTS, Evaluation, PhaseWeights, read_weights

GOOD = json.loads(DEFAULT_WEIGHTS.read_text(encoding="utf-8"))


def changed(**fields):
    phase = dict(GOOD["phases"][-1], **fields)
    return {"version": 1, "phases": [phase]}


@pytest.mark.parametrize(
    ("data", "words"),
    [
        ([], "version"),
        ({"version": 2, "phases": []}, "version is 2"),
        ({"version": 1}, "1 to 2 phases"),
        ({"version": 1, "phases": GOOD["phases"][-1:] * 5}, "1 to 2 phases"),
        ({"version": 1, "phases": GOOD["phases"][-1:] * 2}, "ascend"),
        (changed(until_sum=100), "null in the last"),
        (changed(until_sum=-1), "until_sum is -1"),
        (changed(dead="x"), "dead is 'x'"),
        (changed(points=True), "points is True"),
        (changed(weights={}), "weights missing or unknown"),
        (changed(more=1), "must have the fields"),
        ({**GOOD, "nets": ["../x.npz"]}, "expected names of files"),
        ({**GOOD, "nets": [3]}, "expected names of files"),
    ],
)
def test_what_is_wrong_is_told(tmp_path, data, words):
    path = tmp_path / "weights.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    with pytest.raises(WeightsError, match=words):
        read_weights(path)


@pytest.mark.parametrize("text", ["", "{", "NaN", "\xff"])
def test_no_json_is_told_with_the_path(tmp_path, text):
    path = tmp_path / "weights.json"
    path.write_text(text, encoding="latin-1")
    with pytest.raises(WeightsError, match=r"weights\.json"):
        read_weights(path)
    with pytest.raises(WeightsError, match="cannot read"):
        read_weights(tmp_path / "none.json")


def test_phases_follow_the_sum_of_the_tiles():
    last = read_weights()[-1]
    first = PhaseWeights(1000, last.dead, last.points, last.weights)
    evaluation = Evaluation([first, last])
    assert [evaluation.phase_of(total).tag for total in (4, 999, 1000, 1 << 17)] == [0, 0, 1, 1]
