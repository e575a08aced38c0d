"""Tables built by several machines: the same bytes, whatever the machines do meanwhile."""

import posixpath
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from child import contents
from small_formations import TALL

from engine.platform.cli.control import cancellable
from tablebase.build.builder import BuildPlan, Progress, build
from tablebase.build.layers import Layers
from tablebase.build.worker_pool import LayerPool
from tablebase.cluster import connection, spread_layers
from tablebase.cluster.connection import Cluster, ClusterError, connected, connected_if_needed
from tablebase.cluster.spread_layers import SpreadBits, SpreadLayers, spread_by
from tablebase.errors import BuildCancelledError, FormationError
from tablebase.formation.formation import Formation
from tablebase.formation.goal import check_target
from tablebase.rank.space import Space
from tablebase.store.options import TableOptions

pytestmark = [
    pytest.mark.xdist_group("cluster"),
    pytest.mark.skipif(find_spec("ray") is None, reason="needs the extra cluster"),
]

SIZES = {"n_cells": 3, "here_boards": 100}  # smaller layers stay here
SIZES_OF_TALL = {**SIZES, "here_boards": 8000}  # before and after those of a third of the layers
LITTLE = 20_000  # bytes that a machine takes of a layer at once: less than layers have
MACHINE = {"num_cpus": 1, "object_store_memory": 80 << 20}


@pytest.fixture(scope="module")
def machines(project_root: Path) -> Iterator[Any]:
    """Two machines with a processor each; the first one stays."""
    from ray.cluster_utils import Cluster as Machines

    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(project_root))
        found = Machines(
            initialize_head=True, head_node_args={**MACHINE, "include_dashboard": False}
        )
        found.add_node(**MACHINE)
        yield found
        found.shutdown()


@pytest.fixture(scope="module")
def cluster(machines: Any) -> Iterator[Cluster]:
    with connected(machines.address) as found:
        yield found


@pytest.fixture(scope="module")
def formations(formations: dict[str, Formation]) -> dict[str, Formation]:
    """The usual ones, and two of many cells."""
    return {
        **formations,
        "tallmirror": TALL,
        "tall": replace(TALL, name="tall", symmetry="identity"),
    }


def plan_of(formation: Formation, target: int, folder: Path, **options: Any) -> BuildPlan:
    return BuildPlan(formation, target, folder, TableOptions(**options), threads=1)


CASES: dict[str, tuple[str, int, dict[str, Any]]] = {
    "fixed": ("tall", 64, {}),
    "mirrored": ("tallmirror", 64, {}),
    "transposed": ("tinycorner", 64, {}),
    "transposed, of many classes": ("tinyangle", 64, {}),
    "one class": ("tinymirror", 64, {}),
    "large tiles that move": ("tinyshift", 64, {}),
    "limited": ("tall", 64, {"most_equal": 2, "large_from": 16}),
    "levels, sparse": ("tall", 64, {"rate": "uint16", "sparse": 4}),
    "optimal play": ("tall", 64, {"optimal_only": True}),
}


WHOLE_TOO = ("transposed, of many classes", "large tiles that move", "levels, sparse")


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("case", "whole_bytes"),
    [
        *(pytest.param(case, 1 << 30, id=f"{case}-whole") for case in WHOLE_TOO),
        *(pytest.param(case, LITTLE, id=f"{case}-in cells") for case in CASES),
    ],
)
def test_the_bytes_are_those_of_one_machine(case, whole_bytes, cluster, formations, tmp_path):
    name, target, options = CASES[case]
    plan = plan_of(formations[name], target, tmp_path / "spread", **options)
    sizes = SIZES_OF_TALL if name.startswith("tall") else SIZES
    spread = spread_by(lambda: cluster, whole_bytes=whole_bytes, **sizes)
    result = build(plan, spread=spread)
    local = build(replace(plan, folder=tmp_path / "local"))
    assert contents(plan.folder) == contents(tmp_path / "local")
    assert (result.boards, result.stored) == (local.boards, local.stored)
    assert result.cpu_s > 0


@pytest.mark.thorough  # starts the machines, as others with `cluster`
@pytest.mark.parametrize(
    ("name", "few_steps", "is_spread"),
    [("tall", 4, True), ("tinyangle", 4, False), ("tinyangle", 2, True)],
)
def test_one_of_few_machines_keeps_layers_whose_rows_and_columns_may_be_exchanged(
    name, few_steps, is_spread, cluster, formations, tmp_path, monkeypatch
):
    for usual in ("_HERE_BOARDS", "_HERE_BOARDS_DIAGONAL"):
        monkeypatch.setattr(spread_layers, usual, 0)
    monkeypatch.setattr(spread_layers, "_FEW_STEPS", few_steps)
    plan = plan_of(formations[name], 64, tmp_path)
    local = Layers(Space(plan.formation, 64, 40), 0.1, LayerPool(1, lambda: False))
    spread = spread_by(lambda: cluster)(local, plan, lambda: False)
    pre = spread.spawn(1, [local.seeds(), None])
    assert isinstance(pre, SpreadBits) is is_spread


@pytest.mark.thorough
@pytest.mark.parametrize("case", ["transposed, of many classes", "one class", "limited"])
def test_layers_that_stay_are_packed_elsewhere(case, cluster, formations, tmp_path, monkeypatch):
    monkeypatch.setattr(spread_layers, "_PACKED_HERE", 100)
    name, target, options = CASES[case]
    plan = plan_of(formations[name], target, tmp_path / "spread", **options)
    made = list[SpreadLayers]()

    def noted(*given: Any) -> SpreadLayers:
        made.append(spread_by(lambda: cluster, here_boards=sys.maxsize)(*given))
        return made[0]

    build(plan, spread=noted)
    assert made[0].other_cpu_s > 0
    local = build(replace(plan, folder=tmp_path / "local"))
    assert contents(plan.folder) == contents(local.table)


def test_small_layers_need_no_connection(formations, tmp_path):
    plan = plan_of(formations["tallmirror"], 64, tmp_path)
    assert build(plan, spread=spread_by(lambda: pytest.fail("connected"))).boards > 0


def test_a_connection_is_made_when_needed_and_once(monkeypatch):
    happened = list[str]()

    @contextmanager
    def noted(address: str) -> Iterator[str]:
        happened.append(f"connected to {address}")
        yield "connection"
        happened.append("disconnected")

    monkeypatch.setattr(connection, "connected", noted)
    with connected_if_needed("auto"):
        pass
    assert not happened
    with connected_if_needed("auto") as connect:
        assert [connect(), connect()] == ["connection"] * 2
        assert happened == ["connected to auto"]
    assert happened == ["connected to auto", "disconnected"]


@pytest.mark.parametrize("is_partly_there", [False, True])
def test_missing_ray_is_told(is_partly_there, monkeypatch):
    monkeypatch.setitem(sys.modules, "ray", None)  # importing it fails, and it isn't found
    if is_partly_there:
        monkeypatch.setattr(connection, "find_spec", lambda name: name)
    with pytest.raises(ClusterError, match="needs Ray"), connected_if_needed("auto") as connect:
        connect() if is_partly_there else pytest.fail("not refused at once")


def test_a_request_to_end_still_cancels_the_command(monkeypatch):
    def init(**_: Any) -> None:
        signal.signal(signal.SIGTERM, lambda *_: pytest.fail("ended at once"))  # like Ray's

    machine = {"Alive": True, "NodeID": "1", "Resources": {"CPU": 1}}
    ray = SimpleNamespace(init=init, nodes=lambda: [machine], shutdown=lambda: None)
    monkeypatch.setitem(sys.modules, "ray", ray)
    monkeypatch.setattr(connection, "find_spec", lambda name: name)
    with cancellable() as switch, connected("auto"):
        signal.raise_signal(signal.SIGTERM)
        assert switch.is_cancelled()


def test_an_address_is_checked_before_it_is_needed():
    with (
        pytest.raises(ClusterError, match="no cluster answers"),
        connected_if_needed("127.0.0.1:1") as connect,
    ):
        pytest.fail(f"{connect} was given")


@pytest.mark.thorough
def test_more_threads_than_any_machine_has_are_refused(cluster, formations, tmp_path):
    plan = replace(plan_of(formations["tall"], 64, tmp_path), threads=2)
    with pytest.raises(ClusterError, match="at most --threads 1"):
        build(plan, spread=spread_by(lambda: cluster, **SIZES))


def stop_after(n_layers: int, folder: Path) -> Callable[[], bool]:
    return lambda: len(list(folder.glob("layer-*.tbl"))) > n_layers


@pytest.mark.thorough
@pytest.mark.parametrize("is_spread_first", [True, False])
def test_what_many_began_one_can_finish_and_the_other_way_round(
    is_spread_first, cluster, formations, tmp_path
):
    plan = plan_of(formations["tall"], 64, tmp_path / "spread")
    spread = spread_by(lambda: cluster, **SIZES)
    with pytest.raises(BuildCancelledError):
        build(
            plan,
            is_cancelled=stop_after(10, plan.folder),
            spread=spread if is_spread_first else None,
        )
    assert contents(plan.folder)
    build(plan, spread=None if is_spread_first else spread)
    local = build(replace(plan, folder=tmp_path / "local"))
    assert contents(plan.folder) == contents(local.table)


@pytest.mark.thorough
@pytest.mark.parametrize("phase", [pytest.param("expand", marks=pytest.mark.slow), "solve"])
def test_a_machine_lost_in_the_middle_changes_nothing(
    phase, machines, cluster, formations, tmp_path
):
    lost = [machines.add_node(**MACHINE)]

    def lose(progress: Progress) -> None:
        if progress.phase == phase and 15 < progress.layer < 40 and lost:
            machines.remove_node(lost.pop(), allow_graceful=False)

    plan = plan_of(formations["tall"], 64, tmp_path / "spread")
    build(plan, lose, spread=spread_by(lambda: cluster, here_boards=0))
    assert not lost
    local = build(replace(plan, folder=tmp_path / "local"))
    assert contents(plan.folder) == contents(local.table)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("nonsense", "HOST:PORT"),
        ("10.0.0.1:99999", "HOST:PORT"),
        ("10.0.0..1:6379", "HOST:PORT"),
        ("127.0.0.1:1", "no cluster answers at 127.0.0.1:1"),
    ],
)
@pytest.mark.thorough
def test_an_address_without_a_cluster_is_told(address, told):
    with pytest.raises(ClusterError, match=told), connected(address):
        pass


@pytest.mark.thorough
@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 400 Bad Request\r\n\r\n", b"SSH", b"abc\4more.", b""]
)
def test_another_program_at_the_address_is_told(answer):
    with socket.create_server(("127.0.0.1", 0)) as server, ThreadPoolExecutor(1) as pool:

        def serve() -> None:
            peer, _ = server.accept()
            with peer:
                peer.recv(1000)
                peer.sendall(answer)

        pool.submit(serve)
        address = f"127.0.0.1:{server.getsockname()[1]}"
        with pytest.raises(ClusterError, match="is not a cluster"), connected_if_needed(address):
            pass


@pytest.mark.thorough
def test_results_come_in_order_and_errors_as_they_were(cluster):
    names = [f"{number}" for number in range(20)]
    assert list(cluster.map(posixpath.join, names, "x")) == [f"{name}/x" for name in names]
    with pytest.raises(FormationError, match="65"):
        list(cluster.map(check_target, [64, 65]))


@pytest.mark.thorough
def test_a_machine_without_the_program_is_told(cluster):
    with pytest.raises(ClusterError, match="install"):
        list(cluster.map(test_a_machine_without_the_program_is_told, [1]))
