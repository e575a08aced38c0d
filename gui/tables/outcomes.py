"""The messages when work on a table is done, from the last output of its command."""

from typing import TYPE_CHECKING

from engine.platform.language import sentences, tr, trn
from gui.table_work.requests import ConvertRequest, ImportRequest, RelocateRequest, Request
from gui.text.numbers import format_bytes

if TYPE_CHECKING:
    from gui.table_work.builds import Result
    from tablebase.events import ConvertResult, RelocateResult


def done_text(request: Request, result: "Result | None") -> str:
    from tablebase.events import ConvertResult, RelocateResult

    if isinstance(request, ConvertRequest) and isinstance(result, ConvertResult):
        return _converted_text(request, result)
    if isinstance(request, RelocateRequest) and isinstance(result, RelocateResult):
        return _moved_text(request, result)
    if isinstance(request, ImportRequest):
        return tr("{table} is imported.", table=request.title)
    return tr("{table} is built.", table=request.title)


def _converted_text(request: ConvertRequest, result: "ConvertResult") -> str:
    table = request.title
    if result.was_done:
        return tr("{table} already has these options.", table=table)
    now, before = format_bytes(result.bytes), format_bytes(result.bytes_before)
    sizes = tr("It takes {size} instead of {before}.", size=now, before=before)
    if request.is_copy:
        text = tr("{table} is converted into {folder}.", table=table, folder=request.folder)
    else:
        text = tr("{table} is converted.", table=table)
    return sentences(text, sizes)


def _moved_text(request: RelocateRequest, result: "RelocateResult") -> str:
    table, size = request.title, format_bytes(result.bytes)
    if not result.layers:
        return tr(
            "Nothing to move: the layers of {table} are in {folder} already.",
            table=table,
            folder=result.to,
        )
    if request.is_return:
        return tr(
            "The layers of {table} are back in its own folder ({size}).", table=table, size=size
        )
    return trn(
        "{n} layer of {table} moved to {folder}.",
        "{n} layers of {table} moved to {folder}.",
        result.layers,
        table=table,
        folder=f"{result.to} ({size})",
    )
