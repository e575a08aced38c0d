"""Who may ask the service, on this machine or the network, and how much."""

import json
import shutil
import socket
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from child import assert_refused, run

from tests.web.served import TOKEN, Served, command, request, service
from web.service import lan
from web.service.guard import Access, Guard, RequestLimits
from web.service.rate_limit import RateLimit
from web.service.tables import ServedTables

ASKED = b"Authorization: Bearer " + TOKEN.encode() + b"\r\n"


@pytest.mark.thorough
@pytest.mark.parametrize(
    "authorization",
    [
        None,
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        f"Bearer {TOKEN}x",
        f"Bearer {TOKEN[:-1]}",
        f"Basic {TOKEN}",
        TOKEN,
        "Bearer \xff",
        f"Bearer {TOKEN.upper()}",
    ],
)
def test_without_the_token_nothing_is_told(served, authorization):
    headers = {} if authorization is None else {"Authorization": authorization}
    for path in ("/v1", "/v1/tables", "/v1/nothing", "/v1/games/x"):
        answer = served.ask("GET", path, token=None, **headers)
        assert answer.status in (401, 429)
        assert set(answer.json) == {"error"}


def test_the_token_opens_it(served):
    assert served.get("/v1").status == 200
    assert served.ask("GET", "/v1", token=None, Authorization=f"bearer  {TOKEN}").status == 200


def test_the_token_is_no_part_of_an_address(served):
    assert served.ask("GET", f"/v1?token={TOKEN.replace(' ', '+')}", token=None).status in (
        401,
        429,
    )


def test_many_wrong_tokens_have_to_wait_while_the_right_one_goes_on(tables_folder, tmp_path):
    with service([tables_folder], tmp_path, clock=lambda: 0.0) as served:
        statuses = [served.ask("GET", "/v1", token="wrong").status for _ in range(30)]
        assert statuses[:20] == [401] * 20
        assert statuses[20:] == [429] * 10
        assert served.get("/v1").status == 200


def test_no_token_is_wanted_where_none_was_made(tables_folder, tmp_path):
    with service([tables_folder], tmp_path, token="") as served:
        assert served.ask("GET", "/v1", token=None).status == 200
        assert served.ask("GET", "/v1", token=None, Host="evil.example").status == 403
        assert served.ask("GET", "/v1", token=None, Origin="http://evil.example").status == 403


@pytest.mark.parametrize(
    "host",
    [
        "evil.example",
        "evil.example:{port}",
        "localhost",
        "localhost:1",
        "localhost:{port}.evil.example",
        "127.0.0.1.evil.example:{port}",
        "127.0.0.2:{port}",
        "[::1]:{port}",
        "localhost:{port}:{port}",
        "",
        ":{port}",
    ],
)
def test_only_by_its_names_it_is_called(served, host):
    """A page whose name leads to this machine all of a sudden says that name."""
    answer = served.get("/v1", Host=host.format(port=served.port))
    assert answer.status == 403
    assert "address" in answer.json["error"]


def test_its_names_are_known_however_they_are_written(served):
    for host in (
        f"localhost:{served.port}",
        f"LOCALHOST:{served.port}",
        f"127.0.0.1:{served.port}",
    ):
        assert served.get("/v1", Host=host).status == 200


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("10.1.2.3:80", True),
        ("10.1.2.3", True),  # 80 is what is left out
        ("[fe80::1]:80", True),
        ("mine:80", True),
        ("evil.example:80", False),
        ("10.1.2.3.evil.example:80", False),
        ("10.1.2.3:81", False),
    ],
)
def test_on_a_network_addresses_are_names_and_others_are_not(host, is_own):
    access = Access(frozenset({"mine"}), 80, TOKEN, any_address=True)
    assert access.is_own(host) is is_own


@pytest.mark.parametrize("n_hosts", [0, 2])
def test_one_name_is_one(served, n_hosts):
    host = b"Host: localhost:%d\r\n" % served.port
    data = b"GET /v1 HTTP/1.1\r\n" + ASKED + n_hosts * host + b"Connection: close\r\n\r\n"
    assert served.raw(data).startswith(b"HTTP/1.1 4")


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "https://localhost:{port}", "http://localhost:1", "", "x"],
)
def test_pages_of_others_may_not_ask(served, origin):
    for path in ("/v1", "/", "/docs"):
        answer = served.get(path, Origin=origin.format(port=served.port))
        assert answer.status == 403
        assert not [name for name in answer.headers if name.startswith("access-control")]


def test_its_own_page_may_ask_and_others_are_never_told_so(served):
    answer = served.get("/v1", Origin=f"http://localhost:{served.port}")
    assert answer.status == 200
    before = served.ask("OPTIONS", "/v1/probe", Origin=f"http://localhost:{served.port}")
    assert before.status == 405
    for one in (answer, before):
        assert not [name for name in one.headers if name.startswith("access-control")]


def test_browsers_are_told_to_be_careful(served):
    for path in ("/", "/v1", "/v1/nothing", "/docs"):
        headers = served.get(path).headers
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["x-frame-options"] == "DENY"
        assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
        assert "server" not in headers


@pytest.mark.parametrize(
    "path",
    [
        "/../../etc/passwd",
        "/..%2f..%2fetc%2fpasswd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/page.js/../../service/guard.py",
        "/service/guard.py",
        "//etc/passwd",
        "/page/index.html",
        "/page.js%00.txt",
        "/\\..\\..\\etc\\passwd",
        "/.env",
        "/v1/../../etc/passwd",
        "/v1/games/..%2f..%2f",
        "/v1/builds/../../x",
    ],
)
def test_no_path_leads_outside(served, path):
    answer = served.get(path)
    assert answer.status in (403, 404)
    assert b"root:" not in answer.body


@pytest.mark.parametrize(
    "length", [b"99999999", b"-1", b"1e3", b"9" * 500, b"\xb2", b"0x10", b"+5"]
)
def test_a_large_body_or_no_length_is_refused_before_it_is_sent(served, length):
    data = request(b"POST", b"/v1/probe", b"", ASKED).replace(b"Length: 0", b"Length: " + length)
    answer = served.raw(data.replace(b"localhost", b"localhost:%d" % served.port))
    large = b"HTTP/1.1 413"
    assert answer.startswith(large if length == b"99999999" else (large, b"HTTP/1.1 400"))


def test_a_body_in_pieces_is_counted(served):
    head = request(b"POST", b"/v1/probe", b"", ASKED + b"Transfer-Encoding: chunked\r\n")
    head = head.replace(b"Content-Length: 0\r\n", b"")
    head = head.replace(b"localhost", b"localhost:%d" % served.port)
    piece = b"10000\r\n" + b" " * 0x10000 + b"\r\n"
    answer = served.raw(head + 40 * piece + b"0\r\n\r\n")
    assert answer.startswith(b"HTTP/1.1 413")


@pytest.mark.thorough
def test_a_game_may_be_larger(served):
    assert served.ask("POST", "/v1/grade", b"x" * (2 << 20)).status == 422
    assert served.ask("POST", "/v1/grade", b"x" * (5 << 20)).status == 413


def test_many_requests_have_to_wait(tables_folder, tmp_path):
    with service([tables_folder], tmp_path, per_second=5, clock=lambda: 0.0) as served:
        answers = [served.get("/v1") for _ in range(12)]
    assert [one.status for one in answers] == [200] * 10 + [429] * 2
    assert answers[-1].headers["retry-after"] == "1"


def test_a_bucket_fills_again():
    now = [0.0]
    limit = RateLimit(2.0, 3.0, lambda: now[0])
    assert [limit.take("a") for _ in range(4)] == [True, True, True, False]
    assert limit.take("b")  # another one's
    now[0] = 0.5
    assert [limit.take("a") for _ in range(2)] == [True, False]
    now[0] = 100.0
    assert [limit.take("a") for _ in range(4)] == [True, True, True, False]


def test_buckets_are_bounded():
    limit = RateLimit(1.0, 1.0, lambda: 0.0)
    for i in range(5000):
        limit.take(str(i))
    assert len(limit) <= 1024


def test_a_bug_is_told_in_the_log_alone(tables_folder, tmp_path, monkeypatch, caplog):
    monkeypatch.setattr(ServedTables, "listed", Mock(side_effect=ZeroDivisionError(str(tmp_path))))
    with service([tables_folder], tmp_path) as served:
        answer = served.get("/v1/tables")
        assert served.get("/v1").status == 200
    assert answer.status == 500
    assert set(answer.json) == {"error"}
    assert b"Zero" not in answer.body
    assert str(tmp_path).encode() not in answer.body
    (record,) = [record for record in caplog.records if record.exc_info]
    assert "a bug in the service" in record.message


def test_a_damaged_table_is_told_without_where_it_is(tables_folder, tmp_path, caplog):
    folder = tmp_path / "2x4_64"
    shutil.copytree(tables_folder / "2x4_64", folder)
    for path in folder.glob("layer-*.tbl"):
        raw = bytearray(path.read_bytes())
        raw[-1] ^= 1
        path.write_bytes(raw)
    with service([tmp_path], tmp_path) as served:
        asked = {"board": "ffff_0204_4252_ffff"}
        answers = [
            served.post("/v1/probe", {**asked, "tables": ["2x4_64"]}),
            served.post("/v1/probe", asked),
            served.ask("POST", "/v1/grade?table=2x4_64", b"no game"),
            served.get("/v1/tables"),
        ]
    assert [answer.status for answer in answers[:2]] == [503, 404]
    for answer in answers:
        assert str(tmp_path).encode() not in answer.body
    assert str(folder) in caplog.text


ANSWER = [
    {"type": "http.response.start", "status": 200, "headers": []},
    {"type": "http.response.body", "body": b""},
]


async def _answer(_scope: object, _receive: object, send: object) -> None:
    for message in ANSWER:
        await send(message)  # type: ignore[operator]


def status_for(caller: str, only_private: bool) -> int:
    import asyncio

    access = Access(frozenset({"192.168.1.7"}), 2048, TOKEN, only_private=only_private)
    said: list[dict[str, int]] = []

    async def receive() -> dict[str, object]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: dict[str, int]) -> None:
        said.append(message)

    scope = {
        "type": "http",
        "path": "/",
        "client": (caller, 4000),
        "headers": [(b"host", b"192.168.1.7:2048")],
    }
    asyncio.run(Guard(_answer, access, RequestLimits())(scope, receive, send))
    return said[0]["status"]


@pytest.mark.parametrize(
    ("caller", "status"),
    [
        ("127.0.0.1", 200),
        ("192.168.1.20", 200),
        ("10.1.2.3", 200),
        ("172.31.0.1", 200),
        ("fd12:3456::1", 200),
        ("fe80::1%eth0", 200),
        ("::ffff:192.168.1.20", 200),
        ("8.8.8.8", 403),
        ("172.32.0.1", 403),
        ("2001:4860:4860::8888", 403),
        ("::ffff:8.8.8.8", 403),
        ("", 403),
        ("nonsense", 403),
    ],
)
def test_only_private_addresses_get_in(caller, status):
    assert status_for(caller, only_private=True) == status
    assert status_for(caller, only_private=False) == 200


def test_the_link_is_told_with_its_code(tables_folder, tmp_path):
    link = f"http://192.168.1.7:2048/#token={TOKEN}"
    with service([tables_folder], tmp_path, link=link) as served:
        found = served.get("/v1/link").json
        assert served.ask("GET", "/v1/link", token=None).status == 401
    assert found["url"] == link
    side = len(found["rows"])
    assert side % 4 == 1
    assert all(len(row) == side and set(row) == {"0", "1"} for row in found["rows"])
    for row, corner in ((0, "1111111"), (1, "1000001"), (3, "1011101"), (6, "1111111")):
        assert found["rows"][row].startswith(corner)  # where a camera looks for the code
        assert found["rows"][row].endswith(corner)


def test_without_lan_there_is_no_link(served):
    answer = served.get("/v1/link")
    assert answer.status == 404
    assert "--lan" in answer.json["error"]


@pytest.mark.thorough
def test_the_command_listens_in_the_network_and_on_this_machine(tables_folder, tmp_path):
    try:
        address = lan.lan_addresses()[0]
    except lan.AppError:
        pytest.skip("this machine has no private address")
    with command(tmp_path, "--lan", "--tables", tables_folder, "--json") as process:
        assert process.stdout
        told = json.loads(process.stdout.readline())
        port = int(told["base"].rstrip("/").rpartition(":")[2])
        assert told["lan"] == f"http://{address}:{port}/#token={TOKEN}"
        served = Served(port)
        assert served.get("/v1/link").json["url"] == told["lan"]
        host = f"{address}:{port}"
        assert served.ask("GET", "/", token=None, Host=host).status == 200
        assert served.ask("GET", "/", token=None, Host=f"evil.example:{port}").status == 403
    assert process.returncode == 0


@pytest.fixture
def three_networks(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine at home, with a VPN and containers."""
    networks = {"eth0": "192.168.7.5", "tun0": "10.8.0.2", "docker0": "172.17.0.1"}
    addresses = {
        name: [SimpleNamespace(family=socket.AF_INET, address=address)]
        for name, address in {**networks, "lo": "127.0.0.1"}.items()
    }
    monkeypatch.setattr(lan.psutil, "net_if_addrs", lambda: addresses)
    up = {name: SimpleNamespace(isup=True) for name in addresses}
    monkeypatch.setattr(lan.psutil, "net_if_stats", lambda: up)


@pytest.mark.usefixtures("three_networks")
def test_the_network_of_the_default_route_comes_first(monkeypatch):
    monkeypatch.setattr(lan, "_default_route", lambda: "192.168.7.5")
    assert lan.lan_addresses() == ["192.168.7.5", "10.8.0.2", "172.17.0.1"]
    monkeypatch.setattr(lan, "_default_route", lambda: None)
    assert lan.lan_addresses() == ["10.8.0.2", "192.168.7.5", "172.17.0.1"]


def test_another_network_can_be_chosen():
    there = ["192.168.7.5", "10.8.0.2"]
    assert lan.chosen_address("", there) == "192.168.7.5"
    assert lan.chosen_address("10.8.0.2", there) == "10.8.0.2"
    with pytest.raises(lan.AppError, match="no such private address, but 192"):
        lan.chosen_address("8.8.8.8", there)


def test_the_terminal_shows_a_code():
    drawn = lan.qr_text("http://192.168.1.7:2048/").splitlines()
    assert len({len(line) for line in drawn}) == 1
    assert len(drawn) > 10


@pytest.mark.parametrize("other", [["--no-token"], ["--host", "0.0.0.0"]])
def test_what_does_not_go_with_it_is_refused(other):
    assert_refused(run("serve", "--lan", *other), "--lan")
