"""The effect of the build form's button, or why it is disabled."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from engine.platform.language import listed, tr
from engine.spawn import DEFAULT_SPAWN4, is_same_spawn4
from gui.table_work.requests import BuildRequest, rebuild_request
from gui.table_work.table_service import Cost
from gui.text.contents import content_words
from gui.text.messages import sentence
from gui.text.numbers import format_bytes
from tablebase.errors import BuildRefusedError
from tablebase.formation.goal import goal_of

if TYPE_CHECKING:
    from tablebase.library.table_info import TableInfo

MIN_MEMORY = 240_000_000  # the builder says exactly; some formations need more


@dataclass(frozen=True)
class Readiness:
    """The text of the button, a sentence and its tone; without a request it cannot be pressed."""

    button: str
    note: str = ""
    tone: str = ""
    request: BuildRequest | None = None
    # The field that the sentence complains of: folder, scratch, memory_bytes or "".
    at_fault: str = ""
    built: "TableInfo | None" = None  # the very table that would be built, if all of it is there


def readiness(
    request: BuildRequest,
    tables: "Collection[TableInfo]",
    busy: Mapping[Path, str],
    cost: Cost | None,
    problem_of: Callable[[Path], str],
) -> Readiness:
    """Return the effect of pressing the button.

    `busy` says what is being done to tables, and `problem_of` why none can be built in a folder;
    "" also if it isn't checked yet.
    """
    if problem := problem_of(request.folder):
        return Readiness(tr("Build"), sentence(problem), "bad", at_fault="folder")
    if request.scratch and (problem := problem_of(Path(request.scratch))):
        return Readiness(tr("Build"), sentence(problem), "bad", at_fault="scratch")
    if doing := busy.get(request.table):
        return Readiness(tr("Build"), sentence(doing))
    if table := next((t for t in tables if t.path == request.table), None):
        return _with_table(request, table)
    return _without_table(request, bool(busy), cost, tables)


def _with_table(request: BuildRequest, table: "TableInfo") -> Readiness:
    def refuse(text: str) -> Readiness:
        return Readiness(tr("Build"), text, "bad", at_fault="folder")

    own = replace(rebuild_request(table), **request.manner)
    if table.origin:
        return refuse(tr("This folder holds a table of another program. Choose another folder."))
    if table.state == "part":
        return refuse(tr("This folder holds part of a table. Choose another folder."))
    if table.state == "damaged" and not table.rate:
        return refuse(tr("Delete the damaged table in this folder first."))
    if table.state == "damaged":
        text = tr("Some files of this table are damaged. Repairing rebuilds them.")
        return Readiness(tr("Repair"), text, "warning", own)
    if table.state == "partial" and own.content != request.content:
        words = listed(content_words(table)) or tr("the defaults")
        text = tr(
            "Partly built with other options ({words}). Building resumes with those.", words=words
        )
        return Readiness(tr("Resume"), text, "warning", own)
    if table.state == "partial":
        text = tr("Partly built. Building resumes where it stopped.")
        return Readiness(tr("Resume"), text, "", own)
    if own.content != request.content:
        return refuse(
            tr("The table in this folder was built with other options. Choose another folder.")
        )
    if table.state == "away":
        text = tr("Already built, but part of it is on a missing drive.")
        return Readiness(tr("Build"), text, "warning")
    return Readiness(tr("Build"), tr("Already built."), "good", built=table)


def _without_table(
    request: BuildRequest, is_busy: bool, cost: Cost | None, tables: "Collection[TableInfo]"
) -> Readiness:
    button = tr("Add to queue") if is_busy else tr("Build")

    def warn(text: str, tone: str = "warning", at_fault: str = "") -> Readiness:
        return Readiness(button, text, tone, request, at_fault)

    if request.is_limited and 0 < goal_of(request.target).tile <= request.large_from:
        text = tr(
            "The limits count tiles from {tile} up as large, which is not below this target. "
            "Choose a smaller tile, or no limit.",
            tile=request.large_from,
        )
        return Readiness(button, text, "bad")
    if request.then:
        try:
            request.contents.check_chained()
        except BuildRefusedError as error:
            return Readiness(button, sentence(str(error)), "bad")
    if 0 < request.memory_bytes < MIN_MEMORY:
        text = tr(
            "A build needs at least {size} of memory. Raise the limit, or set it to All free.",
            size=format_bytes(MIN_MEMORY),
        )
        return Readiness(button, text, "bad", at_fault="memory_bytes")
    if cost and not cost.fits_scratch:
        text = tr("Not enough space for the working files. Choose another folder for them.")
        return warn(text, "bad", "scratch")
    if cost and not cost.fits_disk:
        text = tr(
            "Not enough space on this drive. Free some, choose another folder, or keep the working "
            "files on another drive."
        )
        return warn(text, "bad")
    if text := _elsewhere(request, tables):
        return warn(text)
    if cost and 0 < request.memory_bytes < cost.memory_bytes:
        return warn(
            tr(
                "Needs {need} of memory. With a limit of {limit} the rest goes "
                "to disk, which takes longer.",
                need=format_bytes(cost.memory_bytes),
                limit=format_bytes(request.memory_bytes),
            )
        )
    if cost and not cost.fits_memory:
        return warn(
            tr("Needs more memory than is free now. The rest goes to disk, which takes longer.")
        )
    if not is_same_spawn4(request.spawn4, DEFAULT_SPAWN4):
        return warn(tr("In standard 2048, 10 % of new tiles are a 4."))
    return Readiness(button, request=request)


def _elsewhere(request: BuildRequest, tables: "Collection[TableInfo]") -> str:
    goal = goal_of(request.target)
    name = request.formation_name
    same = [t for t in tables if not t.origin and t.pattern == name and t.target]
    same = [t for t in same if goal_of(t.target) == goal]
    finished = [table for table in same if table.state in ("complete", "away")]
    for table in finished:
        if rebuild_request(table).content == request.content:
            return tr(
                "You already have this table in {folder}. Building makes another copy.",
                folder=table.path.parent,
            )
    if finished:
        folder = finished[0].path.parent
        return tr("You already have this table with other options in {folder}.", folder=folder)
    if begun := next((table for table in same if table.state == "partial"), None):
        folder = begun.path.parent
        return tr("Partly built in {folder}. Building here starts over.", folder=folder)
    return ""
