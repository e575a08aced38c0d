"""Which files are mutated, by area; a pattern that no longer fits any file is an error."""

from pathlib import Path

AREAS = {
    "store": (
        "engine/platform/files/atomic_file.py",
        "engine/platform/files/file_lock.py",
        "engine/platform/files/input_file.py",
        "engine/platform/kernel_cache.py",
        "engine/platform/files/line_file.py",
        "tablebase/store/*.py",
    ),
    "build": (
        "tablebase/build/builder.py",
        "tablebase/maintain/conversion.py",
        "tablebase/maintain/convert.py",
        "tablebase/maintain/convert_layer.py",
        "tablebase/build/worker_pool.py",
        "tablebase/plan/estimate.py",
        "tablebase/build/layers.py",
        "tablebase/memory/limits.py",
        "tablebase/build/progress.py",
        "tablebase/maintain/relocate.py",
        "tablebase/build/prune.py",
        "tablebase/build/segments.py",
        "tablebase/build/writer.py",
    ),
    "lookup": (
        "tablebase/formation/arrangements.py",
        "tablebase/probe/many_probes.py",
        "tablebase/library/catalog.py",
        "tablebase/probe/after_states.py",
        "tablebase/probe/embed.py",
        "tablebase/store/layer_locations.py",
        "tablebase/library/opening.py",
        "tablebase/probe/reader.py",
        "tablebase/probe/recompute.py",
        "tablebase/rank/space.py",
        "tablebase/probe/verify.py",
    ),
    "coach": ("coach/**/*.py",),
    "search": (
        "ai/choice.py",
        "ai/search/deepening.py",
        "ai/dispatch/*.py",
        "ai/search/expectimax.py",
        "ai/search/known_positions.py",
        "ai/match/match.py",
        "ai/parent_watch.py",
        "ai/search/time_management.py",
        "ai/search/search.py",
        "ai/search/parallel_search.py",
        "ai/match/report.py",
        "ai/search/transposition.py",
    ),
    "window": (
        "gui/widgets/application.py",
        "gui/text/numbers.py",
        "gui/game/*.py",
        "gui/keys/key_bindings.py",
        "gui/mistakes/*.py",
        "gui/practice/*.py",
        "gui/puzzles/*.py",
        "gui/text/rates.py",
        "gui/table_work/table_service.py",
        "gui/settings_model/settings.py",
        "gui/keys/shortcuts.py",
        "gui/shell/single_window.py",
        "gui/tables/*.py",
        "gui/work/tasks.py",
        "gui/exam/*.py",
    ),
}


def files_of(area: str, root: Path) -> list[Path]:
    """Return the files of an area, relative to the project's root."""
    found: set[Path] = set()
    for pattern in AREAS[area]:
        fitting = [path.relative_to(root) for path in root.glob(pattern)]
        if not fitting:
            raise SystemExit(f"error: no file fits {pattern!r}; correct {__file__}")
        found |= set(fitting)
    return sorted(path for path in found if path.name != "__init__.py")
