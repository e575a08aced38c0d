"""A palette made of colors that another program had. No Qt."""

from collections.abc import Collection, Mapping, Sequence

from engine.platform.language import tr
from gui.style.color_schemes import TilePalette
from gui.style.palette_draft import Draft, draft_of, free_name


def imported_palette(colors: Sequence[str], taken: Collection[str]) -> tuple[str, str]:
    """Return a name that no palette has, and the sections of it.

    Parameters
    ----------
    colors : sequence of str
        ``#rrggbb`` of the tiles 2, 4, ... 65536.
    taken : collection of str
        The names of palettes that there are.
    """
    name = free_name("imported", taken)
    return name, _draft(colors, tr("Imported")).text(name)


def imported_before(colors: Sequence[str], own: Mapping[str, TilePalette]) -> str:
    """Return the name of one of the user's palettes with just these colors; "" if none has them."""
    drafts = ((name, draft_of(palette)) for name, palette in own.items())
    return next((name for name, draft in drafts if draft == _draft(colors, draft.title)), "")


def _draft(colors: Sequence[str], title: str) -> Draft:
    pairs = tuple((color, "") for color in colors)  # the ink that is read best
    return Draft(title, pairs, pairs)
