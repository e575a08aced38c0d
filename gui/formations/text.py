"""What a drawing means, in sentences. No Qt."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from engine.platform.language import listed, mark, tr
from gui.table_work.table_service import Cost
from gui.text.numbers import format_bytes
from tablebase.formation.goal import Goal, goal_of

if TYPE_CHECKING:
    from tablebase.formation.drawing import Drawing

_SYMMETRIES = {
    "identity": mark("None"),
    "horizontal": mark("Left\u2013right"),
    "diagonal": mark("Diagonal"),
    "rect2x4": mark("Both ways"),
    "full": mark("All eight"),
    "square3x3": mark("All eight (3\u00d73)"),
    "rect3x4": mark("Both ways (3\u00d74)"),
}
MANY_FREE_CELLS = 13


@dataclass(frozen=True)
class DrawingRemark:
    """One result of checking a drawing."""

    kind: str  # info, warning, or bad: then there is no formation
    text: str
    offers_turn: bool = False  # whether turning the drawing solves it


def symmetry_name(mode: str) -> str:
    return tr(_SYMMETRIES[mode])


def remarks(
    drawing: "Drawing",
    faults: Sequence[str],
    name_fault: str,
    cost: Cost | None,
    target: Goal | None,
) -> list[DrawingRemark]:
    """Return the remarks on a drawing, worst first."""
    is_empty = not any(drawing.masks) and not drawing.n_loose
    lines = [DrawingRemark("info" if is_empty else "bad", text) for text in faults]
    lines += [DrawingRemark("bad", name_fault)] if name_fault else []
    if not faults and drawing.better_turn():
        text = tr("Turned, its symmetry would count: smaller tables, faster builds.")
        lines.append(DrawingRemark("info", text, offers_turn=True))
    if cost and target:
        lines += cost_remarks(drawing, cost, target)
    elif not faults and drawing.n_free >= MANY_FREE_CELLS:
        text = tr(
            "{n_free} free cells make large tables. Try a small target first.",
            n_free=drawing.n_free,
        )
        lines.append(DrawingRemark("info", text))
    return lines


def cost_remarks(drawing: "Drawing", cost: Cost, goal: Goal) -> list[DrawingRemark]:
    lines, target = [], goal.words()
    if cost.is_hopeless:
        text = tr(
            "None of its positions can reach {target}. Choose a smaller target or free more cells.",
            target=target,
        )
        return [DrawingRemark("warning", text)]
    if not cost.fits_memory and cost.free_memory_bytes is not None:
        sizes = {
            "n_free": drawing.n_free,
            "target": target,
            "need": format_bytes(cost.memory_bytes),
            "free": format_bytes(cost.free_memory_bytes),
        }
        text = (
            tr(
                "{n_free} free cells and target {target} take {need} of memory, {free} free. The "
                "rest goes to disk, which takes longer.",
                **sizes,
            )
            if cost.boards  # otherwise it needs more than the machine has, and was not examined
            else tr(
                "{n_free} free cells are too many for this machine and target {target}: {need} "
                "of memory, {free} free.",
                **sizes,
            )
        )
        lines.append(DrawingRemark("warning", text))
    if not cost.fits_disk and cost.free_bytes is not None:
        text = tr(
            "The {target} table needs {need} on disk, {free} free.",
            target=target,
            need=format_bytes(cost.n_bytes + cost.scratch_bytes),  # while it is built
            free=format_bytes(cost.free_bytes),
        )
        lines.append(DrawingRemark("warning", text))
    return lines


def tables_text(targets: Sequence[Goal | int]) -> str:
    if not targets:
        return ""
    if len(targets) == 1:
        return tr(
            "Its table for {target} stays as it was built.", target=goal_of(targets[0]).words()
        )
    names = listed(goal_of(target).words() for target in targets)
    return tr(
        "Its {count} tables ({names}) stay as they were built.", count=len(targets), names=names
    )
