"""``patterns``: checks and draws the formations."""

import argparse
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from engine.bitboard import cells, draw_cells
from engine.platform.cli.arguments import file
from engine.platform.cli.console import Commands, Output, add_command, folders_of
from engine.platform.cli.text import columns, side_by_side
from engine.platform.language import listed, mark, tr, trc, trn

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation

_HEADS = (
    mark("name"),
    mark("category"),
    mark("large"),
    mark("masks"),
    mark("ways"),
    mark("symmetry"),
    mark("seeds"),
    mark("extra steps"),
)
_REPLACED = "own, replaced"  # no text: a value of the JSON
_ORIGINS = {"program": mark("program"), "own": mark("own"), _REPLACED: mark("own, replaced")}


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "patterns",
        run,
        tr("list the formations, or draw one"),
        tr(
            "Checks all of patterns_config.json and your own file of that name in the data folder, "
            "and reports the first mistake."
        ),
    )
    parser.add_argument("name", metavar=tr("NAME"), nargs="?", help=tr("the formation to draw"))
    parser.add_argument(
        "--file",
        type=file,
        metavar=tr("FILE"),
        help=tr("check and show only the formations in FILE"),
    )


def run(args: argparse.Namespace) -> int:
    from tablebase.formation.patterns_file import find_formation, load_formations

    output = Output(args.json)
    shipped = load_formations(args.file)
    own = None if args.file else folders_of(args).patterns
    formations = load_formations(args.file, own) if own else shipped
    chosen = formations if args.name is None else {args.name: find_formation(args.name, formations)}
    for formation in chosen.values():
        output.emit(_event(formation, _origin(formation, shipped)))
    if args.name is None:
        output.show(_listing(formations, shipped))
    else:
        output.show(_drawing(chosen[args.name], _origin(chosen[args.name], shipped)))
    return 0


def _origin(formation: "Formation", shipped: "Mapping[str, Formation]") -> str:
    """The origin is "program", "own", or "own, replaced"."""
    original = shipped.get(formation.name)
    if original is None:
        return "own"
    return "program" if original == formation else _REPLACED


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
        "is_buildable": True,
        "why_not_buildable": "",
    }


def _listing(formations: "Mapping[str, Formation]", shipped: "Mapping[str, Formation]") -> str:
    rows = (
        (
            formation.name,
            formation.category,
            str(formation.n_large),
            tr("walls") if formation.walls else str(len(formation.masks) or trc("masks", "any")),
            str(len(formation.arrangements)),
            formation.symmetry,
            str(len(formation.layer_0)),
            str(formation.extra_steps),
            tr(_ORIGINS[_origin(formation, shipped)]),
        )
        for formation in formations.values()
    )
    return columns(
        [*map(tr, _HEADS), trc("the file it is in", "from")], rows, right=(2, 3, 4, 6, 7)
    )


def _drawing(formation: "Formation", origin: str) -> str:
    values = {
        "name": formation.name,
        "category": formation.category,
        "count": formation.n_large,
        "symmetry": formation.symmetry,
        "layers": formation.extra_steps,
    }
    if formation.walls:
        head = tr(
            "{name} ({category}): {count} walls, symmetry {symmetry}, {layers:+d} layers beyond "
            "target / 2",
            **values,
        )
    else:
        head = tr(
            "{name} ({category}): {count} large tiles, symmetry {symmetry}, {layers:+d} layers "
            "beyond target / 2",
            **values,
        )
    if origin == _REPLACED:
        head = tr("{text} (your own one, instead of the program's)", text=head)
    lines = [
        head,
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
    yield tr("all"), _overview(formation)
    if len(formation.masks) > 1:
        for i, mask in enumerate(formation.masks, 1):
            yield tr("mask {number}", number=i), small_board(mask)
    yield tr("target"), small_board(formation.target_cells, large="T")
    for i, seed in enumerate(formation.seeds, 1):
        yield tr("seed {number}", number=i), small_board(seed, large)


def _overview(formation: "Formation") -> str:
    """One board that shows the role of each cell."""
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
        yield tr("#  a wall")
    elif formation.fixed_mask:
        yield tr("F  a large tile that stays (large tiles never merge)")
    if len(formation.masks) > 1:
        yield tr(
            "f  a large tile in some of the masks; a board must have all F of at least one mask"
        )
        yield tr("t  the same, and the target tile counts there")
    yield tr("T  a cell in which the target tile counts")


def _remarks(formation: "Formation") -> Iterator[str]:
    from tablebase.formation.formation import count_f

    if formation.walls:
        return
    n_free = formation.n_large - min(map(count_f, formation.masks), default=0)
    if n_free:
        yield (
            trn(
                "{n} large tile may stand anywhere besides",
                "{n} large tiles may stand anywhere besides",
                n_free,
            )
            if formation.masks
            else trn(
                "{n} large tile may stand anywhere", "{n} large tiles may stand anywhere", n_free
            )
        )
    yield trn(
        "{n} arrangement of the large tiles",
        "{n} arrangements of the large tiles",
        len(formation.arrangements),
    )
    if formation.is_generated:
        yield tr(
            "layer 0: {count} boards of twos, generated from the seed", count=len(formation.layer_0)
        )
    for i, mask in enumerate(formation.masks, 1):
        for other in formation.masks:
            if other != mask and other & mask == other:
                yield tr(
                    "remark: mask {number} allows nothing that another mask does not", number=i
                )
                break


def _checks(formation: "Formation") -> Iterator[str]:
    from tablebase.formation.formation import buildable_targets
    from tablebase.formation.goal import TARGETS, TileGoal

    text = trn(
        "ok: {n} seed of tile sum {sum} besides {large} F",
        "ok: {n} seeds of tile sum {sum} besides {large} F",
        len(formation.seeds),
        sum=2 * formation.seed_half_sum,
        large=formation.n_large,
    )
    if formation.masks:
        text = tr("{text}, inside the masks", text=text)
    if formation.symmetry != "identity":
        text = tr("{text}; masks and target cells symmetric", text=text)
    yield text
    yield tr(
        "build {name} TARGET makes a table of it, TARGET = {known}",
        name=formation.name,
        known=listed(map(str, buildable_targets(formation))),
    )
    refusals: dict[str, list[str]] = {}
    for target in TARGETS:
        if why := TileGoal(target).why_not(formation):
            refusals.setdefault(why, []).append(str(target))
    for why, refused in refusals.items():
        yield tr("no table for {targets}: {why}", targets=listed(refused), why=why)


def small_board(board: int, large: str = "F") -> str:
    return draw_cells(cells(board), large=large, least_width=1)
