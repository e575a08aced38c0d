"""``minigame``: the list of variants, scripted runs without a window, replays."""

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.platform.cli.console import DONE, Commands, Output, add_command
from engine.platform.errors import AppError
from engine.platform.files.input_file import read_lines
from engine.platform.language import tr

if TYPE_CHECKING:
    from minigames.run import MinigameRun
    from minigames.state import Action
    from minigames.turn import Adversary

_LARGEST_SEED = (1 << 53) - 1


class MinigameScriptError(AppError):
    """A line of a script is not an action, or the options do not fit together."""


def add_to(commands: Commands) -> None:
    parser = add_command(
        commands,
        "minigame",
        run,
        tr("list the minigames, or play one by a script"),
        tr(
            "A script has one action per line: left, right, up, down; bomb CELL, glove FROM TO, "
            "twist CELL (the top left one of four); peek; tick MILLISECONDS; undo. Cells are "
            "counted row by row from 0. The rest of a line after # is ignored, and actions that "
            "aren't allowed are skipped. The same seed and script give the same output."
        ),
    )
    name, file = tr("NAME"), tr("FILE")
    parser.add_argument("name", nargs="?", metavar=name, help=tr("the game, as --list names it"))
    parser.add_argument("--list", action="store_true", help=tr("list the games"))
    seeds = tr("seed of everything random, 0 to {largest}", largest=_LARGEST_SEED)
    parser.add_argument("--seed", type=_seed, metavar="S", help=seeds)
    parser.add_argument(
        "--script", metavar=file, help=tr("the actions, one per line; - reads standard input")
    )
    parser.add_argument("--mode", choices=("normal", "hard"), help=tr("default: normal"))
    parser.add_argument(
        "--replay", type=Path, metavar=file, help=tr("replay a run that the window saved")
    )


def run(args: argparse.Namespace) -> int:
    out = Output(args.json)
    if args.list:
        _refuse_others(args, "--list")
        _list(out)
        return DONE
    if args.replay:
        _refuse_others(args, "--replay")
        _replay(args.replay, out)
        return DONE
    if not args.name:
        raise MinigameScriptError(tr("name a minigame, or use --list to see which there are"))
    if args.seed is None or args.script is None:
        raise MinigameScriptError(tr("a scripted run needs --seed S and --script FILE"))
    from minigames.registry import rules_of
    from minigames.run import MinigameRun

    rules_of(args.name, hard=args.mode == "hard")  # refuses an unknown name before anything else
    lines = read_lines(Path(args.script), tr("a script"), 16 << 20)
    actions = list(_read_script(lines))
    game = MinigameRun(args.name, args.mode == "hard", args.seed, _adversary_of(args.name))
    _play(game, actions, out)
    return DONE


def _refuse_others(args: argparse.Namespace, option: str) -> None:
    """Raise ScriptError if there are options of a scripted run, which would have no effect."""
    named = {
        tr("the name of a game"): args.name,
        "--seed": args.seed,
        "--script": args.script,
        "--mode": args.mode,
        "--replay": None if option == "--replay" else args.replay,
    }
    for name, value in named.items():
        if value is not None:
            raise MinigameScriptError(
                "{name} has no effect with {option}: leave it out", name=name, option=option
            )


def _list(out: Output) -> None:
    from minigames.registry import GAMES

    for spec in GAMES.values():
        out.emit({"name": spec.name, "title": spec.english_title, "family": spec.family})
        out.show(f"{spec.name:24}{spec.title:26}{spec.family}")


def _replay(path: Path, out: Output) -> None:
    from minigames.run import MinigameRun
    from minigames.state import read_log
    from minigames.store import load_replay

    replay = load_replay(path)
    game = MinigameRun(
        replay.game, replay.hard, replay.seed, _adversary_of(replay.game), replay.day
    )
    _play(game, read_log(replay.log), out)


def _play(game: "MinigameRun", actions: "Iterable[Action]", out: Output) -> None:
    for action in actions:
        before = game.state
        events = game.do(action)
        if game.state is before:
            continue
        out.emit(
            {"action": action.text, **_figures(game), "events": [event.kind for event in events]}
        )
    _report_end(game, out)


def _report_end(game: "MinigameRun", out: Output) -> None:
    state, rules = game.state, game.rules
    mode = "hard" if rules.hard else "normal"
    out.emit({"result": rules.spec.name, "mode": mode, "seed": game.seed, **_figures(game)})
    n = state.n_columns
    for row in range(0, len(state.tiles), n):
        cells = rules.view(state).cells[row : row + n]
        out.show(" ".join(f"{_face(cell):>6}" for cell in cells))
    ends = {"": tr("not over"), "stuck": tr("over: no moves left"), "time": tr("over: time is up")}
    out.show(
        tr(
            "{game}, {mode}: {score:,} points, {moves:,} moves, best tile {tile}, {end}",
            game=rules.spec.title,
            mode=tr("hard") if rules.hard else tr("normal"),
            score=state.score,
            moves=state.n_moves,
            tile=1 << state.best,
            end=ends[state.over],
        )
    )


def _figures(game: "MinigameRun") -> dict[str, Any]:
    state = game.state
    return {
        "score": state.score,
        "moves": state.n_moves,
        "best_tile": 1 << state.best,
        "over": bool(state.over),
        "end": state.over,
    }


def _face(cell: Any) -> str:
    if cell.object:
        return str(cell.object)[:6]
    if cell.exponent is not None:
        return str(1 << cell.exponent) + ("*" if cell.face == "frozen" else "")
    return {"empty": ".", "hidden": "?", "portal": "@", "hole": "", "crater": "x"}[cell.face]


def _adversary_of(name: str) -> "Adversary | None":
    if name != "tricky_tiles":
        return None
    from ai.choice import make_adversary

    return make_adversary()


def _read_script(lines: Iterable[str]) -> "Iterator[Action]":
    from minigames.state import ActionError, read_action

    for number, line in enumerate(lines, start=1):
        words = line.lstrip("\ufeff").split("#", 1)[0].strip()
        if not words:
            continue
        try:
            yield read_action(words)
        except ActionError as error:
            text = tr("line {number}: {error}", number=number, error=error)
            raise MinigameScriptError(text) from error


def _seed(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 20 and int(text) <= _LARGEST_SEED):
        raise argparse.ArgumentTypeError(
            tr(
                "{text!r} is not a seed: expected a whole number from 0 to {largest}",
                text=text,
                largest=_LARGEST_SEED,
            )
        )
    return int(text)
