"""Solve a formation by brute force, from the rules alone: the oracle of every table test.

Nothing here comes from the program: a board is a Python int of 16 nibbles (cell 0 = top left =
highest nibble), a layer is a dictionary, a rate is a float. The recursion is the definition:

* a board is *inside* when all cells of at least one mask hold F (or there are no masks);
* an after-state has *reached* the target when a target cell holds exactly that tile;
* layer 0 holds the seeds; every board of layer i that has not reached the target gets each spawn
  (a 2 leads to layer i + 1, a 4 to layer i + 2), then each legal move whose result is inside;
* the last two layers are never expanded: what has not reached the target there has rate 0;
* with limits, an after-state beyond them, from layer 2 on, is not expanded either and has rate 0,
  unless it has reached the target;
* the rate of an after-state is the mean over its empty cells of
  ``(1 - spawn4) * best(board + 2) + spawn4 * best(board + 4)``, best being the greatest rate that
  a move leads to, 0 when there is none.

Speed comes from tables of lines and of images (a board's image is the union of its rows' images),
filled from the plain-list rules below, and from expanding every spawned board once.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

WALL = 15
Image = tuple[list[int], list[int], list[int], list[int]]


@dataclass(frozen=True)
class Rules:
    """What the recursion depends on; plain values, as in the formations' data."""

    masks: tuple[int, ...]
    target_cells: int
    symmetry: str
    seeds: tuple[int, ...]
    extra_steps: int
    walls: bool
    target: int
    spawn4: float = 0.1
    raw_one: int | None = None  # store floor(rate * raw_one) after every layer, as the reference
    most_equal: int = 0  # 0: no limit
    small_sum: int = 0  # the same
    large_from: int = 64

    @property
    def n_layers(self) -> int:
        return self.target // 2 + self.extra_steps


@dataclass
class Solution:
    """Per layer: every canonical after-state generated, with its rate; 1 if reached, as a rule."""

    rates: list[dict[int, float]]
    reached: list[set[int]]

    def stored(self, layer: int) -> dict[int, float]:
        """The boards of a layer that a table may keep: not reached, rate above zero."""
        reached = self.reached[layer]
        return {b: r for b, r in self.rates[layer].items() if r > 0 and b not in reached}


def cells_of(board: int) -> list[int]:
    return [(board >> (60 - 4 * cell)) & 15 for cell in range(16)]


def board_of(cells: list[int]) -> int:
    board = 0
    for value in cells:
        board = board << 4 | value
    return board


def slide_line(line: list[int], walls: bool) -> list[int]:
    """Slide towards the front; equal neighbors merge once; two F never merge; a wall stays."""
    if walls and WALL in line:
        at = line.index(WALL)
        return [*slide_line(line[:at], walls), WALL, *slide_line(line[at + 1 :], walls)]
    out: list[int] = []
    can_merge = False
    for tile in line:
        if tile == 0:
            continue
        if can_merge and out[-1] == tile and tile != WALL:
            out[-1] += 1
            can_merge = False
        else:
            out.append(tile)
            can_merge = True
    return out + [0] * (len(line) - len(out))


def _window(n_rows: int, n_columns: int) -> list[list[int]]:
    """Return the symmetries of the top left window: for each, which cell comes to each cell."""
    same = [[4 * row + column for column in range(n_columns)] for row in range(n_rows)]
    turned = [list(column) for column in zip(*same, strict=True)]
    windows = []
    for window in [same, turned] if n_rows == n_columns else [same]:
        for flipped in (window, window[::-1]):
            windows += [flipped, [row[::-1] for row in flipped]]
    images = []
    for window in windows:
        image = list(range(16))
        for row, sources in enumerate(window):
            image[4 * row : 4 * row + n_columns] = sources
        images.append(image)
    return images


_SAME = list(range(16))
_MIRROR = [4 * (cell // 4) + 3 - cell % 4 for cell in range(16)]
_TRANSPOSE = [4 * (cell % 4) + cell // 4 for cell in range(16)]
SOURCES = {
    "identity": [_SAME],
    "horizontal": [_SAME, _MIRROR],
    "diagonal": [_SAME, _TRANSPOSE],
    "full": _window(4, 4),
    "rect2x4": _window(4, 4)[:4],  # it lies in the two middle rows: the square without its turns
    "square3x3": _window(3, 3),
    "rect3x4": _window(3, 4),
}


def image_tables(sources: list[int]) -> Image:
    """Return four lists of 65,536: what row 0, 1, 2, 3 contributes to the image of a board."""
    goes_to = [sources.index(cell) for cell in range(16)]
    tables = []
    for row in range(4):
        shifts = [60 - 4 * goes_to[4 * row + column] for column in range(4)]
        a, b, c, d = ([tile << shift for tile in range(16)] for shift in shifts)
        tables.append([w | x | y | z for w in a for x in b for y in c for z in d])
    return tables[0], tables[1], tables[2], tables[3]


@cache
def images_of(symmetry: str) -> list[Image]:
    """Return the tables of each image of a board; the first image is the board itself."""
    return [image_tables(sources) for sources in SOURCES[symmetry]]


@cache
def line_tables(walls: bool) -> tuple[list[int], list[int]]:
    """Return each 16-bit row slid to the left, and to the right."""
    left, right = [], []
    for row in range(1 << 16):
        line = [row >> 12, row >> 8 & 15, row >> 4 & 15, row & 15]
        left.append(board_of(slide_line(line, walls)))
        right.append(board_of(slide_line(line[::-1], walls)[::-1]))
    return left, right


@dataclass
class Moves:
    """The moves of a formation; called with a board: those that count, as canonical boards."""

    rules: Rules
    left: Image = field(init=False)
    right: Image = field(init=False)
    up: Image = field(init=False)
    down: Image = field(init=False)

    def __post_init__(self) -> None:
        rows, columns = images_of("diagonal")
        left, right = line_tables(self.rules.walls)
        # a board is taken apart by rows; or transposed, taken apart, and put back into columns
        self.left, self.right, self.up, self.down = (
            tuple([part[to] for to in slide] for part in parts)  # type: ignore[misc]
            for parts in (rows, columns)
            for slide in (left, right)
        )
        self._transpose = columns
        self._images = images_of(self.rules.symmetry)[1:]

    def canonical(self, board: int) -> int:
        """Return the numerically least image of `board`."""
        r0, r1, r2, r3 = board >> 48, board >> 32 & 65535, board >> 16 & 65535, board & 65535
        least = board
        for t0, t1, t2, t3 in self._images:
            image = t0[r0] | t1[r1] | t2[r2] | t3[r3]
            if image < least:
                least = image
        return least

    def slides(self, board: int) -> list[int]:
        """Return `board` slid to the left, right, up, down; unchanged if nothing moves."""
        r0, r1, r2, r3 = board >> 48, board >> 32 & 65535, board >> 16 & 65535, board & 65535
        t0, t1, t2, t3 = self._transpose
        turned = t0[r0] | t1[r1] | t2[r2] | t3[r3]
        c0, c1, c2, c3 = turned >> 48, turned >> 32 & 65535, turned >> 16 & 65535, turned & 65535
        moved = [t[0][r0] | t[1][r1] | t[2][r2] | t[3][r3] for t in (self.left, self.right)]
        return moved + [t[0][c0] | t[1][c1] | t[2][c2] | t[3][c3] for t in (self.up, self.down)]

    def is_inside(self, board: int) -> bool:
        masks = self.rules.masks
        return not masks or any(board & mask == mask for mask in masks)

    def __call__(self, board: int) -> set[int]:
        moved = set(self.slides(board))
        moved.discard(board)  # a move that changes nothing is not legal
        return {self.canonical(after) for after in moved if self.is_inside(after)}


def spawned_boards(board: int, tile: int) -> list[int]:
    """Return `board` with `tile` (an exponent) in each of its empty cells."""
    return [board | tile << shift for shift in range(0, 64, 4) if not board >> shift & 15]


def has_reached(rules: Rules, board: int) -> bool:
    exponent = rules.target.bit_length() - 1
    cells = (60 - 4 * i for i, cell in enumerate(cells_of(rules.target_cells)) if cell)
    return any(board >> shift & 15 == exponent for shift in cells)


def is_beyond(rules: Rules, board: int) -> bool:
    """Return whether a board holds too many equal large tiles, or too much beside large ones."""
    tiles = [2**value for value in cells_of(board) if value not in (0, WALL)]
    large = [tile for tile in tiles if tile >= rules.large_from]
    too_many = rules.most_equal and any(large.count(tile) > rules.most_equal for tile in large)
    too_much = rules.small_sum and large and sum(tiles) - sum(large) > rules.small_sum
    return bool(too_many or too_much)


def is_end(rules: Rules, layer: int, board: int) -> bool:
    """Return whether limits exclude a board from being expanded."""
    return layer >= 2 and is_beyond(rules, board)


def expand(rules: Rules, moves: Moves) -> list[set[int]]:
    """Return every layer's canonical after-states, reached ones included."""
    n = rules.n_layers
    layers: list[set[int]] = [set() for _ in range(n)]
    spawned: list[set[int]] = [set() for _ in range(n)]
    layers[0] = {moves.canonical(seed) for seed in rules.seeds}
    for i in range(n):
        for pre in spawned[i]:
            layers[i] |= moves(pre)
        spawned[i] = set()
        if i < n - 2:
            for board in layers[i]:
                if not has_reached(rules, board) and not is_end(rules, i, board):
                    spawned[i + 1].update(spawned_boards(board, 1))
                    spawned[i + 2].update(spawned_boards(board, 2))
    return layers


def solve(rules: Rules, rate_of_reached: Callable[[int], float] = lambda _: 1.0) -> Solution:
    """Return the rate of every after-state that the formation's seeds lead to."""
    moves = Moves(rules)
    layers = expand(rules, moves)
    reached = [{b for b in layer if has_reached(rules, b)} for layer in layers]
    rates: list[dict[int, float]] = [{} for _ in layers]
    best: list[dict[int, float]] = [{} for _ in layers]  # of spawned boards, computed once each

    def best_of(layer: int, pre: int) -> float:
        known = best[layer]
        if pre not in known:
            known[pre] = max((rates[layer][after] for after in moves(pre)), default=0.0)
        return known[pre]

    for i in reversed(range(rules.n_layers)):
        for board in layers[i]:
            if board in reached[i]:
                rates[i][board] = rate_of_reached(board)
            elif i >= rules.n_layers - 2 or is_end(rules, i, board):
                rates[i][board] = 0.0
            else:
                twos, fours = spawned_boards(board, 1), spawned_boards(board, 2)
                total = 0.0  # not `sum`, which rounds less from Python 3.12 on
                for two, four in zip(twos, fours, strict=True):
                    best_two, best_four = best_of(i + 1, two), best_of(i + 2, four)
                    total += (1 - rules.spawn4) * best_two + rules.spawn4 * best_four
                rates[i][board] = _as_stored(rules, total / len(twos)) if twos else 0.0
        if i + 2 < rules.n_layers:
            best[i + 2] = {}
    return Solution(rates, reached)


def _as_stored(rules: Rules, rate: float) -> float:
    return rate if rules.raw_one is None else int(rate * rules.raw_one) / rules.raw_one
