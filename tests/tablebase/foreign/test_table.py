"""Tables of another program, opened as they are: what they answer, and what they refuse."""

import random
import shutil
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import reference_writer as writer
from reference_tables import Writer, stored_layers, write_table

import endgame2048 as eg
from engine.spawn import Rng
from tablebase.errors import (
    DamagedTableError,
    MissingTableError,
    ProbeError,
    TableError,
    TableFormatError,
)
from tablebase.foreign.check import verify_reference
from tablebase.foreign.find import find_tables
from tablebase.foreign.table import ReferenceTable
from tablebase.library.foreign_summary import summarize
from tablebase.library.opening import is_foreign, open_table
from tablebase.probe.reader import Tablebase


@pytest.fixture
def copied(written: Writer, tmp_path: Path) -> Path:
    """A table of one's own, to be damaged."""
    folder = tmp_path / "tables"
    shutil.copytree(written("tinymirror", 64), folder)
    return folder


@pytest.mark.sample(1)
@pytest.mark.parametrize("packed", [False, True], ids=["book", "packed"])
@pytest.mark.parametrize(
    "name", ["tinymirror", "tinyangle", "tinyshift", "tinycorners", "tinydiagonalf"]
)
def test_it_answers_as_our_own_table_does(name, packed, written, opened, table, solution):
    """Every move of boards of all layers, also turned and with real tiles in place of F."""
    rng = random.Random(5)
    n_rates = 0
    with (
        opened(written(name, 64, "float64", packed)) as theirs,
        Tablebase.open(table(name, 64, "float64")) as ours,
    ):
        assert (theirs.name, theirs.pattern, theirs.target) == (f"{name}_64", name, 64)
        assert (theirs.n_layers, theirs.spawn4, theirs.rate) == (ours.n_layers, 0.1, "float64")
        for i, layer in enumerate(solution(name, 64).rates):
            for after in rng.sample(sorted(layer), min(3, len(layer))):
                empty = [s for s in range(0, 64, 4) if not after >> s & 15]
                if not empty:
                    continue
                board = after | rng.choice((1, 2)) << rng.choice(empty)
                mine, answer = (one.get(board, comes_up=True) for one in (ours, theirs))
                assert (mine is None) == (answer is None)
                if mine is None or answer is None:
                    continue
                assert (answer.best, answer.masked) == (mine.best, mine.masked)
                for got, want in zip(answer.rates, mine.rates, strict=True):
                    assert got == want if want is None else got == pytest.approx(want, abs=1e-12)
                    n_rates += got is not None
                told = theirs.rate_of(after, comes_up=True)
                assert told == pytest.approx(layer[after], abs=1e-12)
                is_known = told > 0.0 or i >= ours.n_layers - 2  # it looks for no proofs
                if is_known:
                    assert theirs.rate_of(after) == told
                else:  # lost, which shows only where no move is left whatever tile comes
                    assert theirs.rate_of(after) in (None, 0.0)
                afters = np.array([after, 0x1234_5432_1234_5432], np.uint64)
                rate = theirs.rate_of(after)
                want = [np.nan if rate is None else rate, np.nan]
                assert np.array_equal(theirs.many_rates(afters), want, equal_nan=True)
        assert n_rates > 80
        assert (ours.is_quick, theirs.is_quick) == (True, False)
        start = theirs.start_board(Rng(1))
        assert start == ours.start_board(Rng(1))


def test_seeds_out_of_order_and_out_of_form_are_found(
    written, opened, formations, solution, tmp_path
):
    """Layer 0 holds the seeds as they were written down."""
    name = "tinymirror_64"
    layers = stored_layers(solution("tinymirror", 64))
    rates = layers[0]
    with opened(written("tinymirror", 64)) as table:
        as_written = {seed: rates[table.canonical(seed)] for seed in formations["tinymirror"].seeds}
    assert list(as_written) != sorted(as_written)
    assert set(as_written) != set(rates)
    write_table(tmp_path, name, [as_written, *layers[1:]], "float64")
    with opened(tmp_path) as table:
        for seed, rate in as_written.items():
            assert table.rate_of(seed) == rate > 0


def test_a_missing_layer_is_named_and_never_answered(copied, opened):
    with opened(copied) as table:
        boards, _ = table.layer_boards(9)
        below, _ = table.layer_boards(8)
        rate = table.rate_of(int(below[0]))
    (copied / "tinymirror_64_9.book").unlink()
    with opened(copied) as table:
        with pytest.raises(
            MissingTableError, match=r"tinymirror_64_9\.book nor tinymirror_64_9\.z"
        ):
            table.rate_of(int(boards[0]))
        assert table.rate_of(int(below[0])) == rate
    (copied / "tinymirror_64_9.book.7z").write_bytes(b"7z")
    with opened(copied) as table, pytest.raises(MissingTableError, match="has to be unpacked"):
        table.rate_of(int(boards[0]))


def test_an_empty_file_in_the_middle_is_no_layer(copied, opened, solution):
    """Such a file is what is left in place of a layer that was moved to another drive."""
    path = copied / "tinymirror_64_9.book"
    with opened(copied) as table:
        board = int(table.layer_boards(9)[0][0])
        rate = table.rate_of(board)
    path.write_bytes(b"")
    with opened(copied) as table, pytest.raises(MissingTableError, match=r"_9\.book is empty"):
        table.rate_of(board)
    layer = stored_layers(solution("tinymirror", 64), "uint32")[9]
    writer.write_packed(copied, "tinymirror_64", 9, layer, "uint32", 10)
    with opened(copied) as table:
        assert table.rate_of(board) == rate


def test_a_table_of_the_advanced_algorithm_is_told_as_such(tmp_path, opened):
    (tmp_path / "tinymirror_64_12b").mkdir()
    with pytest.raises(MissingTableError, match="of the advanced algorithm"):
        opened(tmp_path)


def test_the_last_two_layers_are_known_by_rule(copied, opened, solution):
    solved = solution("tinymirror", 64)
    last = len(solved.rates) - 1
    for layer in (last, last - 1):
        (copied / f"tinymirror_64_{layer}.book").unlink()
    with opened(copied) as table:
        for layer in (last, last - 1):
            for board, rate in solved.rates[layer].items():
                assert table.rate_of(board) == rate == (board in solved.reached[layer])


def test_a_board_outside_is_no_answer(written, opened):
    with opened(written("tinymirror", 64)) as table:
        with pytest.raises(ProbeError, match="doesn't fit the formation"):
            table.probe(0x1111_1111_1111_1111)
        assert table.get(0x1111_1111_1111_1111) is None


def test_of_several_tables_one_is_to_be_named(copied, opened, formations, solution):
    write_table(copied, "tinyangle_64", stored_layers(solution("tinyangle", 64)), "float32")
    assert [found.name for found in find_tables(copied)] == ["tinyangle_64", "tinymirror_64"]
    with pytest.raises(MissingTableError, match=r"tinyangle_64, tinymirror_64.*name one"):
        opened(copied)
    with opened(copied / "tinyangle_64") as table:
        assert (table.name, table.rate) == ("tinyangle_64", "float32")
    with ReferenceTable.open(copied, "tinymirror", formations=formations) as table:
        assert table.name == "tinymirror_64"
    with pytest.raises(MissingTableError, match="tinymirror_128"):
        ReferenceTable.open(copied, "tinymirror", 128, formations)


@pytest.mark.parametrize("rate", list(writer.RATES))
@pytest.mark.parametrize("packed", [False, True], ids=["book", "packed"])
def test_without_its_config_the_rate_type_is_told_by_the_files(
    rate, packed, written, opened, tmp_path
):
    folder = tmp_path / "copy"
    shutil.copytree(written("tinymirror", 64, rate, packed), folder)
    (folder / "tinymirror_64_config.txt").unlink()
    with opened(folder) as table:
        assert (table.rate, table.spawn4) == (rate, 0.1)


def test_a_config_that_tells_another_rate_type_is_found_out(copied, opened):
    with opened(copied) as table:
        boards, _ = table.layer_boards(9)
    for rate in set(writer.RATES) - {"uint32"}:
        writer.write_config(copied, "tinymirror_64", rate)
        with pytest.raises(TableError, match="tinymirror_64_"), opened(copied) as table:
            list(table.records(9))
    writer.write_config(copied, "tinymirror_64", "uint32", spawn4=0.25)
    with opened(copied) as table:
        assert table.spawn4 == 0.25
        assert table.rate_of(int(boards[0])) > 0


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("success_rate_dtype", "uint16"),
        ("4_spawn_rate", "ten"),
        ("4_spawn_rate", 3),
        ("optimal_branch_only", "perhaps"),
    ],
)
def test_a_config_that_cannot_be_is_refused(copied, opened, key, value):
    writer.write_config(copied, "tinymirror_64", "uint32", **{key: value})
    with pytest.raises(TableFormatError, match=rf"config\.txt: {key} is '{value}', expected"):
        opened(copied)


@pytest.mark.thorough
def test_another_definition_of_the_formation_is_found_out(copied, written, formations):
    """The files tell neither seeds nor target cells nor their number, but the boards do."""
    usual = formations["tinymirror"]
    heavier = replace(usual, seeds=tuple(seed + (1 << 60) for seed in usual.seeds[:1]))
    with (
        ReferenceTable.open(copied, formations={"tinymirror": heavier}) as table,
        pytest.raises(TableFormatError, match=r"add up to .*layer 9 of tinymirror"),
    ):
        table.layer(9)
    shorter = replace(usual, extra_steps=4)
    with pytest.raises(TableFormatError, match="another definition of tinymirror"):
        ReferenceTable.open(copied, formations={"tinymirror": shorter})
    with pytest.raises(TableFormatError, match="no formation 'tinymirror'"):
        ReferenceTable.open(copied, formations={"L3": formations["L3"]})
    fewer = replace(formations["tinyangle"], target_cells=0xF000_0000_0000_0000)
    with ReferenceTable.open(written("tinyangle", 64), formations={"tinyangle": fewer}) as table:
        assert not verify_reference(table).ok
    more = replace(fewer, target_cells=0xFFFF_FFFF_FFFF_FFFF)
    with pytest.raises(TableFormatError, match="made with other target cells"):
        ReferenceTable.open(written("tinyangle", 64), formations={"tinyangle": more})


@pytest.mark.parametrize("packed", [False, True], ids=["book", "packed"])
def test_verify_accepts_a_sound_table(packed, written, opened):
    folder = written("tinymirror", 64, "uint32", packed)
    report = verify_reference(opened(folder), 100)
    assert report.ok, report.problems
    assert report.files == len(list(folder.glob("*.book"))) + len(list(folder.glob("*.z")))
    assert report.sampled == (100 if not packed else report.sampled)
    assert report.bytes == sum(
        f.stat().st_size for f in folder.rglob("*") if f.is_file() and f.suffix != ".txt"
    )


@pytest.mark.thorough
def test_verify_finds_a_wrong_rate_and_a_lost_board(copied, opened):
    path = copied / "tinymirror_64_20.book"
    whole = path.read_bytes()
    path.write_bytes(whole[:8] + np.uint32(5).tobytes() + whole[12:])
    assert not verify_reference(opened(copied), 2000).ok
    path.write_bytes(whole[: len(whole) // 24 * 12])  # cut at a record: no size tells
    assert not verify_reference(opened(copied), 2000).ok
    path.write_bytes(whole[12:24] + whole[:12] + whole[24:])
    (problem,) = verify_reference(opened(copied), 0).problems
    assert "not in ascending order at record 1" in problem


def test_an_impossible_value_is_named(copied, opened):
    path = copied / "tinymirror_64_20.book"
    whole = path.read_bytes()
    path.write_bytes(whole[:8] + b"\xff" * 4 + whole[12:])
    with opened(copied) as table:
        board = int.from_bytes(whole[:8], "little")
        with pytest.raises(DamagedTableError, match=rf"{board:016x} has the value 4294967295"):
            table.rate_of(board)


def test_open_table_takes_either_kind(table, tmp_path):
    write_table(tmp_path, "44_64", [{0x0000_1000_FFFF_FFFF: 0.5}], "uint32")
    assert is_foreign(tmp_path)
    with open_table(tmp_path) as theirs:
        assert isinstance(theirs, ReferenceTable)
        assert theirs.rate_of(0x0000_1000_FFFF_FFFF) == 0.5
    assert not is_foreign(table("tinymirror", 64))
    with open_table(table("tinymirror", 64)) as ours:
        assert type(ours) is Tablebase
    with pytest.raises(MissingTableError, match="no table in"):
        open_table(tmp_path / "nothing")


def test_the_list_of_tables_can_tell_of_it(written, copied, formations, opened):
    (found,) = find_tables(copied)
    info = summarize(found, formations)
    with opened(copied) as table:
        assert info.stored == table.stored
    assert (info.name, info.state, info.rate, info.spawn4) == (
        "tinymirror_64",
        "complete",
        "uint32",
        0.1,
    )
    assert info.layers_done == info.layers == table.n_layers
    with opened(info.path) as again:
        assert again.name == info.name
    assert info.bytes == sum(path.stat().st_size for path in copied.glob("*.book"))
    (copied / "tinymirror_64_5.book").unlink()
    (found,) = find_tables(copied)
    info = summarize(found, formations)
    assert info.state == "partial"
    assert "tinymirror_64_5.book" in info.message
    assert summarize(found, {}).state == "damaged"
    (found,) = find_tables(written("tinymirror", 64, "uint32", True))
    assert "compressed layers not counted" in summarize(found, formations).message


def test_programs_open_it_by_the_same_door(written, solution):
    """By array as one by one; where nothing is known by either, NaN and None."""
    solved = solution("2x4", 64)
    with eg.open_table(written("2x4", 64)) as theirs:
        assert (theirs.name, theirs.pattern, theirs.n_layers) == ("2x4_64", "2x4", 80)
        for layer in (0, 9, 30):
            stored = theirs.boards(layer)[::7]
            assert stored.size
            want = [solved.rates[layer][board] for board in stored.tolist()]
            assert theirs.after_rates(stored) == pytest.approx(want, abs=1e-8)
            one_by_one = [theirs.after_rate(board) for board in stored[:50].tolist()]
            assert theirs.after_rates(stored[:50]).tolist() == one_by_one
        assert np.isnan(theirs.after_rates([0x1234_5432_1234_5432])).all()
