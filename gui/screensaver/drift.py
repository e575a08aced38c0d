"""The position of the board, which drifts slowly to avoid burn-in. No Qt."""

_PX_PER_S = (2.3, 1.7)  # px/s across and down, on a screen of the usual height
_DEFAULT_HEIGHT_PX = 1080


def drift(seconds: float, room: tuple[int, int], height: int) -> tuple[int, int]:
    """Return the offset to the right and down after `seconds`.

    It moves back and forth at constant speed, different across and down, and begins in the middle.

    Parameters
    ----------
    seconds : float
    room : (int, int)
        Maximum offset, in px; 0 if there is no room.
    height : int
        Height of the screen, in px: on a larger one it moves faster.
    """
    scale = height / _DEFAULT_HEIGHT_PX
    x, y = (
        _to_and_fro(length / 2 + seconds * speed * scale, max(0, length))
        for length, speed in zip(room, _PX_PER_S, strict=True)
    )
    return x, y


def _to_and_fro(way: float, length: int) -> int:
    if length == 0:
        return 0
    way %= 2 * length
    return round(way if way <= length else 2 * length - way)
