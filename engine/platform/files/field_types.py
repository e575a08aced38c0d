"""Types of fields used in several JSON files, for classes that `json_struct` reads."""

import re
from collections.abc import Iterable
from typing import Annotated, Literal

from msgspec import Meta

from engine.platform.language import mark

Share = Annotated[float, Meta(ge=0, le=1)]
"""A probability, or a part of a whole."""
FourShares = tuple[Share | None, Share | None, Share | None, Share | None]
"""One share for each direction, in order of direction."""
DirectionName = Annotated[
    Literal["left", "right", "up", "down"], Meta(description=mark("left, right, up or down"))
]


def one_of(names: Iterable[str]) -> Meta:
    """Return the constraint that a text is one of `names`."""
    allowed = list(names)
    pattern = "|".join(map(re.escape, allowed))
    return Meta(pattern=rf"\A(?:{pattern})\Z", extra_json_schema={"enum": allowed})
