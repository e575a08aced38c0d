"""How results look to people: numbers, tables of text, boards side by side. ASCII only."""

from collections.abc import Iterable, Sequence
from itertools import zip_longest

from engine.bitboard import LARGEST_NIBBLE, cells

_PAGE_WIDTH = 100


def bytes_text(n_bytes: float) -> str:
    """Return a size in units of 1000, as disks are sold.

    Examples
    --------
    >>> bytes_text(999), bytes_text(4_120_000)
    ('999 B', '4.12 MB')
    """
    return _scaled(n_bytes, ("B", "KB", "MB", "GB", "TB", "PB"))


def count_text(count: float) -> str:
    """Return a number in three digits.

    Examples
    --------
    >>> count_text(950), count_text(98_500_000)
    ('950', '98.5 M')
    """
    return _scaled(count, ("", "K", "M", "G", "T", "P")).rstrip()


def span_text(seconds: float) -> str:
    """Return a span of time in the two units that matter.

    Examples
    --------
    >>> [span_text(s) for s in (0.3, 42.2, 200, 5000, 200_000)]
    ['0.3 s', '42 s', '3 min 20 s', '1 h 23 min', '2 d 7 h']
    """
    if seconds < 9.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if not minutes:
        return f"{rest} s"
    hours, minutes = divmod(minutes, 60)
    if not hours:
        return f"{minutes} min {rest} s"
    days, hours = divmod(hours, 24)
    return f"{days} d {hours} h" if days else f"{hours} h {minutes} min"


def rate_text(rate: float | None) -> str:
    """Return a success rate with all digits that are stored; "-" for a move that cannot be made."""
    return "-" if rate is None else repr(float(rate))


def percent_text(rate: float) -> str:
    """Return a success rate for reading: never 100 % unless it is exactly that.

    Examples
    --------
    >>> percent_text(0.99378), percent_text(1 - 3.2e-9), percent_text(1.0)
    ('99.3780 %', '1 - 3.2e-09', '100 %')
    """
    if rate >= 1.0:
        return "100 %"
    return f"{100 * rate:.4f} %" if rate < 0.9999995 else f"1 - {1 - rate:.1e}"


def columns(heads: Sequence[str], rows: Iterable[Sequence[str]], right: Sequence[int]) -> str:
    """Return lines of aligned columns; those whose numbers are in `right` end flush."""
    lines = [tuple(heads), *map(tuple, rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    return "\n".join(
        "  ".join(
            cell.rjust(width) if i in right else cell.ljust(width)
            for i, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def small_board(board: int, large: str = "F", empty: str = ".") -> str:
    """Return a board in as few columns as its tiles allow; nibble F is drawn as `large`."""
    names = [
        empty if not e else large if e == LARGEST_NIBBLE else str(1 << e) for e in cells(board)
    ]
    width = max(map(len, names))
    rows = (names[start : start + 4] for start in range(0, 16, 4))
    return "\n".join(" ".join(name.rjust(width) for name in row) for row in rows)


def side_by_side(blocks: Iterable[tuple[str, str]], width: int = _PAGE_WIDTH) -> str:
    """Return (caption, text) blocks next to each other, as many as fit into a line."""
    shelves: list[list[list[str]]] = []
    room = 0
    for caption, text in blocks:
        lines = [caption, *text.splitlines()]
        wide = max(map(len, lines))
        block = [line.ljust(wide) for line in lines]
        if not shelves or room < wide:
            shelves.append([])
            room = width
        shelves[-1].append(block)
        room -= wide + 4
    return "\n\n".join(map(_shelf, shelves))


def _shelf(blocks: list[list[str]]) -> str:
    rows = zip_longest(*blocks, fillvalue="")
    return "\n".join("    ".join(row).rstrip() for row in rows)


def _scaled(value: float, units: Sequence[str]) -> str:
    at = 0
    while value >= 999.5 and at < len(units) - 1:
        value /= 1000
        at += 1
    digits = 0 if at == 0 or value >= 99.95 else 1 if value >= 9.995 else 2
    return f"{value:.{digits}f} {units[at]}"
