"""One connection to a cluster: tasks that are pure functions, and their results.

Ray schedules them, moves their data, and recomputes results that were lost with a machine. So a
task must give the same result wherever and however often it runs, and nothing here retries.
"""

import logging
import os
import signal
import socket
import threading
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from typing import Any, TypeVar

from engine.platform.errors import AppError
from engine.platform.language import tr
from tablebase.errors import DiskFullError

AUTO = "auto"
"""Replaces an address: a cluster of this machine alone, which ends with its user."""

_LOOPBACK = "127.0.0.1"  # Ray runs any code that reaches it: a local cluster must be private
_PATIENCE_S = 10.0  # until a machine that does not answer is reported
# How HTTP/2 begins, which Ray speaks; either side's first frame is of type 4, its settings.
_GREETING = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\4\0\0\0\0\0"
_LOOK_EVERY_S = 0.2  # longest delay of a request to stop
_AHEAD = 3  # tasks queued in the cluster per processor, so that none is idle

Item = TypeVar("Item")
Result = TypeVar("Result")


class ClusterError(AppError):
    """There is no cluster, or it cannot do the work."""


@contextmanager
def connected(address: str) -> "Iterator[Cluster]":
    """Yield a connection to ``HOST:PORT``, or to a local cluster for `AUTO`; raise ClusterError."""
    _check_there(address)
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # no usage statistics are sent
    ray = _load_ray()
    try:
        with _same_sigterm(), warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about other settings than ours
            ray.init(
                address="local" if address == AUTO else address,
                _node_ip_address=_LOOPBACK if address == AUTO else None,
                include_dashboard=False if address == AUTO else None,
                log_to_driver=False,
                configure_logging=False,
                logging_level=logging.ERROR,
            )
    except (OSError, RuntimeError, ValueError) as error:
        raise ClusterError(
            "the cluster {address} can't be used: {problem}. This command has to run on one "
            "of its machines, with the same versions of Ray and Python as the others, and "
            "with RAY_AUTH_MODE=token if the cluster asks for a token",
            address=address,
            problem=str(error).strip().split("\n")[0].rstrip("."),
        ) from error
    try:
        yield Cluster(ray)
    finally:
        with suppress(OSError, RuntimeError):
            ray.shutdown()


@contextmanager
def _same_sigterm() -> Iterator[None]:
    """Keep a command's own answer to SIGTERM: Ray's ends the process, whatever it is doing."""
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if callable(before) and threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, before)


@contextmanager
def connected_if_needed(address: str) -> "Iterator[Callable[[], Cluster]]":
    """The connection is made at the first call; without Ray or an answer it is refused at once."""
    _check_there(address)
    with ExitStack() as stack:
        yield cache(lambda: stack.enter_context(connected(address)))


def _check_there(address: str) -> None:
    """Refuse what can be refused without loading Ray, which takes a second or more."""
    if find_spec("ray") is None:
        raise _without_ray()
    if address != AUTO:
        _check_answers(address)


def _load_ray() -> Any:
    try:
        import ray
    except ImportError as error:  # only a part of it is installed
        raise _without_ray() from error
    return ray


def _without_ray() -> ClusterError:
    return ClusterError(
        tr("--cluster needs Ray: install it with pip install 'endgame2048[cluster]'")
    )


def _check_answers(address: str) -> None:
    """Refuse an address without a listener: Ray would try for minutes."""
    host, _, port = address.rpartition(":")
    no_address = ClusterError(
        "--cluster {address}: expected auto, or HOST:PORT of a cluster's first machine, "
        "such as 10.0.0.1:6379",
        address=address,
    )
    if not host or not (port.isascii() and port.isdigit() and 0 < int(port) < 1 << 16):
        raise no_address
    try:
        with socket.create_connection((host, int(port)), _PATIENCE_S) as peer:
            is_cluster = _answers_like_ray(peer)
    except UnicodeError as error:  # no host can have that name
        raise no_address from error
    except OSError as error:
        raise ClusterError(
            "no cluster answers at {address} ({problem}): start one there with ray start "
            "--head, or use --cluster auto to work on this machine alone",
            address=address,
            problem=error.strerror or error,
        ) from error
    if not is_cluster:
        raise ClusterError(
            "{address} is not a cluster: expected the address of its first machine, with the "
            "port of ray start --head, usually 6379",
            address=address,
        )


def _answers_like_ray(peer: socket.socket) -> bool:
    """Return whether a peer answers like a cluster: others would have Ray try for minutes."""
    if os.environ.get("RAY_USE_TLS", "0") not in ("", "0"):
        return True  # would not answer what is not encrypted
    peer.sendall(_GREETING)
    with peer.makefile("rb") as answer:
        return answer.read(9)[3:] == _GREETING[-6:]


class Cluster:
    """The connection that `connected` yields; `store_bytes` is for shared objects per processor."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        self._tasks: dict[tuple[Any, ...], Callable[..., Any]] = {}
        machines = [
            machine
            for machine in ray.nodes()
            if machine["Alive"] and machine["Resources"].get("CPU", 0) >= 1
        ]
        resources = [machine["Resources"] for machine in machines]
        if not resources:
            raise ClusterError(tr("the cluster has no processors: start workers with --num-cpus"))
        self.n_processors = sum(int(amounts["CPU"]) for amounts in resources)
        self._max_processors = max(int(amounts["CPU"]) for amounts in resources)
        # Each machine once per processor, in turn.
        turns = sorted(
            (k, machine["NodeID"])
            for machine in machines
            for k in range(int(machine["Resources"]["CPU"]))
        )
        self._places = [machine for _, machine in turns]
        self.store_bytes = min(
            int(amounts.get("object_store_memory", 0) / amounts["CPU"]) for amounts in resources
        )

    def task(
        self,
        function: Callable[..., Any],
        *,
        n_results: int = 1,
        n_processors: float = 1,
        place: int | None = None,
    ) -> Callable[..., Any]:
        """Return a function that starts calls of `function` somewhere, without waiting.

        Each call returns a reference to the result, or a list of `n_results` of them; references in
        its own arguments are waited for and replaced by their values. The function is pure and of a
        module, as it may be called again if a machine is lost; it keeps `n_processors` busy, and
        ClusterError is raised if no machine has that many: Ray would wait for one. Calls with the
        same `place`, from 0 on, go to one machine as long as it exists, and machines with more
        processors get more of the numbers.
        """
        if n_processors > self._max_processors:
            raise ClusterError(
                "no machine of the cluster has {n} processors for one step: use at most "
                "--threads {most}",
                n=n_processors,
                most=self._max_processors,
            )
        machine = None if place is None else self._places[place % len(self._places)]
        key = (function, n_results, n_processors, machine)
        if key not in self._tasks:
            options = {"num_returns": n_results, "num_cpus": n_processors, "max_retries": -1}
            if machine is not None:
                from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

                there = NodeAffinitySchedulingStrategy(machine, soft=True)
                options["scheduling_strategy"] = there
            self._tasks[key] = self._ray.remote(**options)(function).remote
        return self._tasks[key]

    def put(self, value: Any) -> Any:
        """Return a reference to a value that stays on this machine: it isn't lost with others."""
        return self._ray.put(value)

    def get(self, references: Sequence[Any], check: Callable[[], object]) -> list[Any]:
        """Return the values of references, as soon as all are available.

        `check` is called several times a second; an exception ends the waiting. AppError is an
        error of a task, ClusterError says that lost machines cannot be replaced.
        """
        waiting = list(references)
        while waiting:
            check()
            _, waiting = self._ray.wait(
                waiting, num_returns=len(waiting), timeout=_LOOK_EVERY_S, fetch_local=True
            )
        return self._results(references)

    def ready(self, references: Sequence[Any]) -> tuple[list[Any], list[Any]]:
        if not references:
            return [], []
        done, left = self._ray.wait(list(references), num_returns=len(references), timeout=0)
        return self._results(done), left

    def map(
        self,
        function: Callable[..., Result],
        items: Iterable[Item],
        *shared: Any,
        check: Callable[[], object] = lambda: None,
    ) -> Iterator[Result]:
        """Yield ``function(item, *shared)`` for each item, in order."""
        call = self.task(function)
        common = [self.put(value) for value in shared]
        waiting: deque[Any] = deque()
        for item in items:
            waiting.append(call(item, *common))
            if len(waiting) >= _AHEAD * self.n_processors:
                yield self.get([waiting.popleft()], check)[0]
        while waiting:
            yield self.get([waiting.popleft()], check)[0]

    def _results(self, references: Sequence[Any]) -> list[Any]:
        from ray.exceptions import RayError, RayTaskError

        try:
            results: list[Any] = self._ray.get(list(references))
        except RayTaskError as error:
            if isinstance(error.cause, AppError):
                raise error.cause from None
            if "failed to import on the worker" in str(error):
                raise ClusterError(
                    tr(
                        "a machine of the cluster lacks this program: install the same version, "
                        "with the same extras, on all of them"
                    )
                ) from error
            if "OutOfDiskError" in type(error).__name__:
                raise DiskFullError(
                    tr(
                        "a drive of the cluster is full, one where a machine keeps what doesn't "
                        "fit in its memory; everything finished so far is kept"
                    )
                ) from error
            raise
        except RayError as error:
            raise ClusterError(
                "the cluster can't go on: {problem}; everything finished so far is kept",
                problem=str(error).strip().split("\n")[0].rstrip("."),
            ) from error
        return results
