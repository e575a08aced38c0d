"""Tables and formations as a user names them, in the user's folders."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from engine.platform.files.input_file import is_nameable
from engine.platform.user_folders import UserFolders
from tablebase.store.folder_names import table_folder

if TYPE_CHECKING:
    from tablebase.formation.formation import Formation


def known_formations(folders: UserFolders) -> "dict[str, Formation]":
    from tablebase.formation.patterns_file import load_formations

    return load_formations(own=folders.patterns)


def named_folder(folders: UserFolders, text: str) -> Path:
    """`text` is a path, or the name of one of the user's tables; raise MissingTableError."""
    path = table_folder(text)
    is_name = path.name == text and text not in (".", "..")
    if not is_name or path.exists():
        return path
    named = table_folder(folders.tables / text)
    return named if named.exists() else table_folder(folders.tables / _name_typed(text))


def named_folders(folders: UserFolders, text: str) -> list[Path]:
    """`text` may list several, as in PATH, its own first; a folder with the separator is found."""
    if os.pathsep not in text or (is_nameable(Path(text)) and Path(text).exists()):
        return [named_folder(folders, text)]
    own, *others = [name for name in text.split(os.pathsep) if name] or [text]
    return [named_folder(folders, own), *map(table_folder, others)]


def _name_typed(text: str) -> str:
    from tablebase.formation.goal import typed_goal

    pattern, _, target = text.rpartition("_")
    goal = typed_goal(target)
    return f"{pattern}_{goal}" if pattern and goal else text
