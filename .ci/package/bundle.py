"""What macOS is told of the program: its files, by extension."""

from typing import Any

from gui.shell.desktop_files import KINDS


def info() -> dict[str, Any]:
    """Return what goes into Info.plist besides names and versions."""
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
