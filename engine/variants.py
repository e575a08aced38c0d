"""The small boards: 2x4, 3x3 and 3x4, embedded in the 4x4 board by walls of nibble F."""

from dataclasses import dataclass

from engine.bitboard import LARGEST_NIBBLE, cells


@dataclass(frozen=True)
class Variant:
    """A small board."""

    name: str  # rows x columns, such as "3x4"
    walls: int  # the empty board: F in the cells that are wall, 0 in the others
    symmetry: str  # the mode of `engine.symmetry` whose symmetries keep the walls in place

    @property
    def playable_cells(self) -> list[int]:
        return [cell for cell, exponent in enumerate(cells(self.walls)) if exponent == 0]


VARIANTS = {
    variant.name: variant
    for variant in (
        Variant("2x4", 0xFFFF_0000_0000_FFFF, "rect2x4"),
        Variant("3x3", 0x000F_000F_000F_FFFF, "square3x3"),
        Variant("3x4", 0x0000_0000_0000_FFFF, "rect3x4"),
    )
}


def variant_of(board: int) -> Variant | None:
    """Return the variant whose walls are exactly the F nibbles of `board`, or None."""
    walls = 0
    for exponent in cells(board):
        walls = walls << 4 | (LARGEST_NIBBLE if exponent == LARGEST_NIBBLE else 0)
    return next((variant for variant in VARIANTS.values() if variant.walls == walls), None)
