"""``play --rules course --script FILE``: scripted games by the rules of `engine.course_script`."""

import argparse

from ai.errors import PlayError
from engine.platform.cli.arguments import file
from engine.platform.cli.console import DONE, Output
from engine.platform.files.input_file import read_lines
from engine.platform.language import tr

_MAX_BYTES = 64 << 20  # bytes of a script: millions of lines


def add_options(parser: argparse.ArgumentParser) -> None:
    text = tr("course: boards of any size, one undo, games played by a script (default: standard)")
    parser.add_argument("--rules", choices=("standard", "course"), default="standard", help=text)
    text = tr(
        "with --rules course: the commands, one per line ('new ROWS COLUMNS SEED' first, then "
        "left, right, up, down, undo, show); - reads them from stdin"
    )
    parser.add_argument("--script", type=file, metavar=tr("FILE"), help=text)


def run(args: argparse.Namespace) -> int:
    from engine.course_script import play_script, read_script

    if args.script is None:
        raise PlayError(tr("--rules course plays a script: name one with --script FILE"))
    output = Output(args.json)
    lines = read_lines(args.script, tr("a script"), _MAX_BYTES, PlayError)
    for answer in play_script(read_script(lines)):
        output.show(answer.text)
        event = {
            "line": answer.command.line,
            "command": answer.command.name,
            "changed": answer.is_changed,
            "step": answer.n_steps,
            "score": answer.score,
            "state": answer.state,
            "board": answer.rows,
        }
        output.emit(event)
    return DONE
