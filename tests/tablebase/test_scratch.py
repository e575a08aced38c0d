"""Bitmaps come back from working files as they were, or not at all."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tablebase.build.scratch import Scratch, n_expanded
from tablebase.memory.arrays import Arrays
from tablebase.store.zero_run_codec import leave_out, put_back

PIECE = 1 << 16

packed_or_not = pytest.mark.parametrize("pack", [False, True], ids=["gaps", "packed"])


def opened(folder: Path, *, pack: bool = False) -> Scratch:
    return Scratch(folder, Arrays(folder, None), pack=pack)


def bitmap(n_words: int, share: float, seed: int = 1) -> np.ndarray:
    rng = np.random.default_rng(seed)
    words = rng.integers(1, 1 << 64, n_words, np.uint64)
    words[rng.random(n_words) >= share] = 0
    return words


def leave_out_slowly(words: list[int]) -> list[int]:
    marks = [0] * -(-len(words) // 64)
    for i, word in enumerate(words):
        marks[i // 64] |= (word != 0) << i % 64
    return marks + [word for word in words if word]


@given(words=st.lists(st.sampled_from([0, 0, 1, 5, 2**64 - 1]), max_size=200))
@settings(max_examples=60, deadline=None)
def test_empty_words_are_left_out_and_put_back(words):
    array, expected = np.array(words, np.uint64), leave_out_slowly(words)
    packed = np.full(len(words) // 64 + len(words) + 3, 7, np.uint64)
    assert int(leave_out(array, packed)) == len(expected)
    assert packed[: len(expected)].tolist() == expected
    found = np.full(len(words), 9, np.uint64)
    put_back(packed, found)
    assert found.tolist() == words


@packed_or_not
@pytest.mark.parametrize("n_words", [2, 63, 64, 65, PIECE - 1, PIECE, PIECE + 1, 3 * PIECE + 100])
@pytest.mark.parametrize("share", [0.0, 0.2, 1.0])
def test_a_bitmap_comes_back(n_words, share, pack, tmp_path):
    words = bitmap(n_words, share)
    scratch = opened(tmp_path, pack=pack)
    scratch.save_bits(12, words, 77)
    scratch.flush()
    expected = "after-0012.bits" if words.nbytes > 1 << 20 else "batch-0000.bits"
    assert [path.name for path in tmp_path.iterdir()] == [expected]
    for later in (False, True):  # a restart may have another setting
        found = opened(tmp_path, pack=later).load_bits(12, n_words)
        assert found is not None
        assert np.array_equal(found, words)


@packed_or_not
def test_what_is_absent_or_of_another_size_is_none(pack, tmp_path):
    scratch = opened(tmp_path, pack=pack)
    scratch.save_bits(3, bitmap(1000, 0.5), 9)
    assert scratch.load_bits(3, 1001) is None
    assert scratch.load_bits(4, 1000) is None


@packed_or_not
def test_any_damage_makes_it_absent(pack, tmp_path):
    scratch, n_words = opened(tmp_path, pack=pack), 2 * PIECE + 500
    scratch.save_bits(3, bitmap(n_words, 0.02), 9)
    path = tmp_path / "after-0003.bits"
    whole, rng = path.read_bytes(), np.random.default_rng(2)
    for at in [*range(32), len(whole) - 1, *rng.integers(0, len(whole), 100).tolist()]:
        damaged = bytearray(whole)
        damaged[at] ^= 1 << int(rng.integers(8))
        path.write_bytes(damaged)
        assert scratch.load_bits(3, n_words) is None, at
    for size in (0, 5, 16, 20, 24, 1000, len(whole) - 1):
        path.write_bytes(whole[:size])
        assert scratch.load_bits(3, n_words) is None, size
    path.write_bytes(whole + b"\0")
    assert scratch.load_bits(3, n_words) is None
    path.write_bytes(whole)
    assert scratch.load_bits(3, n_words) is not None


@packed_or_not
def test_its_ones_are_known_without_reading_it(pack, tmp_path):
    scratch, n_words = opened(tmp_path, pack=pack), 3 * PIECE
    scratch.save_bits(3, bitmap(n_words, 0.02), 12_345)
    path = tmp_path / "after-0003.bits"
    whole = path.read_bytes()
    assert scratch.count_bits(3, n_words) == 12_345
    assert scratch.count_bits(3, n_words + 1) is None
    assert scratch.count_bits(4, n_words) is None
    for spoilt in (b"", whole[:5], whole[:24], whole[:-1], whole + b"\0", b"x" + whole[1:]):
        path.write_bytes(spoilt)
        assert scratch.count_bits(3, n_words) is None
    damaged = bytearray(whole)
    damaged[len(whole) // 2] ^= 1
    path.write_bytes(damaged)
    assert scratch.count_bits(3, n_words) == 12_345, "it was not read"
    assert scratch.load_bits(3, n_words) is None
    path.write_bytes(whole)
    path.rename(tmp_path / "after-0004.bits")
    assert scratch.count_bits(4, n_words) is None, "it is another layer's"
    assert scratch.load_bits(4, n_words) is None
    (tmp_path / "after-0004.bits").rename(path)
    scratch.drop_bits(3)
    scratch.drop_bits(3)
    assert scratch.count_bits(3, n_words) is None


def test_a_large_bitmap_is_packed_without_being_asked(tmp_path):
    words, n_words = np.arange(1 << 20, dtype=np.uint64) & np.uint64(1), 1 << 20
    opened(tmp_path).save_bits(0, words[:-1], 9)
    opened(tmp_path).save_bits(1, words, 9)
    sizes = [(tmp_path / f"after-000{layer}.bits").stat().st_size for layer in (0, 1)]
    assert sizes[0] > n_words * 4
    assert sizes[1] < n_words // 5
    assert np.array_equal(opened(tmp_path).load_bits(1, n_words), words)


def test_a_bitmap_of_few_boards_takes_little(tmp_path):
    opened(tmp_path).save_bits(0, bitmap(200_000, 0.1), 9)
    assert (tmp_path / "after-0000.bits").stat().st_size < 0.13 * 1_600_000


@packed_or_not
def test_small_bitmaps_share_files(pack, tmp_path):
    """They are there before they are written, afterwards, and after a restart."""
    scratch, rng = opened(tmp_path, pack=pack), np.random.default_rng(3)
    saved = {i: bitmap(4000 + i % 300, rng.random(), i) for i in range(600)}
    for layer, words in saved.items():
        scratch.save_bits(layer, words, layer)
    n_files = len(list(tmp_path.iterdir()))
    assert 1 <= n_files < 10
    for is_written in (False, True, True):
        again = opened(tmp_path) if is_written else scratch
        for layer, words in reversed(saved.items()):
            assert np.array_equal(again.load_bits(layer, words.size), words)
            assert again.count_bits(layer, words.size) == layer
        scratch.flush()
    assert len(list(tmp_path.iterdir())) == n_files + 1


def test_bitmaps_that_share_a_file_are_read_together(tmp_path, monkeypatch):
    """Solving reads them all, the last one first: a reading for each would take minutes."""
    saved = [bitmap(4000, 0.5, layer) for layer in range(300)]
    scratch = opened(tmp_path)
    for layer, words in enumerate(saved):
        scratch.save_bits(layer, words, 9)
    scratch.flush()
    read, real = list[Path](), Arrays.read_file

    def note(self: Arrays, path: Path) -> bytes | memoryview:
        read.append(path)
        return real(self, path)

    monkeypatch.setattr(Arrays, "read_file", note)
    for layer in reversed(range(300)):
        assert np.array_equal(scratch.load_bits(layer, 4000), saved[layer])
    assert sorted(read) == sorted(tmp_path.iterdir())
    assert len(read) > 1


@packed_or_not
def test_how_far_layers_are_expanded_is_told_without_reading_them(pack, tmp_path):
    scratch = opened(tmp_path, pack=pack)
    assert n_expanded(tmp_path, 90) == 0
    for layer in range(7):
        scratch.save_bits(layer, bitmap(40, 0.5, layer), 1)
    assert n_expanded(tmp_path, 90) == 0, "what waits to be written is not there"
    scratch.flush()
    assert n_expanded(tmp_path, 90) == 7
    scratch.save_bits(7, bitmap(3 * PIECE, 0.5), 1)
    assert n_expanded(tmp_path, 90) == 8
    assert n_expanded(tmp_path, 5) == 5, "no more than there are"
    scratch.save_live(60, np.ones(3))
    assert n_expanded(tmp_path, 90) == 90, "values come when all is expanded"


@given(data=st.data())
@settings(max_examples=60, deadline=None)
def test_a_damaged_shared_file_is_told_as_far_as_it_is_whole(data, tmp_path_factory):
    folder = tmp_path_factory.mktemp("batch")
    scratch = opened(folder)
    for layer in range(4):
        scratch.save_bits(layer, bitmap(8, 0.5, layer), 1)
    scratch.flush()
    path = folder / "batch-0000.bits"
    raw = bytearray(path.read_bytes())
    del raw[data.draw(st.integers(0, len(raw))) :]
    if raw:
        raw[data.draw(st.integers(0, len(raw) - 1))] ^= data.draw(st.integers(0, 255))
    path.write_bytes(bytes(raw))
    assert 0 <= n_expanded(folder, 90) <= 4


def test_no_working_files_are_no_expanded_layers(tmp_path):
    (tmp_path / "file").write_text("x")
    for folder in (tmp_path / "away", tmp_path / "file"):
        assert n_expanded(folder, 90) == 0


def test_what_was_computed_again_counts(tmp_path):
    for seed in (1, 2, 3):  # each in a run of its own
        scratch = opened(tmp_path)
        scratch.save_bits(5, bitmap(500, 0.5, seed), 9)
        found = scratch.load_bits(5, 500)
        assert np.array_equal(found, bitmap(500, 0.5, seed))
        scratch.flush()
    assert np.array_equal(opened(tmp_path).load_bits(5, 500), bitmap(500, 0.5, 3))
    assert len(list(tmp_path.iterdir())) == 3


@packed_or_not
def test_damage_to_a_shared_file_never_gives_other_bitmaps(pack, tmp_path):
    scratch, n_words = opened(tmp_path, pack=pack), 300
    saved = [bitmap(n_words, 0.3, layer) for layer in range(4)]
    for layer, words in enumerate(saved):
        scratch.save_bits(layer, words, 9)
    scratch.flush()
    path = tmp_path / "batch-0000.bits"
    whole, rng = path.read_bytes(), np.random.default_rng(2)
    spoilt = [whole[:size] for size in (0, 3, 27, 28, 40, 500, len(whole) - 1)]
    for at in [*range(60), *rng.integers(0, len(whole), 100).tolist()]:
        damaged = bytearray(whole)
        damaged[at] ^= 1 << int(rng.integers(8))
        spoilt.append(bytes(damaged))
    for raw in spoilt:
        path.write_bytes(raw)
        found = [opened(tmp_path).load_bits(layer, n_words) for layer in range(4)]
        assert any(one is None for one in found)
        for one, words in zip(found, saved, strict=True):
            assert one is None or np.array_equal(one, words)
    path.write_bytes(whole)
    path.rename(tmp_path / "batch-nonsense.bits")
    assert opened(tmp_path).load_bits(0, n_words) is None


def test_values_of_two_layers_come_back_and_no_others(tmp_path):
    scratch, values = opened(tmp_path), {i: np.arange(10.0 + i) for i in range(5, 9)}
    assert scratch.load_live() is None
    scratch.save_live(8, values[8])
    assert scratch.load_live() is None, "one layer's are not enough"
    scratch.save_live(7, values[7])
    scratch.save_live(5, values[5])
    found = scratch.load_live()
    assert found is not None
    assert found[0] == 7, "the lowest two that follow on each other"
    assert np.array_equal(found[1], values[7])
    assert np.array_equal(found[2], values[8])
    whole = (tmp_path / "live-0007.f8").read_bytes()
    for at in (0, 8, 12, 20, 28, len(whole) - 1):
        damaged = bytearray(whole)
        damaged[at] ^= 1
        (tmp_path / "live-0007.f8").write_bytes(damaged)
        assert scratch.load_live() is None, at
    (tmp_path / "live-0007.f8").write_bytes((tmp_path / "live-0008.f8").read_bytes())
    assert scratch.load_live() is None, "another layer's"
    (tmp_path / "live-0007.f8").write_bytes(whole)
    scratch.drop_live({5, 7})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["live-0005.f8", "live-0007.f8"]
    scratch.drop_live()
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("n", [1, 7, 8, 9, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE + 77])
@pytest.mark.parametrize("share", [0.0, 0.3, 1.0])
def test_values_come_back_bit_by_bit(tmp_path, n, share):
    rng = np.random.default_rng(n)
    saved = {i: np.where(rng.random(n) < share, rng.random(n), 0.0) for i in (4, 5)}
    scratch = opened(tmp_path)
    for layer, values in saved.items():
        scratch.save_live(layer, values)
    found = scratch.load_live()
    assert found is not None
    for layer, values in zip((4, 5), found[1:], strict=True):
        assert values.tobytes() == saved[layer].tobytes()
    assert (tmp_path / "live-0004.f8").stat().st_size < 100 + n * (0.2 + 7.5 * share) * 1.05
    whole = (tmp_path / "live-0004.f8").read_bytes()
    for size in (0, 10, 24, 30, len(whole) // 2, len(whole) - 1):
        (tmp_path / "live-0004.f8").write_bytes(whole[:size])
        assert scratch.load_live() is None, size
    (tmp_path / "live-0004.f8").write_bytes(whole + b"\0" * 9)
    assert scratch.load_live() is None


def test_of_several_pairs_of_values_the_lowest_usable_one_comes_back(tmp_path):
    scratch = opened(tmp_path)
    for layer in (3, 4, 8, 9, 20, 21, 22):
        scratch.save_live(layer, np.full(2, float(layer)))

    def lowest(*usable: int) -> int | None:
        found = scratch.load_live(lambda layer: layer in usable)
        if found is None:
            return None
        assert (found[1].tolist(), found[2].tolist()) == ([found[0]] * 2, [found[0] + 1.0] * 2)
        return found[0]

    assert lowest(3, 4, 8, 20) == 3
    assert lowest(4, 8, 20) == 8, "4 has no next one"
    assert lowest(9, 21, 22) == 21
    assert lowest(20, 21) == 20
    assert lowest(4, 9, 22) is None
    (tmp_path / "live-0009.f8").write_bytes(b"damaged")
    assert lowest(8, 20) == 20
    (tmp_path / "live-0021.f8").write_bytes(b"damaged")
    assert lowest(8, 20, 21) is None
