"""A cluster whose only machine is this process: it gets copies and works in another folder."""

import os
import pickle
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any


@dataclass(frozen=True)
class OtherMachine:
    """What `tablebase.cluster.connection.connected` yields, as far as games need it.

    Attributes
    ----------
    folder : Path
        Where it works.
    """

    folder: Path

    def map(
        self,
        function: Callable[..., Any],
        items: Iterable[Any],
        *shared: Any,
        check: Callable[[], object] = lambda: None,
    ) -> Iterator[Any]:
        for item in items:
            check()
            yield self._result(function, *pickle.loads(pickle.dumps((item, *shared))))

    def _result(self, function: Callable[..., Any], *given: Any) -> Any:
        before = Path.cwd()
        os.chdir(self.folder)
        try:
            return function(*given)
        finally:
            os.chdir(before)
