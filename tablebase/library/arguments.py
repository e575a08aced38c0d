"""Tables and formations on the command line: the options that name and describe them."""

import argparse
import os
import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.platform.cli.arguments import (
    ArgumentRefusedError,
    directory,
    memory_size,
    number_or_nan,
    whole_number,
)
from engine.platform.cli.console import folders_of
from engine.platform.language import tr
from tablebase.errors import MissingTableError
from tablebase.store.options import CONTENTS, OPTIONS, TableOptions

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation
    from tablebase.formation.goal import Goal


def add_pattern_and_target(parser: argparse.ArgumentParser) -> None:
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


def add_table(parser: argparse.ArgumentParser, nargs: str | None = None) -> None:
    parser.add_argument(
        "table",
        metavar=tr("TABLE"),
        nargs=nargs,
        help=tr(
            "a table's folder, or its name such as 442_128; add folders on other drives that the "
            "table doesn't know about after it, separated by {pathsep!r}",
            pathsep=os.pathsep,
        ),
    )


def add_out(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--out",
        type=directory,
        metavar=tr("DIR"),
        help=tr("the table becomes DIR/PATTERN_TARGET (default: tables/ in the data folder)"),
    )


def add_tables(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--tables",
        nargs="+",
        type=directory,
        metavar=tr("DIR"),
        help=tr("folders with tables to use (default: the tables in the data folder)"),
    )


def table_folders_of(args: argparse.Namespace) -> list[Path]:
    """Return the folders of ``--tables``, or the default one; raise MissingTableError."""
    check_table_folders(args.tables or ())
    return list(args.tables or [folders_of(args).tables])


def check_table_folders(folders: Iterable[Path]) -> None:
    for path in folders:
        if not os.path.isdir(path):
            raise MissingTableError(
                "--tables {path}: there is no such folder; name a folder with tables in it",
                path=path,
            )


def add_option(
    parser: argparse._ActionsContainer, name: str, *, text: str = "", is_left_open: bool = False
) -> None:
    """`text` is its help, translated, where the command means something else by the option."""
    option = OPTIONS[name]
    flag = option.words(None)[0]
    text = text or tr(option.help, **option.bounds)
    default = option.default if option.has_default and not is_left_open else None
    if option.kind == "switch":
        parser.add_argument(flag, action="store_true", help=text)
    elif option.kind == "choice" and isinstance(option.values, tuple):
        parser.add_argument(flag, choices=option.values, default=default, help=text)
    else:
        word = tr(option.metavar)
        parser.add_argument(flag, type=typed(name), default=default, metavar=word, help=text)


def typed(name: str) -> Callable[[str], Any]:
    option = OPTIONS[name]
    if option.kind in _READERS:
        return _READERS[option.kind]

    def read(text: str) -> Any:
        value = _value_in(text, option.kind)
        if option.accepts(value):
            return value
        if isinstance(option.values, range):
            low, high = option.values[0], option.values[-1]
            return whole_number(text, low, high, tr(option.noun))
        raise ArgumentRefusedError(option.word_refusal, text=text, **option.bounds)

    return read


def _value_in(text: str, kind: str) -> float | str | None:
    if kind == "share":
        return number_or_nan(text)
    if kind == "whole":
        return int(text) if re.fullmatch(r"\d{1,20}", text, re.ASCII) else None
    return text


def add_content(parser: argparse.ArgumentParser) -> None:
    limits: argparse._ArgumentGroup | None = None
    for name in CONTENTS:
        if OPTIONS[name].group != "limits":
            add_option(parser, name)
            continue
        limits = limits or parser.add_argument_group(
            tr("limits for giant tables"),
            tr(
                "Known as the advanced algorithm (AD) in other programs: boards that hardly ever "
                "come up are left out. They count as lost, so all rates of such a table are lower "
                "bounds and are marked as such."
            ),
        )
        add_option(limits, name)


def add_then(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--then",
        metavar=tr("TABLE"),
        help=tr(
            "chain it to another table beside it, whose formation has one large tile more: the "
            "target is only worth what that table says of the board, so rates are the chance of "
            "both targets"
        ),
    )


def continued(
    args: argparse.Namespace, formation: "Formation", target: "Goal", parent: Path
) -> "tuple[Formation, Path]":
    """Return the formation of a table in `parent` that continues as ``--then`` says, and where."""
    from tablebase.probe.continuation import chained_to
    from tablebase.store.folder_names import table_folder

    content_of(args).check_chained()
    then = table_folder(parent / args.then)
    return chained_to(formation, target, then, args.spawn4), then


def content_of(args: argparse.Namespace) -> TableOptions:
    """Raise BuildRefusedError if the options do not go together."""
    options = TableOptions(**{name: getattr(args, name) for name in CONTENTS})
    options.check()
    return options


def tile(text: str) -> int:
    """Whether there are tables for it is checked later."""
    from tablebase.formation.goal import TileGoal, typed_goal

    parsed = typed_goal(text)
    if not isinstance(parsed, TileGoal):
        raise ArgumentRefusedError("{text!r} is not a tile: expected 64, 128, ... 16384", text=text)
    return int(parsed)


def goal(text: str) -> "Goal":
    """Whether there are tables for it is checked later."""
    from tablebase.formation.goal import typed_goal

    parsed = typed_goal(text)
    if parsed is None:
        raise ArgumentRefusedError(
            "{text!r} is not a target: expected a tile, 64, 128, ... 16384, or an even sum "
            "such as sum1800",
            text=text,
        )
    return parsed


_READERS: Mapping[str, Callable[[str], Any]] = {
    "tile": tile,
    "bytes": memory_size,
    "folder": directory,
}


def add_cluster(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--cluster",
        metavar=tr("ADDRESS"),
        help=tr(
            "have the machines of a Ray cluster do the work: auto for one of this machine alone, "
            "HOST:PORT for another (docs/cluster.md)"
        ),
    )
