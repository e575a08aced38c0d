"""The search of the documentation site where its pages are opened as files: without workers."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.web.browsers import Browser


SCRIPT = Path(__file__).parent.parent.parent / ".ci/site/javascripts/iframe-worker.js"

# As the search of Material for MkDocs does: its worker listens and answers by the global names.
WORKER = """
let asked = 0;
addEventListener("message", (event) => {
  asked += 1;
  postMessage({ asked, found: event.data.query.toUpperCase(), isPage: "isPage" in globalThis });
});
"""
PAGE = """<!doctype html><title>A page</title><body>
<script>
  var isPage = true; // which a worker must not see
</script>
<script src="iframe-worker.js"></script>
<script>
  var worker = new Worker("folder/worker.js");
  var heard = [], handled = [];
  worker.addEventListener("message", ({ data }) => heard.push(data));
  worker.onmessage = ({ data }) => handled.push(data);
  worker.postMessage({ query: "endgame" }); // before the script can have come
</script>
"""


@pytest.fixture
def page(window: Browser, tmp_path: Path) -> Browser:
    """A page with the script, opened as a file."""
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder/worker.js").write_text(WORKER)
    (tmp_path / "iframe-worker.js").write_bytes(SCRIPT.read_bytes())
    (tmp_path / "page.html").write_text(PAGE)
    window.go((tmp_path / "page.html").as_uri())
    return window


@pytest.mark.sample(1)
def test_a_worker_answers_where_browsers_start_none(page):
    page.until("heard.length === 1")
    answer = {"asked": 1, "found": "ENDGAME", "isPage": False}
    assert page.run("return heard") == page.run("return handled") == [answer]
    page.run("worker.postMessage({ query: 'two' }); worker.postMessage({ query: 'tiles' });")
    page.until("heard.length === 3")
    found = page.run("return heard.map((one) => [one.asked, one.found])")
    assert found == [[1, "ENDGAME"], [2, "TWO"], [3, "TILES"]]
    assert page.run("return getComputedStyle(document.querySelector('iframe')).display") == "none"


@pytest.mark.thorough
def test_a_worker_that_was_ended_is_gone(page):
    page.until("heard.length === 1")
    page.run("worker.terminate()")
    assert page.run("return document.querySelector('iframe') === null")


@pytest.mark.thorough
def test_a_browser_keeps_its_own_workers_elsewhere(window):
    window.go("about:blank")
    window.run(SCRIPT.read_text(encoding="utf-8"))
    assert window.run("return /native code/.test(Worker.toString())")
