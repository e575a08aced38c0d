"""How the page Tables is announced, and made."""

from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.page import PageSpec

if TYPE_CHECKING:
    from gui.keys.key_bindings import KeyBindings
    from gui.pages.services import Services
    from gui.tables.page import TablesPage


def _make(services: "Services", _keys: "KeyBindings") -> "TablesPage":
    from gui.tables.page import TablesPage

    return TablesPage(
        services.tables,
        services.tasks,
        services.settings,
        services.library,
        services.builds,
        services.checks,
        services.adviser,
        services.sizes,
        drawings=services.drawings,
        estimates=services.estimates,
        places=services.places,
        reports=services.reports,
    )


SPEC = PageSpec(
    mark("Tables"),
    "tables",
    _make,
    ("gui.tables.build_panel", "gui.tables.page"),
)
