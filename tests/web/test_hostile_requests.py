"""Thousands of requests that no decent program sends: no bug, no leak, and all is well after.

``python -m tests.bench.attack_service`` sends a hundred thousand.
"""

import gc
import os
from concurrent.futures import ThreadPoolExecutor

import psutil
import pytest

from tests.web.hostile_requests import hostile_requests
from tests.web.served import Served, service
from web.service.connection import Patience

pytestmark = pytest.mark.thorough

N, N_AT_ONCE = 1500, 16
QUICK = Patience(head_s=0.5, body_s=0.5, stalled_s=0.5, look_s=0.05)


def n_open() -> int:
    gc.collect()
    return psutil.Process().num_fds() if os.name == "posix" else psutil.Process().num_handles()


def test_hostile_requests_do_no_harm(tables_folder, tmp_path, caplog):
    with service([tables_folder], tmp_path, patience=QUICK) as served:
        before = told(served)
        n_before = n_open()
        statuses: dict[bytes, int] = {}
        with ThreadPoolExecutor(N_AT_ONCE) as pool:
            for answer in pool.map(served.raw, hostile_requests(1, N, served.port)):
                statuses[answer[9:12]] = statuses.get(answer[9:12], 0) + 1
        assert told(served) == before
        assert n_open() <= n_before + 5
    assert not [status for status in statuses if status.startswith(b"50")], statuses
    assert {b"200", b"400", b"401", b"403", b"404", b"405"} <= set(statuses), statuses
    assert not [record for record in caplog.records if record.exc_info], caplog.text


def told(served: Served) -> object:
    board = {"board": "ffff_0204_4252_ffff", "tables": ["2x4_64"]}
    return served.post("/v1/probe", board).json, served.get("/v1/tables").json
