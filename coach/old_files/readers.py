"""The readers of all old files."""

from coach.old_files.databases import DATABASES
from coach.old_files.profile import PROFILE
from coach.old_files.reading import Reader
from coach.old_files.routes import ROUTES
from coach.old_files.situations import SITUATIONS
from coach.old_files.tests import LISTED_TESTS, TESTS

READERS: tuple[Reader, ...] = (*DATABASES, LISTED_TESTS, TESTS, ROUTES, SITUATIONS, PROFILE)
"""In order: a later one may use what an earlier one has stored."""
