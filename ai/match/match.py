"""Many games in several processes."""

import signal
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ai.baselines.ladder import LADDER, make_player
from ai.errors import PlayError
from ai.parent_watch import end_with_parent
from engine.platform.errors import AppError
from engine.platform.language import listed, mark

if TYPE_CHECKING:
    from ai.baselines.ladder_game import MoveStatistics
    from ai.game_result import GameResult
    from tablebase.cluster.connection import Cluster

NETWORK_SEARCH = "network-search"
PLAYERS = {
    "main": mark("all tables that apply, and search with the program's own evaluation"),
    NETWORK_SEARCH: mark("the same, but the search uses a network for whole games"),
    **{name: rung.about for name, rung in LADDER.items()},
}
"""The players by name, and what each is: marked, not translated."""

_PATIENCE_S = 1.0  # wait for a game before checking that all workers are alive


@dataclass(frozen=True)
class Match:
    """The settings of a match; its games only differ by their seeds."""

    player: str = "main"  # a name of `PLAYERS`
    ms: float | None = None
    # One of them: see `ai.match.players.MainPlayer.play`; neither for players of the ladder, which
    # have fixed budgets.
    nodes: int | None = None
    start: tuple[int, ...] | None = None  # 16 exponents to start from; None for two random tiles
    spawn4: float = 0.1
    weights: Path | None = None  # weights file to use instead of the player's own
    tables: tuple[Path, ...] = ()  # folders of tables, or of one table; none: search alone
    # Tables found at the start: games with other tables are not mixed.
    table_names: tuple[str, ...] = ()

    @property
    def budget_text(self) -> str:
        if self.ms is None and self.nodes is None:
            return "its own"  # no text
        return f"{self.ms:g} ms" if self.ms is not None else f"{self.nodes} nodes"


def play_all(
    match: Match,
    seeds: Iterable[int],
    jobs: int,
    on_move: "Callable[[MoveStatistics], object] | None" = None,
) -> "Iterator[GameResult]":
    """Yield the finished game of each seed, in order of completion, played by `jobs` processes.

    In this process, one job's, `on_move` is called with every move of a ladder player.
    """
    if jobs == 1:
        play = new_player(match, on_move)
        for seed in seeds:
            yield play(seed)
    else:
        yield from _play_in_processes(match, list(seeds), jobs)


def play_over(cluster: "Cluster", match: Match, seeds: Iterable[int]) -> "Iterator[GameResult]":
    """Yield the finished game of each seed, in seed order, played on the machines of a cluster.

    Files of weights and tables must have the same paths on all of them. Raises PlayError if a
    machine lacks a table.
    """
    weights = match.weights and match.weights.absolute()
    tables = tuple(path.absolute() for path in match.tables)  # machines work in other folders
    return cluster.map(play_seed, seeds, replace(match, weights=weights, tables=tables))


def play_seed(seed: int, match: Match) -> "GameResult":
    """Return the finished game of a seed, played with all tables of the match or not at all.

    The player is reused for the next one.
    """
    return _cached_player(match)(seed)


@lru_cache(maxsize=1)
def _cached_player(match: Match) -> "Callable[[int], GameResult]":
    if match.table_names:
        _check_tables(match)
    return new_player(match)


def _check_tables(match: Match) -> None:
    """Refuse to play without tables that the match was begun with: search would do instead."""
    from ai.dispatch.open_tables import OpenTables

    open_tables = OpenTables(match.tables, match.spawn4)
    there = {table.name for table in open_tables.tables()}
    open_tables.close()
    if lost := [name for name in match.table_names if name not in there]:
        text = mark(
            "a machine of the cluster can't use the tables {names}: all machines need the "
            "same tables in the same folders"
        )
        raise PlayError(text, names=listed(lost))


def new_player(
    match: Match, on_move: "Callable[[MoveStatistics], object] | None" = None
) -> "Callable[[int], GameResult]":
    if match.player in LADDER:
        from ai.baselines.ladder_game import play_game

        player = make_player(match.player, match.weights, match.spawn4)
        play_game(player, 0, max_moves=1)  # compile now: games are timed
        return partial(
            play_game,
            player,
            spawn4=match.spawn4,
            start=match.start,
            on_move=on_move,
            source=match.player,
        )
    from ai.evaluation.evaluation import DEFAULT_WEIGHTS
    from ai.evaluation.game_net_file import DEFAULT_NETWORK
    from ai.match.players import MainPlayer

    own = DEFAULT_NETWORK if match.player == NETWORK_SEARCH else DEFAULT_WEIGHTS
    main = MainPlayer(match.weights or own, match.spawn4, match.tables)
    return partial(main.play, ms=match.ms, nodes=match.nodes, start=match.start)


def _play_in_processes(match: Match, seeds: list[int], jobs: int) -> "Iterator[GameResult]":
    import multiprocessing  # slow to import, and --help needs the rest of this module

    context = multiprocessing.get_context("spawn")  # a fork would inherit threads and locks
    waiting: Any = context.Queue()
    waiting.cancel_join_thread()  # an end before the last game must not wait for all to be taken
    finished: Any = context.Queue()
    for seed in seeds:
        waiting.put(seed)
    n_workers = min(jobs, len(seeds))
    workers = [
        context.Process(target=_work, args=(match, waiting, finished), daemon=True)
        for _ in range(n_workers)
    ]
    for worker in workers:
        waiting.put(None)
        worker.start()
    try:
        for _ in seeds:
            yield _next_game(finished, workers)
    finally:
        for worker in workers:
            worker.terminate()


def _next_game(finished: Any, workers: list[Any]) -> "GameResult":
    import queue

    while True:
        try:
            game: GameResult | AppError = finished.get(timeout=_PATIENCE_S)
        except queue.Empty:
            for worker in workers:
                if worker.exitcode:
                    text = mark(
                        "a process that played ended with status {status}; what is "
                        "finished is kept, try fewer --jobs"
                    )
                    raise PlayError(text, status=worker.exitcode) from None
        else:
            if isinstance(game, AppError):
                raise game
            return game


def _work(match: Match, waiting: Any, finished: Any) -> None:
    end_with_parent()
    # Ctrl+C reaches all processes of a terminal; the one that started this one ends it.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        play = new_player(match)
        while (seed := waiting.get()) is not None:
            finished.put(play(seed))
    except AppError as error:  # such as weights that can't be read: told as with one job
        finished.put(error)
