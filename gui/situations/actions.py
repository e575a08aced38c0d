"""The actions of the Situations page."""

from typing import TYPE_CHECKING

from engine.platform.language import tr
from gui.play.page_actions import PageAction, move_actions

if TYPE_CHECKING:
    from gui.situations.page import SituationsPage


def situations_actions(page: "SituationsPage") -> list[PageAction]:
    """Return what one can do on the page."""
    player = page.player

    def is_seen() -> bool:
        return page.shows_board and player.run is not None and page.current is not None

    def is_over() -> bool:
        return is_seen() and player.run is not None and player.run.end is not None

    def has_moves() -> bool:
        return is_seen() and player.run is not None and player.run.n_moves > 0

    def is_on_table() -> bool:
        return is_seen() and page.current is not None and page.current.situation.is_exact

    def may_switch() -> bool:
        return page.shows_board or player.run is not None

    def can_move() -> bool:
        return page.shows_board and player.is_playing

    return [
        PageAction("next", tr("Next attempt"), page.next, is_over, "refresh", 0, "new"),
        PageAction("review", tr("Review this attempt"), page.review, has_moves, "review", 1),
        PageAction(
            "practice", tr("Practice this position"), page.practice, is_on_table, "practice", 1
        ),
        page.list_entry(tr("All situations"), tr("All"), 2, may_switch),
        PageAction("copy", tr("Copy the position"), page.copy, is_seen, "copy", 3),
        PageAction("paste", tr("Paste a position"), page.paste, None, "paste", 3),
        PageAction("go_to", tr("Type a position"), page.ask_position),
        PageAction("import", tr("Import situations"), page.import_file, None, "folder", 3),
        PageAction(
            "undo",
            tr("Bring the removed situation back"),
            page.undo_deletion,
            page.can_undo_deletion,
        ),
        *move_actions(page.press, can_move),
    ]
