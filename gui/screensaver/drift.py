"""Where the board is: it wanders slowly through its room, so that no screen burns in. No Qt."""

_PX_PER_S = (2.3, 1.7)  # across and down, on a screen of the usual height
_USUAL_HEIGHT_PX = 1080


def drift(seconds: float, room: tuple[int, int], height: int) -> tuple[int, int]:
    """Return how far right and down something is after so many seconds.

    It goes to and fro at constant speed, across and down at different ones, and begins in the
    middle.

    Parameters
    ----------
    seconds : float
    room : (int, int)
        How far it may go, in px; 0 where there is no room.
    height : int
        Of the screen, in px: on a larger one it goes faster.
    """
    scale = height / _USUAL_HEIGHT_PX
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
