"""The readers of all old files."""

from coach.old_files.analyses import ANALYSES
from coach.old_files.mistakes import MISTAKES
from coach.old_files.puzzles import PUZZLES
from coach.old_files.reading import Reader

READERS: tuple[Reader, ...] = (MISTAKES, PUZZLES, ANALYSES)
"""In order: a later one may use what an earlier one has stored."""
