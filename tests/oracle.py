"""The rules on plain lists: slow, obvious, and never importing the program.

A board is a list of 16 exponents, row by row from the top left: 0 is empty, 3 the tile 8, 15 the
tile 32768, or a wall where `walls` is true.
"""

LEFT, RIGHT, UP, DOWN = range(4)
WALL = 15


def slide_row_left(row, walls=False, merge_32768=False):
    if walls and WALL in row:
        at = row.index(WALL)
        before, points_before = slide_row_left(row[:at], walls)
        after, points_after = slide_row_left(row[at + 1 :], walls)
        return [*before, WALL, *after], points_before + points_after
    tiles = [tile for tile in row if tile != 0]
    out, points = [], 0
    while tiles:
        tile = tiles.pop(0)
        if tiles and tiles[0] == tile and (tile != 15 or merge_32768):
            tiles.pop(0)
            tile += 1
            points += 2**tile
        out.append(tile)
    return out + [0] * (len(row) - len(out)), points


def slide_row_right(row, walls=False, merge_32768=False):
    out, points = slide_row_left(row[::-1], walls, merge_32768)
    return out[::-1], points


def rows(board):
    return [board[0:4], board[4:8], board[8:12], board[12:16]]


def transposed(board):
    return [board[4 * column + row] for row in range(4) for column in range(4)]


def move(board, direction, walls=False, merge_32768=False):
    if direction in (UP, DOWN):
        sideways = LEFT if direction == UP else RIGHT
        out, points = move(transposed(board), sideways, walls, merge_32768)
        return transposed(out), points
    slide = slide_row_left if direction == LEFT else slide_row_right
    slid = [slide(row, walls, merge_32768) for row in rows(board)]
    return [tile for row, _ in slid for tile in row], sum(points for _, points in slid)


def _mirrored(square):
    return [row[::-1] for row in square]


def _flipped(square):
    return square[::-1]


def _transposed(square):
    return [list(column) for column in zip(*square, strict=True)]


SYMMETRIES = {
    "identity": lambda square: square,
    "mirror": _mirrored,
    "flip": _flipped,
    "transpose": _transposed,
    "anti_transpose": lambda square: _mirrored(_flipped(_transposed(square))),
    "rotate_180": lambda square: _mirrored(_flipped(square)),
    "rotate_left": lambda square: _flipped(_transposed(square)),
    "rotate_right": lambda square: _mirrored(_transposed(square)),
}
"""On a list of rows, square where the symmetry turns it."""

# Which symmetries each mode allows, and the window (height, width, top row) that they act upon.
MODES = {
    "identity": (["identity"], (4, 4, 0)),
    "horizontal": (["identity", "mirror"], (4, 4, 0)),
    "diagonal": (["identity", "transpose"], (4, 4, 0)),
    "full": (list(SYMMETRIES), (4, 4, 0)),
    "rect2x4": (["identity", "mirror", "flip", "rotate_180"], (4, 4, 0)),
    "square3x3": (list(SYMMETRIES), (3, 3, 0)),
}


def transform(board, name, window=(4, 4, 0)):
    """Return the board with one symmetry applied to a window of it; the rest stays."""
    height, width, top = window
    square = [rows(board)[top + r][:width] for r in range(height)]
    turned = SYMMETRIES[name](square)
    out = list(board)
    for r in range(height):
        for c in range(width):
            out[4 * (top + r) + c] = turned[r][c]
    return out


def images(board, mode):
    if mode == "rect3x4":  # rows 0 to 2 upside down, and all four rows mirrored
        half = [board, transform(board, "flip", (3, 4, 0))]
        return half + [transform(image, "mirror") for image in half]
    names, window = MODES[mode]
    return [transform(board, name, window) for name in names]


def canonical(board, mode):
    return min(images(board, mode))


def spawns(board, spawn4=0.1):
    """Return (board, probability) for every tile that can appear."""
    empty = [cell for cell in range(16) if board[cell] == 0]
    outcomes = []
    for cell in empty:
        for exponent, probability in ((1, 1 - spawn4), (2, spawn4)):
            after = list(board)
            after[cell] = exponent
            outcomes.append((after, probability / len(empty)))
    return outcomes


def tile_sum(board):
    return sum(2**tile for tile in board if tile != 0)


def is_over(board, walls=False):
    return all(move(board, direction, walls)[0] == board for direction in range(4))
