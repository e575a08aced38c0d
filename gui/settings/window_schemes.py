"""The window colors to choose from: names of sections of ``color_schemes.txt``.

``[window light]`` and ``[window dark]`` are the usual ones; ``[window NAME light]`` and
``[window NAME dark]`` are the scheme NAME.
"""

from collections.abc import Mapping

from engine.language import mark, tr
from gui.style.color_schemes import ColorSchemes

_TITLES: Mapping[str, str] = {"": mark("Standard"), "contrast": mark("High contrast")}


def window_schemes(schemes: ColorSchemes) -> list[tuple[str, str]]:
    """Return the titles and names of all schemes, the usual one first."""
    names = {name.rpartition(" ")[0] for name in schemes.windows}
    return [(tr(_TITLES[name]) if name in _TITLES else name, name) for name in sorted(names)]
