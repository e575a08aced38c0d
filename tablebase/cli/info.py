"""``info``: a table's parameters, its location, and on demand statistics of its rates."""

import argparse
from typing import TYPE_CHECKING

from engine.platform.cli.arguments import sample_size
from engine.platform.cli.console import Commands, Output, add_command, folders_of, note
from engine.platform.cli.control import add_stdin_control, cancellable
from engine.platform.cli.text import columns
from engine.platform.language import listed, mark, tr, trn
from engine.platform.quantities import bytes_text, count_text, rate_text
from tablebase.library.arguments import add_table
from tablebase.library.build_report import counted
from tablebase.library.limits_text import (
    CHAINED,
    CUT_OFF,
    LOWER_BOUNDS,
    chain_size_text,
    content_words,
)
from tablebase.library.named_tables import named_folders

if TYPE_CHECKING:
    from tablebase.events import TableReport
    from tablebase.library.rate_summary import RateSummary
    from tablebase.probe.rate_profile import LayerRates
    from tablebase.probe.reader import Tablebase

SAMPLE = 1_000_000


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "info",
        run,
        tr("show a table's options, size and folders"),
        tr(
            "With --rates, also shows the chance of success in a new game and how the rates are "
            "distributed in each layer."
        ),
    )
    add_table(parser)
    parser.add_argument(
        "--rates",
        action="store_true",
        help=tr("read the rates as well, and keep them for the next time"),
    )
    parser.add_argument(
        "--sample",
        type=sample_size,
        default=SAMPLE,
        metavar="N",
        help=tr(
            "about how many boards to look at in each layer; in a small layer, all of them "
            "(default: %(default)s)"
        ),
    )
    add_stdin_control(parser)


def run(args: argparse.Namespace) -> int:
    from tablebase.library.rate_summary import summarize_rates, without_rates
    from tablebase.probe.reader import Tablebase

    output, own = Output(args.json), folders_of(args)
    folders = named_folders(own, args.table)
    with cancellable(args.stdin_control) as switch, Tablebase.open(folders) as table:
        if table.warning:
            note(tr("warning: {text}", text=table.warning))
        summary = without_rates(table)
        if args.rates:
            text, sample = mark("looking at {table}  {bar}"), max(1, args.sample)
            with counted(output, switch, text, table.name, 0.25) as show:
                summary = summarize_rates(
                    table, own.data / "rates", sample, show, switch.is_cancelled
                )
        output.report(info_event(table, summary), *_lines(table, summary))
    return 0


def info_event(table: "Tablebase", summary: "RateSummary") -> "TableReport":
    from tablebase.events import TableReport
    from tablebase.library.rate_summary import places_of

    manifest, layers = table.manifest, summary.layers
    return TableReport(
        table=table.path,
        name=table.name,
        pattern=table.pattern,
        target=table.target.json,
        options=manifest.options.to_dict(),
        layers=table.n_layers,
        boards=manifest.boards,
        stored=manifest.stored,
        bytes=manifest.bytes,
        tile_sums=(layers[0].tile_sum, layers[-1].tile_sum),
        places=places_of(table),
        warning=table.warning,
        extra_steps=table.formation.extra_steps if table.target.tile else None,
        cut_off=table.is_cut_off,
        at_least=table.is_limited,
        then=manifest.then.table if manifest.then else "",
        starts=summary.starts,
        by_layer=layers,
    )


def _lines(table: "Tablebase", summary: "RateSummary") -> list[str]:
    from tablebase.library.rate_summary import places_of
    from tablebase.probe.continuation import tables_after

    manifest, options = table.manifest, table.manifest.options
    after = list(tables_after(table.path, manifest.then))
    shown = [tr("4s: {share:g}", share=options.spawn4), options.rate, *content_words(options)]
    lines = [
        tr(
            "{table}: {boards} boards, {stored} of them stored, {size}",
            table=table.name,
            boards=count_text(manifest.boards),
            stored=count_text(manifest.stored),
            size=bytes_text(manifest.bytes),
        ),
        tr("options: {options}", options=listed(shown)),
        *([tr(CHAINED, table=table.next_table)] if after else []),
        *([chain_size_text(manifest.bytes, after)] if after else []),
        *([tr(LOWER_BOUNDS)] if table.is_limited else []),
        *([tr(CUT_OFF)] if table.is_cut_off else []),
        tr(
            "tile sums: {first} to {last}, {layers} layers",
            first=summary.layers[0].tile_sum,
            last=summary.layers[-1].tile_sum,
            layers=table.n_layers,
        ),
        *([_steps_line(table)] if table.target.tile else []),
    ]
    lines += [
        trn(
            "{folder}: {n} layer, {size}",
            "{folder}: {n} layers, {size}",
            place.layers,
            folder=place.folder,
            size=bytes_text(place.bytes),
        )
        for place in places_of(table)
    ]
    if starts := summary.starts:
        text = tr(
            "a new game: {mean} on average, {worst} to {best} ({positions} of {all} first "
            "positions)",
            mean=_rate(starts.mean),
            worst=_rate(starts.worst),
            best=_rate(starts.best),
            positions=starts.positions,
            all=starts.all_positions,
        )
        lines.append(text)
        heads = (
            tr("tile sum"),
            tr("boards"),
            tr("stored"),
            tr("size"),
            tr("looked at"),
            tr("mean"),
            "10 %",
            "50 %",
            "90 %",
        )
        lines.append(columns(heads, map(_row, summary.layers), right=range(9)))
    return lines


def _steps_line(table: "Tablebase") -> str:
    steps = table.formation.extra_steps
    if table.is_cut_off:
        return tr("extra steps: {steps}", steps=steps)
    return tr("extra steps: {steps}, which is full: no board is left at the end", steps=steps)


def _row(layer: "LayerRates") -> list[str]:
    looked = tr("all") if layer.is_exact else count_text(layer.sampled)
    return [
        str(layer.tile_sum),
        count_text(layer.boards),
        count_text(layer.stored),
        bytes_text(layer.bytes),
        looked if layer.stored else "",
        _rate(layer.mean),
        _rate(layer.low),
        _rate(layer.median),
        _rate(layer.high),
    ]


def _rate(rate: float | None) -> str:
    return "" if rate is None else rate_text(rate)
