"""The formats once more, slowly, from their description alone; nothing of the program is used.

A game is a start (16 exponents) and moves (direction, cell, exponent), directions 0-3 left, right,
up, down as everywhere.
"""

import base64
import binascii

import oracle

LEFT, RIGHT, UP, DOWN = range(4)
SIZES = {
    "4x4": (4, 4, 0),
    "2x4": (2, 4, 1),
    "3x3": (3, 3, 0),
    "3x4": (3, 4, 0),
}  # rows, columns, top
STEP = [1, 3, 12, 48, 192, 768, 3072, 12288]
BASE = [0, 256, 1024, 4096, 16384, 65536, 266734, 1053166]


def boards(start, moves, walls=False, merge_32768=False):
    found, points, board = [list(start)], [], list(start)
    for direction, cell, exponent in moves:
        after, gained = oracle.move(board, direction, walls, merge_32768)
        assert after != board
        assert after[cell] == 0
        after[cell] = exponent
        board = after
        found.append(after)
        points.append(gained)
    return found, points


def number(board):
    return int("".join("0123456789abcdefffff"[exponent] for exponent in board), 16)


def little(value, n_bytes):
    return value.to_bytes(n_bytes, "little")


def rpl(start, moves, rates, final=True, forced=(), **rules):
    """`rates` are four whole numbers a move: left, right, up, down."""
    positions, _ = boards(start, moves, **rules)
    data = b""
    for i, (direction, cell, exponent) in enumerate(moves):
        code = (128 if i in forced else 0) + direction * 32 + cell * 2 + (exponent - 1)
        data += little(number(positions[i]), 8) + little(code, 1)
        data += b"".join(little(rate, 4) for rate in rates[i])
    data += little(number(positions[-1]) if final else 0, 8) + little(88, 1)
    return data + b"".join(little(n, 4) for n in (666666666, 233333333, 314159265, 987654321))


def rec(start, moves, rates):
    board = number(start)
    data = b"\0" + b"".join(little(board // 65536**i % 65536, 4) for i in range(4))
    for (direction, cell, exponent), (left, right, up, down) in zip(moves, rates, strict=True):
        code = {UP: 0, DOWN: 1, LEFT: 2, RIGHT: 3}[direction] + cell * 4 + (exponent - 1) * 64
        data += little(code, 1) + b"".join(little(rate, 4) for rate in (up, down, left, right))
    return data


def history(start, moves, **rules):
    positions, points = boards(start, moves, **rules)
    data = little(number(start), 8) + bytes(5)
    for i, (direction, _, _) in enumerate(moves):
        data += little(number(positions[i + 1]), 8) + little(sum(points[: i + 1]), 4)
        data += little(direction + 1, 1)
    return data


def old_char(value):
    return chr(32 + value) if value < 95 else bytes([0x80 + value - 95]).decode("cp850")


def old(size, start_tiles, moves, start_direction=0):
    _, _, top = SIZES[size]
    text = "replay_" if size == "4x4" else "replay" + size + "_"
    for direction, cell, exponent in [(None, *tile) for tile in start_tiles] + list(moves):
        block = {None: start_direction, UP: 0, RIGHT: 1, DOWN: 2, LEFT: 3}[direction]
        row, column = cell // 4 - top, cell % 4
        text += old_char(block * 32 + (exponent == 2) * 16 + column * 4 + row)
    return text


def new_char(value):
    if value < 62:
        return "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"[value]
    return chr(0xC0 + value - 62) if value < 126 else {126: "¤", 127: "¾"}[value]


def new(size, start_tiles, moves, times=None):
    """`times` are (scale, count) a move; (7, 255) is no time."""
    _, _, top = SIZES[size]
    text = size + "-1_"
    times = [(7, 255)] * 2 + (times or [(7, 255)] * len(moves))
    tiles = [(UP, *tile) for tile in start_tiles] + list(moves)
    for (direction, cell, exponent), (scale, count) in zip(tiles, times, strict=True):
        row, column = cell // 4 - top, cell % 4
        bits = f"{count:08b}{scale:03b}{row:03b}{column:03b}0{int(exponent == 2)}"
        bits += {UP: "00", DOWN: "01", LEFT: "10", RIGHT: "11"}[direction]
        text += "".join(new_char(int(bits[i : i + 7], 2)) for i in (0, 7, 14))
    return text


def leb128(value):
    """Return a number in groups of seven bits, the lowest first."""
    digits = f"{value:b}"
    groups = [digits[max(0, end - 7) : end] for end in range(len(digits), 0, -7)]
    flags = [0x80] * (len(groups) - 1) + [0]
    return bytes(int(group, 2) + flag for group, flag in zip(groups, flags, strict=True))


def rpl1_records(moves, times=None):
    """`moves` in rows and columns of 4; `times` in ms, None for unknown. One record each."""
    for (direction, cell, exponent), ms in zip(moves, times or [0] * len(moves), strict=True):
        code = {UP: 0, RIGHT: 1, DOWN: 2, LEFT: 3}[direction] + 4 * cell + 64 * (exponent - 1)
        yield bytes([code]) + leb128(2**32 - 1 if ms is None else ms)


def rpl1(size, start_tiles, records, extra=b"", flags=0):
    """`records` are bytes; cells of small boards count in their own rows."""
    rows, columns, _ = SIZES[size]
    data = b"RPL1" + bytes([columns + 16 * rows, flags, len(start_tiles)]) + extra
    data += bytes(cell + 16 * (exponent - 1) for cell, exponent in start_tiles)
    data += b"".join(records)
    return data + little(binascii.crc32(data), 4)


def rpl1_text(data):
    return "REPLAY_v1RPL_B64_" + base64.b64encode(data).decode()


def own_cell(size, cell):
    """Return the number of one of our cells on a small board."""
    _, columns, top = SIZES[size]
    return (cell // 4 - top) * columns + cell % 4


def moves_of(replay):
    return [(move.direction, move.cell, move.exponent) for move in replay.moves]
