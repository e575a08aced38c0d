"""Which action and which signal of the practice page does what, and when an action makes sense."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from gui.practice.actions import TURNS
from gui.practice.session import SpawnMode
from gui.widgets.board_actions import MOVES
from gui.widgets.key_tips import tell_all_keys, tell_keys

if TYPE_CHECKING:
    from gui.practice.page import PracticePage

_ALWAYS = ("guess", "tab_play", "tab_why", "tab_line", "by_hand")


def connect_all(page: "PracticePage") -> None:
    """Connect the parts of a page, after it was put together, and recall what it was left with."""
    for name, trigger in _triggers(page).items():
        page.actions_by_name[name].triggered.connect(lambda _=False, t=trigger: t())
    panel = page.panel
    panel.cross.move_clicked.connect(page.play)
    panel.notice.remedy_clicked.connect(lambda name: _remedy(page, name))
    panel.guess_toggled.connect(lambda hidden: _guess(page, hidden))
    panel.speed_changed.connect(lambda speed: _set_speed(page, speed))
    panel.spawn_mode_chosen.connect(page.choose_spawn_mode)
    panel.hex_entered.connect(page.positions.set_text)
    panel.hex_dropped.connect(page.board_view.setFocus)
    panel.copy_button.clicked.connect(page.positions.copy)
    panel.folder_entered.connect(lambda text: _open_folder(page, text))
    panel.folder_button.clicked.connect(lambda: page.tables.choose_folder(page.dialogs))
    panel.tab_chosen.connect(lambda tab: _show_tab(page, tab))
    panel.line.history.left.connect(page.board_view.setFocus)
    panel.line.recorded_toggled.connect(lambda wanted: _prefer_recorded(page, wanted))
    page.why.toggled.connect(lambda _: page.enable())
    page.frame.invitation.remedy_clicked.connect(lambda name: _remedy(page, name))
    page.frame.back_requested.connect(page.back_requested)
    page.table_combo.activated.connect(lambda index: _choose_table(page, index))
    page.demo.toggled.connect(lambda _: page.enable())
    page.stale_timer.timeout.connect(panel.cross.show_stale)
    page.settings.changed.connect(lambda name, _: _follow_setting(page, name))
    _tell_keys(page)
    _recall(page)


def _tell_keys(page: "PracticePage") -> None:
    """Name the keys in the tool tips of what else does the same."""
    panel, actions = page.panel, page.actions_by_name
    why, line = panel.why, panel.line
    tell_all_keys(
        actions,
        {
            **{f"tab_{tab}": chip for tab, chip in panel.tab_chips.buttons.items()},
            **{f"why_{name}": why.directions.buttons[d] for name, d in MOVES.items()},
            "why": why.shown_box,
            "guess": panel.guess_box,
            "by_hand": panel.spawn_buttons.button(list(SpawnMode).index(SpawnMode.MANUAL)),
            "save_recording": line.save_button,
            "open_recording": line.open_button,
            "play_recording": line.play_button,
            "edit": page.edit_bar.done_button,
            "copy": panel.copy_button,
        },
    )
    for chip in why.exponents.buttons.values():
        tell_keys(chip, actions["why_tile"])
    for chip in why.depths.buttons.values():
        tell_keys(chip, actions["why_plies"])


def enable_actions(page: "PracticePage") -> None:
    """Let only those actions be chosen that do something now."""
    session, actions = page.game.session, page.actions_by_name
    editing = page.edit_bar.is_active
    can_play = session is not None and not editing
    for name, action in actions.items():
        action.setEnabled(can_play or name in _ALWAYS)
    for name in MOVES:  # while a tile is awaited the arrows go from cell to cell
        actions[name].setEnabled(can_play and not page.game.awaits_hand)
    actions["edit"].setEnabled(session is not None)
    actions["edit"].setChecked(editing)
    actions["undo"].setEnabled(editing or bool(session and session.can_undo))
    actions["redo"].setEnabled(editing or bool(session and session.can_redo))
    actions["why"].setChecked(page.why.is_on)
    actions["by_hand"].setChecked(page.game.spawn_mode.value == "manual")
    page.icons.show_running(page.demo.is_running)


def _triggers(page: "PracticePage") -> dict[str, Callable[[], object]]:
    positions, line, why = page.positions, page.line, page.why
    triggers: dict[str, Callable[[], object]] = {
        "undo": page.undo,
        "redo": page.redo,
        "new_start": page.new_start,
        "varied_start": page.varied_start,
        "step": page.step,
        "demo": page.toggle_demo,
        "hint": page.toggle_hint,
        "why": page.toggle_why,
        "why_tile": why.swap_tile,
        "why_plies": why.swap_plies,
        "edit": page.toggle_edit,
        "by_hand": page.toggle_hand,
        "guess": page.panel.guess_box.toggle,
        "copy": positions.copy,
        "copy_text": positions.copy_text,
        "paste": positions.paste,
        "picture": positions.copy_picture,
        "save_picture": positions.save_picture,
        "save_recording": line.save,
        "open_recording": line.open,
        "play_recording": line.play,
        "line_start": line.go_to_start,
        "line_end": line.go_to_end,
        "other_way": line.other_way,
        "bookmark": line.bookmark,
        "next_bookmark": line.go_to_next_bookmark,
    }
    for name, direction in MOVES.items():
        triggers[name] = lambda d=direction: page.play(d)  # type: ignore[misc]
        triggers[f"why_{name}"] = lambda d=direction: _explain(page, d)  # type: ignore[misc]
    for name, turn in TURNS.items():
        triggers[name] = lambda t=turn: page.walk(lambda s: s.turn(t))  # type: ignore[misc]
    for tab in ("play", "why", "line"):
        triggers[f"tab_{tab}"] = lambda t=tab: page.panel.show_tab(t)  # type: ignore[misc]
    return triggers


def _explain(page: "PracticePage", direction: int) -> None:
    page.panel.show_tab("why")
    page.why.explain(direction)


def _remedy(page: "PracticePage", name: str) -> None:
    if name in page.actions_by_name:
        page.actions_by_name[name].trigger()
        page.board_view.setFocus()
    else:
        page.tables_requested.emit()


def _choose_table(page: "PracticePage", index: int) -> None:
    page.tables.open_chosen(index)
    page.board_view.setFocus()


def _open_folder(page: "PracticePage", text: str) -> None:
    page.tables.open_folder(text)
    page.board_view.setFocus()


def _show_tab(page: "PracticePage", tab: str) -> None:
    page.memory.tab = tab
    page.why.follow()


def _prefer_recorded(page: "PracticePage", wanted: bool) -> None:
    page.game.prefers_recorded = wanted
    if page.game.session:
        page.show_answer()


def _guess(page: "PracticePage", hidden: bool) -> None:
    page.memory.is_guessing = hidden
    page.actions_by_name["guess"].setChecked(hidden)
    page.panel.cross.hide_figures(hidden)


def _set_speed(page: "PracticePage", moves_per_second: int) -> None:
    page.memory.speed = moves_per_second
    page.demo.set_speed(moves_per_second)


def _recall(page: "PracticePage") -> None:
    memory, panel = page.memory, page.panel
    panel.show_speed(memory.speed)
    page.demo.set_speed(memory.speed)
    page.game.set_spawn_mode(memory.spawn_mode)
    panel.show_spawn_mode(memory.spawn_mode)
    panel.guess_box.setChecked(memory.is_guessing)
    _guess(page, memory.is_guessing)
    panel.show_tab(memory.tab)
    _follow_setting(page, "animation_ms")
    _follow_setting(page, "large_tile_numbers")


def _follow_setting(page: "PracticePage", name: str) -> None:
    if name == "animation_ms":
        page.board_view.set_slide_ms(page.settings.get(name))
    elif name == "large_tile_numbers":
        page.board_view.show_large_numbers(page.settings.get(name))
