"""How many boards the HTTP service looks up in a second, and how long one waits.

python -m tests.bench.bench_service TABLE [--seconds S] [--connections N] [--rate R]

Starts the command `serve` on a free port of this machine, and asks it from this process, over
connections that stay open: single boards as fast as answers come, single boards at a given rate
(the time counts from when a request was due, so waiting in line counts), and 1,000 boards a
request. Boards are those of games by best moves, in a different order on each connection; the
first seconds, in which layers are unpacked, are told apart. CPU is that of the service alone,
which says more than times do on a machine that is busy with other work.
"""

import argparse
import asyncio
import json
import os
import random
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

import psutil

from engine.game import Game
from engine.spawn import Rng
from tablebase.library.opening import open_table
from tests.web.served import TOKEN, command, port_of

N_GAMES, N_TOGETHER = 40, 1000


def boards_of(folder: Path) -> list[str]:
    """Return the positions of games by best moves."""
    found = []
    with open_table(folder) as table:
        for seed in range(N_GAMES):
            walls = bool(table.formation.walls)
            game = Game(table.start_board(Rng(seed)), seed=seed, walls=walls, merge_32768=False)
            while not game.is_over:
                answer = table.get(game.clamped_bitboard, comes_up=True)
                if answer is None or answer.best is None:
                    break
                found.append(game.text)
                game.move(answer.best)
    return found


class Load:
    """Requests to the service, and their times."""

    def __init__(self, port: int, service: psutil.Process) -> None:
        self._port, self._service = port, service
        self.times_s: list[float] = []
        self.n_failed = 0
        self.cpu_s = 0.0

    def request(self, body: object) -> bytes:
        """Return the bytes of a question."""
        data = json.dumps(body).encode()
        head = (
            f"POST /v1/probe HTTP/1.1\r\nHost: 127.0.0.1:{self._port}\r\n"
            f"Authorization: Bearer {TOKEN}\r\nContent-Length: {len(data)}\r\n\r\n"
        )
        return head.encode() + data

    async def run(
        self, requests: Sequence[bytes], n_connections: int, seconds: float, rate: float = 0
    ) -> float:
        """Ask for some seconds, at so many requests a second; return how many were answered."""
        self.times_s, self.n_failed = [], 0
        cpu_before_s = self._used_s()
        began = time.perf_counter()
        asking = (
            self._ask(requests, i, began + seconds, n_connections / rate if rate else 0)
            for i in range(n_connections)
        )
        await asyncio.gather(*asking)
        self.cpu_s = self._used_s() - cpu_before_s
        return len(self.times_s) / (time.perf_counter() - began)

    def _used_s(self) -> float:
        used = self._service.cpu_times()
        return used.user + used.system

    async def _ask(
        self, requests: Sequence[bytes], seed: int, until: float, every_s: float
    ) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port)
        rng = random.Random(seed)
        due = time.perf_counter() + rng.random() * every_s
        while due < until:
            if every_s:
                await asyncio.sleep(max(0.0, due - time.perf_counter()))
            writer.write(rng.choice(requests))
            head = await reader.readuntil(b"\r\n\r\n")
            length = head.lower().partition(b"content-length: ")[2].partition(b"\r\n")[0]
            await reader.readexactly(int(length))
            self.n_failed += not head.startswith(b"HTTP/1.1 200")
            now = time.perf_counter()
            self.times_s.append(now - due)
            due = due + every_s if every_s else now
        writer.close()

    def line(self, what: str, per_second: float) -> str:
        """Return the measurements as a line."""
        times = sorted(self.times_s)
        half, most = times[len(times) // 2], times[int(len(times) * 0.99)]
        return (
            f"{what:32} {per_second:8.0f} a second, half within {1e3 * half:.2f} ms, 99 % within "
            f"{1e3 * most:.2f} ms, all within {1e3 * times[-1]:.1f} ms, {self.n_failed} failed, "
            f"{1e3 * self.cpu_s / len(times):.3f} ms of CPU a request"
        )


async def measure(
    port: int, service: psutil.Process, boards: list[str], table: str, args: argparse.Namespace
) -> None:
    """Measure and print."""
    load = Load(port, service)
    single = [load.request({"board": board, "tables": [table]}) for board in boards]
    rng = random.Random(0)
    batches = [rng.choices(boards, k=N_TOGETHER) for _ in range(20)]
    many = [load.request({"boards": batch, "tables": [table]}) for batch in batches]
    print(load.line("first seconds, 4 connections", await load.run(single, 4, 3)))
    for n in (1, 4, args.connections):
        per_second = await load.run(single, n, args.seconds)
        print(load.line(f"single boards, {n} connections", per_second))
    for rate in args.rate:
        per_second = await load.run(single, args.connections, args.seconds, rate)
        print(load.line(f"single boards at {rate:.0f} a second", per_second))
    per_second = await load.run(many, 1, args.seconds)
    print(load.line(f"{N_TOGETHER} boards a request", per_second * N_TOGETHER))


def main() -> None:
    """Start the service, ask it, end it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("table", type=Path)
    parser.add_argument("--seconds", type=float, default=10.0)
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--rate", type=float, nargs="*", default=[1000.0, 2000.0])
    args = parser.parse_args()
    boards = boards_of(args.table)
    print(f"{len(boards)} boards; load before: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
    with tempfile.TemporaryDirectory() as data:
        options = ("--rate", 1_000_000, "--json", "--tables", args.table.parent)
        with command(Path(data), *options) as process:
            used = psutil.Process(process.pid)
            asyncio.run(measure(port_of(process), used, boards, args.table.name, args))
            print(f"service: {used.memory_info().rss >> 20} MiB")


if __name__ == "__main__":
    main()
