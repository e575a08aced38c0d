"""A hundred thousand malformed requests: no bug, no leak, no growth.

python -m tests.bench.attack_service TABLES [-n N] [--seed S]

Starts the command `serve` on the tables in a folder, sends what `tests.web.hostile_requests`
makes, and watches the service meanwhile: its answers, memory, open files and threads. Ends with
status 1 if something is wrong.
"""

import argparse
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from pathlib import Path

import psutil

from tests.web.hostile_requests import hostile_requests
from tests.web.served import Served, command, port_of

N_AT_ONCE = 200
_PART = 10_000
_MAX_GROWTH_BYTES = 64 << 20


def main() -> int:
    """Attack, look, and return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("tables", type=Path)
    parser.add_argument("-n", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        options = ("--rate", 1_000_000, "--json", "--tables", args.tables)
        with command(Path(data), *options) as process:
            served, watched = Served(port_of(process)), psutil.Process(process.pid)
            problems = attack(served, watched, args.n, args.seed)
        if process.returncode:
            problems.append(f"exit status {process.returncode}")
        log = Path(data, "logs", "serve.log").read_text(encoding="utf-8")
        if "Traceback" in log:
            problems.append(f"tracebacks in the log: {log[log.index('Traceback') :][:2000]}")
    print(*problems or ["nothing is wrong"], sep="\n")
    return bool(problems)


def attack(served: Served, service: psutil.Process, n: int, seed: int) -> list[str]:
    """Return the faults found."""
    requests = hostile_requests(seed, n, served.port)
    statuses: Counter[str] = Counter()
    before = questions(served)
    rss = [service.memory_info().rss]
    began = time.monotonic()
    for first in range(0, n, _PART):
        with ThreadPoolExecutor(N_AT_ONCE) as pool:
            for answer in pool.map(served.raw, islice(requests, _PART)):
                statuses[answer[9:12].decode("latin-1") or "closed"] += 1
        time.sleep(1)
        rss.append(service.memory_info().rss)
        print(
            f"{first + _PART:7}: {rss[-1] >> 20} MiB, {service.num_fds()} files, "
            f"{service.num_threads()} threads, {time.monotonic() - began:.0f} s",
            flush=True,
        )
    print(dict(sorted(statuses.items())))
    problems = [f"{n} answers of {status}" for status, n in statuses.items() if status == "500"]
    if questions(served) != before:
        problems.append("it answers other than before")
    if service.num_fds() > 64:
        problems.append(f"{service.num_fds()} open files")
    if rss[-1] - rss[0] > _MAX_GROWTH_BYTES:
        problems.append(f"memory grew from {rss[0] >> 20} to {rss[-1] >> 20} MiB")
    return problems


def questions(served: Served) -> object:
    """Return the answers to regular requests; afterwards everything loaded only once is loaded."""
    boards = ("1120000000000000", "0102000021ffffff", "1234000011001000")
    for board in boards:
        served.post("/v1/best", {"board": board})
    served.post("/v1/grade", b"no game")
    return [
        served.get("/v1/tables").json,
        *(served.post("/v1/probe", {"board": b}).json for b in boards),
    ]


if __name__ == "__main__":
    sys.exit(main())
