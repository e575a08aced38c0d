"""The actions of the Practice page."""

from functools import partial
from typing import TYPE_CHECKING

from engine.platform.language import tr
from gui.play.page_actions import MOVES, PageAction, move_actions, situation_action

if TYPE_CHECKING:
    from gui.practice.page import PracticePage


def practice_actions(page: "PracticePage") -> list[PageAction]:
    parts, playing, why = page.parts, page.playing, page.why
    game, demo, panel = parts.game, parts.demo, parts.panel
    history, positions, edit_bar = page.history, page.positions, page.edit_bar

    def has_board() -> bool:
        return game.session is not None

    def can_play() -> bool:
        return game.session is not None and not edit_bar.is_active

    def can_move() -> bool:
        return can_play() and not game.awaits_hand  # the arrows go from cell to cell then

    def can_undo() -> bool:
        return edit_bar.is_active or (game.session is not None and game.session.can_undo)

    def can_redo() -> bool:
        return edit_bar.is_active or (game.session is not None and game.session.can_redo)

    def can_step() -> bool:
        return can_play() and (demo.is_running or game.may_have_best)

    def can_run() -> bool:
        return can_play() and (demo.is_running or demo.can_begin)

    def can_hint() -> bool:
        return can_play() and game.may_have_best

    def turn(name: str, text: str, symmetry: str, icon_name: str) -> PageAction:
        def do() -> None:
            playing.walk(lambda session: session.turn(symmetry))

        return PageAction(name, text, do, can_play, icon_name)

    def explain_move(direction: int) -> None:
        panel.show_tab("why")
        why.explain_here(direction)

    def explain(name: str, text: str) -> PageAction:
        return PageAction(f"why_{name}", text, partial(explain_move, MOVES[name]), can_play)

    def tab(name: str, text: str, number: int) -> PageAction:
        show = partial(panel.show_tab, name)
        return PageAction(f"tab_{name}", text, show, key=f"tab_{number}")

    return [
        PageAction("undo", tr("Undo"), playing.undo, can_undo, "undo", 0, repeats=True),
        PageAction("redo", tr("Redo"), playing.redo, can_redo, "redo", 0, repeats=True),
        PageAction("new_start", tr("New"), playing.new_start, can_play, "refresh", 0, "new"),
        PageAction(
            "varied_start", tr("New, some moves in"), playing.varied_start, can_play, key="varied"
        ),
        PageAction(
            "step",
            tr("Play the best move"),
            playing.step,
            can_step,
            "best",
            1,
            "best",
            repeats=True,
        ),
        PageAction(
            "demo", tr("Play"), playing.toggle_demo, can_run, "play", 1, "run", stop_text=tr("Stop")
        ),
        PageAction("hint", tr("Show the best move"), playing.toggle_hint, can_hint, "hint", 1),
        PageAction(
            "why",
            tr("Why: what the next tile can do"),
            lambda _: playing.toggle_why(),
            can_play,
            "why",
            1,
            is_checkable=True,
        ),
        PageAction(
            "compare", tr("Compare the move with the best one"), page.compare, can_play, "compare"
        ),
        turn("flip_sideways", tr("Flip horizontally"), "mirror", "flip_sideways"),
        turn("flip_over", tr("Flip up and down"), "flip", "flip_over"),
        turn("rotate_left", tr("Rotate left"), "rotate_left", "rotate_left"),
        turn("rotate_right", tr("Rotate right"), "rotate_right", "rotate_right"),
        PageAction(
            "edit",
            tr("Edit the board"),
            lambda _: edit_bar.toggle(),
            has_board,
            "edit",
            is_checkable=True,
        ),
        PageAction("go_to", tr("Go to a position"), positions.ask, can_play),
        PageAction("review", tr("Review the moves up to here"), history.review, can_play, "review"),
        PageAction("test", tr("Test yourself on this table"), page.test, can_play, "test"),
        situation_action(page.play_situation, can_play, None),
        PageAction("copy", tr("Copy the position"), positions.copy, can_play, "copy"),
        PageAction(
            "copy_text", tr("Copy the board as text"), positions.copy_text, can_play, "copy"
        ),
        PageAction("paste", tr("Paste a position"), positions.paste, has_board, "paste"),
        PageAction(
            "read_picture",
            tr("Read the board in a picture"),
            positions.choose_picture,
            has_board,
            "picture",
        ),
        PageAction(
            "picture",
            tr("Copy a picture of the board"),
            positions.copy_picture,
            can_play,
            "picture",
        ),
        PageAction(
            "save_picture",
            tr("Save a picture of the board"),
            positions.save_picture,
            can_play,
            "save",
        ),
        *move_actions(playing.play, can_move),
        explain("left", tr("Explain left")),
        explain("right", tr("Explain right")),
        explain("up", tr("Explain up")),
        explain("down", tr("Explain down")),
        PageAction("why_tile", tr("Explain a 2 or a 4"), why.swap_tile, can_play),
        PageAction("why_plies", tr("Explain one tile or two"), why.swap_plies, can_play),
        PageAction(
            "by_hand",
            tr("Place new tiles by hand"),
            lambda _: playing.toggle_hand(),
            is_checkable=True,
        ),
        PageAction(
            "guess",
            tr("Guess first: hide the rates"),
            lambda _: panel.guess_box.toggle(),
            key="hide",
            is_checkable=True,
        ),
        PageAction(
            "save_recording",
            tr("Save the moves up to here"),
            history.save,
            can_play,
            "save",
            key="save",
        ),
        PageAction(
            "open_recording", tr("Open a recording"), history.open, can_play, "folder", key="open"
        ),
        PageAction(
            "play_recording",
            tr("Play back the history"),
            history.play,
            can_play,
            "play",
            key="play_back",
        ),
        PageAction(
            "line_start",
            tr("To the start of the history"),
            history.go_to_start,
            can_play,
            key="first",
        ),
        PageAction(
            "line_end", tr("To the end of the history"), history.go_to_end, can_play, key="last"
        ),
        PageAction(
            "other_way", tr("The next variation"), history.next_variation, can_play, key="variation"
        ),
        PageAction("bookmark", tr("Bookmark this position"), history.bookmark, can_play),
        PageAction(
            "next_bookmark", tr("To the next bookmark"), history.go_to_next_bookmark, can_play
        ),
        tab("play", tr("Panel: options"), 1),
        tab("why", tr("Panel: why"), 2),
        tab("line", tr("Panel: history"), 3),
    ]
