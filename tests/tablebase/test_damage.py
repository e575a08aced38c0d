"""Whatever happens to a file of a finished table is found by `verify` and by opening."""

import random
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from makers import TableMaker

from engine.platform.errors import AppError
from tablebase.errors import MissingTableError, TableError
from tablebase.library import catalog
from tablebase.probe.reader import Tablebase
from tablebase.probe.verify import verify
from tablebase.store.manifest import load_manifest
from tablebase.store.rates import RATE_TYPES

N_FLIPS_PER_FILE = 2  # and its first and last byte


@pytest.fixture(scope="module")
def original(table: TableMaker) -> Path:
    return table("44", 64)


@pytest.fixture(scope="module")
def copy_of_table(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("damaged") / original.name
    shutil.copytree(original, folder)
    return folder


@pytest.fixture
def copied(original: Path, copy_of_table: Path) -> Iterator[Path]:
    """A copy to damage, whole again for the next test."""
    yield copy_of_table
    for path in list(copy_of_table.iterdir()):
        if not (original / path.name).exists():
            path.unlink()
    for path in original.iterdir():
        (copy_of_table / path.name).write_bytes(path.read_bytes())


def files_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.name != "build.lock")


def refusal(folder: Path, what: str) -> str:
    """Return the error message from opening the table."""
    try:
        Tablebase.open(folder).close()
    except AppError as error:
        return str(error)
    return pytest.fail(f"opened in spite of {what}")


def assert_found(folder: Path, what: str) -> None:
    """Opening says no with one clear line, and verify lists the problem."""
    message = refusal(folder, what)
    assert message, what
    assert "\n" not in message, what
    assert folder.name in message, what
    report = verify(folder, sample=10)
    assert not report.ok, what
    assert report.problems, what


def raise_or_report(folder: Path) -> None:
    """Verify; a manifest that is not ours may be raised, a damaged one is reported."""
    report = verify(folder, sample=10)
    assert not report.ok
    raise TableError("; ".join(report.problems))


def flip(path: Path, position: int, bit: int) -> None:
    data = bytearray(path.read_bytes())
    data[position] ^= 1 << bit
    path.write_bytes(data)


@pytest.mark.thorough
def test_a_flipped_bit_in_any_file_is_found(copied, original):
    rng = random.Random(1)
    for path in files_of(copied):
        size = path.stat().st_size
        positions = {0, size - 1, *(rng.randrange(size) for _ in range(N_FLIPS_PER_FILE))}
        for position in sorted(positions):
            bit = rng.randrange(8)
            flip(path, position, bit)
            assert_found(copied, f"{path.name} byte {position} bit {bit}")
            flip(path, position, bit)
    with Tablebase.open(copied) as whole, Tablebase.open(original) as first:
        assert whole.stored == first.stored


def test_every_byte_of_the_manifest_counts(copied):
    path = copied / "manifest.json"
    whole = path.read_bytes()
    rng = random.Random(2)
    step = max(1, len(whole) // 400)
    for position in range(0, len(whole), step):
        damaged = bytearray(whole)
        damaged[position] ^= 1 << rng.randrange(8)
        path.write_bytes(damaged)
        assert refusal(copied, f"manifest byte {position}: {damaged[position]:#x}")


@pytest.mark.parametrize("keep", [0, 1, 7, 0.5, -1])
def test_a_shortened_file_is_found(copied, keep):
    files = files_of(copied)
    for path in [files[0], files[len(files) // 2], files[-1]]:
        whole = path.read_bytes()
        if keep == -1 and path.name == "manifest.json":
            continue  # a line without its end says the same
        size = int(len(whole) * keep) if keep == 0.5 else int(keep)
        path.write_bytes(whole[:size])
        assert_found(copied, f"{path.name} cut to [:{size}]")
        path.write_bytes(whole)


def test_a_lengthened_file_is_found(copied):
    files = files_of(copied)
    for path in [files[0], files[len(files) // 2], files[-1]]:
        whole = path.read_bytes()
        path.write_bytes(whole + b"\0")
        assert_found(copied, f"{path.name} with a byte more")
        path.write_bytes(whole)


def test_a_removed_file_is_found(copied):
    for path in files_of(copied):
        whole = path.read_bytes()
        path.unlink()
        assert refusal(copied, f"{path.name} missing")
        path.write_bytes(whole)


def test_a_removed_layer_is_named(copied):
    layer = next(path for path in files_of(copied) if path.name != "manifest.json")
    layer.unlink()
    with pytest.raises(AppError, match=layer.name.replace(".", r"\.")):
        Tablebase.open(copied).close()


def test_swapped_layers_are_found(copied):
    """Each file is sound in itself, but stands in the wrong place."""
    layers = [path for path in files_of(copied) if path.name != "manifest.json"]
    one, other = layers[len(layers) // 3], layers[len(layers) // 2]
    first, second = one.read_bytes(), other.read_bytes()
    assert first != second
    one.write_bytes(second)
    other.write_bytes(first)
    assert_found(copied, f"{one.name} and {other.name} swapped")


def test_a_layer_of_another_table_is_found(copied, table):
    """Same formation, same target, other rate type: a file that was copied to the wrong place."""
    foreign = table("44", 64, "float64")
    names = [path.name for path in files_of(foreign) if path.name != "manifest.json"]
    name = names[len(names) // 2]
    (copied / name).write_bytes((foreign / name).read_bytes())
    assert_found(copied, f"{name} from a float64 table")


def test_a_folder_in_place_of_a_file_is_found(copied):
    path = files_of(copied)[0]
    whole = path.read_bytes()
    path.unlink()
    path.mkdir()
    try:
        with pytest.raises(AppError):
            Tablebase.open(copied).close()
    finally:
        path.rmdir()
        path.write_bytes(whole)


def test_the_catalog_names_a_damaged_table(copied):
    path = copied / "manifest.json"
    path.write_bytes(path.read_bytes()[:-20])
    (info,) = catalog.scan([copied.parent])
    assert info.state == "damaged"
    assert info.message


@pytest.mark.parametrize("text", ["", "{}", "[]", "null", "\0", '{"version": 999}', "[" * 100_000])
def test_a_manifest_of_something_else_is_refused(copied, text):
    (copied / "manifest.json").write_text(text)
    with pytest.raises(AppError):
        Tablebase.open(copied).close()
    with pytest.raises(TableError, match="manifest"):
        raise_or_report(copied)
    assert [info.state for info in catalog.scan([copied.parent])] == ["damaged"]


def test_an_absent_table_is_missing(tmp_path):
    for path in (tmp_path / "44_64", tmp_path):
        with pytest.raises(MissingTableError, match=path.name):
            Tablebase.open(path)


@pytest.mark.thorough
@pytest.mark.parametrize("rate", RATE_TYPES)
@pytest.mark.parametrize("name", ["44", "2x4", "L1"])
def test_sound_tables_are_found_sound(table, name, rate):
    report = verify(table(name, 64, rate), sample=600)
    assert report.ok, report.problems
    assert (report.sampled, report.mismatches) == (600, 0)


def test_a_table_without_boards_is_sound(table):
    report = verify(table("tinycorner", 64))
    assert (report.ok, report.sampled) == (True, 0)


def test_wrong_values_under_right_checksums_are_found(copied):
    """A builder's bug: here rates for another spawn-4 rate than the manifest says."""
    manifest = load_manifest(copied)
    replace(manifest, options=replace(manifest.options, spawn4=0.1001)).save(copied)
    Tablebase.open(copied).close()
    report = verify(copied, sample=100)
    assert not report.ok
    assert report.mismatches > 50


def test_a_sound_table_is_verified_by_value(original):
    report = verify(original, sample=200)
    assert report.ok
    assert report.problems == []
    layers = [path for path in files_of(original) if path.name != "manifest.json"]
    assert report.files == len(layers)
    assert report.bytes == sum(path.stat().st_size for path in layers)
    assert report.sampled == 200
    assert report.mismatches == 0
