"""All settings, in the order of the page of settings.

What a value may be, the page with its search, the entries of the command palette and
``docs/settings.md`` follow from this table. To add a setting, add a line here; a control for it
comes by itself. Renamed a key? Then say so in `gui.core.settings_changes`.
"""

import os
from collections.abc import Mapping
from types import MappingProxyType

from ai.choice import CHOOSERS
from engine.language import LANGUAGES, PSEUDO, SYSTEM, mark
from gui.core.setting import (
    Folder,
    Folders,
    KeyChoice,
    Name,
    Number,
    OneOf,
    Remark,
    Section,
    Setting,
    Shown,
    Switch,
    is_above,
    is_not,
)
from tablebase.store.options import USUAL_LARGE

SPEEDS = (1, 2, 3, 5, 8, 12, 20, 30, 60)
"""Moves a second that can be chosen."""
SECONDS = (0, 3, 5, 10, 20, 30, 60, 120)
"""How long a move of a test may take; 0 for as long as one likes."""
ALLOWANCES = (0.0, 0.001, 0.01, 0.1)
"""How many points a perfect move may lose."""
SPARSE_CHOICES = (1, 3, 4, 6, 8)
"""Of so many layers a table can store two; 1 for all."""
EQUAL_CHOICES = (0, 2, 3, 4)
"""How many equal large tiles boards can be limited to; 0 for any number."""
SUM_CHOICES = (0, 64, 96, 128, 192, 256, 384)
"""What smaller tiles can be limited to beside large ones, together; 0 for anything."""
LARGE_CHOICES = (16, 32, 64, 128)
"""From which tile on these two can call a tile large."""
ROUTE_LENGTHS = (30, 50, 100, 200, 0)
"""How many moves a new route may have; 0 for as many as there are."""
_NO_LIMIT = mark("No limit")
_TILES = tuple(1 << exponent for exponent in range(1, 17))
_UI_SCALES = (80, 90, 100, 110, 125, 150, 175, 200)
_NUMBER_SCALES = (70, 80, 90, 100, 110, 120, 130)
_USUAL_SPAWN4 = 0.1
# Pages, and the groups that are called like them.
_TABLES, _PRACTICE, _TEST = mark("Tables"), mark("Practice"), mark("Test")
_ROUTES = mark("Routes")
_REVIEW, _MISTAKES, _ANALYSIS = mark("Review"), mark("Mistakes"), mark("Analysis")
_PUZZLES = mark("Puzzles")

SECTIONS = (
    Section("tables", mark("Tables"), "tables", mark("What new tables keep and where they are.")),
    Section(
        "game", mark("Game and AI"), "game", mark("Who plays, how fast, and the screen saver.")
    ),
    Section(
        "coach", mark("Coach"), "practice", mark("Practice, test, review, mistakes and analysis.")
    ),
    Section("appearance", mark("Appearance"), "theme", mark("Colors, sizes, tiles and motion.")),
    Section("language", mark("Language"), "report", mark("The language of the program.")),
    Section("keyboard", mark("Keyboard"), "edit", mark("Which keys do what.")),
    Section("data", mark("Data"), "folder", mark("Your folder, and resetting all settings.")),
    Section("about", mark("About"), "state_info", mark("The version and the licenses.")),
)

_KEEPS = mark("What new tables keep")
_BUILDS = mark("How tables are built")
_FOLDERS = mark("Folders")
_ADVICE = mark("What to build")
_GAME, SAVER = mark("Game"), mark("Screen saver")
_WINDOW, PALETTE, BOARD = mark("Window"), mark("Colors of the tiles"), mark("Board")
_NO_GROUP = ""
_LIMIT_WARNING = mark(
    "What is left out counts as lost, so all success rates of the table are lower bounds: only for "
    "tables too large to build whole."
)

_BUILD = (
    Setting(
        "build.rate",
        OneOf(
            (
                Shown("uint32", mark("32-bit"), mark("The default: exact to about 10 digits.")),
                Shown(
                    "uint16",
                    mark("16-bit"),
                    mark(
                        "About 60 % of the size. Off by 0.04 % at worst, usually less than 0.001 %."
                    ),
                ),
                Shown(
                    "uint64",
                    mark("64-bit"),
                    mark("All digits that are computed. Almost twice the size."),
                ),
                Shown(
                    "float32",
                    mark("32-bit floating point"),
                    mark(
                        "Seven digits, however small the rate. A little smaller than the default."
                    ),
                ),
                Shown(
                    "float64",
                    mark("64-bit floating point"),
                    mark("Sixteen digits, however small the rate. 1.7 times the size."),
                ),
            ),
            is_menu=True,
        ),
        "uint32",
        "tables",
        _KEEPS,
        mark("Precision of the rates"),
        mark("How many digits of each success rate a table stores."),
        warnings=(
            Remark(
                mark(
                    "Too coarse to tell very small losses apart: choose it to save room, not for a "
                    "table to practice with."
                ),
                lambda value, _: bool(value == "uint16"),
            ),
        ),
    ),
    Setting(
        "build.spawn4",
        Number(0.0001, 0.9999, factor=100, unit=" %", decimals=2),
        _USUAL_SPAWN4,
        "tables",
        _KEEPS,
        mark("New tile is a 4"),
        mark("How often a new tile is a 4 in the game that tables are computed for."),
        warnings=(
            Remark(
                mark("The usual game has 10 %: success rates of this table don't apply to it."),
                is_not(_USUAL_SPAWN4),
            ),
        ),
    ),
    Setting(
        "build.threshold",
        Number(0.0, 1.0, factor=100, unit=" %", decimals=2, lowest=mark("Nothing")),
        0.0,
        "tables",
        _KEEPS,
        mark("Leave out chances up to"),
        mark("Positions with this chance or less are left out and count as lost."),
        warnings=(
            Remark(
                mark(
                    "Practice and Review have no rates for positions that are left out. It saves "
                    "room, but not for a table to practice with."
                ),
                is_above(0),
            ),
        ),
        locks=(
            Remark(
                mark(
                    "Not available for a sparse table, which needs all positions of the layers it "
                    "keeps."
                ),
                lambda value, values: not value and values("build.sparse") > 1,
            ),
        ),
    ),
    Setting(
        "build.optimal_only",
        Switch(),
        False,
        "tables",
        _KEEPS,
        mark("Only positions of best play"),
        mark("Leaves out positions that only a mistake can reach."),
        warnings=(
            Remark(
                mark(
                    "After a mistake there are no rates any more: good for reference, not for a "
                    "table to practice with."
                ),
                is_not(False),
            ),
        ),
        locks=(
            Remark(
                mark("Not available for a sparse table."),
                lambda value, values: not value and values("build.sparse") > 1,
            ),
        ),
    ),
    Setting(
        "build.sparse",
        OneOf(
            (
                Shown(1, mark("Off")),
                *(Shown(sparse, str(sparse)) for sparse in SPARSE_CHOICES[1:]),
            )
        ),
        1,
        "tables",
        _KEEPS,
        mark("Sparse storage"),
        mark("Stores two of every so many layers; look-ups compute the others again."),
        warnings=(
            Remark(
                mark("A sparse table needs every position, so leave nothing out first."),
                lambda value, values: bool(
                    value > 1 and (values("build.threshold") or values("build.optimal_only"))
                ),
            ),
            Remark(mark("Look-ups become slower the more layers are left out."), is_above(1)),
        ),
        locks=(
            Remark(
                mark("Not available while positions are left out."),
                lambda value, values: bool(
                    value == 1 and (values("build.threshold") or values("build.optimal_only"))
                ),
            ),
        ),
    ),
    Setting(
        "build.most_equal",
        OneOf(tuple(Shown(n, str(n) if n else _NO_LIMIT) for n in EQUAL_CHOICES)),
        0,
        "tables",
        _KEEPS,
        mark("Equal large tiles"),
        mark(
            "For giant tables: leaves out positions with more equal large tiles (in other "
            "programs: advanced algorithm)."
        ),
        warnings=(Remark(_LIMIT_WARNING, is_above(0)),),
    ),
    Setting(
        "build.small_sum",
        OneOf(tuple(Shown(n, str(n) if n else _NO_LIMIT) for n in SUM_CHOICES)),
        0,
        "tables",
        _KEEPS,
        mark("Sum of small tiles"),
        mark(
            "For giant tables: leaves out positions with more than this beside a large tile (in "
            "other programs: STSL)."
        ),
        warnings=(
            Remark(
                mark("Choose at least the tile that counts as large: that is what one is made of."),
                lambda value, values: bool(0 < value < values("build.large_from")),
            ),
            Remark(_LIMIT_WARNING, is_above(0)),
        ),
    ),
    Setting(
        "build.large_from",
        OneOf(tuple(Shown(tile, str(tile)) for tile in LARGE_CHOICES)),
        USUAL_LARGE,
        "tables",
        _KEEPS,
        mark("Large tiles from"),
        mark("The least tile that these two limits call large. It must be below the target."),
        warnings=(
            Remark(
                mark("Says nothing without one of the two limits."),
                lambda value, values: (
                    value != USUAL_LARGE
                    and not values("build.most_equal")
                    and not values("build.small_sum")
                ),
            ),
        ),
    ),
    Setting(
        "build.level",
        OneOf(
            (
                Shown("fast", mark("Fast"), mark("The default.")),
                Shown(
                    "normal",
                    mark("Normal"),
                    mark("Somewhat smaller, slower to build. Same results."),
                ),
                Shown(
                    "small",
                    mark("Small"),
                    mark("As small as possible, much slower to build. Same results."),
                ),
            )
        ),
        "fast",
        "tables",
        _BUILDS,
        mark("Compression"),
        mark("How hard the files of a table are compressed; the rates in them are the same."),
    ),
    Setting(
        "build.pack_scratch",
        Switch(),
        False,
        "tables",
        _BUILDS,
        mark("Compress working files"),
        mark("Large ones always are. Takes less disk space while building, but a little longer."),
    ),
    Setting(
        "build.scratch",
        Folder(mark("a folder; empty: beside the table")),
        "",
        "tables",
        _BUILDS,
        mark("Working files in"),
        mark("May be on another drive. Leave it empty to keep them beside the table."),
    ),
    Setting(
        "build.threads",
        Number(0, 256, is_whole=True, lowest=mark("All")),
        0,
        "tables",
        _BUILDS,
        mark("Threads"),
        mark("How many processors a build uses at once."),
        warnings=(
            Remark(
                mark("This computer has fewer processors, so it gets no faster."),
                lambda value, _: bool(value > (os.cpu_count() or value)),
            ),
        ),
    ),
    Setting(
        "build.memory_bytes",
        Number(
            *(0, 1 << 62),
            is_whole=True,
            factor=1e-9,
            unit=" GB",
            decimals=1,
            lowest=mark("All free"),
        ),
        0,
        "tables",
        _BUILDS,
        mark("Memory limit"),
        mark("How much memory a build may take; what does not fit is computed piece by piece."),
        warnings=(
            Remark(
                mark("Less than 1 GB is enough for small tables only."),
                lambda value, _: bool(0 < value < 1e9),
            ),
        ),
    ),
    Setting(
        "build.resume_at_start",
        Switch(),
        False,
        "tables",
        _BUILDS,
        mark("Resume builds at start"),
        mark("What waits in the queue goes on when the program starts; else a button offers it."),
    ),
    Setting(
        "build.notify",
        Switch(),
        True,
        "tables",
        _BUILDS,
        mark("Notify when a table is done"),
        mark("A message of the system, while another window is in front."),
    ),
    Setting(
        "build.folder",
        Folder(mark("a folder; empty: tables/ in the data folder")),
        "",
        "tables",
        _FOLDERS,
        mark("Build tables in"),
        mark("Where new tables go; a local SSD is best. Leave it empty for your data folder."),
    ),
    Setting(
        "table_folders",
        Folders(),
        [],
        "tables",
        _FOLDERS,
        mark("Folders with tables"),
        mark("Where else to look for tables that are there already."),
    ),
    Setting(
        "advice.disk_gb",
        Number(0, 1_000_000, unit=" GB", lowest=mark("All free")),
        0,
        "tables",
        _ADVICE,
        mark("Disk space for new tables"),
        mark("The Tables page suggests tables that fit into it."),
    ),
    Setting(
        "advice.memory_gb",
        Number(0, 4096, unit=" GB", lowest=mark("All free")),
        0,
        "tables",
        _ADVICE,
        mark("Memory for new tables"),
        mark("The Tables page suggests tables that can be built in it."),
    ),
    Setting(
        "advice.hours",
        Number(0.5, 1000, unit=" h", decimals=1),
        12,
        "tables",
        _ADVICE,
        mark("Time for new tables"),
        mark("The Tables page suggests tables that are built within it."),
    ),
    Setting(
        "build.pattern",
        Name(mark("the name of a formation")),
        "442",
        "tables",
        _KEEPS,
        mark("Formation"),
        mark("Which cells the large tiles stay in; the formation chosen last is remembered."),
        page=_TABLES,
    ),
    Setting(
        "build.target",
        OneOf(tuple(Shown(tile, f"{tile:,}") for tile in _TILES), is_menu=True),
        128,
        "tables",
        _KEEPS,
        mark("Target tile"),
        mark("The tile that a table leads to; the target chosen last is remembered."),
        page=_TABLES,
    ),
    Setting(
        "build.goal",
        OneOf((Shown("tile", mark("A tile")), Shown("sum", mark("A sum")))),
        "tile",
        "tables",
        _KEEPS,
        mark("Goal"),
        mark("Whether a table leads to a tile, or to a sum of all tiles but the large ones."),
        page=_TABLES,
    ),
    Setting(
        "build.sum",
        Number(4, 32_758, is_whole=True),
        500,
        "tables",
        _KEEPS,
        mark("Sum of the tiles"),
        mark("The sum that a table leads to; the one chosen last is remembered."),
        page=_TABLES,
    ),
)
_GAMES = (
    Setting(
        "game.player",
        OneOf(tuple(Shown(name, kind.title) for name, kind in CHOOSERS.items()), is_menu=True),
        "tables",
        "game",
        _GAME,
        mark("AI"),
        mark("Who gives hints and plays by itself on the Game page."),
    ),
    Setting(
        "game.speed",
        OneOf(tuple(Shown(speed, str(speed)) for speed in SPEEDS), is_menu=True),
        5,
        "game",
        _GAME,
        mark("Moves per second"),
        mark("How fast the AI plays; the strongest one may take longer to think."),
    ),
    Setting(
        "game.reasons",
        OneOf(
            (
                Shown("hint", mark("With the hint")),
                Shown("always", mark("With every AI move")),
                Shown("never", mark("Never")),
            )
        ),
        "hint",
        "game",
        _GAME,
        mark("Say why"),
        mark("Under the AI's figures a sentence says what speaks for its move."),
    ),
    Setting(
        "game.difficulty",
        Number(0, 100, is_whole=True, unit=" %", step=5),
        0,
        "game",
        _GAME,
        mark("Difficulty"),
        mark("How many of the new tiles are placed where they hurt most."),
        warnings=(
            Remark(
                mark("From 50 % on even the strongest AI loses soon."),
                lambda value, _: bool(value >= 50),
            ),
        ),
    ),
    Setting(
        "game.spawn4",
        Number(0.0, 1.0, factor=100, unit=" %"),
        _USUAL_SPAWN4,
        "game",
        _GAME,
        mark("Chance of a 4"),
        mark("How often a new tile is a 4, from the next game on."),
        warnings=(
            Remark(
                mark("With one kind of new tiles it is another game, which the AI doesn't know."),
                lambda value, _: value in (0, 1),
            ),
            Remark(
                mark("Tables computed for the usual 10 % are only a rough guide in such a game."),
                is_not(_USUAL_SPAWN4),
            ),
        ),
    ),
    Setting(
        "screensaver.speed",
        OneOf(
            tuple(Shown(speed, str(speed)) for speed in SPEEDS if speed <= 12),
            hidden=tuple(speed for speed in SPEEDS if speed > 12),
        ),
        5,
        "game",
        SAVER,
        mark("Speed of the screen saver"),
        mark("How many moves per second the AI plays on the screen saver."),
    ),
)
_COACH = (
    Setting(
        "practice.speed",
        Number(1, 30, is_whole=True),
        3,
        "coach",
        _PRACTICE,
        mark("Speed of the demo"),
        mark("How many moves per second Practice plays by itself."),
    ),
    Setting(
        "practice.asks_before_breaking",
        Switch(),
        False,
        "coach",
        _PRACTICE,
        mark("Ask before a move that breaks the formation"),
        mark("Such a move is played only when you make it twice."),
    ),
    Setting(
        "practice.guess",
        Switch(),
        False,
        "coach",
        _PRACTICE,
        mark("Guess first: hide the rates"),
        mark("Practice shows the success rates only after your move."),
        page=_PRACTICE,
    ),
    Setting(
        "practice.spawn_mode",
        Name(mark("who places new tiles")),
        "",
        "coach",
        _PRACTICE,
        mark("New tiles in Practice"),
        mark("Placed at random, where they hurt least or most, or by yourself."),
        page=_PRACTICE,
    ),
    Setting(
        "test.is_turned",
        Switch(),
        True,
        "coach",
        _TEST,
        mark("Rotate or mirror the start"),
        mark("Tests begin with a position that looks different each time."),
    ),
    Setting(
        "test.allows_undo",
        Switch(),
        False,
        "coach",
        _TEST,
        mark("Allow undo"),
        mark("Moves of a test can be taken back; the result is marked."),
    ),
    Setting(
        "test.leaves_out_forced",
        Switch(),
        False,
        "coach",
        _TEST,
        mark("Don't count forced moves"),
        mark("A move without an alternative does not change the match rate."),
    ),
    Setting(
        "test.seconds_per_move",
        Number(
            *(0, 3600),
            is_whole=True,
            usual=(
                Shown(0, mark("No limit")),
                *(Shown(seconds, f"{seconds} s") for seconds in SECONDS if seconds),
            ),
        ),
        0,
        "coach",
        _TEST,
        mark("Time per move"),
        mark("A test ends when a move takes longer."),
    ),
    Setting(
        "test.perfect_within",
        Number(
            *(0.0, 100.0),
            usual=(
                Shown(0.0, mark("Best only")),
                Shown(0.001, mark("Within 0.001 pts")),
                Shown(0.01, mark("Within 0.01 pts")),
                Shown(0.1, mark("Within 0.1 pts")),
            ),
        ),
        0.0,
        "coach",
        _TEST,
        mark("Perfect moves"),
        mark("How much a move may lose and still count as perfect in a test."),
    ),
    Setting(
        "test.goal_moves",
        Number(0, 100_000, is_whole=True, lowest=mark("Reach the target")),
        0,
        "coach",
        _TEST,
        mark("Goal"),
        mark("When a test ends: at the target, or after a number of moves."),
        page=_TEST,
    ),
    Setting(
        "test.ends_at_miss",
        Switch(),
        False,
        "coach",
        _TEST,
        mark("Perfect streak"),
        mark("A test ends at the first move that isn't perfect."),
        page=_TEST,
    ),
    Setting(
        "test.focus",
        Switch(),
        False,
        "coach",
        _TEST,
        mark("Focus: hide the hints"),
        mark("A test shows the board and nothing that tells how you are doing."),
        page=_TEST,
    ),
    Setting(
        "routes.correction_ms",
        Number(
            *(0, 5000),
            is_whole=True,
            usual=(
                Shown(0, mark("Don't stop")),
                Shown(500, "0.5 s"),
                Shown(900, "0.9 s"),
                Shown(1500, "1.5 s"),
                Shown(3000, "3 s"),
            ),
        ),
        900,
        "coach",
        _ROUTES,
        mark("Show a wrong move for"),
        mark("How long a route stops at a mistake before the best move is made. Esc goes on."),
    ),
    Setting(
        "routes.is_corrected",
        Switch(),
        True,
        "coach",
        _ROUTES,
        mark("Correct wrong moves"),
        mark("A new route makes the best move in place of any other."),
        page=_ROUTES,
    ),
    Setting(
        "routes.n_moves",
        Number(0, 4095, is_whole=True, lowest=mark("To the end")),
        100,
        "coach",
        _ROUTES,
        mark("Length of new routes"),
        mark("After how many moves a new route ends."),
        page=_ROUTES,
    ),
    Setting(
        "review.speed",
        Number(1, 30, is_whole=True),
        3,
        "coach",
        _REVIEW,
        mark("Auto-play speed"),
        mark("How many moves per second Review plays a recorded game."),
    ),
    Setting(
        "review.least_loss",
        Number(
            *(0.0, 1.0),
            usual=(
                Shown(0.0, mark("All"), mark("Mark every move that was not perfect")),
                Shown(0.001, "0.1 %", mark("Mark losses of 0.1 % and more")),
                Shown(0.01, "1 %", mark("Mark losses of 1 % and more: inaccurate moves and worse")),
                Shown(0.025, "2.5 %", mark("Mark losses of 2.5 % and more: mistakes and worse")),
                Shown(0.1, "10 %", mark("Mark losses of 10 % and more: blunders and disasters")),
            ),
        ),
        0.01,
        "coach",
        _REVIEW,
        mark("Marked moves"),
        mark("From which loss on Review marks a move."),
    ),
    Setting(
        "whole_game.ms",
        Number(
            *(0.1, 1000.0),
            usual=(
                Shown(1.0, "1 ms", mark("A game of 30,000 moves takes half a minute")),
                Shown(3.0, "3 ms", mark("A game of 30,000 moves takes a minute and a half")),
                Shown(10.0, "10 ms", mark("A game of 30,000 moves takes five minutes")),
                Shown(100.0, "100 ms", mark("A game of 30,000 moves takes an hour")),
            ),
        ),
        3.0,
        "coach",
        _REVIEW,
        mark("Search for whole games"),
        mark("How long search thinks about each move that no table rates."),
    ),
    Setting(
        "review.hint",
        Switch(),
        False,
        "coach",
        _REVIEW,
        mark("Best move on the board"),
        mark("Review draws the best move as an arrow."),
        page=_REVIEW,
    ),
    Setting(
        "review.chart",
        Name(mark("the name of a chart")),
        "",
        "coach",
        _REVIEW,
        mark("Chart"),
        mark("Which chart of a game Review shows."),
        page=_REVIEW,
    ),
    Setting(
        "mistakes.threshold",
        Number(
            *(0.0, 1.0),
            usual=(
                Shown(1.0, mark("All but perfect")),
                Shown(0.999, mark("Good or worse")),
                Shown(0.99, mark("Inaccurate or worse")),
                Shown(0.975, mark("Mistakes or worse")),
                Shown(0.9, mark("Blunders or worse")),
                Shown(0.75, mark("Disasters only")),
            ),
        ),
        0.99,
        "coach",
        _MISTAKES,
        mark("Moves to drill"),
        mark("Which of your moves are kept to be drilled."),
        warnings=(
            Remark(
                mark("Even good moves are kept, so drills become long."),
                lambda value, _: bool(value >= 0.999),
            ),
        ),
    ),
    Setting(
        "mistakes.retire_after",
        Number(0, 99, is_whole=True, lowest=mark("never")),
        5,
        "coach",
        _MISTAKES,
        mark("Correct answers until a position retires"),
        mark("So many correct answers in a row, and a position is not asked any more."),
    ),
    Setting(
        "mistakes.new_per_day",
        Number(0, 1000, is_whole=True),
        20,
        "coach",
        _MISTAKES,
        mark("New positions per day"),
        mark("How many positions that were never drilled come up each day."),
        warnings=(
            Remark(
                mark("No new positions come up: only those drilled before are asked again."),
                lambda value, _: bool(value == 0),
            ),
        ),
    ),
    Setting(
        "mistakes.advance",
        Switch(),
        True,
        "coach",
        _MISTAKES,
        mark("Advance automatically after a correct answer"),
        mark("The next position comes by itself after a moment."),
    ),
    Setting(
        "mistakes.turn",
        Switch(),
        False,
        "coach",
        _MISTAKES,
        mark("Rotate the boards randomly"),
        mark("A position that is asked again looks different."),
    ),
    Setting(
        "mistakes.mode",
        Name(mark("the name of a way to drill")),
        "due",
        "coach",
        _MISTAKES,
        mark("Order of the drill"),
        mark("Which mistakes are asked first."),
        page=_MISTAKES,
    ),
    Setting(
        "puzzles.line",
        Switch(),
        False,
        "coach",
        _PUZZLES,
        mark("Solve the whole line"),
        mark("After the right move, a puzzle goes on as long as one move is right."),
    ),
    Setting(
        "analysis.files_mistakes",
        Switch(),
        False,
        "coach",
        _ANALYSIS,
        mark("Add mistakes to my drills"),
        mark("Adds the mistakes in games you analyze from now on to the Mistakes page."),
    ),
    Setting(
        "analysis.tables",
        Folders(),
        [],
        "coach",
        _ANALYSIS,
        mark("Tables for the analysis"),
        mark("Which tables rate the moves of a game; all there are unless you choose some."),
        page=_ANALYSIS,
    ),
)
_LOOKS = (
    Setting(
        "theme",
        OneOf(
            (
                Shown("system", mark("Like the system")),
                Shown("light", mark("Light")),
                Shown("dark", mark("Dark")),
            )
        ),
        "system",
        "appearance",
        _WINDOW,
        mark("Colors of the window"),
        mark("Light, dark, or what the system has at the moment."),
    ),
    Setting(
        "window_scheme",
        Name(mark("the name of window colors")),
        "system",
        "appearance",
        _WINDOW,
        mark("Contrast"),
        mark("High contrast, or other colors from color_schemes.txt in your data folder."),
    ),
    Setting(
        "ui_scale",
        Number(
            *(80, 200),
            is_whole=True,
            usual=tuple(Shown(scale, f"{scale} %") for scale in _UI_SCALES),
        ),
        100,
        "appearance",
        _WINDOW,
        mark("Size of everything"),
        mark("Text, buttons and boards; the size of the window stays."),
        needs_restart=True,
    ),
    Setting(
        "tile_palette",
        Name(mark("the name of a tile palette")),
        "lagoon",
        "appearance",
        PALETTE,
        mark("Colors of the tiles"),
        mark("A palette for light and dark; make one of your own from a copy of any."),
    ),
    Setting(
        "board_size",
        OneOf(
            (
                Shown("largest", mark("As large as fits")),
                Shown("large", mark("Large")),
                Shown("medium", mark("Medium")),
                Shown("small", mark("Small")),
            )
        ),
        "largest",
        "appearance",
        BOARD,
        mark("Size of the board"),
        mark("How large boards become at most on Game, Practice, Test, Review and Mistakes."),
    ),
    Setting(
        "animation_ms",
        Number(
            *(0, 1000),
            usual=(
                Shown(0, mark("Off")),
                Shown(60, mark("Fast")),
                Shown(100, mark("Normal")),
                Shown(180, mark("Slow")),
            ),
            unit=" ms",
        ),
        100,
        "appearance",
        BOARD,
        mark("Speed of the tiles"),
        mark("How long tiles slide."),
    ),
    Setting(
        "motion",
        OneOf(
            (
                Shown("system", mark("Like the system")),
                Shown("full", mark("Full")),
                Shown("reduced", mark("Reduced")),
            )
        ),
        "system",
        "appearance",
        BOARD,
        mark("Motion"),
        mark("With reduced motion tiles appear where they belong without sliding there."),
    ),
    Setting(
        "tile_corners",
        OneOf((Shown("rounded", mark("Rounded")), Shown("square", mark("Square")))),
        "rounded",
        "appearance",
        BOARD,
        mark("Corners of the tiles"),
        mark("The shape of tiles and boards."),
    ),
    Setting(
        "tile_font",
        Name(mark("the name of a font")),
        "",
        "appearance",
        BOARD,
        mark("Font of the numbers"),
        mark("Any font of this computer that has digits."),
    ),
    Setting(
        "tile_font_scale",
        Number(
            *(70, 130),
            is_whole=True,
            usual=tuple(Shown(scale, f"{scale} %") for scale in _NUMBER_SCALES),
        ),
        100,
        "appearance",
        BOARD,
        mark("Size of the numbers"),
        mark("How large the numbers on the tiles are."),
    ),
    Setting(
        "merge_glow",
        Switch(),
        True,
        "appearance",
        BOARD,
        mark("Merges of 128 and more glow"),
        mark("A short light around large tiles that have just been merged."),
    ),
    Setting(
        "large_tile_numbers",
        Switch(),
        True,
        "appearance",
        BOARD,
        mark("Numbers on the large tiles"),
        mark(
            "Without them the large tiles of a formation are blank: their place is all that counts."
        ),
    ),
)
_OTHERS = (
    Setting(
        "language",
        OneOf(
            (
                Shown(SYSTEM, mark("Like the system")),
                *(Shown(code, name) for code, name in LANGUAGES.items()),
            ),
            hidden=(PSEUDO,),
        ),
        SYSTEM,
        "language",
        _NO_GROUP,
        mark("Language"),
        mark("The language of the window and of the command line."),
    ),
    Setting(
        "shortcuts",
        KeyChoice(),
        {},
        "keyboard",
        _NO_GROUP,
        mark("Keyboard shortcuts"),
        mark("The keys of every action, in the window and on its pages."),
    ),
)

SETTINGS: Mapping[str, Setting] = MappingProxyType(
    {one.key: one for one in (*_BUILD, *_GAMES, *_COACH, *_LOOKS, *_OTHERS)}
)
"""Every setting by its key."""


def settings_of(section: str) -> list[Setting]:
    """Return the settings of a section, in the order of the page."""
    return [one for one in SETTINGS.values() if one.section == section]
