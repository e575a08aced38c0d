"""Building a table as commands do: with progress, and a result as JSON and in words."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.platform.cli.console import Output, note
from engine.platform.cli.control import CancelSwitch
from engine.platform.cli.status_line import StatusLine, bar
from engine.platform.language import tr
from engine.platform.quantities import bytes_text, count_text, span_text
from tablebase.library.build_report import reported, rounded

if TYPE_CHECKING:
    from tablebase.build.builder import Spread
    from tablebase.build.progress import BuildResult
    from tablebase.events import BuildDone
    from tablebase.formation.formation import Formation
    from tablebase.formation.goal import Goal
    from tablebase.plan.exact_count import Watch
    from tablebase.plan.known_costs import StoredCounts

_logger = logging.getLogger(__name__)


def build_table(
    formation: "Formation",
    target: "Goal | int",
    parent: Path,
    output: Output,
    switch: CancelSwitch,
    *,
    spread: "Spread | None" = None,
    store: "StoredCounts | None" = None,
    **options: Any,
) -> "BuildResult":
    """BuildCancelledError is also raised if nobody reads stdout any more."""
    from tablebase.build.builder import BuildPlan, build
    from tablebase.plan.room import check_room
    from tablebase.store.manifest import MANIFEST_NAME
    from tablebase.store.options import TableOptions
    from tablebase.store.work_folder import lost_work_folder

    folder = parent / f"{formation.name}_{target}"
    if not (folder / MANIFEST_NAME).exists():
        with _estimating(f"{formation.name} -> {target}", output, switch) as watch:
            check_room(
                formation,
                target,
                folder.absolute(),
                options.get("options", TableOptions()),
                options.get("scratch"),
                options.get("memory_bytes"),
                watch=watch,
                store=store,
            )
    elif lost := lost_work_folder(folder):
        note(
            tr(
                "the working files in {folder} are gone, or their drive is missing: what they "
                "held is computed again",
                folder=lost,
            )
        )
    plan: BuildPlan = BuildPlan(formation, target, folder, **options)
    _logger.info("building %s with %s", plan.folder, options)
    title = f"{formation.name} -> {target}"
    with reported(output, title, switch, folder) as show:
        result = build(plan, show, switch.is_cancelled, spread)
    _logger.info("built %s", result)
    return result


@contextmanager
def _estimating(title: str, output: Output, switch: CancelSwitch) -> "Iterator[Watch]":
    from tablebase.errors import BuildCancelledError

    line = StatusLine(is_brief=True)

    def watch(share: float) -> None:
        if switch.is_cancelled():
            raise BuildCancelledError(tr("stopped; everything finished so far is kept"))
        if not output.is_json:
            line.show("", tr("{title}  {bar}  does it fit?", title=title, bar=bar(share)))

    try:
        yield watch
    finally:
        line.clear()


def done_event(result: "BuildResult") -> "BuildDone":
    from tablebase.events import BuildDone

    return BuildDone(**rounded(vars(result)))


def done_text(result: "BuildResult") -> str:
    counts = {
        "layers": result.layers,
        "boards": count_text(result.boards),
        "stored": count_text(result.stored),
        "size": bytes_text(result.bytes),
    }
    if result.was_complete:
        return tr(
            "{table}: complete already, {layers} layers, {boards} boards, {stored} of them "
            "stored, {size}",
            table=result.table,
            **counts,
        )
    return tr(
        "{table}: built in {time}, {layers} layers, {boards} boards, {stored} of them stored, "
        "{size}",
        table=result.table,
        time=span_text(result.elapsed_s, tenths=True),
        **counts,
    )
