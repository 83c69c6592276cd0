"""The byte budget of a batch: the answers that entered it, and those that wait for their turn (BAT-53 to BAT-60). Pure."""


class Answers:
    """Answers of items, offered in any order and entered in the order of the request.

    What has entered and what waits never take more than the room that there is, commas included.
    """

    def __init__(self, room: int) -> None:
        """`room` are the bytes that all answers may take inside the list of items."""
        self.entered: list[bytes] = []
        """In the order of the request, from its first item on."""
        self.stop: int | None = None
        """The first item that is known not to fit: nothing from there on is held or wanted. None while all fit."""
        self._left = room + 1  # one comma less than answers
        self._waiting: dict[int, bytes] = {}

    def wants(self, index: int) -> bool:
        """Whether an answer to that item could still be sent; if not, it needn't be built (BAT-60)."""
        return self.stop is None or index < self.stop

    def offer(self, index: int, answer: bytes) -> None:
        """Keep a wanted answer until its turn, if it can still enter after everything before it (BAT-54).

        The first of those that wait, itself included, that can't enter any more is the new stop (BAT-55, BAT-56).
        """
        self._waiting[index] = answer
        left = self._left
        for waiting in sorted(self._waiting):
            left -= _taken(self._waiting[waiting])
            if left < 0:
                self.stop = waiting
                self._waiting = {kept: held for kept, held in self._waiting.items() if kept < waiting}
                return

    def waits(self, index: int) -> bool:
        """Whether the answer to that item is here."""
        return index in self._waiting

    def enter(self, index: int) -> None:
        """The answer's turn has come: the pass reached its item."""
        answer = self._waiting.pop(index)
        self._left -= _taken(answer)
        self.entered.append(answer)

    @property
    def held_bytes(self) -> int:
        """Bytes of all answers that are held, with a comma between every two."""
        held = [*self.entered, *self._waiting.values()]
        return sum(map(_taken, held)) - bool(held)


def _taken(answer: bytes) -> int:
    """An answer and the comma after it."""
    return len(answer) + 1
