"""What is searched: one document for each tool, or for anything else that has a name and a description."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from tools.card import ToolFacts


class SearchDocument(NamedTuple):
    """The texts of one thing that can be found, by how much they say of it.

    Attributes:
        name: Its name, in any spelling of identifiers.
        keywords: Further words for it.
        category: Where it belongs: its category, toolkit and source.
        parameters: What it takes: names and descriptions.
        priority: Which of two that fit alike comes first: the higher.
    """

    name: str
    keywords: tuple[str, ...] = ()
    category: tuple[str, ...] = ()
    description: str = ""
    parameters: tuple[str, ...] = ()
    examples: tuple[str, ...] = ()
    priority: int = 0


def document_of(tool: ToolFacts) -> SearchDocument:
    """Return what there is to search of a tool."""
    spec = tool.spec
    properties = tool.input_schema.get("properties")
    fields: Mapping[str, Any] = properties if isinstance(properties, Mapping) else {}
    texts = [str(name) for name in fields]
    texts += [
        str(field["description"]) for field in fields.values() if isinstance(field, Mapping) and "description" in field
    ]
    return SearchDocument(
        tool.name,
        tuple(spec.keywords),
        tuple(dict.fromkeys(filter(None, (spec.category, tool.toolkit, tool.source.name)))),
        spec.description,
        tuple(texts),
        tuple(example.description for example in spec.examples if example.description and not example.negative),
        spec.priority,
    )
