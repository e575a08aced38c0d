"""The program's entries for macOS: its file types, by extension."""

from typing import Any

from gui.shell.desktop_files import KINDS


def info() -> dict[str, Any]:
    """Return the entries of Info.plist besides names and versions."""
    return {
        "NSHighResolutionCapable": True,
        "NSRequiresAquaSystemAppearance": False,
        "CFBundleDocumentTypes": [
            {
                "CFBundleTypeName": kind.comment,
                "CFBundleTypeExtensions": [kind.suffix.removeprefix(".")],
                "CFBundleTypeRole": "Viewer",
                "LSHandlerRank": "Owner",
            }
            for kind in KINDS
        ],
    }
