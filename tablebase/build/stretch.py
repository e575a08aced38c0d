"""Which blocks work goes through."""

from typing import NamedTuple

from tablebase.rank.kernel_tables import Blocks


class Stretch(NamedTuple):
    """Blocks to go through, and how many slots there are where they begin; places of any layer."""

    blocks: Blocks
    n_slots: int
