"""A palette made of colors that another program had. No Qt."""

from collections.abc import Collection, Sequence

from engine.language import tr
from gui.style.palette_draft import Draft, free_name


def imported_palette(colors: Sequence[str], taken: Collection[str]) -> tuple[str, str]:
    """Return a name that no palette has, and the sections of it.

    Parameters
    ----------
    colors : sequence of str
        ``#rrggbb`` of the tiles 2, 4, ... 65536.
    taken : collection of str
        The names of palettes that there are.
    """
    pairs = tuple((color, "") for color in colors)  # the ink that is read best
    name = free_name("imported", taken)
    return name, Draft(tr("Imported"), pairs, pairs).text(name)
