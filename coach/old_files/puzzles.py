"""``puzzles.db``."""

from coach.old_files.databases import DatabaseReader, SameTable
from engine.bitboard import DIRECTIONS
from engine.geometry import MODES

MIGRATIONS = (
    """
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
        UNIQUE (table_name, spawn4, board)
    );
    CREATE INDEX puzzle_by_rating ON puzzle (rating);
    CREATE TABLE answer (
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
    CREATE INDEX answer_at ON answer (at);
    CREATE TABLE daily (
        day TEXT NOT NULL,
        table_name TEXT NOT NULL,
        spawn4 REAL NOT NULL,
        puzzle_id INTEGER NOT NULL REFERENCES puzzle (id) ON DELETE CASCADE,
        PRIMARY KEY (day, table_name, spawn4)
    ) WITHOUT ROWID;
    """,
    # When it was removed: its answers stay, since the person's rating rests on them, and it is not
    # found again.
    "ALTER TABLE puzzle ADD COLUMN removed INTEGER;",
)

_TIME = "coalesce({}, 0) BETWEEN -2208988800000000 AND 221845392000000000"  # years 1900 to 9000
_RATES = " AND ".join(f"coalesce(rate_{way}, 0) BETWEEN 0 AND 1" for way in DIRECTIONS)
_VALUE, _DEVIATION = "BETWEEN 0 AND 4000", "BETWEEN 30 AND 350"
SOUND = {
    "puzzle": "length(board) = 16 AND board NOT GLOB '*[^0-9a-f]*' "
    f"AND symmetry IN ({', '.join(map(repr, MODES))}) AND {_RATES} AND spawn4 BETWEEN 0 AND 1 "
    # Without two rates there is no right answer.
    "AND (rate_left IS NOT NULL) + (rate_right IS NOT NULL) + (rate_up IS NOT NULL) "
    "+ (rate_down IS NOT NULL) >= 2 "
    "AND max(coalesce(rate_left, 0), coalesce(rate_right, 0), coalesce(rate_up, 0), "
    "coalesce(rate_down, 0)) > 0 "
    f"AND rating {_VALUE} AND deviation {_DEVIATION} "
    "AND origin IN ('table', 'games', 'import') "
    "AND n_right BETWEEN 0 AND 1 << 53 AND n_wrong BETWEEN 0 AND 1 << 53 "
    f"AND {_TIME.format('found')} AND {_TIME.format('last_seen')} "
    f"AND {_TIME.format('removed')}",
    "answer": "direction BETWEEN 0 AND 3 AND is_right BETWEEN 0 AND 1 "
    "AND is_rated BETWEEN 0 AND 1 AND seconds BETWEEN 0 AND 1e12 "
    f"AND person {_VALUE} AND person_deviation {_DEVIATION} AND {_TIME.format('at')}",
    "daily": "spawn4 BETWEEN 0 AND 1",
}

PUZZLES = DatabaseReader(
    "puzzles.db",
    MIGRATIONS,
    SOUND,
    (
        SameTable("puzzle", "puzzle", "id"),
        SameTable("answer", "puzzle_answer", "id", ("puzzle_id", "puzzle")),
        SameTable(
            "daily",
            "puzzle_daily",
            "day, table_name, spawn4",  # no text
            ("puzzle_id", "puzzle"),
        ),
    ),
)
