"""A window that is killed, and the next one."""

import signal

import pytest

from gui.faults.last_session import CRASH_NAME, MARK_NAME

TELL = """
class Telling(Program):
    def start(self, *what):
        super().start(*what)
        for banner in self.home.banners.banners:
            print(banner.text_label.text(), "|".join(b.text() for b in banner.buttons), flush=True)

gui.shell.app.Program = Telling
"""
SEGFAULT = """
class Crashing(Program):
    def start(self, *what):
        super().start(*what)
        QTimer.singleShot(300, lambda: __import__("ctypes").string_at(0))

gui.shell.app.Program = Crashing
"""
AT_THE_END = "Endgame 2048 didn't end normally last time."


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal there")
def test_a_killed_window_is_offered_again_and_a_closed_one_is_not(start, tmp_path):
    killed = start(tmp_path, "--settings", more=TELL)
    assert killed.read() == "open Settings"
    assert (tmp_path / MARK_NAME).is_file()
    killed.send(signal.SIGKILL)
    assert killed.end()[0] == -signal.SIGKILL
    after = start(tmp_path, more=TELL)
    assert after.read() == f"{AT_THE_END} Restore|Show the log"
    assert after.read() == "open Home"
    after.send(signal.SIGTERM)
    assert after.end()[0] == 0
    assert not (tmp_path / MARK_NAME).exists()
    last = start(tmp_path, more=TELL)
    assert last.read() == "open Home"


@pytest.mark.slow
@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="no such signal there")
def test_a_crash_of_machine_code_is_told_with_what_it_was(start, tmp_path):
    crashed = start(tmp_path, more=SEGFAULT)
    assert crashed.read() == "open Home"
    assert crashed.end()[0] == -signal.SIGSEGV
    assert "Segmentation fault" in (tmp_path / "logs" / CRASH_NAME).read_text()
    after = start(tmp_path, more=TELL)
    assert after.read() == f"{AT_THE_END} Restore|Details|Show the log"
