"""Builds requested over the service: the command `build`, in its own process."""

import asyncio
import logging
from collections.abc import Sequence
from pathlib import Path

from engine.platform.cli.console import CANCELLED, DONE
from engine.platform.events import read_event, to_plain
from engine.platform.language import tr
from engine.platform.project_files import own_command
from engine.platform.user_folders import UserFolders
from tablebase.errors import FormationError
from tablebase.events import BuildEvent
from tablebase.formation.goal import check_target, read_goal
from tablebase.formation.patterns_file import find_formation, load_formations
from web.service.jobs import Event, Job, Jobs
from web.service.refusals import RequestError
from web.service.requests import BuildTarget

_MAX_ERROR_BYTES = 1 << 16
_logger = logging.getLogger(__name__)


class Build(Job):
    """A build and its progress: its `event` is the last one that the command reported."""

    def __init__(self, request: BuildTarget) -> None:
        super().__init__()
        self.request = request
        self.process: asyncio.subprocess.Process | None = None
        self._is_to_end = False

    def start(self, process: asyncio.subprocess.Process) -> None:
        """Let a process do the build; it ends at once if the build was canceled before."""
        self.process = process
        if self._is_to_end:
            self.ask_to_end()

    def ask_to_end(self) -> None:
        """Close the stdin of its process, which ends the command."""
        self._is_to_end = True
        if self.process and self.process.stdin and self.state == "running":
            self.process.stdin.close()

    @property
    def progress(self) -> Event:
        progress = super().progress
        table = f"{self.request.pattern}_{self.request.target}"
        return {"id": progress.pop("id"), "table": table, **progress}


class ServiceBuilds:
    """One build at a time, into the tables of the data folder."""

    def __init__(self, folders: UserFolders, command: Sequence[str] | None = None) -> None:
        self._folders = folders
        self._command = list(command) if command else own_command()
        self.jobs = Jobs[Build](tr("there is no such build"))

    async def begin(self, request: BuildTarget) -> Event:
        """Start a build; RequestError if another one runs, or the formation is unknown."""
        if not all(build.is_over for build in self.jobs.every()):
            text = tr("a build is under way: wait for its end, or cancel it")
            raise RequestError(409, text)
        _check_goal(str(request.target))
        find_formation(request.pattern, load_formations(own=self._folders.patterns))
        build = Build(request)
        self.jobs.begin(build, self._run(build))
        return build.progress

    def cancel(self, name: str) -> Event:
        """Ask a build to end; its finished parts stay."""
        build = self.jobs.find(name)
        build.ask_to_end()
        return build.progress

    async def close(self) -> None:
        for build in self.jobs.every():
            build.ask_to_end()
        await self.jobs.wait()

    async def _run(self, build: Build) -> None:
        try:
            await self._run_command(build)
        except Exception as error:
            _logger.exception("a build could not be run")
            await build.change(state="failed", error=type(error).__name__)
        finally:
            if build.process and build.process.returncode is None:
                build.process.kill()
                await build.process.wait()

    async def _run_command(self, build: Build) -> None:
        data = ["--json", "--stdin-control", "--data-dir", str(self._folders.data)]
        process = await asyncio.create_subprocess_exec(
            *self._command,
            "build",
            *data,
            *build.request.words(),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
            limit=1 << 20,
        )
        build.start(process)
        assert process.stdout is not None
        assert process.stderr is not None
        errors = asyncio.create_task(_last_of(process.stderr))
        async for line in process.stdout:
            if event := read_event(line, BuildEvent):
                await build.change(event=_without_path(to_plain(event)))
        status = await process.wait()
        state = {DONE: "done", CANCELLED: "canceled"}.get(status, "failed")
        error = "" if state == "done" else self._without_folder(await errors)
        await build.change(state=state, error=error)

    def _without_folder(self, text: str) -> str:
        lines = text.replace(str(self._folders.data), "DATA").strip().splitlines()
        return lines[-1].removeprefix("error: ") if lines else ""


def _check_goal(text: str) -> None:
    """Refuse what isn't a goal: it becomes part of a command."""
    goal = read_goal(text)
    if goal is None:
        raise RequestError(
            400,
            tr(
                "{text!r} is not a target: expected a tile, 64, 128, ... 16384, or an even sum "
                "such as sum1800",
                text=text,
            ),
        )
    try:
        check_target(goal)
    except FormationError as error:
        raise RequestError(400, str(error)) from error


def _without_path(event: Event) -> Event:
    return {**event, "table": Path(event["table"]).name} if "table" in event else event


async def _last_of(stream: asyncio.StreamReader) -> str:
    """Return the end of a stream's text, however long the text is."""
    end = b""
    while data := await stream.read(_MAX_ERROR_BYTES):
        end = (end + data)[-_MAX_ERROR_BYTES:]
    return end.decode("utf-8", "replace")
