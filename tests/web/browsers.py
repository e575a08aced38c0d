"""A real browser without a window, driven by Selenium: Chromium, and Firefox."""

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_actions import PointerActions
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.common.proxy import Proxy, ProxyType
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.file_detector import UselessFileDetector
from selenium.webdriver.remote.webdriver import WebDriver
from selenium.webdriver.support.wait import WebDriverWait

KEYS = {"Enter": Keys.ENTER, "Escape": Keys.ESCAPE, "Backspace": Keys.BACKSPACE, "Tab": Keys.TAB}
KEYS |= {"ArrowLeft": Keys.LEFT, "ArrowUp": Keys.UP, "ArrowRight": Keys.RIGHT}
KEYS |= {"ArrowDown": Keys.DOWN, "Ctrl": Keys.CONTROL, "Shift": Keys.SHIFT}
_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
_FIREFOX = ("firefox-esr", "firefox")
_PATIENCE_S = 60.0


def _first(names: Sequence[str]) -> str | None:
    return next(filter(None, map(shutil.which, names)), None)


def installed() -> list[str]:
    if sys.platform == "win32":  # a browser and all that it started end as one group of processes
        return []
    found = []
    if _first(_CHROMIUM) and shutil.which("chromedriver"):
        found.append("chromium")
    if _first(_FIREFOX):
        found.append("firefox")
    return found


class Browser:
    """A browser with one page."""

    def __init__(self, name: str, driver: WebDriver) -> None:
        self.name, self._driver = name, driver
        self._wait = WebDriverWait(driver, _PATIENCE_S, 0.02, (WebDriverException,))

    def go(self, url: str) -> None:
        self._driver.get(url)

    def reload(self) -> None:
        """Load the page again, as its own scripts do: the command of Firefox asks no worker."""
        self.run("window.isOld = true; location.reload()")
        self._wait.until(
            lambda _: self.run("return !window.isOld && document.readyState === 'complete'")
        )

    def run(self, script: str, *args: Any) -> Any:
        """Return the result of a script, the body of a function; it may return a promise."""
        wrapped = f"return (async (...args) => {{ {script} }})(...arguments)"
        return self._driver.execute_script(wrapped, *args)

    def until(self, script: str, *args: Any) -> Any:
        """Return the result of a script as soon as it is true."""
        wait = WebDriverWait(self._driver, _PATIENCE_S, 0.02)
        return wait.until(lambda _: self.run(f"return {script}", *args), f"{script} is not true")

    def press(self, *keys: str) -> None:
        """Press keys one after the other; "Shift+n" and "Ctrl+z" hold another one."""
        actions = ActionBuilder(self._driver)
        for key in keys:
            *held, last = key.split("+") if len(key) > 1 else [key]
            for one in (*held, last):
                actions.key_action.key_down(KEYS.get(one, one))
            for one in (last, *held):
                actions.key_action.key_up(KEYS.get(one, one))
        actions.perform()

    def click(self, selector: str, text: str = "") -> None:
        self.run(
            "const found = [...document.querySelectorAll(args[0])]"
            ".find((one) => one.textContent.includes(args[1]));"
            "if (!found) throw new Error(`no ${args[0]} with ${args[1]}`); found.click();",
            selector,
            text,
        )

    def swipe(self, x: int, y: int) -> None:
        left, top = self.run(
            "const box = document.getElementById('board').getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2].map(Math.round)"
        )
        with self._pointer("touch") as finger:
            finger.move_to_location(left, top).pointer_down()
            finger.move_to_location(left + x, top + y).pointer_up()

    def drag(self, selector: str, share: float) -> None:
        """Drag the thumb of a slider from its left end over a share of its width, and below it."""
        x, y, width = self.run(
            "const one = document.querySelector(args[0]); one.scrollIntoView({block: 'center'});"
            "const box = one.getBoundingClientRect();"
            "return [box.x + 8, box.y + box.height / 2, box.width - 16].map(Math.round)",
            selector,
        )
        with self._pointer("mouse") as mouse:
            mouse.move_to_location(x, y).pointer_down()
            for part in (0.3, 0.6, 1):
                mouse.move_to_location(round(x + width * share * part), y)
            mouse.move_to_location(round(x + width * share), y + 40).pointer_up()

    def upload(self, selector: str, path: Path) -> None:
        self._driver.find_element(By.CSS_SELECTOR, selector).send_keys(str(path))

    def resize(self, width: int, height: int) -> None:
        if self.name == "chromium":
            metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            self._driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
            return
        self._driver.set_window_rect(width=width, height=height)
        extra = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
        self._driver.set_window_rect(width=width + extra[0], height=height + extra[1])

    def complaints(self) -> list[str]:
        """Return the errors in the console; only Chromium reports them."""
        if self.name != "chromium":
            return []
        said = self._driver.execute(Command.GET_LOG, {"type": "browser"})["value"]
        return [one["message"] for one in said if one["level"] in ("SEVERE", "ERROR")]

    @contextlib.contextmanager
    def _pointer(self, kind: str) -> Iterator[PointerActions]:
        actions = ActionBuilder(self._driver, PointerInput(kind, kind), duration=60)
        yield actions.pointer_action
        actions.perform()


@contextlib.contextmanager
def browser(name: str) -> Iterator[Browser]:
    """Run a browser for as long as the block lasts."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        begin = _chromium if name == "chromium" else _firefox
        with begin(Path(folder)) as driver:
            yield Browser(name, driver)


@contextlib.contextmanager
def _chromium(folder: Path) -> Iterator[WebDriver]:
    options = webdriver.ChromeOptions()
    options.binary_location = _first(_CHROMIUM) or ""
    for switch in ("headless=new", "no-sandbox", "disable-dev-shm-usage", "lang=en"):
        options.add_argument(f"--{switch}")
    options.add_argument(f"--user-data-dir={folder / 'profile'}")
    options.add_argument("--no-proxy-server")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    service = Service(
        shutil.which("chromedriver"),
        env={**os.environ, "HOME": str(folder)},
        popen_kw={"start_new_session": True},
    )
    service.start()
    try:
        here = ClientConfig(service.service_url, proxy=Proxy({"proxyType": ProxyType.DIRECT}))
        detector = UselessFileDetector()  # its files are here
        driver = webdriver.Remote(
            service.service_url, options=options, client_config=here, file_detector=detector
        )
        try:
            yield driver
        finally:
            driver.quit()
    finally:
        service.stop()
        _kill_group(service.process.pid)


@contextlib.contextmanager
def _firefox(folder: Path) -> Iterator[WebDriver]:
    """Run Firefox, which Debian has without geckodriver: Selenium speaks to Firefox itself."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port = one.getsockname()[1]
    profile = folder / "profile"
    profile.mkdir()
    preferences = {
        "marionette.port": port,
        "network.proxy.type": 0,
        "intl.accept_languages": "en",
        "app.update.enabled": False,
        "toolkit.telemetry.reportingpolicy.firstRun": False,
        "browser.shell.checkDefaultBrowser": False,
        "dom.w3c_touch_events.enabled": 1,
    }
    lines = (
        f"user_pref({json.dumps(key)}, {json.dumps(value)});\n"
        for key, value in preferences.items()
    )
    (profile / "user.js").write_text("".join(lines))
    words = [_first(_FIREFOX), "--marionette", "--headless", "--no-remote", "--profile", profile]
    process = subprocess.Popen(
        [*map(str, words), "about:blank"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder)},
        start_new_session=True,
    )
    try:
        with _connected(process, port) as connection:
            yield webdriver.Remote(
                _Marionette(connection),  # type: ignore[arg-type]
                options=webdriver.FirefoxOptions(),
                file_detector=UselessFileDetector(),
            )
    finally:
        _kill_group(process.pid)
        process.wait()


def _kill_group(pid: int) -> None:
    """End a process with all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(pid, signal.SIGKILL)


def _connected(process: "subprocess.Popen[bytes]", port: int) -> socket.socket:
    """Return a connection to a Firefox that may still be starting."""
    end = time.monotonic() + _PATIENCE_S
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), _PATIENCE_S)
        except OSError:
            assert process.poll() is None, "Firefox has ended"
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


class _Marionette:
    """Sends commands of WebDriver in the frames and by the names that Firefox itself knows."""

    NAMES: ClassVar = {
        Command.NEW_SESSION: "NewSession",
        Command.GET: "Navigate",
        Command.W3C_EXECUTE_SCRIPT: "ExecuteScript",
        Command.W3C_ACTIONS: "PerformActions",
        Command.FIND_ELEMENT: "FindElement",
        Command.SEND_KEYS_TO_ELEMENT: "ElementSendKeys",
        Command.SET_WINDOW_RECT: "SetWindowRect",
    }

    def __init__(self, connection: socket.socket) -> None:
        self._stream = connection.makefile("rwb")
        self._receive()  # who it is

    def execute(self, command: str, params: dict[str, Any]) -> dict[str, Any]:
        if command == Command.NEW_SESSION:
            params = {"capabilities": {"alwaysMatch": {}}}
        data = json.dumps([0, 1, f"WebDriver:{self.NAMES[command]}", params]).encode()
        self._stream.write(b"%d:%s" % (len(data), data))
        self._stream.flush()
        _, _, error, result = self._receive()
        if error:
            return {"status": 500, "value": json.dumps({"value": error})}
        return {"value": result.get("value", result)}

    def _receive(self) -> Any:
        digits = b""
        while (one := self._stream.read(1)) != b":":
            assert one, "Firefox has ended"
            digits += one
        return json.loads(self._stream.read(int(digits)))
