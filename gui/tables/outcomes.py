"""The messages when work on a table is done, from the last output of its command."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from engine.platform.language import sentences, tr, trn
from gui.table_work.build_request import ImportRequest, Request
from gui.table_work.change_request import ConvertRequest, RelocateRequest
from gui.text.numbers import format_bytes


def done_text(request: Request, result: Mapping[str, Any]) -> str:
    """Return a sentence on the result of the work.

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
    if isinstance(request, ImportRequest):
        return tr("{table} is imported.", table=request.title)
    return tr("{table} is built.", table=request.title)


def _converted_text(request: ConvertRequest, result: Mapping[str, Any]) -> str:
    table = request.title
    if result.get("was_done"):
        return tr("{table} is like that already.", table=table)
    now, before = result.get("bytes"), result.get("bytes_before")
    sizes = ""
    if isinstance(now, int) and isinstance(before, int):
        now_text, before_text = format_bytes(now), format_bytes(before)
        sizes = tr("It takes {size} instead of {before}.", size=now_text, before=before_text)
    if request.is_copy:
        text = tr("{table} is converted into {folder}.", table=table, folder=request.folder)
    else:
        text = tr("{table} is converted.", table=table)
    return sentences(text, sizes)


def _moved_text(request: RelocateRequest, result: Mapping[str, Any]) -> str:
    layers, n_bytes = result.get("layers"), result.get("bytes")
    table, to = request.title, Path(str(result.get("to") or request.to))
    if layers == 0:
        return tr(
            "Nothing to move: the layers of {table} are in {folder} already.",
            table=table,
            folder=to,
        )
    size = format_bytes(n_bytes) if isinstance(n_bytes, int) else ""
    if request.is_return and size:
        return tr(
            "The layers of {table} are back in its own folder ({size}).", table=table, size=size
        )
    if request.is_return:
        return tr("The layers of {table} are back in its own folder.", table=table)
    where = f"{to} ({size})" if size else str(to)
    if not isinstance(layers, int):
        return tr("The layers of {table} moved to {folder}.", table=table, folder=where)
    return trn(
        "{n} layer of {table} moved to {folder}.",
        "{n} layers of {table} moved to {folder}.",
        layers,
        table=table,
        folder=where,
    )
