"""A real browser without a window: Chromium by its driver, Firefox by Marionette.

Both speak the commands of WebDriver; so little of it is needed that no package is used.
"""

import base64
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
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

KEYS = {"Enter": "\ue007", "Escape": "\ue00c", "Backspace": "\ue003", "Tab": "\ue004"}
KEYS |= {"ArrowLeft": "\ue012", "ArrowUp": "\ue013", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}
_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
_FIREFOX = ("firefox-esr", "firefox")
_PATIENCE_S = 60.0
_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


def _first(names: Sequence[str]) -> str | None:
    return next(filter(None, map(shutil.which, names)), None)


def installed() -> list[str]:
    """Return the installed browsers."""
    if sys.platform == "win32":  # a browser and all that it started end as one group of processes
        return []
    found = []
    if _first(_CHROMIUM) and shutil.which("chromedriver"):
        found.append("chromium")
    if _first(_FIREFOX):
        found.append("firefox")
    return found


Send = Callable[[str, dict[str, Any]], Any]


class Browser:
    """A browser; commands are named as Marionette names them, without "WebDriver:"."""

    def __init__(self, name: str, send: Send) -> None:
        self.name, self._send = name, send

    def go(self, url: str) -> None:
        """Open a page."""
        self._send("Navigate", {"url": url})

    def reload(self) -> None:
        """Load the page again, as its own scripts do: the command of Firefox asks no worker."""
        self.run("window.isOld = true; location.reload()")

        def is_new() -> bool:
            with contextlib.suppress(AssertionError):  # between two pages no element exists
                return bool(self.run("return !window.isOld && document.readyState === 'complete'"))
            return False

        _wait_for(is_new)

    def run(self, script: str, *args: Any) -> Any:
        """Return the result of a script, the body of a function; it may return a promise."""
        wrapped = f"return (async (...args) => {{ {script} }})(...arguments)"
        return self._send("ExecuteScript", {"script": wrapped, "args": list(args)})

    def until(self, script: str, *args: Any) -> Any:
        """Return the result of a script as soon as it is true."""
        end = time.monotonic() + _PATIENCE_S
        while not (found := self.run(f"return {script}", *args)):
            if time.monotonic() > end:
                raise AssertionError(f"{script} is not true after {_PATIENCE_S:g} s")
        return found

    def press(self, *keys: str) -> None:
        """Press keys one after the other; "Shift+n" and "Ctrl+z" hold another one."""
        actions = []
        for key in keys:
            *held, last = key.split("+") if len(key) > 1 else [key]
            holding = [{"Ctrl": "\ue009", "Shift": "\ue008"}[one] for one in held]
            actions += [{"type": "keyDown", "value": one} for one in holding]
            value = KEYS.get(last, last)
            actions += [{"type": "keyDown", "value": value}, {"type": "keyUp", "value": value}]
            actions += [{"type": "keyUp", "value": one} for one in holding]
        self._act({"type": "key", "id": "keys", "actions": actions})

    def click(self, selector: str, text: str = "") -> None:
        """Click the first element of a selector, or the first that has a text."""
        self.run(
            "const found = [...document.querySelectorAll(args[0])]"
            ".find((one) => one.textContent.includes(args[1]));"
            "if (!found) throw new Error(`no ${args[0]} with ${args[1]}`); found.click();",
            selector,
            text,
        )

    def swipe(self, x: int, y: int) -> None:
        """Move a finger over the board by so many pixels."""
        left, top = self.run(
            "const box = document.getElementById('board').getBoundingClientRect();"
            "return [box.x + box.width / 2, box.y + box.height / 2].map(Math.round)"
        )
        move = {"type": "pointerMove", "origin": "viewport"}
        self._act(
            {
                "type": "pointer",
                "id": "finger",
                "parameters": {"pointerType": "touch"},
                "actions": [
                    {**move, "x": left, "y": top, "duration": 0},
                    {"type": "pointerDown", "button": 0},
                    {**move, "x": left + x, "y": top + y, "duration": 60},
                    {"type": "pointerUp", "button": 0},
                ],
            }
        )

    def drag(self, selector: str, share: float) -> None:
        """Drag the thumb of a slider from its left end over a share of its width, and below it."""
        x, y, width = self.run(
            "const one = document.querySelector(args[0]); one.scrollIntoView({block: 'center'});"
            "const box = one.getBoundingClientRect();"
            "return [box.x + 8, box.y + box.height / 2, box.width - 16]",
            selector,
        )
        move = {"type": "pointerMove", "origin": "viewport", "y": round(y), "duration": 60}
        way = [{**move, "x": round(x + width * share * part)} for part in (0, 0.3, 0.6, 1)]
        way.append({**way[-1], "y": round(y) + 40})
        down, up = ({"type": f"pointer{name}", "button": 0} for name in ("Down", "Up"))
        actions = [way[0], down, *way[1:], up]
        mouse = {"parameters": {"pointerType": "mouse"}, "actions": actions}
        self._act({"type": "pointer", "id": "mouse", **mouse})

    def upload(self, selector: str, path: Path) -> None:
        """Choose a file."""
        found = self._send("FindElement", {"using": "css selector", "value": selector})
        found = found.get("value", found)  # Marionette marks which part of its answer is the value
        self._send("ElementSendKeys", {"id": found[_ELEMENT], "text": str(path)})

    def resize(self, width: int, height: int) -> None:
        """Give the page so many pixels; windows of Firefox are 500 wide at least."""
        if self.name == "chromium":
            metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            command = "Emulation.setDeviceMetricsOverride"
            self._send("Command", {"cmd": command, "params": metrics})
            return
        self._send("SetWindowRect", {"width": width, "height": height})
        extra = self.run("return [outerWidth - innerWidth, outerHeight - innerHeight]")
        whole = {"width": width + extra[0], "height": height + extra[1]}
        self._send("SetWindowRect", whole)

    def screenshot(self, path: Path) -> None:
        """Save what is seen as a PNG."""
        data = self._send("TakeScreenshot", {"full": False})
        path.write_bytes(base64.b64decode(data))

    def complaints(self) -> list[str]:
        """Return the errors in the console; only Chromium reports them."""
        if self.name != "chromium":
            return []
        said = self._send("Log", {"type": "browser"})
        return [one["message"] for one in said if one["level"] in ("SEVERE", "ERROR")]

    def _act(self, device: dict[str, Any]) -> None:
        self._send("PerformActions", {"actions": [device]})


@contextlib.contextmanager
def browser(name: str) -> Iterator[Browser]:
    """Run a browser for as long as the block lasts."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        begin = _chromium if name == "chromium" else _firefox
        with begin(Path(folder)) as send:
            yield Browser(name, send)


def _free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


@contextlib.contextmanager
def _process(words: Sequence[object], folder: Path) -> Iterator[None]:
    """Run a program with all that it starts."""
    process = subprocess.Popen(
        list(map(str, words)),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "HOME": str(folder), "MOZ_HEADLESS": "1"},
        start_new_session=True,
    )
    try:
        yield
    finally:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()


@contextlib.contextmanager
def _chromium(folder: Path) -> Iterator[Send]:
    port = _free_port()
    with _process([shutil.which("chromedriver"), f"--port={port}"], folder):
        base = f"http://127.0.0.1:{port}"

        def ask(method: str, path: str, body: Any = None) -> Any:
            data = None if method == "GET" else json.dumps(body or {}).encode()
            kind = {"Content-Type": "application/json"}
            request = urllib.request.Request(base + path, data, kind, method=method)
            opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
            try:
                with opener.open(request, timeout=_PATIENCE_S) as answer:
                    return json.load(answer)["value"]
            except urllib.error.HTTPError as error:
                raise AssertionError(json.load(error)["value"]["message"]) from None

        _wait_for(lambda: ask("GET", "/status")["ready"])
        switches = ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--lang=en"]
        switches += [f"--user-data-dir={folder / 'profile'}", "--no-proxy-server"]
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": {"binary": _first(_CHROMIUM), "args": switches},
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        session = ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})["sessionId"]
        paths = {
            "Navigate": "url",
            "ExecuteScript": "execute/sync",
            "PerformActions": "actions",
            "FindElement": "element",
            "Command": "goog/cdp/execute",
            "Log": "se/log",
        }

        def send(name: str, values: dict[str, Any]) -> Any:
            inside = f"/session/{session}"
            if name == "TakeScreenshot":
                return ask("GET", f"{inside}/screenshot")
            if name == "ElementSendKeys":
                return ask("POST", f"{inside}/element/{values['id']}/value", values)
            return ask("POST", f"{inside}/{paths[name]}", values)

        try:
            yield send
        finally:
            ask("DELETE", f"/session/{session}")


@contextlib.contextmanager
def _firefox(folder: Path) -> Iterator[Send]:
    port = _free_port()
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
    with _process([*words, "about:blank"], folder):
        made: list[socket.socket] = []

        def connects() -> bool:
            with contextlib.suppress(OSError):
                made.append(socket.create_connection(("127.0.0.1", port), _PATIENCE_S))
            return bool(made)

        _wait_for(connects)
        with made[0] as connection, connection.makefile("rwb") as stream:
            number = 0

            def receive() -> Any:
                digits = b""
                while (one := stream.read(1)) != b":":
                    digits += one
                return json.loads(stream.read(int(digits)))

            def send(name: str, values: dict[str, Any]) -> Any:
                nonlocal number
                number += 1
                data = json.dumps([0, number, f"WebDriver:{name}", values]).encode()
                stream.write(b"%d:%s" % (len(data), data))
                stream.flush()
                _, _, error, result = receive()
                if error:
                    raise AssertionError(error["message"])
                return result.get("value", result) if isinstance(result, dict) else result

            receive()  # who it is
            send("NewSession", {"capabilities": {"alwaysMatch": {}}})
            yield send


def _wait_for(is_ready: Callable[[], Any]) -> None:
    end = time.monotonic() + _PATIENCE_S
    while True:
        with contextlib.suppress(OSError):
            if is_ready():
                return
        if time.monotonic() > end:
            raise AssertionError(f"nothing answers after {_PATIENCE_S:g} s")
