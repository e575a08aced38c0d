"""The counts of a scenario, and the faults it found."""

from collections import Counter
from dataclasses import dataclass, field

_MAX_SHOWN = 20


@dataclass
class Tally:
    """Counts and problems of one scenario; only a result without problems is good."""

    name: str
    counts: Counter[str] = field(default_factory=Counter)
    problems: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def count(self, what: str, n: int = 1) -> None:
        """Count something that happened as it should."""
        self.counts[what] += n

    def wrong(self, problem: str) -> None:
        """Record something that must not happen."""
        self.problems.append(problem)

    def note(self, text: str) -> None:
        """Note once what couldn't be done here, and why."""
        if text not in self.notes:
            self.notes.append(text)

    def expect(self, holds: object, problem: str) -> bool:
        """Record `problem` unless `holds`."""
        if not holds:
            self.wrong(problem)
        return bool(holds)

    def text(self, seconds: float) -> str:
        """Return the scenario's line, and a line for every note and problem."""
        counted = ", ".join(f"{n:,} {what}" for what, n in sorted(self.counts.items()))
        verdict = f"{len(self.problems)} WRONG" if self.problems else "0 wrong"
        lines = [f"{self.name:<14} {verdict:<9} {counted} ({seconds:.0f} s)"]
        lines += [f"    note: {text}" for text in self.notes]
        lines += [f"    wrong: {text}" for text in self.problems[:_MAX_SHOWN]]
        if len(self.problems) > _MAX_SHOWN:
            lines.append(f"    ... and {len(self.problems) - _MAX_SHOWN} more")
        return "\n".join(lines)
