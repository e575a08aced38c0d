"""The two passes over whole layers: bitmaps forward, values backward; no files, no resume."""

from tablebase.build.expanding import Expanding
from tablebase.build.solving import Solving
from tablebase.build.storing import Storing
from tablebase.build.thinning import Thinning


class Layers(Expanding, Solving, Storing, Thinning):
    """One formation and goal, layer by layer: its boards, their values, and the stored part.

    Parameters and attributes are those of `tablebase.build.layer_frame.LayerFrame`.
    """
