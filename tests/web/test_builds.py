"""Builds over the service, without the service: what is asked before a build's process is there."""

import asyncio
import sys
from pathlib import Path

from engine.platform.cli.console import CANCELLED
from engine.platform.user_folders import UserFolders
from web.service.builds import ServiceBuilds
from web.service.requests import BuildRequest

UNTIL_STDIN_ENDS = [sys.executable, "-c", f"import sys; sys.stdin.read(); sys.exit({CANCELLED})"]
LONG_S = 60


def builds_in(folder: Path) -> ServiceBuilds:
    return ServiceBuilds(UserFolders(folder, folder), UNTIL_STDIN_ENDS)


def test_a_build_that_is_cancelled_at_once_ends(tmp_path):
    async def play() -> str:
        builds = builds_in(tmp_path)
        name = (await builds.begin(BuildRequest(pattern="L3", target=2048)))["id"]
        assert builds.jobs.find(name).process is None, "else this shows nothing"
        builds.cancel(name)
        async for told in builds.jobs.find(name).changes():
            last = told["state"]
        return str(last)

    assert asyncio.run(asyncio.wait_for(play(), LONG_S)) == "canceled"


def test_a_service_that_closes_at_once_leaves_no_build_behind(tmp_path):
    async def play() -> str:
        builds = builds_in(tmp_path)
        name = (await builds.begin(BuildRequest(pattern="L3", target=2048)))["id"]
        await builds.close()
        return str(builds.jobs.find(name).state)

    assert asyncio.run(asyncio.wait_for(play(), LONG_S)) == "canceled"
