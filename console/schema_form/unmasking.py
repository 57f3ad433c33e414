"""Keep secrets out of what is shown, and put them back into text in which bullets stand for them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from console.schema_form.json_positions import place_of
from console.schema_form.json_text import TextProblem
from console.schema_form.paths import same, value_at
from console.schema_form.validation import FieldError
from tools.errors import ArgumentsError
from tools.masking import Masking, masking_of

_HIDING_FORMATS: Final = frozenset({"iri", "password", "uri", "uri-reference", "url"})
_VALUE: Final = "; it "
"""Where a message stops saying what is expected, and says what came."""
_PART: Final = re.compile(r"\[(\d+)\]|([^.\[\]]+)")


def masking_in(schema: Any) -> Masking | None:
    """Return what hides the secrets of a schema; None when it has none.

    Args:
        schema: JSON Schema of the whole document.
    """
    # Most schemas have none, which is seen much sooner than all of their rules are read.
    due: list[Any] = [schema]
    while due:
        node = due.pop()
        if isinstance(node, Mapping):
            if node.get("writeOnly") is True or str(node.get("format")) in _HIDING_FORMATS:
                return masking_of((), schema, None)
            due += node.values()
        elif isinstance(node, list):
            due += node
    return None


def without_secrets(
    masking: Masking | None, errors: tuple[FieldError, ...], value: Mapping[str, Any]
) -> tuple[FieldError, ...]:
    """Return errors whose messages name no value that is hidden.

    Args:
        masking: What hides the secrets; None when there are none.
        errors: What is wrong.
        value: The whole document.
    """
    if masking is None:
        return errors
    shown = masking.arguments(value)
    return tuple(
        error
        if same(value_at(shown, error.path), value_at(value, error.path))
        else error._replace(message=error.message.partition(_VALUE)[0])
        for error in errors
    )


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
