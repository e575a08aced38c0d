"""The actions of the Routes page."""

from typing import TYPE_CHECKING

from engine.platform.language import tr
from gui.play.page_actions import PageAction, move_actions

if TYPE_CHECKING:
    from gui.routes.page import RoutesPage


def routes_actions(page: "RoutesPage") -> list[PageAction]:
    """Return what one can do on the page."""
    player = page.player

    def has_run() -> bool:
        return page.shows_board and player.run is not None

    def can_press() -> bool:
        return page.shows_board and (player.is_playing or page.display.is_correcting)

    def is_over() -> bool:
        run = player.run
        is_ended = run is not None and run.end is not None and run.n_moves > 0
        return page.shows_board and is_ended and not page.display.is_correcting

    def has_mistakes() -> bool:
        return is_over() and player.run is not None and player.run.totals.n_mistakes > 0

    def is_on_table() -> bool:
        return page.shows_board and player.run is not None and player.run.setup.is_judged

    def may_switch() -> bool:
        return page.shows_board or player.run is not None

    def is_correcting() -> bool:
        return has_run() and page.display.is_correcting

    return [
        PageAction("new", tr("New route like this one"), page.new_like_this, has_run, "refresh", 0),
        PageAction("again", tr("The same route again"), page.again, has_run, "repeat", 0),
        PageAction("daily", tr("Today's route"), page.play_today, None, "calendar", 0),
        page.list_entry(tr("All routes"), tr("Routes"), 1, may_switch),
        PageAction("review", tr("Review this route"), page.review, is_over, "review", 2),
        PageAction(
            "practice", tr("Practice this position"), page.practice, is_on_table, "practice", 2
        ),
        PageAction(
            "copy", tr("Copy the code"), page.copy_code, has_run, "copy", 3, caption=tr("Code")
        ),
        PageAction(
            "copy_result", tr("Copy the result"), page.copy_result, is_over, key="copy_text"
        ),
        PageAction(
            "paste",
            tr("Open the code on the clipboard"),
            page.paste,
            icon_name="paste",
            group=3,
            caption=tr("Paste"),
        ),
        PageAction("type", tr("Type a code"), page.ask_code, key="go_to"),
        PageAction(
            "compare",
            tr("Let the table and the AI play it"),
            page.let_play,
            is_over,
            key="run",
        ),
        PageAction(
            "undo",
            tr("Bring the removed route back"),
            page.undo_deletion,
            page.can_undo_deletion,
        ),
        PageAction("go_on", tr("Go on after a correction"), page.go_on, is_correcting, key="stop"),
        PageAction(
            "previous",
            tr("Previous mistake of a finished route"),
            lambda: page.step_mistake(-1),
            has_mistakes,
            key="previous_mark",
            repeats=True,
        ),
        PageAction(
            "next",
            tr("Next mistake of a finished route"),
            lambda: page.step_mistake(1),
            has_mistakes,
            key="next_mark",
            repeats=True,
        ),
        *move_actions(page.press, can_press),
    ]
