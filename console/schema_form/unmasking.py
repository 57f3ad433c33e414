"""Put secrets back into text in which bullets stand for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final

from console.schema_form.json_places import place_of
from console.schema_form.json_text import TextProblem
from tools.errors import ArgumentsError

if TYPE_CHECKING:
    from tools.masking import Masking

__all__ = ["unmasked"]

_PART: Final = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def unmasked(
    masking: Masking, typed: Mapping[str, Any], real: Mapping[str, Any], text: str
) -> tuple[dict[str, Any] | None, TextProblem | None]:
    """Return what was typed with each secret that was left as bullets.

    Args:
        masking: What hides the secrets.
        typed: What the text says.
        real: What stood there before.
        text: For the place of a problem.

    Returns:
        The object and None, or None and the problem: bullets that stand for nothing that is known.
    """
    try:
        return masking.restored(typed, real), None
    except ArgumentsError as error:
        problem = error.problems[0]
        path = tuple(int(found[1]) if found[1] else found[2] for found in _PART.finditer(problem.path))
        place = place_of(text, path)
        return None, TextProblem(place.line, place.column, f"expected {problem.expected}")
