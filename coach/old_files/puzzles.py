"""``puzzles.db``."""

from coach.old_files.databases import DatabaseReader, SameTable

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

PUZZLES = DatabaseReader(
    "puzzles.db",
    MIGRATIONS,
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
