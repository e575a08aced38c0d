"""How a request is refused: a status, and a sentence that says what was expected.

Messages of tables and builds may name folders of this machine, which clients must not see. Only
messages known to name none are sent. For others the client reads that something went wrong, and the
log has the rest.
"""

import logging
from collections.abc import Mapping
from functools import partial

from coach.whole_game.analysis import NotWholeError
from engine.formats.replay import ReplayError
from engine.platform.errors import AppError, InvalidBoardError
from engine.platform.language import tr
from tablebase.errors import BuildRefusedError, ProbeError, UnknownFormationError

_logger = logging.getLogger(__name__)
_STATUS_OF: Mapping[type[AppError], int] = {
    InvalidBoardError: 400,
    UnknownFormationError: 404,
    NotWholeError: 422,
    ReplayError: 422,
    ProbeError: 422,
    BuildRefusedError: 422,
}
"""Errors whose messages name no folder."""


class RequestError(AppError):
    """A request that is refused, with a status of HTTP from 400 on."""

    def __init__(self, status: int, text: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(text)
        self.status, self.headers = status, dict(headers or {})


bad_request = partial(RequestError, 400)


def too_busy(text: str) -> RequestError:
    return RequestError(503, text, {"retry-after": "1"})


def bug() -> RequestError:
    """Return the answer after a bug, without details: clients must not see the traceback."""
    return RequestError(500, tr("a bug in the service: its log has the details"))


def refusal_of(error: AppError) -> RequestError:
    if isinstance(error, RequestError):
        return error
    for kind, status in _STATUS_OF.items():
        if isinstance(error, kind):
            return RequestError(status, str(error))
    _logger.warning("%s: %s", type(error).__name__, error)
    return RequestError(503, tr("a table can't be read right now: the service's log says why"))


def sentence_of(error: AppError) -> str:
    return str(refusal_of(error))
