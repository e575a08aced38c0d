"""Damaged files of every kind: a message or an answer, never a crash, a hang or all the memory."""

import random
import shutil
from pathlib import Path

import pytest
from mutation import mutate
from reference_tables import Opener, Writer

from tablebase.build.progress import peak_rss_bytes
from tablebase.errors import DamagedTableError, TableError

N_EACH = 60
KINDS = ("book", "z", "i", "ii", "s", "config", "stats")


@pytest.fixture
def folder(written: Writer, tmp_path: Path) -> Path:
    folder = tmp_path / "tables"
    shutil.copytree(written("tinyangle", 64, "uint32", True), folder)
    (folder / "tinyangle_64_stats.txt").write_text("layer,length\n0,2\n1,4\n3,17,0.5\n")
    return folder


def file_of(folder: Path, kind: str, layer: int) -> Path:
    name = f"tinyangle_64_{layer}"
    if kind == "book":
        return folder / "tinyangle_64_2.book"
    if kind in ("config", "stats"):
        return folder / f"tinyangle_64_{kind}.txt"
    return folder / f"{name}.z" / f"{name}.{kind}"


@pytest.mark.thorough
@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_a_message_or_harmless(kind, folder, opened):
    rng = random.Random(KINDS.index(kind))
    layer = 2 if kind == "book" else 14
    with opened(folder) as table:
        boards = [int(board) for board in table.layer_boards(layer)[0]]
    path = file_of(folder, kind, layer)
    whole = path.read_bytes()
    n_refused, peak = 0, peak_rss_bytes()  # other tests of this process may have taken much
    for _ in range(N_EACH):
        path.write_bytes(mutate(whole, rng))
        n_refused += is_refused(folder, opened, layer, rng.sample(boards, min(8, len(boards))))
    if kind in ("book", "z"):  # most of their bytes count: xz even knows each of them
        assert n_refused > N_EACH * 2 // 3
    assert peak_rss_bytes() - peak < 1 << 30


def is_refused(folder: Path, opened: Opener, layer: int, boards: list[int]) -> bool:
    """Read a table in every way; all that may come out is an answer or one line of text."""
    errors: list[TableError] = []
    try:
        table = opened(folder)
    except TableError as error:
        assert_tells(error, folder)
        return True
    with table:
        for board in boards:
            try:
                rate = table.rate_of(board)
                assert rate is None or 0.0 < rate <= 1.0
            except TableError as error:
                errors.append(error)
        try:
            for _, rates in table.records(layer):
                assert ((rates >= 0) & (rates <= 1)).all()
            assert table.layer(layer).count() >= 0
        except TableError as error:
            errors.append(error)
    for error in errors:
        assert_tells(error, folder)
    return bool(errors)


def assert_tells(error: TableError, folder: Path) -> None:
    assert str(folder) in str(error)
    assert len(str(error).splitlines()) == 1


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_a_flipped_bit_of_a_stream_is_always_found(folder, opened, seed):
    """xz carries checksums: whatever it gives back is what was packed."""
    rng = random.Random(seed)
    path = file_of(folder, "z", 14)
    whole = path.read_bytes()
    for _ in range(10):
        data = bytearray(whole)
        data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
        path.write_bytes(data)
        with pytest.raises(DamagedTableError, match=r"14\.z"), opened(folder) as table:
            list(table.records(14))
