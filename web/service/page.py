"""The files of the page in `web/page`: read once, so that no path ever comes from a request."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from engine.platform.files.input_file import read_limited

PAGE = Path(__file__).parent.parent / "page"
INDEX = "index.html"
LIST = "/files.js"
"""Lists the files for the page's service worker, and their version."""
WORKER = "/sw.js"
_MEDIA_TYPES = {
    ".css": "text/css; charset=utf-8",  # no text
    ".html": "text/html; charset=utf-8",  # no text
    ".ico": "image/x-icon",
    ".js": "text/javascript; charset=utf-8",  # no text
    ".json": "application/json",
    ".png": "image/png",
    ".svg": "image/svg+xml",  # no text
    ".txt": "text/plain; charset=utf-8",  # no text
    ".webmanifest": "application/manifest+json",  # no text
    ".woff2": "font/woff2",
}


class PageFile(NamedTuple):
    """A file as it is sent."""

    data: bytes
    media_type: str


def page_files(folder: Path = PAGE) -> dict[str, PageFile]:
    """Return all files that a browser may ask for, by path; ``/`` is the page itself."""
    files = {}
    for path in sorted(folder.rglob("*")):
        media_type = _MEDIA_TYPES.get(path.suffix)
        if media_type and path.is_file():
            name = f"/{path.relative_to(folder).as_posix()}"
            files[name] = PageFile(read_limited(path, 8 << 20), media_type)
    if f"/{INDEX}" in files:
        files["/"] = files[f"/{INDEX}"]
    files[LIST] = PageFile(_list_of(files), _MEDIA_TYPES[".js"])
    return files


def _list_of(files: Mapping[str, PageFile]) -> bytes:
    """Return a script with the paths of the files, and a version that changes with any of them."""
    digest = hashlib.sha256()
    for path, file in sorted(files.items()):
        digest.update(f"{path} {len(file.data)} ".encode() + file.data)
    listed = {"version": digest.hexdigest()[:16], "paths": sorted({*files} - {WORKER})}
    return f"const FILES = {json.dumps(listed)};\n".encode()
