"""What the service answers: the same as the commands, over HTTP."""

import asyncio
import json
import random
import shutil
from pathlib import Path

import pytest
from child import json_lines, run

from coach.grading.grade import Tolerance, judge
from coach.play.tiles import new_tile
from engine.bitboard import DIRECTIONS, cells
from engine.formats.replay import Replay, ReplayMove
from engine.formats.rpl import write_rpl
from engine.game import Game
from engine.moves import move
from engine.spawn import Rng
from tablebase.library.opening import open_table
from tests.web.served import Served, service
from web.service.games import Games
from web.service.grading import Grader
from web.service.refusals import RequestError
from web.service.requests import AnalyzeRequest, GameRequest
from web.service.tables import AT_ONCE, ServedTables

SMALL = "ffff_0204_4252_ffff"
BOARDS = [SMALL, "ffff 0011 0000 ffff", "zz", "1234000011001000", "0102000021ffffff"]


def best_game(folder: Path) -> Replay:
    """Return a game by a table's best moves, with another one now and then."""
    with open_table(folder) as table:
        large = iter((12, 11, 10, 9, 8, 7))
        digits = f"{table.start_board(Rng(5)):016x}"
        start = tuple(next(large) if digit == "f" else int(digit, 16) for digit in digits)
        game, moves = Game(start, seed=5), []
        while not game.is_over and len(moves) < 40:
            found = table.get(game.clamped_bitboard, comes_up=True)
            if found is None or found.best is None:
                break
            known = [way for way in game.legal_moves() if found.rates[way] is not None]
            direction = found.best if len(moves) % 5 else known[-1]
            result = game.move(direction)
            assert result is not None
            moves.append(ReplayMove(direction, *result.spawned))
        return Replay(start, tuple(moves), walls=False, merge_32768=True)


@pytest.mark.thorough
def test_a_probe_is_what_the_command_says(served, tables_folder):
    names = ["2x4_64", "442_64"]
    words = [word for board in BOARDS for word in ("--board", board)]
    said = run("probe", *(tables_folder / name for name in names), *words, "--json")
    answer = served.post("/v1/probe", {"boards": BOARDS, "tables": names})
    assert answer.status == 200
    assert answer.json["answers"] == json_lines(said.stdout)
    one = served.post("/v1/probe", {"board": SMALL, "tables": names})
    assert one.json == json_lines(said.stdout)[0]
    assert one.json["best"] == "up"


@pytest.mark.thorough
def test_many_boards_get_the_answers_of_each_in_their_order(served, tables_folder):
    """More than are looked up together, from all layers and tables, with what is no board."""
    texts = ["nonsense", "", "1234000011001000"]
    for name in ("442_64", "2x4_64"):
        with open_table(tables_folder / name) as table:
            for layer in range(2, table.n_layers, 2):
                for board in table.layer_boards(layer)[0][:3].tolist():
                    empty = [shift for shift in range(0, 64, 4) if not board >> shift & 15]
                    texts += [f"{board | 1 << shift:016x}" for shift in empty]
    random.Random(3).shuffle(texts)
    texts = texts[: AT_ONCE + 100]
    assert len(texts) > AT_ONCE
    for after in (False, True):
        answers = served.post("/v1/probe", {"boards": texts, "after": after}).json["answers"]
        assert len(answers) == len(texts)
        for i in range(0, len(texts), 4):
            asked = {"board": texts[i], "after": after}
            assert served.post("/v1/probe", asked).json == answers[i]


@pytest.mark.thorough
def test_after_states_are_probed(served, tables_folder):
    board = "ffff002200000ffff".replace("00000", "0000")
    said = run("probe", tables_folder / "2x4_64", "--after", "--board", board, "--json")
    answer = served.post("/v1/probe", {"board": board, "tables": ["2x4_64"], "after": True})
    assert answer.json == json_lines(said.stdout)[0]


def test_without_names_every_table_may_answer(served):
    assert served.post("/v1/probe", {"board": SMALL}).json["table"] == "2x4_64"


def test_at_once_is_told_what_is_unpacked(tables_folder):
    now = [0.0]
    tables = ServedTables([tables_folder], lambda: now[0])
    asked = SMALL, ["2x4_64"], False
    assert tables.look_up_at_once(*asked) is None
    answer = tables.look_up(*asked)
    assert tables.look_up_at_once(*asked) == answer
    assert tables.look_up_at_once(SMALL, ["442_64"], False) is None  # not open yet
    now[0] += 2.0  # time to look whether tables have changed
    assert tables.look_up_at_once(*asked) is None
    assert tables.look_up(*asked) == answer
    assert tables.look_up_at_once(*asked) == answer
    with pytest.raises(RequestError):
        tables.look_up_at_once(SMALL, ["nonsense"], False)
    tables.close()


@pytest.mark.parametrize(
    ("body", "status", "words"),
    [
        (b"", 400, "JSON"),
        (b"{", 400, "JSON"),
        (b"[]", 400, "expected an object"),
        (b"null", 400, "expected an object"),
        (b"{}", 400, "'board' or 'boards'"),
        (b'{"board": "1", "boards": ["1"]}', 400, "one of the two"),
        (b'{"board": 7}', 400, "expected a board as text"),
        (b'{"board": "' + b"1" * 401 + b'"}', 400, "'board'"),
        (b'{"boards": []}', 400, "expected a list of"),
        (b'{"board": "1", "x": 1}', 400, "'x' is unknown"),
        (b'{"board": "1", "\\ud800": 1}', 400, "half a character"),
        (b'{"board": NaN}', 400, "NaN"),
        (b'{"board": ' + b"9" * 5000 + b"}", 400, "JSON"),
        (b'{"board": "\xff"}', 400, "UTF-8"),
        (b"[" * 100_000, 400, "nested too deeply"),
        (b'{"a":' * 50_000, 400, "nested too deeply"),
        (b'{"board": "zz"}', 422, "not a board"),
        (b'{"board": "1111111111111111", "tables": ["2x4_64"]}', 422, "cannot answer"),
        (b'{"board": "1111111111111111", "tables": ["../x"]}', 404, "no table '../x'"),
        (b'{"board": "1111111111111111", "tables": ["/etc/passwd"]}', 404, "2x4_64"),
    ],
)
def test_a_bad_probe_is_refused_in_words(served, body, status, words):
    answer = served.post("/v1/probe", body)
    assert answer.status == status, answer.body
    assert words in answer.json["error"]


def test_tables_are_listed_as_by_the_command_without_where_they_are(served, tables_folder):
    said = json_lines(run("tables", tables_folder, "--json").stdout)
    answer = served.get("/v1/tables")
    for table in said:
        for name in ("path", "folders", "message"):
            del table[name]
    assert answer.json["tables"] == said
    assert str(tables_folder).encode() not in answer.body


@pytest.mark.thorough
def test_the_best_move_is_what_the_command_hints(served, tables_folder):
    board = "0102000021fedcba"
    said = json_lines(run("hint", board, "--tables", tables_folder, "--json").stdout)
    answer = served.post("/v1/best", {"board": board})
    assert answer.json == said[0]
    assert answer.json["kind"] == "rates"


@pytest.mark.thorough
def test_search_decides_where_no_table_does(served):
    answer = served.post("/v1/best", {"board": "1120 0000 0000 0000", "nodes": 1000}).json
    assert answer["move"] in DIRECTIONS
    assert answer["kind"] in ("values", "chances")
    assert answer["values"]["up"] is None  # a full column of nothing: it does not move


def test_no_move_is_no_error(served):
    answer = served.post("/v1/best", {"board": "1212212112122121"})
    assert (answer.status, answer.json["move"]) == (200, None)


@pytest.mark.parametrize("budget", [{"ms": 0}, {"ms": 1e9}, {"nodes": 0}, {"ms": 1, "nodes": 1}])
def test_a_budget_out_of_bounds_is_refused(served, budget):
    assert served.post("/v1/best", {"board": "1120000000000000", **budget}).status == 400


def test_a_search_tells_what_it_finds_on_the_way(served):
    answer = served.post("/v1/search", {"board": "1234000011001000", "nodes": 50_000})
    *infos, last = answer.lines
    assert answer.headers["content-type"] == "application/x-ndjson"
    assert len(infos) > 2
    nodes = [info["nodes"] for info in infos]
    assert nodes == sorted(nodes)
    assert nodes[-1] >= 50_000
    assert infos[-1]["pv"][0]["move"] == last["move"]
    assert last["event"] == "bestmove"


def test_a_search_is_told_to_an_event_source(served):
    answer = served.post(
        "/v1/search", {"board": "1234000011001000", "nodes": 5000}, Accept="text/event-stream"
    )
    assert answer.headers["content-type"].startswith("text/event-stream")
    events = [
        json.loads(part.removeprefix("data: "))
        for part in answer.body.decode().split("\n\n")
        if part
    ]
    assert [event["event"] for event in events][-2:] == ["info", "bestmove"]


def test_a_game_is_graded_as_by_the_command(served, tables_folder, tmp_path):
    data = write_rpl(best_game(tables_folder / "442_64"))
    file = tmp_path / "game.rpl"
    file.write_bytes(data)
    said = json_lines(run("analyze", file, "--table", tables_folder / "442_64", "--json").stdout)
    (event,) = [one for one in said if one["event"] == "file"]
    answer = served.ask("POST", "/v1/grade?table=442_64", data)
    assert answer.status == 200
    told = answer.json
    for name in ("moves", "points", "covered", "tables", "largest_tile", "recorded_as"):
        assert told[name] == event[name], name
    for one, other in zip(told["segments"], event["segments"], strict=True):
        assert {**one, "rpl": None} == other
    assert told["segments"][0]["judged"] > 20
    with_moves = served.ask("POST", "/v1/grade?table=442_64&moves=1", data).json
    assert with_moves["segments"][0]["move_list"][0]["move"] == 1


def test_what_is_wrong_with_a_table_while_a_game_is_graded_names_no_folder(tables_folder, tmp_path):
    data = write_rpl(best_game(tables_folder / "442_64"))
    shutil.copytree(tables_folder / "442_64", tmp_path / "442_64")
    tables = ServedTables([tmp_path], clock=lambda: 0.0)
    grader = Grader(tables)
    assert [table.name for table in tables.choose(None)] == ["442_64"]  # open before the damage
    for path in (tmp_path / "442_64").glob("layer-*.tbl"):
        with path.open("r+b") as file:
            file.write(bytes(256))
    try:
        graded = asyncio.run(grader.grade(data, AnalyzeRequest(None, 1, False, 3.0, False)))
    finally:
        grader.close()
    assert len(graded["problems"]) == 1
    assert str(tmp_path) not in json.dumps(graded)


@pytest.mark.parametrize(
    ("query", "data", "status"),
    [
        ("", b"", 422),
        ("", b"no game", 422),
        ("", b'{"format": "endgame2048-test"}', 422),
        ("?table=nothing", b"no game", 404),
        ("?least_moves=-1", b"no game", 400),
        ("?least_moves=" + "9" * 50, b"no game", 400),
    ],
)
def test_what_is_no_game_is_refused(served, query, data, status):
    answer = served.ask("POST", f"/v1/grade{query}", data)
    assert answer.status in (status, 422), answer.body
    assert answer.json["error"]


def test_a_game_is_played(served):
    begun = served.post("/v1/games", {"seed": 7})
    assert begun.status == 201
    twin, name = Game.new(7), begun.json["id"]
    assert begun.json["board"] == twin.text
    for way in ("left", "down", "left", "down"):
        if twin.can_move(DIRECTIONS.index(way)):
            twin.move(DIRECTIONS.index(way))
            told = served.post(f"/v1/games/{name}/moves", {"move": way}).json
            assert (told["board"], told["score"]) == (twin.text, twin.score)
    twin.undo()
    assert served.post(f"/v1/games/{name}/undo").json["board"] == twin.text
    best = served.post(f"/v1/games/{name}/moves", {"move": "best", "ms": 5}).json
    assert best["moves"] == twin.n_moves + 1
    assert best["move"] in [DIRECTIONS[one] for one in twin.legal_moves()]
    assert served.get(f"/v1/games/{name}").json["board"] == best["board"]
    assert served.ask("DELETE", f"/v1/games/{name}").status == 204
    assert served.get(f"/v1/games/{name}").status == 404


def test_an_illegal_move_is_refused(served):
    name = served.post("/v1/games", {"board": "1000 0000 0000 0000"}).json["id"]
    answer = served.post(f"/v1/games/{name}/moves", {"move": "left"})
    assert answer.status == 409
    assert "right, down" in answer.json["error"]


def test_old_games_make_room(served):
    first = served.post("/v1/games").json["id"]
    for _ in range(256):
        assert served.post("/v1/games").status == 201
    assert served.get(f"/v1/games/{first}").status == 404


def test_the_moves_of_all_games_are_bounded(monkeypatch):
    monkeypatch.setattr("web.service.games.MAX_MOVES_TOGETHER", 10)
    games = Games()
    names = [games.begin(GameRequest(seed=seed))["id"] for seed in range(3)]
    for name in (names[0], names[1]):
        for _ in range(5):
            games.move(name, games.find(name).legal_moves()[0])
    assert len(games) == 3
    games.move(names[1], games.find(names[1]).legal_moves()[0])
    assert len(games) == 1  # the third, asked for longest ago, and the first
    games.end(names[1])
    again = games.begin(GameRequest())["id"]
    for _ in range(20):
        games.move(again, games.find(again).legal_moves()[0])
        if games.find(again).is_over:
            break
    assert len(games) == 1


def test_nobody_builds_where_that_is_not_allowed(served):
    answer = served.post("/v1/builds", {"pattern": "2x4", "target": 64})
    assert answer.status == 403
    assert "--allow-builds" in answer.json["error"]
    assert served.get("/v1/builds").status == 403


@pytest.mark.thorough
def test_a_table_is_built_and_then_answers(tmp_path):
    tables = tmp_path / "tables"
    with service([tables], tmp_path, allow_builds=True) as served:
        assert served.post("/v1/probe", {"board": SMALL}).status == 404
        begun = served.post("/v1/builds", {"pattern": "2x4", "target": 64, "rate": "uint16"})
        assert begun.status == 202, begun.body
        events = served.get(f"/v1/builds/{begun.json['id']}/events").lines
        assert events[-1]["state"] == "done", events
        assert events[-1]["last"]["table"] == "2x4_64"
        assert str(tmp_path) not in json.dumps(events)
        assert served.get("/v1/builds").json["builds"] == [events[-1]]
    assert (tables / "2x4_64" / "manifest.json").exists()
    with service([tables], tmp_path) as served:
        assert served.post("/v1/probe", {"board": SMALL}).json["best"] == "up"


@pytest.mark.thorough
def test_a_build_is_cancelled(tmp_path):
    with service([tmp_path / "tables"], tmp_path, allow_builds=True) as served:
        begun = served.post("/v1/builds", {"pattern": "L3", "target": 2048, "threads": 1})
        name = begun.json["id"]
        again = served.post("/v1/builds", {"pattern": "2x4", "target": 64})
        assert again.status == 409
        assert served.ask("DELETE", f"/v1/builds/{name}").status == 202
        assert served.get(f"/v1/builds/{name}/events").lines[-1]["state"] == "canceled"


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"pattern": "nothing", "target": 64}, 404),
        ({"pattern": "2x4", "target": 63}, 400),
        ({"pattern": "2x4", "target": "--out=/tmp"}, 400),
        ({"pattern": "--out=/tmp", "target": 64}, 404),
        ({"pattern": "2x4", "target": 64, "out": "/tmp"}, 400),
        ({"pattern": "2x4", "target": 64, "rate": "x"}, 400),
        ({"pattern": "2x4", "target": 64, "threads": 0}, 400),
    ],
)
def test_a_bad_build_is_refused(tmp_path, body, status):
    with service([tmp_path], tmp_path, allow_builds=True) as served:
        answer = served.post("/v1/builds", body)
        assert answer.status == status, answer.body


def test_what_can_be_asked_is_described(served):
    schema = served.ask("GET", "/openapi.json", token=None).json
    assert schema["openapi"].startswith("3.")
    assert "/v1/probe" in schema["paths"]
    body = schema["paths"]["/v1/probe"]["post"]["requestBody"]
    place = body["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
    assert "board" in schema["components"]["schemas"][place]["properties"]
    document = served.ask("GET", "/docs", token=None).body.decode()
    assert all(path in document for path in ("/v1/probe", "/v1/builds/{name}/events"))
    assert "http://" not in document
    assert "https://" not in document  # nothing comes from elsewhere


def test_a_browser_gets_the_page(served):
    page = served.ask("GET", "/", token=None)
    assert page.headers["content-type"].startswith("text/html")
    for name in ("/page.js", "/page.css"):
        assert name.encode() in page.body
        assert served.ask("GET", name, token=None).status == 200
    assert b"http" not in page.body


def test_a_board_without_a_tile_is_no_game(served):
    answer = served.post("/v1/games", {"board": "0" * 16})
    assert answer.status == 422
    assert "expected one with a tile" in answer.json["error"]


def test_the_ai_makes_a_move_that_merges_65536(served):
    begun = served.post("/v1/games", {"board": "g" * 16}).json
    assert len(begun["legal"]) == 4
    answer = served.post(f"/v1/games/{begun['id']}/moves", {"move": "best", "ms": 5})
    assert answer.status == 200
    assert answer.json["move"] in begun["legal"]


@pytest.mark.parametrize(
    ("body", "words"),
    [(b"null", "it is null"), (b'{"board": ' + b"1" * 5000 + b"}", "too many digits")],
)
def test_bodies_are_called_as_json_calls_them(served, body, words):
    answer = served.ask("POST", "/v1/probe", body)
    assert answer.status == 400
    assert words in answer.json["error"]


def asked(served: Served, **given: object) -> dict[str, object]:
    found: dict[str, object] = served.post("/v1/judge", given).json
    return found


@pytest.mark.parametrize("name", ["442_64", "2x4_64"])
def test_each_move_has_the_rate_and_the_grade_of_the_table(served, tables_folder, name):
    """A whole game by the second best move, if there is one."""
    answer = served.post("/v1/judge", {"table": name, "seed": 11}).json
    with open_table(tables_folder / name) as table:
        for n in range(200):
            board = int(answer["board"], 16)
            if answer["end"]:
                break
            rates = table.probe(board, comes_up=True).rates
            tolerance = Tolerance.of_type(table.rate)
            known = []
            for direction, rate in enumerate(rates):
                told = answer["moves"][DIRECTIONS[direction]]
                judged = judge(rates, direction, tolerance)
                if rate is None:
                    assert told is None
                    is_legal = move(board, direction, table.formation.walls) != board
                    assert (DIRECTIONS[direction] in answer["breaking"]) == is_legal
                    continue
                assert judged is not None
                assert told == {
                    "rate": rate,
                    "grade": judged.grade.value,
                    "ratio": judged.ratio,
                    "points_lost": judged.points_lost,
                    "forced": judged.is_forced,
                }
                assert answer["best"] == [DIRECTIONS[one] for one in judged.best]
                known.append((rate, direction))
            direction = sorted(known)[-2:][0][1]
            after = move(board, direction, table.formation.walls)
            board = new_tile(after, 11, n, table.spawn4)[0]
            given = {"table": name, "board": f"{board:016x}", "follows": True}
            answer = served.post("/v1/judge", given).json
    assert answer["end"] in ("reached", "no move", "lost")


def test_starts_differ_by_seed_and_are_turned(served):
    boards = {str(asked(served, table="442_64", seed=seed)["board"]) for seed in range(24)}
    assert len(boards) > 8
    corners = {
        tuple(cell for cell, exponent in enumerate(cells(int(board, 16))) if exponent == 15)
        for board in boards
    }
    assert len(corners) > 3
    assert asked(served, table="442_64", seed=3) == asked(served, table="442_64", seed=3)


@pytest.mark.parametrize(
    ("board", "end"),
    [
        ("1212212112122121", "no move"),
        ("0000000000000012", "outside"),
        ("0000000006ffffff", "reached"),
    ],
)
def test_ends_are_told(served, board, end):
    assert asked(served, table="442_64", board=board)["end"] == end


@pytest.mark.parametrize(
    ("board", "end"),
    [
        ("ffff12122121ffff", "no move"),
        ("12122121ffffffff", "outside"),
        ("ffffffff00000000", "outside"),
        ("1212212112122121", "outside"),
    ],
)
def test_no_move_is_left_only_between_the_walls_of_the_formation(served, board, end):
    assert asked(served, table="2x4_64", board=board)["end"] == end


@pytest.mark.parametrize(
    ("given", "status"),
    [
        ({"table": "nonsense"}, 404),
        ({"table": "442_64", "board": "xyz"}, 400),
        ({"table": "442_64", "seed": -1}, 400),
        ({"table": "442_64", "more": 1}, 400),
        ({}, 400),
    ],
)
def test_bad_questions_are_refused_in_words(served, given, status):
    answer = served.post("/v1/judge", given)
    assert answer.status == status
    assert answer.json["error"]
