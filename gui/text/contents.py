"""What a table keeps, in words: for its card, its form and its messages."""

from typing import Protocol

from gui.text.numbers import NBSP


class Contents(Protocol):
    """What a table and the wish to build one have in common."""

    @property
    def rate(self) -> str:
        """Return how rates are stored."""

    @property
    def spawn4(self) -> float:
        """Return the probability of a 4."""

    @property
    def threshold(self) -> float:
        """Return the rate below which boards are left out."""

    @property
    def optimal_only(self) -> bool:
        """Return whether only optimal play is kept."""

    @property
    def sparse(self) -> int:
        """Return of how many layers two are kept."""


def percent_text(share: float) -> str:
    """Return a share with the digits it has: `5 %`, `0.25 %`."""
    return f"{share * 100:.6g}{NBSP}%"


def content_words(table: Contents) -> list[str]:
    """Return how rates are stored and which boards, in a few words each."""
    words = [table.rate] if table.rate else []
    if table.rate and abs(table.spawn4 - 0.1) > 1e-9:
        words.append(f"4 in {percent_text(table.spawn4)} of the spawns")
    if table.threshold > 0:
        words.append(f"above {percent_text(table.threshold)} only")
    if table.optimal_only:
        words.append("optimal play only")
    if table.sparse > 1:
        words.append(f"sparse: 2 layers of {table.sparse}".replace(" ", NBSP))
    return words
