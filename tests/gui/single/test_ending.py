"""Ways to end the program: by a signal, by the end of a session, with a part that fails."""

import json
import logging
import signal

import pytest

from gui.settings_model.settings import Settings
from gui.shell.app import Program
from gui.widgets.application import TerminationWatch

posix_only = pytest.mark.skipif(not hasattr(signal, "SIGHUP"), reason="no such signals there")

CHANGE_SETTINGS = """
class Changing(Program):
    def start(self, *what):
        super().start(*what)
        self.services.settings.set("practice.demo_speed", 3)

gui.shell.app.Program = Changing
"""


def values_in(folder, name="settings.json"):
    return json.loads((folder / name).read_text())["values"]


@pytest.mark.thorough
@posix_only
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT"])
def test_a_signal_closes_the_window_as_the_person_does(start, tmp_path, name):
    window = start(tmp_path, "--settings", more=CHANGE_SETTINGS)
    assert window.read() == "open Settings"
    window.send(getattr(signal, name))
    assert window.read() == "closed"
    status, said = window.end()
    assert status == 0
    assert "Traceback" not in said
    values = values_in(tmp_path)
    assert values["practice.demo_speed"] == 3
    places = values_in(tmp_path, "state.json")
    assert places["window.page"] == "Settings"
    assert places["window.geometry"]


@posix_only
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_signals_are_heard_while_qt_waits_and_given_back(qapp, qtbot, name):
    number = getattr(signal, name)
    before = signal.getsignal(number)
    watch = TerminationWatch(qapp)
    with qtbot.waitSignal(watch.requested):
        signal.raise_signal(number)
    watch.close()
    watch.close()
    assert signal.getsignal(number) is before
    assert signal.set_wakeup_fd(-1) == -1


@pytest.fixture
def program(qapp, tmp_path):
    program = Program(qapp, tmp_path)
    yield program
    program.close()


def test_the_end_of_a_session_writes_what_is_not_written_and_goes_on(program, tmp_path):
    program.services.settings.set("practice.demo_speed", 3)
    program.save()
    assert values_in(tmp_path)["practice.demo_speed"] == 3
    assert values_in(tmp_path, "state.json")["window.geometry"]
    program.services.settings.set("practice.demo_speed", 4)
    program.close()
    program.save()
    assert values_in(tmp_path)["practice.demo_speed"] == 4


@pytest.mark.thorough
def test_a_part_that_fails_keeps_no_other_from_closing(program, tmp_path, monkeypatch, caplog):
    closed = []
    for part in (program.services.builds, program.services.mistake_store, program.services.library):
        name = type(part).__name__

        def close(name=name):
            closed.append(name)
            raise RuntimeError(f"{name} does not close")

        monkeypatch.setattr(part, "close", close)
    program.services.settings.set("practice.demo_speed", 3)
    with caplog.at_level(logging.ERROR):
        program.close()
    assert closed == ["Builds", "MistakeService", "Library"]
    assert all(f"{name} does not close" in caplog.text for name in closed)
    assert values_in(tmp_path)["practice.demo_speed"] == 3


def test_settings_of_another_process_are_read_and_left_alone(qapp, tmp_path):
    path = tmp_path / "settings.json"
    path.write_text(json.dumps({"version": 1, "values": {"screensaver.speed": 2}}))
    before = path.read_bytes()
    settings = Settings(path, qapp, is_read_only=True)
    assert settings.get("screensaver.speed") == 2
    settings.set("screensaver.speed", 5)
    settings.close()
    assert path.read_bytes() == before
    path.write_text("{")
    Settings(path, qapp, is_read_only=True).close()
    assert [found.name for found in tmp_path.iterdir()] == ["settings.json"]
