"""Which files are mutated, by area; a pattern that no longer fits any file is an error."""

from pathlib import Path

AREAS = {
    "store": (
        "engine/atomic_file.py",
        "engine/file_lock.py",
        "engine/input_file.py",
        "engine/kernel_cache.py",
        "engine/line_file.py",
        "tablebase/store/*.py",
        "tablebase/layer_copy.py",
        "tablebase/levels.py",
        "tablebase/options.py",
        "tablebase/rates.py",
        "tablebase/stored_layer.py",
        "tablebase/swap.py",
    ),
    "build": (
        "tablebase/builder.py",
        "tablebase/conversion.py",
        "tablebase/convert.py",
        "tablebase/convert_layer.py",
        "tablebase/crew.py",
        "tablebase/estimate.py",
        "tablebase/layers.py",
        "tablebase/memory.py",
        "tablebase/progress.py",
        "tablebase/relocate.py",
        "tablebase/relocate_target.py",
        "tablebase/thin.py",
        "tablebase/writer.py",
    ),
    "look-up": (
        "tablebase/arrangements.py",
        "tablebase/bulk_rates.py",
        "tablebase/catalog.py",
        "tablebase/comes_up.py",
        "tablebase/fitting.py",
        "tablebase/locations.py",
        "tablebase/opening.py",
        "tablebase/reader.py",
        "tablebase/recompute.py",
        "tablebase/space.py",
        "tablebase/verify.py",
    ),
    "coach": ("tablebase/coach/*.py",),
    "search": (
        "ai/choice.py",
        "ai/deepening.py",
        "ai/dispatch/*.py",
        "ai/expectimax.py",
        "ai/leaves.py",
        "ai/match.py",
        "ai/orphans.py",
        "ai/pacing.py",
        "ai/search.py",
        "ai/split.py",
        "ai/statistics.py",
        "ai/transposition.py",
    ),
    "window": (
        "gui/application.py",
        "gui/formats.py",
        "gui/game/*.py",
        "gui/key_bindings.py",
        "gui/lookup.py",
        "gui/mistakes/*.py",
        "gui/move_clock.py",
        "gui/practice/*.py",
        "gui/rates_text.py",
        "gui/services.py",
        "gui/settings.py",
        "gui/shortcuts.py",
        "gui/single_window.py",
        "gui/tables/*.py",
        "gui/tasks.py",
        "gui/test/*.py",
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
