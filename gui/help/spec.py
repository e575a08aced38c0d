"""How the page Help is announced, and made."""

from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.page import PageSpec

if TYPE_CHECKING:
    from gui.help.page import HelpPage
    from gui.keys.key_bindings import KeyBindings
    from gui.pages.services import Services


def _make(services: "Services", keys: "KeyBindings") -> "HelpPage":
    from gui.help.page import HelpPage

    return HelpPage(services.settings, services.tasks, keys)


SPEC = PageSpec(
    mark("Help"),
    "help",
    _make,
    ("gui.help.browser", "gui.help.page"),
    is_at_bottom=True,
)
