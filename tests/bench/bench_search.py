"""How fast the search is: nodes a second on one core, and the time of fixed depths.

python -m tests.bench.bench_search [--depths 3 4 5] [--rounds 5] [--table-log2 18] [--threads 1]

A node is a position to move, all of whose moves are made and whose after-states are valued or
searched. The positions are of every phase of a game. Each round starts with an empty table, and
the figure is the median of the rounds, in time of this thread, so that other programs disturb
little. With --threads 2 the root is split among two threads, and the time is wall time.
"""

import argparse
import statistics
import time

import numpy as np

from ai.evaluation.evaluation import Evaluation, read_weights
from ai.search.parallel_search import ParallelSearch
from ai.search.search import Search, SearchSettings
from engine.bitboard import cells, parse_board

SUITE = {
    "opening": "0010_0120_1230_2431",
    "1024": "0000_0103_0216_1a84",
    "4096": "0001_1043_2165_c973",
    "8192, tight": "1213_3520_2763_dba8",
    "16384": "0002_0114_2357_ecb9",
    "16384, six large": "0000_1021_9352_edcb",
    "32768": "0011_1032_2574_fdb8",
    "32768, seven large": "0010_2001_a913_fedc",
}


def time_suite(search: Search, depth: int, rounds: int) -> tuple[float, int]:
    """Return the median seconds of a pass over the suite, and its nodes."""
    positions = [cells(parse_board(text)) for text in SUITE.values()]
    search.settings = SearchSettings(max_depth=depth)
    clock = time.perf_counter if isinstance(search, ParallelSearch) else time.thread_time
    seconds, nodes = [], 0
    for _ in range(rounds):
        nodes, spent = 0, 0.0
        for position in positions:
            search.forget()
            began = clock()
            nodes += search.by_nodes(position, 1 << 40).nodes
            spent += clock() - began
        seconds.append(spent)
    return statistics.median(seconds), nodes


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--depths", type=int, nargs="+", default=[3, 4, 5, 6])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--table-log2", type=int, default=18)
    parser.add_argument("--threads", type=int, default=1)
    args = parser.parse_args()
    evaluation = Evaluation(read_weights())
    search = Search(evaluation, table_size_log2=args.table_log2)
    if args.threads > 1:
        search = ParallelSearch(evaluation, args.threads, None, args.table_log2)
    search.by_nodes(np.array(cells(parse_board(SUITE["1024"]))).tolist(), 10)  # compiles
    for depth in args.depths:
        seconds, nodes = time_suite(search, depth, args.rounds)
        print(
            f"depth {depth}, {len(SUITE)} positions: {1000 * seconds:9.1f} ms, {nodes:>11,} nodes, "
            f"{nodes / seconds / 1e6:6.2f} million nodes a second"
        )


if __name__ == "__main__":
    main()
