import pytest
from boards import random_boards, to_number

from engine.bitboard import cells
from engine.moves import move
from engine.symmetry import images
from engine.variants import VARIANTS, variant_of


@pytest.mark.parametrize(("name", "n_cells"), [("2x4", 8), ("3x3", 9), ("3x4", 12)])
def test_a_variant_has_as_many_cells_as_its_name_says(name, n_cells):
    variant = VARIANTS[name]
    assert len(variant.playable_cells) == n_cells
    height, width = (int(side) for side in name.split("x"))
    assert len({cell // 4 for cell in variant.playable_cells}) == height
    assert len({cell % 4 for cell in variant.playable_cells}) == width
    assert set(cells(variant.walls)) == {0, 15}


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=VARIANTS)
def test_walls_stay_in_every_move_and_symmetry(variant):
    for board in random_boards(1, 200, largest=13):
        inside = [0 if tile == 15 else tile for tile in board]
        walled = to_number(
            [w or tile for w, tile in zip(cells(variant.walls), inside, strict=True)]
        )
        for direction in range(4):
            assert variant_of(move(walled, direction, walls=True)) is variant
        assert all(variant_of(image) is variant for image in images(walled, variant.symmetry))


def test_a_board_with_other_walls_is_no_variant():
    assert variant_of(0) is None
    assert variant_of(0x000F_000F_000F_FFFE) is None
