"""``analyses.db``."""

from coach.old_files.databases import DatabaseReader, SameTable

MIGRATIONS = (
    """
    CREATE TABLE analyses (
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
        reports TEXT NOT NULL         -- JSON, path by kind
    );
    CREATE TABLE segments (
        analysis INTEGER NOT NULL REFERENCES analyses (id) ON DELETE CASCADE,
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
    CREATE INDEX analyses_by_time ON analyses (at);
    """,
    """
    ALTER TABLE analyses ADD COLUMN game TEXT NOT NULL DEFAULT '';  -- JSON of the whole game or ''
    """,
)
ANALYSES = DatabaseReader(
    "analyses.db",
    MIGRATIONS,
    (
        SameTable("analyses", "analysis", "id"),
        SameTable("segments", "analysis_segment", "analysis, number", ("analysis", "analyses")),
    ),
)
