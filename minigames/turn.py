"""A mutable state that rules and variants work on within one action."""

from collections.abc import Callable, Iterable, Sequence

from engine.spawn import Rng, draw_spawn
from minigames.board import FLOOR, BoardSlide
from minigames.parameters import SPAWN_4_PERCENT
from minigames.state import TOOLS, Event, Own, OwnValues, State

# Places a tile where it hurts most: exponents with an empty cell, after a slide, to
# (cell, exponent). Always the same answer for the same board.
Adversary = Callable[[Sequence[int]], tuple[int, int]]


class Turn(OwnValues):
    """A mutable copy of a state, and the events so far.

    `layers` are the lists in `own` that move along with the tiles.
    """

    def __init__(
        self, state: State, adversary: Adversary | None = None, layers: Sequence[str] = ()
    ) -> None:
        self.state = state
        self.adversary = adversary
        self.n_columns = state.n_columns
        self.tiles: list[int] = list(state.tiles)
        self.terrain = list(state.terrain)
        self.tools = list(state.tools)
        self.spawn_rng, self.world_rng, self.award_rng = map(Rng, state.rng)
        self.best, self.newest = state.best, state.newest
        self.over = state.over
        self.gain = 0
        self.own: Own = {
            name: list(value) if isinstance(value, list) else value
            for name, value in state.own.items()
        }
        self.events: list[Event] = []
        self.passing: dict[str, int] = {}  # notes of a part until the turn is over
        self._layers = layers

    def add_event(
        self, kind: str, cells: Iterable[int] = (), amount: int = 0, what: str = ""
    ) -> None:
        self.events.append(Event(kind, tuple(cells), (), amount, what))

    def empty_cells(self, reserved: Iterable[int] = ()) -> list[int]:
        """Return the empty floor cells that are not reserved, ascending."""
        taken = set(reserved)
        return [
            cell
            for cell, tile in enumerate(self.tiles)
            if tile == 0 and self.terrain[cell] == FLOOR and cell not in taken
        ]

    def put(self, cell: int, tile: int) -> None:
        """Set a new tile; its layers are reset."""
        self.tiles[cell] = tile
        self.best = max(self.best, tile)
        for name in self._layers:
            self.layer(name)[cell] = 0

    def take(self, cell: int) -> None:
        self.put(cell, 0)
        if cell == self.newest:
            self.newest = -1

    def spawn(self, empty: Sequence[int]) -> int | None:
        """Add a random tile; return its cell, or None if there is no room."""
        if not empty:
            return None
        cell, exponent = draw_spawn(empty, self.spawn_rng, SPAWN_4_PERCENT / 100)
        self.place_new(cell, exponent)
        return cell

    def place_new(self, cell: int, tile: int, what: str = "tile") -> None:
        """Add a new tile and record it as the newest."""
        self.put(cell, tile)
        self.newest = cell
        self.add_event("spawn", [cell], what=what)

    def apply(self, slid: BoardSlide, kind: str = "slide") -> None:
        """Apply a slide: tiles, layers, points; merged tiles begin with empty layers."""
        old = {name: self.layer(name) for name in self._layers}
        for name in self._layers:
            self.own[name] = [0] * len(self.tiles)
        for source, stop in slid.trace:
            if stop not in slid.joined:
                for name, layer in old.items():
                    self.layer(name)[stop] = layer[source]
        self.newest = dict(slid.trace).get(self.newest, -1)
        self.tiles = list(slid.tiles)
        self.gain += slid.gain
        self.best = max(self.best, *slid.made.values(), 0)
        cells = tuple(sorted(slid.joined))
        self.events.append(Event(kind, cells, slid.trace, slid.gain))

    def permute(self, pairs: Sequence[tuple[int, int]], kind: str = "permute") -> None:
        """Move the contents of cells (tiles and layers) without sliding; each cell once per
        side."""
        for name in (None, *self._layers):
            layer = self.tiles if name is None else self.layer(name)
            before = list(layer)
            for source, stop in pairs:
                layer[stop] = before[source]
        self.newest = dict(pairs).get(self.newest, self.newest)
        self.events.append(Event(kind, (), tuple(pairs)))

    def chance(self, permille: int) -> bool:
        """Draw whether an event of the variant happens; probability 0 draws no number."""
        return permille > 0 and self.world_rng.below(1000) < permille

    def award(self, percent: int) -> None:
        """Draw whether a tool is won, and which."""
        if self.award_rng.below(100) < percent:
            place = self.award_rng.below(len(TOOLS))
            self.tools[place] += 1
            self.add_event("award", what=TOOLS[place])

    def done(self, *, n_moves: int = 0) -> State:
        bombs, gloves, twists = self.tools
        before = self.state
        return State(
            before.game,
            before.hard,
            self.n_columns,
            tuple(self.tiles),
            tuple(self.terrain),
            (bombs, gloves, twists),
            (self.spawn_rng.state, self.world_rng.state, self.award_rng.state),
            before.score + self.gain,
            before.n_moves + n_moves,
            self.best,
            self.newest,
            self.over,
            self.own,
        )
