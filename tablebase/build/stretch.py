"""A range of blocks to work through."""

from typing import NamedTuple

from tablebase.rank.kernel_tables import Blocks


class Stretch(NamedTuple):
    """Blocks to work through, the number of slots before them, and the places of any layer."""

    blocks: Blocks
    n_slots: int
