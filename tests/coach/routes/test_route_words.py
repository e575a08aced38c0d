"""What routes are called."""

import pytest

from coach.routes.code import Route
from coach.routes.words import route_title


@pytest.mark.parametrize(
    ("formation", "spelled"), [("2X4", "2x4"), ("L3T", "L3t"), ("FREE9", "free9"), ("MINE", "MINE")]
)
def test_formations_are_written_as_everywhere_else(formation, spelled):
    route = Route(formation, "64", 5, 12, is_corrected=False)
    assert route_title(route) == f"{spelled} \N{RIGHTWARDS ARROW} 64"
