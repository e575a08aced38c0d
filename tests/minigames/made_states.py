"""Positions of variants from texts, and the results of moves."""

from dataclasses import replace
from pathlib import Path

from minigames.board import CRATER, FLOOR, HOLE, ICE, PORTAL
from minigames.registry import rules_of
from minigames.state import Action, Event, State
from minigames.store import Slot, slot_bytes, slot_path, write_slot
from tests.minigames.specified import legal_of

WALLS = {"#": HOLE, "I": ICE, "C": CRATER}


def exponent_of(word: str) -> int:
    if word.isdecimal():
        return int(word).bit_length() - 1
    return PORTAL if word == "P" else 0


def state_of(game: str, text: str, hard: bool = False, **changes: object) -> State:
    """Return a position from a text, rows parted by a slash.

    Numbers are face values, P portals, # holes, I ice, C craters, B the object's cell, X the marked
    one, anything else is empty. Rows that are not given are empty. Changes that aren't fields of a
    state belong to the variant.
    """
    start = rules_of(game, hard=hard).start(0)
    rows = [row.split() for row in text.strip().split("/")]
    n_columns = len(rows[0])
    words = [word for row in rows for word in row]
    if (n_columns, len(words)) != (4, 16) and "#" not in words:
        words += ["_"] * (16 - len(words))
    n = len(words)
    own = {k: [0] * n if isinstance(v, list) else v for k, v in start.own.items()}
    if "B" in words or "object" in own:
        own["object"] = words.index("B") if "B" in words else -1
    if "X" in words:
        own["mark"] = words.index("X")
    fields = {name: changes.pop(name) for name in list(changes) if hasattr(start, name)}
    state = replace(
        start,
        n_columns=n_columns,
        tiles=tuple(map(exponent_of, words)),
        terrain=tuple(WALLS.get(word, FLOOR) for word in words),
        own={**own, **changes},
        best=max(map(exponent_of, words)),
        newest=-1,
    )
    state = replace(state, **fields)
    thing = own.get("object", -1)
    if not state.over and not legal_of(state.tiles, state.terrain, n_columns, thing):
        state = replace(state, over="stuck")
    return state


def do(state: State, text: str, adversary=None) -> tuple[State, tuple[Event, ...]]:
    """Do the action of a text: "left", "bomb 3"."""
    kind, *numbers = text.split()
    action = Action(kind, tuple(map(int, numbers)))
    return rules_of(state.game, hard=state.hard).play(state, action, adversary)


def faces(state: State, events: tuple[Event, ...] = ()) -> str:
    """Return the board as a text of `state_of`, without what `events` say is new."""
    new = {cell for event in events if event.kind == "spawn" for cell in event.cells}
    walls = {kind: sign for sign, kind in WALLS.items()}
    words = []
    for cell, (tile, kind) in enumerate(zip(state.tiles, state.terrain, strict=True)):
        word = "P" if tile == PORTAL else str(1 << tile) if tile and cell not in new else "_"
        words.append(walls.get(kind, word))
    rows = [words[r : r + state.n_columns] for r in range(0, len(words), state.n_columns)]
    return " / ".join(" ".join(row) for row in rows)


def row_after(game: str, row: str, direction: str, **changes: object) -> tuple[str, int, State]:
    """Return the first row of an otherwise empty board after a move, the points, and the state."""
    before = state_of(game, row, **changes)
    after, events = do(before, direction)
    assert after is not before, "the move is illegal"
    return faces(after, events).partition(" /")[0], after.score - before.score, after


def save_slot(folder: Path, slot: Slot) -> None:
    write_slot(slot_path(folder, slot.game, slot.hard), slot_bytes(slot))
