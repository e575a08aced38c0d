"""The exchange of values between boards and their images in a layer held in memory band by band.

First each band in turn raises boards whose image is also in it, answers the requests of bands
before it, and sends the values of boards whose images are elsewhere. Then each band in turn answers
the requests of later ones and reads the answers to its own: it need not wait, since the bands
before it have already answered. So every band is in memory twice, however many bands there are.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from tablebase.build.worker_pool import LayerPool
from tablebase.kernels.band_exchange import Messages, answer_messages, read_answers, write_messages
from tablebase.kernels.diagonal import Outside, count_before
from tablebase.kernels.layer_boards import Solved
from tablebase.memory.arrays import Arrays, SpoolPlace

_LETTER_BYTES = 16
_MIN_LETTERS = 1 << 12  # for a band at a time
_NO_BAND = np.iinfo(np.int64).max


class _SentBatch(NamedTuple):
    """Messages of one band to another, or answers to them, which have no slots."""

    band: int
    slots: SpoolPlace | None
    senders: SpoolPlace
    values: SpoolPlace


class BandExchange:
    """Messages between bands of a layer, which begin at slots `starts`; a context manager."""

    def __init__(
        self,
        solved: Solved,
        starts: Sequence[int],
        n_bytes: int,
        arrays: Arrays,
        pool: LayerPool,
        waiting: npt.NDArray[np.uint64],
    ) -> None:
        self._solved, self._pool, self._waiting = solved, pool, waiting
        n = len(starts)
        self._starts = np.full(1 << max(n - 1, 1).bit_length(), _NO_BAND, np.int64)
        self._starts[:n] = starts
        room = max(n_bytes // (_LETTER_BYTES * n), _MIN_LETTERS) if n > 1 else 0
        self._messages = Messages(
            np.empty((n, room), np.uint32),
            np.empty((n, room), np.uint32),
            np.empty((n, room), np.float64),
            np.zeros(n, np.int64),
        )
        self._spool = arrays.spool
        self._messages_to: list[list[_SentBatch]] = [[] for _ in starts]
        self._answers_to: list[list[_SentBatch]] = [[] for _ in starts]
        self._first: dict[int, int] = {}

    def __enter__(self) -> "BandExchange":
        return self

    def __exit__(self, *_error: object) -> None:
        self._spool.clear()

    def write(self, band: int, outside: Outside) -> None:
        """Send the values of boards of a band to their images in other bands, which are listed."""
        n, done = int(outside.n[0]), 0
        data = outside.slots[:n], outside.positions[:n]
        first, values = self._first_of(band), self._solved.values
        while done < n:
            done = write_messages(*data, done, first, values, self._starts, self._messages)
            if done < n:
                self._send(band, int(self._messages.n.max()))

    def send(self, band: int) -> None:
        self._send(band, 1)

    def answer(self, band: int) -> None:
        """Raise values of a band to those received so far; answer messages with lower values."""
        messages, self._messages_to[band] = self._messages_to[band], []
        if not messages:
            return
        first, solved = int(self._starts[band]), self._solved

        def work(worker: int, i: int) -> None:
            sent = messages[i]
            assert sent.slots is not None
            slots, senders = self._spool.read(sent.slots), self._spool.read(sent.senders)
            values = self._spool.read(sent.values)
            room = self._waiting[worker]
            data = slots, senders, values, room
            n = int(answer_messages(solved.indexed, solved.values, first, *data))
            if n:
                answers = self._spool.add(senders[:n]), self._spool.add(values[:n])
                self._answers_to[sent.band].append(_SentBatch(band, None, *answers))

        self._pool.run_each(len(messages), work)

    def has_messages(self, band: int) -> bool:
        return bool(self._messages_to[band] or self._answers_to[band])

    def read(self, band: int) -> None:
        answers, self._answers_to[band] = self._answers_to[band], []
        first = self._first_of(band)
        for answer in answers:
            senders, values = self._spool.read(answer.senders), self._spool.read(answer.values)
            read_answers(self._solved.values, first, senders, values)

    def _first_of(self, band: int) -> int:
        if band not in self._first:
            self._first[band] = int(count_before(self._solved.indexed, int(self._starts[band])))
        return self._first[band]

    def _send(self, band: int, least: int) -> None:
        messages = self._messages
        for to in np.flatnonzero(messages.n >= least).tolist():
            n = int(messages.n[to])
            sent = _SentBatch(
                band,
                self._spool.add(messages.slots[to, :n]),
                self._spool.add(messages.senders[to, :n]),
                self._spool.add(messages.values[to, :n]),
            )
            self._messages_to[to].append(sent)
            messages.n[to] = 0
