"""The settings of practice, tests, routes, puzzles, review, mistakes and analysis."""

from ai.thinking_time import WHOLE_GAME_MS
from coach.days import DAY_BEGINS, LATEST_BEGIN
from engine.platform.language import mark
from gui.settings_model.setting import Folders, Name, Number, Place, Setting, Shown

ALLOWANCES = (0.0, 0.001, 0.01, 0.1)
"""Percentage points that a perfect move may lose."""
ROUTE_LENGTHS = (30, 50, 100, 200, 0)
"""Offered lengths of a new route, in moves; 0 for no limit."""
SECONDS = {
    0: mark("No limit"),
    3: mark("3 s"),
    5: mark("5 s"),
    10: mark("10 s"),
    20: mark("20 s"),
    30: mark("30 s"),
    60: mark("1 min"),
    120: mark("2 min"),
}
"""Offered time limits for a move of a test, and their names; 0 for none."""
_PRACTICE = Place("coach", mark("Practice"))
_TEST = Place("coach", mark("Test"))
_ROUTES = Place("coach", mark("Routes"))
_REVIEW = Place("coach", mark("Review"))
_MISTAKES = Place("coach", mark("Mistakes"))
_GAMES = Place("coach", mark("Games"))
_PUZZLES = Place("coach", mark("Puzzles"))
_EVERY_DAY = Place("coach", mark("Every day"))

MARKED_FROM = (
    Shown(0.0, mark("All but perfect moves")),
    Shown(0.001, mark("Good moves and worse")),
    Shown(0.01, mark("Inaccurate moves and worse")),
    Shown(0.025, mark("Mistakes and worse")),
    Shown(0.1, mark("Blunders and worse")),
)
"""From which loss on Review marks moves, as a share of the chance: that of each grade."""

COACH_SETTINGS = (
    Setting(
        "practice.speed",
        3,
        _PRACTICE,
        mark("Moves per second in Practice"),
        mark("How many moves per second Practice plays by itself."),
        kind=Number(1, 30, is_whole=True),
        is_clear=True,
    ),
    Setting(
        "practice.asks_before_breaking",
        False,
        _PRACTICE,
        mark("Ask before a move that breaks the formation"),
        mark("Such a move is played only when you make it twice."),
    ),
    Setting(
        "practice.guess",
        False,
        _PRACTICE,
        mark("Guess first: hide the rates"),
        mark(
            "Practice shows the success rates only after your move, and your guesses count in "
            "your progress."
        ),
        page=_PRACTICE.group,
        also=mark("hide"),
    ),
    Setting(
        "practice.spawn_mode",
        "",
        _PRACTICE,
        mark("New tiles in Practice"),
        mark("Placed at random, where they hurt least or most, or by yourself."),
        kind=Name(mark("who places new tiles")),
        page=_PRACTICE.group,
    ),
    Setting(
        "test.is_turned",
        True,
        _TEST,
        mark("Rotate or mirror the start"),
        mark("Tests begin with a position that looks different each time."),
        is_clear=True,
    ),
    Setting(
        "test.allows_undo",
        False,
        _TEST,
        mark("Allow undo"),
        mark("Moves of a test can be taken back; the result is marked."),
    ),
    Setting(
        "test.leaves_out_forced",
        True,
        _TEST,
        mark("Don't count forced moves"),
        mark("A move without an alternative does not count as a perfect one."),
    ),
    Setting(
        "test.seconds_per_move",
        0,
        _TEST,
        mark("Time per move"),
        mark("A test ends when a move takes longer."),
        kind=Number(
            0,
            3600,
            is_whole=True,
            offered=tuple(Shown(seconds, words) for seconds, words in SECONDS.items()),
        ),
    ),
    Setting(
        "test.perfect_within",
        0.0,
        _TEST,
        mark("Perfect moves"),
        mark("How much a move may lose and still count as perfect in a test."),
        kind=Number(
            0.0,
            100.0,
            offered=(
                Shown(0.0, mark("Best or as good")),
                Shown(0.001, mark("Within 0.001 pts")),
                Shown(0.01, mark("Within 0.01 pts")),
                Shown(0.1, mark("Within 0.1 pts")),
            ),
        ),
    ),
    Setting(
        "test.goal_moves",
        0,
        _TEST,
        mark("Goal"),
        mark("When a test ends: at the target, or after a number of moves."),
        kind=Number(0, 100_000, is_whole=True, lowest=mark("Reach the target")),
        page=_TEST.group,
    ),
    Setting(
        "test.ends_at_miss",
        False,
        _TEST,
        mark("Perfect streak"),
        mark("A test ends at the first move that isn't perfect."),
        page=_TEST.group,
    ),
    Setting(
        "test.focus",
        False,
        _TEST,
        mark("Hide rates and grades"),
        mark("A test shows the board and nothing about how you are doing."),
        page=_TEST.group,
    ),
    Setting(
        "routes.correction_ms",
        900,
        _ROUTES,
        mark("Show a mistake for"),
        mark(
            "How long a route pauses at a mistake before it plays the best move. Esc continues "
            "at once."
        ),
        kind=Number(
            0,
            5000,
            is_whole=True,
            offered=(
                Shown(0, mark("Don't stop")),
                Shown(500, "0.5 s"),
                Shown(900, "0.9 s"),
                Shown(1500, "1.5 s"),
                Shown(3000, "3 s"),
            ),
        ),
    ),
    Setting(
        "routes.is_corrected",
        True,
        _ROUTES,
        mark("Correct mistakes"),
        mark("In place of a mistake, a new route plays the best move."),
        page=_ROUTES.group,
    ),
    Setting(
        "routes.n_moves",
        100,
        _ROUTES,
        mark("Length of new routes"),
        mark("After how many moves a new route ends."),
        kind=Number(0, 4095, is_whole=True, lowest=mark("To the end")),
        page=_ROUTES.group,
    ),
    Setting(
        "review.speed",
        3,
        _REVIEW,
        mark("Play speed in Review"),
        mark("How many moves per second Review plays a recorded game."),
        kind=Number(1, 30, is_whole=True),
        is_clear=True,
    ),
    Setting(
        "review.least_loss",
        0.01,
        _REVIEW,
        mark("Marked moves"),
        mark("Which moves Review marks and lists."),
        kind=Number(0.0, 1.0, offered=MARKED_FROM),
    ),
    Setting(
        "whole_game.ms",
        WHOLE_GAME_MS,
        _REVIEW,
        mark("Search for whole games"),
        mark("How long search thinks about each move that no table rates."),
        kind=Number(
            0.1,
            1000.0,
            offered=(
                Shown(1.0, "1 ms", mark("A game of 30,000 moves takes half a minute")),
                Shown(3.0, "3 ms", mark("A game of 30,000 moves takes a minute and a half")),
                Shown(10.0, "10 ms", mark("A game of 30,000 moves takes five minutes")),
                Shown(100.0, "100 ms", mark("A game of 30,000 moves takes an hour")),
            ),
        ),
    ),
    Setting(
        "review.hint",
        False,
        _REVIEW,
        mark("Best move on the board"),
        mark("Review draws the best move as an arrow."),
        page=_REVIEW.group,
    ),
    Setting(
        "review.chart",
        "",
        _REVIEW,
        mark("Chart"),
        mark("Which chart of a game Review shows."),
        kind=Name(mark("the name of a chart")),
        page=_REVIEW.group,
    ),
    Setting(
        "mistakes.threshold",
        0.99,
        _MISTAKES,
        mark("Moves to drill"),
        mark("Which of your moves are kept to be drilled."),
        kind=Number(
            0.0,
            1.0,
            offered=(
                Shown(1.0, mark("All but perfect")),
                Shown(0.999, mark("Good or worse")),
                Shown(0.99, mark("Inaccurate or worse")),
                Shown(0.975, mark("Mistakes or worse")),
                Shown(0.9, mark("Blunders or worse")),
                Shown(0.75, mark("Disasters only")),
            ),
        ),
        warnings={
            mark("Even good moves are kept, so drills become long."): lambda value, _: bool(
                value >= 0.999
            )
        },
        is_clear=True,
    ),
    Setting(
        "mistakes.retire_after",
        5,
        _MISTAKES,
        mark("Correct answers until a position retires"),
        mark("After this many correct answers in a row, a position no longer comes up."),
        kind=Number(0, 99, is_whole=True, lowest=mark("never")),
    ),
    Setting(
        "mistakes.new_per_day",
        20,
        _MISTAKES,
        mark("New positions per day"),
        mark("How many new positions you drill each day."),
        kind=Number(0, 1000, is_whole=True),
        warnings={
            mark(
                "No new positions: only those you drilled before come up again."
            ): lambda value, _: bool(value == 0)
        },
        is_clear=True,
    ),
    Setting(
        "mistakes.advance",
        True,
        _MISTAKES,
        mark("Advance automatically after a correct answer"),
        mark("The next position comes by itself after a moment."),
        is_clear=True,
    ),
    Setting(
        "mistakes.turn",
        False,
        _MISTAKES,
        mark("Rotate the boards randomly"),
        mark("A position looks different each time it comes up."),
        is_clear=True,
    ),
    Setting(
        "mistakes.mode",
        "due",
        _MISTAKES,
        mark("Order of the drill"),
        mark("Which mistakes come first."),
        kind=Name(mark("the name of a way to drill")),
        page=_MISTAKES.group,
    ),
    Setting(
        "puzzles.line",
        False,
        _PUZZLES,
        mark("Solve the whole line"),
        mark("After the right move, a puzzle goes on as long as one move is right."),
    ),
    Setting(
        "analysis.files_mistakes",
        False,
        _GAMES,
        mark("Count as mine"),
        mark("Their mistakes become drills; games analyzed whole count in your progress."),
    ),
    Setting(
        "analysis.whole_games",
        False,
        _GAMES,
        mark("Analyze whole games"),
        mark(
            "Search analyzes the moves that no table covers, as in Review. It takes minutes a game."
        ),
    ),
    Setting(
        "analysis.tables",
        [],
        _GAMES,
        mark("Tables for the analysis"),
        mark("Which tables rate the moves of a game: all of them, unless you choose some."),
        kind=Folders(),
        page=_GAMES.group,
    ),
    Setting(
        "day.begins",
        DAY_BEGINS,
        _EVERY_DAY,
        mark("A day begins at"),
        mark(
            "Until then, what you play counts for the day before: drills, tests, and the daily "
            "puzzle, route and minigame."
        ),
        kind=Number(
            0,
            LATEST_BEGIN,
            is_whole=True,
            offered=tuple(Shown(hour, f"{hour}:00") for hour in range(LATEST_BEGIN + 1)),
        ),
    ),
)
