"""Full-width letters and digits, as Chinese and Japanese input methods write them."""

_ASCII = {code + 0xFEE0: code for code in range(0x21, 0x7F)} | {0x3000: 0x20}


def half_width(text: str) -> str:
    """Return a text with full-width letters, digits, signs and spaces as ASCII.

    Examples
    --------
    >>> half_width("\uff12\uff10\uff14\uff18\u3000\uff4b")
    '2048 k'
    """
    return text.translate(_ASCII)
