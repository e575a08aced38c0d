"""The texts of a minigame in play: clocks, countdowns, cells, runs."""

from datetime import datetime

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.platform.language import listed, mark, sentences, tr, trn
from engine.platform.quantities import day_text
from gui.minigames.rules_text import level_text
from gui.text.numbers import format_whole
from gui.widgets.notice import ANSWER_KEYS, KEEP, Message
from minigames.parameters import GameSpec
from minigames.records import FinishedRun
from minigames.state import State
from minigames.trophies import figure
from minigames.view import CellView, View

AIMS = {
    "bomb": mark("Choose the tile to remove."),
    "glove": mark("Choose the tile to move."),
    "glove_to": mark("Choose the empty cell to put it on."),
    "twist": mark("Choose the 2 \N{MULTIPLICATION SIGN} 2 block to turn clockwise."),
}
KEYS_OF_AIM = mark("Click it, or use the arrows and Enter. Esc puts the tool away.")
WATCHING = Message(
    mark("Watching a run"), mark("Space plays or stops it, Left and Right go a step, Esc ends it.")
)
NO_USE = mark("It can't be used now.")
NONE_LEFT = mark("You have none. Moves worth 300 to 1,023 points sometimes bring one.")
WON = {
    "bomb": mark("You won a bomb."),
    "glove": mark("You won a glove."),
    "twist": mark("You won a twist."),
}
_TROPHY_TITLES = (
    mark("Bronze trophy"),
    mark("Silver trophy"),
    mark("Gold trophy"),
    mark("Grand trophy"),
)
_LONG = 100_000  # points, moves: more are rare
_ASSISTED = mark("You undid moves, so this run earns no trophy.")
_MAY_HELP = mark("A tool may still help.")
_QUESTIONS = {  # and the button that says yes, by the action
    "new_run": (mark("Start a new run?"), mark("New")),
    "same_run": (mark("Start this run over?"), mark("Again")),
    "daily": (mark("Start today's run?"), mark("Today's run")),
}
_REACHED = {
    "tile": mark("You made {level}."),
    "pattern": mark("You made the pattern of {level}."),
    "score": mark("You passed {level} points."),
}
_FALLS = {
    LEFT: mark("Tiles fall left."),
    RIGHT: mark("Tiles fall right."),
    UP: mark("Tiles fall up."),
    DOWN: mark("Tiles fall down."),
}
_THINGS = {  # faces and objects of cells
    "empty": mark("empty"),
    "hidden": mark("hidden"),
    "portal": mark("portal"),
    "hole": mark("hole"),
    "crater": mark("crater"),
    "bomb": mark("bomb"),
    "factorizer": mark("factorizer"),
    "gift": mark("gift"),
    "frozen": mark("frozen"),
}


def over_message(spec: GameSpec, state: State, is_assisted: bool, *, may_use_tool: bool) -> Message:
    """Return the message at the end of a run; `may_use_tool` if a tool can be used there."""
    title = tr("Time is up") if state.over == "time" else tr("No moves left")
    texts = [_score_text(state.score, state.n_moves, state.best)]
    if is_assisted:
        texts.append(tr(_ASSISTED))
    elif spec.track == "pattern" and figure(spec, state):
        texts.append(tr("Best pattern: {level}.", level=figure(spec, state)))
    buttons = {"new_run": tr("New")}
    if state.over == "stuck":
        buttons["undo"] = tr("Undo")
        if may_use_tool:
            texts.append(tr(_MAY_HELP))
    return Message(title, sentences(*texts), buttons)


def longest_message() -> Message:
    """Return a message as long as any, so that room is kept for all of them."""
    text = sentences(_score_text(_LONG, _LONG, 16), tr(_ASSISTED), tr(_MAY_HELP))
    return Message(tr("No moves left"), text, {"new_run": tr("New"), "undo": tr("Undo")})


def _score_text(score: int, n_moves: int, best: int) -> str:
    return tr(
        "{score} points in {moves} moves, largest tile {tile}.",
        score=format_whole(score),
        moves=format_whole(n_moves),
        tile=1 << best,
    )


def ask_new(kind: str, score: int) -> Message:
    """Return the question before a run is given up for a "new_run", "same_run" or "daily"."""
    title, yes = _QUESTIONS[kind]
    text = tr("This run has {score} points. A new one ends it.", score=format_whole(score))
    buttons = {kind: yes, KEEP: mark("Keep playing")}
    return Message(title, sentences(text, tr(ANSWER_KEYS)), buttons)


def trophy_message(spec: GameSpec, level: int) -> Message:
    what = tr(_REACHED[spec.track], level=level_text(spec, spec.levels[level - 1]))
    goal = tr("That is the highest there is.")
    if more := spec.levels[level:]:
        goal = tr("Next: {level}.", level=level_text(spec, more[0]))
    return Message(tr(_TROPHY_TITLES[level - 1]), sentences(what, goal))


def spoken_clock(left_ms: int) -> str:
    """Return time as minutes and seconds, with tenths in the last minute."""
    if left_ms < 60_000:
        return f"0:{left_ms // 1000:02d}.{left_ms % 1000 // 100}"
    seconds = -(-left_ms // 1000)
    return f"{seconds // 60}:{seconds % 60:02d}"


def period_text(view: View) -> str:
    if view.moves_left is None:
        return ""
    if view.gravity is not None:
        return trn("In {n} move, gravity turns.", "In {n} moves, gravity turns.", view.moves_left)
    return trn(
        "In {n} move, tiles change places.", "In {n} moves, tiles change places.", view.moves_left
    )


def goal_text(view: View) -> str:
    if view.goal_level is None:
        return ""
    return tr(
        "Pattern of {level}: {n_met} of {n_cells} cells.",
        level=1 << view.goal_level,
        n_met=sum(seen.meets_goal for seen in view.cells),
        n_cells=sum(seen.goal is not None for seen in view.cells),
    )


def gravity_text(direction: int) -> str:
    return tr(_FALLS[direction])


def run_text(run: FinishedRun) -> str:
    parts = [
        tr("{score} points", score=format_whole(run.score)),
        str(1 << run.best),
        trn("{n} move", "{n:,} moves", run.n_moves),
        day_text(datetime.fromisoformat(run.ended)),
    ]
    if run.day:
        parts.append(tr("daily"))
    if run.is_assisted:
        parts.append(tr("with undo"))
    return " \N{MIDDLE DOT} ".join(parts)


def cell_text(view: View, cell: int) -> str:
    row, column = divmod(cell, view.n_columns)
    contents = listed(_contents(view.cells[cell]))
    return tr(
        "row {row} column {column}, {contents}", row=row + 1, column=column + 1, contents=contents
    )


def board_text(view: View) -> str:
    return "; ".join(
        cell_text(view, cell)
        for cell, seen in enumerate(view.cells)
        if seen.face not in ("empty", "hole") or seen.object
    )


def _contents(seen: CellView) -> list[str]:
    parts = [str(1 << seen.exponent) if seen.exponent is not None else tr(_THINGS[seen.face])]
    if seen.object:
        parts = [tr(_THINGS[seen.object])]
    if seen.face == "frozen":
        parts.append(tr("frozen"))
    elif seen.ice:
        parts.append(tr("ice {stage} of 6", stage=seen.ice))
    if seen.crater_left:
        parts.append(tr("closes in {moves}", moves=seen.crater_left))
    if seen.goal is not None:
        met = tr("as wanted") if seen.meets_goal else tr("wanted {tile}", tile=1 << seen.goal)
        parts.append(met)
    if seen.is_marked:
        parts.append(tr("will be struck"))
    return parts
