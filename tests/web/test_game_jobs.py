"""Whole games judged over HTTP as by the command, by threads that take them in their order."""

import asyncio
import threading
from collections import Counter
from collections.abc import Sequence

import pytest
from child import json_lines, run

from engine.bitboard import DOWN, LEFT, RIGHT, UP
from engine.formats.replay import replay_of
from engine.formats.rpl import write_rpl
from engine.formats.verse2048 import write_new
from engine.game import Game
from tablebase.probe.reader import Tablebase
from tests.web.served import Served, service
from tests.web.test_service import best_game
from web.service.analyses import MAX_WAITING, AnalysisJobs
from web.service.jobs import Job, Jobs
from web.service.refusals import RequestError
from web.service.requests import AnalyzeRequest
from web.service.tables import ServedTables
from web.service.workers import Worker


def any_game(n_moves: int = 1000, seed: int = 5) -> bytes:
    """Return the recording of a game that goes left, else down, else right, else up."""
    game = Game.new(seed)
    while game.n_moves < n_moves and not game.is_over:
        legal = game.legal_moves()
        game.move(next(way for way in (LEFT, DOWN, RIGHT, UP) if way in legal))
    return write_new(replay_of(game)).encode()


def long_game() -> bytes:
    """Return the recording of a game that search judges for seconds at 20 ms a move."""
    return any_game(seed=124)


def begun(served: Served, data: bytes, query: str = "") -> str:
    answer = served.ask("POST", f"/v1/analyses{query}", data)
    assert answer.status == 202, answer.body
    return str(answer.json["id"])


@pytest.mark.thorough
def test_a_game_is_judged_as_by_the_command(served, tables_folder, tmp_path):
    data = any_game()
    file = tmp_path / "game.vrs"
    file.write_bytes(data)
    words = ("--data-dir", tmp_path, "analyze", file, "--engine", "--ms", "0.25", "--json")
    said = json_lines(run(*words, "--table", tables_folder / "442_64").stdout)
    (event,) = [one for one in said if one["event"] == "file"]
    name = begun(served, data, "?table=442_64&ms=0.25&moves=1")
    told = served.get(f"/v1/analyses/{name}/events").lines
    assert told[-1]["state"] == "done"
    shares = [one["last"]["share"] for one in told if "last" in one]
    assert shares == sorted(shares)
    result = served.get(f"/v1/analyses/{name}").json["result"]
    moves, chances = (result["game"].pop(one) for one in ("move_list", "chances"))
    ours = {"event", "file", "name", "reports"}
    theirs = {"format", "version", "file"}
    assert {key: value for key, value in result.items() if key not in theirs} == {
        key: value for key, value in event.items() if key not in ours | theirs
    }
    assert [one["move"] for one in moves] == list(range(1, result["moves"] + 1))
    lost = sum(one.get("points_lost", 0.0) for one in moves)
    assert lost == pytest.approx(result["game"]["points_lost"])
    grades = Counter(one["grade"] for one in moves if "grade" in one)
    assert grades == Counter({k: n for k, n in result["game"]["grades"].items() if n})
    assert {one["source"] for one in moves} == {"search"}
    for one in moves:
        known = [rate for rate in one["rates"].values() if rate is not None]
        if "grade" in one:
            assert max(known) == pytest.approx(chances[one["move"] - 1], abs=1e-4)
            assert one["rates"][one["best"][0]] == pytest.approx(max(known), abs=0.005)


def test_a_game_is_canceled_and_what_was_found_stays(served):
    data = long_game()
    first = begun(served, data, "?ms=20&moves=1")
    second = begun(served, data, "?ms=20")
    assert served.ask("DELETE", f"/v1/analyses/{second}").json["state"] in ("waiting", "canceled")
    assert served.get(f"/v1/analyses/{second}/events").lines[-1]["state"] == "canceled"
    events = served.get(f"/v1/analyses/{first}").json
    assert events["state"] in ("waiting", "running")
    assert "result" not in events
    assert served.ask("DELETE", f"/v1/analyses/{first}").status == 202
    assert served.get(f"/v1/analyses/{first}/events").lines[-1]["state"] == "canceled"
    told = served.get(f"/v1/analyses/{first}").json
    assert told["state"] == "canceled"
    if told["result"]:  # else it had not started
        assert not told["result"]["game"]["complete"]


def test_too_many_have_to_wait(tables_folder, tmp_path):
    data = long_game()
    with service([tables_folder], tmp_path) as served:
        names = [begun(served, data, "?ms=20") for _ in range(MAX_WAITING)]
        refused = served.ask("POST", "/v1/analyses", data)
        assert refused.status == 503
        assert refused.headers["retry-after"]
        for name in names:
            served.ask("DELETE", f"/v1/analyses/{name}")
        for name in names:
            assert served.get(f"/v1/analyses/{name}/events").lines[-1]["state"] == "canceled"
        begun(served, data, "?ms=20")  # which the end of the service ends


class HeldTables(ServedTables):
    """Tables that nobody gets before `may_go` is set."""

    def __init__(self) -> None:
        super().__init__([])
        self.may_go = threading.Event()

    def choose(self, names: Sequence[str] | None) -> list[Tablebase]:
        self.may_go.wait(60)
        return super().choose(names)


def test_a_game_that_is_canceled_while_it_waits_leaves_its_place():
    async def check() -> None:
        tables, game = HeldTables(), any_game(3)
        jobs = AnalysisJobs(tables, 0.1)
        asked = AnalyzeRequest([], 1, is_strict=False, ms=1.0, with_moves=False)
        first = await jobs.begin(game, asked)
        for _ in range(3 * MAX_WAITING):
            await jobs.cancel((await jobs.begin(game, asked))["id"])
        last = await jobs.begin(game, asked)
        tables.may_go.set()
        for told in (first, last):
            assert [one async for one in jobs.jobs.find(told["id"]).changes()][-1][
                "state"
            ] == "done"
        await jobs.close()

    asyncio.run(check())


def test_too_many_at_once_have_to_wait_as_well():
    async def check() -> None:
        tables, game = HeldTables(), any_game(3)
        jobs = AnalysisJobs(tables, 0.1)
        asked = AnalyzeRequest([], 1, is_strict=False, ms=1.0, with_moves=False)
        begun = [jobs.begin(game, asked) for _ in range(MAX_WAITING + 3)]
        told = await asyncio.gather(*begun, return_exceptions=True)
        tables.may_go.set()
        await jobs.close()
        refused = [one for one in told if isinstance(one, RequestError)]
        assert [one.status for one in refused] == [503] * 3

    asyncio.run(check())


@pytest.mark.parametrize(
    ("query", "data", "status"),
    [
        ("", b"", 422),
        ("", b"no game", 422),
        ("?ms=x", any_game(3), 400),
        ("?ms=nan", any_game(3), 400),
        ("?ms=0", any_game(3), 400),
        ("?ms=1e9", any_game(3), 400),
        ("?least_moves=-1", any_game(3), 400),
        ("", b"x" * (5 << 20), 413),
    ],
)
def test_what_is_no_question_is_refused(served, query, data, status):
    answer = served.ask("POST", f"/v1/analyses{query}", data)
    assert answer.status == status, answer.body
    assert answer.json["error"]


def test_a_game_without_values_is_refused_in_words(served, tables_folder):
    data = write_rpl(best_game(tables_folder / "442_64"))
    answer = served.ask("POST", "/v1/analyses", data)
    assert answer.status == 422
    assert "table" in answer.json["error"]


def test_a_table_that_is_not_there_is_told_at_the_end(served):
    name = begun(served, any_game(3), "?table=nothing")
    told = served.get(f"/v1/analyses/{name}/events").lines[-1]
    assert told["state"] == "failed"
    assert "'nothing'" in told["error"]


@pytest.mark.parametrize("path", ["", "/events"])
def test_nobody_sees_an_analysis_that_is_not_there(served, path):
    assert served.get(f"/v1/analyses/nothing{path}").status == 404
    assert served.ask("DELETE", "/v1/analyses/nothing").status == 404
    assert served.ask("GET", "/v1/analyses/nothing", token="wrong").status in (401, 429)


@pytest.mark.parametrize("state", ["canceled", "done", "failed"])
def test_what_has_ended_goes_on_no_more(state):
    async def check() -> None:
        job = Job("waiting")
        await job.change(state=state)
        await job.change(state="running", event={"event": "progress"})
        assert job.progress == {"id": job.name, "state": state}
        assert [progress async for progress in job.changes()] == [job.progress]

    asyncio.run(check())


def test_what_ended_first_is_forgotten_first():
    async def check() -> None:
        jobs = Jobs[Job]("nothing", 3)
        made = [Job() for _ in range(5)]
        for job in made:
            jobs.add(job)
        assert jobs.every() == made[::-1]  # those that run stay
        await made[1].change(state="done")
        await made[0].change(state="failed")
        jobs.add(one := Job())
        assert jobs.every() == [one, *made[:1:-1]]
        with pytest.raises(RequestError):
            jobs.find(made[0].name)

    asyncio.run(check())


def test_work_is_done_in_order_and_each_gets_its_own():
    done: list[int] = []

    def work(i: int) -> int:
        done.append(i)
        return i * i

    async def ask() -> list[int]:
        worker = Worker("test", 1000)
        found = await asyncio.gather(*(worker.run(lambda i=i: work(i)) for i in range(500)))
        worker.close()
        return found

    assert asyncio.run(ask()) == [i * i for i in range(500)]
    assert done == list(range(500))


def test_an_error_is_that_of_who_asked():
    async def ask() -> list[object]:
        worker = Worker("test", 10)
        work = (lambda: 1, lambda: 1 // 0, lambda: 3)
        found = await asyncio.gather(*map(worker.run, work), return_exceptions=True)
        worker.close()
        return list(found)

    first, second, third = asyncio.run(ask())
    assert (first, third) == (1, 3)
    assert isinstance(second, ZeroDivisionError)


def test_who_comes_when_too_many_wait_is_refused():
    may_go_on, has_begun = threading.Event(), threading.Event()

    def wait() -> str:
        has_begun.set()
        may_go_on.wait(60)
        return "done"

    async def ask() -> None:
        worker = Worker("test", 2)
        under_way = asyncio.create_task(worker.run(wait))
        while not has_begun.is_set():
            await asyncio.sleep(0)
        waiting = [asyncio.create_task(worker.run(lambda: "later")) for _ in range(2)]
        await asyncio.sleep(0)
        with pytest.raises(RequestError) as refused:
            await worker.run(lambda: "too many")
        assert refused.value.status == 503
        waiting[0].cancel()  # it has gone, and another one may wait in its place
        await asyncio.sleep(0)
        waiting.append(asyncio.create_task(worker.run(lambda: "in its place")))
        await asyncio.sleep(0)
        may_go_on.set()
        assert await under_way == "done"
        assert await asyncio.gather(*waiting[1:]) == ["later", "in its place"]
        worker.close()

    asyncio.run(ask())


def test_what_waits_at_the_end_is_dropped():
    may_go_on, has_begun = threading.Event(), threading.Event()

    def wait() -> None:
        has_begun.set()
        may_go_on.wait(60)

    async def ask() -> None:
        worker = Worker("test", 10)
        under_way = asyncio.create_task(worker.run(wait))
        while not has_begun.is_set():
            await asyncio.sleep(0)
        waiting = asyncio.create_task(worker.run(lambda: None))
        await asyncio.sleep(0)
        threading.Timer(0.05, may_go_on.set).start()
        worker.close()
        await under_way
        with pytest.raises(asyncio.CancelledError):
            await waiting

    asyncio.run(ask())
