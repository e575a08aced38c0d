"""Formations small enough for the brute-force solver, and their rules for it."""

from typing import Any

import brute_force

from tablebase.formation.formation import Formation


def rules_of(formation: Formation, target: int, **changes: object) -> brute_force.Rules:
    """Return the plain values that the brute-force solver needs."""
    return brute_force.Rules(
        masks=formation.masks,
        target_cells=formation.target_cells,
        symmetry=formation.symmetry,
        seeds=formation.seeds,
        extra_steps=formation.extra_steps,
        walls=formation.walls,
        target=target,
        **changes,  # type: ignore[arg-type]
    )


def _tiny(
    name: str,
    masks: int | tuple[int, ...],
    target_cells: int,
    symmetry: str,
    *seeds: int,
    extra_steps: int = 24,
    walls: bool = False,
) -> Formation:
    return Formation(
        name=name,
        category="others",
        masks=masks if isinstance(masks, tuple) else (masks,),
        target_cells=target_cells,
        symmetry=symmetry,
        seeds=seeds,
        extra_steps=extra_steps,
        walls=walls,
    )


# In the pictures of the masks: one row of digits after the other, from the top.
FIXED = (
    # Six free cells and two F that mostly cannot move; two of the seeds are mirror images.
    _tiny(
        "tinymirror",
        0x0000_F00F_FFFF_FFFF,
        0x0FF0_0FF0_0000_0000,
        "horizontal",
        0x1000_F00F_FFFF_FFFF,
        0x0001_F00F_FFFF_FFFF,
        0x0000_F10F_FFFF_FFFF,
    ),
    # A triangle of six free cells, kept by the transpose; nothing ever reaches its corner.
    _tiny(
        "tinycorner",
        0x000F_00FF_0FFF_FFFF,
        0xF000_0000_0000_0000,
        "diagonal",
        0x000F_01FF_0FFF_FFFF,
    ),
    # The top row and the left column, kept by the transpose; a corner of three cells counts.
    _tiny(
        "tinyangle",
        0x0000_0FFF_0FFF_0FFF,
        0xFF00_F000_0000_0000,
        "diagonal",
        0x0112_2FFF_0FFF_0FFF,
        0x0121_2FFF_0FFF_0FFF,
    ),
    # Two rows, locked alike on both sides, but the target counts at one end of the second alone.
    _tiny(
        "tinyoneside",
        0x0000_0000_FFFF_FFFF,
        0x0000_000F_0000_0000,
        "identity",
        0x1000_0000_FFFF_FFFF,
        0x0000_0001_FFFF_FFFF,
    ),
    # A board of two rows of three: there are layers whose sum no board of six cells can hold.
    _tiny(
        "tinyboard",
        (),
        0xFFF0_FFF0_0000_0000,
        "identity",
        0x000F_000F_FFFF_FFFF,
        extra_steps=40,
        walls=True,
    ),
)

# F tiles that move: few enough free cells, or so little left to do, that brute force takes seconds.
MOVABLE = (
    # One F that may stand in either of two rows; the target counts in half of the cells.
    _tiny(
        "tinyshift",
        (0x0000_0F00_FFFF_FFFF, 0x0F00_0000_FFFF_FFFF),
        0x00FF_00FF_0000_0000,
        "identity",
        0x0000_1F00_FFFF_FFFF,
        0x0F00_0001_FFFF_FFFF,
        extra_steps=12,
    ),
    # Four places for one F, mirror images of each other in pairs.
    _tiny(
        "tinypair",
        (
            0x0F00_0000_FFFF_FFFF,
            0x00F0_0000_FFFF_FFFF,
            0x0000_0F00_FFFF_FFFF,
            0x0000_00F0_FFFF_FFFF,
        ),
        0xF00F_FFFF_0000_0000,
        "horizontal",
        0x0F10_0000_FFFF_FFFF,
        extra_steps=12,
    ),
    # Ten F anywhere, all eight symmetries.
    _tiny("tinyfree", (), 0xFFFF_FFFF_FFFF_FFFF, "full", 0x1334_01FF_FFFF_FFFF, extra_steps=-2),
    # The same, but only the corners count.
    _tiny("tinycorners", (), 0xF00F_0000_0000_F00F, "full", 0x1344_01FF_FFFF_FFFF, extra_steps=-6),
    # Three F in a square of nine cells, kept by the transpose.
    _tiny(
        "tinydiagonalf",
        0x000F_000F_000F_FFFF,
        0xFFF0_FFF0_FFF0_0000,
        "diagonal",
        0x1F0F_0F0F_000F_FFFF,
        extra_steps=12,
    ),
    # Two rows are locked, two F move in the others; the target counts in a corner of three cells.
    _tiny(
        "tinylockedf",
        0x0000_0000_FFFF_FFFF,
        0xFF00_F000_0000_0000,
        "identity",
        0x100F_000F_FFFF_FFFF,
        0x000F_0F10_FFFF_FFFF,
        extra_steps=12,
    ),
    # The same with mirror images.
    _tiny(
        "tinymirrorf",
        0x0000_0000_FFFF_FFFF,
        0xFFFF_0FF0_0000_0000,
        "horizontal",
        0x100F_000F_FFFF_FFFF,
        0x000F_0F10_FFFF_FFFF,
        extra_steps=12,
    ),
    # Seven cells for six small tiles and an F that may stand in any of them.
    _tiny(
        "tinyloose",
        0x0000_000F_FFFF_FFFF,
        0xFFFF_FFF0_0000_0000,
        "identity",
        0x1000_F01F_FFFF_FFFF,
        0x0001_0F1F_FFFF_FFFF,
    ),
    # An F at one end of the second row or at the other; half of the boards are mirror images.
    _tiny(
        "tinyends",
        (0x0000_000F_FFFF_FFFF, 0x0000_F000_FFFF_FFFF),
        0xFFFF_FFFF_0000_0000,
        "horizontal",
        0x1000_001F_FFFF_FFFF,
        0x0110_000F_FFFF_FFFF,
    ),
)

TINY = {formation.name: formation for formation in (*FIXED, *MOVABLE)}

# Two columns of four rows, held in the least of two images: larger, and of many outer rows.
TALL = Formation(
    name="tallmirror",
    category="others",
    masks=(),
    target_cells=0x0FF0_0FF0_0FF0_0FF0,
    symmetry="horizontal",
    seeds=(0xF01F_F00F_F00F_F00F, 0xF00F_F01F_F00F_F00F),
    extra_steps=24,
    walls=True,
)


def entry(**changes: object) -> dict[str, Any]:
    """A small valid formation, changed."""
    fields = {
        "name": "44",
        "category": "others",
        "masks": ["0x00000000ffffffff"],
        "target_cells": "0x0000ffff00000000",
        "symmetry": "identity",
        "seeds": ["0x00001000ffffffff"],
        "extra_steps": 48,
        "walls": False,
    }
    return {**fields, **changes}
