"""One schema of the gallery with what fits it and what does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from console.schema_form import FieldKind, Path

__all__ = ["Case", "one"]


@dataclass(frozen=True)
class Case:
    """A schema of arguments.

    Attributes:
        name: What it shows.
        schema: JSON Schema of the arguments.
        valid: Arguments that fit.
        invalid: Arguments that do not, with the path at which the form must say so.
        kinds: Which field each place gets, for the first of the valid arguments.
    """

    name: str
    schema: Mapping[str, Any]
    valid: Sequence[Mapping[str, Any]] = ()
    invalid: Sequence[tuple[Mapping[str, Any], Path]] = ()
    kinds: Mapping[Path, FieldKind] = field(default_factory=dict)


def one(
    name: str,
    schema: Any,
    valid: Sequence[Any],
    invalid: Sequence[tuple[Any, Path]],
    kind: FieldKind,
    **root: Any,
) -> Case:
    """Make the case of one argument, `x`.

    Args:
        name: What it shows.
        schema: Of the argument.
        valid: Values that fit.
        invalid: Values that do not, with the path inside the argument at which the form must say so.
        kind: The field it gets.
        root: What else stands in the schema: `$defs`, `$schema`.
    """
    whole = {"type": "object", "properties": {"x": schema}, "required": ["x"], **root}
    return Case(
        name,
        whole,
        [{"x": value} for value in valid],
        [({"x": value}, ("x", *path)) for value, path in invalid],
        {("x",): kind},
    )
