"""What the window knows of its pages before they exist: which there are, behind which doors."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gui.keys.key_bindings import KeyBindings
    from gui.pages.page import Page
    from gui.pages.services import Services


@dataclass(frozen=True)
class PageSpec:
    """A page that is made later. Texts are in English and marked."""

    # As in `Page`.
    title: str
    icon: str
    make: "Callable[[Services, KeyBindings], Page]"  # creates the page; imports it
    # What is imported before, one by one, as each takes tens of milliseconds.
    modules: Sequence[str] = ()
    tab: str = ""  # its name among the tabs of its door, if not the title
    former_title: str = ""  # the one of earlier versions, which their files have

    @property
    def name(self) -> str:
        """The name in files: of its actions' keys, for example. It never changes."""
        return (self.former_title or self.title).lower()

    def is_named(self, title: str) -> bool:
        return title in (self.title, self.former_title)


@dataclass(frozen=True)
class DoorSpec:
    """One entry of the rail: a page, or several pages as tabs."""

    title: str
    icon_name: str
    pages: Sequence[PageSpec]
    # Whether it is at the bottom of the rail, with pages about the program.
    is_at_bottom: bool = False
