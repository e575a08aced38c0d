"""The actions of the Test page."""

from typing import TYPE_CHECKING

from engine.platform.language import tr
from gui.play.page_actions import PageAction, move_actions

if TYPE_CHECKING:
    from gui.exam.page import ExamPage


def exam_actions(page: "ExamPage") -> list[PageAction]:
    """Return what one can do on the page."""
    player, position = page.player, page.position

    def is_seen() -> bool:
        return page.shows_board and player.run is not None

    def has_moves() -> bool:
        return page.shows_board and player.run is not None and player.run.n_moves > 0

    def can_begin() -> bool:
        return page.shows_board and player.table is not None

    def can_undo() -> bool:
        return page.shows_board and player.can_undo

    def can_move() -> bool:
        return page.shows_board and player.is_playing

    return [
        PageAction(
            "undo",
            tr("Take back the last move"),
            player.undo,
            can_undo,
            "undo",
            0,
            repeats=True,
        ),
        PageAction(
            "restart",
            tr("Save and restart"),
            page.starts.restart,
            can_begin,
            "refresh",
            0,
            "new",
            tr("New"),
        ),
        PageAction(
            "rematch",
            tr("Rematch: same start, same tiles"),
            page.starts.rematch,
            has_moves,
            "repeat",
            0,
            "again",
        ),
        PageAction(
            "new_start",
            tr("New random position"),
            page.starts.new_start,
            can_begin,
            "dice",
            0,
            "varied",
            tr("Random"),
        ),
        PageAction(
            "focus",
            tr("Focus: hide the hints"),
            page.set_focus,
            None,
            "hide",
            1,
            "hide",
            is_checkable=True,
        ),
        PageAction("review", tr("Review this test"), page.review, has_moves, "review", 2),
        PageAction("practice", tr("Practice this position"), page.practice, is_seen, "practice", 2),
        page.list_entry(tr("History of tests"), "", 2),
        PageAction("copy", tr("Copy the position"), position.copy, is_seen, "copy", 3),
        PageAction(
            "export",
            tr("Export as .rpl for other programs"),
            lambda: page.export(".rpl"),
            has_moves,
            "save",
            3,
            "save",
        ),
        PageAction(
            "log",
            tr("Export as text"),
            lambda: page.export(".txt"),
            has_moves,
            key="save_other",
            caption=tr("Log"),
        ),
        PageAction(
            "export_json",
            tr("Export as .json, which Review reads"),
            lambda: page.export(".json"),
            has_moves,
            key="",
            caption=tr("JSON"),
        ),
        PageAction(
            "paste",
            tr("Start from the position on the clipboard"),
            position.paste,
            can_begin,
        ),
        PageAction("go_to", tr("Start from a position"), page.panel.hex_field.take_keys, can_begin),
        *move_actions(page.press, can_move),
    ]
