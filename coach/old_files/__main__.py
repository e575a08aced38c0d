"""``python -m coach.old_files FOLDER``: read the old files of a data folder in, step by step."""

import sys
from contextlib import closing
from pathlib import Path

from coach.old_files.opening import READERS
from coach.old_files.reading import Watch, problems_of, read_old_files
from coach.record.database import open_database
from coach.record.schema import MIGRATIONS
from coach.record.user_database import NAME

if __name__ == "__main__":
    folder = Path(sys.argv[1])
    read_old_files(folder, READERS, Watch(step=lambda name: print(name, flush=True)))
    with closing(open_database(folder / NAME, MIGRATIONS)) as database:
        for problem in problems_of(database).values():
            print(problem)
