"""``patterns``: the formations, checked and drawn."""

import argparse
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from tablebase.cli.console import Commands, Output, add_command, folders_of
from tablebase.cli.options import file
from tablebase.cli.text import columns, side_by_side, small_board

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation

_HEADS = ("name", "category", "large", "masks", "ways", "symmetry", "seeds", "extra steps", "from")


def add_to(commands: Commands) -> None:
    """Add ``patterns`` to the commands."""
    parser = add_command(
        commands,
        "patterns",
        run,
        "list the formations, or draw one",
        "All of patterns_config.json, and of your own file of that name in the data folder, is "
        "checked on the way; the first mistake is told.",
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="the formation to draw")
    parser.add_argument(
        "--file", type=file, metavar="FILE", help="check and show the formations of FILE alone"
    )


def run(args: argparse.Namespace) -> int:
    """Show one formation or all."""
    from tablebase.formation.patterns_file import find_formation, load_formations

    output = Output(args.json)
    shipped = load_formations(args.file)
    own = None if args.file else folders_of(args).patterns
    formations = load_formations(args.file, own) if own else shipped
    chosen = formations if args.name is None else {args.name: find_formation(args.name, formations)}
    for formation in chosen.values():
        output.emit(_event(formation, _origin(formation, shipped)))
    if args.name is None:
        output.say(_listing(formations, shipped))
    else:
        output.say(_drawing(chosen[args.name], _origin(chosen[args.name], shipped)))
    return 0


def _origin(formation: "Formation", shipped: "Mapping[str, Formation]") -> str:
    """Return which file a formation is from: "program", "own", or "own, replaced"."""
    original = shipped.get(formation.name)
    if original is None:
        return "own"
    return "program" if original == formation else "own, replaced"


def _event(formation: "Formation", origin: str) -> dict[str, Any]:
    from tablebase.formation.formation import buildable_targets

    return {
        **formation.to_dict(),
        "large_tiles": formation.n_large,
        "movable_tiles": formation.n_movable,
        "arrangements": len(formation.arrangements),
        "layer_0_boards": len(formation.layer_0),
        "targets": buildable_targets(formation),
        "origin": origin,
        "is_buildable": formation.is_buildable,
        "why_not_buildable": formation.why_not_buildable,
    }


def _listing(formations: "Mapping[str, Formation]", shipped: "Mapping[str, Formation]") -> str:
    rows = (
        (
            *(formation.name, formation.category, str(formation.n_large)),
            *("walls" if formation.walls else str(len(formation.masks) or "any"),),
            *(str(len(formation.arrangements)), formation.symmetry),
            *(str(len(formation.layer_0)), str(formation.extra_steps)),
            _origin(formation, shipped),
        )
        for formation in formations.values()
    )
    return columns(_HEADS, rows, right=(2, 3, 4, 6, 7))


def _drawing(formation: "Formation", origin: str) -> str:
    large = "walls" if formation.walls else "large tiles"
    replaced = " (your own one, instead of the program's)" if origin == "own, replaced" else ""
    lines = [
        f"{formation.name} ({formation.category}): {formation.n_large} {large}, "
        f"symmetry {formation.symmetry}, {formation.extra_steps:+d} layers beyond target / 2"
        f"{replaced}",
        "",
        side_by_side(_boards(formation)),
        "",
        *_legend(formation),
        *_remarks(formation),
        *_checks(formation),
    ]
    return "\n".join(lines)


def _boards(formation: "Formation") -> Iterator[tuple[str, str]]:
    large = "#" if formation.walls else "F"
    yield "all", _overview(formation)
    if len(formation.masks) > 1:
        for i, mask in enumerate(formation.masks, 1):
            yield f"mask {i}", small_board(mask)
    yield "target", small_board(formation.target_cells, large="T")
    for i, seed in enumerate(formation.seeds, 1):
        yield f"seed {i}", small_board(seed, large)


def _overview(formation: "Formation") -> str:
    """Return one board with what each cell is for."""
    masks = formation.masks or (formation.fixed_mask,)
    somewhere = 0
    for mask in masks:
        somewhere |= mask
    marks = [_mark(formation, somewhere, 60 - 4 * cell) for cell in range(16)]
    return "\n".join(" ".join(marks[row : row + 4]) for row in range(0, 16, 4))


def _mark(formation: "Formation", somewhere: int, shift: int) -> str:
    if formation.fixed_mask >> shift & 15:
        return "#" if formation.walls else "F"
    counts = formation.target_cells >> shift & 15
    if somewhere >> shift & 15:
        return "t" if counts else "f"
    return "T" if counts else "."


def _legend(formation: "Formation") -> Iterator[str]:
    if formation.walls:
        yield "#  a wall"
    elif formation.fixed_mask:
        yield "F  a large tile that stays (large tiles never merge)"
    if len(formation.masks) > 1:
        yield "f  a large tile in some of the masks; a board must have all F of at least one mask"
        yield "t  the same, and the target tile counts there"
    yield "T  a cell in which the target tile counts"


def _remarks(formation: "Formation") -> Iterator[str]:
    """Say what the boards do not show."""
    from tablebase.formation.formation import count_f

    if formation.walls:
        return
    n_free = formation.n_large - min(map(count_f, formation.masks), default=0)
    if n_free:
        besides = " besides" if formation.masks else ""
        yield f"{_numbered(n_free, 'large tile')} may stand anywhere{besides}"
    yield f"{_numbered(len(formation.arrangements), 'way')} for the large tiles to stand"
    if formation.is_generated:
        yield f"layer 0: {len(formation.layer_0)} boards of twos, generated from the seed"
    for i, mask in enumerate(formation.masks, 1):
        for other in formation.masks:
            if other != mask and other & mask == other:
                yield f"remark: mask {i} allows nothing that another mask does not"
                break


def _numbered(n: int, noun: str) -> str:
    return f"{n} {noun}" if n == 1 else f"{n} {noun}s"


def _checks(formation: "Formation") -> Iterator[str]:
    """Say what `load_formations` has found in order: it raises when something is not."""
    from tablebase.formation.formation import TARGETS, buildable_targets, why_no_table

    symmetric = "" if formation.symmetry == "identity" else "; masks and target cells symmetric"
    inside = ", inside the masks" if formation.masks else ""
    yield (
        f"ok: {_numbered(len(formation.seeds), 'seed')} of tile sum "
        f"{2 * formation.seed_half_sum} besides {formation.n_large} F{inside}{symmetric}"
    )
    targets = buildable_targets(formation)
    known = ", ".join(map(str, targets))
    yield f"build {formation.name} TARGET makes a table of it, TARGET = {known}"
    refusals: dict[str, list[str]] = {}
    for target in TARGETS:
        if why := why_no_table(formation, target):
            refusals.setdefault(why.split(": ", 1)[1], []).append(str(target))
    for why, refused in refusals.items():
        yield f"no table for {', '.join(refused)}: {why}"
