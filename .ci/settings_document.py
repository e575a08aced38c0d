"""The document of the settings, from their table; ``python .ci/settings_document.py`` writes it."""

import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from gui.settings_model.setting import Number, Setting, Switch  # noqa: E402
from gui.settings_model.settings_table import SECTIONS, settings_of  # noqa: E402

PATH = "docs/settings.md"
_HEAD = """# Settings

<!-- Written by `make documents` from gui/settings_model/settings_table.py: change that. -->

What you choose is kept in `settings.json` in your data folder, under the names below: its object
`values` has those that were ever changed. The program writes the file a moment after each change,
and only when it is complete. A value that cannot be used is reported, and its default is in use; a
damaged file is set aside. Names that this version does not know are kept. `version` says which
version of the names the file has; files of earlier versions are brought up to date.
"""


def document() -> str:
    parts = [_HEAD]
    for section in SECTIONS:
        settings = settings_of(section.key)
        if not settings:
            continue
        parts.append(f"## {section.title}\n\n{section.help}\n")
        for setting in settings:
            parts.append(_described(setting))
    return "\n".join(parts)


def _described(setting: Setting) -> str:
    lines = [f"### `{setting.key}`: {setting.title}", "", setting.help, ""]
    lines.append(f"- Values: {_values(setting)}")
    lines.append(f"- Default: {_shown(setting, setting.default)}")
    if setting.needs_restart:
        lines.append("- Takes effect the next time the program starts.")
    if setting.page:
        lines.append(f"- Changed on the page {setting.page}, not in Settings.")
    lines += [f"- Warning: {warning}" for warning in setting.warnings]
    lines += [f"- Locked at times: {lock}" for lock in setting.locks]
    return "\n".join([*lines, ""])


def _values(setting: Setting) -> str:
    if isinstance(setting.kind, Switch):
        return "`true` or `false`"
    offered = ", ".join(_shown(setting, choice.value) for choice in setting.choices)
    expected = str(setting.option.expected)
    if isinstance(setting.kind, Number):
        lowest = f"; `{setting.kind.low}` is called {setting.kind.lowest}"
        bounds = expected + (lowest if setting.kind.lowest else "")
        return f"{bounds}; offered are {offered}" if offered else bounds
    return offered or expected


def _shown(setting: Setting, value: object) -> str:
    words = next((choice.words for choice in setting.choices if choice.value == value), "")
    digits = {True: "true", False: "false"}.get(value, value) if isinstance(value, bool) else value
    code = '`""`' if value == "" else f"`{digits}`"
    return f"{code} ({words})" if words and words != str(value) else code


if __name__ == "__main__":
    (ROOT / PATH).write_text(document(), encoding="utf-8")
