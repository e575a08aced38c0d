"""The actions of the Puzzles page."""

from typing import TYPE_CHECKING

from engine.platform.language import tr
from gui.play.page_actions import PageAction, move_actions

if TYPE_CHECKING:
    from gui.puzzles.page import PuzzlesPage


def puzzles_actions(page: "PuzzlesPage") -> list[PageAction]:
    """Return what one can do on the page."""

    def is_asking() -> bool:
        return page.run.question is not None and not page.frame.shows_list

    def is_wrong() -> bool:
        verdict = page.run.verdict
        is_wrong = verdict is not None and verdict.loss is not None and not verdict.is_right
        return is_wrong and not page.frame.shows_list

    def can_copy() -> bool:
        if page.frame.shows_list:
            return page.list.view.chosen is not None
        return page.run.question is not None

    def may_search() -> bool:
        return not page.search.is_running

    texts = tr("Answer left"), tr("Answer right"), tr("Answer up"), tr("Answer down")
    return [
        *move_actions(page.press, is_asking, texts, repeats=False),
        PageAction(
            "next",
            tr("Next puzzle"),
            page.next,
            is_asking,
            "forward",
            0,
            "best new",  # no text
            tr("Next"),
            places=("puzzle",),  # Enter solves, in the list
        ),
        PageAction("daily", tr("Puzzle of the day"), page.show_daily, may_search, "calendar", 0),
        page.list_entry(tr("All puzzles"), tr("All"), 1),
        PageAction("practice", tr("Open in Practice"), page.practice, is_asking, "practice", 2),
        PageAction(
            "file",
            tr("Add to my mistakes"),
            page.file,
            is_wrong,
            "mistakes",
            2,
            "bookmark",
            tr("Add to mistakes"),
        ),
        PageAction("copy", tr("Copy the puzzle as text"), page.copy, can_copy, "copy", 2),
        PageAction(
            "undo",
            tr("Bring removed puzzles back"),
            page.undo_deletion,
            lambda: page.deletion.can_undo,
        ),
        PageAction(
            "find", tr("Find puzzles"), page.find_puzzles, may_search, "search", key="search"
        ),
        PageAction(
            "cancel",
            tr("Stop looking for puzzles"),
            page.search.cancel,
            lambda: page.search.is_running,
        ),
        PageAction(
            "paste",
            tr("Paste puzzles"),
            lambda: page.line_import.paste(page.take_new),
            icon_name="paste",
        ),
        PageAction(
            "import",
            tr("Import puzzles"),
            lambda: page.line_import.ask_file(page, page.take_new),
            icon_name="folder",
        ),
        PageAction("export", tr("Export puzzles"), page.export, icon_name="save"),
    ]
