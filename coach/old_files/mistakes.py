"""``mistakes.db``."""

from coach.grading.grade import GRADES
from coach.old_files.databases import DatabaseReader, SameTable
from engine.bitboard import DIRECTIONS as MOVES
from engine.symmetry import MODES

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

# The years 1900 to 9998: an import takes no later ones.
_TIME = "coalesce({}, 0) BETWEEN -2208988800000000 AND 253370764799999999"
_RATES = " AND ".join(f"coalesce(rate_{way}, 0) BETWEEN 0 AND 1" for way in MOVES)
SOUND = {
    "mistake": "length(board) = 16 AND board NOT GLOB '*[^0-9a-f]*' AND best BETWEEN 1 AND 15 "
    f"AND symmetry IN ({', '.join(map(repr, MODES))}) AND {_RATES} "
    f"AND spawn4 BETWEEN 0 AND 1 AND count >= 0 AND unlisted >= 0 "
    f"AND grade BETWEEN 0 AND {len(GRADES) - 1} AND unlisted_grade BETWEEN 0 AND {len(GRADES) - 1} "
    "AND abs(total_loss) < 1e15 AND abs(worst_loss) < 1e9 AND abs(unlisted_loss) < 1e15 "
    "AND n_right BETWEEN 0 AND 1 << 53 AND n_wrong BETWEEN 0 AND 1 << 53 AND run >= 0 AND "
    + " AND ".join(map(_TIME.format, ("first", "last", "due", "retired"))),
    "attempt": "direction BETWEEN 0 AND 3 AND abs(coalesce(loss, 0)) < 1e9 "
    f"AND coalesce(grade, 0) BETWEEN 0 AND {len(GRADES) - 1} AND {_TIME.format('at')}",
    "answer": f"direction BETWEEN 0 AND 3 AND abs(coalesce(seconds, 0)) < 1e12 "
    f"AND {_TIME.format('at')}",
}

MISTAKES = DatabaseReader(
    "mistakes.db",
    MIGRATIONS,
    SOUND,
    (
        SameTable("mistake", "mistake", "id"),
        SameTable("attempt", "mistake_attempt", "id", ("mistake_id", "mistake")),
        SameTable("answer", "mistake_answer", "id", ("mistake_id", "mistake")),
        SameTable("tag", "mistake_tag", "mistake_id, name", ("mistake_id", "mistake")),  # no text
    ),
)
