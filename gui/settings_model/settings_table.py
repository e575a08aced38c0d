"""All settings, in the order of the page of settings.

The valid values, the page with its search, the entries of the command palette and
``docs/settings.md`` are derived from this table. To add a setting, add a line to the file of its
section (`gui.settings_model.settings_of_coach` and so on); its control is created automatically.
If you rename a key, record it in `gui.settings_model.settings.STEPS`.
"""

from collections.abc import Mapping
from types import MappingProxyType

from engine.platform.language import LANGUAGES, PSEUDO, SYSTEM, mark
from gui.settings_model.setting import KeyChoice, OneOf, Place, Section, Setting, Shown
from gui.settings_model.settings_of_coach import COACH_SETTINGS
from gui.settings_model.settings_of_games import GAME_SETTINGS
from gui.settings_model.settings_of_looks import LOOK_SETTINGS
from gui.settings_model.settings_of_tables import BUILD_SETTINGS

SECTIONS = (
    Section("appearance", mark("Appearance"), "theme", mark("Colors, sizes, tiles and motion.")),
    Section(
        "game", mark("Game and AI"), "game", mark("Who plays, how fast, and the screen saver.")
    ),
    Section(
        "coach",
        mark("Practice and test"),
        "practice",
        mark("Practice, test, review, mistakes and analysis."),
    ),
    Section("keyboard", mark("Keyboard"), "keyboard", mark("Which keys do what.")),
    Section("language", mark("Language"), "globe", mark("The language of the program.")),
    Section("tables", mark("Tables"), "tables", mark("What new tables keep and where they are.")),
    Section("data", mark("Data"), "folder", mark("Your folder, backup, import, reset.")),
    Section("about", mark("About"), "state_info", mark("The version and the licenses.")),
)

_OTHERS = (
    Setting(
        "language",
        SYSTEM,
        Place("language", ""),
        mark("Language"),
        mark("The language of the window and of the command line."),
        kind=OneOf(
            (
                Shown(SYSTEM, mark("Match system")),
                *(Shown(code, name) for code, name in LANGUAGES.items()),
            ),
            hidden=(PSEUDO,),
        ),
    ),
    Setting(
        "shortcuts",
        {},
        Place("keyboard", ""),
        mark("Keyboard shortcuts"),
        mark("The keys of every action, in the window and on its pages."),
        kind=KeyChoice(),
        also=mark("hotkeys, undo, redo, hint, best move"),
    ),
)

SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {
        one.key: one
        for one in (*LOOK_SETTINGS, *GAME_SETTINGS, *COACH_SETTINGS, *_OTHERS, *BUILD_SETTINGS)
    }
)
"""Every setting by its key."""


def settings_of(section: str) -> list[Setting]:
    return [one for one in SETTINGS.values() if one.section == section]
