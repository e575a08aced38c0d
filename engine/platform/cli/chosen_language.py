"""The language that was chosen in the window, read before the command line prints anything."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.platform.files.input_file import read_limited
from engine.platform.language import ENVIRONMENT, LANGUAGES, PSEUDO, SYSTEM
from engine.platform.user_folders import user_folders

_DATA_DIR = "--data-dir"


def chosen_language(words: Sequence[str], environment: Mapping[str, str]) -> str:
    """The words are not parsed yet; a language that the environment names takes precedence."""
    if environment.get(ENVIRONMENT):
        return SYSTEM
    try:
        folder = _data_dir(words)
        path = user_folders(Path(folder) if folder else None).data / "settings.json"
        text = read_limited(path, 16 << 20).decode("utf-8-sig")
        chosen = json.loads(text)["values"]["language"]
    except (OSError, ValueError, KeyError, TypeError, RuntimeError, RecursionError):
        return SYSTEM  # a damaged file is reported by the window, its owner
    return chosen if chosen in (*LANGUAGES, PSEUDO) else SYSTEM


def _data_dir(words: Sequence[str]) -> str:
    folder = ""
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == _DATA_DIR:
            folder = following
        elif word.startswith(f"{_DATA_DIR}="):
            folder = word.partition("=")[2]
    return folder
