"""The actions of the Review page."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Protocol

from engine.platform.language import tr
from gui.play.page_actions import PageAction
from gui.review.controls import ALL_TABLES, WHOLE_GAME
from gui.review.game import PAGE, GamePlayer, ReviewGame
from gui.review.view import ReviewView


class _Page(Protocol):
    """What the actions need of the page, which imports this file."""

    game: ReviewGame
    view: ReviewView
    auto_player: GamePlayer
    has_search: bool

    @property
    def paths_by_table(self) -> Mapping[str, Path]: ...
    def walk(self, position: int | None) -> None: ...
    def show_best(self, shown: bool) -> None: ...
    def rate(self, table: str) -> None: ...
    def compare(self) -> None: ...
    def practice(self) -> None: ...
    def train(self) -> None: ...
    def play_situation(self) -> None: ...
    def choose_file(self) -> None: ...
    def open_latest(self) -> None: ...
    def paste(self) -> None: ...
    def copy(self) -> None: ...


def review_actions(page: _Page) -> list[PageAction]:
    game = page.game

    def has_game() -> bool:
        return game.recording is not None

    def can_go_back() -> bool:
        return has_game() and game.position > 0

    def can_go_on() -> bool:
        return has_game() and not game.is_at_end

    def can_train() -> bool:
        return game.recording is not None and game.recording.n_judged > 0

    def can_judge() -> bool:
        return has_game() and page.has_search and not page.view.refusal

    def can_rate() -> bool:
        return has_game() and bool(page.paths_by_table)

    def walk(
        name: str,
        text: str,
        find: Callable[[], int | None],
        when: Callable[[], bool],
        icon_name: str = "",
        **more: Any,
    ) -> PageAction:
        return PageAction(name, text, lambda: page.walk(find()), when, icon_name, **more)

    return [
        walk("first", tr("To the start"), lambda: 0, can_go_back, icon_name="first", group=0),
        walk(
            "back",
            tr("Previous move"),
            lambda: game.position - 1,
            can_go_back,
            icon_name="back",
            group=0,
            key="left",
            caption=tr("Prev."),
            repeats=True,
        ),
        walk(
            "forward",
            tr("Next move"),
            lambda: game.position + 1,
            can_go_on,
            icon_name="forward",
            group=0,
            key="right",
            caption=tr("Next"),
            repeats=True,
        ),
        walk("last", tr("To the end"), lambda: game.n_moves, can_go_on, icon_name="last", group=0),
        walk(
            "previous_mark",
            tr("Previous mistake"),
            game.previous_mark,
            lambda: game.previous_mark() is not None,
            icon_name="previous_mark",
            group=1,
            key="previous_mark up",  # no text
            repeats=True,
        ),
        walk(
            "next_mark",
            tr("Next mistake"),
            game.next_mark,
            lambda: game.next_mark() is not None,
            icon_name="next_mark",
            group=1,
            key="next_mark down",  # no text
            repeats=True,
        ),
        PageAction(
            "auto",
            tr("Auto-play"),
            page.auto_player.toggle,
            has_game,
            "play",
            3,
            "run",
            stop_text=tr("Stop"),
        ),
        PageAction(
            "hint",
            tr("Show best move"),
            page.show_best,
            has_game,
            "hint",
            3,
            caption=tr("Best move"),
            is_checkable=True,
        ),
        PageAction(
            "compare", tr("Compare with the best move"), page.compare, can_go_on, "compare", 2
        ),
        PageAction("practice", tr("Practice from here"), page.practice, has_game, "practice", 4),
        PageAction(
            "train",
            tr("Train what this game lost (10 min)"),
            page.train,
            can_train,
            "repeat",
            2,
        ),
        PageAction(
            "situation",
            tr("Play this position ten times"),
            page.play_situation,
            has_game,
            "situations",
            4,
        ),
        PageAction(
            "rate_whole",
            tr("Judge the whole game"),
            lambda: page.rate(WHOLE_GAME),
            can_judge,
            key="",
        ),
        PageAction(
            "rate_all",
            tr("Rate by all tables"),
            lambda: page.rate(ALL_TABLES),
            can_rate,
            key="",
        ),
        PageAction("open", tr("Open a recording"), page.choose_file, icon_name="folder"),
        PageAction("latest", tr("Open the latest test"), page.open_latest),
        PageAction("paste", tr("Paste a recording"), page.paste, icon_name="paste"),
        walk(
            "back_ten",
            tr("Back 10 moves"),
            lambda: game.position - PAGE,
            can_go_back,
            repeats=True,
        ),
        walk(
            "forward_ten",
            tr("Forward 10 moves"),
            lambda: game.position + PAGE,
            can_go_on,
            repeats=True,
        ),
        PageAction("copy", tr("Copy position"), page.copy, has_game, "copy"),
    ]
