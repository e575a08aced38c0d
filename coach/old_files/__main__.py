"""``python -m coach.old_files FOLDER``: read the old files of a data folder in, step by step."""

import sys
from pathlib import Path

from coach.old_files.readers import READERS
from coach.old_files.reading import Watch, read_old_files

if __name__ == "__main__":

    def show(text: str) -> None:
        print(text, flush=True)

    read_old_files(Path(sys.argv[1]), READERS, Watch(step=show, warn=show))
