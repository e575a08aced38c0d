"""What a minigame says while it is played: clocks, countdowns, cells, runs."""

from datetime import datetime

from gui.text.numbers import format_whole
from gui.text.rates import DIRECTION_NAMES
from gui.widgets.notice import Message
from minigames.parameters import GameSpec
from minigames.records import Finished
from minigames.state import State
from minigames.trophies import TROPHIES, figure
from minigames.view import CellView, View

AIMS = {
    "bomb": "Choose the tile to remove.",
    "glove": "Choose the tile to move.",
    "glove_to": "Choose the empty cell to put it on.",
    "twist": "Choose the 2 \N{MULTIPLICATION SIGN} 2 block to turn clockwise.",
}
KEYS_OF_AIM = "Click it, or use the arrows and Enter. Esc puts the tool away."
NO_USE = {
    "bomb": "There is nothing to remove.",
    "glove": "There is no tile to move, or no empty cell to put it on.",
    "twist": "There is no block to turn.",
}
NONE_LEFT = "You have none. Moves worth 300 to 1,023 points sometimes bring one."
YOUR_MOVE = Message("Your move", "Arrows, W A S D, H J K L, or a swipe.")


def over_message(spec: GameSpec, state: State, is_assisted: bool) -> Message:
    """Return what to say when a run ends."""
    title = "Time is up" if state.over == "time" else "No move is left"
    text = (
        f"{format_whole(state.score)} points in {format_whole(state.n_moves)} moves, largest tile "
        f"{format_whole(1 << state.best)}."
    )
    if is_assisted:
        text += " You took moves back, so this run counts for no trophy."
    elif spec.track == "pattern" and figure(spec, state):
        text += f" Best pattern: {format_whole(figure(spec, state))}."
    buttons = {"new_run": "New run"}
    if state.over == "stuck":
        buttons["undo"] = "Undo"
        if any(state.tools):
            text += " A tool may still help."
    return Message(title, text, buttons)


def ask_new(score: int) -> Message:
    """Return the question before a run that goes on is given up."""
    text = f"This run has {format_whole(score)} points. A new one ends it."
    return Message("Start a new run?", text, {"new_run_now": "New run", "keep": "Keep playing"})


def trophy_message(spec: GameSpec, level: int) -> Message:
    """Return what to say about a trophy."""
    name = TROPHIES[level].capitalize()
    what = {
        "tile": f"You made {format_whole(spec.levels[level - 1])}.",
        "pattern": f"You made the pattern of {format_whole(spec.levels[level - 1])}.",
        "score": f"You passed {format_whole(spec.levels[level - 1])} points.",
    }[spec.track]
    more = spec.levels[level:]
    goal = f" Next: {format_whole(more[0])}." if more else " That is the highest there is."
    return Message(f"{name} trophy", what + goal)


def spoken_clock(left_ms: int) -> str:
    """Return time as minutes and seconds, with tenths in the last minute."""
    if left_ms < 60_000:
        return f"0:{left_ms // 1000:02d}.{left_ms % 1000 // 100}"
    seconds = -(-left_ms // 1000)
    return f"{seconds // 60}:{seconds % 60:02d}"


def period_text(view: View) -> str:
    """Return in how many moves the board changes."""
    if view.moves_left is None:
        return ""
    moves = "1 move" if view.moves_left == 1 else f"{view.moves_left} moves"
    what = "gravity turns" if view.gravity is not None else "tiles change places"
    return f"In {moves}, {what}."


def goal_text(view: View) -> str:
    """Return which pattern to make next."""
    if view.goal_level is None:
        return ""
    n_cells = sum(seen.goal is not None for seen in view.cells)
    n_met = sum(seen.meets_goal for seen in view.cells)
    return f"Pattern of {format_whole(1 << view.goal_level)}: {n_met} of {n_cells} cells."


def gravity_text(direction: int) -> str:
    """Return where tiles fall."""
    return f"Tiles fall {DIRECTION_NAMES[direction]}."


def run_text(run: Finished) -> str:
    """Return a run of the past in a line."""
    day = datetime.fromisoformat(run.ended)
    parts = [
        f"{format_whole(run.score)} points",
        format_whole(1 << run.best),
        f"{format_whole(run.n_moves)} moves",
        f"{day:%b} {day.day}",
    ]
    if run.day:
        parts.append("daily")
    if run.is_assisted:
        parts.append("with undo")
    return " \N{MIDDLE DOT} ".join(parts)


def cell_text(view: View, cell: int) -> str:
    """Return a cell in words, for those who do not see it."""
    row, column = divmod(cell, view.n_columns)
    return f"row {row + 1} column {column + 1}, {', '.join(_contents(view.cells[cell]))}"


def board_text(view: View) -> str:
    """Return the board in words, without its empty cells."""
    cells = range(len(view.cells))
    return "; ".join(
        cell_text(view, cell)
        for cell in cells
        if view.cells[cell].face not in ("empty", "hole") or view.cells[cell].object
    )


def _contents(seen: CellView) -> list[str]:
    parts = [str(1 << seen.exponent) if seen.exponent is not None else seen.face]
    if seen.object:
        parts = [seen.object]
    if seen.face == "frozen":
        parts.append("frozen")
    elif seen.ice:
        parts.append(f"ice {seen.ice} of 6")
    if seen.crater_left:
        parts.append(f"closes in {seen.crater_left}")
    if seen.goal is not None:
        met = "as wanted" if seen.meets_goal else f"wanted {1 << seen.goal}"
        parts.append(met)
    if seen.is_marked:
        parts.append("will be struck")
    return parts
