"""Quantities as people read them: bytes, counts, spans of time. No Qt."""

_BYTE_UNITS = ("B", "KB", "MB", "GB", "TB")
_COUNT_UNITS = ("", " K", " M", " G", " T")
NBSP = "\u00a0"


def format_bytes(n_bytes: float) -> str:
    """Return a size in units of 1000, as disks are sold.

    Examples
    --------
    >>> format_bytes(999).replace(NBSP, " "), format_bytes(4_120_000).replace(NBSP, " ")
    ('999 B', '4.12 MB')
    """
    return _scaled(n_bytes, [NBSP + unit for unit in _BYTE_UNITS])


def format_count(count: float) -> str:
    """Return a number in three digits.

    Examples
    --------
    >>> format_count(950), format_count(98_500_000).replace(NBSP, " ")
    ('950', '98.5 M')
    """
    return _scaled(count, [unit.replace(" ", NBSP) for unit in _COUNT_UNITS])


def format_seconds(seconds: float) -> str:
    """Return a span of time in the two units that matter.

    Examples
    --------
    >>> [format_seconds(s).replace(NBSP, " ") for s in (0.3, 42, 200, 5000, 200_000)]
    ['less than 1 s', '42 s', '3 min 20 s', '1 h 23 min', '2 d 8 h']
    """
    whole = round(seconds)
    if whole < 1:
        return f"less than 1{NBSP}s"
    for size, unit, small, small_unit in (
        (86400, "d", 3600, "h"),
        (3600, "h", 60, "min"),
        (60, "min", 1, "s"),
    ):
        if whole >= size:
            rest = whole % size // small
            tail = f" {rest}{NBSP}{small_unit}" if rest else ""
            return f"{whole // size}{NBSP}{unit}{tail}"
    return f"{whole}{NBSP}s"


def format_percent(share: float) -> str:
    """Return a share in [0, 1] as a whole percentage; 100 % only when it is really all."""
    percent = 100 if share >= 1 else min(99, int(share * 100))
    return f"{percent}{NBSP}%"


def format_table(pattern: str, target: int) -> str:
    """Return a table's name as people read it."""
    return f"{pattern} \u2192 {target}"


def _scaled(value: float, units: list[str]) -> str:
    index = 0
    while value >= 999.5 and index < len(units) - 1:
        value /= 1000
        index += 1
    if index == 0:
        return f"{value:.0f}{units[0]}"
    digits = 2 if value < 9.995 else 1 if value < 99.95 else 0
    return f"{value:.{digits}f}{units[index]}"
