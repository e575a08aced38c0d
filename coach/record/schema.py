"""The tables of ``user.db``.

Times are microseconds since 1970 in UTC where they are numbers, ISO 8601 where they are text.
Boards are 16 hex digits, directions 0 left, 1 right, 2 up, 3 down, grades indices in
`grade.GRADES`. The rooms that use a table say what its columns mean.
"""

from coach.grading.grade import GRADES
from engine.bitboard import DIRECTIONS
from engine.geometry import MODES

MISTAKES = """
    CREATE TABLE mistake (
        id INTEGER PRIMARY KEY,
        table_name TEXT NOT NULL,
        spawn4 REAL NOT NULL,
        board TEXT NOT NULL CHECK (length(board) = 16),
        symmetry TEXT NOT NULL,
        rate_left REAL,
        rate_right REAL,
        rate_up REAL,
        rate_down REAL,
        best INTEGER NOT NULL CHECK (best BETWEEN 1 AND 15),
        unlisted INTEGER NOT NULL DEFAULT 0,
        unlisted_loss REAL NOT NULL DEFAULT 0,
        unlisted_worst REAL NOT NULL DEFAULT 0,
        unlisted_grade INTEGER NOT NULL DEFAULT 1,
        unlisted_first INTEGER,
        unlisted_last INTEGER,
        count INTEGER NOT NULL DEFAULT 0,
        total_loss REAL NOT NULL DEFAULT 0,
        worst_loss REAL NOT NULL DEFAULT 0,
        grade INTEGER NOT NULL DEFAULT 1,
        first INTEGER,
        last INTEGER,
        n_right INTEGER NOT NULL DEFAULT 0,
        n_wrong INTEGER NOT NULL DEFAULT 0,
        run INTEGER NOT NULL DEFAULT 0,
        card TEXT,
        due INTEGER,
        retired INTEGER,
        UNIQUE (table_name, spawn4, board)
    );
    CREATE INDEX mistake_board ON mistake (board);
    CREATE INDEX mistake_last ON mistake (last);
    CREATE INDEX mistake_due ON mistake (table_name, spawn4, due)
        WHERE retired IS NULL AND card IS NOT NULL;
    CREATE INDEX mistake_new ON mistake (table_name, spawn4, total_loss)
        WHERE retired IS NULL AND card IS NULL;
    CREATE TABLE mistake_attempt (
        id INTEGER PRIMARY KEY,
        mistake_id INTEGER NOT NULL REFERENCES mistake (id) ON DELETE CASCADE,
        at INTEGER NOT NULL,
        direction INTEGER NOT NULL CHECK (direction BETWEEN 0 AND 3),
        loss REAL,
        grade INTEGER,
        source TEXT NOT NULL,
        move INTEGER NOT NULL,
        UNIQUE (mistake_id, at, source, move)
    );
    CREATE INDEX mistake_attempt_at ON mistake_attempt (at);
    CREATE TABLE mistake_answer (
        id INTEGER PRIMARY KEY,
        mistake_id INTEGER NOT NULL REFERENCES mistake (id) ON DELETE CASCADE,
        at INTEGER NOT NULL,
        direction INTEGER NOT NULL CHECK (direction BETWEEN 0 AND 3),
        is_right INTEGER NOT NULL,
        seconds REAL,
        was_new INTEGER NOT NULL,
        UNIQUE (mistake_id, at)
    );
    CREATE INDEX mistake_answer_at ON mistake_answer (at);
    CREATE TABLE mistake_tag (
        mistake_id INTEGER NOT NULL REFERENCES mistake (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        PRIMARY KEY (mistake_id, name)
    ) WITHOUT ROWID;
"""
# `best` is bits: 1 left, 2 right, 4 up, 8 down; the columns ``unlisted*`` count attempts known only
# as a number: those of imported summaries. ``count`` to ``last`` are sums over these and over the
# attempts.

PUZZLES = """
    CREATE TABLE puzzle (
        id INTEGER PRIMARY KEY,
        table_name TEXT NOT NULL,
        spawn4 REAL NOT NULL,
        board TEXT NOT NULL,
        symmetry TEXT NOT NULL,
        rate_left REAL,
        rate_right REAL,
        rate_up REAL,
        rate_down REAL,
        rating REAL NOT NULL,
        deviation REAL NOT NULL,
        found INTEGER NOT NULL,
        origin TEXT NOT NULL,
        n_right INTEGER NOT NULL DEFAULT 0,
        n_wrong INTEGER NOT NULL DEFAULT 0,
        last_seen INTEGER,
        removed INTEGER,              -- its answers stay: the person's rating rests on them
        UNIQUE (table_name, spawn4, board)
    );
    CREATE INDEX puzzle_by_rating ON puzzle (rating);
    CREATE TABLE puzzle_answer (
        id INTEGER PRIMARY KEY,
        puzzle_id INTEGER NOT NULL REFERENCES puzzle (id) ON DELETE CASCADE,
        at INTEGER NOT NULL,
        direction INTEGER NOT NULL,
        is_right INTEGER NOT NULL,
        seconds REAL NOT NULL,
        is_rated INTEGER NOT NULL,
        person REAL NOT NULL,
        person_deviation REAL NOT NULL,
        UNIQUE (puzzle_id, at)
    );
    CREATE INDEX puzzle_answer_at ON puzzle_answer (at);
    CREATE TABLE puzzle_daily (
        day TEXT NOT NULL,
        table_name TEXT NOT NULL,
        spawn4 REAL NOT NULL,
        puzzle_id INTEGER NOT NULL REFERENCES puzzle (id) ON DELETE CASCADE,
        PRIMARY KEY (day, table_name, spawn4)
    ) WITHOUT ROWID;
"""
# An answer holds the person's rating after it: the last one holds the current rating.

ANALYSES = """
    CREATE TABLE analysis (
        id INTEGER PRIMARY KEY,
        at TEXT NOT NULL,             -- ISO 8601, UTC
        path TEXT NOT NULL,           -- of the recorded game
        recorded_as TEXT NOT NULL,
        moves INTEGER NOT NULL,
        points INTEGER NOT NULL,
        largest_tile INTEGER NOT NULL,
        covered INTEGER NOT NULL,
        complete INTEGER NOT NULL,    -- 0: it was cancelled
        problems TEXT NOT NULL,       -- JSON, a list
        reports TEXT NOT NULL,        -- JSON, path by kind
        game TEXT NOT NULL            -- JSON of the whole game, or ''
    );
    CREATE TABLE analysis_segment (
        analysis INTEGER NOT NULL REFERENCES analysis (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,      -- within the game, from 0
        table_name TEXT NOT NULL,
        first_move INTEGER NOT NULL,
        last_move INTEGER NOT NULL,
        ended TEXT NOT NULL,          -- a name of coach.analysis.segments.End, in small letters
        judged INTEGER NOT NULL,
        match_rate REAL NOT NULL,
        points_lost REAL NOT NULL,
        luck_log REAL,                -- NULL: all was lost by a tile
        start_rate REAL NOT NULL,
        end_rate REAL NOT NULL,
        grades TEXT NOT NULL,         -- JSON, number by grade
        recording TEXT NOT NULL,      -- path of the .rpl; '' when there is none
        PRIMARY KEY (analysis, number)
    );
    CREATE INDEX analysis_at ON analysis (at);
"""

SITUATIONS = """
    CREATE TABLE situation (
        id INTEGER PRIMARY KEY,
        asked TEXT NOT NULL,          -- when it was last asked for, ISO 8601 with a zone
        board TEXT NOT NULL,
        table_name TEXT NOT NULL,     -- such as L3_512; 'search' where no table knows it
        target TEXT NOT NULL,         -- as in a table's name
        spawn4 REAL NOT NULL,
        rate TEXT NOT NULL,           -- the type of the table's rates
        walls INTEGER NOT NULL,
        chance REAL NOT NULL,         -- of the goal, with best play
        nodes INTEGER NOT NULL,       -- searched for each move, 0 on a table
        wanted INTEGER NOT NULL,      -- attempts
        UNIQUE (board, table_name, target, spawn4)
    );
"""

GRADE_COLUMNS = tuple(grade.value for grade in GRADES)
_RUNS = f"""
    CREATE TABLE run (
        id INTEGER PRIMARY KEY,
        kind TEXT NOT NULL,
        name TEXT NOT NULL DEFAULT '',  -- of the file of a test, of a game
        played INTEGER NOT NULL,        -- when it began, a route: when it was last played
        ended INTEGER,                  -- when it ended or was given up, NULL while in play
        moved INTEGER,                  -- when the last move was made, as long as that matters
        is_listed INTEGER NOT NULL DEFAULT 1,  -- 0: removed from the history
        table_name TEXT NOT NULL DEFAULT '',
        target TEXT NOT NULL DEFAULT '',
        spawn4 REAL NOT NULL DEFAULT 0.1,
        rate TEXT NOT NULL DEFAULT '',
        walls INTEGER NOT NULL DEFAULT 0,
        start TEXT NOT NULL DEFAULT '',
        seed TEXT NOT NULL DEFAULT '',  -- 16 hex digits, as SQLite's integers are signed
        symmetry TEXT NOT NULL DEFAULT 'identity',
        is_given INTEGER NOT NULL DEFAULT 0,
        allows_undo INTEGER NOT NULL DEFAULT 0,
        leaves_out_forced INTEGER NOT NULL DEFAULT 0,
        seconds_per_move INTEGER NOT NULL DEFAULT 0,
        perfect_within REAL NOT NULL DEFAULT 0,
        goal_moves INTEGER NOT NULL DEFAULT 0,
        ends_at_miss INTEGER NOT NULL DEFAULT 0,
        situation INTEGER REFERENCES situation (id) ON DELETE CASCADE,
        code TEXT NOT NULL DEFAULT '',  -- of a route
        who TEXT NOT NULL DEFAULT '',   -- played a route, '' the person
        outcome TEXT NOT NULL DEFAULT '',
        n_moves INTEGER NOT NULL DEFAULT 0,
        match_rate REAL NOT NULL DEFAULT 1,
        {" ".join(f"{name} INTEGER NOT NULL DEFAULT 0," for name in GRADE_COLUMNS)}
        n_forced INTEGER NOT NULL DEFAULT 0,
        longest_combo INTEGER NOT NULL DEFAULT 0,
        largest_loss REAL NOT NULL DEFAULT 0,
        points_lost REAL NOT NULL DEFAULT 0,
        n_mistakes INTEGER NOT NULL DEFAULT 0,
        n_undos INTEGER NOT NULL DEFAULT 0,
        played_ms INTEGER NOT NULL DEFAULT 0,
        points INTEGER NOT NULL DEFAULT 0,
        line INTEGER NOT NULL DEFAULT 0,      -- identifies the moves along a route
        n_judged INTEGER NOT NULL DEFAULT 0,  -- moves that a profile has looked at
        UNIQUE (situation, seed)
    );
    CREATE INDEX run_by_date ON run (kind, ended);
    CREATE INDEX run_by_name ON run (name);
    CREATE INDEX run_by_code ON run (code);
    CREATE TABLE move (
        run INTEGER NOT NULL REFERENCES run (id) ON DELETE CASCADE,
        number INTEGER NOT NULL,        -- from 1 on
        direction INTEGER,              -- what was pressed, NULL: not known
        made INTEGER,                   -- the move in its place, on a correcting route
        cell INTEGER,                   -- of the new tile
        exponent INTEGER,
        {" ".join(f"rate_{way} REAL," for way in DIRECTIONS)}
        unknown INTEGER NOT NULL DEFAULT 0,   -- bits of the directions without a known rate
        ms INTEGER,
        is_retry INTEGER NOT NULL DEFAULT 0,
        rater TEXT,                     -- what rates it, a table or search
        board TEXT,                     -- 16 hex digits, large tiles as f
        lost REAL,                      -- of the chance, in [0, 1]
        phase TEXT,
        move_kind TEXT,
        luck REAL,                      -- of the worst of the last tiles, a logarithm
        ai_lost REAL,                   -- what the AI would have lost
        PRIMARY KEY (run, number)
    ) WITHOUT ROWID;
"""
# A move is stored as it is made; ``rater`` to ``ai_lost`` follow once it is judged for a profile,
# and stay empty for a move that says nothing about the person, such as a forced one.

_READ = """
    CREATE TABLE old_file (
        name TEXT PRIMARY KEY,        -- in the data folder
        at TEXT NOT NULL,             -- when it was read
        counts TEXT NOT NULL,         -- JSON: what was found in it, by kind
        problem TEXT NOT NULL         -- why it, or a part of it, was left out; '' if all was read
    ) WITHOUT ROWID;
"""

# Never changed: in the databases of earlier versions some of the names were others, no more, see
# `coach.old_files.databases`.
MIGRATIONS = (MISTAKES + PUZZLES + ANALYSES + SITUATIONS + _RUNS + _READ,)
"""Only ever append: users' files have run the existing ones."""

# The years 1900 to 9998: an import takes no later ones.
_TIME = "coalesce({}, 0) BETWEEN -2208988800000000 AND 253370764799999999"
_TIME_TO_9000 = "coalesce({}, 0) BETWEEN -2208988800000000 AND 221845392000000000"
_BOARD = "length(board) = 16 AND board NOT GLOB '*[^0-9a-f]*'"
_PLACE = f"{_BOARD} AND symmetry IN ({', '.join(map(repr, MODES))}) AND spawn4 BETWEEN 0 AND 1"
_RATES = " AND ".join(f"coalesce(rate_{way}, 0) BETWEEN 0 AND 1" for way in DIRECTIONS)
_HIGHEST_GRADE = len(GRADES) - 1
_RATING, _DEVIATION = "BETWEEN 0 AND 4000", "BETWEEN 30 AND 350"  # see coach.puzzles.rating
_HEX = "({0} = '' OR length({0}) = 16 AND {0} NOT GLOB '*[^0-9a-f]*')"
_COUNTS = "n_moves n_forced longest_combo n_mistakes n_undos points played_ms"  # no text
_NUMBERS = (*GRADE_COLUMNS, *_COUNTS.split())
SOUND = {
    "mistake": f"{_PLACE} AND {_RATES} AND best BETWEEN 1 AND 15 AND count >= 0 AND unlisted >= 0 "
    f"AND grade BETWEEN 0 AND {_HIGHEST_GRADE} AND unlisted_grade BETWEEN 0 AND {_HIGHEST_GRADE} "
    "AND abs(total_loss) < 1e15 AND abs(worst_loss) < 1e9 AND abs(unlisted_loss) < 1e15 "
    "AND n_right BETWEEN 0 AND 1 << 53 AND n_wrong BETWEEN 0 AND 1 << 53 AND run >= 0 AND "
    + " AND ".join(map(_TIME.format, ("first", "last", "due", "retired"))),
    "mistake_attempt": "direction BETWEEN 0 AND 3 AND abs(coalesce(loss, 0)) < 1e9 "
    f"AND coalesce(grade, 0) BETWEEN 0 AND {_HIGHEST_GRADE} AND {_TIME.format('at')}",
    "mistake_answer": "direction BETWEEN 0 AND 3 AND abs(coalesce(seconds, 0)) < 1e12 "
    f"AND {_TIME.format('at')}",
    "puzzle": f"{_PLACE} AND {_RATES} "
    # Without two rates there is no right answer.
    "AND (rate_left IS NOT NULL) + (rate_right IS NOT NULL) + (rate_up IS NOT NULL) "
    "+ (rate_down IS NOT NULL) >= 2 "
    "AND max(coalesce(rate_left, 0), coalesce(rate_right, 0), coalesce(rate_up, 0), "
    "coalesce(rate_down, 0)) > 0 "
    f"AND rating {_RATING} AND deviation {_DEVIATION} AND origin IN ('table', 'games', 'import') "
    "AND n_right BETWEEN 0 AND 1 << 53 AND n_wrong BETWEEN 0 AND 1 << 53 AND "
    + " AND ".join(map(_TIME_TO_9000.format, ("found", "last_seen", "removed"))),
    "puzzle_answer": "direction BETWEEN 0 AND 3 AND is_right BETWEEN 0 AND 1 "
    "AND is_rated BETWEEN 0 AND 1 AND seconds BETWEEN 0 AND 1e12 "
    f"AND person {_RATING} AND person_deviation {_DEVIATION} "
    f"AND {_TIME_TO_9000.format('at')}",
    "puzzle_daily": "spawn4 BETWEEN 0 AND 1",
    "analysis": "datetime(at) IS NOT NULL AND moves BETWEEN 0 AND 1 << 31 "
    "AND points BETWEEN 0 AND 1 << 53 AND largest_tile BETWEEN 0 AND 131072 "
    "AND covered BETWEEN 0 AND 1 << 31",
    "analysis_segment": "first_move BETWEEN 0 AND 1 << 31 AND last_move BETWEEN 0 AND 1 << 31 "
    "AND judged BETWEEN 0 AND 1 << 31 AND match_rate BETWEEN 0 AND 1.000001 "
    "AND abs(points_lost) < 1e9 AND abs(coalesce(luck_log, 0)) < 1e9 "
    "AND start_rate BETWEEN 0 AND 1 AND end_rate BETWEEN 0 AND 1",
    "situation": "datetime(asked) IS NOT NULL "
    "AND length(board) = 16 AND length(table_name) BETWEEN 1 AND 100 "
    "AND length(target) BETWEEN 1 AND 12 AND length(rate) <= 20 "
    "AND spawn4 BETWEEN 0 AND 1 AND chance BETWEEN 0 AND 1 AND walls IN (0, 1) "
    "AND nodes BETWEEN 0 AND 1 << 40 AND wanted BETWEEN 1 AND 1 << 20",
    "run": "kind IN ('exam', 'route', 'situation', 'practice', 'game') "
    "AND outcome IN ('', 'reached', 'no move', 'lost', 'outside', 'time', 'moves', 'miss') "
    "AND instr(name, char(0)) = 0 AND length(who) <= 80 AND instr(who, char(0)) = 0 "
    "AND length(code) <= 80 AND length(rate) <= 20 AND length(target) <= 12 "
    "AND match_rate BETWEEN 0 AND 1.000001 AND spawn4 BETWEEN 0 AND 1 "
    "AND largest_loss BETWEEN 0 AND 1 AND points_lost BETWEEN 0 AND 1 << 31 "
    "AND seconds_per_move BETWEEN 0 AND 3600 AND perfect_within BETWEEN 0 AND 100 "
    "AND goal_moves BETWEEN 0 AND 100000 AND ends_at_miss BETWEEN 0 AND 1 "
    "AND line BETWEEN 0 AND 1023 AND n_judged BETWEEN 0 AND n_moves AND "
    + " AND ".join(
        [
            *map(_TIME_TO_9000.format, ("played", "ended", "moved")),
            *(f"{name} BETWEEN 0 AND 1 << 50" for name in _NUMBERS),
            *map(_HEX.format, ("seed", "start")),
        ]
    ),
    "move": "number BETWEEN 1 AND 1 << 31 AND coalesce(direction, 0) BETWEEN 0 AND 3 "
    "AND coalesce(made, 0) BETWEEN 0 AND 3 AND unknown BETWEEN 0 AND 15 "
    "AND coalesce(cell, 0) BETWEEN 0 AND 15 AND coalesce(exponent, 1) BETWEEN 1 AND 2 "
    f"AND {_RATES} AND coalesce(ms, 0) BETWEEN 0 AND 1 << 50 "
    "AND (board IS NULL OR length(board) = 16 AND board NOT GLOB '*[^0-9a-f]*') "
    "AND coalesce(lost, 0) BETWEEN 0 AND 1 AND coalesce(ai_lost, 0) BETWEEN 0 AND 1 "
    "AND coalesce(luck, 0) <= 1e9",
}
"""A condition for every row, by table."""
