"""``train``: the linear value function, a network for whole games, a model of chances."""

import argparse
import json
import time
from collections.abc import Mapping
from contextlib import ExitStack
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ai.errors import PlayError, WeightsError
from engine.platform.cli.arguments import (
    ArgumentRefusedError,
    check_apart,
    count,
    directory,
    file,
    number_or_nan,
    seed,
)
from engine.platform.cli.console import DONE, Commands, Output, add_command, note
from engine.platform.cli.control import cancellable
from engine.platform.files.atomic_file import check_writable, writing
from engine.platform.files.input_file import read_json
from engine.platform.language import mark, tr
from engine.platform.quantities import percent_text
from tablebase.cluster.connection import connected
from tablebase.library.arguments import add_cluster, table_folders_of, typed

if TYPE_CHECKING:
    from ai.train.genetic import TrainingConfig
    from ai.train.network_training import Task, TrainingProgress

_games = count(10_000_000, mark("{text!r}: expected 1 to {most} games"))
_millions = count(10_000_000, mark("{text!r}: expected 1 to {most} (millions)"))
_MAX_BYTES = 1 << 20  # of a configuration
_MIN_UNIT, _MAX_UNIT = 0.01, 1000


def add_to(commands: Commands) -> None:
    parser = commands.add_parser(
        "train",
        help=tr("train the value functions of AIs"),
        description=tr(
            "Train the value functions of AIs: linear, a network for whole games, and the model "
            "that turns search into chances."
        ),
    )
    actions = parser.add_subparsers(title=tr("actions"), metavar=tr("ACTION"), required=True)
    add_command(actions, "init-config", _init_config, tr("print a configuration to start from"))
    _add_linear(actions)
    _add_network(actions)
    _add_chances(actions)
    for action in (parser, *actions.choices.values()):
        action.set_defaults(command="train")


def _add_linear(actions: Any) -> None:
    in_file = tr("FILE")
    text = tr(
        "After every generation, FILE holds the best weights, FILE.csv gets a line, and "
        "FILE.state holds what it takes to resume. The same configuration gives the same "
        "weights."
    )
    training = add_command(actions, "train", _train, tr("train, or resume where it stopped"), text)
    training.add_argument(
        "--config", type=file, required=True, metavar=in_file, help=tr("see above")
    )
    training.add_argument(
        "--out", type=file, required=True, metavar=in_file, help=tr("the weights, as JSON")
    )
    training.add_argument(
        "--jobs", type=typed("threads"), default=1, metavar="J", help=tr("processes (default: 1)")
    )
    add_cluster(training)
    evaluation = add_command(
        actions, "eval", _eval, tr("play games with trained weights, like the AI linear")
    )
    evaluation.add_argument("--weights", type=file, required=True, metavar=in_file)
    evaluation.add_argument(
        "--games", type=_games, default=100, metavar="N", help=tr("default: 100")
    )
    evaluation.add_argument(
        "--seed", type=seed, default=1, metavar="S", help=tr("seed of the first game (default: 1)")
    )
    evaluation.add_argument(
        "--report", type=file, metavar=in_file, help=tr("a line for each game, CSV")
    )
    text = tr("games at a time (default: 1)")
    evaluation.add_argument("--jobs", type=typed("threads"), default=1, metavar="J", help=text)


def _add_network(actions: Any) -> None:
    in_file = tr("FILE")
    network = add_command(
        actions,
        "network",
        _network,
        tr("train a network for whole games, or resume where it stopped"),
        tr(
            "FILE.csv gets a line every 10 million moves; FILE.state holds what it takes to "
            "resume, which is gigabytes. Ctrl+C stops after the current line and keeps what was "
            "learned; a crash loses a quarter of an hour. The same seed and number of moves give "
            "the same network."
        ),
    )
    network.add_argument("--out", type=file, required=True, metavar=in_file)
    text = tr("millions of moves to learn from, those before a stop included")
    network.add_argument("--millions", type=_millions, required=True, metavar="N", help=text)
    network.add_argument("--seed", type=seed, default=1, metavar="S", help=tr("default: 1"))
    text = tr(
        "train a network for late games instead, beside three or four large tiles; export it "
        "as X.late.net beside X.net"
    )
    network.add_argument("--late", action="store_true", help=text)
    text = tr(
        "train on an NVIDIA graphics card: a hundred times as fast, but no two trainings are "
        "quite the same"
    )
    network.add_argument("--gpu", action="store_true", help=text)
    text = tr(
        "a network to start from, as train export writes it (default: an empty one); with "
        "--late, the folder of a 4421 to 1024 table whose games show how (default: none)"
    )
    network.add_argument("--start", type=file, metavar=in_file, help=text)
    text = tr(
        "multiplies every step of learning, up to 1 (default: 1); train the last tenth with 0.1"
    )
    network.add_argument("--step-size", type=_step_size, default=1.0, metavar="A", help=text)
    text = tr(
        "train only the weights that the network of --start has: they make up for part of what "
        "train export --keep left out"
    )
    network.add_argument("--pruned", action="store_true", help=text)
    export = add_command(
        actions,
        "export",
        _export,
        tr("write the weights of a network in training: play --weights reads them"),
    )
    export.add_argument(
        "--net", type=file, required=True, metavar=in_file, help=tr("what train network wrote")
    )
    export.add_argument("--out", type=file, required=True, metavar=in_file)
    text = tr("points to which a weight is rounded: more of them, a smaller file (default: 4)")
    export.add_argument("--unit", type=_unit, default=4.0, metavar="P", help=text)
    text = tr("millions of weights at most, those that matter most (default: all)")
    export.add_argument("--keep", type=_millions, metavar="N", help=text)


def _add_chances(actions: Any) -> None:
    text = tr(
        "Plays games, looks up in tables what their positions were worth, and fits a model to "
        "that. Every fourth game is held out to measure how close the chances come to the "
        "truth. The same seed, games and tables give the same model."
    )
    chances = add_command(
        actions, "chances", _chances, tr("fit what turns values of search into chances"), text
    )
    chances.add_argument("--out", type=file, required=True, metavar=tr("FILE"))
    text = tr("folders with tables to ask (default: the tables in the data folder)")
    chances.add_argument("--tables", type=directory, nargs="+", metavar=tr("DIR"), help=text)
    chances.add_argument(
        "--games", type=_games, default=4000, metavar="N", help=tr("default: %(default)s")
    )
    chances.add_argument("--seed", type=seed, default=1, metavar="S", help=tr("default: 1"))


def _init_config(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from ai.train.genetic import TrainingConfig

    config, output = asdict(TrainingConfig()), Output(args.json)
    output.show(json.dumps(config, indent=2))
    output.emit(config)
    return DONE


def _train(args: argparse.Namespace) -> int:
    from ai.train.genetic_training import judges, judges_over, train

    if args.cluster and args.jobs > 1:
        raise PlayError(tr("a cluster judges an AI on each processor: leave --jobs out"))
    for path in _files_of(args.out):
        check_apart(config=args.config, out=path)
    config, output = _read_config(args.config), Output(args.json)
    check_writable(*_files_of(args.out))

    def report(row: dict[str, Any]) -> None:
        output.emit(row)
        text = tr(
            "generation {generation} (the last is {last}): best {best:,.0f}, "
            "mean {mean:,.0f}, mean score of the best {best_score:,.0f}",
            generation=row["generation"],
            last=config.generations - 1,
            best=row["best"],
            mean=row["mean"],
            best_score=row["best_score"],
        )
        note(text)

    with ExitStack() as stack:
        if args.cluster:
            judge_all = judges_over(stack.enter_context(connected(args.cluster)), config)
        else:
            judge_all = stack.enter_context(judges(config, args.jobs))
        state = train(config, args.out, judge_all, _now, report)
    output.show(tr("{path} has the weights of {n} generations", path=args.out, n=state.generation))
    return DONE


def _eval(args: argparse.Namespace) -> int:
    from ai.baselines.ladder import make_player
    from ai.match.match import Match, play_all
    from ai.match.results_file import row_of, write_table

    check_apart(weights=args.weights, report=args.report)
    make_player("linear", args.weights)  # an unusable file is reported before games begin
    if args.report:
        check_writable(args.report)
    match = Match("linear", weights=args.weights)
    seeds = range(args.seed, args.seed + args.games)
    games = sorted(play_all(match, seeds, args.jobs), key=lambda game: game.seed)
    rows = [row_of(match, game) for game in games]
    columns = ("seed", "score", "max_tile", "moves", "final")
    if args.report:
        write_table(args.report, columns, [{name: row[name] for name in columns} for row in rows])
    output = Output(args.json)
    if args.json:
        scores = [game.score for game in games]
        output.emit({"games": len(games), "mean_score": sum(scores) / len(scores)})
        return DONE
    from ai.match.report import report

    output.show(report(rows, str(args.weights)))
    return DONE


def _network(args: argparse.Namespace) -> int:
    check_writable(*_files_of(args.out))
    output = Output(args.json)
    with cancellable() as switch:
        from ai.train.network_training import NetworkTraining

        task = _task_of(args)
        training = NetworkTraining(
            args.out,
            args.seed,
            step_size=args.step_size,
            start=args.start,
            adds_weights=not args.pruned,
            task=task,
            is_cancelled=switch.is_cancelled,
        )

        def report(progress: "TrainingProgress") -> None:
            figures = progress.figures
            output.emit({"moves": progress.moves, "seconds": progress.seconds, **figures})
            text = mark("{moves:,.0f} million moves, {speed:.2f} million a second")
            speed = task.chunk / progress.seconds / 1e6
            said = tr(text, moves=progress.moves / 1e6, speed=speed)
            note(f"{said}; {_came(figures, args.late)}")

        training.run(args.millions * 1_000_000, report, is_cancelled=switch.is_cancelled)
    output.show(tr("{path} has learned from {n:,} moves", path=args.out, n=training.moves))
    return DONE


def _came(figures: Mapping[str, float], is_late: bool) -> str:
    if is_late:
        return tr(
            "a fifth large tile well placed from three in {three}, from four in {four}; "
            "a 32768 from there in {five}",
            three=percent_text(figures["fifth_of_three"], 1),
            four=percent_text(figures["fifth_of_four"], 1),
            five=percent_text(figures["won_of_five"], 1),
        )
    text = mark("games from an empty board: mean score {mean:,.0f}, 16384 in {reached}")
    return tr(text, mean=figures["mean"], reached=percent_text(figures[f"sum_{1 << 14}"], 1))


def _files_of(out: Path) -> list[Path]:
    from ai.train.training_files import beside

    return [beside(out, suffix) for suffix in ("", ".csv", ".state")]


def _task_of(args: argparse.Namespace) -> "Task":
    from ai.train.network_training import LATE_GAMES, WHOLE_GAMES

    task = LATE_GAMES if args.late else WHOLE_GAMES
    if not args.gpu:
        return task
    from ai.train.gpu_games import CHUNK
    from ai.train.gpu_late_games import GpuLateGames
    from ai.train.gpu_whole_games import GpuWholeGames

    games = GpuLateGames() if args.late else GpuWholeGames()
    return task._replace(
        train=games.train, gather=games.gather, chunk=CHUNK, clock=time.perf_counter
    )


def _export(args: argparse.Namespace) -> int:
    from ai.evaluation.game_net_file import write_game_net
    from ai.train.network_training import read_state_to_export

    check_apart(net=args.net, out=args.out)
    check_writable(args.out)
    training, task, moves = read_state_to_export(args.net)
    keep = args.keep * 1_000_000 if args.keep else training.weights.size
    with writing(args.out):
        n = write_game_net(
            args.out, training.weights, training.errors[1::2], args.unit, keep, task.exported_sums
        )
    output = Output(args.json)
    output.emit({"moves": moves, "weights": n, "bytes": args.out.stat().st_size})
    text = mark("{path} has {n:,} weights, {size:.1f} MB, learned from {moves:,} moves")
    output.show(tr(text, path=args.out, n=n, size=args.out.stat().st_size / 1e6, moves=moves))
    return DONE


def _chances(args: argparse.Namespace) -> int:
    from dataclasses import asdict

    from ai.chances.model import write_model
    from ai.dispatch.open_tables import OpenTables
    from ai.train.chance_positions import Collector
    from ai.train.chance_training import train_chances

    check_writable(args.out)
    output = Output(args.json)
    tables = OpenTables(table_folders_of(args))
    collector = Collector(tables.tables(), args.seed)

    def report(game: int, n_positions: int) -> None:
        output.emit({"game": game, "positions": n_positions})
        if game % 100 == 0:
            note(tr("{game:,} games, {n:,} positions", game=game, n=n_positions))

    model, qualities = train_chances(collector, args.games, args.seed, report)
    tables.close()
    with writing(args.out):
        write_model(args.out, model)
    output.emit({name: quality and asdict(quality) for name, quality in qualities.items()})
    exact = qualities["exact"]
    if exact is None:
        output.show(tr("{path} is written; no table covered any position", path=args.out))
        return DONE
    text = mark(
        "{path}: on {n:,} positions of held-out games that tables know, chances are off by "
        "{error} on average (expected calibration error)"
    )
    output.show(tr(text, path=args.out, n=exact.n, error=percent_text(exact.expected_error, 2)))
    return DONE


def _read_config(path: Path) -> "TrainingConfig":
    from ai.train.genetic import checked_config

    data = read_json(path, tr("the configuration of a training"), _MAX_BYTES, PlayError)
    try:
        return checked_config(data)
    except WeightsError as error:
        raise WeightsError("{place}: {problem}", place=path, problem=error) from error


def _now() -> str:
    return datetime.now(timezone.utc).isoformat(timespec="seconds")


def _step_size(text: str) -> float:
    size = number_or_nan(text)
    if not 0 < size <= 1:
        raise ArgumentRefusedError("{text!r}: expected a number above 0, at most 1", text=text)
    return size


def _unit(text: str) -> float:
    unit = number_or_nan(text)
    if not _MIN_UNIT <= unit <= _MAX_UNIT:
        message = mark("{text!r}: expected a number from {low} to {high}")
        raise ArgumentRefusedError(message, text=text, low=_MIN_UNIT, high=_MAX_UNIT)
    return unit
