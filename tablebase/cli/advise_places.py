"""``advise --chain``: where to make the next two tiles beside large ones, drawn as boards."""

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from engine.platform.cli.console import Output, folders_of
from engine.platform.cli.control import cancellable
from engine.platform.cli.status_line import StatusLine, bar
from engine.platform.cli.text import side_by_side
from engine.platform.language import tr
from engine.platform.quantities import rate_texts

if TYPE_CHECKING:
    from tablebase.events import AdvisedPlace
    from tablebase.plan.best_places import Place, RatedPlace

    _Shown = tuple[RatedPlace, list[str], list[str]]

_N_SHOWN = 8


def compare(args: argparse.Namespace, seconds: float) -> int:
    """Run ``advise --chain`` within about so many seconds."""
    output, folders = Output(args.json), folders_of(args)
    with cancellable() as switch:
        from tablebase.errors import FormationError
        from tablebase.formation.goal import TARGETS
        from tablebase.formation.patterns_file import load_formations
        from tablebase.library.advice import limits_here
        from tablebase.plan.best_places import PlaceRates, best_places, formations_at

        if args.chain // 2 not in TARGETS:
            raise FormationError(
                "no tables for two tiles of {half}: expected a tile of 128 to {most}",
                half=args.chain // 2,
                most=2 * TARGETS[-1],
            )
        line = StatusLine()
        threads = limits_here(folders, threads=args.threads).threads

        def show(tile: int, share: float) -> None:
            text = tr("comparing places with {tile}  {bar}", tile=tile, bar=bar(share))
            line.show(str(tile), text)

        folders.data.mkdir(parents=True, exist_ok=True)
        with TemporaryDirectory(dir=folders.data, prefix="advise-") as folder:
            rates = PlaceRates(Path(folder), args.spawn4, threads, switch.is_cancelled)
            best = best_places(args.beside, rates, args.chain // 2, seconds, show)
        line.clear()
        formations = load_formations(own=folders.patterns).values()
    shown = [(rated, *formations_at(rated.place, formations)) for rated in best]
    for i, (rated, first, second) in enumerate(shown):
        output.emit(_event(i, rated, first, second))
    output.show(
        tr(
            "Best places beside {n} large tiles (F) for two {tile} that meet: the first one in "
            "cell 1, the second one in a cell 2. Chances of the same with smaller tiles, exact, "
            "from the best start board:",
            n=args.beside,
            tile=args.chain // 2,
        )
    )
    output.show(side_by_side(_blocks(shown[:_N_SHOWN])))
    return 0


def _blocks(shown: Sequence["_Shown"]) -> Iterator[tuple[str, str]]:
    """Yield a caption and a picture for each place; in all, the figures show what differs."""
    texts = {
        tile: rate_texts([rated.rates.get(tile) for rated, *_ in shown])
        for tile in sorted({tile for rated, *_ in shown for tile in rated.rates})
    }
    for i, (rated, first, second) in enumerate(shown):
        lines = [*picture(rated.place), ""]
        lines += [f"{tile:5} {of_places[i]}" for tile, of_places in texts.items() if of_places[i]]
        if first and second:
            lines.append(f"{first[0]} -> {second[0]}")
        yield f"{i + 1}.", "\n".join(lines)


def picture(place: "Place") -> list[str]:
    """Return the rows of a board: the large tiles, and where the first and second one go."""
    marks = ((place.large, "F"), (place.first, "1"), (place.second, "2"))
    cells = [
        next((mark for board, mark in marks if board >> shift & 15), ".")
        for shift in range(60, -4, -4)
    ]
    return [" ".join(cells[row : row + 4]) for row in range(0, 16, 4)]


def _event(order: int, rated: "RatedPlace", first: list[str], second: list[str]) -> "AdvisedPlace":
    from tablebase.events import AdvisedPlace

    place = rated.place
    rates = {str(tile): rate for tile, rate in rated.rates.items()}
    large, *cells = (f"{board:016x}" for board in (place.large, place.first, place.second))
    return AdvisedPlace(order, large, cells[0], cells[1], first, second, rates)
