"""Say how many items a list has, and how many it may have."""

from __future__ import annotations

from console.schema_form.normalising import Schema


def items_count(count: int, word: str = "item") -> str:
    """Count things: `1 item`, `1,204 items`."""
    return f"{count:,} {word}{'' if count == 1 else 's'}"


def items_rule(schema: Schema) -> str:
    """Say how many items a list may have, and that none may come twice; "" when all is allowed.

    Args:
        schema: The effective schema of the list.
    """
    bounds = bounds_rule(schema.get("minItems"), schema.get("maxItems"))
    parts = [bounds, "each once" if schema.get("uniqueItems") is True else ""]
    return ", ".join(part for part in parts if part)


def bounds_rule(low: int | None, high: int | None) -> str:
    """Say between which counts something has to be: `at least 1, at most 5`, `exactly 2`; "" for no limit."""
    low = low or 0
    if low and low == high:
        return f"exactly {low}"
    parts = [f"at least {low}" if low else "", f"at most {high}" if high is not None else ""]
    return ", ".join(part for part in parts if part)
