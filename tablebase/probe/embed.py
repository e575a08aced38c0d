"""How a player's board fits a formation: its large tiles as F, and the board turned."""

from collections.abc import Callable, Iterator
from itertools import combinations

from engine.geometry import Destination, permute, square_destination
from engine.moves import move
from engine.platform.language import tr
from tablebase.formation.formation import Formation, half_sum
from tablebase.formation.goal import Goal

# Turned before mirrored, as players do.
_ORIENTATIONS = [
    square_destination(name)
    for name in (
        "identity", "rotate_left", "rotate_180", "rotate_right",
        "mirror", "anti_transpose", "flip", "transpose",
    )
]  # fmt: skip
_AS_IT_STANDS = _ORIENTATIONS[0]
_LOWEST_BITS = 0x1111_1111_1111_1111


class Embedding:
    """Fits boards into the formation of a table; `stored_form` represents images there."""

    def __init__(
        self,
        formation: Formation,
        goal: Goal,
        n_layers: int,
        is_inside: Callable[[int], bool],
        stored_form: Callable[[int], int],
    ) -> None:
        self._formation, self._goal, self._n_layers = formation, goal, n_layers
        self._is_inside, self._stored_form = is_inside, stored_form
        # In a game large tiles stay where they are, so caching saves most of the work.
        self._turns: dict[int, list[Destination]] = {}
        self._asked_for: dict[tuple[int, ...], tuple[int, ...]] = {}

    def ways(self, board: int) -> Iterator[tuple[int, Destination]]:
        """Yield the board with its large tiles as F, and a way to turn it into the formation.

        The large tiles must be the largest of the board, and so large that no small one becomes
        like them before the goal is reached. Only one of several turns that lead to the same
        position is yielded. A board that fits as it stands is not turned into another game.
        """
        formation = self._formation
        n = formation.n_large
        tiles = [(board >> shift) & 15 for shift in range(0, 64, 4)]
        ranked = sorted(tiles, reverse=True)
        if ranked[n:][:1] == [15]:
            return  # one large tile more than the formation has
        if n and ranked[n - 1] < (15 if formation.walls else self._goal.least_large):
            return
        choices = [(masked, self.turns(masked)) for masked in _masked(board, tiles, ranked[:n])]
        as_it_stands = [(masked, turns) for masked, turns in choices if _AS_IT_STANDS in turns]
        for masked, turns in as_it_stands or choices:
            if len(turns) == 1:
                yield masked, turns[0]
                continue
            seen = set()
            for destination in turns:
                stored = self._stored_form(permute(masked, destination))
                if stored not in seen:
                    seen.add(stored)
                    yield masked, destination

    def turns(self, masked: int) -> list[Destination]:
        """Return the ways to turn a board whose large tiles are F into the formation: destinations.

        They depend only on the cells of its F tiles. If it fits as it stands, turns with other
        requirements are left out: the mirror image of a board is another position where the target
        counts on one side only.
        """
        ones = masked & masked >> 1
        f_cells = (ones & ones >> 2 & _LOWEST_BITS) * 15
        if f_cells not in self._turns:
            turns = [
                orientation
                for orientation in _ORIENTATIONS
                if self._is_inside(permute(f_cells, orientation))
            ]
            if _AS_IT_STANDS in turns:
                asked = self.asked_for(_AS_IT_STANDS)
                turns = [turn for turn in turns if self.asked_for(turn) == asked]
            self._turns[f_cells] = turns
        return self._turns[f_cells]

    def layer_of(self, masked: int) -> int | None:
        """When the goal is a sum, boards beyond the last layer count as in the last layer."""
        half = half_sum(masked)
        layer = half - self._formation.seed_half_sum
        if self._goal.is_reached_by(half):
            layer = self._n_layers - 1
        return layer if 0 <= layer < self._n_layers else None

    def afters(self, masked: int, destination: Destination) -> dict[int, int]:
        afters = {}
        for direction in range(4):
            after = move(masked, direction, self._formation.walls)
            turned = permute(after, destination)
            if after != masked and self._is_inside(turned):
                afters[direction] = turned
        return afters

    def asked_for(self, destination: Destination) -> tuple[int, ...]:
        """Return the formation's requirements as seen on the player's board, for a way to turn it.

        They are the cells where the target counts and where the large tiles may be. Ways to fit a
        board that have the same requirements give it the same success rate.
        """
        if destination not in self._asked_for:
            back = tuple(destination.index(cell) for cell in range(16))
            masks = sorted(permute(mask, back) for mask in self._formation.masks)
            self._asked_for[destination] = (permute(self._formation.target_cells, back), *masks)
        return self._asked_for[destination]

    def why_not(self, board: int) -> str:
        why = tr("this board doesn't fit the formation, however you turn it")
        for masked, _ in self.ways(board):
            first, last = self._formation.seed_half_sum, self._n_layers - 1
            why = tr(
                "its tiles other than F add up to {sum}, the table covers {least} to {most}",
                sum=2 * half_sum(masked),
                least=2 * first,
                most=2 * (first + last),
            )
        return why


def _masked(board: int, tiles: list[int], largest: list[int]) -> Iterator[int]:
    """Yield the board with its largest tiles as F; several if only some of equal tiles become F."""
    if not largest or largest[-1] == 15:  # they are F already
        yield board
        return
    sure = [i for i, tile in enumerate(tiles) if tile > largest[-1]]
    equal = [i for i, tile in enumerate(tiles) if tile == largest[-1]]
    for some in combinations(equal, len(largest) - len(sure)):
        yield board | sum(15 << 4 * i for i in (*sure, *some))
