"""What to say when work on a table is done, from what its command said last."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gui.core.build_request import Request
from gui.core.change_request import ConvertRequest, RelocateRequest
from gui.text.numbers import format_bytes


def done_text(request: Request, result: Mapping[str, Any]) -> str:
    """Return one sentence: what became of the table.

    Parameters
    ----------
    request : Request
    result : mapping
        The last line of the command; what is missing in it is not told.
    """
    if isinstance(request, ConvertRequest):
        return _converted_text(request, result)
    if isinstance(request, RelocateRequest):
        return _moved_text(request, result)
    return f"{request.title} is {request.done}."


def _converted_text(request: ConvertRequest, result: Mapping[str, Any]) -> str:
    if result.get("was_done"):
        return f"{request.title} is like that already."
    now, before = result.get("bytes"), result.get("bytes_before")
    sizes = ""
    if isinstance(now, int) and isinstance(before, int):
        sizes = f" It takes {format_bytes(now)} instead of {format_bytes(before)}."
    where = f" into {request.folder}" if request.is_copy else ""
    return f"{request.title} is converted{where}.{sizes}"


def _moved_text(request: RelocateRequest, result: Mapping[str, Any]) -> str:
    layers, n_bytes = result.get("layers"), result.get("bytes")
    to = Path(str(result.get("to") or request.to))
    if layers == 0:
        return f"Nothing to move: the layers of {request.title} are in {to} already."
    size = f" ({format_bytes(n_bytes)})" if isinstance(n_bytes, int) else ""
    if request.is_return:
        return f"The layers of {request.title} are back in its own folder{size}."
    count = f"{layers} layers" if layers != 1 else "1 layer"
    what = count if isinstance(layers, int) else "The layers"
    return f"{what} of {request.title} moved to {to}{size}."
