"""A game analyzed the slow and obvious way: own rules, own masking and turning, own thresholds.

Of the program it uses `Tablebase.rate_of` (and `rates_of`) alone: the rate of one after-state, and
whether it is known.
"""

import math

GRADES = [
    ("excellent", 0.999),
    ("good", 0.99),
    ("inaccurate", 0.975),
    ("mistake", 0.9),
    ("blunder", 0.75),
    ("disaster", 0.0),
]
LEFT, RIGHT, UP, DOWN = range(4)
F = 15


def rows_of(cells):
    return [list(cells[r * 4 : r * 4 + 4]) for r in range(4)]


def transposed(rows):
    return [list(column) for column in zip(*rows, strict=True)]


def mirrored(rows):
    return [row[::-1] for row in rows]


def slide_row(row, merges_f):
    """Pack to the left; a tile eats its equal neighbor once."""
    out, may_merge = [], False
    for tile in row:
        if tile == 0:
            continue
        if may_merge and out[-1] == tile and (merges_f or tile != F):
            out[-1] += 1
            may_merge = False
        else:
            out.append(tile)
            may_merge = True
    return out + [0] * (4 - len(out))


def slide(rows, direction, merges_f):
    if direction == LEFT:
        return [slide_row(row, merges_f) for row in rows]
    if direction == RIGHT:
        return mirrored(slide(mirrored(rows), LEFT, merges_f))
    return transposed(slide(transposed(rows), LEFT if direction == UP else RIGHT, merges_f))


def turns(rows):
    """The eight views of a board, and which direction of the view each of its directions is."""
    views = []
    view, directions = rows, [LEFT, RIGHT, UP, DOWN]
    for _ in range(4):
        views.append((view, list(directions)))
        flip = {LEFT: RIGHT, RIGHT: LEFT, UP: UP, DOWN: DOWN}
        views.append((mirrored(view), [flip[one] for one in directions]))
        # A quarter turn to the right: what went left goes up, what went up goes right.
        view = [list(row) for row in zip(*view[::-1], strict=True)]
        quarter = {LEFT: UP, UP: RIGHT, RIGHT: DOWN, DOWN: LEFT}
        directions = [quarter[one] for one in directions]
    return views


def number(rows):
    return int("".join(f"{tile:x}" for row in rows for tile in row), 16)


def mask_of(cells, n_large, exponent):
    """The board with its n largest tiles as F, or None where the table does not cover it."""
    ranked = sorted(cells, reverse=True)
    large, others = ranked[:n_large], ranked[n_large:]
    if len(set(large)) < n_large or any(tile < exponent for tile in large):
        return None
    if any(tile >= exponent for tile in others):
        return None
    return [F if tile in large else tile for tile in cells]


def answer_of(table, masked, follows):
    """The four rates of a masked board and its unknown moves; None where there is no answer.

    For a board that `follows` a known move all is known; for another board, what is stored, and all
    if one of its tiles may have appeared on a board that the table knows.
    """
    least, best, found = 4, -1.0, None
    masks = [[i for i in range(16) if mask >> 60 - 4 * i & F] for mask in table.formation.masks]
    for view, directions in turns(rows_of(masked)):
        if not is_inside(view, masks) or not has_layer(table, view):
            continue
        rates, unknown = [None] * 4, []
        is_sure = follows or comes_up(table, view)
        for direction in range(4):
            after = slide(view, directions[direction], False)
            if after != view and is_inside(after, masks):
                rates[direction] = table.rate_of(number(after), comes_up=is_sure)
                if rates[direction] is None:
                    unknown.append(direction)
        top = max((rate for rate in rates if rate is not None), default=-0.5)
        if (len(unknown), -top) < (least, -best):
            least, best, found = len(unknown), top, (rates, unknown)
    return found


def comes_up(table, rows):
    """Whether the table knows one of the boards that the position may have been before its tile."""
    cells = [tile for row in rows for tile in row]
    befores = [
        number(rows_of([*cells[:i], 0, *cells[i + 1 :]]))
        for i, tile in enumerate(cells)
        if tile in (1, 2)
    ]
    return any(rate is not None for rate in table.rates_of(befores))


def is_inside(rows, masks):
    flat = [tile for row in rows for tile in row]
    return not masks or any(all(flat[i] == F for i in mask) for mask in masks)


def has_layer(table, rows):
    total = sum(1 << tile for row in rows for tile in row if tile not in (0, F))
    seed = sum(1 << int(d, 16) for d in f"{table.formation.seeds[0]:016x}" if d not in "0f")
    return 0 <= (total - seed) // 2 < table.n_layers


def grade_of(rates, direction):
    """(grade, ratio), or None where nothing can be judged."""
    best = max(rate for rate in rates if rate is not None)
    rate = rates[direction]
    if rate is None or best <= 0:
        return None
    if rate > 0 and best - rate <= max(3e-10 * best, 1.01 / 4e9):
        return "perfect", 1.0
    ratio = rate / best
    if rate > 0 and best - rate <= min(1e-5, 1e-3 * best):
        return "perfect", ratio  # as good, yet it counts in the product
    return next(grade for grade, least in GRADES if ratio >= least), ratio


def analyze(start, moves, table):
    """The segments of a game, as dictionaries.

    `moves` are (direction, cell, exponent). Of each segment: the number of moves made before it,
    its rates, its grades (None where not judged), the sum of luck in logarithms, the last rate that
    is known, and why it ended.
    """
    exponent = table.target.bit_length() - 1
    positions, cells = [list(start)], list(start)
    for direction, cell, tile in moves:
        after = [tile for row in slide(rows_of(cells), direction, True) for tile in row]
        assert after != cells
        assert after[cell] == 0
        after[cell] = tile
        cells = after
        positions.append(cells)
    segments, current = [], None
    for i, cells in enumerate(positions):
        masked = mask_of(cells, table.n_large, exponent)
        answer = answer_of(table, masked, bool(current)) if masked else None
        rates, unknown = answer or (None, [])
        large_sum = sum(sorted((1 << tile for tile in cells), reverse=True)[: table.n_large])
        best = max((rate for rate in rates or () if rate is not None), default=0.0)
        if current and (rates is None or large_sum != current["large_sum"]):
            made = masked is None
            last = current["rates"][-1][moves[i - 1][0]]
            end = "OUTSIDE" if not made else "REACHED" if last == 1.0 else "ELSEWHERE"
            segments.append({**current, "end": end})
            current = None
        if rates is None or (current is None and (best <= 0 or (unknown and best < 1.0))):
            continue
        if current is None:
            current = {"first": i, "large_sum": large_sum, "rates": []}
        current["rates"].append(rates)
        left = i < len(moves) and rates[moves[i][0]] is None
        if best <= 0 or left or i == len(moves):
            end = "LOST" if best <= 0 else "LEFT" if left else "RECORD"
            segments.append({**current, "end": end})
            current = None
    assert current is None
    return [finished(segment, moves) for segment in segments]


def finished(segment, moves):
    rates, first = segment["rates"], segment["first"]
    bests = [max((one for one in four if one is not None), default=0.0) for four in rates]
    played = [moves[first + i][0] for i in range(len(rates)) if first + i < len(moves)]
    grades = [grade_of(rates[i], played[i]) if bests[i] > 0 else None for i in range(len(played))]
    known = list(bests) + ([1.0] if segment["end"] == "REACHED" else [])
    luck = 0.0
    for i in range(len(known) - 1):
        rate = rates[i][played[i]]
        if known[i + 1] > 0 and rate > 0:
            luck += math.log(known[i + 1] / rate)
    return {
        "first": first,
        "end": segment["end"],
        "rates": rates,
        "grades": grades,
        "luck": luck,
        "last": known[-1],
    }
