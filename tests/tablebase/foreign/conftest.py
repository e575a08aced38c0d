"""Small tables in the layout of 2048EndgameTablebase, each written once a session."""

from pathlib import Path

import pytest
from makers import Solver
from reference_tables import Opener, Writer, stored_layers, write_table

from tablebase.foreign.table import ReferenceTable
from tablebase.formation.formation import Formation


@pytest.fixture(scope="session")
def written(solution: Solver, tmp_path_factory: pytest.TempPathFactory) -> Writer:
    """Return ``written(name, target, rate="uint32", packed=False) -> Path``, not to be changed.

    Layers from 3 on are compressed when `packed`, their streams being as short as they may be.
    """
    folders: dict[tuple[str, int, str, bool], Path] = {}

    def write(name: str, target: int, rate: str = "uint32", packed: bool = False) -> Path:
        key = (name, target, rate, packed)
        if key not in folders:
            folder = folders[key] = tmp_path_factory.mktemp("reference")
            layers = stored_layers(solution(name, target), rate)
            write_table(folder, f"{name}_{target}", layers, rate, packed)
        return folders[key]

    return write


@pytest.fixture
def opened(formations: dict[str, Formation]) -> Opener:
    """Return ``opened(path) -> ReferenceTable`` that knows the tests' formations."""
    return lambda path: ReferenceTable.open(path, formations=formations)
