"""Layer 0 of the free formations against its definition on plain lists."""

from collections.abc import Iterator
from itertools import permutations

import pytest
from brute_force import SOURCES, board_of, cells_of, slide_line

from tablebase.formation.generated_seeds import generated_layer


def sources(n_large: int) -> Iterator[list[int]]:
    """Every board of so many F, one empty cell and twos."""
    n_twos = 15 - n_large
    if n_twos > 2 and n_large > 2:
        raise ValueError("too many to list")
    for empty, *special in permutations(range(16), 1 + min(n_twos, n_large)):
        rare, usual = (15, 1) if n_large <= n_twos else (1, 15)
        cells = [usual] * 16
        cells[empty] = 0
        for cell in special:
            cells[cell] = rare
        yield cells


def moved(cells: list[int]) -> Iterator[list[int]]:
    for lines in (
        [[4 * r + c for c in range(4)] for r in range(4)],
        [[4 * r + c for c in (3, 2, 1, 0)] for r in range(4)],
        [[4 * r + c for r in range(4)] for c in range(4)],
        [[4 * r + c for r in (3, 2, 1, 0)] for c in range(4)],
    ):
        after = [0] * 16
        for line in lines:
            slid = slide_line([cells[cell] for cell in line], False)
            for cell, value in zip(line, slid + [0] * 4, strict=False):
                after[cell] = value
        yield after


def canonical(cells: list[int]) -> int:
    return min(board_of([cells[cell] for cell in image]) for image in SOURCES["full"])


@pytest.mark.parametrize("n_large", [0, 1, 2, 13, 14, 15])
def test_it_is_what_the_definition_says(n_large):
    want = {canonical(after) for cells in sources(n_large) for after in moved(cells)}
    assert generated_layer(n_large).tolist() == sorted(want)


@pytest.mark.parametrize(
    ("n_large", "size"), [(8, 12_866), (7, 12_870), (6, 10_010), (5, 6_006), (4, 2_730)]
)
def test_it_has_the_size_that_the_reference_program_finds(n_large, size):
    boards = generated_layer(n_large).tolist()
    assert len(boards) == len(set(boards)) == size
    for board in boards[:: size // 50]:
        assert cells_of(board).count(15) == n_large
        assert sum(1 << e for e in cells_of(board) if 0 < e < 15) == 2 * (15 - n_large)
