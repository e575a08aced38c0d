"""How the page Practice is announced, and made."""

from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.page import PageSpec

if TYPE_CHECKING:
    from gui.keys.key_bindings import KeyBindings
    from gui.pages.services import Services
    from gui.practice.page import PracticePage


def _make(services: "Services", _keys: "KeyBindings") -> "PracticePage":
    from gui.practice.page import PracticePage

    return PracticePage(
        services.open_table,
        services.lookups,
        services.settings,
        files=services.tasks,
        note_guess=services.facts.add_guess,
    )


SPEC = PageSpec(
    mark("Practice"),
    "practice",
    _make,
    ("gui.practice.game", "gui.practice.tile_effects_view", "gui.practice.page"),
)
