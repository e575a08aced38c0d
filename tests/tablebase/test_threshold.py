"""Tables without boards of a low rate: which boards go, and what verify makes of the gaps."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tablebase.build.builder import BuildPlan, build
from tablebase.formation.formation import Formation
from tablebase.memory.arrays import Arrays
from tablebase.probe.reader import Tablebase
from tablebase.probe.verify import derive_bounds, verify
from tablebase.store.layer_file import LayerFile, pack_layer
from tablebase.store.manifest import load_manifest
from tablebase.store.options import TableOptions
from tablebase.store.rates import find_rate_type
from tablebase.store.stored_layer import read_stored

NAME, TARGET = "tinyangle", 64
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
