"""Quantities as people read them: bytes, counts, spans of time, success rates. ASCII only."""

_NEAR = 1e-5  # closer to 0 or to 1 than this, a percentage no longer shows two digits


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


def span_text(seconds: float, tenths: bool = False) -> str:
    """Return a span of time in the two units that matter; with `tenths` a short one in these.

    Examples
    --------
    >>> [span_text(s) for s in (0.3, 42, 200, 5000, 200_000)]
    ['less than 1 s', '42 s', '3 min 20 s', '1 h 23 min', '2 d 7 h']
    >>> span_text(0.3, tenths=True), span_text(42.2, tenths=True)
    ('0.3 s', '42 s')
    """
    if tenths and seconds < 9.95:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    days, hours = divmod(hours, 24)
    parts = ((days, "d"), (hours, "h"), (minutes, "min"), (rest, "s"))
    first = next((i for i, (amount, _) in enumerate(parts) if amount), None)
    if first is None:
        return "less than 1 s"
    return " ".join(f"{amount} {unit}" for amount, unit in parts[first : first + 2] if amount)


def rate_text(rate: float) -> str:
    """Return a success rate: precise where it matters, short where nothing is left to say.

    It is 0 or 1 only when it is exactly that.

    Examples
    --------
    >>> rate_text(0.99378), rate_text(1 - 3.2e-9), rate_text(0.0), rate_text(4.1e-7)
    ('99.3780 %', '1 - 3.2e-9', '0', '4.1e-7')
    """
    if rate <= 0 or rate >= 1:
        return "0" if rate <= 0 else "1"
    if 1 - rate < _NEAR:
        return f"1 - {scientific(1 - rate)}"
    if rate < _NEAR:
        return scientific(rate)
    return f"{rate * 100:.4f} %"


def scientific(value: float) -> str:
    """Return a number in two digits and a power of ten.

    Examples
    --------
    >>> scientific(3.2e-9)
    '3.2e-9'
    """
    mantissa, exponent = f"{value:.1e}".split("e")
    return f"{mantissa}e{int(exponent)}"


def _scaled(value: float, units: tuple[str, ...]) -> str:
    at = 0
    while value >= 999.5 and at < len(units) - 1:
        value /= 1000
        at += 1
    digits = 0 if at == 0 or value >= 99.95 else 1 if value >= 9.995 else 2
    return f"{value:.{digits}f} {units[at]}"
