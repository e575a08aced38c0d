"""The paths of the service, and the part of it that answers each."""

import asyncio
import gc
import inspect
import json
import math
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import HTMLResponse, JSONResponse, Response, StreamingResponse
from starlette.exceptions import HTTPException

from ai.choice import choice_of
from ai.dispatch.thinker import Budget
from ai.thinking_time import HINT_MS, WHOLE_GAME_MS
from coach.grading.enough import MIN_LISTED_MOVES
from coach.reasons.hint import hint_event
from engine.bitboard import DIRECTIONS
from engine.formats.board_text import read_board
from engine.formats.following import SIZE_LIMIT_BYTES
from engine.platform.errors import AppError
from engine.platform.language import tr
from tablebase.probe.answers import Answer
from web.service.analyses import AnalysisDesk, Asked
from web.service.builds import Builds
from web.service.documents import document_of
from web.service.games import Games, game_event
from web.service.grading import GradingDesk
from web.service.guard import API, Application, Limits, Scope
from web.service.jobs import Event
from web.service.judging import judged_position
from web.service.lan import qr_rows
from web.service.page import PageFile
from web.service.refusals import RequestError, bug, refusal_of
from web.service.requests import (
    MAX_BOARDS,
    MAX_GAME_MS,
    MAX_MS,
    BuildRequest,
    GameRequest,
    JudgeRequest,
    MoveRequest,
    ProbeRequest,
    SearchRequest,
    read_body,
)
from web.service.schema import with_schemas
from web.service.searching import SearchDesk
from web.service.tables import ServedTables
from web.service.workers import Worker

GRADE, ANALYSES = f"{API}/grade", f"{API}/analyses"
_MAX_PROBES = 512
_NOTHING_BETWEEN = (",", ":")


def usual_limits(per_second: float) -> Limits:
    """Return the limits on requests to this service."""
    return Limits(per_second, larger_bodies=dict.fromkeys((GRADE, ANALYSES), SIZE_LIMIT_BYTES))


@dataclass(frozen=True)
class Parts:
    """The parts that answer requests.

    Attributes
    ----------
    tables : ServedTables
        For single boards; used on one thread only.
    search : SearchDesk
    grading : GradingDesk
    analyses : AnalysisDesk
    games : Games
    builds : Builds or None
        None if nobody may build.
    page : dict of str to PageFile
        The files for browsers, by path.
    spawn4 : float
        How often a new tile is a 4 in searches.
    version : str
    is_eager : bool
        Whether to load at the start what the first requests would wait for.
    link : str or None
        The address for other devices of the network, with the token; None if none may connect.
    """

    tables: ServedTables
    search: SearchDesk
    grading: GradingDesk
    analyses: AnalysisDesk
    games: Games
    builds: Builds | None
    page: dict[str, PageFile]
    spawn4: float
    version: str
    is_eager: bool = False
    link: str | None = None


def make_app(parts: Parts) -> Application:
    """Return the application, without its guard."""
    service = _Service(parts)
    app = FastAPI(
        title="Endgame 2048",  # no text
        version=parts.version or "0",
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
        redirect_slashes=False,
        lifespan=service.lifespan,
    )
    direct: dict[tuple[str, str], Answering] = {}
    for path, method, answer, kind in service.routes():
        told = _told(answer)
        if "{" not in path:
            direct[method, path] = told
        app.add_api_route(
            path,
            told,
            methods=[method],
            response_class=Response,
            summary=(inspect.getdoc(answer) or "").partition("\n")[0],
            description=inspect.getdoc(answer),
            operation_id=f"{method.lower()}{path.replace('/', '_')}",
            openapi_extra={"x-body": kind.__name__} if kind else None,
        )
    schema = with_schemas(app.openapi(), [kind for *_, kind in service.routes() if kind])
    schema_text, document = json.dumps(schema), document_of(schema)

    async def tell_schema() -> Response:
        return Response(schema_text, media_type="application/json")

    async def tell_document() -> Response:
        return HTMLResponse(document)

    app.add_api_route("/openapi.json", tell_schema, include_in_schema=False)
    app.add_api_route("/docs", tell_document, include_in_schema=False)
    for path, file in parts.page.items():
        app.add_api_route(
            path, _file_answer(file), methods=["GET", "HEAD"], include_in_schema=False
        )
    app.add_exception_handler(HTTPException, _tell_http_error)
    app.add_exception_handler(Exception, _tell_bug)
    return _Direct(app, direct)


Answering = Callable[[Request], Awaitable[Response]]


class _Direct:
    """An ASGI application that answers fixed paths itself and leaves all others to FastAPI.

    FastAPI's router and wrapping of each request take as long as looking up a board.
    """

    def __init__(self, others: FastAPI, answers: Mapping[tuple[str, str], Answering]) -> None:
        self._others, self._answers = others, answers

    async def __call__(self, scope: Scope, receive: Any, send: Any) -> None:
        answer = self._answers.get((scope.get("method", ""), scope.get("path", "")))
        if answer is None:
            await self._others(scope, receive, send)
        else:
            response = await answer(Request(scope, receive))
            await response(scope, receive, send)


class _Service:
    """The answers to requests; errors in a request are raised as AppError."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._probing = Worker("probing", _MAX_PROBES)

    @asynccontextmanager
    async def lifespan(self, _app: FastAPI) -> AsyncIterator[None]:
        """Keep the threads running until the service ends."""
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
        """Load what the first requests would otherwise wait for."""
        await self._probing.run(partial(self._parts.tables.chosen, None))
        await self._parts.search.get_ready()
        gc.collect()
        gc.freeze()  # what is loaded stays: a garbage collection of it takes 0.1 s each time

    def routes(self) -> "list[tuple[str, str, Answering, type | None]]":
        """Return the path, the method, the answer and the body of each route."""
        kinds = ("games", "analyses", "builds")
        game, analysis, build = (f"{API}/{kind}/{{name}}" for kind in kinds)  # no text
        return [
            (API, "GET", self.about, None),
            (f"{API}/link", "GET", self.link, None),
            (f"{API}/tables", "GET", self.tables, None),
            (f"{API}/probe", "POST", self.probe, ProbeRequest),
            (f"{API}/judge", "POST", self.judge, JudgeRequest),
            (f"{API}/best", "POST", self.best, SearchRequest),
            (f"{API}/search", "POST", self.search, SearchRequest),
            (GRADE, "POST", self.grade, None),
            (ANALYSES, "POST", self.begin_analysis, None),
            (analysis, "GET", self.analysis, None),
            (f"{analysis}/events", "GET", self.analysis_events, None),
            (analysis, "DELETE", self.cancel_analysis, None),
            (f"{API}/games", "POST", self.begin_game, GameRequest),
            (game, "GET", self.game, None),
            (f"{game}/moves", "POST", self.move, MoveRequest),
            (f"{game}/undo", "POST", self.undo, None),
            (game, "DELETE", self.end_game, None),
            (f"{API}/builds", "GET", self.builds, None),
            (f"{API}/builds", "POST", self.begin_build, BuildRequest),
            (build, "GET", self.build, None),
            (f"{build}/events", "GET", self.build_events, None),
            (build, "DELETE", self.cancel_build, None),
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
            raise RequestError(
                404, tr("other devices are not let in: start the service with --lan")
            )
        return _json({"url": link, "rows": qr_rows(link)})

    async def tables(self, _request: Request) -> Response:
        """List the tables, as `tables --json` does."""
        return _json({"tables": await self._probing.run(self._parts.tables.listed)})

    async def probe(self, request: Request) -> Response:
        """Look up the success rates of a board, or of many, as `probe --json` does."""
        asked = read_body(await request.body(), ProbeRequest)
        if (asked.board is None) == (asked.boards is None):
            raise RequestError(400, tr("expected 'board' or 'boards', one of the two"))
        if asked.board is not None:
            answer = await self._probed(asked.board, asked.tables, asked.after)
            return _json(answer, 422 if "error" in answer else 200)
        boards = asked.boards or []
        parts = self._parts.tables.look_ups(boards, asked.tables, asked.after)
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
        asked = read_body(await request.body(), JudgeRequest)

        def judged() -> dict[str, Any]:
            (table,) = self._parts.tables.chosen([asked.table])
            return judged_position(table, asked.board, asked.seed, asked.follows)

        return _json(await self._probing.run(judged))

    async def best(self, request: Request) -> Response:
        """Return the AI's move on a board and the reason, as `hint --json` does."""
        asked, cells, budget = _search_of(await request.body())
        found = await self._parts.search.best(cells, budget)
        choice = choice_of(found.decision)
        return _json(hint_event(asked.board, cells, choice, self._parts.spawn4))

    async def search(self, request: Request) -> Response:
        """Search a board step by step: JSON lines, or server-sent events if they are accepted."""
        _asked, cells, budget = _search_of(await request.body())
        return _stream(self._parts.search.events(cells, budget), request)

    async def grade(self, request: Request) -> Response:
        """Judge the moves of a recorded game, which is the body, as `analyze --json` does.

        In the query: `table` (may be repeated), `least_moves`, `strict=1`, `moves=1` for every
        move.
        """
        asked = _analysis_of(request)
        return _json(
            await self._parts.grading.grade(
                await request.body(),
                asked.tables,
                asked.least_moves,
                asked.is_strict,
                asked.with_moves,
            )
        )

    async def begin_analysis(self, request: Request) -> Response:
        """Judge a whole recorded game, which is the body, as `analyze --engine --json` does.

        Where no table rates a position, search does. In the query: what `/v1/grade` takes, and `ms`
        for a move. It takes a while: the answer has the `id` to ask for the result with.
        """
        asked = _analysis_of(request)
        return _json(await self._parts.analyses.begin(await request.body(), asked), 202)

    async def analysis(self, request: Request) -> Response:
        """Return the progress of a game's analysis, and at its end the findings, as `result`."""
        return _json(self._parts.analyses.find(_name_in(request)).found)

    async def analysis_events(self, request: Request) -> Response:
        """Send the progress of a game's analysis whenever it changes, until it has ended."""
        return _stream(self._parts.analyses.find(_name_in(request)).changes(), request)

    async def cancel_analysis(self, request: Request) -> Response:
        """End the analysis of a game; its result is what it has found by then."""
        return _json(await self._parts.analyses.cancel(_name_in(request)), 202)

    async def begin_game(self, request: Request) -> Response:
        """Start a game."""
        asked = read_body(await request.body() or b"{}", GameRequest)
        return _json(self._parts.games.begin(asked), 201)

    async def game(self, request: Request) -> Response:
        """Return the state of a game."""
        name = _name_in(request)
        return _json(game_event(name, self._parts.games.find(name)))

    async def move(self, request: Request) -> Response:
        """Make a move in a game, or let the AI make the best one."""
        asked, name = read_body(await request.body(), MoveRequest), _name_in(request)
        games = self._parts.games
        if asked.move != "best":
            return _json(games.move(name, DIRECTIONS.index(asked.move)))
        game = games.find(name)
        board = game.cells
        found = await self._parts.search.best(board, Budget(ms=asked.ms))
        if found.decision.direction is None or game.cells != board:
            raise RequestError(409, tr("no move is legal, or the game has gone on meanwhile"))
        event = games.move(name, found.decision.direction)
        move = DIRECTIONS[found.decision.direction]
        return _json({**event, "move": move, "source": found.decision.source})

    async def undo(self, request: Request) -> Response:
        """Take back the last move of a game."""
        return _json(self._parts.games.undo(_name_in(request)))

    async def end_game(self, request: Request) -> Response:
        """Forget a game."""
        self._parts.games.end(_name_in(request))
        return Response(status_code=204)

    async def builds(self, _request: Request) -> Response:
        """List the requested builds, the last one first."""
        return _json({"builds": self._builds().told()})

    async def begin_build(self, request: Request) -> Response:
        """Build a table, or resume its build, as the command `build` does."""
        builds = self._builds()
        return _json(await builds.begin(read_body(await request.body(), BuildRequest)), 202)

    async def build(self, request: Request) -> Response:
        """Return the progress of a build."""
        return _json(self._builds().find(_name_in(request)).told)

    async def build_events(self, request: Request) -> Response:
        """Send the progress of a build whenever it changes, until it has ended."""
        return _stream(self._builds().find(_name_in(request)).changes(), request)

    async def cancel_build(self, request: Request) -> Response:
        """Cancel a build; its finished parts stay, and the same build resumes from there."""
        return _json(self._builds().cancel(_name_in(request)), 202)

    def _builds(self) -> Builds:
        if self._parts.builds is None:
            raise RequestError(
                403, tr("this service only reads: start it with --allow-builds to build tables")
            )
        return self._parts.builds


def _told(answer: Answering) -> Answering:
    """Return an answer that reports errors of the program as refusals."""

    async def handle(request: Request) -> Response:
        try:
            return await answer(request)
        except AppError as error:
            refused = refusal_of(error)
            return JSONResponse({"error": str(refused)}, refused.status, refused.headers)

    return handle


def _file_answer(file: PageFile) -> Callable[[], Awaitable[Response]]:
    async def handle() -> Response:
        headers = {"cache-control": "no-cache"}
        return Response(file.data, media_type=file.media_type, headers=headers)

    return handle


async def _tell_http_error(_request: Request, error: Exception) -> Response:
    """Answer what the router refuses in the format of every other refusal."""
    assert isinstance(error, HTTPException)
    text = {
        404: tr("there is nothing here: /docs lists the paths"),
        405: tr("this path does not take that method: /docs lists those it takes"),
    }.get(error.status_code, error.detail)
    return JSONResponse({"error": text}, error.status_code, error.headers)


async def _tell_bug(_request: Request, _error: Exception) -> Response:
    """Answer that there is a bug; the guard gets the error next and logs it."""
    return JSONResponse({"error": str(bug())}, bug().status)


def _search_of(body: bytes) -> tuple[SearchRequest, tuple[int, ...], Budget]:
    asked = read_body(body, SearchRequest)
    if asked.ms is not None and asked.nodes is not None:
        raise RequestError(400, tr("expected 'ms' or 'nodes', not both"))
    usual = HINT_MS if asked.ms is None else asked.ms
    budget = Budget(nodes=asked.nodes, ms=usual if asked.nodes is None else float(MAX_MS))
    return asked, read_board(asked.board).cells, budget


def _analysis_of(request: Request) -> Asked:
    """Return the options for judging a recorded game, from the query of a request."""
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
    return Asked(
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
            told = {"event": "error", "message": str(refusal_of(error))}
            yield before + json.dumps(told) + after

    kind = "text/event-stream" if is_sse else "application/x-ndjson"
    return StreamingResponse(lines(), media_type=kind, headers={"cache-control": "no-store"})
