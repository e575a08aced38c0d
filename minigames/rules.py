"""The rules that all variants share, and the places where a variant changes them."""

from collections.abc import Collection, Sequence

from engine.spawn import Rng
from minigames.board import DIRECTIONS, FLOOR, INERT, BoardSlide, block, can_slide, slide
from minigames.parameters import AWARD_BELOW, AWARD_FROM, FIRST_TILES, GameSpec, Numbers
from minigames.state import TOOLS, Action, Event, State
from minigames.trophies import TrophyGoal
from minigames.turn import Adversary, Turn
from minigames.view import CellView, View, plain_view


def use_tool(turn: Turn, action: Action, reserved: Collection[int]) -> bool:
    """Use a tool and count it; return False and change nothing if it can't be used.

    A bomb removes a number. A glove moves a number to an empty cell. A twist turns the contents of
    2 x 2 cells clockwise by one. None of them spawns a tile, scores points or counts as a move.
    Reserved cells hold something other than a tile; no tool may touch them.
    """
    place = TOOLS.index(action.kind)
    if turn.tools[place] < 1:
        return False
    if any(not 0 <= cell < len(turn.tiles) for cell in action.numbers):
        return False
    cells = action.numbers
    if action.kind == "bomb":
        done = turn.tiles[cells[0]] > 0
        if done:
            turn.take(cells[0])
    elif action.kind == "glove":
        done = _glove(turn, cells[0], cells[1], reserved)
    else:
        done = _twist(turn, cells[0], reserved)
    if done:
        turn.tools[place] -= 1
        turn.add_event("tool", cells, what=action.kind)
    return done


def _glove(turn: Turn, source: int, stop: int, reserved: Collection[int]) -> bool:
    if turn.tiles[source] < 1 or stop not in turn.empty_cells(reserved):
        return False
    turn.permute([(source, stop), (stop, source)])
    return True


def _twist(turn: Turn, cell: int, reserved: Collection[int]) -> bool:
    cells = block(cell, turn.n_rows, turn.n_columns)
    if cells is None or not any(turn.tiles[c] for c in cells):
        return False
    if any(turn.terrain[c] != FLOOR or c in reserved for c in cells):
        return False
    turn.permute(list(zip(cells, cells[1:] + cells[:1], strict=True)))
    return True


Outcome = tuple[State, tuple[Event, ...]]


class RulePart:
    """A part of the rules in which a variant differs; a variant has one or several.

    Within a legal move the parts are called in this order: `before_slide`, then the slide,
    `after_slide`, then `replaces_spawn` until one does or a tile comes, `after_spawn`.
    An illegal move only calls `acts`, which changes nothing.
    """

    layers: tuple[str, ...] = ()  # lists in `own` that move along with the tiles; 0 for a new tile

    def __init__(self, numbers: Numbers) -> None:
        self.numbers = numbers

    def shape(self, rng: Rng) -> tuple[int, tuple[int, ...]] | None:
        """Return the number of columns and the terrain to start from; None for 4 x 4."""
        return None

    def begin(self, turn: Turn) -> None:
        """Initialize its own state; the board is still empty."""

    def started(self, turn: Turn) -> None:
        """Change the board with its first tiles."""

    def reserved(self, turn: Turn | State) -> tuple[int, ...]:
        """Return the cells where neither new tiles nor tools may put anything."""
        return ()

    def acts(self, turn: Turn, direction: int) -> bool:
        """Return whether a move is legal although no tile slides."""
        return False

    def before_slide(self, turn: Turn, direction: int) -> None:
        """Change the board before the slide."""

    def after_slide(self, turn: Turn, slid: BoardSlide) -> None:
        """Change the board before the new tile."""

    def replaces_spawn(self, turn: Turn, empty: Sequence[int]) -> bool:
        """Spawn something else instead of a tile; return whether it did."""
        return False

    def after_spawn(self, turn: Turn, slid: BoardSlide) -> None:
        """Change the board after the new tile."""

    def after_tool(self, turn: Turn) -> None:
        """React to a tool's change of the board."""

    def peek(self, turn: Turn) -> bool:
        """Count a peek under the cover; return whether it is allowed."""
        return False

    def tick(self, turn: Turn, elapsed_ms: int) -> bool:
        """Let time pass; return whether that changed anything."""
        return False

    def undone(self, before: State, after: State) -> State | None:
        """Return the state to go back to, given the current one; None refuses."""
        return before

    def cover(self, state: State, view: View, cells: list[CellView], *, peeks: bool) -> View:
        """Add to the visible view; `cells` may be changed."""
        return view

    def goal(self, state: State) -> TrophyGoal | None:
        """Return the pattern to make next."""
        return None


class MinigameRules:
    """The rules of one variant in one mode; its parts are called in their order.

    >>> from minigames.registry import rules_of
    >>> from minigames.state import Action
    >>> rules = rules_of("column_chaos", hard=False)
    >>> state = rules.start(seed=1)
    >>> state, events = rules.play(state, Action("left"))
    >>> state.n_moves, [event.kind for event in events]
    (1, ['slide', 'spawn'])
    """

    def __init__(self, spec: GameSpec, hard: bool, parts: Sequence[type[RulePart]]) -> None:
        self.spec, self.hard, self.numbers = spec, hard, spec.numbers(hard)
        self.parts = tuple(part(self.numbers) for part in parts)
        self._layers = tuple(layer for part in self.parts for layer in part.layers)

    def start(self, seed: int) -> State:
        """Return the beginning of a run; the same seed gives the same run."""
        rng = Rng(seed)
        streams = (rng.next_u64(), rng.next_u64(), rng.next_u64())
        shapes = [shape for part in self.parts if (shape := part.shape(rng))]
        n_columns, terrain = shapes[0] if shapes else (4, (FLOOR,) * 16)
        n = self.numbers.tools
        empty = (0,) * len(terrain)
        turn = Turn(
            State(self.spec.name, self.hard, n_columns, empty, terrain, (n, n, n), streams),
            None,
            self._layers,
        )
        for name in self._layers:
            turn.own[name] = [0] * len(terrain)
        for part in self.parts:
            part.begin(turn)
        for _ in range(FIRST_TILES):
            turn.spawn(turn.empty_cells(self._reserved(turn)))
        for part in self.parts:
            part.started(turn)
        return turn.done()

    def play(self, state: State, action: Action, adversary: Adversary | None = None) -> Outcome:
        """Return the state after an action, and what happened.

        An illegal action returns the same state object and no events, and draws no random number.
        An undo needs the history; see `minigames.run`. Without an adversary Tricky Tiles only has
        random ones.
        """
        turn = Turn(state, adversary, self._layers)
        if action.direction is not None:
            done = not state.over and self._move(turn, action.direction)
            return self._outcome(turn, state, n_moves=1) if done else (state, ())
        if action.kind in TOOLS:
            done = state.over != "time" and use_tool(turn, action, self._reserved(turn))
            if done:
                for part in self.parts:
                    part.after_tool(turn)
        elif action.kind == "peek":
            done = not state.over and any(part.peek(turn) for part in self.parts)
        elif action.kind == "tick":
            done = not state.over and any(part.tick(turn, action.numbers[0]) for part in self.parts)
        else:
            done = False
        return self._outcome(turn, state) if done else (state, ())

    def legal(self, state: State) -> list[int]:
        """Return the directions that change something, in the order LEFT RIGHT UP DOWN."""
        turn = Turn(state, None, self._layers)
        return [direction for direction in DIRECTIONS if self._may_move(turn, direction)]

    def undone(self, before: State, after: State) -> State | None:
        """Return `before` for an undo from `after`, with time and peeks spent; None refuses."""
        state: State | None = None if after.over == "time" else before
        for part in self.parts:
            state = state and part.undone(state, after)
        return state

    def goal(self, state: State) -> TrophyGoal | None:
        return next((goal for part in self.parts if (goal := part.goal(state))), None)

    def view(self, state: State, *, peeks: bool = False) -> View:
        """Return the visible part of a state; `peeks`: the player looks under the cover now."""
        cells, view = plain_view(state)
        for part in self.parts:
            view = part.cover(state, view, cells, peeks=peeks)
        return view.with_cells(cells)

    def tool_cells(self, state: State, tool: str, source: int | None = None) -> list[int]:
        """Return where a tool can be used now, or where a glove can put what is in `source`."""
        cells = range(len(state.tiles))
        if tool == "glove" and source is None:
            if not Turn(state).empty_cells(self._reserved(state)):
                return []
            return [cell for cell in cells if state.tiles[cell] > 0 and state.tools[1]]
        actions = ((c, Action(tool, (c,) if source is None else (source, c))) for c in cells)
        reserved = self._reserved(state)
        return [c for c, action in actions if use_tool(Turn(state), action, reserved)]

    def _move(self, turn: Turn, direction: int) -> bool:
        if not self._may_move(turn, direction):
            return False
        for part in self.parts:
            part.before_slide(turn, direction)
        slid = slide(turn.tiles, turn.terrain, turn.n_columns, direction)
        turn.apply(slid)
        for part in self.parts:
            part.after_slide(turn, slid)
        empty = turn.empty_cells(self._reserved(turn))
        if empty and not any(part.replaces_spawn(turn, empty) for part in self.parts):
            turn.spawn(empty)
        for part in self.parts:
            part.after_spawn(turn, slid)
        assert INERT not in turn.tiles, "what is inert lives within one move"
        if AWARD_FROM <= turn.gain < AWARD_BELOW:
            turn.award(self.numbers.award_percent)
        return True

    def _may_move(self, turn: Turn, direction: int) -> bool:
        if any(part.acts(turn, direction) for part in self.parts):
            return True
        return can_slide(turn.tiles, turn.terrain, turn.n_columns, direction)

    def _outcome(self, turn: Turn, before: State, n_moves: int = 0) -> Outcome:
        if turn.over != "time":
            can_move = any(self._may_move(turn, direction) for direction in DIRECTIONS)
            turn.over = "" if can_move else "stuck"
        if turn.over and turn.over != before.over:
            turn.add_event("over", what=turn.over)
        return turn.done(n_moves=n_moves), tuple(turn.events)

    def _reserved(self, turn: Turn | State) -> tuple[int, ...]:
        return tuple(cell for part in self.parts for cell in part.reserved(turn))
