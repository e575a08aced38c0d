"""The program started twice on one data folder: one window, whoever asks for it."""

import os
import signal

import pytest
from PySide6.QtNetwork import QLocalServer, QLocalSocket

from gui.shell.single_window import OpenRequest, SingleWindow, WindowBusyError
from tests.gui.single.window_process import start_again, wait_until

posix_only = pytest.mark.skipif(not hasattr(signal, "SIGSTOP"), reason="no such signals there")


@pytest.mark.thorough
def test_a_second_start_shows_what_it_asks_for_in_the_first_window(start, tmp_path, monkeypatch):
    data = tmp_path / "data"
    first = start(data)
    assert first.read() == "open Home"
    status, said = start_again(data)
    assert status == 0
    assert said == f"the window that has {data} open shows it\n"
    assert first.read() == "again Home None"
    monkeypatch.chdir(tmp_path)
    assert start_again(data, "--table", f"./some_64{os.pathsep}parts")[0] == 0
    assert first.read() == f"again Practice {tmp_path / 'some_64'} {tmp_path / 'parts'}"
    assert start_again(data, "--settings")[0] == 0
    assert first.read() == "again Settings None"
    (tmp_path / "link").symlink_to(data)
    assert start_again(tmp_path / "link")[0] == 0, "a folder by another name is the same"
    assert first.read() == "again Settings None"
    assert start_again(data, "tables")[0] == 0, "commands run beside the window"


@pytest.mark.thorough
@posix_only
def test_a_killed_window_is_in_nobodys_way_and_one_that_hangs_is_told(start, tmp_path):
    killed = start(tmp_path)
    assert killed.read() == "open Home"
    killed.stop()
    first = start(tmp_path)
    assert first.read() == "open Home"
    first.send(signal.SIGSTOP)
    status, said = start_again(tmp_path)
    assert status == 2
    (line,) = said.splitlines()
    assert line.startswith("error: ")
    assert f"process {first.process.pid}" in line
    assert "does not answer" in line
    first.send(signal.SIGCONT)
    assert start_again(tmp_path)[0] == 0


@pytest.mark.thorough
def test_two_starts_at_once_open_one_window(start, tmp_path):
    windows = [start(tmp_path), start(tmp_path)]
    wait_until(lambda: any(one.process.poll() is not None for one in windows))
    ended, left = sorted(windows, key=lambda one: one.process.poll() is None)
    assert ended.end()[0] == 0
    assert [left.read() for _ in range(2)] == ["open Home", "again Home None"]


@pytest.fixture
def seat(qapp, tmp_path):  # noqa: ARG001 - sockets need an application
    seat = SingleWindow(tmp_path)
    assert seat.claim(OpenRequest())
    seat.listen()
    yield seat
    seat.release()


@pytest.fixture
def connection(seat, qtbot, monkeypatch):
    """A socket that is connected to the one of the window."""
    names = []
    listen = QLocalServer.listen
    seat.stop_listening()
    monkeypatch.setattr(
        QLocalServer, "listen", lambda server, name: names.append(name) or listen(server, name)
    )
    seat.listen()
    socket = QLocalSocket()
    with qtbot.waitSignal(socket.connected):
        socket.connectToServer(names[-1])
    return socket


@pytest.mark.parametrize(
    "text",
    [
        b"\n",
        b"{}\n",
        b"[]\n",
        b"\xff\n",
        b'{"version": 2}\n',
        b'{"version": 1, "table": 3, "parts": [], "page": "", "activation_token": ""}\n',
        b'{"version": 1, "table": "", "parts": {}, "page": "", "activation_token": ""}\n',
        b'{"version": 1, "table": "a\\u0000b", "parts": [], "page": "", "activation_token": ""}\n',
        b"[" * 30_000 + b"\n",
        b"x" * 100_000,
    ],
)
def test_what_is_no_request_is_hung_up_on(connection, seat, qtbot, text):
    asked = []
    seat.asked.connect(asked.append)
    with qtbot.waitSignal(connection.disconnected):
        connection.write(text)
    assert asked == []
    assert connection.readAll().data() == b""


def test_a_window_that_is_closing_is_waited_for(seat, tmp_path):
    other = SingleWindow(tmp_path, quiet_s=0.2)
    seat.stop_listening()
    with pytest.raises(WindowBusyError, match="cannot be reached"):
        other.claim(OpenRequest())
    seat.release()
    assert other.claim(OpenRequest())
    other.release()


def test_only_its_user_may_connect(seat, monkeypatch):
    options = []
    monkeypatch.setattr(
        QLocalServer, "setSocketOptions", lambda _server, option: options.append(option)
    )
    seat.listen()
    assert options == [QLocalServer.SocketOption.UserAccessOption]


def test_a_folder_that_cannot_be_written_opens_all_the_same(qapp, tmp_path):  # noqa: ARG001
    (tmp_path / "data").write_text("a file where the folder should be")
    seat = SingleWindow(tmp_path / "data")
    assert seat.claim(OpenRequest())
    seat.release()
