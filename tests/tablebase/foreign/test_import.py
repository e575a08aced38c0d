"""Converting another program's table: what comes out, and what happens when it is interrupted."""

import json
import os
import random
import shutil
import subprocess
from functools import partial
from pathlib import Path

import brute_force
import brute_force_arrays
import numpy as np
import pytest
import reference_writer as writer
from child import ROOT, assert_refused, contents, environment, json_lines, run
from makers import Solver, count_maps
from reference_tables import Writer, stored_layers, write_table
from small_formations import rules_of

import endgame2048 as eg
import tablebase.memory.arrays as arrays_module
from engine.platform.user_folders import user_folders
from tablebase.build.builder import BuildPlan, build
from tablebase.errors import (
    BuildCancelledError,
    BuildRefusedError,
    DamagedTableError,
    MissingTableError,
    TableFormatError,
)
from tablebase.foreign import convert
from tablebase.foreign.convert import ImportPlan, import_table
from tablebase.library.catalog import scan
from tablebase.library.named_tables import known_formations
from tablebase.library.opening import open_table
from tablebase.maintain.relocate import RelocatePlan, relocate
from tablebase.probe.reader import Tablebase
from tablebase.probe.verify import verify
from tablebase.rank.space import Space
from tablebase.store.manifest import load_manifest
from tablebase.store.parts_index import PartRecord

MOVABLE = ("tinyshift", "tinypair", "tinycorners", "tinydiagonalf")
CASES = [(name, "uint32") for name in ("tinymirror", "tinyangle", "2x4", *MOVABLE)]
PACKED = ("tinyangle", "tinycorners")
CASES += [("tinymirror", rate) for rate in ("float32", "float64")]


@pytest.mark.sample(1)
@pytest.mark.parametrize(("name", "rate"), CASES)
def test_every_stored_board_and_rate_comes_over(name, rate, written, opened, tmp_path, solution):
    solved = solution(name, 64)
    with opened(written(name, 64, rate, packed=name in PACKED)) as source:
        result = import_table(ImportPlan(source, tmp_path / "out"))
    assert (result.layers, result.was_complete) == (len(solved.rates), False)
    with Tablebase.open(tmp_path / "out") as table:
        assert table.rate == rate
        for layer in range(table.n_layers):
            boards, values = table.layer_boards(layer)
            zero = writer.stored_value(rate, 0.0)
            want = {
                board: writer.stored_value(rate, p)
                for board, p in sorted(solved.stored(layer).items())
                if writer.stored_value(rate, p) != zero
            }
            assert boards.tolist() == list(want)
            assert values.tolist() == list(want.values())


@pytest.mark.parametrize("rate", ["uint64", "1-float32", "1-float64"])
def test_rate_types_that_we_lack_become_float64(rate, written, opened, tmp_path, solution):
    with opened(written("tinymirror", 64, rate)) as source:
        if convert.rate_type_for(rate) != "float64":
            pytest.skip("there is such a type")
        import_table(ImportPlan(source, tmp_path / "out"))
    with Tablebase.open(tmp_path / "out") as table:
        for layer, rates in enumerate(stored_layers(solution("tinymirror", 64), rate)):
            boards, values = table.layer_boards(layer)
            assert values.tolist() == [writer.stored_rate(rate, rates[b]) for b in boards.tolist()]


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["tinymirror", "tinyangle"])
def test_it_equals_the_table_that_we_build(name, opened, table, tmp_path, formations):
    """The reference cuts off at every layer, we round once: it is a few units low, never high."""
    rules = rules_of(formations[name], 64, raw_one=4_000_000_000)
    solved = brute_force_arrays.solve(rules)
    cut = [
        {b: (round(p * 4e9) + 0.5) / 4e9 for b, p in layer.items() if p} for layer in solved.rates
    ]
    write_table(tmp_path, f"{name}_64", cut, "uint32")  # the half is cut off again
    generated = [f"{i},{len(layer)},0.9,1.5,0,0.1\n" for i, layer in enumerate(solved.rates)]
    (tmp_path / f"{name}_64_stats.txt").write_text("layer,length,max\n" + "".join(generated[:-2]))
    with opened(tmp_path) as source:
        import_table(ImportPlan(source, tmp_path / "out"))
    n_cut = 0
    with Tablebase.open(tmp_path / "out") as got, Tablebase.open(table(name, 64)) as want:
        for layer in range(want.n_layers):
            boards, values = got.layer_boards(layer)
            our_boards, our_values = want.layer_boards(layer)
            assert set(boards) <= set(our_boards)
            is_there = np.isin(our_boards, boards)
            assert (our_values[~is_there] <= 60).all()
            low = our_values[is_there].astype(np.int64) - values.astype(np.int64)
            assert (low >= 0).all()
            assert (low <= 1 + (want.n_layers - layer) * 0.6).all()
            n_cut += int((low > 0).sum())
            if layer < want.n_layers - 2:
                recorded, ours = got.manifest.layers[layer], want.manifest.layers[layer]
                assert recorded.boards == ours.boards
    assert n_cut > 0
    assert verify(tmp_path / "out", 200).ok


@pytest.mark.thorough
@pytest.mark.parametrize(("name", "rate"), [("tinyangle", "uint32"), ("tinymirror", "uint16")])
def test_a_limited_import_writes_the_same_bytes(name, rate, written, opened, tmp_path, monkeypatch):
    with opened(written(name, 64, packed=name in PACKED)) as source:
        import_table(ImportPlan(source, tmp_path / "whole", rate))
        monkeypatch.setattr(convert, "MIN_BYTES", 0)
        monkeypatch.setattr(convert, "blocks_bytes", lambda _space: 0)
        monkeypatch.setattr(arrays_module, "_ALWAYS_IN_MEMORY", 0)
        made = count_maps(monkeypatch)
        import_table(ImportPlan(source, tmp_path / "limited", rate, memory_bytes=1))
    assert len(made) > 300, "its arrays were mapped"
    assert contents(tmp_path / "limited") == contents(tmp_path / "whole")


def test_less_memory_than_the_program_itself_takes_is_refused(written, opened, tmp_path):
    with opened(written("tinymirror", 64)) as source:
        plan = ImportPlan(source, tmp_path / "out", memory_bytes=100 << 20)
        with pytest.raises(BuildRefusedError, match=r"importing tinymirror_64 needs at least .*MB"):
            import_table(plan)
    assert not (tmp_path / "out").exists()


def test_compact_rates_can_be_imported(written, opened, tmp_path, solution):
    solved = solution("tinymirror", 64)
    with opened(written("tinymirror", 64)) as source:
        import_table(ImportPlan(source, tmp_path / "out", "uint16"))
    with Tablebase.open(tmp_path / "out") as table:
        for layer in range(table.n_layers):
            file = table.layer_file(layer)
            boards, values = table.layer_boards(layer)
            rates = {b: writer.stored_rate("uint32", p) for b, p in solved.stored(layer).items()}
            wanted = {board: rate for board, rate in sorted(rates.items()) if rate > 0.0}
            assert boards.tolist() == list(wanted)
            found = file.rate.decode_many(values)
            assert np.abs(found - [*wanted.values()]).max(initial=0.0) <= file.max_error


@pytest.mark.thorough
def test_an_interrupted_import_goes_on_and_ends_with_the_same_bytes(
    written, opened, tmp_path, monkeypatch
):
    rng = random.Random(4)
    with opened(written("tinymirror", 64)) as source:
        import_table(ImportPlan(source, tmp_path / "whole"))
        real = convert.LayerConverter.convert
        stop_at: set[int] = set(rng.sample(range(source.n_layers), 8))
        done: list[int] = []

        def convert_or_fail(self: convert.LayerConverter, layer: int, *more: object) -> object:
            if layer in stop_at:
                stop_at.remove(layer)
                raise RuntimeError("power cut")
            done.append(layer)
            return real(self, layer, *more)  # type: ignore[arg-type]

        monkeypatch.setattr(convert.LayerConverter, "convert", convert_or_fail)
        for _ in range(8):
            with pytest.raises(RuntimeError, match="power cut"):
                import_table(ImportPlan(source, tmp_path / "cut"))
        assert not import_table(ImportPlan(source, tmp_path / "cut")).was_complete
        assert done == list(reversed(range(source.n_layers)))  # none of them twice
        assert import_table(ImportPlan(source, tmp_path / "cut")).was_complete
    assert contents(tmp_path / "cut") == contents(tmp_path / "whole")


def test_a_cancelled_import_goes_on(written, opened, tmp_path):
    with opened(written("tinymirror", 64)) as source:
        import_table(ImportPlan(source, tmp_path / "whole"))
        asked = iter([False] * 40 + [True])
        with pytest.raises(BuildCancelledError):
            import_table(ImportPlan(source, tmp_path / "cut"), is_cancelled=lambda: next(asked))
        fractions: list[float] = []
        import_table(
            ImportPlan(source, tmp_path / "cut"),
            lambda progress: fractions.append(progress.fraction),
        )
    assert contents(tmp_path / "cut") == contents(tmp_path / "whole")
    assert fractions == sorted(fractions)
    assert fractions[0] > 0.1


@pytest.mark.parametrize(
    "damage", [lambda data: data[:-1], lambda data: data[:-1] + bytes([data[-1] ^ 1])]
)
def test_a_damaged_layer_file_is_converted_again(damage, written, opened, tmp_path):
    with opened(written("tinymirror", 64)) as source:
        import_table(ImportPlan(source, tmp_path / "out"))
        whole = contents(tmp_path / "out")
        file = tmp_path / "out" / "layer-0007.tbl"
        file.write_bytes(damage(file.read_bytes()))
        assert not import_table(ImportPlan(source, tmp_path / "out")).was_complete
    assert contents(tmp_path / "out") == whole


def test_layers_on_another_drive_are_neither_lost_nor_converted_again(written, opened, tmp_path):
    folder, other = tmp_path / "out", tmp_path / "other"
    other.mkdir()
    with opened(written("tinymirror", 64)) as source:
        import_table(ImportPlan(source, folder))
        relocate(RelocatePlan([folder], other, range(5, 9)))
        moved = contents(folder)
        assert import_table(ImportPlan(source, folder)).was_complete
        assert contents(folder) == moved
        other.rename(tmp_path / "detached")
        with pytest.raises(BuildRefusedError, match="attach"):
            import_table(ImportPlan(source, folder))
    assert contents(folder) == moved


def test_two_sources_are_never_mixed(written, opened, table, tmp_path):
    built = tmp_path / "built"
    shutil.copytree(table("tinymirror", 64), built)
    with opened(written("tinymirror", 64)) as source:
        with pytest.raises(BuildRefusedError, match="which was built, not imported"):
            import_table(ImportPlan(source, built))
        with pytest.raises(BuildRefusedError, match="holds the table to import"):
            import_table(ImportPlan(source, source.path))
        import_table(ImportPlan(source, tmp_path / "out"))
    with opened(written("tinymirror", 64, "uint32", packed=True)) as other:
        with pytest.raises(BuildRefusedError, match="its source has other files"):
            import_table(ImportPlan(other, tmp_path / "out"))
        with pytest.raises(BuildRefusedError, match="rate is 'uint32', not 'float64'"):
            import_table(ImportPlan(other, tmp_path / "out", "float64"))


def test_a_build_goes_on_with_no_import(written, opened, tmp_path, formations):
    plan = BuildPlan(formations["tinymirror"], 64, tmp_path / "out")
    with opened(written("tinymirror", 64)) as source:
        asked = iter([False] * 40 + [True])
        with pytest.raises(BuildCancelledError):
            import_table(ImportPlan(source, tmp_path / "out"), is_cancelled=lambda: next(asked))
        with pytest.raises(BuildRefusedError, match="start the same import again"):
            build(plan)
        import_table(ImportPlan(source, tmp_path / "out"))
    whole = contents(tmp_path / "out")
    assert build(plan).was_complete
    assert contents(tmp_path / "out") == whole
    (tmp_path / "out" / "layer-0007.tbl").unlink()
    with pytest.raises(BuildRefusedError, match="start the same import again"):
        build(plan)


def test_nothing_is_imported_over_the_layers_of_another_table(
    written, opened, tmp_path, formations
):
    part, plan = tmp_path / "drive", BuildPlan(formations["tinymirror"], 64, tmp_path / "home")
    build(plan)
    part.mkdir()
    PartRecord.of(load_manifest(plan.folder), plan.folder).save(part)
    (plan.folder / "layer-0003.tbl").rename(part / "layer-0003.tbl")
    before = contents(part)
    with (
        opened(written("tinymirror", 64)) as source,
        pytest.raises(BuildRefusedError, match="choose another"),
    ):
        import_table(ImportPlan(source, part))
    assert contents(part) == before


@pytest.fixture
def copied(written: Writer, tmp_path: Path) -> Path:
    folder = tmp_path / "tables"
    shutil.copytree(written("tinymirror", 64), folder)
    return folder


def test_a_missing_layer_is_refused_before_anything_is_written(copied, opened, tmp_path):
    for layer in (9, 12):
        (copied / f"tinymirror_64_{layer}.book").unlink()
    with opened(copied) as source, pytest.raises(MissingTableError, match=r"layer 9 .* 1 other"):
        import_table(ImportPlan(source, tmp_path / "out"))
    assert not (tmp_path / "out").exists()


def spoiled(copied: Path, layer: int, changed: dict[int, float]) -> None:
    path = copied / f"tinymirror_64_{layer}.book"
    raw = np.fromfile(path, writer_record())
    rates = dict(zip(raw["board"].tolist(), (raw["rate"] / 4e9).tolist(), strict=True))
    writer.write_book(copied, "tinymirror_64", layer, rates | changed, "uint32")


def writer_record() -> np.dtype:
    return np.dtype([("board", "<u8"), ("rate", "<u4")])


def test_boards_that_cannot_be_stored_are_refused_by_name(copied, opened, tmp_path):
    with opened(copied) as source:
        boards, _ = source.layer_boards(20)
        board = next(b for b in boards.tolist() if source.canonical(mirrored(b)) != mirrored(b))
    # an F and a small tile change places: the sum is right, the formation is not
    outside = swapped(board)
    for wrong, error, words in (
        (mirrored(board), BuildRefusedError, "another symmetry"),
        (outside, BuildRefusedError, "outside of tinymirror"),
        (board + (1 << 40), TableFormatError, "add up to"),
    ):
        shutil.rmtree(tmp_path / "out", ignore_errors=True)
        whole = (copied / "tinymirror_64_20.book").read_bytes()
        spoiled(copied, 20, {wrong: 0.5})
        with opened(copied) as source, pytest.raises(error, match=f"{wrong:016x}.*{words}"):
            import_table(ImportPlan(source, tmp_path / "out"))
        (copied / "tinymirror_64_20.book").write_bytes(whole)


def mirrored(board: int) -> int:
    cells = brute_force.cells_of(board)
    return brute_force.board_of([cells[4 * (c // 4) + 3 - c % 4] for c in range(16)])


def swapped(board: int) -> int:
    """Exchange an F of the bottom with the lowest free cell; least of the two images."""
    cells = brute_force.cells_of(board)
    free = max(c for c in range(16) if cells[c] != 15)
    cells[free], cells[15] = cells[15], cells[free]
    swapped_board = brute_force.board_of(cells)
    return min(swapped_board, mirrored(swapped_board))


def test_a_board_of_the_last_layers_without_the_target_is_refused(
    copied, opened, tmp_path, formations
):
    space = Space(formations["tinymirror"], 64, formations["tinymirror"].n_layers(64))
    board = space.board(0, space.top - 1)
    with opened(copied) as source:
        spoiled(copied, source.n_layers - 2, {source.canonical(board): 0.5})
    with opened(copied) as source, pytest.raises(BuildRefusedError, match="extra steps"):
        import_table(ImportPlan(source, tmp_path / "out"))


def test_a_board_twice_is_refused(copied, opened, tmp_path):
    path = copied / "tinymirror_64_20.book"
    path.write_bytes(path.read_bytes()[:12] + path.read_bytes())
    with opened(copied) as source, pytest.raises(DamagedTableError, match="not in ascending"):
        import_table(ImportPlan(source, tmp_path / "out"))


def test_what_the_source_does_not_tell_is_said(copied, opened, tmp_path):
    with opened(copied) as source:
        notes = list(ImportPlan(source, tmp_path / "out").unknowns())
    assert any("generated" in note for note in notes)
    assert not any("deleted" in note for note in notes)
    writer.write_config(copied, "tinymirror_64", "uint32", deletion_threshold=0.25)
    with opened(copied) as source:
        notes = list(ImportPlan(source, tmp_path / "out").unknowns())
    assert any("at most 0.25 were deleted" in note for note in notes)


@pytest.fixture(scope="module")
def source_2x4(tmp_path_factory: pytest.TempPathFactory, solution: Solver) -> Path:
    folder = tmp_path_factory.mktemp("source")
    layers = stored_layers(solution("2x4", 64), "uint32")
    write_table(folder, "2x4_64", layers, "uint32")
    for i in range(20, 30):
        (folder / f"2x4_64_{i}.book").unlink()
        writer.write_packed(folder, "2x4_64", i, layers[i], "uint32", 500)
    return folder


@pytest.mark.thorough
def test_the_command_imports_and_the_others_take_both(source_2x4, tmp_path):
    result = run("import", source_2x4, "--out", tmp_path, "--json")
    assert result.returncode == 0, result.stderr
    *progress, done = json_lines(result.stdout)
    assert {event["phase"] for event in progress} == {"import"}
    assert {"layer", "layers", "boards", "bytes", "elapsed_s", "eta_s"} <= set(progress[0])
    assert done["event"] == "done"
    assert done["stored"] > 1000
    assert Path(done["table"]) == tmp_path / "2x4_64"
    assert done["notes"]
    answers = [
        json_lines(run("probe", path, "--board", "ffff00100010ffff", "--json").stdout)
        for path in (source_2x4, source_2x4 / "2x4_64", tmp_path / "2x4_64")
    ]
    assert answers[0] == answers[1] == answers[2]
    assert answers[0][0]["best"]
    for path in (source_2x4, tmp_path / "2x4_64"):
        result = run("verify", path, "--sample", 20)
        assert result.returncode == 0, result.stderr
        assert ("another program" in result.stdout) == (path == source_2x4)
    again = run("import", source_2x4, "--out", tmp_path)
    assert "complete already" in again.stdout


def test_all_commands_know_the_users_own_formations(written, formations, tmp_path):
    source, data = written("tinymirror", 64), tmp_path / "data"
    words = ["--data-dir", data]
    assert_refused(run(*words, "probe", source, "--board", "1000f00fffffffff"), "'tinymirror'")
    own = {"version": 1, "formations": [formations["tinymirror"].to_dict()]}
    data.mkdir(exist_ok=True)
    (data / "patterns_config.json").write_text(json.dumps(own))
    (listed,) = json_lines(run(*words, "tables", source, "--json").stdout)
    assert listed["state"] == "complete"
    answer = run(*words, "probe", source, "--board", "1000f00fffffffff", "--json")
    assert json_lines(answer.stdout)[0]["table"] == "tinymirror_64"
    assert run(*words, "verify", source, "--sample", 20).returncode == 0
    assert run(*words, "import", source).returncode == 0
    assert (data / "tables" / "tinymirror_64" / "manifest.json").exists()


def test_a_table_of_an_own_formation_is_opened_from_python(
    written, formations, tmp_path, monkeypatch
):
    source, folders = written("tinymirror", 64), user_folders(tmp_path)
    monkeypatch.setattr("endgame2048.tables.user_folders", lambda: folders)
    own = {"version": 1, "formations": [formations["tinymirror"].to_dict()]}
    folders.patterns.write_text(json.dumps(own))
    for given in (True, folders.patterns, str(folders.patterns)):
        with eg.open_table(source, own=given) as table:
            assert table.pattern == "tinymirror"
    with pytest.raises(TableFormatError, match="no formation 'tinymirror'"):
        eg.open_table(source)


def test_a_broken_file_of_formations_is_named_only_where_it_is_needed(written, table, tmp_path):
    folders = user_folders(tmp_path)
    folders.patterns.write_text("{")
    source = written("tinymirror", 64)
    open_table(table("tinymirror", 64), partial(known_formations, folders)).close()
    assert scan([source], partial(known_formations, folders)) == scan([source])
    with pytest.raises(TableFormatError, match=r"patterns_config\.json"):
        open_table(source, partial(known_formations, folders))


def test_the_command_refuses_in_one_line(source_2x4, tmp_path):
    assert_refused(run("import", tmp_path), "no table of 2048EndgameTablebase", "L3_512_0.book")
    assert_refused(run("import", source_2x4, "--pattern", "L3"), "2x4_64")
    assert_refused(run("import", source_2x4, "--spawn4", "0.2"), "probability 0.1, not 0.2")


@pytest.mark.thorough
def test_a_thinned_table_stays_verifiable(tmp_path, solution):
    """Its values cannot be derived again; verify says so instead of calling it damaged."""
    layers = stored_layers(solution("2x4", 64), "uint32")
    thinned = [
        layer if i < 2 else {b: p for b, p in layer.items() if p > 0.4}
        for i, layer in enumerate(layers)
    ]
    (tmp_path / "source").mkdir()
    write_table(tmp_path / "source", "2x4_64", thinned, "uint32")
    writer.write_config(tmp_path / "source", "2x4_64", "uint32", deletion_threshold=0.4)
    assert run("import", tmp_path / "source", "--out", tmp_path).returncode == 0
    for path in (tmp_path / "source", tmp_path / "2x4_64"):
        result = run("verify", path)
        assert result.returncode == 0, result.stderr
    assert "without some of its boards" in result.stdout


@pytest.mark.thorough
def test_what_a_pruned_source_lacks_is_not_called_lost(opened, tmp_path, solution, formations):
    """Neither by the imported table nor by the source itself, whoever vouches for the board."""
    solved, rng = solution("tinyangle", 64), random.Random(8)
    moves = brute_force.Moves(rules_of(formations["tinyangle"], 64))

    def ends(board: int) -> bool:
        """Return whether no move is left after any new tile: the board itself shows its rate."""
        tiles = [tile for n in (1, 2) for tile in brute_force.spawned_boards(board, n)]
        return not any(map(moves, tiles))

    layers = [
        layer if i < 2 else {board: rate for board, rate in layer.items() if rate > 0.4}
        for i, layer in enumerate(stored_layers(solved, "float64"))
    ]
    write_table(tmp_path, "tinyangle_64", layers, "float64")
    writer.write_config(tmp_path, "tinyangle_64", "float64", deletion_threshold=0.4)
    with opened(tmp_path) as source:
        import_table(ImportPlan(source, tmp_path / "out"))
        with Tablebase.open(tmp_path / "out") as imported:
            assert imported.is_thinned
            for table in (source, imported):
                n_lacking = n_moves = 0
                for layer in range(2, table.n_layers - 2):
                    low = sorted(b for b, rate in solved.rates[layer].items() if rate <= 0.4)
                    for board in rng.sample(low, min(5, len(low))):
                        known = 0.0 if ends(board) else None
                        assert table.rate_of(board) == known
                        assert table.rate_of(board, comes_up=True) == known
                        assert table.rates_of([board], comes_up=True) == [known]
                        (many,) = table.many_rates(np.array([board], np.uint64)).tolist()
                        assert np.isnan(many) or many == known  # NaN: not stored
                        assert known is None or solved.rates[layer][board] == 0.0
                        n_lacking += solved.rates[layer][board] > 0.0
                    for board in rng.sample(sorted(layers[layer]), min(3, len(layers[layer]))):
                        if board in solved.reached[layer]:
                            continue
                        spawned = rng.choice(brute_force.spawned_boards(board, 1))
                        probe = table.probe(spawned, comes_up=True)
                        if layer + 1 < table.n_layers - 2:
                            n_ends = sum(map(ends, set(moves.slides(spawned)) - {spawned}))
                            assert probe.rates.count(0.0) <= n_ends
                            n_moves += len(probe.unknown)
                assert n_lacking > 50
                assert n_moves > 20


@pytest.mark.thorough
@pytest.mark.skipif(os.name == "nt", reason="processes are killed by a signal")
def test_kills_do_not_change_a_byte(source_2x4, tmp_path):
    """Killed before a chosen operation on the disk, again and again; each time it goes on."""
    from tests.bench.faults.wound import Wound, words

    def import_it(to: str, wound: Wound) -> int:
        return subprocess.run(
            [*words(wound), "import", str(source_2x4), "--out", str(tmp_path / to)],
            cwd=ROOT,
            env={**environment(), "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=600,
            check=False,
        ).returncode

    assert import_it("whole", Wound(tell=str(tmp_path / "steps"))) == 0
    n_steps = int((tmp_path / "steps").read_text())
    folder, n_done = tmp_path / "cut" / "2x4_64", [0]
    for share in (0.2, 0.4, 0.4, 0.5):
        assert import_it("cut", Wound(at=int(share * n_steps))) == -9
        n_done.append(len(list(folder.glob("layer-*.tbl"))))
    assert n_done == sorted(n_done)
    assert n_done[-1] > n_done[1]
    assert not folder.joinpath("layer-0000.tbl").exists(), "it was never killed half way"
    assert import_it("cut", Wound()) == 0
    assert contents(folder) == contents(tmp_path / "whole" / "2x4_64")
