"""The window colors to choose from."""

from engine.platform.language import tr
from gui.style.color_schemes import STANDARD
from gui.style.current_theme import LIKE_SYSTEM, CurrentTheme


def window_schemes(themes: CurrentTheme) -> list[tuple[str, str]]:
    """Return the titles and names of all window colors, the default first."""
    named = ((title, name) for name, title in themes.window_schemes.items())
    return [(tr("Like the system"), LIKE_SYSTEM), (tr("Standard"), STANDARD), *named]
