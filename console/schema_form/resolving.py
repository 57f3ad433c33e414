"""Follow the references of a schema inside the schema itself; nothing is ever fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from console.schema_form.normalising import Schema, target_of

__all__ = ["Schema", "resolved"]

_MOST_STEPS: Final = 32


def resolved(schema: Any, root: Schema) -> Schema:
    """Return a schema with its `$ref` and a lone `allOf` folded in, siblings winning.

    Args:
        schema: A schema; `true`, or anything that is none, counts as the empty one.
        root: The document that `#/...` leads into.

    Returns:
        The schema without a reference at its top. A reference that leads nowhere, or in a circle, stays.
    """
    node: Schema = schema if isinstance(schema, Mapping) else {}
    for _ in range(_MOST_STEPS):
        reference = node.get("$ref")
        if isinstance(reference, str):
            target = target_of(reference, root)
            if not isinstance(target, Mapping):
                return node
            node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
            continue
        parts = node.get("allOf")
        if isinstance(parts, list) and len(parts) == 1 and isinstance(parts[0], Mapping):
            node = {**parts[0], **{key: value for key, value in node.items() if key != "allOf"}}
            continue
        return node
    return node
