"""Which level a title's style has: in each file the styles get their levels in the order in which they appear (OUT-66 to OUT-68)."""


class Levels:
    """The styles that are known so far, and the level that the text stands at."""

    def __init__(self) -> None:
        self._known: list[str] = []
        self._current = 0

    def of(self, style: str) -> int | None:
        """The level of the next title, from 1, or None when it skips one and is no heading. A new style is known from then on."""
        level = self._known.index(style) + 1 if style in self._known else len(self._known) + 1
        if level > self._current + 1:
            return None
        if level > len(self._known):
            self._known.append(style)
        self._current = level
        return level
