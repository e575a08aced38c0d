"""How the page Settings is announced, and made."""

from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.page import PageSpec

if TYPE_CHECKING:
    from gui.keys.key_bindings import KeyBindings
    from gui.pages.services import Services
    from gui.settings.page import SettingsPage


def _make(services: "Services", keys: "KeyBindings") -> "SettingsPage":
    from gui.settings.data_section import DataSection
    from gui.settings.page import SettingsPage

    settings, themes, tables = services.settings, services.themes, services.tables
    data = DataSection(settings, themes, tables, services.book, services.data_dir, services.keeping)
    page = SettingsPage(settings, themes, tables, services.data_dir, keys, data, services.places)
    page.folders_changed.connect(services.library.refresh)
    return page


SPEC = PageSpec(
    mark("Settings"),
    "settings",
    _make,
    ("gui.settings.data_section", "gui.settings.page"),
    is_at_bottom=True,
)
