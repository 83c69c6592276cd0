"""What the load tests ran, for the lines at the end of the run."""

from collections import Counter
from dataclasses import dataclass, field

LINES: list[str] = []
"""One line for each load that ended."""


@dataclass
class Tally:
    """One load."""

    name: str
    calls: int = 0
    answers: int = 0
    refusals: Counter[str] = field(default_factory=Counter)
    wrong: list[str] = field(default_factory=list)
    """Answers that were another's, and calls that ended in neither an answer nor a refusal; the load test says that there is none."""
    slowest_s: float = 0.0
    seconds: float = 0.0
    kills: int = 0
    notes: list[str] = field(default_factory=list)

    def report(self) -> None:
        """Add the line."""
        refused = ", ".join(f"{count} {code}" for code, count in sorted(self.refusals.items())) or "none"
        kills = f", {self.kills} kills" if self.kills else ""
        notes = "".join(f"; {note}" for note in self.notes)
        LINES.append(
            f"{self.name}: {self.calls} calls in {self.seconds:.1f} s{kills}; {self.answers} answers, refusals: {refused}; "
            f"slowest {self.slowest_s:.2f} s{notes}"
        )
