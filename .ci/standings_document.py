"""The table of players in the benchmarks: ``python .ci/standings_document.py`` writes it."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from ai.standings import markdown  # noqa: E402

PATH = "docs/benchmarks.md"
_BEGIN = "<!-- Written by `make documents` from ai/standings.py: change that. -->\n"
_END = "<!-- The end of what is written. -->\n"


def document(text: str) -> str:
    before, _, rest = text.partition(_BEGIN)
    _, _, after = rest.partition(_END)
    return f"{before}{_BEGIN}\n{markdown()}\n{_END}{after}"


if __name__ == "__main__":
    path = ROOT / PATH
    path.write_text(document(path.read_text(encoding="utf-8")), encoding="utf-8")
