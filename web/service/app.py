"""The paths of the service, and the part of it that answers each."""

import asyncio
import gc
import json
import math
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from ai.choice import choice_of
from ai.dispatch.thinker import Budget
from ai.thinking_time import HINT_MS, WHOLE_GAME_MS
from coach.grading.grade import MIN_LISTED_MOVES
from coach.reasons.words import hint_event
from engine.bitboard import DIRECTIONS
from engine.formats.board_text import read_board
from engine.formats.replay_rules import SIZE_LIMIT_BYTES
from engine.platform.errors import AppError
from engine.platform.language import tr
from engine.platform.project_files import APP_TITLE
from tablebase.probe.answers import Answer
from web.service.analyses import AnalysisJobs
from web.service.builds import ServiceBuilds
from web.service.games import Games, game_event
from web.service.grading import Grader
from web.service.guard import API, RequestLimits, refuse
from web.service.jobs import Event
from web.service.judging import judged_position
from web.service.lan import qr_rows
from web.service.openapi import Endpoint, Operation, document_of, openapi
from web.service.page import PageFile
from web.service.refusals import RequestError, refusal_of
from web.service.requests import (
    MAX_BOARDS,
    MAX_GAME_MS,
    MAX_MS,
    AnalyzeRequest,
    BuildRequest,
    GameRequest,
    JudgeRequest,
    MoveRequest,
    ProbeRequest,
    SearchRequest,
    read_body,
)
from web.service.searching import Searcher
from web.service.tables import ServedTables
from web.service.workers import Worker

GRADE, ANALYSES = f"{API}/grade", f"{API}/analyses"
_NOTHING_BETWEEN = (",", ":")


def request_limits(per_second: float) -> RequestLimits:
    return RequestLimits(
        per_second, larger_bodies=dict.fromkeys((GRADE, ANALYSES), SIZE_LIMIT_BYTES)
    )


@dataclass(frozen=True)
class Parts:
    """The parts that answer requests."""

    tables: ServedTables  # for single boards; used on one thread only
    search: Searcher
    grading: Grader
    analyses: AnalysisJobs
    games: Games
    builds: ServiceBuilds | None  # None if nobody may build
    page: dict[str, PageFile]  # the files for browsers, by path
    spawn4: float  # how often a new tile is a 4 in searches
    version: str
    is_eager: bool = False  # whether to load at the start what the first requests would wait for
    # The address for other devices of the network, with the token; None if none may connect.
    link: str | None = None


def make_app(parts: Parts) -> ASGIApp:
    """Return the application, without its guard."""
    service = _Service(parts)
    operations = service.operations()
    schema = openapi(APP_TITLE, parts.version or "0", operations)
    answers: defaultdict[str, dict[str, Endpoint]] = defaultdict(dict)
    for operation in operations:
        answers[operation.path][operation.method] = operation.endpoint
    answers["/openapi.json"] = {"GET": _always(json.dumps(schema).encode(), "application/json")}
    html = "text/html; charset=utf-8"  # no text
    answers["/docs"] = {"GET": _always(document_of(schema).encode(), html)}
    for path, file in parts.page.items():
        answer = _always(file.data, file.media_type, {"cache-control": "no-cache"})
        answers[path] = {"GET": answer, "HEAD": answer}
    return Router(
        [Route(path, _Path(methods)) for path, methods in answers.items()],
        redirect_slashes=False,
        default=_nothing_here,
        lifespan=service.lifespan,
    )


class _Path:
    """A path as an ASGI application: its answers, by method."""

    def __init__(self, answers: Mapping[str, Endpoint]) -> None:
        self._answers = answers

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        try:
            answer = self._answers.get(request.method)
            if answer is None:
                text = tr("this path does not take that method: /docs lists those it takes")
                raise RequestError(405, text, {"allow": ", ".join(self._answers)})
            response = await answer(request)
        except AppError as error:
            await refuse(send, refusal_of(error))
        else:
            await response(scope, receive, send)


async def _nothing_here(_scope: Scope, _receive: Receive, send: Send) -> None:
    await refuse(send, RequestError(404, tr("there is nothing here: /docs lists the paths")))


class _Service:
    """The answers to requests; errors in a request are raised as AppError."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._probing = Worker("probing", max_waiting=512)

    @asynccontextmanager
    async def lifespan(self, _app: object) -> AsyncIterator[None]:
        parts = self._parts
        getting_ready = asyncio.create_task(self._get_ready()) if parts.is_eager else None
        try:
            yield
        finally:
            if getting_ready:
                getting_ready.cancel()
            if parts.builds:
                await parts.builds.close()
            await parts.analyses.close()
            parts.search.close()
            parts.grading.close()
            self._probing.close()
            parts.tables.close()

    async def _get_ready(self) -> None:
        await self._probing.run(partial(self._parts.tables.choose, None))
        await self._parts.search.get_ready()
        gc.collect()
        gc.freeze()  # what is loaded stays: a garbage collection of it takes 0.1 s each time

    def operations(self) -> list[Operation]:
        """Return what the service answers, in the order of its documentation."""
        kinds = ("games", "analyses", "builds")
        game, analysis, build = (f"{API}/{kind}/{{name}}" for kind in kinds)  # no text
        return [
            Operation("GET", API, self.about),
            Operation("GET", f"{API}/link", self.link),
            Operation("GET", f"{API}/tables", self.tables),
            Operation("POST", f"{API}/probe", self.probe, ProbeRequest),
            Operation("POST", f"{API}/judge", self.judge, JudgeRequest),
            Operation("POST", f"{API}/best", self.best, SearchRequest),
            Operation("POST", f"{API}/search", self.search, SearchRequest),
            Operation("POST", GRADE, self.grade),
            Operation("POST", ANALYSES, self.begin_analysis),
            Operation("GET", analysis, self.analysis),
            Operation("GET", f"{analysis}/events", self.analysis_events),
            Operation("DELETE", analysis, self.cancel_analysis),
            Operation("POST", f"{API}/games", self.begin_game, GameRequest),
            Operation("GET", game, self.game),
            Operation("POST", f"{game}/moves", self.move, MoveRequest),
            Operation("POST", f"{game}/undo", self.undo),
            Operation("DELETE", game, self.end_game),
            Operation("GET", f"{API}/builds", self.builds),
            Operation("POST", f"{API}/builds", self.begin_build, BuildRequest),
            Operation("GET", build, self.build),
            Operation("GET", f"{build}/events", self.build_events),
            Operation("DELETE", build, self.cancel_build),
        ]

    async def about(self, _request: Request) -> Response:
        """Return the version and what this service may do."""
        return _json(
            {
                "version": self._parts.version,
                "allow_builds": self._parts.builds is not None,
                "spawn4": self._parts.spawn4,
                "most_boards": MAX_BOARDS,
                "most_ms": MAX_MS,
            }
        )

    async def link(self, _request: Request) -> Response:
        """Return the address for other devices of the network, and its QR code row by row."""
        link = self._parts.link
        if link is None:
            text = tr("other devices are not let in: start the service with --lan")
            raise RequestError(404, text)
        return _json({"url": link, "rows": qr_rows(link)})

    async def tables(self, _request: Request) -> Response:
        """List the tables, as `tables --json` does."""
        return _json({"tables": await self._probing.run(self._parts.tables.listed)})

    async def probe(self, request: Request) -> Response:
        """Look up the success rates of a board, or of many, as `probe --json` does."""
        body = read_body(await request.body(), ProbeRequest)
        if (body.board is None) == (body.boards is None):
            raise RequestError(400, tr("expected 'board' or 'boards', one of the two"))
        if body.board is not None:
            answer = await self._probed(body.board, body.tables, body.after)
            return _json(answer, 422 if "error" in answer else 200)
        boards = body.boards or []
        parts = self._parts.tables.look_ups(boards, body.tables, body.after)
        answers: dict[int, Answer] = {}
        while (part := await self._probing.run(lambda: next(parts, None))) is not None:
            answers |= part
        return _json({"answers": [answers[i] for i in range(len(boards))]})

    async def _probed(self, board: str, names: Sequence[str] | None, after: bool) -> Answer:
        """Return the answer about a board: immediately if that takes only microseconds."""
        tables = self._parts.tables
        answer = tables.look_up_at_once(board, names, after) if self._probing.is_idle else None
        if answer is None:
            answer = await self._probing.run(partial(tables.look_up, board, names, after))
        return answer

    async def judge(self, request: Request) -> Response:
        """Return the rate and grade of each move of a table's position, or of a start position."""
        body = read_body(await request.body(), JudgeRequest)

        def judged() -> dict[str, Any]:
            (table,) = self._parts.tables.choose([body.table])
            return judged_position(table, body.board, body.seed, body.follows)

        return _json(await self._probing.run(judged))

    async def best(self, request: Request) -> Response:
        """Return the AI's move on a board and the reason, as `hint --json` does."""
        body, cells, budget = _search_of(await request.body())
        result = await self._parts.search.best(cells, budget)
        choice = choice_of(result.decision)
        return _json(hint_event(body.board, cells, choice, self._parts.spawn4))

    async def search(self, request: Request) -> Response:
        """Search a board step by step: JSON lines, or server-sent events if they are accepted."""
        _body, cells, budget = _search_of(await request.body())
        return _stream(self._parts.search.events(cells, budget), request)

    async def grade(self, request: Request) -> Response:
        """Judge the moves of a recorded game, which is the body, as `analyze --json` does.

        In the query: `table` (may be repeated), `least_moves`, `strict=1`, `moves=1` for every
        move.
        """
        options = _analysis_of(request)
        return _json(await self._parts.grading.grade(await request.body(), options))

    async def begin_analysis(self, request: Request) -> Response:
        """Judge a whole recorded game, which is the body, as `analyze --engine --json` does.

        Where no table rates a position, search does. In the query: what `/v1/grade` takes, and `ms`
        for a move. It takes a while: the answer has the `id` to ask for the result with.
        """
        options = _analysis_of(request)
        return _json(await self._parts.analyses.begin(await request.body(), options), 202)

    async def analysis(self, request: Request) -> Response:
        """Return the progress of a game's analysis, and at its end the findings, as `result`."""
        return _json(self._parts.analyses.jobs.find(_name_in(request)).outcome)

    async def analysis_events(self, request: Request) -> Response:
        """Send the progress of a game's analysis whenever it changes, until it has ended."""
        return _stream(self._parts.analyses.jobs.find(_name_in(request)).changes(), request)

    async def cancel_analysis(self, request: Request) -> Response:
        """End the analysis of a game; its result is what it has found by then."""
        return _json(await self._parts.analyses.cancel(_name_in(request)), 202)

    async def begin_game(self, request: Request) -> Response:
        """Start a game."""
        body = read_body(await request.body() or b"{}", GameRequest)
        return _json(self._parts.games.begin(body), 201)

    async def game(self, request: Request) -> Response:
        """Return the state of a game."""
        name = _name_in(request)
        return _json(game_event(name, self._parts.games.find(name)))

    async def move(self, request: Request) -> Response:
        """Make a move in a game, or let the AI make the best one."""
        body, name = read_body(await request.body(), MoveRequest), _name_in(request)
        games = self._parts.games
        if body.move != "best":
            return _json(games.move(name, DIRECTIONS.index(body.move)))
        game = games.find(name)
        board = game.cells
        result = await self._parts.search.best(board, Budget(ms=body.ms))
        if result.decision.direction is None or game.cells != board:
            raise RequestError(409, tr("no move is legal, or the game has gone on meanwhile"))
        event = games.move(name, result.decision.direction)
        move = DIRECTIONS[result.decision.direction]
        return _json({**event, "move": move, "source": result.decision.source})

    async def undo(self, request: Request) -> Response:
        """Take back the last move of a game."""
        return _json(self._parts.games.undo(_name_in(request)))

    async def end_game(self, request: Request) -> Response:
        """Forget a game."""
        self._parts.games.end(_name_in(request))
        return Response(status_code=204)

    async def builds(self, _request: Request) -> Response:
        """List the requested builds, the last one first."""
        return _json({"builds": [build.progress for build in self._builds().jobs.every()]})

    async def begin_build(self, request: Request) -> Response:
        """Build a table, or resume its build, as the command `build` does."""
        builds = self._builds()
        return _json(await builds.begin(read_body(await request.body(), BuildRequest)), 202)

    async def build(self, request: Request) -> Response:
        """Return the progress of a build."""
        return _json(self._builds().jobs.find(_name_in(request)).progress)

    async def build_events(self, request: Request) -> Response:
        """Send the progress of a build whenever it changes, until it has ended."""
        return _stream(self._builds().jobs.find(_name_in(request)).changes(), request)

    async def cancel_build(self, request: Request) -> Response:
        """Cancel a build; its finished parts stay, and the same build resumes from there."""
        return _json(self._builds().cancel(_name_in(request)), 202)

    def _builds(self) -> ServiceBuilds:
        if self._parts.builds is None:
            text = tr("this service only reads: start it with --allow-builds to build tables")
            raise RequestError(403, text)
        return self._parts.builds


def _always(data: bytes, media_type: str, headers: Mapping[str, str] | None = None) -> Endpoint:
    async def answer(_request: Request) -> Response:
        return Response(data, headers=headers, media_type=media_type)

    return answer


def _search_of(data: bytes) -> tuple[SearchRequest, tuple[int, ...], Budget]:
    body = read_body(data, SearchRequest)
    if body.ms is not None and body.nodes is not None:
        raise RequestError(400, tr("expected 'ms' or 'nodes', not both"))
    ms = HINT_MS if body.ms is None else body.ms
    budget = Budget(nodes=body.nodes, ms=ms if body.nodes is None else float(MAX_MS))
    return body, read_board(body.board).cells, budget


def _analysis_of(request: Request) -> AnalyzeRequest:
    query = request.query_params
    least_moves = query.get("least_moves", str(MIN_LISTED_MOVES))
    if not (least_moves.isascii() and least_moves.isdigit() and len(least_moves) < 7):
        raise RequestError(400, tr("'least_moves' is not a whole number from 0 to 999999"))
    try:
        ms = float(query.get("ms", "")[:20] or WHOLE_GAME_MS)
    except ValueError:
        ms = math.nan
    if not 0.1 <= ms <= MAX_GAME_MS:
        raise RequestError(400, tr("'ms' is not a number from 0.1 to {most}", most=MAX_GAME_MS))
    return AnalyzeRequest(
        tables=query.getlist("table") or None,
        least_moves=int(least_moves),
        is_strict=query.get("strict") == "1",
        ms=ms,
        with_moves=query.get("moves") == "1",
    )


def _name_in(request: Request) -> str:
    return str(request.path_params["name"])


def _json(value: Any, status: int = 200) -> Response:
    body = json.dumps(value, separators=_NOTHING_BETWEEN)
    headers = {"cache-control": "no-store"}
    return Response(body, status, headers, media_type="application/json")


def _stream(events: AsyncIterator[Event], request: Request) -> Response:
    """Return a response that sends events as they come: as lines of JSON or for an EventSource."""
    is_sse = "text/event-stream" in request.headers.get("accept", "")
    before, after = ("data: ", "\n\n") if is_sse else ("", "\n")

    async def lines() -> AsyncIterator[str]:
        try:
            async for event in events:
                yield before + json.dumps(event, separators=_NOTHING_BETWEEN) + after
        except AppError as error:
            event = {"event": "error", "message": str(refusal_of(error))}
            yield before + json.dumps(event) + after

    kind = "text/event-stream" if is_sse else "application/x-ndjson"
    return StreamingResponse(lines(), media_type=kind, headers={"cache-control": "no-store"})
