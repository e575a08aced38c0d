"""Sparse tables: every board gets the rate that it has in a table with all layers."""

import math
import random
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from brute_force import Solution, board_of, cells_of, spawned_boards
from child import ROOT, contents, written_at
from makers import TableMaker

from tablebase.build.builder import BuildPlan, build
from tablebase.errors import BuildCancelledError, MissingTableError, ProbeError
from tablebase.formation.formation import Formation, half_sum
from tablebase.probe.reader import Tablebase
from tablebase.probe.recompute import Recomputation, fill_spawns
from tablebase.probe.verify import verify
from tablebase.rank.row_tables import kernel_tables
from tablebase.rank.space import Space
from tablebase.store.options import TableOptions
from tablebase.store.rates import find_rate_type

TARGET = 64
SparseMaker = Callable[..., Path]
Floats = npt.NDArray[np.float64]
U64 = npt.NDArray[np.uint64]

# How far a rate may lie from the exact one: half a step of what is stored; sums of float64.
ERROR = {"uint32": 0.5001 / 4e9, "uint64": 1e-14, "float64": 1e-14, "float32": 2.0**-24}
STEP = 1.0001 / 4e9  # of a uint32 rate: each of two rates is off by at most half a one


@pytest.fixture(scope="module")
def sparse_table(
    formations: dict[str, Formation], tmp_path_factory: pytest.TempPathFactory
) -> SparseMaker:
    """Return ``sparse_table(name, sparse, rate="uint32") -> Path``; never write to it."""
    tables = tmp_path_factory.mktemp("sparse")

    def make(name: str, sparse: int, rate: str = "uint32") -> Path:
        folder = tables / f"{rate}_{sparse}" / f"{name}_{TARGET}"
        if not folder.exists():
            options = TableOptions(rate=rate, sparse=sparse)
            build(BuildPlan(formations[name], TARGET, folder, options, threads=2))
        return folder

    return make


@pytest.fixture
def plan(formations: dict[str, Formation], tmp_path: Path) -> BuildPlan:
    folder = tmp_path / f"44_{TARGET}"
    return BuildPlan(formations["44"], TARGET, folder, TableOptions(sparse=4), threads=1)


@pytest.fixture(scope="module")
def reader(sparse_table: SparseMaker) -> Iterator[Tablebase]:
    with Tablebase.open(sparse_table("44", 4)) as opened:
        yield opened


@pytest.fixture(scope="module")
def dense(table: TableMaker) -> Iterator[Tablebase]:
    with Tablebase.open(table("44", TARGET)) as opened:
        yield opened


def recomputation(reader: Tablebase) -> Recomputation:
    space = Space(reader.formation, reader.target, reader.n_layers)
    omitted = reader.manifest.omitted
    files, reached = reader.layer_file, reader.stored_states.reached_rates
    return Recomputation(space, kernel_tables(space), reader.spawn4, omitted, files, reached)


def assert_close(got: Floats, want: Floats, most: float, boards: U64, layer: int) -> None:
    wrong = np.abs(got - want) > most
    assert not wrong.any(), (
        f"layer {layer}: {wrong.sum()} of {wrong.size} differ, first "
        f"{int(boards[wrong.argmax()]):016x}"
    )


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "sparse", "rate"),
    [
        ("tinymirror", 4, "uint32"),
        ("tinymirror", 8, "float64"),
        ("tinyangle", 3, "float32"),
        ("tinyangle", 5, "uint64"),
        ("tinycorner", 4, "uint32"),  # never wins
        ("tinyloose", 4, "uint32"),  # an F moves
        ("tinyloose", 5, "float64"),
        ("tinyends", 3, "float64"),
        ("tinyends", 16, "uint32"),
    ],
)
def test_every_board_without_a_file_agrees_with_brute_force(
    name, sparse, rate, solution, sparse_table
):
    """Also those that have reached the target (1) and those that cannot win any more (0)."""
    solved: Solution = solution(name, TARGET)
    with Tablebase.open(sparse_table(name, sparse, rate)) as reader:
        assert reader.manifest.omitted
        recomputed = recomputation(reader)
        for layer in reader.manifest.omitted:
            exact = solved.rates[layer]
            boards = np.array(sorted(exact), np.uint64)
            want = np.array([exact[board] for board in boards.tolist()])
            assert_close(recomputed.rates(boards, layer), want, ERROR[rate], boards, layer)


@pytest.mark.sample(1)
@pytest.mark.parametrize(
    ("name", "sparse", "rate"),
    [
        ("2x4", 3, "uint32"),  # walls, with the symmetries of the square
        ("2x4", 8, "float64"),
        ("3x3", 4, "uint32"),  # and with those of a window
        ("44", 4, "uint32"),
        ("44", 5, "float64"),
        ("44", 16, "uint32"),
    ],
)
def test_every_stored_board_agrees_with_a_table_of_all_layers(
    name, sparse, rate, table, sparse_table
):
    """To one step of what is stored: each of the two is off by at most half a one."""
    with (
        Tablebase.open(sparse_table(name, sparse, rate)) as reader,
        Tablebase.open(table(name, TARGET, rate)) as dense,
    ):
        recomputed = recomputation(reader)
        for layer in reader.manifest.omitted:
            boards, values = dense.layer_boards(layer)
            want = find_rate_type(rate).decode_many(values)
            assert_close(recomputed.rates(boards, layer), want, 2 * ERROR[rate], boards, layer)


@pytest.mark.thorough
def test_levels_are_as_exact_as_those_above(table, sparse_table):
    """uint16 tells how far off each layer may be; what follows from it is no further off."""
    with (
        Tablebase.open(sparse_table("44", 4, "uint16")) as reader,
        Tablebase.open(table("44", TARGET, "float64")) as dense,
    ):
        recomputed = recomputation(reader)
        for layer in reader.manifest.omitted:
            boards, exact = dense.layer_boards(layer)
            most = reader.max_error(layer) + ERROR["float64"]
            assert_close(recomputed.rates(boards, layer), exact, most, boards, layer)


def test_the_images_of_a_board_have_its_rate(solution, sparse_table):
    exact = solution("tinyends", TARGET).rates[12]
    boards = np.array(sorted(exact), np.uint64)
    images = np.array([mirrored(board) for board in boards.tolist()], np.uint64)
    assert (images != boards).all()
    with Tablebase.open(sparse_table("tinyends", 16)) as reader:
        assert not reader.is_quick  # each rate follows from thousands
        got = recomputation(reader).rates(images, 12)
    want = np.array([exact[board] for board in boards.tolist()])
    assert_close(got, want, ERROR["uint32"], images, 12)


def mirrored(board: int) -> int:
    cells = cells_of(board)
    return board_of([cells[4 * row + 3 - column] for row in range(4) for column in range(4)])


@pytest.mark.thorough
def test_probes_agree_with_a_table_of_all_layers(reader, dense):
    rng, n_same = random.Random(5), 0
    for layer in range(reader.n_layers - 2):
        boards = dense.layer_boards(layer)[0].tolist()
        for after in rng.sample(boards, min(4, len(boards))):
            board = rng.choice(spawned_boards(after, rng.choice((1, 1, 2))))
            got, want = reader.probe(board), dense.probe(board)
            assert got.best_rate == pytest.approx(want.best_rate, abs=STEP)
            if got.masked == want.masked:  # of views that are as good either may be chosen
                assert got.rates == pytest.approx(want.rates, abs=STEP)
                n_same += 1
            if got.best is not None:
                assert got.rates[got.best] == got.best_rate
    assert n_same > 100


def test_rates_of_after_states_agree_one_by_one_and_together(reader, dense):
    rng = random.Random(6)
    layers = [dense.layer_boards(layer)[0].tolist() for layer in range(dense.n_layers)]
    boards = [rng.choice(layer) for layer in layers if layer]
    boards.append(0x0000_6003_FFFF_FFFF)  # has reached the target
    boards.append(0x1111_1111_1111_1111)
    together = reader.rates_of(boards)
    assert together[-1] is None
    assert together[:-1] == [reader.rate_of(board) for board in boards[:-1]]
    assert together[:-1] == pytest.approx(dense.rates_of(boards)[:-1], abs=STEP)
    many = reader.many_rates(np.array(boards, np.uint64))
    for board, one, rate in zip(boards, many.tolist(), together, strict=True):
        has_file = half_sum(board) - reader.formation.seed_half_sum in reader.manifest.layers
        want = rate if has_file and rate else math.nan
        assert one == pytest.approx(want, abs=1e-12, nan_ok=True)
    with pytest.raises(ProbeError):
        reader.rate_of(boards[-1])


def test_of_a_board_that_cannot_come_up_nothing_is_known(reader, dense):
    """No move leaves the gap in its second row, so no file has it: yet it is won in one move."""
    board = 0x0000_5503_FFFF_FFFF
    assert dense.rate_of(board) is None
    assert reader.rate_of(board) is None
    assert np.isnan(dense.many_rates(np.array([board], np.uint64))).all()
    assert np.isnan(reader.many_rates(np.array([board], np.uint64))).all()


def test_a_board_without_a_free_cell_has_rate_0(reader):
    layer = next(i for i in reader.manifest.omitted if i > 10)
    boards = np.array([0x1212_2123_FFFF_FFFF], np.uint64)
    assert recomputation(reader).rates(boards, layer).tolist() == [0.0]


@pytest.mark.sample(1)
@pytest.mark.parametrize("name", ["tinymirror", "44", "3x3"])
def test_counts_are_those_of_a_table_of_all_layers(sparse_table, table, name):
    with (
        Tablebase.open(sparse_table(name, 4)) as sparse,
        Tablebase.open(table(name, TARGET)) as dense,
    ):
        assert sparse.is_quick
        assert dense.is_quick
        got, want = sparse.manifest, dense.manifest
        assert sorted(got.layers) == sparse.manifest.options.layers_with_files(sparse.n_layers)
        for layer, one in want.layers.items():
            found = got.layers.get(layer) or got.omitted[layer]
            assert (found.boards, found.stored) == (one.boards, one.stored)
        for layer, kept in got.layers.items():
            assert kept == want.layers[layer]
        assert (got.boards, got.stored) == (want.boards, want.stored)
        assert got.bytes < want.bytes


def test_a_layer_without_a_file_cannot_be_listed(reader):
    for ask in (
        reader.layer_boards,
        reader.layer_file,
        lambda layer: reader.stored_board(layer, 0),
    ):
        with pytest.raises(MissingTableError, match="44_64 is sparse, and its layer 2 has no file"):
            ask(2)
    assert reader.layer_boards(4)[0].size == reader.manifest.layers[4].stored


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_any_number_of_threads_gives_the_same_bytes(plan, sparse_table, threads):
    result = build(replace(plan, threads=threads))
    files = contents(plan.folder)
    assert files == contents(sparse_table("44", 4))
    assert result.bytes == sum(map(len, files.values())) - len(files["manifest.json"])


@pytest.mark.parametrize("n_calls", [50, 200, 300])
@pytest.mark.thorough
def test_a_cancelled_build_goes_on_where_it_was(plan, sparse_table, n_calls, monkeypatch):
    monkeypatch.setattr("tablebase.build.builder._KEEP_LIVE_EVERY_S", 0.0)  # so that it can go on
    left = iter(range(n_calls))
    with pytest.raises(BuildCancelledError):
        build(plan, is_cancelled=lambda: next(left, None) is None)
    build(plan)
    assert contents(plan.folder) == contents(sparse_table("44", 4))


def test_a_damaged_layer_is_computed_again(plan):
    build(plan)
    before, files = written_at(plan.folder), contents(plan.folder)
    path = plan.folder / "layer-0012.tbl"
    path.write_bytes(path.read_bytes()[:-1] + b"\0")
    build(plan)
    assert contents(plan.folder) == files
    changed = {name for name, at in written_at(plan.folder).items() if at != before[name]}
    assert changed == {"layer-0012.tbl", "manifest.json"}


def test_a_complete_table_is_not_built_again(plan):
    first = build(plan)
    before = written_at(plan.folder)
    again = build(plan)
    assert again.was_complete
    assert (again.boards, again.stored, again.bytes) == (first.boards, first.stored, first.bytes)
    assert written_at(plan.folder) == before


@pytest.mark.thorough
def test_verify_is_content_with_a_sound_table(sparse_table):
    for name, rate in (("44", "uint32"), ("3x3", "float64"), ("44", "uint16")):
        report = verify(sparse_table(name, 4, rate), sample=60)
        assert report.ok, report.problems
        assert (report.sampled, report.mismatches) == (60, 0)
        assert report.files > report.omitted > 20


@pytest.mark.thorough
def test_verify_finds_wrong_rates_across_layers_without_a_file(plan, tmp_path):
    """The two layers of one pair are of a table where more 4s appear; all checksums fit."""
    build(plan)
    options = replace(plan.options, spawn4=0.2)
    other = replace(plan, folder=tmp_path / "other", options=options)
    build(other)
    with Tablebase.open(other.folder) as foreign, Tablebase.open(plan.folder) as own:
        layers = {i: foreign.manifest.layers[i] for i in (20, 21)}
        changed = replace(own.manifest, layers={**own.manifest.layers, **layers})
    for one in layers.values():
        (plan.folder / one.file).write_bytes((other.folder / one.file).read_bytes())
    changed.save(plan.folder)
    report = verify(plan.folder, sample=200)
    assert report.mismatches
    found = {int(text.split(":")[0].removeprefix("layer ")) for text in report.problems}
    assert found <= {16, 17, 20, 21}, "the pair itself, and the one that follows from it"


def test_spawns_come_board_by_board():
    boards = np.array([0x1000_0011_FFFF_FFFF, 0x1234_1234_FFFF_FFFF, 0x0123_1230_FFFF_FFFF], "u8")
    for exponent in (1, 2):
        want = [one for board in boards.tolist() for one in spawned_boards(board, exponent)]
        got = np.empty(len(want), np.uint64)
        fill_spawns(boards, np.uint64(exponent), got)
        assert sorted(got[:5].tolist()) == sorted(want[:5])
        assert sorted(got[5:].tolist()) == sorted(want[5:])


@pytest.mark.thorough
def test_the_compiler_is_loaded_for_layers_without_a_file_only(sparse_table):
    """Layer 0 has a file, the boards after a 4 are of layer 2, which has none."""
    code = f"""
import sys
from tablebase.store.rates import find_rate_type
from tablebase.probe.reader import Tablebase
with Tablebase.open({str(sparse_table("44", 4))!r}) as table:
    table.rate_of(table.formation.seeds[0])
    assert "numba" not in sys.modules
    assert table.probe(table.formation.seeds[0] | 2 << 32).best is not None
    assert "numba" in sys.modules
"""
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=True, timeout=600)
