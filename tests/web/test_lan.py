"""`serve --lan`: a phone of the same network gets in, others don't, and the QR code says where."""

import json
import socket
from types import SimpleNamespace

import pytest
from child import assert_refused, run

from tests.web.served import TOKEN, Served, command, service
from web.service import lan
from web.service.guard import Access, Guard, RequestLimits

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
