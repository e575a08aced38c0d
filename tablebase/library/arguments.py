"""Tables and formations on the command line: the options that name and describe them."""

import argparse
import os
import re
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING

from engine.platform.cli.arguments import (
    directory,
    memory_size,
    number_or_nan,
    probability,
    whole_number,
)
from engine.platform.cli.console import folders_of
from engine.platform.language import tr
from tablebase.errors import MissingTableError
from tablebase.store.options import (
    DEFAULT_LARGE,
    MAX_EQUAL,
    MAX_SMALL_SUM,
    MAX_SPARSE,
    MAX_THREADS,
    MIN_EQUAL,
    RATES,
    TableOptions,
)

if TYPE_CHECKING:
    from tablebase.formation.goal import Goal


def add_pattern_and_target(parser: argparse.ArgumentParser) -> None:
    """Add the two arguments that name a table: formation and target."""
    parser.add_argument(
        "pattern",
        metavar=tr("PATTERN"),
        help=tr("a formation, for example 442 (see the command patterns)"),
    )
    parser.add_argument(
        "target",
        metavar=tr("TARGET"),
        type=goal,
        help=tr(
            "the tile to reach: 64, 128, ... 16384; or what all tiles but walls and large ones "
            "are to add up to: sum1800"
        ),
    )


def add_tables(parser: argparse.ArgumentParser) -> None:
    """Add the option for the folders whose tables to use."""
    parser.add_argument(
        "--tables",
        nargs="+",
        type=directory,
        metavar=tr("DIR"),
        help=tr("folders with tables to use (default: the tables in the data folder)"),
    )


def table_folders_of(args: argparse.Namespace) -> list[Path]:
    """Return the folders whose tables to use: those of ``--tables``, or the default one.

    Raises
    ------
    MissingTableError
        A given folder does not exist.
    """
    check_table_folders(args.tables or ())
    return list(args.tables or [folders_of(args).tables])


def check_table_folders(folders: Iterable[Path]) -> None:
    """Raise MissingTableError if a folder that was given for its tables does not exist."""
    for path in folders:
        if not os.path.isdir(path):
            raise MissingTableError(
                tr(
                    "--tables {path}: there is no such folder; name a folder with tables in it",
                    path=path,
                )
            )


def add_spawn4(parser: argparse.ArgumentParser) -> None:
    """Add the option for the share of fours among new tiles."""
    parser.add_argument(
        "--spawn4",
        type=probability,
        default=0.1,
        metavar="P",
        help=tr("how often a new tile is a 4 (default: %(default)s)"),
    )


def add_rate(parser: argparse.ArgumentParser) -> None:
    """Add the option for the type in which success rates are stored."""
    parser.add_argument(
        "--rate",
        choices=RATES,
        default=RATES[0],
        help=tr(
            "how rates are stored (default: %(default)s, a 1/4e9 fixed point; uint16 is compact)"
        ),
    )


def add_content(parser: argparse.ArgumentParser) -> None:
    """Add the options that determine the content of a table; `content_of` reads them."""
    add_spawn4(parser)
    add_rate(parser)
    parser.add_argument(
        "--threshold",
        type=threshold,
        default=0.0,
        metavar="P",
        help=tr(
            "leave out boards with a rate of at most P (default: 0, which keeps all that have a "
            "chance)"
        ),
    )
    parser.add_argument(
        "--optimal-only",
        action="store_true",
        help=tr("store only boards that optimal play reaches"),
    )
    parser.add_argument(
        "--sparse",
        type=sparseness,
        default=1,
        metavar="K",
        help=tr(
            "store two of every K layers; lookups compute the others: less disk, more time (1 "
            "stores all, or 3 to {most}; default: %(default)s)",
            most=MAX_SPARSE,
        ),
    )
    _add_limits(parser)


def add_extra_steps(parser: argparse.ArgumentParser) -> None:
    """Add the option for the length of a table."""
    parser.add_argument(
        "--extra-steps",
        type=extra_steps,
        metavar="N",
        help=tr(
            "layers beyond half the target; boards left in the last two count as lost. full: as "
            "many as it takes until no board is left, for exact rates, which may take several "
            "times the space (default: what the formation says, mostly 48)"
        ),
    )


def _add_limits(parser: argparse.ArgumentParser) -> None:
    """Add the limits that leave out boards of a giant table that hardly occur."""
    limits = parser.add_argument_group(
        tr("limits for giant tables"),
        tr(
            "Known as the advanced algorithm (AD) in other programs: boards that hardly ever come "
            "up are left out. They count as lost, so all rates of such a table are lower bounds, "
            "and say so."
        ),
    )
    limits.add_argument(
        "--most-equal",
        type=equal_tiles,
        default=0,
        metavar="K",
        help=tr(
            "leave out boards with more than K equal large tiles ({fewest} to {most}; default: no "
            "limit)",
            fewest=MIN_EQUAL,
            most=MAX_EQUAL,
        ),
    )
    limits.add_argument(
        "--small-sum",
        type=small_sum,
        default=0,
        metavar="N",
        help=tr(
            "leave out boards with a large tile where the small tiles add up to more than N: what "
            "other programs call the small tile sum limit, STSL (default: no limit)"
        ),
    )
    limits.add_argument(
        "--large-from",
        type=tile,
        default=DEFAULT_LARGE,
        metavar=tr("TILE"),
        help=tr(
            "the smallest tile that these limits count as large (default: %(default)s); F tiles "
            "don't count"
        ),
    )


def content_of(args: argparse.Namespace) -> TableOptions:
    """Return the table options given by the arguments.

    Raises
    ------
    BuildRefusedError
        The options do not go together.
    """
    options = TableOptions(
        spawn4=args.spawn4,
        rate=args.rate,
        threshold=args.threshold,
        optimal_only=args.optimal_only,
        sparse=args.sparse,
        most_equal=args.most_equal,
        small_sum=args.small_sum,
        large_from=args.large_from,
    )
    options.check()
    return options


def tile(text: str) -> int:
    """Return a tile's face value; whether there are tables for it is checked later."""
    from tablebase.formation.goal import TileGoal, typed_goal

    found = typed_goal(text)
    if not isinstance(found, TileGoal):
        raise argparse.ArgumentTypeError(
            tr("{text!r} is not a tile: expected 64, 128, ... 16384", text=text)
        )
    return int(found)


def goal(text: str) -> "Goal":
    """Return a tile or a sum of tiles; whether there are tables for it is checked later."""
    from tablebase.formation.goal import typed_goal

    found = typed_goal(text)
    if found is None:
        raise argparse.ArgumentTypeError(
            tr(
                "{text!r} is not a target: expected a tile, 64, 128, ... 16384, or an even sum "
                "such as sum1800",
                text=text,
            )
        )
    return found


def threshold(text: str) -> float:
    """Return a number from 0 to below 1."""
    value = number_or_nan(text)
    if not 0.0 <= value < 1.0:
        raise argparse.ArgumentTypeError(
            tr(
                "{text!r} is not a threshold: expected a number from 0 to below 1, such as 0.05",
                text=text,
            )
        )
    return value


def sparseness(text: str) -> int:
    """Return the sparseness: 1 for all layers, or n to store two of every n layers."""
    if re.fullmatch(r"\d{1,3}", text, re.ASCII) and int(text) in (1, *range(3, MAX_SPARSE + 1)):
        return int(text)
    raise argparse.ArgumentTypeError(
        tr(
            "{text!r} is not a way to keep layers: expected 1 (store all layers) or a "
            "whole number from 3 to {most}",
            text=text,
            most=MAX_SPARSE,
        )
    )


def equal_tiles(text: str) -> int:
    """Return the number of equal large tiles that a board may hold; 0 for no limit."""
    if re.fullmatch(r"\d{1,3}", text, re.ASCII) and (
        int(text) == 0 or MIN_EQUAL <= int(text) <= MAX_EQUAL
    ):
        return int(text)
    raise argparse.ArgumentTypeError(
        tr(
            "{text!r} is not a limit on equal tiles: expected a number from {fewest}, as a "
            "larger tile is made of two, to {most}, or 0 for no limit",
            text=text,
            fewest=MIN_EQUAL,
            most=MAX_EQUAL,
        )
    )


def small_sum(text: str) -> int:
    """Return the largest sum of small tiles beside large ones; 0 for no limit."""
    return whole_number(text, 0, MAX_SMALL_SUM, tr("the sum of small tiles"))


def extra_steps(text: str) -> int | str:
    """Return a number of extra steps, or "full"; whether it suits the table is checked later."""
    if text == "full":
        return text
    if re.fullmatch(r"-?\d{1,5}", text, re.ASCII):
        return int(text)
    raise argparse.ArgumentTypeError(
        tr("{text!r} is not a number of extra steps: expected one such as 100, or full", text=text)
    )


def thread_count(text: str) -> int:
    """Return a number of threads."""
    return whole_number(text, 1, MAX_THREADS, "threads")


def add_memory(parser: argparse.ArgumentParser) -> None:
    """Add the option that limits the memory."""
    parser.add_argument(
        "--memory",
        type=memory_size,
        metavar=tr("BYTES"),
        help=tr("memory limit, such as 4G (default: what the machine can spare)"),
    )


def add_cluster(parser: argparse.ArgumentParser) -> None:
    """Add the option that lets several machines do the work."""
    parser.add_argument(
        "--cluster",
        metavar=tr("ADDRESS"),
        help=tr(
            "have the machines of a Ray cluster do the work: auto for one of this machine alone, "
            "HOST:PORT for another (docs/cluster.md)"
        ),
    )
