"""Formations small enough for the brute-force solver, and how it is told about them."""

import brute_force

from tablebase.formation import Formation


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


def _tiny(name: str, mask: int, target_cells: int, symmetry: str, *seeds: int) -> Formation:
    return Formation(
        name=name,
        category="others",
        masks=(mask,),
        target_cells=target_cells,
        symmetry=symmetry,
        seeds=seeds,
        extra_steps=24,
        walls=False,
    )


# In the pictures of the masks: one row of digits after the other, from the top.
TINY = {
    formation.name: formation
    for formation in (
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
    )
}
