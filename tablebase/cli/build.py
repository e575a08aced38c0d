"""``build``: build a table, or resume an interrupted build."""

import argparse
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from engine.platform.cli.console import Commands, Output, add_command, folders_of
from engine.platform.cli.control import add_stdin_control, cancellable
from engine.platform.language import tr
from tablebase.library.arguments import (
    add_cluster,
    add_content,
    add_option,
    add_out,
    add_pattern_and_target,
    add_then,
    content_of,
    continued,
)
from tablebase.library.build_table import build_table, done_event, done_text
from tablebase.store.options import CONTENTS, OPTIONS

if TYPE_CHECKING:
    from tablebase.build.builder import Spread


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "build",
        run,
        tr("build a table, or resume or finish it"),
        tr(
            "You can stop it at any moment, and even a power cut does no harm: the same command "
            "resumes. A finished table is checked, and damaged parts are rebuilt."
        ),
    )
    add_pattern_and_target(parser)
    add_out(parser)
    add_content(parser)
    add_then(parser)
    for name in OPTIONS:
        if name not in (*CONTENTS, "memory_bytes"):
            add_option(parser, name)
    add_cluster(parser)
    add_option(parser, "memory_bytes")
    add_stdin_control(parser)


def run(args: argparse.Namespace) -> int:
    output = Output(args.json)
    with cancellable(args.stdin_control) as switch:
        from tablebase.formation.extra_steps import with_extra_steps
        from tablebase.formation.goal import check_target
        from tablebase.formation.patterns_file import find_formation, load_formations
        from tablebase.plan.known_costs import StoredCounts

        formation = find_formation(args.pattern, load_formations(own=folders_of(args).patterns))
        target = check_target(args.target)
        formation = with_extra_steps(formation, target, args.extra_steps)
        parent = args.out if args.out else folders_of(args).tables
        then = None
        if args.then:
            formation, then = continued(args, formation, target, parent)
        options: dict[str, Any] = {
            "options": content_of(args),
            "memory_bytes": args.memory,
            "pack_scratch": args.pack_scratch,
            "scratch": args.scratch,
            "level": args.level,
            "then": then,
        }
        if args.threads or args.cluster:
            options["threads"] = args.threads or 1
        with spread_over(args.cluster) as spread:
            store = StoredCounts(folders_of(args).estimates)
            result = build_table(
                formation, target, parent, output, switch, spread=spread, store=store, **options
            )
    output.report(done_event(result), done_text(result))
    return 0


@contextmanager
def spread_over(address: str | None) -> "Iterator[Spread | None]":
    if address is None:
        yield None
        return
    from tablebase.cluster.connection import connected_if_needed
    from tablebase.cluster.spread_layers import spread_by

    with connected_if_needed(address) as connect:
        yield spread_by(connect)
