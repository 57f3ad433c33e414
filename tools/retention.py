"""How long the parts of a conversation stay before a model: rules over values, which know no call and no session."""

from __future__ import annotations

from enum import StrEnum
from typing import Final

DEFAULT_TURNS_TO_KEEP: Final = 5
"""What holds when neither the part, nor its tool, nor the toolkit says anything."""


class RetentionMark(StrEnum):
    """What a person decided about a part or a turn, whatever its age.

    `PINNED` keeps it, `PRUNED` takes it away, `AUTO` leaves it to its age.
    """

    AUTO = "auto"
    PINNED = "pinned"
    PRUNED = "pruned"


def inherited(*levels: int | None, default: int = DEFAULT_TURNS_TO_KEEP) -> int:
    """Return the first retention that says anything.

    Args:
        *levels: From the nearest to the farthest: the part itself, its tool, the toolkit. None says nothing.
        default: What holds otherwise.
    """
    return next((turns for turns in levels if turns is not None), default)


def turns_left(turns_to_keep: int, age: int) -> int | None:
    """Return for how many further turns a part stays; None is for ever, and below 0 it is gone.

    Args:
        turns_to_keep: How many turns it stays after its own: 0 is gone next turn, negative is for ever.
        age: How many turns began since its own.
    """
    return None if turns_to_keep < 0 else turns_to_keep - age


def is_visible(
    turns_to_keep: int,
    age: int,
    mark: RetentionMark = RetentionMark.AUTO,
    turn_mark: RetentionMark = RetentionMark.AUTO,
) -> bool:
    """Return whether a model still sees a part.

    A pin always wins, on the part or on its whole turn; then what is pruned is gone, on either level; then its age
    decides.

    Args:
        turns_to_keep: How many turns it stays after its own: 0 is gone next turn, negative is for ever.
        age: How many turns began since its own.
        mark: What was decided about the part.
        turn_mark: What was decided about its turn.
    """
    marks = (mark, turn_mark)
    if RetentionMark.PINNED in marks:
        return True
    if RetentionMark.PRUNED in marks:
        return False
    left = turns_left(turns_to_keep, age)
    return left is None or left >= 0
