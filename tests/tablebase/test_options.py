"""What a table keeps: which options there are, what is said about others, what a manifest tells."""

import json
import math
from dataclasses import replace

import pytest

import main
from tablebase.cli.tables import _keeps
from tablebase.errors import BuildRefusedError, DamagedTableError
from tablebase.formation.formation import Formation
from tablebase.library import catalog
from tablebase.store.checked_json import checksum
from tablebase.store.layer_file import WrittenLayer
from tablebase.store.manifest import Manifest, OmittedLayer, load_manifest
from tablebase.store.options import OPTIONS, TableOptions, parse_options


@pytest.fixture
def manifest(formations: dict[str, Formation]) -> Manifest:
    return Manifest(formations["2x4"], 64)


def layer(number: int, boards: int = 10, stored: int = 7) -> WrittenLayer:
    return WrittenLayer(number, f"layer-{number:04d}.tbl", 1000, 5, boards, stored)


@pytest.mark.parametrize(
    "options",
    [
        TableOptions(),
        TableOptions(threshold=0.999),
        TableOptions(threshold=0),
        TableOptions(sparse=3),
        TableOptions(sparse=16),
        TableOptions(0.5, "float64", 0.05, True),
    ],
)
def test_good_options_are_taken_and_survive_writing(options):
    options.check()
    assert parse_options(json.loads(json.dumps(options.to_dict()))) == options


@pytest.mark.parametrize(
    ("name", "values", "message"),
    [
        (
            *("threshold", [1.0, -0.1, math.nan]),
            "threshold {}: expected a number from 0 to below 1, such as 0.05",
        ),
        (
            *("sparse", [2, 0, 17, True]),
            "sparse {}: expected 1 (keep all layers) or a number from 3 to 16",
        ),
        (
            *("spawn4", [math.nan]),
            "spawn-4 rate {}: expected a number above 0 and below 1, such as 0.1",
        ),
        ("optimal_only", [1], "optimal only {}: expected True or False"),
    ],
)
def test_a_wrong_value_is_refused_in_words(name, values, message):
    for value in values:
        with pytest.raises(BuildRefusedError) as caught:
            TableOptions(**{name: value}).check()
        assert str(caught.value) == message.format(value)


@pytest.mark.parametrize("also", [{"threshold": 0.1}, {"optimal_only": True}])
def test_a_sparse_table_that_leaves_out_boards_is_refused_in_words(also):
    with pytest.raises(BuildRefusedError) as caught:
        TableOptions(sparse=4, **also).check()
    assert str(caught.value) == (
        "a sparse table needs all boards of the layers it keeps: "
        "choose sparse 1, or threshold 0 and all boards"
    )


def test_an_unknown_rate_is_refused():
    with pytest.raises(BuildRefusedError, match="uint33"):
        TableOptions(rate="uint33").check()


def test_the_command_build_has_every_option_with_its_default():
    given = vars(main.build_parser().parse_args(["build", "442", "128"]))
    for name, option in OPTIONS.items():
        default = option.default if option.has_default else None
        assert given[option.flag or name] == default, name


def test_all_layers_are_kept_unless_sparse():
    assert list(TableOptions().layers_with_files(5)) == [0, 1, 2, 3, 4]


def test_a_sparse_table_keeps_pairs_of_layers():
    assert list(TableOptions(sparse=4).layers_with_files(12)) == [0, 1, 4, 5, 8, 9, 10, 11]
    assert list(TableOptions(sparse=3).layers_with_files(8)) == [0, 1, 3, 4, 6, 7]


@pytest.mark.parametrize("sparse", [1, *range(3, 17)])
def test_every_layer_follows_from_kept_ones(sparse):
    """Going down from the last layer, each has the next two: kept, or derived from such."""
    for n_layers in range(3, 60):
        kept = set(TableOptions(sparse=sparse).layers_with_files(n_layers))
        assert {0, 1, n_layers - 2, n_layers - 1} <= kept <= set(range(n_layers))
        for i in set(range(n_layers)) - kept:
            pair = next(j for j in range(i + 1, n_layers) if {j, j + 1} <= kept)
            assert pair - i <= sparse - 2


def test_the_manifest_keeps_the_options(manifest, tmp_path):
    options = TableOptions(0.2, "float32", 0.25, True)
    replace(manifest, options=options).save(tmp_path)
    loaded = load_manifest(tmp_path)
    assert loaded.options == options
    assert (loaded.options.spawn4, loaded.rate) == (0.2, "float32")


def test_differences_name_every_option(manifest):
    other = replace(manifest, options=TableOptions(0.2, "float32", 0.25, True, 5))
    assert manifest.differences(other) == [
        "spawn4 is 0.1, not 0.2",
        "rate is 'uint32', not 'float32'",
        "threshold is 0.0, not 0.25",
        "optimal_only is False, not True",
        "sparse is 1, not 5",
    ]
    assert manifest.differences(replace(manifest, target=128)) == ["target is 64, not 128"]
    assert manifest.differences(replace(manifest, options=TableOptions(threshold=0))) == []


def test_a_sparse_table_is_complete_with_the_kept_layers(manifest, tmp_path):
    sparse = replace(manifest, options=TableOptions(sparse=4))
    kept = sparse.layers_with_files
    rest = [i for i in range(sparse.n_layers) if i not in kept]
    half = sparse.with_layers(layer(i) for i in kept)
    with pytest.raises(AssertionError):
        half.completed()
    done = half.with_layers(OmittedLayer(i, 10, 7) for i in rest).completed()
    done.save(tmp_path)
    loaded = load_manifest(tmp_path)
    assert loaded == done
    assert (loaded.n_done, loaded.boards) == (loaded.n_layers, 10 * loaded.n_layers)
    assert loaded.stored == 7 * loaded.n_layers, "as many as without sparse"
    assert loaded.bytes == 1000 * len(kept)


def test_a_layer_with_a_file_that_should_have_none_is_damage(manifest, tmp_path):
    sparse = replace(manifest, options=TableOptions(sparse=4))
    sparse.with_layers([layer(2)]).save(tmp_path)
    with pytest.raises(DamagedTableError, match="files that should not"):
        load_manifest(tmp_path)


def test_a_manifest_of_version_1_is_read(manifest, tmp_path):
    manifest.with_layers([layer(70)]).save(tmp_path)
    path = tmp_path / "manifest.json"
    body = json.loads(path.read_text())
    for name in ("crc", "options", "omitted"):
        del body[name]
    body |= {"version": 1, "spawn4": 0.3, "rate": "float64"}
    body["crc"] = checksum(body)
    path.write_text(json.dumps(body))
    loaded = load_manifest(tmp_path)
    assert loaded.options == TableOptions(0.3, "float64")
    assert set(loaded.layers) == {70}


def test_the_catalog_tells_the_options(manifest, tmp_path):
    options = TableOptions(threshold=0.125, optimal_only=True)
    replace(manifest, options=options).save(tmp_path)
    (info,) = catalog.scan([tmp_path])
    assert (info.threshold, info.optimal_only, info.sparse) == (0.125, True, 1)
    assert _keeps(info) == "rate > 0.125, optimal play"
    assert _keeps(replace(info, threshold=0.0, optimal_only=False)) == "all"
    assert _keeps(replace(info, threshold=0.0, optimal_only=False, sparse=4)) == "2 layers of 4"
