"""What is kept of where an imported table came from."""

import json

import pytest

from tablebase.errors import DamagedTableError
from tablebase.store.manifest import IMPORT_NAME
from tablebase.store.origin import Origin, load_origin


def test_an_origin_comes_back(tmp_path) -> None:
    assert load_origin(tmp_path) is None
    origin = Origin("uint32", False, "0123abcd")
    origin.save(tmp_path)
    assert load_origin(tmp_path) == origin


@pytest.mark.parametrize(
    ("field", "value"), [("is_thinned", 0), ("source_rate", None), ("source_files", 3), ("more", 1)]
)
def test_an_origin_of_other_types_is_damage(tmp_path, field: str, value: object) -> None:
    """0 equals False: an import that went on would leave it, and call the table its own."""
    Origin("uint32", False, "0123abcd").save(tmp_path)
    path = tmp_path / IMPORT_NAME
    path.write_text(json.dumps(json.loads(path.read_text()) | {field: value}), encoding="ascii")
    with pytest.raises(DamagedTableError, match="import it again"):
        load_origin(tmp_path)
