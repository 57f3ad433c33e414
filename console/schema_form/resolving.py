"""Follow the references of a schema inside the schema itself; nothing is ever fetched."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

__all__ = ["Schema", "branches", "property_names", "resolved", "schema_at"]

Schema = Mapping[str, Any]

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
            target = _target(reference, root)
            if target is None:
                return node
            node = {**target, **{key: value for key, value in node.items() if key != "$ref"}}
            continue
        parts = node.get("allOf")
        if isinstance(parts, list) and len(parts) == 1 and isinstance(parts[0], Mapping):
            node = {**parts[0], **{key: value for key, value in node.items() if key != "allOf"}}
            continue
        return node
    return node


def schema_at(root: Schema, path: tuple[str | int, ...]) -> Schema:
    """Return the schema of what stands at a path; the empty schema where the document says nothing.

    Args:
        root: The schema of the whole document.
        path: Names and positions.
    """
    node = resolved(root, root)
    for part in path:
        variants = [resolved(branch, root) for branch in branches(node)]
        node = next((found for variant in variants if (found := _child(variant, part, root)) is not None), {})
    return node


def property_names(root: Schema, path: tuple[str | int, ...]) -> tuple[str, ...]:
    """Return the names that the object at a path may have, in the order of the schema.

    Args:
        root: The schema of the whole document.
        path: Where the object stands.
    """
    variants = (resolved(branch, root) for branch in branches(schema_at(root, path)))
    return tuple(dict.fromkeys(name for variant in variants for name in variant.get("properties", ())))


def branches(schema: Schema) -> list[Any]:
    """Return the schema and what its `anyOf` and `oneOf` offer."""
    return [schema, *(branch for key in ("anyOf", "oneOf") for branch in schema.get(key, ()))]


def _child(schema: Schema, part: str | int, root: Schema) -> Schema | None:
    found: Any = None
    if isinstance(part, str):
        found = schema.get("properties", {}).get(part)
        if found is None and isinstance(schema.get("additionalProperties"), Mapping):
            found = schema["additionalProperties"]
    else:
        fixed = schema.get("prefixItems", ())
        found = fixed[part] if part < len(fixed) else schema.get("items")
    return resolved(found, root) if isinstance(found, Mapping) else None


def _target(reference: str, root: Schema) -> Schema | None:
    if reference == "#":
        return root
    if not reference.startswith("#/"):
        return None
    node: Any = root
    for part in reference[2:].split("/"):
        name = part.replace("~1", "/").replace("~0", "~")
        if not isinstance(node, Mapping) or name not in node:
            return None
        node = node[name]
    return node if isinstance(node, Mapping) else None
