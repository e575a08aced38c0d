"""The tables of ``user.db``.

Times are microseconds since 1970 in UTC where they are numbers, ISO 8601 where they are text.
Boards are 16 hex digits, directions 0 left, 1 right, 2 up, 3 down, grades indices in
`grade.GRADES`. The rooms that use a table say what its columns mean.
"""

from coach.grading.grade import GRADES
from engine.bitboard import DIRECTIONS
from engine.geometry import MODES

_MISTAKES = """
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

_PUZZLES = """
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

_ANALYSES = """
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

_READ = """
    CREATE TABLE old_file (
        name TEXT PRIMARY KEY,        -- in the data folder
        at TEXT NOT NULL,             -- when it was read
        counts TEXT NOT NULL,         -- JSON: what was found in it, by kind
        problem TEXT NOT NULL         -- why it, or a part of it, was left out; '' if all was read
    ) WITHOUT ROWID;
"""

MIGRATIONS = (_MISTAKES + _PUZZLES + _ANALYSES + _READ,)
"""Only ever append: users' files have run the existing ones."""

# The years 1900 to 9998: an import takes no later ones.
_TIME = "coalesce({}, 0) BETWEEN -2208988800000000 AND 253370764799999999"
_TIME_TO_9000 = "coalesce({}, 0) BETWEEN -2208988800000000 AND 221845392000000000"
_BOARD = "length(board) = 16 AND board NOT GLOB '*[^0-9a-f]*'"
_PLACE = f"{_BOARD} AND symmetry IN ({', '.join(map(repr, MODES))}) AND spawn4 BETWEEN 0 AND 1"
_RATES = " AND ".join(f"coalesce(rate_{way}, 0) BETWEEN 0 AND 1" for way in DIRECTIONS)
_HIGHEST_GRADE = len(GRADES) - 1
_RATING, _DEVIATION = "BETWEEN 0 AND 4000", "BETWEEN 30 AND 350"  # see coach.puzzles.rating
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
}
"""A condition for every row, by table."""
