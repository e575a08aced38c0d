"""Cells of a build: every board is in one, new tiles never leave it, lookups in parts find all."""

import ast
from itertools import pairwise
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from small_formations import TALL

from engine.symmetry import images
from tablebase.build.builder import BuildPlan
from tablebase.build.layer_frame import BlockRange
from tablebase.build.layers import Layers
from tablebase.build.worker_pool import LayerPool
from tablebase.cluster.after_parts import AfterPart, parts_of
from tablebase.cluster.cell_steps import program_digest
from tablebase.cluster.cells import Cells
from tablebase.formation.formation import Formation, half_sum
from tablebase.kernels.bits import U64, bitmap_words, build_index
from tablebase.kernels.layer_boards import Solved
from tablebase.rank.kernel_tables import Blocks, Places
from tablebase.rank.orientation import held_ones, orientation_of
from tablebase.rank.space import Space

# What kernels import, and what that imports, to write files and errors: no board comes from it.
SAY_OR_KEEP = (
    "engine/platform/errors",
    "engine/platform/files/",
    "engine/platform/kernel_cache",
    "engine/platform/language",
)
SAY_OR_KEEP += ("tablebase/build_files", "tablebase/errors")
NONE = np.zeros(0, np.int64)
NOWHERE = Places(NONE, NONE, NONE)
CASES = ["tinyangle", "tinyshift", "tallmirror", "L1", "44"]


@pytest.fixture(scope="module")
def formations(formations: dict[str, Formation]) -> dict[str, Formation]:
    """The usual ones, and one whose boards are held in the least of two images."""
    return {**formations, TALL.name: TALL}


def imported(root: Path, names: set[str]) -> set[str]:
    """Return files of the program, by their paths, with all that they import of it."""
    found, to_read = set(names), list(names)
    while to_read:
        tree = ast.parse((root / to_read.pop()).read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module:
                name = node.module.replace(".", "/") + ".py"
                is_new = name not in found and not name.startswith(SAY_OR_KEEP)
                if is_new and (root / name).exists():
                    found.add(name)
                    to_read.append(name)
    return found


def test_code_that_a_board_or_rate_comes_from_makes_another_program(project_root, tmp_path):
    """Machines that differ in it must not build one table: what the kernels import counts."""
    rooms = (project_root / "tablebase" / name for name in ("kernels", "rank"))
    files = [path.relative_to(project_root) for room in rooms for path in room.glob("*.py")]
    names = imported(project_root, {path.as_posix() for path in files})
    assert {"engine/platform/jit.py", "engine/geometry.py", "engine/kernels/symmetry.py"} <= names
    names.add("tablebase/build/layer_window.py")  # what is computed passes through it
    digest = program_digest.__wrapped__
    for name in sorted(names):
        before = digest(tmp_path)
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
        assert digest(tmp_path) != before, name


def layers_of(formation: Formation, target: int) -> Layers:
    n_layers = BuildPlan(formation, target, None).new_manifest().n_layers  # type: ignore[arg-type]
    return Layers(Space(formation, target, n_layers), 0.1, LayerPool(1, lambda: False))


def bitmap(slots: npt.NDArray[np.int64], n_slots: int) -> U64:
    bits = np.zeros(64 * bitmap_words(n_slots), np.uint8)
    bits[slots] = 1
    return np.packbits(bits, bitorder="little").view(np.uint64)


@pytest.mark.parametrize("name", CASES)
def test_each_slot_is_in_one_cell_and_comes_back_from_there(name, formations):
    layers = layers_of(formations[name], 64)
    cells, rng = Cells(layers, 3), np.random.default_rng(3)
    assert cells.n == (1 if name == "44" else 2 if name == "tinyshift" else 3)
    for layer in range(0, layers.space.n_layers, 7):
        n_slots = layers.n_slots(layer)
        slots = np.flatnonzero(rng.random(n_slots) < 0.3)
        words, back = bitmap(slots, n_slots), bitmap(NONE, n_slots)
        index = np.zeros(2 * words.size, np.uint64)
        build_index(words, index)
        whole = Solved(index, np.zeros(slots.size + 1), NOWHERE)
        n_own = []
        for number in range(cells.n):
            cell = cells.cell(layer, number)
            own = cell.cut(words)
            n_own.append(int(np.bitwise_count(own).sum()))
            cell.add_to(back, own)
            of_cell = [
                slots[(slots >= start) & (slots < start + size)]
                for start, size in zip(cell.there.blocks.start, cell.sizes, strict=True)
            ]
            cell.put_values(whole, np.concatenate([NONE, *of_cell]).astype(np.float64) + 1)
        assert (back == words).all()
        assert sum(n_own) == slots.size
        assert whole.values[:-1].tolist() == (slots + 1.0).tolist()


@pytest.mark.parametrize("name", CASES)
def test_new_tiles_never_leave_a_cell(name, formations):
    layers = layers_of(formations[name], 64)
    space, cells, rng = layers.space, Cells(layers, 3), np.random.default_rng(4)
    orientation = orientation_of(space)

    def held(board: int) -> int:
        """Return the image of a board that layers have."""
        if orientation is None:
            return board
        both = np.array([board, images(board, "horizontal")[1]], np.uint64)
        return int(held_ones(orientation, space, both)[0])

    def cell_of(layer: int, board: int) -> set[int]:
        slot = space.slot(board, half_sum(board))
        assert slot is not None
        found = set()
        for number in range(cells.n):
            cell = cells.cell(layer, number)
            start = cell.there.blocks.start
            if ((start <= slot) & (slot < start + cell.sizes)).any():
                found.add(number)
        return found

    n_seen, used = 0, set[int]()
    while n_seen < 300:
        layer = int(rng.integers(0, space.n_layers - 2))
        if not layers.n_slots(layer):
            continue
        board = space.board(int(rng.integers(layers.n_slots(layer))), layers.half_sum(layer))
        board = held(board)
        (home,) = cell_of(layer, board)
        used.add(home)
        for shift in range(0, 64, 4):
            for exponent in (1, 2):
                grown = board | exponent << shift
                if (board >> shift) & 15 or not space.is_inside(grown):
                    continue
                n_seen += 1
                assert cell_of(layer + exponent, held(grown)) == {home}
    assert len(used) == cells.n


@pytest.mark.parametrize("name", CASES)
def test_what_a_cell_finds_best_is_what_a_whole_layer_does(name, formations):
    """Also where images are worth something else, as they are in the last digit."""
    layers, rng = layers_of(formations[name], 64), np.random.default_rng(6)
    cells, layer = Cells(layers, 2), layers.space.n_layers // 2
    words = bitmap(np.arange(layers.n_slots(layer)), layers.n_slots(layer))
    if name == "tallmirror":  # slots of images that aren't held stay empty
        boards = [
            layers.space.board(i, layers.half_sum(layer))
            for i in range(words.size * 64 - 128)
            if i < layers.n_slots(layer)
        ]
        orientation = orientation_of(layers.space)
        assert orientation is not None
        held = np.isin(boards, held_ones(orientation, layers.space, np.array(boards, np.uint64)))
        words = bitmap(np.flatnonzero(held), layers.n_slots(layer))
    after = layers.unsolved(layer, words)
    after.values[:-1] = rng.random(after.values.size - 1)
    whole = layers.rate_moves(layer, words, after)
    for number in range(cells.n):
        cell = cells.cell(layer, number)
        own = cell.cut(words)
        index = np.zeros(2 * own.size, np.uint64)
        n = int(build_index(own, index))
        pre = Solved(index, np.zeros(n + 1), cell.own.blocks.places)
        layers.fill_moves(cell.leaving, pre, after)
        found = layers.unsolved(layer, words)
        found.values[:] = -1.0
        cell.put_values(found, pre.values)
        of_cell = found.values >= 0
        assert of_cell.sum() == n
        assert (found.values[of_cell] == whole.solved.values[of_cell]).all()


def looked_up(part: AfterPart, words: U64, n_slots: int, run: int, slot: int) -> float:
    """Return the value that kernels find by counting from the start of a run: 64 slots at most."""
    solved = part.solved(words, NOWHERE, n_slots)
    bits = [int(word) for word in solved.indexed[::2]]
    window = (bits[run >> 6] | bits[(run >> 6) + 1] << 64) >> (run & 63)
    before = int(solved.indexed[2 * (run >> 6) + 1])
    before += (bits[run >> 6] & ((1 << (run & 63)) - 1)).bit_count()
    return float(solved.values[before + (window & ((1 << (slot - run)) - 1)).bit_count()])


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(12))
def test_look_ups_find_what_a_part_has_and_nothing_else(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, rng.choice([3, 30, 64]), 60)
    edges = np.concatenate([[0], np.cumsum(sizes)])
    n_slots = int(edges[-1])
    slots = np.flatnonzero(rng.random(n_slots) < rng.choice([0.05, 0.4, 1.0]))
    words, values = bitmap(slots, n_slots), rng.random(slots.size + 1) + 1
    index = np.zeros(2 * words.size, np.uint64)
    build_index(words, index)
    blocks = Blocks(edges[:-1], NONE, NONE, NONE.astype(np.int32), NOWHERE)
    n_bytes = int(rng.choice([100, 300, 1 << 30]))
    parts = list(parts_of(Solved(index, values, NOWHERE), BlockRange(blocks, n_slots), n_bytes))
    assert [parts[0].first, parts[-1].end] == [0, n_slots]
    assert all(one.end == other.first for one, other in pairwise(parts))
    assert len(parts) > 1 or n_bytes > 300 or n_slots < 200
    for part in parts:
        for slot, value in zip(slots.tolist(), values.tolist(), strict=False):
            run = int(edges[np.searchsorted(edges, slot, "right") - 1])
            expected = value if part.first <= slot < part.end else 0.0
            assert looked_up(part, words, n_slots, run, slot) == expected
