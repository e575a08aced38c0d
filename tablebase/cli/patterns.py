"""``patterns``: the formations of patterns_config.json, checked and drawn."""

import argparse
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tablebase.cli.console import Commands, Output, add_command
from tablebase.cli.text import columns, side_by_side, small_board

if TYPE_CHECKING:
    from tablebase.formation import Formation

_HEADS = ("name", "category", "large", "masks", "symmetry", "seeds", "extra steps", "can be built")


def add_to(commands: Commands) -> None:
    """Add ``patterns`` to the commands."""
    parser = add_command(
        commands,
        "patterns",
        run,
        "list the formations, or draw one",
        "All of patterns_config.json is checked on the way; the first mistake is told.",
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="the formation to draw")


def run(args: argparse.Namespace) -> int:
    """Show one formation or all."""
    from tablebase.formation import find_formation, load_formations

    output = Output(args.json)
    formations = load_formations()
    chosen = formations if args.name is None else {args.name: find_formation(args.name, formations)}
    for formation in chosen.values():
        output.emit(_event(formation))
    output.say(_listing(formations) if args.name is None else _drawing(chosen[args.name]))
    return 0


def _event(formation: "Formation") -> dict[str, Any]:
    return {
        **formation.to_dict(),
        "large_tiles": formation.n_large,
        "is_buildable": formation.is_buildable,
        "why_not_buildable": formation.why_not_buildable,
    }


def _listing(formations: "Mapping[str, Formation]") -> str:
    rows = (
        (
            *(formation.name, formation.category, str(formation.n_large)),
            *("walls" if formation.walls else str(len(formation.masks) or "any"),),
            *(formation.symmetry, str(len(formation.seeds)), str(formation.extra_steps)),
            "yes" if formation.is_buildable else "not yet",
        )
        for formation in formations.values()
    )
    return columns(_HEADS, rows, right=(2, 3, 5, 6))


def _drawing(formation: "Formation") -> str:
    large = "walls" if formation.walls else "large tiles"
    lines = [
        f"{formation.name} ({formation.category}): {formation.n_large} {large}, "
        f"symmetry {formation.symmetry}, {formation.extra_steps:+d} layers beyond target / 2",
        "",
        side_by_side(_boards(formation)),
        "",
        *_legend(formation),
        *_checks(formation),
    ]
    return "\n".join(lines)


def _boards(formation: "Formation") -> Iterator[tuple[str, str]]:
    large = "#" if formation.walls else "F"
    for i, mask in enumerate(formation.masks, 1):
        yield f"mask {i}", small_board(mask)
    yield "target", small_board(formation.target_cells, large="T")
    for i, seed in enumerate(formation.seeds, 1):
        yield f"seed {i}", small_board(seed, large)


def _legend(formation: "Formation") -> Iterator[str]:
    if formation.walls:
        yield "#  a wall"
    else:
        yield "F  a large tile (it never merges); a board must have all F of at least one mask"
    yield "T  a cell in which the target tile counts"


def _checks(formation: "Formation") -> Iterator[str]:
    """Say what `load_formations` has found in order: it raises when something is not."""
    from tablebase.formation import TARGETS

    symmetric = "" if formation.symmetry == "identity" else "; masks and target cells symmetric"
    inside = ", inside the masks" if formation.masks else ""
    n_seeds, n_large = len(formation.seeds), formation.n_large
    yield (
        f"ok: {n_seeds} {'seed' if n_seeds == 1 else 'seeds'} of tile sum "
        f"{2 * formation.seed_half_sum} besides {n_large} F{inside}{symmetric}"
    )
    if formation.is_buildable:
        targets = [str(target) for target in TARGETS if formation.n_layers(target) > 2]
        yield f"build {formation.name} TARGET makes a table of it, TARGET = {', '.join(targets)}"
    else:
        yield f"it cannot be built yet: {formation.why_not_buildable}"
