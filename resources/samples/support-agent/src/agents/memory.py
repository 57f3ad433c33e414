"""What an agent remembers of a conversation."""

from collections import deque


class Memory:
    """Keep the last turns, and pinned facts for ever."""

    def __init__(self, turns: int = 20) -> None:
        self.turns: deque[str] = deque(maxlen=turns)
        self.pinned: list[str] = []

    def add(self, text: str) -> None:
        self.turns.append(text)

    def pin(self, text: str) -> None:
        # FIXME: the same fact can be pinned twice
        self.pinned.append(text)

    def summary(self) -> str:
        # TODO: summarise old turns instead of dropping them
        return "\n".join([*self.pinned, *self.turns])
