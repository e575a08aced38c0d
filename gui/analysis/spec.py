"""How the page Analysis is announced, and made."""

from typing import TYPE_CHECKING

from engine.platform.language import mark
from gui.pages.page import PageSpec

if TYPE_CHECKING:
    from gui.analysis.page import AnalysisPage
    from gui.keys.key_bindings import KeyBindings
    from gui.pages.services import Services


def _make(services: "Services", _keys: "KeyBindings") -> "AnalysisPage":
    from gui.analysis.page import AnalysisPage

    page = AnalysisPage(
        services.analysis_store,
        services.analyses,
        services.notes,
        services.settings,
        services.tables.folders,
    )
    # The command has written to these; who shows them asks again.
    page.games_kept.connect(services.book.changed)
    page.games_kept.connect(services.facts.changed)
    return page


SPEC = PageSpec(
    mark("Analysis"),
    "analysis",
    _make,
    ("gui.analysis.tree", "gui.analysis.page"),
)
