"""``mistakes.db``."""

from coach.old_files.databases import DatabaseReader, SameTable

MIGRATIONS = (
    """
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
    CREATE TABLE attempt (
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
    CREATE INDEX attempt_at ON attempt (at);
    CREATE TABLE answer (
        id INTEGER PRIMARY KEY,
        mistake_id INTEGER NOT NULL REFERENCES mistake (id) ON DELETE CASCADE,
        at INTEGER NOT NULL,
        direction INTEGER NOT NULL CHECK (direction BETWEEN 0 AND 3),
        is_right INTEGER NOT NULL,
        seconds REAL,
        was_new INTEGER NOT NULL,
        UNIQUE (mistake_id, at)
    );
    CREATE INDEX answer_at ON answer (at);
    CREATE TABLE tag (
        mistake_id INTEGER NOT NULL REFERENCES mistake (id) ON DELETE CASCADE,
        name TEXT NOT NULL,
        PRIMARY KEY (mistake_id, name)
    ) WITHOUT ROWID;
    """,
)

MISTAKES = DatabaseReader(
    "mistakes.db",
    MIGRATIONS,
    (
        SameTable("mistake", "mistake", "id"),
        SameTable("attempt", "mistake_attempt", "id", ("mistake_id", "mistake")),
        SameTable("answer", "mistake_answer", "id", ("mistake_id", "mistake")),
        SameTable("tag", "mistake_tag", "mistake_id, name", ("mistake_id", "mistake")),  # no text
    ),
)
