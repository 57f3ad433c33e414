"""Tell whether a text is a whole set of arguments."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, Final

from console.schema_form.json_text import parse_object

_ENVELOPES: Final = ("arguments", "input", "params")
_LABELS: Final = frozenset({"id", "name", "tool", "type"})


def arguments_of(value: Mapping[str, Any], names: Collection[str]) -> Mapping[str, Any]:
    """Take arguments out of the call around them, as a log or a model writes it: `{"name": …, "arguments": {…}}`.

    Args:
        value: The call, or the arguments by themselves.
        names: Those the tool knows; what has such a name is an argument.
    """
    for key in _ENVELOPES:
        inner = value.get(key)
        if key not in names and isinstance(inner, Mapping) and value.keys() - {key} <= _LABELS:
            return inner
    return value


def whole_arguments(text: str, names: Collection[str]) -> Mapping[str, Any] | None:
    """Return the arguments that a text is, where it cannot be meant as the text of one field.

    Args:
        text: What is pasted.
        names: Those the tool knows.

    Returns:
        The arguments; None when the text is no JSON object, or one with other names.
    """
    if not text.lstrip().startswith("{"):
        return None
    value, _ = parse_object(text)
    if value is None:
        return None
    arguments = arguments_of(value, names)
    return arguments if arguments and all(name in names for name in arguments) else None
